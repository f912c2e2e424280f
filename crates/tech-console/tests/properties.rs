//! Any byte stream into the console: no panic, bounded memory, nothing but plain signs out, and the documented line.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use operator_api::{PersonId, Role};
use proptest::prelude::*;
use tech_console::editor::{Edited, Editor, Field};
use tech_console::keys::Keys;
use tech_console::text::Moment;
use tech_console::{Access, Ask, LoginResult, Mode, Names, Output, Request, Session, Settings, Situation};

/// Bytes as they come: keys that people press, and anything at all.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let key = prop_oneof![
        6 => prop::sample::select(b"abdeimnorstuvwy? -|.0123456789".to_vec()),
        3 => prop::sample::select(vec![b'\r', b'\n', 0x08, 0x7F, 0x15, 0x17, 0x03, 0x04, 0x0C, 0x10, 0x0E, b'\t', 0x1B]),
        1 => any::<u8>(),
    ];
    prop::collection::vec(key, 0..600)
}

/// The line as the documentation has it, computed the slow way from the keys since the last line.
fn documented(keys: &[u8], limit: usize) -> Option<String> {
    let mut line = Vec::new();
    for byte in keys {
        match byte {
            b' '..=b'~' if line.len() < limit => line.push(*byte),
            b' '..=b'~' => {}
            0x08 | 0x7F => drop(line.pop()),
            0x15 | 0x03 => line.clear(),
            0x17 => {
                let text = String::from_utf8(line.clone()).unwrap();
                let kept = text.trim_end_matches(' ');
                line.truncate(kept.rfind(' ').map_or(0, |at| at + 1));
            }
            b'\t' | 0x04 | 0x0C | 0x0E | 0x10 | 0x11 | 0x13 => {}
            _ => return None,
        }
    }
    Some(String::from_utf8(line).unwrap())
}

proptest! {
    #[test]
    fn the_line_is_the_documented_one(keys in bytes()) {
        // Escape sequences are tried by themselves.
        let keys: Vec<u8> = keys.into_iter().filter(|byte| *byte != 0x1B).collect();
        let mut editor = Editor::new(40);
        editor.begin(Field::Plain, 40);
        let mut reader = Keys::new(false);
        let (mut since, mut out) = (Vec::new(), Vec::new());
        let mut after_return = false;
        for byte in keys {
            let belongs = std::mem::replace(&mut after_return, byte == b'\r') && byte == b'\n';
            let edited = reader.handle_byte(byte).map(|key| editor.handle_key(key, &mut out));
            match edited {
                None => prop_assert!(belongs),
                Some(Edited::Line(line)) => {
                    prop_assert_eq!(Some(line.to_string()), documented(&since, 40));
                    since.clear();
                }
                Some(Edited::Spoilt(bytes)) => {
                    prop_assert!(bytes > 0);
                    prop_assert!(byte == 0x03 || documented(&since, 40).is_none());
                    since.clear();
                }
                Some(Edited::Interrupted) => since.clear(),
                Some(_) => since.push(byte),
            }
            prop_assert!(out.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\r' | b'\n' | 7 | 8)));
        }
    }

    #[test]
    fn any_bytes_are_survived_and_nothing_is_carried_out_that_was_not_typed(
        chunks in prop::collection::vec((bytes(), 0..400_000u64), 1..12),
        marked in any::<bool>(),
    ) {
        let mut session = Session::new(Settings { port: "tty 115200 8N1".to_owned(), marks_noise: marked }, 0);
        session.handle_names(Names { devices: vec!["reader".to_owned()], ..Names::default() });
        session.begin();
        let mut now = 0;
        for (bytes, later) in chunks {
            now += later;
            session.handle_bytes(&bytes, now);
            session.handle_notice("something happened");
            while let Some(request) = session.poll_request() {
                match request {
                    Request::MayTry(number) => session.handle_login(number, LoginResult::AskPin),
                    Request::LogIn { number, .. } => {
                        let access = Access::Person { number, role: Role::Technician };
                        session.handle_situation(
                            "BJ-07",
                            Situation { mode: Mode::Service, round_open: false, in_service: true },
                            Some(PersonId(1)),
                        );
                        session.handle_login(number, LoginResult::In { access, greeting: "in".to_owned() });
                    }
                    Request::SetPin { number, .. } => {
                        session.handle_login(number, LoginResult::Refused("set".to_owned()));
                    }
                    Request::Run(run) => {
                        // Whatever was understood stands in what was typed, word by word from its beginning.
                        let first = run.typed.split_whitespace().find(|word| !word.starts_with('-')).unwrap();
                        prop_assert!(run.command.word.starts_with(first), "{:?}", run.typed);
                        if run.typed.len() % 2 == 0 {
                            session.handle_ask(Ask::Yes("sure?".to_owned()));
                        } else {
                            let lines = (0..50).map(|line| format!("line {line}")).collect();
                            session.handle_output(Output::text(lines, serde_json::Value::Null), Moment::default());
                        }
                    }
                    Request::Yes(_) | Request::Second { .. } | Request::Text(_) | Request::Stop => {
                        session.handle_output(Output::default(), Moment::default());
                    }
                    Request::Refused { words, reason } => {
                        prop_assert!(!words.is_empty() && !reason.is_empty());
                    }
                    Request::LoggedOut => {}
                }
            }
            let out = session.poll_output();
            prop_assert!(out.len() < 1 << 20);
            prop_assert!(out.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\r' | b'\n' | 7 | 8)));
        }
    }
}

#[test]
fn a_flood_of_keys_keeps_the_memory_bounded() {
    let mut session = Session::new(Settings { port: "tty".to_owned(), marks_noise: false }, 0);
    session.begin();
    // Nobody answers and nobody reads: what waits is bounded.
    session.handle_bytes(b"1\r", 0);
    for round in 0..1_000u64 {
        session.handle_bytes(&[b'x'; 1_000], round);
    }
    let out = session.poll_output();
    assert!(out.len() <= 256 * 1024, "{}", out.len());
}
