//! The cards in play: shuffled one card at a time as they are drawn, which is the same as shuffling all of them first.

use table_rules::card::{Card, Rank, Suit};
use table_rules::table::Table;

use super::rng::Rng;

/// The cover card leaves at most three quarters of the stack to deal (5.E(2), S1).
pub const PENETRATION_MAX: u16 = 750;

/// When the cards are shuffled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShoeUse {
    EveryRound,
    /// The cover card lies after this many thousandths of the stack; the round it appears in is the last.
    ToCover {
        thousandths: u16,
    },
}

/// A double shoe may have sixteen decks, which are 832 cards.
const CARDS_MAX: usize = 1024;

/// One table's cards.
#[derive(Clone, Debug)]
pub struct Stack {
    /// The first `len` of them. A fixed number, so that a place is found without asking whether it is there.
    cards: [Card; CARDS_MAX],
    len: usize,
    drawn: usize,
    /// Where the cards of the round in play begin; those before are discards.
    round_start: usize,
    /// How many cards lie before the cover card, where one is used.
    cover: Option<usize>,
    cover_seen: bool,
    /// Up to here nothing but a card can come: to the cover card or to the end, whichever is nearer.
    plain_until: usize,
}

impl Stack {
    /// What a round is dealt from: one side of a double shoe.
    pub fn new(table: &Table, shoe_use: ShoeUse) -> Self {
        let decks = table.variation.decks_dealt_from(table.decks);
        Self::of((0..decks).flat_map(|_| table.game.deck()).collect(), shoe_use)
    }

    /// Any cards, at most 1,024: a stack rich in what a test wants to see often.
    pub fn of(stacked: Vec<Card>, shoe_use: ShoeUse) -> Self {
        let len = stacked.len();
        assert!(len <= CARDS_MAX, "a stack holds at most {CARDS_MAX} cards, not {len}");
        let mut cards = [Card::new(Rank::Ace, Suit::Clubs); CARDS_MAX];
        cards[..len].copy_from_slice(&stacked);
        let cover = match shoe_use {
            ShoeUse::EveryRound => None,
            ShoeUse::ToCover { thousandths } => Some(len * usize::from(thousandths) / 1000),
        };
        let mut stack = Self { cards, len, drawn: 0, round_start: 0, cover, cover_seen: false, plain_until: 0 };
        stack.look_ahead();
        stack
    }

    fn look_ahead(&mut self) {
        let cover = self.cover.filter(|_| !self.cover_seen).unwrap_or(usize::MAX);
        self.plain_until = self.len.min(cover);
    }

    pub fn begin_round(&mut self) {
        if self.cover.is_none() || self.cover_seen {
            self.drawn = 0;
            self.cover_seen = false;
            self.look_ahead();
        }
        self.round_start = self.drawn;
    }

    /// Whether the cover card comes before the next card; true once a shoe.
    pub fn cover_appears(&mut self) -> bool {
        match self.cover {
            Some(cover) if self.drawn >= cover && !self.cover_seen => {
                self.cover_seen = true;
                self.look_ahead();
                true
            }
            Some(_) | None => false,
        }
    }

    /// The next card, where nothing else can come first: nearly always. `None`: ask for the cover card, then
    /// [`Self::draw`].
    #[inline(always)]
    pub fn draw_plain(&mut self, rng: &mut Rng) -> Option<Card> {
        let at = self.drawn;
        if at >= self.plain_until {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "a stack is short")]
        let left = (self.len - at) as u32;
        let (here, chosen) = (at % CARDS_MAX, (at + rng.below(left) as usize) % CARDS_MAX);
        let card = self.cards[chosen];
        self.cards.swap(here, chosen);
        self.drawn = at + 1;
        Some(card)
    }

    /// The next card. When the stack runs out in mid-round the discards are shuffled and follow; `None` when every card
    /// lies on the table.
    #[cold]
    pub fn draw(&mut self, rng: &mut Rng) -> Option<Card> {
        if self.drawn >= self.len {
            self.take_up_discards();
        }
        let until = std::mem::replace(&mut self.plain_until, self.len);
        let card = self.draw_plain(rng);
        self.plain_until = until;
        card
    }

    /// The round's own cards move to the front, the discards behind them.
    fn take_up_discards(&mut self) {
        self.cards[..self.len].rotate_left(self.round_start);
        self.drawn = self.len - self.round_start;
        self.round_start = 0;
        self.look_ahead();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use table_rules::game::Game;

    fn stack(shoe_use: ShoeUse) -> Stack {
        Stack::new(&Table { decks: 1, ..Table::usual(Game::Blackjack) }, shoe_use)
    }

    #[test]
    fn every_card_comes_once() {
        let mut rng = Rng::new(3, 0);
        let mut stack = stack(ShoeUse::EveryRound);
        stack.begin_round();
        let mut drawn: Vec<Card> = std::iter::from_fn(|| stack.draw(&mut rng)).collect();
        drawn.sort();
        assert!(drawn.into_iter().eq(Card::deck()));
    }

    #[test]
    fn the_cover_card_appears_once_and_the_next_round_is_shuffled() {
        let mut rng = Rng::new(3, 0);
        let mut stack = stack(ShoeUse::ToCover { thousandths: 500 });
        stack.begin_round();
        for _ in 0..26 {
            assert!(!stack.cover_appears());
            stack.draw(&mut rng);
        }
        assert!(stack.cover_appears());
        assert!(!stack.cover_appears());
        stack.draw(&mut rng);
        stack.begin_round();
        assert_eq!((stack.drawn, stack.cover_seen), (0, false));
    }

    #[test]
    fn a_round_that_uses_up_the_stack_goes_on_with_the_discards() {
        let mut rng = Rng::new(3, 0);
        let mut stack = stack(ShoeUse::ToCover { thousandths: 750 });
        stack.begin_round();
        let discards: Vec<Card> = (0..30).filter_map(|_| stack.draw(&mut rng)).collect();
        stack.begin_round();
        let on_the_table: Vec<Card> = (0..22).filter_map(|_| stack.draw(&mut rng)).collect();
        let mut again: Vec<Card> = std::iter::from_fn(|| stack.draw(&mut rng)).collect();
        assert_eq!((on_the_table.len(), again.len()), (22, 30));
        again.sort();
        let mut discards = discards;
        discards.sort();
        assert_eq!(again, discards);
    }
}
