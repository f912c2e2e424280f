//! A hand of cards and its point count (Chapter 1: hard and soft totals; Chapter 3: values).

use crate::card::{Card, Rank, Suit};

/// No hand can be longer: twenty-one aces make 21, and a hand at 21 or more takes no card.
pub const HAND_CARDS_MAX: usize = 22;

/// The cards of one hand in the order they came, some of them perhaps face down, with a running count.
///
/// In this order, with the cards at an odd place: where four of them lie in a word, the compiler reads the whole word to
/// get at one, and has to wait for a card that was just written.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Hand {
    /// One bit for each card that lies face down (10.C, 12.B): its identity is not in `cards`.
    down: u32,
    len: u8,
    cards: [Card; HAND_CARDS_MAX],
    count: Count,
}

/// Stands in the array where no card is known; never shown.
const BLANK: Card = Card::new(Rank::Ace, Suit::Clubs);

/// The sum of the face-up cards with every ace as 1, and in the highest bit whether there is an ace. What follows from
/// it is read from tables: cards are as random as anything can be, so that a branch on them costs more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Count(u8);

/// The best point count, and in the highest bit whether an ace is counted as 11 in it.
#[derive(Clone, Copy)]
struct Total(u8);

const ACE: u8 = 0x80;

/// Points and ace bit of a card.
#[inline]
const fn values(card: Card) -> [u8; 2] {
    // By card index; none above 51 is ever used, but a byte finds its place without a question.
    static VALUES: [[u8; 2]; 256] = {
        let mut values = [[0; 2]; 256];
        let mut at = 0;
        while let Some(card) = Card::from_index(at) {
            values[at as usize] = [card.points(), if card.rank().is_ace() { ACE } else { 0 }];
            at += 1;
        }
        values
    };
    VALUES[card.index() as usize]
}

impl Count {
    const NONE: Self = Self(0);
    const ACE_AND_TEN: Self = Self(ACE | 11);

    #[inline]
    const fn plus(self, card: Card) -> Self {
        let [points, ace] = values(card);
        Self((self.0 + points) | ace)
    }

    #[inline]
    const fn hard(self) -> u8 {
        self.0 & !ACE
    }

    #[inline]
    const fn total(self) -> Total {
        const TOTALS: [u8; 256] = {
            let mut totals = [0; 256];
            let mut at = 0;
            while at < 128 {
                totals[at as usize] = at;
                totals[(at | ACE) as usize] = if at <= 11 { (at + 10) | ACE } else { at };
                at += 1;
            }
            totals
        };
        Total(TOTALS[self.0 as usize])
    }
}

impl Total {
    #[inline]
    const fn points(self) -> u8 {
        self.0 & !ACE
    }

    #[inline]
    const fn is_soft(self) -> bool {
        self.0 & ACE != 0
    }
}

impl Hand {
    pub const EMPTY: Self = Self { cards: [BLANK; HAND_CARDS_MAX], len: 0, count: Count::NONE, down: 0 };

    /// Becomes an empty hand. What lies beyond the last card is never read.
    #[inline(always)]
    pub(crate) fn restart(&mut self) {
        self.down = 0;
        self.len = 0;
        self.count = Count::NONE;
    }

    #[inline(always)]
    pub fn push(&mut self, card: Card) {
        let at = usize::from(self.len);
        assert!(at < HAND_CARDS_MAX, "a hand at 21 or more takes no card, so none is longer than {HAND_CARDS_MAX}");
        self.cards[at] = card;
        self.len += 1;
        self.count = self.count.plus(card);
    }

    /// Adds a card that lies face down.
    pub fn push_down(&mut self) {
        let at = usize::from(self.len);
        assert!(at < HAND_CARDS_MAX, "a hand takes no more than {HAND_CARDS_MAX} cards");
        self.cards[at] = BLANK;
        self.down |= 1 << self.len;
        self.len += 1;
    }

    /// Turns the first face-down card. False when none lies face down.
    pub fn turn(&mut self, card: Card) -> bool {
        if self.down == 0 {
            return false;
        }
        let at = self.down.trailing_zeros();
        self.down &= !(1 << at);
        self.cards[at as usize] = card;
        self.count = self.count.plus(card);
        true
    }

    /// The cards that lie open, in order, up to the first that does not: in the usual case, all of them. A card that lies face
    /// down is never given out as some card.
    #[inline]
    pub fn cards(&self) -> &[Card] {
        // Where none lies face down, the lowest bit is beyond any hand.
        let open = usize::from(self.len).min(self.down.trailing_zeros() as usize);
        &self.cards[..open]
    }

    /// What lies at each place: a card, or `None` for one that is face down.
    pub fn faces(&self) -> impl Iterator<Item = Option<Card>> + '_ {
        let all = &self.cards[..usize::from(self.len)];
        all.iter().enumerate().map(|(i, &card)| if self.down & (1 << i) == 0 { Some(card) } else { None })
    }

    #[inline]
    pub const fn len(&self) -> u8 {
        self.len
    }

    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many cards lie face down.
    #[inline]
    pub const fn cards_down(&self) -> u32 {
        self.down.count_ones()
    }

    /// The best point count: the ace is 11 unless that exceeds 21. Face-down cards do not count.
    #[inline]
    pub const fn total(&self) -> u8 {
        self.count.total().points()
    }

    /// An ace is counted as 11.
    #[inline]
    pub const fn is_soft(&self) -> bool {
        self.count.total().is_soft()
    }

    #[inline]
    pub const fn is_bust(&self) -> bool {
        self.count.hard() > 21
    }

    /// An ace and a ten-value card as two cards. Whether that is a *blackjack* also depends on the hand being original.
    #[inline]
    pub const fn is_ace_and_ten(&self) -> bool {
        (self.len == 2) & (self.down == 0) & (self.count.0 == Count::ACE_AND_TEN.0)
    }

    /// Two face-up cards of identical point value: a pair in the sense of 11.A.
    #[inline]
    pub fn is_pair_by_value(&self) -> bool {
        (self.len == 2) & (self.down == 0) & self.begins_with_pair_by_value()
    }

    /// Whether the first two cards have one point value, where both are there.
    #[inline]
    pub(crate) const fn begins_with_pair_by_value(&self) -> bool {
        (self.down & 0b11 == 0) & (values(self.cards[0])[0] == values(self.cards[1])[0])
    }

    #[inline]
    pub fn is_pair_of_aces(&self) -> bool {
        self.is_pair_by_value() && self.cards[0].rank().is_ace()
    }

    /// The same hand before its last card came.
    pub(crate) fn without_last(&self) -> Self {
        let mut before = Self::EMPTY;
        for face in self.faces().take(usize::from(self.len.saturating_sub(1))) {
            match face {
                Some(card) => before.push(card),
                None => before.push_down(),
            }
        }
        before
    }

    /// Takes the second card off for a new hand (11.A), leaving the first.
    pub(crate) fn split_off(&mut self) -> Self {
        debug_assert!(self.len == 2 && self.down == 0);
        let (first, second) = (self.cards[0], self.cards[1]);
        let mut other = Self::EMPTY;
        self.restart();
        self.push(first);
        other.push(second);
        other
    }
}

/// Two hands are equal when the same cards lie there in the same order.
impl PartialEq for Hand {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.down == other.down && self.faces().eq(other.faces())
    }
}

impl Eq for Hand {}

#[cfg(test)]
mod tests {
    use super::*;

    fn hand(text: &str) -> Hand {
        let mut hand = Hand::EMPTY;
        for card in text.split_whitespace() {
            hand.push(card.parse().unwrap());
        }
        hand
    }

    #[test]
    fn an_ace_is_eleven_unless_that_exceeds_twenty_one() {
        assert_eq!((hand("Ac 6d").total(), hand("Ac 6d").is_soft()), (17, true));
        assert_eq!((hand("Ac 6d Kh").total(), hand("Ac 6d Kh").is_soft()), (17, false));
        assert_eq!((hand("Ac Ad 9h").total(), hand("Ac Ad 9h").is_soft()), (21, true));
        assert!(hand("Kc Qd 2h").is_bust());
    }

    #[test]
    fn a_pair_is_of_value_not_of_rank() {
        assert!(hand("Kc Td").is_pair_by_value());
        assert!(!hand("Kc 9d").is_pair_by_value());
        assert!(hand("Ac Ad").is_pair_of_aces());
    }

    #[test]
    fn a_face_down_card_counts_only_once_turned() {
        let mut doubled = hand("5c 6d");
        doubled.push_down();
        assert_eq!((doubled.total(), doubled.cards_down()), (11, 1));
        assert!(doubled.turn("Kc".parse().unwrap()));
        assert_eq!((doubled.total(), doubled.cards_down()), (21, 0));
        assert!(!doubled.turn("Kc".parse().unwrap()));
    }

    #[test]
    fn a_face_down_card_is_never_given_out_as_some_card() {
        let mut doubled = hand("5c 6d");
        doubled.push_down();
        assert_eq!(doubled.cards(), hand("5c 6d").cards());
        let mut unseen = Hand::EMPTY;
        unseen.push_down();
        unseen.push("9c".parse().unwrap());
        assert!(unseen.cards().is_empty() && !unseen.begins_with_pair_by_value());
        assert!(unseen.turn("9d".parse().unwrap()));
        assert_eq!(unseen.cards(), hand("9d 9c").cards());
    }
}
