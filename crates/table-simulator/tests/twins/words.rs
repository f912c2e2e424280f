//! The bench words: help is complete and honest, mistakes are answered with the right form.

use device_protocols::link::Millis;
use table_simulator::bench::BenchError;
use table_simulator::reader::ReaderTwin;
use table_simulator::shoe::ShoeTwin;
use table_simulator::shuffler::ShufflerTwin;
use table_simulator::trace::{Flow, Rung};
use table_simulator::twin::Twin;

fn twins() -> [Box<dyn Twin>; 3] {
    let now = Millis(0);
    [Box::new(ReaderTwin::new(1, now)), Box::new(ShufflerTwin::new(1, now)), Box::new(ShoeTwin::new(1, now))]
}

#[test]
fn every_word_that_help_lists_is_a_word() {
    for mut twin in twins() {
        for word in twin.words() {
            for first in word.usage.split(", ") {
                let first = first.split_whitespace().next().unwrap();
                let answer = twin.obey(first, Millis(1));
                assert!(!matches!(answer, Err(BenchError::UnknownWord { .. })), "{first} of {twin:?}");
            }
        }
    }
}

#[test]
fn a_mistake_is_answered_with_what_to_write() {
    let mut twin = ReaderTwin::new(1, Millis(0));
    let say = |twin: &mut ReaderTwin, line| twin.obey(line, Millis(1)).unwrap_err().to_string();
    assert_eq!(say(&mut twin, "insert 10h"), "\"insert 10h\" does not fit; write insert Kh");
    assert_eq!(say(&mut twin, "dance"), "\"dance\" is no word of this device; `help` lists them");
    assert_eq!(say(&mut twin, "remove"), "not now: no card is in the slot");
    assert_eq!(say(&mut twin, ""), "\"\" is no word of this device; `help` lists them");
}

#[test]
fn the_ladder_shows_bytes_frames_and_events_and_no_drawn_card() {
    let mut twin = ShoeTwin::new(1, Millis(0));
    twin.turn_on_trace();
    twin.obey("load Kh", Millis(1)).unwrap();
    twin.obey("draw", Millis(1)).unwrap();
    while twin.poll_transmit(Millis(1)).is_some() {}
    let entries: Vec<_> = std::iter::from_fn(|| twin.poll_trace()).collect();
    let text = entries.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    assert!(entries.iter().any(|entry| matches!(entry.rung, Rung::Raw(_)) && entry.flow == Flow::Sent), "{text}");
    assert!(text.contains("frame card-reading shoe device 01 HELLO unnumbered"), "{text}");
    assert!(text.contains("event CardDrawn { context: InPlay, card: SealedCard(draw 1) }"), "{text}");
    assert!(!text.contains("Kh"), "{text}");
}
