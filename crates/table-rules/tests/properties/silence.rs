//! Law 3: before the reveal, nothing that comes out of the engine depends on the hole card.
//!
//! Two tables get the same cards, the same decisions and the same reader's answers; only the card that lies face down
//! differs. Everything the engine says or holds is compared byte for byte until that card is turned.

use table_rules::card::Card;
use table_rules::event::Events;
use table_rules::input::{Drawn, Input};
use table_rules::prompt::Order;
use table_rules::table::Tracking;
use table_rules::{Engine, Game};

use crate::random::{Random, seeds};
use crate::session::Session;

fn makes_blackjack(up: Card, hole: Card) -> bool {
    let (up, hole) = (up.rank(), hole.rank());
    (up.is_ace() && hole.is_ten_value()) || (up.is_ten_value() && hole.is_ace())
}

fn everything(engine: &Engine, out: &Events) -> String {
    format!("{:?}\n{:?}\n{:?}\n{engine:?}", out.as_slice(), engine.prompt(), engine.view())
}

#[test]
fn rounds_that_differ_only_in_the_hole_card_look_the_same_until_it_is_turned() {
    let mut pairs = 0;
    for seed in seeds("silence", 400) {
        let mut random = Random::new(seed ^ 0x51);
        let mut here = Session::of("silence", seed, random.pick(&Game::ALL), Tracking::Cards);
        let mut there = Session::of("silence", seed, here.table.game, Tracking::Cards);
        let mut swapped = false;
        loop {
            let order = here.engine.prompt().order;
            let input = here.step();
            let same = there.driver.next(&there.engine);
            if let (Input::Reveal(one), Input::Reveal(other), true) = (input, same, swapped) {
                assert_ne!(one, other, "the pair differs in the hole card");
                there.apply(&same);
                assert_ne!(format!("{:?}", here.last_events()), format!("{:?}", there.last_events()));
                pairs += 1;
                break;
            }
            assert_eq!(input, same, "the same answers lead to the same play");
            there.apply(&same);
            let out = |session: &Session| {
                let mut out = Events::new();
                let mut again = Engine::new(session.table.clone(), session.tracking);
                for (input, _) in &session.record {
                    out.clear();
                    again.apply(input, &mut out).unwrap();
                }
                out
            };
            assert_eq!(format!("{:?}", here.last_events()), format!("{:?}", there.last_events()));
            assert_eq!(everything(&here.engine, &Events::new()), everything(&there.engine, &Events::new()));
            if here.record.len().is_multiple_of(17) {
                assert_eq!(everything(&here.engine, &out(&here)), everything(&there.engine, &out(&there)));
            }
            if matches!((input, order), (Input::Card(Drawn::FaceDown), Order::DealHoleCard)) {
                let up = here.engine.dealer().cards()[0];
                let hole = here.driver.hole.unwrap();
                there.driver.hole = here
                    .table
                    .game
                    .deck()
                    .cycle()
                    .skip(random.below(40))
                    .find(|&card| card != hole && makes_blackjack(up, card) == makes_blackjack(up, hole));
                swapped = true;
            }
            if here.round_just_ended() {
                break;
            }
        }
    }
    assert!(pairs > 150 || std::env::var("HOLECARD_SEED").is_ok(), "only {pairs} pairs came to the reveal");
}
