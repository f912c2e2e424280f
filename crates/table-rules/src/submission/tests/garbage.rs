//! Whatever the text, the answer is a verdict: never a panic, never a refusal without reasons.

use proptest::prelude::*;

use super::*;

/// A verdict that keeps its promises.
fn sane(text: &str) {
    let verdict = check(text);
    let lines = u32::try_from(text.split('\n').count()).unwrap();
    if let Err(problems) = &verdict.table {
        assert!(!problems.is_empty());
    }
    for problem in verdict.table.as_ref().err().into_iter().flatten().chain(&verdict.warnings) {
        assert!((1..=lines).contains(&problem.place.line), "{problem:?}");
        assert!(!problem.render("f").contains(|c: char| c.is_control() && c != '\n'), "{problem:?}");
    }
}

fn any_game() -> impl Strategy<Value = Game> {
    prop::sample::select(Game::ALL.to_vec())
}

/// Pieces that a hand might type.
fn fragment() -> impl Strategy<Value = String> {
    let words = [
        "=", "\"", "[", "]", "{", "}", "\n", "'''", "#", ".", "-1", "1e999", "0.1", "true", "\0", "\r", "é", "inf",
        "game",
    ];
    prop_oneof![
        prop::sample::select(words.to_vec()).prop_map(str::to_owned),
        prop::sample::select(document_keys()).prop_map(|key| format!("\n{key} = ")),
        ".{0,12}",
    ]
}

fn document_keys() -> Vec<&'static str> {
    super::super::document::KEYS.to_vec()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_gets_a_verdict(text in any::<String>()) {
        sane(&text);
    }

    #[test]
    fn texts_of_toml_fragments_get_a_verdict(pieces in prop::collection::vec(fragment(), 0..40)) {
        sane(&pieces.concat());
    }

    #[test]
    fn mutilated_files_get_a_verdict(
        game in any_game(),
        wagers in any::<bool>(),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..40, fragment()), 1..6),
    ) {
        let mut text = if wagers { shipped_with_wagers(game) } else { shipped(game) }.to_owned();
        for (at, length, piece) in cuts {
            let start = text.floor_char_boundary(at.index(text.len() + 1));
            let end = text.floor_char_boundary((start + length).min(text.len()));
            text.replace_range(start..end.max(start), &piece);
        }
        sane(&text);
    }

    #[test]
    fn numbers_of_every_size_get_a_verdict(game in any_game(), key in prop::sample::select(document_keys()), number in any::<i128>()) {
        sane(&change(shipped(game), key, &number.to_string()).0);
    }
}
