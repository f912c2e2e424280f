//! The files that ship are the usual tables.

use super::super::approved::sum_of_the_text_read;
use super::*;

#[test]
fn every_shipped_file_is_the_usual_table_of_its_game() {
    for game in Game::ALL {
        let shipped = table(shipped(game));
        let approved = shipped.approved.clone().expect("a file names its text");
        assert!(approved.title.ends_with(game.title()));
        assert_eq!(approved.date, None);
        let hex: String = approved.sha256.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, sum_of_the_text_read(game));
        assert_eq!(Table { approved: None, ..shipped }, Table::usual(game));
    }
}

#[test]
fn shipped_files_are_warned_about_nothing_but_the_missing_day() {
    for game in Game::ALL {
        let verdict = check(shipped(game));
        let keys: Vec<&str> = verdict.warnings.iter().map(|warning| warning.key.as_str()).collect();
        assert_eq!(keys, ["approved.date"], "{game}");
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
