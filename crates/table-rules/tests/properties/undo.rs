//! Going back: the state after an undo is the state without the undone input.

use table_rules::card::Card;
use table_rules::event::{Event, Events};
use table_rules::input::{Input, InputKind, Text};

use crate::finish::finish;
use crate::random::seeds;
use crate::session::{Session, in_round};

/// The points the dealer may not undo past.
const IRREVERSIBLE: [InputKind; 13] = [
    InputKind::Lock,
    InputKind::Peek,
    InputKind::Reveal,
    InputKind::Paid,
    InputKind::Collected,
    InputKind::Settled,
    InputKind::FloorApprove,
    InputKind::FloorVoid,
    InputKind::ReaderRepaired,
    InputKind::ShufflerRepaired,
    InputKind::ManagerApprove,
    InputKind::Wheel,
    InputKind::Draw,
];

pub(crate) fn assert_undo_takes_back_the_last_input(session: &Session) {
    let (Some((input, events)), Some((view, prompt))) = (session.record.last(), session.before.last()) else { return };
    if matches!(input, Input::Undo | Input::Correct(_)) {
        return;
    }
    let kind = input.kind();
    let offered = session.engine.offers_input(&Input::Undo);
    assert_eq!(offered, !IRREVERSIBLE.contains(&kind), "whether {kind:?} may be undone");
    if !offered {
        return;
    }
    let mut undone = session.engine.clone();
    let mut out = Events::new();
    undone.apply(&Input::Undo, &mut out).unwrap();
    assert!(matches!(out.as_slice().last(), Some(Event::Undone { input, .. }) if *input == kind));
    assert_eq!(undone.view(), *view, "undo of {input:?}");
    assert_eq!(undone.prompt(), *prompt, "undo of {input:?}");
    // The same thing happens again, exactly.
    let mut again = undone.clone();
    out.clear();
    again.apply(input, &mut out).unwrap();
    let implied_lock = events.iter().any(|event| matches!(event, Event::WagersLocked { by_first_card: true, .. }));
    let of_the_lock = |event: &&Event| matches!(event, Event::WagersLocked { .. } | Event::MeterFed { .. });
    let before_card = if implied_lock { events.iter().take_while(of_the_lock).count() } else { 0 };
    assert_eq!(out.as_slice(), &events[before_card..], "{input:?} after its own undo");
    assert_eq!(again.view(), session.engine.view());
    assert_eq!(again.prompt(), session.engine.prompt());
    // And something else, to the end of the round, as if the undone input had never been.
    if in_round(&undone) && session.record.len().is_multiple_of(5) {
        let mut straight = session.fresh();
        for input in &session.effective[..session.effective.len() - 1] {
            straight.apply(input, &mut Events::new()).unwrap();
        }
        let card: Card = "5d".parse().unwrap();
        assert_eq!(finish(&mut undone, card), finish(&mut straight, card), "the round after an undo of {input:?}");
        assert_eq!(undone.view(), straight.view());
    }
}

#[test]
fn the_state_after_an_undo_is_the_state_without_the_undone_input() {
    for seed in seeds("undo", 300) {
        let mut session = Session::new("undo", seed);
        for _ in 0..2 {
            session.round(&mut assert_undo_takes_back_the_last_input);
        }
    }
}

#[test]
fn corrections_lead_back_to_the_start_of_the_round_one_input_at_a_time() {
    let reason = Text::new("cards were misread").unwrap();
    for seed in seeds("correct", 150) {
        let mut session = Session::new("correct", seed);
        session.driver.messy = !seed.is_multiple_of(3);
        for _ in 0..2 {
            session.round(&mut |session| {
                if session.record.len() % 29 != 28 {
                    return;
                }
                let mut back = session.engine.clone();
                let mut out = Events::new();
                // Nothing goes back across a jackpot that was paid (X3).
                if session.meter_paid_this_round() {
                    assert!(!back.offers_input(&Input::Correct(reason)), "a correction across a paid jackpot");
                    return;
                }
                for (view, prompt) in session.before.iter().rev() {
                    out.clear();
                    back.apply(&Input::Correct(reason), &mut out).unwrap();
                    let told = out.as_slice().iter().find_map(|event| {
                        let Event::Corrected { input, reason, across_reveal, .. } = event else { return None };
                        Some((*input, *reason, *across_reveal))
                    });
                    let (kind, said, across_reveal) = told.expect("a correction is reported");
                    assert_eq!((said, across_reveal), (reason, kind == InputKind::Reveal));
                    assert_eq!(back.view(), *view, "back before {kind:?}");
                    assert_eq!(back.prompt(), *prompt, "back before {kind:?}");
                }
                assert!(!back.offers_input(&Input::Correct(reason)), "nothing lies before the round");
            });
        }
    }
}
