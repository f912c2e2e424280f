//! The kinds of input, and sets of them.

use std::fmt;

/// The kinds of input, for prompts that offer them and logs that name them. Each is written as its script word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
pub enum InputKind {
    Link,
    Wager,
    Unwager,
    Lock,
    Late,
    DealerChange,
    Card,
    Burn,
    Cover,
    Reveal,
    Turn,
    Insure,
    EvenMoney,
    InsuranceClosed,
    Peek,
    ReaderRepaired,
    Hit,
    Stand,
    Double,
    Redouble,
    Split,
    Surrender,
    Rescue,
    Seat,
    Amount,
    Wheel,
    Draw,
    Up,
    Next,
    SeatBlackjack,
    SeatSurrender,
    Claim,
    Paid,
    Collected,
    Settled,
    FloorApprove,
    ManagerApprove,
    FloorVoid,
    Payments,
    Reject,
    Undo,
    Correct,
    Open,
    Close,
    Decks,
    Inspect,
    Spread,
    Wash,
    Shuffle,
    CutRefused,
    Cut,
    PlaceCover,
    Load,
    Idle,
    At,
    FloorReshuffle,
    FloorRecut,
    Permit,
    Irregularity,
    Accept,
    Refuse,
    Switch,
    Cash,
    ShufflerRepaired,
}

impl InputKind {
    pub const ALL: [Self; 64] = [
        Self::Link,
        Self::Wager,
        Self::Unwager,
        Self::Lock,
        Self::Late,
        Self::DealerChange,
        Self::Card,
        Self::Burn,
        Self::Cover,
        Self::Reveal,
        Self::Turn,
        Self::Insure,
        Self::EvenMoney,
        Self::InsuranceClosed,
        Self::Peek,
        Self::ReaderRepaired,
        Self::Hit,
        Self::Stand,
        Self::Double,
        Self::Redouble,
        Self::Split,
        Self::Surrender,
        Self::Rescue,
        Self::Seat,
        Self::Amount,
        Self::Wheel,
        Self::Draw,
        Self::Up,
        Self::Next,
        Self::SeatBlackjack,
        Self::SeatSurrender,
        Self::Claim,
        Self::Paid,
        Self::Collected,
        Self::Settled,
        Self::FloorApprove,
        Self::ManagerApprove,
        Self::FloorVoid,
        Self::Payments,
        Self::Reject,
        Self::Undo,
        Self::Correct,
        Self::Open,
        Self::Close,
        Self::Decks,
        Self::Inspect,
        Self::Spread,
        Self::Wash,
        Self::Shuffle,
        Self::CutRefused,
        Self::Cut,
        Self::PlaceCover,
        Self::Load,
        Self::Idle,
        Self::At,
        Self::FloorReshuffle,
        Self::FloorRecut,
        Self::Permit,
        Self::Irregularity,
        Self::Accept,
        Self::Refuse,
        Self::Switch,
        Self::Cash,
        Self::ShufflerRepaired,
    ];

    /// The word of the play script.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Link => "player",
            Self::Wager => "wager",
            Self::Unwager => "unwager",
            Self::Lock => "lock",
            Self::Late => "late",
            Self::DealerChange => "dealer-change",
            Self::Card => "card",
            Self::Burn => "burn",
            Self::Cover => "cover",
            Self::Reveal => "reveal",
            Self::Turn => "turn",
            Self::Insure => "insure",
            Self::EvenMoney => "even-money",
            Self::InsuranceClosed => "insurance-closed",
            Self::Peek => "peek",
            Self::ReaderRepaired => "reader-repaired",
            Self::Hit => "hit",
            Self::Stand => "stand",
            Self::Double => "double",
            Self::Redouble => "redouble",
            Self::Split => "split",
            Self::Surrender | Self::SeatSurrender => "surrender",
            Self::Rescue => "rescue",
            Self::Seat => "seat",
            Self::Amount => "amount",
            Self::Wheel => "wheel",
            Self::Draw => "draw",
            Self::Claim => "claim",
            Self::Up => "up",
            Self::Next => "next",
            Self::SeatBlackjack => "blackjack",
            Self::Paid => "paid",
            Self::Collected => "collected",
            Self::Settled => "settled",
            Self::FloorApprove => "floor approve",
            Self::ManagerApprove => "manager approve",
            Self::FloorVoid => "floor void",
            Self::Payments => "payments",
            Self::Reject => "reject",
            Self::Undo => "undo",
            Self::Open => "open",
            Self::Close => "close",
            Self::Decks => "decks",
            Self::Inspect => "inspect",
            Self::Spread => "spread",
            Self::Wash => "wash",
            Self::Shuffle => "shuffle",
            Self::CutRefused => "cut refuse",
            Self::Cut => "cut",
            Self::PlaceCover => "place",
            Self::Load => "load",
            Self::Idle => "idle",
            Self::At => "at",
            Self::FloorReshuffle => "floor reshuffle",
            Self::FloorRecut => "floor recut",
            Self::Permit => "permit",
            Self::Irregularity => "irregularity",
            Self::Accept => "accept",
            Self::Refuse => "refuse",
            Self::Switch => "switch",
            Self::Cash => "cash",
            Self::ShufflerRepaired => "shuffler-repaired",
            Self::Correct => "correct",
        }
    }

    /// What it is called at the table, in the middle of a sentence.
    pub const fn spoken(self) -> &'static str {
        match self {
            Self::Link => "linking boxes",
            Self::Wager => "a bet",
            Self::Unwager => "taking a bet back",
            Self::Lock => "the lock",
            Self::Late => "a late bet",
            Self::DealerChange => "a new dealer",
            Self::Card => "a card",
            Self::Burn => "a burn",
            Self::Cover => "the cover card",
            Self::Reveal => "the hole card",
            Self::Turn => "turning a card",
            Self::Insure => "insurance",
            Self::EvenMoney => "even money",
            Self::InsuranceClosed => "closing insurance",
            Self::Peek => "the reader",
            Self::ReaderRepaired => "a repaired reader",
            Self::Hit => "a hit",
            Self::Stand => "a stand",
            Self::Double => "a double",
            Self::Redouble => "a second double",
            Self::Split => "a split",
            Self::Surrender | Self::SeatSurrender => "surrender",
            Self::Rescue => "a rescue",
            Self::Seat => "another seat",
            Self::Amount => "an amount",
            Self::Wheel => "the wheel",
            Self::Draw => "a draw",
            Self::Claim => "a claim",
            Self::Up => "the up card",
            Self::Next => "the next step",
            Self::SeatBlackjack => "a blackjack",
            Self::Paid => "a payment",
            Self::Collected => "a collection",
            Self::Settled => "settling all",
            Self::FloorApprove => "the floor's approval",
            Self::ManagerApprove => "a second approval",
            Self::FloorVoid => "a void",
            Self::Payments => "an answer about payments",
            Self::Reject => "a rejection",
            Self::Undo => "undo",
            Self::Open => "opening",
            Self::Close => "closing",
            Self::Decks => "new decks",
            Self::Inspect => "an inspection",
            Self::Spread => "the spread",
            Self::Wash => "the wash",
            Self::Shuffle => "a shuffle",
            Self::CutRefused => "a refused cut",
            Self::Cut => "a cut",
            Self::PlaceCover => "placing the cover card",
            Self::Load => "loading the shoe",
            Self::Idle => "an idle table",
            Self::At => "the time",
            Self::FloorReshuffle => "a reshuffle",
            Self::FloorRecut => "a recut",
            Self::Permit => "a permit",
            Self::Irregularity => "an irregularity",
            Self::Accept => "a yes",
            Self::Refuse => "a no",
            Self::Switch => "a switch",
            Self::Cash => "cash",
            Self::ShufflerRepaired => "a repaired shuffler",
            Self::Correct => "a correction",
        }
    }
}

/// A set of input kinds.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct KindSet(u64);

impl KindSet {
    pub const EMPTY: Self = Self(0);

    #[inline]
    pub const fn with(self, kind: InputKind) -> Self {
        Self(self.0 | 1 << kind as u8)
    }

    #[inline]
    pub const fn with_if(self, kind: InputKind, condition: bool) -> Self {
        Self(self.0 | (condition as u64) << kind as u8)
    }

    #[inline]
    pub const fn union(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// These kinds without the others.
    #[inline]
    pub const fn minus(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    #[inline]
    pub const fn contains(self, kind: InputKind) -> bool {
        self.0 & (1 << kind as u8) != 0
    }

    pub fn iter(self) -> impl Iterator<Item = InputKind> {
        InputKind::ALL.into_iter().filter(move |&kind| self.contains(kind))
    }
}

impl fmt::Debug for KindSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
