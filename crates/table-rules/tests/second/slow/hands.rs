//! What a few cards are, in the plainest words: totals, pairs, suits, sequences. No paytable is known here.

use table_rules::card::{Card, Rank};

/// The best total: aces count 11 unless that goes over 21 (3.E(3)). Tries every number of aces counted as 11.
pub(crate) fn total(cards: &[Card]) -> u8 {
    let all = every_total(cards);
    let within = all.iter().copied().filter(|sum| *sum <= 21).max();
    match within {
        Some(best) => best,
        None => all.into_iter().min().expect("there is always a total"),
    }
}

/// Every total that counting each ace as 1 or as 11 can give.
pub(crate) fn every_total(cards: &[Card]) -> Vec<u8> {
    let mut sums = vec![0];
    for card in cards {
        let values: &[u8] = match card.rank() {
            Rank::Ace => &[1, 11],
            Rank::Two => &[2],
            Rank::Three => &[3],
            Rank::Four => &[4],
            Rank::Five => &[5],
            Rank::Six => &[6],
            Rank::Seven => &[7],
            Rank::Eight => &[8],
            Rank::Nine => &[9],
            Rank::Ten | Rank::Jack | Rank::Queen | Rank::King => &[10],
        };
        sums = sums.iter().flat_map(|sum| values.iter().map(move |value| sum + value)).collect();
    }
    sums
}

/// A card worth ten: 10, jack, queen, king.
pub(crate) fn counts_ten(card: Card) -> bool {
    [Rank::Ten, Rank::Jack, Rank::Queen, Rank::King].contains(&card.rank())
}

/// An ace and a ten-value card (1.B).
pub(crate) fn is_blackjack(two: &[Card; 2]) -> bool {
    let aces = two.iter().filter(|card| card.rank() == Rank::Ace).count();
    let tens = two.iter().filter(|card| counts_ten(**card)).count();
    aces == 1 && tens == 1
}

pub(crate) fn same_rank(cards: &[Card]) -> bool {
    cards.iter().all(|card| card.rank() == cards[0].rank())
}

pub(crate) fn same_suit(cards: &[Card]) -> bool {
    cards.iter().all(|card| card.suit() == cards[0].suit())
}

pub(crate) fn all_red(cards: &[Card]) -> bool {
    cards.iter().all(|card| card.suit().is_red())
}

pub(crate) fn all_black(cards: &[Card]) -> bool {
    cards.iter().all(|card| !card.suit().is_red())
}

pub(crate) fn same_color(cards: &[Card]) -> bool {
    all_red(cards) || all_black(cards)
}

/// A king and a queen of one suit, in either order (1.B(15)).
pub(crate) fn is_royal_match(two: [Card; 2]) -> bool {
    let mut ranks = [two[0].rank(), two[1].rank()];
    ranks.sort();
    same_suit(&two) && ranks == [Rank::Queen, Rank::King]
}

/// The sorted ranks of these cards, so that a combination can be compared with a written list.
pub(crate) fn sorted_ranks(cards: &[Card]) -> Vec<Rank> {
    let mut ranks: Vec<Rank> = cards.iter().map(|card| card.rank()).collect();
    ranks.sort();
    ranks
}

/// How many cards share a rank, largest group first: `[2, 1, 1]` is a pair among four cards.
pub(crate) fn groups(cards: &[Card]) -> Vec<usize> {
    let mut sizes: Vec<usize> = Rank::ALL
        .into_iter()
        .map(|rank| cards.iter().filter(|card| card.rank() == rank).count())
        .filter(|size| *size > 0)
        .collect();
    sizes.sort();
    sizes.reverse();
    sizes
}

/// The cards of the rank that occurs most often.
pub(crate) fn largest_group(cards: &[Card]) -> Vec<Card> {
    let mut best: Vec<Card> = Vec::new();
    for rank in Rank::ALL {
        let group: Vec<Card> = cards.iter().copied().filter(|card| card.rank() == rank).collect();
        if group.len() > best.len() {
            best = group;
        }
    }
    best
}
