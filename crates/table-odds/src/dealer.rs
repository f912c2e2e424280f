//! The dealer's final hand, exactly: every order in which the dealer's cards can come from a fresh shoe.
//!
//! Players' cards need no place here. They stop drawing by what they have seen, never by what is to come, so the dealer's
//! cards have the same chances as the first cards of the shoe.

use num_bigint::BigUint;
use table_rules::card::Card;
use table_rules::table::Soft17;

use crate::fraction::Fraction;
use crate::shoe::{Shoe, VALUES, ValueCounts, card_of, falling};

/// The longest hand a dealer can reach: seven aces hit as soft 17, a five makes hard 12, five more aces make 17.
pub const DEALER_CARDS_MAX: usize = 13;

/// How a dealer's hand ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ending {
    Blackjack,
    /// 17 to 21, in any number of cards that is not a blackjack.
    Stood(u8),
    Bust,
}

impl Ending {
    pub const ALL: [Self; 7] = [
        Self::Blackjack,
        Self::Stood(17),
        Self::Stood(18),
        Self::Stood(19),
        Self::Stood(20),
        Self::Stood(21),
        Self::Bust,
    ];

    fn index(self) -> usize {
        match self {
            Self::Blackjack => 0,
            Self::Stood(total) => usize::from(total) - 16,
            Self::Bust => 6,
        }
    }
}

/// What is known about the dealer's cards before they are counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Known {
    Nothing,
    /// The up card's point value, ace 0 to ten-value 9.
    UpCard(usize),
    /// The up card's point value, and the reader's "no".
    UpCardNoBlackjack(usize),
}

/// The chances of each ending and number of cards, over one common denominator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DealerOdds {
    /// By ending and number of cards.
    ways: [[BigUint; DEALER_CARDS_MAX + 1]; 7],
    /// All the ways there are, given what is known.
    all: BigUint,
}

impl DealerOdds {
    pub fn of(shoe: Shoe, soft17: Soft17, known: Known) -> Self {
        let mut by_length = [[0_u128; DEALER_CARDS_MAX + 1]; 7];
        let mut counts = shoe.value_counts();
        let mut dealer = DrawnHand::new(soft17);
        let up_ways = match known {
            Known::Nothing => 1,
            Known::UpCard(up) | Known::UpCardNoBlackjack(up) => {
                dealer.push(up);
                u128::from(counts.take(up))
            }
        };
        let no_blackjack = matches!(known, Known::UpCardNoBlackjack(_));
        visit(&mut counts, &mut dealer, up_ways, &mut |hand, ways| {
            let ending = hand.ending();
            if !(no_blackjack && ending == Ending::Blackjack) {
                by_length[ending.index()][hand.values().len()] += ways;
            }
        });
        let ways = by_length.map(|lengths| {
            let mut wide = [const { BigUint::ZERO }; DEALER_CARDS_MAX + 1];
            for (length, ways) in lengths.into_iter().enumerate() {
                wide[length] = to_common(shoe, length, ways);
            }
            wide
        });
        let all = ways.iter().flatten().sum();
        Self { ways, all }
    }

    pub fn probability(&self, ending: Ending, cards: usize) -> Fraction {
        let ways = self.ways[ending.index()].get(cards).cloned().unwrap_or_default();
        Fraction::new(ways, self.all.clone())
    }

    /// Over all numbers of cards.
    pub fn ending(&self, ending: Ending) -> Fraction {
        let ways: BigUint = self.ways[ending.index()].iter().sum();
        Fraction::new(ways, self.all.clone())
    }

    /// All counted ways; from a fresh shoe with nothing known, every order of the longest hand's cards.
    pub fn all_ways(&self) -> &BigUint {
        &self.all
    }
}

/// Ways to draw `length` cards, raised to the orders of the longest hand: the cards that would follow may be any.
fn to_common(shoe: Shoe, length: usize, ways: u128) -> BigUint {
    BigUint::from(ways) * falling(shoe.cards() - length, DEALER_CARDS_MAX - length)
}

/// A dealer's hand while the recursion builds it, by point values.
#[derive(Clone, Copy, Debug)]
pub struct DrawnHand {
    values: [usize; DEALER_CARDS_MAX],
    len: usize,
    /// With every ace as 1.
    hard: usize,
    aces: usize,
    soft17: Soft17,
}

impl DrawnHand {
    pub fn new(soft17: Soft17) -> Self {
        Self { values: [0; DEALER_CARDS_MAX], len: 0, hard: 0, aces: 0, soft17 }
    }

    pub fn push(&mut self, value: usize) {
        self.values[self.len] = value;
        self.len += 1;
        self.hard += value + 1;
        self.aces += usize::from(value == 0);
    }

    pub fn pop(&mut self) {
        self.len -= 1;
        let value = self.values[self.len];
        self.hard -= value + 1;
        self.aces -= usize::from(value == 0);
    }

    /// The point values in the order they came, the up card first.
    pub fn values(&self) -> &[usize] {
        &self.values[..self.len]
    }

    /// The same hand in cards, for a wager that looks at points and numbers of cards alone.
    pub fn cards(&self) -> impl Iterator<Item = Card> + '_ {
        self.values().iter().map(|value| card_of(*value))
    }

    fn is_complete(&self) -> bool {
        if self.len < 2 {
            return false;
        }
        let soft = self.aces > 0 && self.hard <= 11;
        let total = if soft { self.hard + 10 } else { self.hard };
        let hits_soft_17 = soft && total == 17 && self.soft17 == Soft17::Hits;
        total >= 17 && !hits_soft_17
    }

    /// Only for a complete hand.
    pub fn ending(&self) -> Ending {
        let soft = self.aces > 0 && self.hard <= 11;
        let total = if soft { self.hard + 10 } else { self.hard };
        match u8::try_from(total) {
            Ok(21) if self.len == 2 => Ending::Blackjack,
            Ok(total) if total <= 21 => Ending::Stood(total),
            Ok(_) | Err(_) => Ending::Bust,
        }
    }
}

/// Calls `each` once for every final hand, with the number of ways to draw it in that order.
pub fn visit(counts: &mut ValueCounts, hand: &mut DrawnHand, ways: u128, each: &mut impl FnMut(&DrawnHand, u128)) {
    if hand.is_complete() {
        each(hand, ways);
        return;
    }
    for value in 0..VALUES {
        let there = counts.of(value);
        if there == 0 {
            continue;
        }
        counts.take(value);
        hand.push(value);
        visit(counts, hand, ways * u128::from(there), each);
        hand.pop();
        counts.put_back(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use table_rules::game::Game;

    fn shoe(decks: u8) -> Shoe {
        Shoe::new(Game::Blackjack, decks).unwrap()
    }

    /// The same question asked another way: one card at a time, each hand's chance as a fraction of its own.
    fn slow(
        left: &mut [u64; VALUES],
        cards: &mut Vec<usize>,
        chance: &Fraction,
        soft17: Soft17,
        sums: &mut [Fraction; 7],
    ) {
        let hard: usize = cards.iter().map(|value| value + 1).sum();
        let total = if cards.contains(&0) && hard + 10 <= 21 { hard + 10 } else { hard };
        let soft_17 = total == 17 && total != hard;
        if cards.len() >= 2 && (total > 17 || (total == 17 && !(soft_17 && soft17 == Soft17::Hits))) {
            let place = match (total, cards.len()) {
                (21, 2) => 0,
                (22.., _) => 6,
                (total, _) => total - 16,
            };
            sums[place] = &sums[place] + chance;
            return;
        }
        let all: u64 = left.iter().sum();
        for value in 0..VALUES {
            if left[value] == 0 {
                continue;
            }
            let next = chance * &Fraction::new(left[value], all);
            left[value] -= 1;
            cards.push(value);
            slow(left, cards, &next, soft17, sums);
            cards.pop();
            left[value] += 1;
        }
    }

    #[test]
    fn one_deck_agrees_with_a_card_by_card_reckoning() {
        // A six up, where both rules of soft 17 and long hands come up; and an ace up.
        for (up, soft17) in [(5, Soft17::Stands), (5, Soft17::Hits), (0, Soft17::Hits)] {
            let mut left = [4, 4, 4, 4, 4, 4, 4, 4, 4, 16];
            left[up] -= 1;
            let mut sums = std::array::from_fn(|_| Fraction::zero());
            slow(&mut left, &mut vec![up], &Fraction::one(), soft17, &mut sums);
            let odds = DealerOdds::of(shoe(1), soft17, Known::UpCard(up));
            for (ending, expected) in Ending::ALL.into_iter().zip(&sums) {
                assert_eq!(odds.ending(ending), *expected, "{ending:?}");
            }
        }
    }

    #[test]
    fn every_order_of_the_shoe_is_counted_once() {
        for game in Game::ALL {
            for decks in [1, 6, 8] {
                for soft17 in [Soft17::Stands, Soft17::Hits] {
                    let shoe = Shoe::new(game, decks).unwrap();
                    let odds = DealerOdds::of(shoe, soft17, Known::Nothing);
                    assert_eq!(*odds.all_ways(), shoe.orders(13), "{game} {decks} {soft17:?}");
                }
            }
        }
    }

    #[test]
    fn a_dealer_blackjack_is_an_ace_with_a_ten_value_card() {
        let odds = DealerOdds::of(shoe(6), Soft17::Stands, Known::Nothing);
        assert_eq!(odds.ending(Ending::Blackjack), Fraction::new(2 * 24 * 96, 312_u32 * 311));
        let ace_up = DealerOdds::of(shoe(6), Soft17::Stands, Known::UpCard(0));
        assert_eq!(ace_up.ending(Ending::Blackjack), Fraction::new(96, 311_u32));
    }

    #[test]
    fn the_readers_no_takes_out_the_blackjacks_and_nothing_else() {
        for up in [0, 9] {
            let all = DealerOdds::of(shoe(2), Soft17::Hits, Known::UpCard(up));
            let no = DealerOdds::of(shoe(2), Soft17::Hits, Known::UpCardNoBlackjack(up));
            assert!(no.ending(Ending::Blackjack).is_zero());
            let rest = &Fraction::one() - &all.ending(Ending::Blackjack);
            for ending in Ending::ALL.into_iter().skip(1) {
                assert_eq!(&no.ending(ending) * &rest, all.ending(ending));
            }
        }
    }

    #[test]
    fn the_up_cards_together_are_the_whole_shoe() {
        let whole = DealerOdds::of(shoe(6), Soft17::Hits, Known::Nothing);
        let counts = shoe(6).value_counts();
        for ending in Ending::ALL {
            let mut sum = Fraction::zero();
            for up in 0..VALUES {
                let given = DealerOdds::of(shoe(6), Soft17::Hits, Known::UpCard(up)).ending(ending);
                sum = &sum + &(&given * &Fraction::new(counts.of(up), counts.total()));
            }
            assert_eq!(whole.ending(ending), sum, "{ending:?}");
        }
    }
}
