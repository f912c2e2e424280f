//! The files that ship are the usual tables.

use std::collections::BTreeSet;

use super::super::approved::sum_of_the_text_read;
use super::*;
use crate::side::{OfferedWager, all_tables};
use crate::wager::WagerId;

#[test]
fn every_shipped_file_is_the_usual_table_of_its_game() {
    for game in Game::ALL {
        let shipped = table(shipped(game));
        let approved = shipped.approved.clone().expect("a file names its text");
        assert!(approved.title.ends_with(game.title()));
        assert_eq!(approved.date, None);
        assert_eq!(approved.sha256_hex(), sum_of_the_text_read(game));
        assert_eq!(Table { approved: None, ..shipped }, Table::usual(game));
    }
}

#[test]
fn the_files_with_every_wager_offer_every_wager_and_change_nothing_else() {
    for game in Game::ALL {
        let all = table(shipped_with_wagers(game));
        let offered: BTreeSet<WagerId> = all.wagers.iter().map(OfferedWager::id).collect();
        let authorised: BTreeSet<WagerId> = all_tables()
            .iter()
            .filter(|tables| tables.in_game(game).is_some() && tables.wager != WagerId::SuperMatch)
            .map(|tables| tables.wager)
            .collect();
        assert_eq!(offered, authorised, "{game}");
        assert_eq!(all.wagers.len(), authorised.len(), "{game}");
        assert_eq!(Table { wagers: Vec::new(), ..all }, table(shipped(game)), "{game}");
        // The day of approval, and what P1 pays beyond the letter.
        let warnings = if game == Game::PlayersEdge21 { 2 } else { 1 };
        assert_eq!(check(shipped_with_wagers(game)).warnings.len(), warnings, "{game}");
    }
}

/// Super Match is the one wager that only a Switch table may offer (6.G(7)), so that table has a file of its own.
#[test]
fn the_switch_file_with_every_wager_offers_super_match_besides_and_changes_nothing_else() {
    let plain = include_str!("../../../../../firmware-config/submissions/blackjack-switch.toml");
    let all = table(include_str!("../../../../../firmware-config/submissions/blackjack-switch-all-wagers.toml"));
    let offered: BTreeSet<WagerId> = all.wagers.iter().map(OfferedWager::id).collect();
    let standard = table(shipped_with_wagers(Game::Blackjack));
    let beside: BTreeSet<WagerId> = standard.wagers.iter().map(OfferedWager::id).collect();
    assert_eq!(offered, beside.into_iter().chain([WagerId::SuperMatch]).collect());
    assert_eq!(Table { wagers: Vec::new(), ..all }, Table { wagers: Vec::new(), ..table(plain) });
}

#[test]
fn shipped_files_are_warned_about_the_missing_day_and_what_p1_pays_beyond_the_letter() {
    for game in Game::ALL {
        let verdict = check(shipped(game));
        let keys: Vec<&str> = verdict.warnings.iter().map(|warning| warning.key.as_str()).collect();
        let wanted: &[&str] = match game {
            Game::Blackjack | Game::Spanish21 | Game::Pontoon21 => &["approved.date"],
            Game::PlayersEdge21 => &["seven_card_21", "approved.date"],
        };
        assert_eq!(keys, wanted, "{game}");
        assert!(verdict.readings.iter().any(|reading| reading.id == "S12"), "{game}");
    }
}

#[test]
fn every_option_of_a_shipped_file_has_a_comment_above_it() {
    for game in Game::ALL {
        let mut commented = false;
        for line in shipped(game).lines() {
            if line.contains(" = ") && !line.starts_with('#') {
                let explains_itself =
                    ["game", "table_maximum", "title", "sha256"].iter().any(|key| line.starts_with(key));
                assert!(commented || explains_itself, "{game}: {line}");
            }
            commented = line.starts_with('#');
        }
    }
}
