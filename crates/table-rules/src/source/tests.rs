//! Every id that is cited stands in its document.

use super::*;

/// Readings are known by shape: one capital letter and a number.
fn is_reading(id: &str) -> bool {
    let mut letters = id.chars();
    letters.next().is_some_and(|c| c.is_ascii_uppercase())
        && letters.clone().count() > 0
        && letters.all(|c| c.is_ascii_digit())
}

#[test]
fn every_clause_and_reading_is_a_source_by_its_own_name() {
    for line in CLAUSE_LINES.lines() {
        let (game, id) = line.split_once('\t').unwrap();
        let game = Game::ALL.into_iter().find(|each| each.id() == game).unwrap();
        assert_eq!(Source::new(game, id).to_string(), format!("{game} {id}"));
    }
    for reading in crate::clauses::readings() {
        for game in Game::ALL {
            assert_eq!(Source::new(game, reading.id).to_string(), format!("{game} {}", reading.id));
        }
    }
    assert!(Source::find(Game::Spanish21, "14.N").is_none() && Source::find(Game::Blackjack, "").is_none());
}

#[test]
fn every_cited_clause_exists_in_its_document() {
    let ids: Vec<(&str, &str)> = include_str!("../../clauses/ids.txt")
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .map(|(game, id)| (game.trim(), id.trim()))
        .collect();
    for &point in Point::ALL {
        for game in Game::ALL {
            let id = point.id(game);
            assert!(is_reading(id) || ids.contains(&(game.id(), id)), "{point:?}: {game} {id} is not a clause");
        }
    }
}
