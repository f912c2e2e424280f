//! Small questions about cards that several wagers ask.

use crate::card::{Card, Rank};

/// Two cards with an ace counted 11; a pair of aces is 12.
#[inline]
pub(super) fn two_card_total(cards: [Card; 2]) -> u8 {
    let points = cards[0].points() + cards[1].points();
    if cards[0].rank().is_ace() || cards[1].rank().is_ace() { points + 10 } else { points }
}

/// An ace and a ten-value card. Whether it counts as a blackjack depends on how it came about.
#[inline]
pub(super) fn is_ace_and_ten([a, b]: [Card; 2]) -> bool {
    (a.rank().is_ace() && b.rank().is_ten_value()) || (b.rank().is_ace() && a.rank().is_ten_value())
}

#[inline]
pub(super) fn is_suited([a, b]: [Card; 2]) -> bool {
    a.suit() == b.suit()
}

#[inline]
pub(super) fn is_pair([a, b]: [Card; 2]) -> bool {
    a.rank() == b.rank()
}

/// A king and a queen of one suit.
#[inline]
pub(super) fn is_royal_match([a, b]: [Card; 2]) -> bool {
    a.suit() == b.suit() && matches!((a.rank(), b.rank()), (Rank::King, Rank::Queen) | (Rank::Queen, Rank::King))
}

/// The best total of a hand: an ace counts 11 where that does not bust it.
#[inline]
pub(super) fn hand_total(hand: &[Card]) -> u8 {
    let mut points = 0_u8;
    let mut ace = false;
    for card in hand {
        points = points.saturating_add(card.points());
        ace |= card.rank().is_ace();
    }
    if ace && points <= 11 { points + 10 } else { points }
}

/// A hand of exactly an ace and a ten-value card.
#[inline]
pub(super) fn is_blackjack_hand(hand: &[Card]) -> bool {
    matches!(hand, &[a, b] if is_ace_and_ten([a, b]))
}

#[inline]
pub(super) fn all_one_suit<const N: usize>(cards: [Card; N]) -> bool {
    cards.iter().all(|card| card.suit() == cards[0].suit())
}

#[inline]
pub(super) fn all_one_color<const N: usize>(cards: [Card; N]) -> bool {
    cards.iter().all(|card| card.suit().is_red() == cards[0].suit().is_red())
}

#[cfg(test)]
pub(super) fn cards<const N: usize>(text: &str) -> [Card; N] {
    let cards: Vec<Card> = text.split(' ').map(|card| card.parse().unwrap()).collect();
    cards.try_into().unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_count_the_ace_as_the_game_does() {
        assert_eq!(two_card_total(cards("Ah 9c")), 20);
        assert_eq!(two_card_total(cards("Ah Ac")), 12);
        assert_eq!(hand_total(&cards::<3>("Ah 9c Ad")), 21);
        assert_eq!(hand_total(&cards::<3>("Kh 9c Ad")), 20);
        assert_eq!(hand_total(&cards::<3>("Kh 9c 4d")), 23);
    }

    #[test]
    fn blackjacks_have_two_cards() {
        assert!(is_blackjack_hand(&cards::<2>("Ts Ad")));
        assert!(!is_blackjack_hand(&cards::<2>("9s Ad")));
        assert!(!is_blackjack_hand(&cards::<3>("5s 5d As")));
    }
}
