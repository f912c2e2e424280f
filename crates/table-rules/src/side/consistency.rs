//! What holds for every side wager: a verdict once given stands, what is won can be priced, what is cited exists.

use std::collections::BTreeSet;

use super::table::{MeterStart, Paytable};
use super::visible::{Moment, Reader, Verdict, Visible};
use super::{Answers, OfferContext, OfferedWager, all_tables, check_offer};
use crate::card::Card;
use crate::game::Game;
use crate::money::Cents;
use crate::wager::WagerId;

fn every_offer() -> Vec<(Game, OfferedWager)> {
    let offer = |table: &Paytable| {
        let decks = (1..=8).rev().find(|decks| table.decks.allow(*decks)).unwrap();
        let switch = table.wager == WagerId::SuperMatch;
        check_offer(OfferContext { game: table.game, decks, switch }, table.wager, &Answers::least(table)).unwrap()
    };
    let games = all_tables().iter().flat_map(|tables| &tables.games);
    games.flat_map(|game| game.tables.iter().map(|table| (game.game, offer(table)))).collect()
}

/// Deals that differ from each other in every card, the same ones in every run.
fn deals(game: Game, count: usize) -> impl Iterator<Item = [Card; 10]> {
    let deck: Vec<Card> = game.deck().collect();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 40).unwrap()
    };
    (0..count).map(move |_| std::array::from_fn(|_| deck[draw() % deck.len()]))
}

/// The sights of one deal, moment by moment, for a dealer who draws to 17.
fn sights(game: Game, cards: &[Card; 10]) -> Vec<Visible<'_>> {
    let [a, b, c, d, up, hole, ..] = *cards;
    let ace_and_ten = super::hands::is_ace_and_ten([up, hole]);
    let asked = up.rank().is_ace() || (up.rank().is_ten_value() && game.plays_with(up.rank()));
    let answer = match (asked, ace_and_ten) {
        (false, _) => Reader::NotAsked,
        (true, true) => Reader::Yes,
        (true, false) => Reader::No,
    };
    let drawn = (6..10).find(|end| super::hands::hand_total(&cards[4..*end]) >= 17).unwrap_or(10);
    let mut visible =
        Visible { second: Some([c, d]), stake: Some(Cents(500)), ..Visible::first_cards(game, [a, b], up) };
    visible.reader = if asked { Reader::Waiting } else { Reader::NotAsked };
    visible.first_hand_total = Some(super::hands::two_card_total([a, b]));
    let first = visible;
    let after_reader = Visible { moment: Moment::AfterReader, reader: answer, ..first };
    let reveal = Visible { moment: Moment::Reveal, hole: Some(hole), ..after_reader };
    let complete = Visible { moment: Moment::DealerComplete, dealer_hand: Some(&cards[4..drawn]), ..reveal };
    vec![first, after_reader, reveal, complete, Visible { moment: Moment::TurnToBePaid, ..complete }]
}

#[test]
fn a_verdict_once_given_stands_and_comes_at_a_named_moment() {
    for (game, offer) in every_offer() {
        for cards in deals(game, 3_000) {
            let mut settled = None;
            for visible in sights(game, &cards) {
                let verdict = offer.evaluate(&visible);
                match settled {
                    None if verdict == Verdict::NotYet => continue,
                    None => settled = Some((verdict, visible.moment)),
                    Some((earlier, _)) => assert_eq!(verdict, earlier, "{} {cards:?}", offer.id()),
                }
                if let Verdict::Won { line, second } = verdict {
                    for line in [Some(line), second].into_iter().flatten() {
                        assert_eq!(*offer.pay(line, None).key, offer.line_key(line));
                    }
                }
            }
            let (_, moment) = settled.unwrap();
            // Super 4 under a low up card is lost at once: the reader is not asked.
            let early = offer.id() == WagerId::Super4 && moment == Moment::FirstCards;
            assert!(early || offer.moments().contains(&moment), "{} at {moment:?}", offer.id());
        }
    }
}

#[test]
fn nothing_before_the_reveal_depends_on_the_hole_card() {
    for (game, offer) in every_offer() {
        for mut cards in deals(game, 500) {
            let answers = |cards: &[Card; 10]| {
                let sights = sights(game, cards);
                (sights[1].reader, [offer.evaluate(&sights[0]), offer.evaluate(&sights[1])])
            };
            let before = answers(&cards);
            for hole in game.deck() {
                cards[5] = hole;
                let after = answers(&cards);
                assert_eq!(before.1[0], after.1[0]);
                assert!(before.0 != after.0 || before.1 == after.1, "{} {cards:?}", offer.id());
            }
        }
    }
}

#[test]
fn every_clause_that_the_paytables_cite_is_in_the_documents() {
    let ids: BTreeSet<(&str, &str)> =
        include_str!("../../clauses/ids.txt").lines().filter_map(|line| line.split_once('\t')).collect();
    for tables in all_tables() {
        for game in &tables.games {
            let mut cited = vec![game.clause];
            for table in &game.tables {
                cited.push(table.clause);
                cited.extend(table.decks_clause);
                cited.extend(table.stakes.as_ref().map(|(_, clause)| *clause));
                cited.extend(table.prize.map(|(_, clause)| clause));
                cited.extend(table.rows.iter().map(|row| row.clause));
                for meter in &table.meters {
                    cited.push(meter.rate_clause);
                    match meter.start {
                        MeterStart::Seed { clause, unseeded, beside_unseeded, .. } => {
                            cited.extend([Some(clause), unseeded, beside_unseeded].into_iter().flatten());
                        }
                        MeterStart::ResetAndCeiling(pairs) => cited.extend(pairs.map(|pair| pair.clause)),
                    }
                }
            }
            for community in &game.communities {
                cited.push(community.clause);
                cited.extend(community.rows.iter().map(|row| row.clause));
            }
            for clause in cited {
                assert!(ids.contains(&(game.game.id(), clause)), "{}: {} {clause}", tables.wager, game.game);
            }
        }
    }
}
