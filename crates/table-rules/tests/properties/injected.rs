//! Whatever can have gone wrong is told at every step of generated rounds, and the round still comes to its end.

use std::collections::BTreeMap;

use table_rules::Engine;
use table_rules::card::Card;
use table_rules::engine::Irregular;
use table_rules::event::{Event, Events};
use table_rules::input::Input;
use table_rules::prompt::Order;
use table_rules::table::Tracking;

use crate::finish::finish;
use crate::random::{seeds, single_seed};
use crate::session::{Session, in_round};
use crate::universe::universe;

/// Where an irregularity was told that is easy to forget.
fn told_where(session: &Session, kind: Irregular) -> Option<&'static str> {
    let order = session.engine.prompt().order;
    let by_procedure = session.tracking == Tracking::Procedure;
    match (kind, order) {
        (Irregular::DrawnExposed, Order::OfferInsurance) => Some("exposed while insurance is open"),
        (Irregular::DrawnExposed, Order::InsertHoleCard { .. }) => Some("exposed before the reader"),
        (Irregular::DrawnExposed | Irregular::DrawnUnexposed, Order::SettleLine { .. }) => {
            Some("behind unsettled bets")
        }
        (Irregular::NoCardDealt | Irregular::OneCardDealt | Irregular::RequestedCardMissed, _) if by_procedure => {
            Some("a hand went short without card tracking")
        }
        _ => None,
    }
}

fn clause_of(input: &Input) -> &str {
    if let Input::Irregularity { clause, .. } = input { clause.as_str() } else { "" }
}

/// Told once, at this step: a restart changes nothing of it, and the round ends once, with its lines done and its meters in
/// balance.
fn tell(session: &Session, irregularity: &Input, card: Card) {
    let mut engine = session.engine.clone();
    let mut ledger = session.ledger.clone();
    let mut out = Events::new();
    engine.apply(irregularity, &mut out).unwrap();
    ledger.follow(out.as_slice());
    let mut restored = Engine::restored(session.table.clone(), session.tracking, &engine.snapshot()).unwrap();
    assert_eq!(restored.view(), engine.view(), "{irregularity}");
    assert_eq!(restored.prompt(), engine.prompt(), "{irregularity}");
    if !in_round(&engine) {
        return;
    }
    let events = finish(&mut engine, card);
    ledger.follow(&events);
    let ends = events.iter().filter(|event| matches!(event, Event::RoundEnded { .. })).count();
    assert_eq!(ends, 1, "a round ends once after {irregularity}");
    assert_eq!(finish(&mut restored, card), events, "{irregularity}, restored");
    for (wager, name, meter) in engine.meters() {
        assert!(meter.balance().holds(), "X4: {wager} {name:?} after {irregularity}: {meter:?}");
    }
}

#[test]
fn a_round_comes_to_its_end_whatever_goes_wrong_at_whichever_step() {
    let cards: Vec<Card> = ["2c", "7d", "As", "Kh"].iter().map(|text| text.parse().unwrap()).collect();
    let mut told: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in seeds("injected", 80) {
        let mut session = Session::new("injected", seed);
        let mut all = universe(&session.table, false);
        all.retain(|input| matches!(input, Input::Irregularity { .. }));
        let game = session.table.game;
        for _ in 0..2 {
            session.round(&mut |session| {
                let step = session.record.len();
                for kind in session.engine.possible_irregularities() {
                    let clause = kind.clause(game).unwrap_or_default();
                    let mut possible: Vec<&Input> = all.iter().filter(|input| clause_of(input) == clause).collect();
                    possible.retain(|input| session.engine.offers_input(input));
                    // Each step another one of those that name a seat or a card.
                    let Some(irregularity) = possible.get(step % possible.len().max(1)) else { continue };
                    tell(session, irregularity, cards[step % cards.len()]);
                    if let Some(place) = told_where(session, kind) {
                        *told.entry(place).or_default() += 1;
                    }
                }
            });
        }
    }
    for place in [
        "exposed while insurance is open",
        "exposed before the reader",
        "behind unsettled bets",
        "a hand went short without card tracking",
    ] {
        let times = told.get(place).copied().unwrap_or_default();
        assert!(times > 20 || single_seed(), "{place}: only {times} times");
    }
}
