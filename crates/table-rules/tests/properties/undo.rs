//! Going back: the state after an undo is the state without the undone input.

use table_rules::Engine;
use table_rules::card::Card;
use table_rules::engine::{StageView, TableView};
use table_rules::event::{Event, Events};
use table_rules::input::{Input, InputKind, Text};
use table_rules::line::Approval;
use table_rules::prompt::Order;

use crate::finish::finish;
use crate::random::{seeds, single_seed};
use crate::session::{Session, apart_from_reach, in_round, is_confirmation, is_minute};

/// The points the dealer may not undo past.
const IRREVERSIBLE: [InputKind; 12] = [
    InputKind::Lock,
    InputKind::Peek,
    InputKind::Reveal,
    InputKind::FloorApprove,
    InputKind::FloorVoid,
    InputKind::Payments,
    InputKind::Reject,
    InputKind::ReaderRepaired,
    InputKind::ShufflerRepaired,
    InputKind::ManagerApprove,
    InputKind::Wheel,
    InputKind::Draw,
];

/// Whether an input turned the hole card: by its name, or as the step that says so where cards are not tracked.
fn turned_hole_card(kind: InputKind, before: &TableView, order: &Order) -> bool {
    let verifies = matches!(order, Order::VerifyHand | Order::VerifyLamp);
    kind == InputKind::Reveal || (kind == InputKind::Next && before.stage == StageView::Reveal && !verifies)
}

/// Whether a line that this word confirmed had somebody's approval: it is never taken back.
pub(crate) fn confirmed_approved(input: &Input, before: &TableView) -> bool {
    let open = &before.lines[before.lines_confirmed..];
    let more = open.iter().skip(1).take_while(|line| !line.approval.is_asked());
    let more = more.take(if *input == Input::Settled { usize::MAX } else { 0 });
    is_confirmation(input) && open.iter().take(1).chain(more).any(|line| line.approval != Approval::NotNeeded)
}

pub(crate) fn assert_undo_takes_back_the_last_input(session: &Session) {
    let offered = session.engine.offers_input(&Input::Undo);
    // Before anything is done in a round, the last word of the one before it is the last input.
    let last = session.last_round.as_deref().filter(|_| session.last_of_round().is_none());
    let (last_input, before, corrected, passed) = match last {
        Some(last) => (Some(&last.input), &last.before, last.corrected, last.passed),
        None => (session.last_of_round(), &session.before, session.corrected, session.passed),
    };
    let (Some(input), Some((view, prompt))) = (last_input, before.last()) else {
        assert!(!offered, "nobody has done anything in this round");
        return;
    };
    let kind = input.kind();
    let irreversible =
        IRREVERSIBLE.contains(&kind) || turned_hole_card(kind, view, &prompt.order) || confirmed_approved(input, view);
    let in_reach = before.len() > corrected.max(passed);
    assert_eq!(offered, in_reach && !irreversible, "whether {kind:?} may be undone");
    if !offered {
        return;
    }
    let mut undone = session.engine.clone();
    let mut out = Events::new();
    undone.apply(&Input::Undo, &mut out).unwrap();
    assert!(matches!(out.as_slice().last(), Some(Event::Undone { input, .. }) if *input == kind));
    let reopened = matches!(out.as_slice().first(), Some(Event::RoundReopened { .. }));
    assert_eq!(reopened, last.is_some(), "only the word that ended a round opens it again");
    assert_eq!(undone.view(), *view, "undo of {input:?}");
    // What was confirmed right before the undone input has been left since: the dealer cannot take that back any more.
    if corrected == 0 && before.len() != passed + 1 {
        assert_eq!(undone.prompt(), *prompt, "undo of {input:?}");
    }
    assert_eq!(apart_from_reach(&undone.prompt()), apart_from_reach(prompt), "undo of {input:?}");
    let (said, events) = session.record.last().unwrap();
    if said == input {
        assert_happens_again(session, &undone, input, events);
    }
    // And something else, to the end of the round, as if the undone input had never been.
    if in_round(&undone) && !session.unrepeatable && session.record.len().is_multiple_of(5) {
        let mut straight = session.fresh();
        let gone = session.effective.iter().rposition(|input| !is_minute(input)).unwrap();
        for (_, input) in session.effective.iter().enumerate().filter(|&(at, _)| at != gone) {
            straight.apply(input, &mut Events::new()).unwrap();
        }
        let card: Card = "5d".parse().unwrap();
        assert_eq!(finish(&mut undone, card), finish(&mut straight, card), "the round after an undo of {input:?}");
        assert_eq!(undone.view(), straight.view());
    }
}

/// The same thing happens after its own undo, exactly.
fn assert_happens_again(session: &Session, undone: &Engine, input: &Input, events: &[Event]) {
    let mut again = undone.clone();
    let mut out = Events::new();
    again.apply(input, &mut out).unwrap();
    let implied_lock = events.iter().any(|event| matches!(event, Event::WagersLocked { by_first_card: true, .. }));
    let of_the_lock = |event: &&Event| matches!(event, Event::WagersLocked { .. } | Event::MeterFed { .. });
    let before_card = if implied_lock { events.iter().take_while(of_the_lock).count() } else { 0 };
    assert_eq!(out.as_slice(), &events[before_card..], "{input:?} after its own undo");
    assert_eq!(again.view(), session.engine.view());
    assert_eq!(again.prompt(), session.engine.prompt());
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

/// While the decks are young, a table that is told two minutes before every input offers what one without a clock offers,
/// and the same comes of it: also of late words, undo and corrections, and on every other table after a restart each time.
#[test]
fn minutes_are_in_nobodys_way() {
    let (mut went_back, mut read_again) = (0, 0);
    for seed in seeds("minutes", 300) {
        let mut session = Session::new("minutes", seed);
        session.driver.messy = true;
        for _ in 0..2 {
            session.round(&mut |_| ());
        }
        // There the decks would have another age, known from another moment on.
        if session.effective.iter().any(is_minute) {
            continue;
        }
        let (mut plain, mut told) = (session.fresh(), session.fresh());
        let mut out = Events::new();
        let mut minute = 0;
        for (input, events) in &session.record {
            for _ in 0..2 {
                minute += u16::from(minute < 180);
                out.clear();
                told.apply(&Input::At(minute), &mut out).unwrap();
                assert!(out.is_empty(), "{:?}", out.as_slice());
            }
            assert_eq!(told.view(), plain.view(), "minutes before {input:?}");
            assert_eq!(told.prompt(), plain.prompt(), "minutes before {input:?}");
            told.apply(input, &mut out).unwrap();
            assert_eq!(out.as_slice(), events, "{input:?} after minutes");
            let restored = Engine::restored(session.table.clone(), session.tracking, &told.snapshot()).unwrap();
            assert_eq!(restored.prompt(), told.prompt(), "{input:?} after minutes, restored");
            if seed.is_multiple_of(2) {
                told = restored;
            }
            plain.apply(input, &mut Events::new()).unwrap();
            went_back += usize::from(matches!(input, Input::Undo | Input::Correct(_)));
            read_again += usize::from(events.iter().any(|event| matches!(event, Event::LastCardTakenBack { .. })));
        }
        assert_eq!(told.view(), plain.view());
    }
    assert!(single_seed() || (went_back > 100 && read_again > 50), "{went_back} back, {read_again} read again");
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
                    assert_eq!((said, across_reveal), (reason, turned_hole_card(kind, view, &prompt.order)));
                    assert_eq!(back.view(), *view, "back before {kind:?}");
                    assert_eq!(apart_from_reach(&back.prompt()), apart_from_reach(prompt), "back before {kind:?}");
                    assert!(!back.offers_input(&Input::Undo), "the dealer's undo after a correction");
                }
                assert!(!back.offers_input(&Input::Correct(reason)), "nothing lies before the round");
            });
        }
    }
}
