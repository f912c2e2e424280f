//! The dealer's final hands, by up card, against the exact recursion.

use table_odds::dealer::{DealerOdds, Ending, Known};
use table_odds::shoe::{Shoe, VALUES, value_of};
use table_odds::simulate::{Player, Settings, ShoeUse, run_observed};
use table_odds::strategy::{Open, Play, UpCard};
use table_rules::event::{Event, Place};
use table_rules::hand::Hand;
use table_rules::input::Drawn;
use table_rules::money::Cents;
use table_rules::table::Table;

use super::assert_count;

const ROUNDS: u64 = 120_000;
/// So many standing seats that the dealer always has a hand to play against: all of them holding a blackjack is a
/// matter of one round in millions.
const SEATS: u8 = 5;

struct Stands;

impl Player for Stands {
    fn decide(&self, _: &Hand, _: UpCard, _: bool, _: Open) -> Play {
        Play::Stand
    }

    fn decide_doubled(&self, _: &Hand, _: UpCard, _: u8, _: bool) -> Play {
        Play::Stand
    }
}

pub(crate) fn check(table: &Table) {
    let settings = Settings {
        rounds: ROUNDS,
        seed: 17,
        seats: SEATS,
        stake: Cents::dollars(1),
        threads: 1,
        shoe_use: ShoeUse::EveryRound,
    };
    let mut counts = [[0_u64; Ending::ALL.len()]; VALUES];
    let mut unplayed = 0;
    run_observed(table, &Stands, &settings, &mut |events| match dealer_of(events) {
        Some((up, ending)) => counts[up][place_of(ending)] += 1,
        None => unplayed += 1,
    })
    .unwrap();
    assert!(unplayed <= 3, "{unplayed} rounds without a dealer's hand are too many");
    let shoe = Shoe::new(table.game, table.decks).unwrap();
    for (up, row) in counts.iter().enumerate() {
        let trials = row.iter().sum();
        assert!(trials > 5_000, "up card {up}");
        let exact = DealerOdds::of(shoe, table.soft_17, Known::UpCard(up));
        for (ending, &count) in Ending::ALL.into_iter().zip(row) {
            let chance = exact.ending(ending).to_float();
            let what = format!("{} {:?}: up card {}, {ending:?}", table.game, table.soft_17, up + 1);
            if chance == 0.0 {
                assert_eq!(count, 0, "{what}");
            } else {
                // Some 240 comparisons: four sigmas are passed by chance in one of a hundred seeds.
                assert_count(&what, count, trials, chance, 4.0);
            }
        }
    }
}

fn place_of(ending: Ending) -> usize {
    Ending::ALL.iter().position(|&each| each == ending).unwrap()
}

/// The up card's value and how the hand ended, from a round's events; none where the dealer did not have to play.
fn dealer_of(events: &[Event]) -> Option<(usize, Ending)> {
    let mut up = None;
    let mut cards = 0;
    let mut last_total = 0;
    for event in events {
        if let Event::CardDealt { to: Place::Dealer, card: Drawn::FaceUp(card), total, .. } = *event {
            up = up.or(Some(value_of(card)));
            cards += 1;
            last_total = total;
        } else if let Event::HoleCardRevealed { total, .. } = *event {
            cards += 1;
            last_total = total;
        } else if let Event::DealerMayNotDraw { .. } = *event {
            return None;
        }
    }
    let ending = match (last_total, cards) {
        (21, 2) => Ending::Blackjack,
        (22.., _) => Ending::Bust,
        (total, _) => Ending::Stood(total),
    };
    Some((up?, ending))
}
