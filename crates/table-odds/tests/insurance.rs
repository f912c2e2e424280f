//! Insurance has no evaluator to ask: the engine settles it with the main wagers. So each of its lines is played in full
//! rounds, for every ace and every hole card, and compared with the line that the odds counted.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use table_odds::insurance::insurance;
use table_odds::shoe::Shoe;
use table_odds::table::OddsTable;
use table_rules::card::Card;
use table_rules::engine::Engine;
use table_rules::event::{Event, Events};
use table_rules::game::Game;
use table_rules::line::{Line, Outcome};
use table_rules::script::parse_line;
use table_rules::table::{Table, Tracking};
use table_rules::wager::WagerId;

/// Plays one insured round until the insurance line is drawn up.
fn insurance_line(game: Game, up: Card, hole: Card) -> Line {
    let makes_blackjack = hole.rank().is_ten_value();
    let answer = if makes_blackjack { "yes" } else { "no" };
    let script = format!(
        "wager 1 main 100\nlock\ncard 9c\ncard {up}\ncard 8d\ncard ?\ninsure 1 50\npeek {answer}\nreveal {hole}"
    );
    let mut engine = Engine::new(Table::usual(game), Tracking::Cards);
    let mut events = Events::new();
    let line_of = |event: &Event| if let Event::Settled(line) = event { Some(*line) } else { None };
    let settled = |events: &Events| events.iter().filter_map(line_of).find(|line| line.wager == WagerId::Insurance);
    for text in script.lines() {
        if settled(&events).is_some() {
            break;
        }
        let input = parse_line(text).unwrap().unwrap();
        engine.apply(&input, &mut events).unwrap_or_else(|refusal| panic!("{game} {text}: {refusal:?}"));
    }
    settled(&events).unwrap_or_else(|| panic!("{game} {up} {hole}: no insurance line in {events:?}"))
}

#[test]
fn the_engine_pays_insurance_by_the_lines_that_were_counted() {
    for game in Game::ALL {
        let odds: OddsTable = insurance(Shoe::new(game, 6).unwrap());
        // Ways that each line should have by playing: one ace, the hole cards of a shoe without it.
        let mut played = vec![0_u64; odds.lines.len()];
        for up in game.deck().filter(|card| card.rank().is_ace()) {
            for hole in game.deck() {
                let line = insurance_line(game, up, hole);
                let at = match (line.outcome, line.pay) {
                    (Outcome::Won, Some(pay)) => odds.lines.iter().position(|counted| counted.pays == pay.to_string()),
                    (Outcome::Lost, None) => odds.lines.iter().position(|counted| counted.name == "lost"),
                    other => panic!("{game} {up} {hole}: {other:?}"),
                };
                let at = at.unwrap_or_else(|| panic!("{game} {up} {hole}: {line:?} was not counted"));
                if line.outcome == Outcome::Won {
                    assert_eq!(odds.lines[at].clause, line.source.id(), "{game} {up} {hole}");
                }
                played[at] += if hole == up { 5 } else { 6 };
            }
        }
        let all: u64 = played.iter().sum();
        for (line, ways) in odds.lines.iter().zip(played) {
            let by_play = table_odds::fraction::Fraction::new(ways, all);
            assert_eq!(odds.probability(line), by_play, "{game} {}", line.name);
        }
    }
}
