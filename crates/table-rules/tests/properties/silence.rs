//! Law 3: before the reveal, nothing that comes out of the engine depends on the hole card.
//!
//! Two tables get the same cards, the same decisions and the same reader's answers; only the card that lies face down
//! differs. Everything the engine says or holds is compared byte for byte until that card is turned.

use table_rules::Game;
use table_rules::input::{Drawn, Input};
use table_rules::prompt::Order;
use table_rules::table::Tracking;

use crate::driver::makes_blackjack;
use crate::random::{Random, seeds, single_seed};
use crate::session::Session;
use crate::tables::{any_table_of, any_table_with_wagers};

/// All that can be seen of a table after an input, and all that it holds inside.
fn everything(session: &Session) -> String {
    let engine = &session.engine;
    format!("{:?}\n{:?}\n{:?}\n{engine:?}", session.last_events(), engine.prompt(), engine.view())
}

#[test]
fn rounds_that_differ_only_in_the_hole_card_look_the_same_until_it_is_turned() {
    let (mut pairs, mut with_wagers) = (0, 0);
    for seed in seeds("silence", 400) {
        let mut random = Random::new(seed ^ 0x51);
        // Every third table offers all the side wagers of its game: some wait for the hole card.
        let table = match seed % 3 {
            0 => any_table_with_wagers(&mut random),
            _ => any_table_of(random.pick(&Game::ALL), &mut random),
        };
        let session = || Session::with("silence", seed, table.clone(), Tracking::Cards, Random::new(seed));
        let (mut here, mut there) = (session(), session());
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
                with_wagers += usize::from(!here.table.wagers.is_empty());
                break;
            }
            assert_eq!(input, same, "the same answers lead to the same play");
            there.apply(&same);
            assert_eq!(everything(&here), everything(&there));
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
    assert!(pairs > 150 || single_seed(), "only {pairs} pairs came to the reveal");
    assert!(with_wagers > 40 || single_seed(), "only {with_wagers} of them with side wagers");
}
