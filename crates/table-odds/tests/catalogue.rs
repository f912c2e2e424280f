//! What must hold of every table there is, and of the way evaluators are asked.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use proptest::prelude::*;

use table_odds::catalogue::{Job, jobs, legal_decks, reckoned_stakes};
use table_odds::deals::{Deal, Judgement};
use table_odds::judge::{DecidedBy, Judge};
use table_odds::par::fingerprint;
use table_odds::report::Report;
use table_odds::verdicts::Counted;
use table_odds::wager::WagerOdds;
use table_rules::card::{Card, Suit};
use table_rules::game::Game;
use table_rules::side::{OfferedWager, all_tables};
use table_rules::wager::WagerId;

#[test]
fn every_table_counts_every_deal_exactly_once() {
    let mut hashes = std::collections::HashSet::new();
    let mut counted = Counted::new();
    for job in jobs() {
        let odds = job.run(&mut counted);
        assert!(!odds.is_empty(), "{} {} has no legal shoe", job.game(), job.wager());
        for odds in odds {
            let table = match odds {
                WagerOdds::Exact(table) => table,
                WagerOdds::NeedsSimulation(unreckoned) => {
                    assert!(!unreckoned.lines.is_empty());
                    assert_eq!(unreckoned.identity.wager, WagerId::BadBeat);
                    continue;
                }
                WagerOdds::NotFromCards(unreckoned) => {
                    assert!(!unreckoned.lines.is_empty());
                    assert_eq!(unreckoned.identity.wager, WagerId::MustHit);
                    continue;
                }
            };
            assert!(table.is_complete(), "{:?}", table.identity);
            assert!(hashes.insert(fingerprint(&table)), "{:?} appears twice", table.identity);
            let report = Report::of(&table);
            assert!(report.lines.iter().all(|line| line.denominator == report.lines[0].denominator));
            let progressive = !report.meter_lines.is_empty() || report.lines.iter().any(|line| line.basis == "wheel");
            assert_eq!(report.edge.is_none(), progressive, "{:?}", table.identity);
            let numerators = report.lines.iter().map(|line| line.numerator.parse::<u128>());
            if let Ok(sum) = numerators.sum::<Result<u128, _>>() {
                assert_eq!(sum.to_string(), report.lines[0].denominator);
            }
        }
    }
}

#[test]
fn every_paytable_of_every_game_is_reckoned() {
    let reckoned = |game: Game, wager: WagerId, paytable: &str| {
        jobs().iter().filter(|job| job.game() == game && job.wager() == wager).any(|job| {
            let offers = legal_decks(game).iter().filter_map(|decks| job.offer(*decks));
            offers
                .flat_map(|offer| offer.tables().map(|table| table.table.id).collect::<Vec<_>>())
                .any(|id| id == paytable)
        })
    };
    for table in all_tables().iter().flat_map(|wager| &wager.games).flat_map(|game| &game.tables) {
        assert!(reckoned(table.game, table.wager, table.id), "{} {} {}", table.game, table.wager, table.id);
    }
}

fn offers() -> Vec<(Job, OfferedWager)> {
    let offer = |job: Job| legal_decks(job.game()).iter().find_map(|decks| job.offer(*decks)).map(|offer| (job, offer));
    jobs().into_iter().filter_map(offer).collect()
}

fn any_card() -> impl Strategy<Value = Card> {
    (0..Card::KINDS).prop_map(|index| Card::from_index(index).unwrap())
}

proptest! {
    /// The walk deals the player's two cards in one order only: no evaluator may tell them apart.
    #[test]
    fn the_order_of_the_players_cards_never_matters(cards in [any_card(), any_card(), any_card(), any_card()]) {
        let [a, b, c, d] = cards;
        for (job, offer) in offers() {
            if cards.iter().any(|card| !job.game().plays_with(card.rank())) {
                continue;
            }
            let judge = Judge::new(&offer, job.game(), reckoned_stakes(&offer)[0]);
            match judge.decided_by() {
                DecidedBy::FirstCards => {
                    for hole in [None, Some(d)] {
                        let one = judge.first_cards(Deal { first: [a, b], up: c, hole });
                        let other = judge.first_cards(Deal { first: [b, a], up: c, hole });
                        prop_assert_eq!(one, other, "{}", job.wager());
                    }
                }
                DecidedBy::TwoHands => {
                    let verdict = judge.two_hands([a, b], [c, d]);
                    prop_assert_eq!(verdict, judge.two_hands([b, a], [c, d]));
                    prop_assert_eq!(verdict, judge.two_hands([a, b], [d, c]));
                }
                DecidedBy::DealerHand | DecidedBy::DealerHandAndBlackjack | DecidedBy::Play | DecidedBy::Draw => {}
            }
        }
    }

    /// What three cards settle stays settled whatever the hole card turns out to be.
    #[test]
    fn a_verdict_without_the_hole_card_does_not_depend_on_it(cards in [any_card(), any_card(), any_card(), any_card()]) {
        let [a, b, up, hole] = cards;
        for (job, offer) in offers() {
            if cards.iter().any(|card| !job.game().plays_with(card.rank())) {
                continue;
            }
            let judge = Judge::new(&offer, job.game(), reckoned_stakes(&offer)[0]);
            if judge.decided_by() == DecidedBy::FirstCards {
                let early = judge.first_cards(Deal { first: [a, b], up, hole: None });
                let late = judge.first_cards(Deal { first: [a, b], up, hole: Some(hole) });
                prop_assert!(early == Judgement::NeedsHole || early == late, "{}: {:?} {:?}", job.wager(), early, late);
            }
        }
    }

    /// The dealer's hand is counted by point values: suits and the ranks of ten-value cards must not matter.
    #[test]
    fn only_points_of_the_dealers_hand_matter(hand in prop::collection::vec(any_card(), 2..10), blackjack: bool) {
        let plain: Vec<Card> = hand.iter().map(|card| table_odds::shoe::card_of(table_odds::shoe::value_of(*card))).collect();
        prop_assert!(plain.iter().all(|card| card.suit() == Suit::Spades));
        for (job, offer) in offers() {
            let judge = Judge::new(&offer, job.game(), reckoned_stakes(&offer)[0]);
            match judge.decided_by() {
                DecidedBy::DealerHand | DecidedBy::DealerHandAndBlackjack => {
                    prop_assert_eq!(judge.dealer_hand(&hand, blackjack), judge.dealer_hand(&plain, blackjack));
                }
                DecidedBy::FirstCards | DecidedBy::TwoHands | DecidedBy::Play | DecidedBy::Draw => {}
            }
        }
    }
}
