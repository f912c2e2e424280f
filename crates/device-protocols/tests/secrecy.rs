//! What must not be sayable or showable: the hole card.
#![expect(clippy::unwrap_used, reason = "a test that cannot build its example should stop")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use device_protocols::frame::{BootId, DeviceKind, Direction, Frame, MessageType, Payload, Sequence};
use device_protocols::mask::{MaskedRun, TrafficMask, Watching};
use device_protocols::message::{Body, DeviceProtocol, types};
use device_protocols::reader::{HoleCardReader, ReaderAnswer, ReaderEvent, UpCardGroup};
use device_protocols::sealed::{Card, DrawNumber, SealedCard};
use device_protocols::shoe::{DrawContext, Shoe, ShoeEvent};
use device_protocols::shuffler::Shuffler;

fn body(message_type: u8, payload: &[u8]) -> Body {
    Body { message_type: MessageType::new(message_type), payload: Payload::new(payload).unwrap() }
}

fn reader_accepts(message_type: u8, payload: &[u8]) -> bool {
    HoleCardReader::decode_event(&body(message_type, payload)).is_ok()
}

/// Every payload of up to two bytes, for every type, that the reader's protocol accepts from the device.
fn short_messages_of_the_reader() -> BTreeMap<u8, Vec<Vec<u8>>> {
    let mut accepted: BTreeMap<u8, Vec<Vec<u8>>> = BTreeMap::new();
    let mut probe = |message_type: u8, payload: &[u8]| {
        if reader_accepts(message_type, payload) {
            accepted.entry(message_type).or_default().push(payload.to_vec());
        }
    };
    for message_type in 0..0x80 {
        probe(message_type, &[]);
        for first in 0..=255 {
            probe(message_type, &[first]);
            for second in 0..=255 {
                probe(message_type, &[first, second]);
            }
        }
    }
    accepted
}

#[test]
fn the_whole_space_of_short_reader_messages_is_this_list() {
    let groups = || vec![vec![1], vec![2]];
    let answers = || vec![vec![1, 1], vec![1, 2], vec![1, 3], vec![2, 1], vec![2, 2], vec![2, 3]];
    let faults = || (1..=7).map(|fault| vec![fault]).collect::<Vec<_>>();
    let nothing = || vec![vec![]];
    let expected = BTreeMap::from([
        (0x07, faults()),
        (0x08, faults()),
        (0x20, groups()),
        (0x21, answers()),
        (0x22, nothing()),
        (0x23, nothing()),
        (0x24, nothing()),
        (0x25, nothing()),
        (0x26, nothing()),
        (0x27, nothing()),
        (0x28, answers()),
    ]);
    assert_eq!(short_messages_of_the_reader(), expected);
}

#[test]
fn longer_reader_messages_are_the_state_alone_and_it_holds_nothing_but_the_lists() {
    let state = types::STATE.value();
    // No type but STATE, and STATE with no length but eight, takes more than two bytes, whatever they are filled with.
    for message_type in 0..0x80 {
        for length in 3..=200 {
            for fill in [0x00, 0x01, 0x02, 0x03, 0xFF] {
                let mut payload = vec![fill; length];
                let is_state = message_type == state && length == 8;
                assert!(is_state || !reader_accepts(message_type, &payload), "{message_type:02x} {length}");
                payload[0] = 1;
                assert!(is_state || !reader_accepts(message_type, &payload), "{message_type:02x} {length}");
            }
        }
    }
    // The first three bytes of STATE: state, group, answer. Exhaustive in each pair of them.
    let mut combinations = Vec::new();
    let mut probe = |first: u8, second: u8, third: u8| {
        if reader_accepts(state, &[first, second, third, 0, 0, 0, 0, 0])
            && !combinations.contains(&[first, second, third])
        {
            combinations.push([first, second, third]);
        }
    };
    for one in 0..=255 {
        for two in 0..=255 {
            for small in 0..16 {
                probe(small, one, two);
                probe(one, small, two);
                probe(one, two, small);
            }
        }
    }
    combinations.sort_unstable();
    let mut expected: Vec<[u8; 3]> = [0, 1, 6, 7, 8, 9].map(|state| [state, 0, 0]).to_vec();
    expected.extend([2, 3, 4].iter().flat_map(|state| [[*state, 1, 0], [*state, 2, 0]]));
    expected.extend([1, 2].iter().flat_map(|group| [1, 2, 3].map(|answer| [5, *group, answer])));
    expected.sort_unstable();
    assert_eq!(combinations, expected);
    // Then a flag, then the seven faults as bits.
    let flags: Vec<u8> = (0..=255).filter(|flag| reader_accepts(state, &[1, 0, 0, *flag, 0, 0, 0, 0])).collect();
    assert_eq!(flags, [0, 1]);
    let bits: Vec<u32> = (0..32)
        .filter(|bit| {
            let [a, b, c, d] = (1_u32 << bit).to_be_bytes();
            reader_accepts(state, &[1, 0, 0, 0, a, b, c, d])
        })
        .collect();
    assert_eq!(bits, [1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn for_one_group_the_reader_can_say_three_things_about_a_card_and_thirteen_ranks_do_not_fit() {
    for message_type in [0x21, 0x28] {
        for group in UpCardGroup::ALL {
            let words = (0..=255).filter(|answer| reader_accepts(message_type, &[group.code(), *answer])).count();
            assert_eq!(words, 3);
        }
    }
}

#[test]
fn yes_no_and_unread_have_one_length_on_the_wire() {
    for boot in [1, 0x0101_0101, 0xFFFF_FFFF] {
        for sequence in [1, 0x0100, 0x0101, 0xFFFF] {
            let mut lengths: Vec<usize> = Vec::new();
            for group in UpCardGroup::ALL {
                for answer in ReaderAnswer::ALL {
                    for event in [
                        ReaderEvent::Answered { group: *group, answer: *answer },
                        ReaderEvent::TestAnswered { group: *group, answer: *answer },
                    ] {
                        let body = HoleCardReader::encode_event(&event);
                        lengths.push(frame(DeviceKind::HoleCardReader, boot, sequence, body).encode().len());
                    }
                }
            }
            assert!(lengths.iter().all(|length| *length == lengths[0]), "{lengths:?}");
        }
    }
}

#[test]
fn the_reader_module_has_no_word_for_a_card() {
    let source = include_str!("../src/reader.rs");
    for line in source.lines().filter(|line| !line.trim_start().starts_with("//")) {
        for word in ["rank", "suit", "sealed", "Card::new", "confidence", "String", "Vec<"] {
            assert!(!line.contains(word), "{line}");
        }
    }
}

#[test]
fn no_shuffler_message_is_long_enough_for_an_order_of_cards() {
    let accepts = |message_type, payload: &[u8]| Shuffler::decode_event(&body(message_type, payload)).is_ok();
    for message_type in 0..0x80 {
        for length in 14..=200 {
            for fill in [0, 1, 2, 255] {
                assert!(!accepts(message_type, &vec![fill; length]), "{message_type:02x} {length}");
            }
        }
    }
}

fn frame(kind: DeviceKind, boot: u32, sequence: u16, body: Body) -> Frame {
    Frame {
        kind,
        direction: Direction::FromDevice,
        boot: BootId::new(boot).unwrap(),
        sequence: Sequence::new(sequence),
        message_type: body.message_type,
        payload: body.payload,
    }
}

fn draw(rank: u8, suit: u8) -> Vec<u8> {
    let card = SealedCard::seal(DrawNumber(9), Card::new(rank, suit).unwrap());
    let body = Shoe::encode_event(&ShoeEvent::CardDrawn { context: DrawContext::InPlay, card });
    frame(DeviceKind::Shoe, 0xB007_CAFE, 5, body).encode().to_vec()
}

fn all_cards() -> impl Iterator<Item = (u8, u8)> {
    (1..=13).flat_map(|rank| (0..=3).map(move |suit| (rank, suit)))
}

#[test]
fn all_draws_have_one_length_and_one_masked_view_on_every_port() {
    for port in DeviceKind::ALL {
        for (rank, suit) in all_cards() {
            let bytes = draw(rank, suit);
            assert_eq!(bytes.len(), draw(1, 0).len());
            let shown: Vec<String> = TrafficMask::new(port)
                .handle_bytes(&bytes, Watching::InService)
                .iter()
                .map(ToString::to_string)
                .collect();
            assert_eq!(shown, ["device type 20 id b007cafe:5 [5 sealed bytes]"]);
        }
    }
}

#[test]
fn a_damaged_or_cut_draw_is_masked_to_its_length() {
    for (rank, suit) in all_cards() {
        let whole = draw(rank, suit);
        for bit in 0..8 {
            let mut damaged = whole.clone();
            damaged[13] ^= 1 << bit;
            for run in TrafficMask::new(DeviceKind::Shoe).handle_bytes(&damaged, Watching::InService) {
                assert!(!matches!(run, MaskedRun::Open { .. }), "{run}");
            }
        }
        let mut cut = whole[..whole.len() - 2].to_vec();
        cut.push(0);
        let runs = TrafficMask::new(DeviceKind::Shoe).handle_bytes(&cut, Watching::InService);
        assert!(matches!(runs[..], [MaskedRun::Hidden { length: 16 }]), "{runs:?}");
    }
}

#[test]
fn a_message_of_the_shoe_that_nobody_knows_is_sealed_and_harmless_ones_are_shown() {
    let unknown = frame(DeviceKind::Shoe, 1, 1, body(0x2F, &[13, 3])).encode();
    let runs = TrafficMask::new(DeviceKind::Shoe).handle_bytes(&unknown, Watching::InService);
    assert!(matches!(runs[..], [MaskedRun::Sealed { payload_length: 2, .. }]), "{runs:?}");

    let cut_card = Shoe::encode_event(&ShoeEvent::CutCardDrawn { drawn: DrawNumber(9) });
    let bytes = frame(DeviceKind::Shoe, 1, 1, cut_card).encode();
    let runs = TrafficMask::new(DeviceKind::Shoe).handle_bytes(&bytes, Watching::InService);
    let [MaskedRun::Open { bytes: shown }] = &runs[..] else { panic!("{runs:?}") };
    assert_eq!(shown[..], bytes[1..bytes.len() - 1]);
}

#[test]
fn endless_noise_is_shown_once_and_not_kept() {
    let mut mask = TrafficMask::new(DeviceKind::Shoe);
    let runs = mask.handle_bytes(&vec![0x55; 100_000], Watching::InService);
    assert_eq!(runs.len(), 1, "one oversize run");
    assert_eq!(mask.handle_bytes(&draw(1, 0), Watching::InService).len(), 1, "and back in step");
}

#[test]
fn a_draw_prints_the_same_whatever_the_card() {
    let printed = |rank, suit| {
        let card = SealedCard::seal(DrawNumber(9), Card::new(rank, suit).unwrap());
        format!("{:?}", ShoeEvent::CardDrawn { context: DrawContext::InPlay, card })
    };
    for (rank, suit) in all_cards() {
        assert_eq!(printed(rank, suit), "CardDrawn { context: InPlay, card: SealedCard(draw 9) }");
    }
}

#[test]
fn a_card_out_of_range_is_refused_without_saying_what_it_was() {
    let refused = |rank, suit| Shoe::decode_event(&body(0x20, &[0, 1, 1, rank, suit])).unwrap_err().to_string();
    assert_eq!(refused(14, 1), refused(1, 5));
    assert_eq!(refused(14, 1), refused(1, 0));
    assert_eq!(refused(14, 1), "field card holds a value that is not in the protocol");
}

/// Only the controller may declare a card face up. Tests may, to look inside.
#[test]
fn nobody_but_the_controller_opens_sealed_cards() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut sources = Vec::new();
    for entry in fs::read_dir(&crates).unwrap() {
        collect_sources(&entry.unwrap().path().join("src"), &mut sources);
    }
    assert!(sources.iter().any(|path| path.ends_with("device-protocols/src/sealed.rs")), "the search finds something");
    for path in sources {
        let permitted = path.ends_with("device-protocols/src/sealed.rs")
            || path.components().any(|part| part.as_os_str() == "table-controller");
        let opens = fs::read_to_string(&path).unwrap().contains("said_by_controller");
        assert!(permitted || !opens, "{} declares a card face up", path.display());
    }
}

fn collect_sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect_sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn outside_service_mode_a_shoe_is_a_length_and_what_is_no_frame_is_one_on_every_port() {
    for watching in [Watching::InRound, Watching::BetweenRounds] {
        for (rank, suit) in all_cards() {
            let whole = draw(rank, suit);
            let on_its_port = TrafficMask::new(DeviceKind::Shoe).handle_bytes(&whole, watching);
            assert_eq!(on_its_port[0].to_string(), "[17 bytes]", "a shoe's port shows nothing else");
            // Exchanged plugs: a draw on the reader's port, damaged on the way or heard at another speed.
            for port in [DeviceKind::HoleCardReader, DeviceKind::Shuffler] {
                let mut damaged = whole.clone();
                damaged[13] ^= 0x10;
                for run in TrafficMask::new(port).handle_bytes(&damaged, watching) {
                    assert!(matches!(run, MaskedRun::Hidden { .. } | MaskedRun::Sealed { .. }), "{run}");
                }
            }
        }
    }
}

#[test]
fn the_readers_answer_is_a_length_while_a_round_is_open() {
    let answered = |answer: u8| frame(DeviceKind::HoleCardReader, 1, 1, body(0x21, &[answer])).encode();
    let shown = |bytes: &[u8], watching| -> Vec<String> {
        let mut mask = TrafficMask::new(DeviceKind::HoleCardReader);
        mask.handle_bytes(bytes, watching).iter().map(ToString::to_string).collect()
    };
    let lengths: Vec<Vec<String>> = (0..3).map(|answer| shown(&answered(answer), Watching::InRound)).collect();
    assert!(lengths.iter().all(|each| *each == ["[13 bytes]"]), "{lengths:?}");
    assert!(shown(&answered(1), Watching::BetweenRounds)[0].contains(' '));
    assert_ne!(shown(&answered(1), Watching::BetweenRounds), ["[13 bytes]"]);
}
