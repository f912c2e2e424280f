//! A round always ends, and no state is a dead end.

use table_rules::card::Card;
use table_rules::event::Event;
use table_rules::input::InputKind;

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
                    !matches!(kind, InputKind::Undo | InputKind::Correct | InputKind::Late | InputKind::Cover)
                });
                assert!(leads_on, "dead end: {:#?}", session.engine.prompt());
                if !session.engine.is_wagering() {
                    let card = cards[session.record.len() % cards.len()];
                    let events = finish(&mut session.engine.clone(), card);
                    let ends = events.iter().filter(|event| matches!(event, Event::RoundEnded { .. })).count();
                    assert_eq!(ends, 1, "a round ends once");
                }
            });
        }
    }
}
