//! A round always ends, and no state is a dead end.

use table_rules::card::Card;
use table_rules::event::Event;
use table_rules::input::InputKind;

use crate::finish::finish;
use crate::random::seeds;
use crate::session::{Session, in_round};

#[test]
fn a_round_always_ends_from_wherever_it_has_come_to() {
    let cards: Vec<Card> = ["2c", "7d", "As", "Kh"].iter().map(|text| text.parse().unwrap()).collect();
    for seed in seeds("ends", 250) {
        let mut session = Session::new("ends", seed);
        for _ in 0..2 {
            session.round(&mut |session| {
                let leads_on = session.engine.prompt().offers.kinds.iter().any(|kind| {
                    !matches!(
                        kind,
                        InputKind::Undo | InputKind::Correct | InputKind::Late | InputKind::Cover | InputKind::At
                    )
                });
                assert!(leads_on, "dead end: {:#?}", session.engine.prompt());
                if in_round(&session.engine) {
                    let card = cards[session.record.len() % cards.len()];
                    let events = finish(&mut session.engine.clone(), card);
                    let ends = events.iter().filter(|event| matches!(event, Event::RoundEnded { .. })).count();
                    assert_eq!(ends, 1, "a round ends once");
                }
            });
        }
    }
}

#[test]
fn no_play_gets_past_the_limits_of_splits_doubles_and_insurance() {
    for seed in seeds("limits", 500) {
        let mut session = Session::new("limits", seed);
        let table = session.table.clone();
        let doubles_most = if table.double_double { 3 } else { 1 };
        for _ in 0..2 {
            session.round(&mut |session| {
                for each in session.engine.view().boxes {
                    assert!(each.hands.len() <= usize::from(table.max_splits) + 1, "D3: {each:?}");
                    for hand in &each.hands {
                        assert!(hand.doubles <= doubles_most, "10.J: {hand:?}");
                        let cards: Vec<Card> = hand.cards.iter().copied().flatten().collect();
                        let without_last: u8 = cards.iter().rev().skip(1).map(|card| card.points()).sum();
                        assert!(without_last < 21, "a hand at 21 takes no card (7.J): {hand:?}");
                        if let (Some(stake), Some(main)) = (hand.stake.amount(), each.main.amount()) {
                            assert!(
                                stake.0 <= main.0 << hand.doubles,
                                "a double adds at most what lies there: {hand:?}"
                            );
                        }
                    }
                    if let (Some(insured), Some(main)) = (each.insurance.amount(), each.main.amount()) {
                        let most = (main.0 + 1) / 2 + table.smallest_chip.0 - 1;
                        assert!(insured.0 <= most, "S7: {each:?}");
                    }
                }
            });
        }
    }
}
