//! Whatever the line, the answer is an input, nothing or an error that can be shown: never a panic. An input that comes of it
//! is written and read again as it is, and a table takes or refuses it.

use proptest::prelude::*;

use super::*;
use crate::Engine;
use crate::event::Events;
use crate::game::Game;
use crate::table::{Table, Tracking};

fn sane(line: &str) {
    match parse_line(line) {
        Ok(None) => {}
        Ok(Some(input)) => {
            let written = input.to_string();
            assert_eq!(parse_line(&written), Ok(Some(input)), "{line:?} was written as {written:?}");
            for game in Game::ALL {
                let mut engine = Engine::new(Table::usual(game), Tracking::Cards);
                let _ = engine.apply(&input, &mut Events::new());
            }
        }
        Err(error) => {
            let said = error.to_string();
            assert!(
                !said.is_empty() && !said.contains(|letter: char| letter.is_control() && letter != '\t'),
                "{line:?}: {said:?}"
            );
            assert!(said.len() < 2 * LINE_BYTES_MAX, "{line:?}: {said:?}");
        }
    }
}

/// Words of the script and what a hand might type between them.
fn piece() -> impl Strategy<Value = String> {
    let words: Vec<&str> = WORDS.iter().flat_map(|(_, usage)| usage.split([' ', '|', '[', ']'])).collect();
    let odd = [
        "\"",
        "#",
        "-5",
        "0",
        "9",
        "1e9",
        "99999999999999999999",
        "25.005",
        "$5",
        "?",
        "10h",
        "Ah",
        "\u{0}",
        "\r",
        "é",
        "\t",
    ];
    prop_oneof![
        3 => prop::sample::select(words).prop_map(str::to_owned),
        1 => prop::sample::select(odd.to_vec()).prop_map(str::to_owned),
        1 => ".{0,8}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_line_gets_an_answer(line in any::<String>()) {
        sane(&line);
    }

    #[test]
    fn lines_of_the_scripts_own_words_get_an_answer(pieces in prop::collection::vec(piece(), 0..7)) {
        sane(&pieces.join(" "));
    }

    #[test]
    fn mutilated_lines_get_an_answer(
        (_, usage) in prop::sample::select(WORDS.to_vec()),
        at in any::<prop::sample::Index>(),
        length in 0_usize..6,
        piece in piece(),
    ) {
        let mut line = usage.to_owned();
        let start = at.index(line.len() + 1);
        line.replace_range(start..(start + length).min(line.len()), &piece);
        sane(&line);
    }

    #[test]
    fn a_long_line_is_refused_by_its_length(length in LINE_BYTES_MAX + 1..100_000_usize) {
        let line = "9".repeat(length);
        prop_assert_eq!(parse_line(&line), Err(ScriptError::TooLong { bytes: length }));
    }
}
