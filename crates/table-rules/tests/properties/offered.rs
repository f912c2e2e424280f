//! What is offered is accepted, what is accepted was offered, and a refusal changes nothing.

use std::collections::BTreeSet;

use table_rules::Engine;
use table_rules::event::Events;
use table_rules::input::Input;

use crate::random::seeds;
use crate::session::Session;
use crate::universe::universe;

/// Tries every input of the universe. Returns the table after all the refused ones: it has to be as good as new.
pub(crate) fn try_all(engine: &Engine, inputs: &[Input]) -> Engine {
    let (view, prompt) = (engine.view(), engine.prompt());
    let mut worn = engine.clone();
    let mut out = Events::new();
    for input in inputs {
        let offered = engine.offers_input(input);
        if offered {
            out.clear();
            if let Err(refusal) = engine.clone().apply(input, &mut out) {
                panic!("offered but refused: {input:?}: {refusal}\n{prompt:#?}");
            }
        } else {
            out.clear();
            let answer = worn.apply(input, &mut out);
            assert!(answer.is_err(), "accepted but not offered: {input:?}\n{prompt:#?}");
            assert!(out.is_empty(), "a refusal of {input:?} reports {:?}", out.as_slice());
        }
    }
    if worn.view() != view || worn.prompt() != prompt {
        for input in inputs.iter().filter(|input| !engine.offers_input(input)) {
            let mut one = engine.clone();
            assert!(one.apply(input, &mut out).is_err());
            assert_eq!(one.view(), view, "refused, yet it changed the table: {input:?}");
            assert_eq!(one.prompt(), prompt, "refused, yet it changed the prompt: {input:?}");
        }
        panic!("refusals changed the table together, though none did alone");
    }
    worn
}

#[test]
fn what_is_offered_is_accepted_and_what_is_accepted_was_offered() {
    for seed in seeds("offered", 220) {
        let mut session = Session::new("offered", seed);
        let (some, every) = (universe(&session.table, false), universe(&session.table, true));
        let half = |odd: usize| -> Vec<Input> { some.iter().skip(odd).step_by(2).copied().collect() };
        let halves = [half(0), half(1)];
        for _ in 0..2 {
            for at in 0usize.. {
                // The play goes on with a table that has just refused everything refusable, beside an untouched one.
                // Half of the inputs a time: the other half comes at the next step.
                let inputs = if at % 16 == 5 { every.as_slice() } else { halves[at % 2].as_slice() };
                let worn = try_all(&session.engine, inputs);
                let input = session.driver.next(&session.engine);
                let mut out = Events::new();
                let mut worn = worn;
                worn.apply(&input, &mut out).unwrap();
                session.apply(&input);
                assert_eq!(out.as_slice(), session.last_events(), "refusals before {input:?} changed what it causes");
                session.engine = worn;
                if session.round_just_ended() {
                    break;
                }
            }
        }
    }
}

/// A screen shows the kinds as keys: a key that nothing can be said with must not light up.
#[test]
fn every_kind_that_is_offered_can_be_said_somehow() {
    for seed in seeds("kinds", 80) {
        let mut session = Session::new("kinds", seed);
        let inputs = universe(&session.table, false);
        for _ in 0..2 {
            session.round(&mut |session| {
                let offered: Vec<&Input> = inputs.iter().filter(|input| session.engine.offers_input(input)).collect();
                for kind in session.engine.prompt().offers.kinds.iter() {
                    let sayable = offered.iter().any(|input| input.kind() == kind);
                    assert!(sayable, "{kind:?} is offered, but nothing of it: {:#?}", session.engine.prompt());
                }
            });
        }
    }
}

/// The clauses on the sheet of irregularities are those that something can be said with, and no others.
#[test]
fn the_irregularities_that_are_listed_are_those_that_can_be_told() {
    for seed in seeds("irregularities", 40) {
        let mut session = Session::new("irregularities", seed);
        let mut told = universe(&session.table, true);
        told.retain(|input| matches!(input, Input::Irregularity { .. }));
        let game = session.table.game;
        session.round(&mut |session| {
            let engine = &session.engine;
            let accepted = |input: &&Input| engine.clone().apply(input, &mut Events::new()).is_ok();
            let clause = |input: &Input| {
                if let Input::Irregularity { clause, .. } = *input { Some(clause.as_str().to_owned()) } else { None }
            };
            let sayable: BTreeSet<String> = told.iter().filter(accepted).filter_map(clause).collect();
            let listed = engine.possible_irregularities().filter_map(|kind| kind.clause(game)).map(str::to_owned);
            assert_eq!(listed.collect::<BTreeSet<String>>(), sayable);
        });
    }
}
