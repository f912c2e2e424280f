//! A round always ends, and no state is a dead end.

use table_rules::card::Card;
use table_rules::event::Event;
use table_rules::input::{Input, InputKind};
use table_rules::table::Variation;

use crate::finish::finish;
use crate::random::seeds;
use crate::session::Session;

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
                if session.is_locked() {
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
        let originals = if table.variation == Variation::Switch { 2 } else { 1 };
        let face_down = table.variation == Variation::FromTheHand;
        let doubles_most = if table.double_double { 3 } else { 1 };
        for _ in 0..2 {
            session.round(&mut |session| {
                assert_no_card_over_21(session);
                for each in session.engine.view().boxes {
                    assert!(each.hands.len() <= originals * (usize::from(table.max_splits) + 1), "D3: {each:?}");
                    for hand in &each.hands {
                        assert!(hand.doubles <= doubles_most, "10.J: {hand:?}");
                        let cards: Vec<Card> = hand.cards.iter().copied().flatten().collect();
                        let without_last: u8 = cards.iter().rev().skip(1).map(|card| card.points()).sum();
                        assert!(face_down || without_last < 21, "a hand at 21 takes no card (7.J): {hand:?}");
                        if let (Some(stake), Some(main)) = (hand.stake.amount(), each.main.amount()) {
                            assert!(
                                stake.0 <= main.0 << hand.doubles,
                                "a double adds at most what lies there: {hand:?}"
                            );
                        }
                    }
                    if let (Some(insured), Some(main)) = (each.insurance.amount(), each.main.amount()) {
                        // Each of Switch's two wagers may be insured (B8).
                        let half = (main.0 + 1) / 2 + table.smallest_chip.0 - 1;
                        let most = if originals == 2 { 2 * half } else { half };
                        assert!(insured.0 <= most, "S7: {each:?}");
                    }
                }
            });
        }
    }
}

/// Cards that lie face down count for nobody yet (B14); what lies open can be too many all the same.
fn assert_no_card_over_21(session: &Session) {
    let (Some((view, _)), Some((Input::Card(_) | Input::CardFrom { .. }, _))) =
        (session.before.last(), session.record.last())
    else {
        return;
    };
    for hand in view.boxes.iter().flat_map(|each| &each.hands).filter(|hand| hand.has_turn && hand.doubles == 0) {
        assert!(hand.total <= 21, "a hand over 21 takes no card: {hand:?}");
    }
}
