//! Same inputs, same outputs; and the events alone tell the settlement.

use table_rules::Engine;
use table_rules::event::Events;
use table_rules::line::Line;
use table_rules::script::parse_line;

use crate::random::seeds;
use crate::session::{Session, apart_from_reach};

#[test]
fn replaying_the_accepted_inputs_gives_the_same_events_view_and_prompt() {
    for seed in seeds("replay", 500) {
        let mut session = Session::new("replay", seed);
        for _ in 0..3 {
            session.round(&mut |_| ());
        }
        for _ in 0..10 {
            session.step();
        }
        let mut again = session.fresh();
        let mut out = Events::new();
        for (input, events) in &session.record {
            out.clear();
            again.apply(input, &mut out).unwrap();
            assert_eq!(out.as_slice(), events, "{input:?}");
        }
        assert_eq!(again.view(), session.engine.view());
        assert_eq!(again.prompt(), session.engine.prompt());
        assert_eq!(format!("{again:?}"), format!("{:?}", session.engine));
    }
}

pub(crate) fn assert_events_tell_the_lines(session: &Session) {
    let view = session.engine.view();
    let last = session.record.last().map(|(input, _)| *input);
    let told: Vec<Line> = view.lines.iter().filter(|line| line.is_priced()).copied().collect();
    assert_eq!(session.ledger.lines, told, "after {last:?}");
    assert_eq!(session.ledger.confirmed, view.lines_confirmed, "after {last:?}");
}

/// A journal keeps events and is never recomputed: whoever follows them must know every line that is due, and which
/// are done, at every moment, through undo, corrections and late words.
#[test]
fn the_events_alone_tell_every_line_and_what_is_done() {
    for seed in seeds("ledger", 600) {
        let mut session = Session::new("ledger", seed);
        for _ in 0..2 {
            session.round(&mut assert_events_tell_the_lines);
        }
    }
}

/// What an undo or a correction took away leaves no trace in later rounds.
#[test]
fn inputs_that_were_taken_back_leave_nothing_behind() {
    for seed in seeds("effective", 500) {
        let mut session = Session::new("effective", seed);
        session.driver.messy = true;
        for _ in 0..2 {
            session.round(&mut |_| ());
        }
        for _ in 0..40 {
            session.step();
        }
        if session.unrepeatable {
            continue;
        }
        let mut straight = session.fresh();
        for input in &session.effective {
            straight.apply(input, &mut Events::new()).unwrap();
        }
        assert_eq!(straight.view(), session.engine.view());
        assert_eq!(apart_from_reach(&straight.prompt()), apart_from_reach(&session.engine.prompt()));
    }
}

fn restored(session: &Session) -> Engine {
    let snapshot = session.engine.snapshot();
    let restored = Engine::restored(session.table.clone(), session.tracking, &snapshot).unwrap();
    assert_eq!(restored.view(), session.engine.view());
    assert_eq!(restored.prompt(), session.engine.prompt());
    assert!(restored.meters().eq(session.engine.meters()));
    assert_eq!(restored.snapshot(), snapshot);
    if let Some((input, _)) = session.record.last() {
        assert_eq!(parse_line(&input.to_string()), Ok(Some(*input)), "{input}");
    }
    restored
}

/// A checkpoint at any moment, undone inputs and late words included, brings the whole engine back: one that is replaced
/// by its restored self after every input reports the same events as one that lives through.
#[test]
fn a_snapshot_brings_the_engine_back() {
    for seed in seeds("snapshot", 120) {
        let mut session = Session::new("snapshot", seed);
        session.driver.messy = seed % 2 == 0;
        for _ in 0..150 {
            session.step();
            session.engine = restored(&session);
        }
        let mut lived = session.fresh();
        let mut out = Events::new();
        for (input, events) in &session.record {
            out.clear();
            lived.apply(input, &mut out).unwrap();
            assert_eq!(out.as_slice(), events, "{input:?}");
        }
    }
}
