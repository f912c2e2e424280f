//! A box and its hands. Plain data of fixed size: no method here decides anything about the rules.

use super::state::{HANDS_MAX, SIDE_MAX};
use crate::card::{Card, Rank, Suit};
use crate::hand::Hand;
use crate::line::Stake;
use crate::side::Spin;

/// In this order, so that what a new round clears lies together.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct BoxState {
    /// What lies on each side wager; of no meaning where nothing is placed.
    pub(crate) side: [Stake; SIDE_MAX],
    pub(crate) main: Stake,
    pub(crate) insurance: Stake,
    /// Side wagers on this box, one bit each in the submission's order.
    pub(crate) side_placed: u32,
    /// Those of this round that are not settled yet, riders included.
    pub(crate) side_open: u32,
    /// Those whose unknown amount decides something (X5).
    pub(crate) side_asked: u32,
    /// Those that the reader's "no" settled (S12).
    pub(crate) side_after_reader: u32,
    pub(crate) insurance_settled: bool,
    pub(crate) switched: bool,
    /// Splits of each original hand; Switch has two.
    pub(crate) splits: [u8; 2],
    /// The first two cards as dealt: side wagers look at these whatever becomes of the hand.
    pub(crate) first: [Card; 2],
    /// Switch: the same of the second hand.
    pub(crate) second: [Card; 2],
    /// Both first cards have been seen: side wagers may look at them.
    pub(crate) first_known: bool,
    pub(crate) hand_count: u8,
    pub(crate) spin: Option<Spin>,
    pub(crate) hands: [HandState; HANDS_MAX],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct HandState {
    pub(crate) cards: Hand,
    /// All that lies on this hand.
    pub(crate) stake: Stake,
    pub(crate) last_added: Stake,
    pub(crate) doubles: u8,
    pub(crate) status: HandStatus,
    pub(crate) from_split: bool,
    /// Which of the box's original hands it came from: 0, or 1 in Switch.
    pub(crate) origin: u8,
    /// Its second card comes after everybody else's (13.N).
    pub(crate) second_late: bool,
    /// A card that it asked for comes after all others' (13.O).
    pub(crate) card_due: bool,
    /// Its main line has been drawn up.
    pub(crate) settled: bool,
    /// Where that line stands among the round's, for S12's corrections.
    pub(crate) line: u16,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HandStatus {
    Open,
    Done,
    Bust,
    /// The wager sits on the cards until the hole card is turned, or was halved at once (9.C).
    Surrendered,
    Rescued,
    /// An original ace and ten-value card.
    Blackjack,
    EvenMoney,
    /// Called dead by an irregularity's clause.
    Dead,
}

impl HandState {
    pub(crate) const EMPTY: Self = Self {
        cards: Hand::EMPTY,
        stake: Stake::NONE,
        last_added: Stake::NONE,
        doubles: 0,
        status: HandStatus::Open,
        from_split: false,
        origin: 0,
        second_late: false,
        card_due: false,
        settled: false,
        line: 0,
    };
}

impl HandState {
    /// An empty hand again. Field by field: most of a hand lies beyond its last card and is never read.
    #[inline(always)]
    fn restart(&mut self, stake: Stake, origin: u8) {
        let Self {
            cards,
            stake: lies,
            last_added,
            doubles,
            status,
            from_split,
            origin: from,
            second_late,
            card_due,
            settled,
            line,
        } = self;
        cards.restart();
        (*lies, *last_added) = (stake, Stake::NONE);
        (*doubles, *from, *line) = (0, origin, 0);
        (*status, *from_split, *second_late, *settled) = (HandStatus::Open, false, false, false);
        *card_due = false;
    }
}

/// Stands where no first card has been seen.
const BLANK: Card = Card::new(Rank::Ace, Suit::Clubs);

impl BoxState {
    pub(crate) const EMPTY: Self = Self {
        main: Stake::NONE,
        insurance: Stake::NONE,
        insurance_settled: false,
        splits: [0; 2],
        switched: false,
        hand_count: 0,
        second: [BLANK; 2],
        first: [BLANK; 2],
        first_known: false,
        spin: None,
        side_placed: 0,
        side_open: 0,
        side_asked: 0,
        side_after_reader: 0,
        side: [Stake::NONE; SIDE_MAX],
        hands: [HandState::EMPTY; HANDS_MAX],
    };

    /// Back to an empty box. Hands beyond `hand_count` and stakes of wagers that are not placed are never read, so that they
    /// need no clearing.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.main = Stake::NONE;
        self.insurance = Stake::NONE;
        self.insurance_settled = false;
        self.splits = [0; 2];
        self.switched = false;
        self.hand_count = 0;
        self.first = [BLANK; 2];
        self.second = [BLANK; 2];
        self.first_known = false;
        self.spin = None;
        self.side_placed = 0;
        self.side_open = 0;
        self.side_asked = 0;
        self.side_after_reader = 0;
    }

    #[inline]
    pub(crate) fn hands(&self) -> &[HandState] {
        &self.hands[..usize::from(self.hand_count)]
    }

    /// 12.C: whether a seven is among the first cards that were seen.
    pub(crate) fn opened_with_seven(&self) -> bool {
        self.first.iter().chain(&self.second).any(|card| card.rank() == Rank::Seven)
    }

    /// Opens the next hand of a wagered box.
    #[inline]
    pub(crate) fn open_hand(&mut self) {
        let at = usize::from(self.hand_count);
        self.hands[at].restart(self.main, self.hand_count);
        self.hand_count += 1;
    }
}
