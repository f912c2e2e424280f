//! What an evaluator may look at, and what it may answer.
//!
//! A [`Visible`] holds only what lies open on the table. The hole card is absent from it until the reveal, so that no
//! evaluator can let a side wager betray it.

use super::hands::is_ace_and_ten;
use crate::card::{Card, Suit};
use crate::game::Game;
use crate::money::Cents;

/// What is known when a side wager is looked at. The engine asks again at each [`Moment`], with more to see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Visible<'a> {
    pub game: Game,
    pub moment: Moment,
    /// The box's first two cards as they were dealt, before any switch or split.
    pub first: [Card; 2],
    /// Blackjack Switch: the second hand's first two cards, before any switch.
    pub second: Option<[Card; 2]>,
    pub up: Card,
    pub reader: Reader,
    /// The hole card, only from the reveal on.
    pub hole: Option<Card>,
    /// The dealer's hand once it is complete: two cards on a dealer blackjack, or where nobody needed a draw.
    pub dealer_hand: Option<&'a [Card]>,
    /// The final total of the box's first hand, the one farthest to the dealer's left after splits (reading D11).
    pub first_hand_total: Option<u8>,
    /// The stake of this wager where it is known; for the Free Bonus, the stake on Buster Blackjack.
    pub stake: Option<Cents>,
}

impl Visible<'_> {
    /// The first cards lie open and nothing else is known; the reader is not asked.
    pub const fn first_cards(game: Game, first: [Card; 2], up: Card) -> Self {
        Self {
            game,
            moment: Moment::FirstCards,
            first,
            second: None,
            up,
            reader: Reader::NotAsked,
            hole: None,
            dealer_hand: None,
            first_hand_total: None,
            stake: None,
        }
    }

    /// Whether the player has a blackjack that counts as one: never after a split or made by a switch (reading S10), so
    /// that the first two cards as they were dealt say it.
    #[inline]
    pub(super) fn has_blackjack(&self) -> bool {
        is_ace_and_ten(self.first)
    }
}

/// When a side wager may be settled (reading W16), in the order of a round.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Moment {
    /// Two cards to each box and the up card, before insurance.
    FirstCards,
    /// The reader has answered, or is not asked.
    AfterReader,
    /// The hole card has been turned.
    Reveal,
    /// The dealer draws no more; before the main wagers.
    DealerComplete,
    /// The dealer has come to this box to pay it.
    TurnToBePaid,
}

impl Moment {
    pub const ALL: [Self; 5] =
        [Self::FirstCards, Self::AfterReader, Self::Reveal, Self::DealerComplete, Self::TurnToBePaid];

    pub const fn description(self) -> &'static str {
        match self {
            Self::FirstCards => "before insurance",
            Self::AfterReader => "after the reader",
            Self::Reveal => "at the reveal",
            Self::DealerComplete => "when the dealer's hand is complete, before the main wagers",
            Self::TurnToBePaid => "at the player's turn to be paid",
        }
    }
}

/// What the hole-card reader has said.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reader {
    /// The up card is outside the peek group, so the dealer cannot have a blackjack.
    NotAsked,
    Waiting,
    No,
    Yes,
}

/// A line of a wager's paytables: an index into the wager's list of lines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PaytableLine(pub(super) u8);

impl PaytableLine {
    /// No wager has more lines than this; the paytable reader refuses a file with more.
    pub(super) const LIMIT: usize = 64;

    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What an evaluator answers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// Ask again at a later moment.
    NotYet,
    Lost,
    /// Won by `line`. Where `second` is named as well, it is paid besides `line` on the same stake, which is
    /// returned once at most.
    Won {
        line: PaytableLine,
        second: Option<PaytableLine>,
    },
    /// The wheel decides: [`super::OfferedWager::spin`].
    NeedsWheel,
    /// A random draw decides.
    NeedsDraw,
    /// The stake decides and is not known (reading X5).
    NeedsAmount,
}

impl Verdict {
    #[inline]
    pub(super) const fn won(line: PaytableLine) -> Self {
        Self::Won { line, second: None }
    }

    #[inline]
    pub(super) const fn won_by(line: Option<PaytableLine>) -> Self {
        match line {
            Some(line) => Self::won(line),
            None => Self::Lost,
        }
    }
}

/// How the Crown Treasure of Royal Match 21 is paid (reading B6).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CrownTreasure {
    /// It replaces the Royal Match payout.
    Line,
    /// It comes on top of the Royal Match payout.
    Additional,
}

/// What a submission decided that changes a verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// One bit a line that the paytable has.
    pub(super) lines: u64,
    pub ace_high_straight: bool,
    pub crown_treasure: CrownTreasure,
    /// The suit of Super 4's star meter, where the paytable has one.
    pub star_suit: Option<Suit>,
    pub busted_hands_count: bool,
    /// A wheel's community pays the spinner's other boxes too (reading H15).
    pub community_pay_to_own_boxes: bool,
    /// The maximum of 13.J.
    pub maximum_payout: Option<Cents>,
    /// No accepted stake is smaller.
    pub least_stake: Cents,
    /// The stake, where only one is allowed.
    pub only_stake: Option<Cents>,
}

impl Options {
    /// Whether the paytable prints this line.
    #[inline]
    pub const fn has(&self, line: PaytableLine) -> bool {
        self.lines & (1 << line.0) != 0
    }

    /// Of the lines that are made, one bit each, the first that the paytable prints: the evaluators list the highest
    /// line first.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a word has 64 bits")]
    pub(super) const fn first_printed(&self, made: u64) -> Verdict {
        match made & self.lines {
            0 => Verdict::Lost,
            lines => Verdict::won(PaytableLine(lines.trailing_zeros() as u8)),
        }
    }

    /// Whether the stake is at least `amount`; `None` where that cannot be told without asking.
    #[inline]
    pub(super) fn stake_reaches(&self, visible: &Visible<'_>, amount: Cents) -> Option<bool> {
        match visible.stake.or(self.only_stake) {
            Some(stake) => Some(stake >= amount),
            None => (self.least_stake >= amount).then_some(true),
        }
    }

    #[inline]
    pub(super) fn stake_is_known(&self, visible: &Visible<'_>) -> bool {
        visible.stake.or(self.only_stake).is_some()
    }
}

/// Names a wager's lines: one constant a line, and the list of their keys in the same order.
macro_rules! lines {
    ($($name:ident = $key:literal,)*) => {
        // `expect` would fail in the files where no name trips one of the two.
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "it only counts; the constants carry the names")]
        enum Position { $($name,)* }
        $(const $name: $crate::side::visible::PaytableLine = $crate::side::visible::PaytableLine(Position::$name as u8);)*
        const LINES: &[&str] = &[$($key,)*];
    };
}
pub(super) use lines;
