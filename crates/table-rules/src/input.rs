//! Everything that can happen at a table, as one closed list of inputs.
//!
//! An input says what somebody did or what a device saw; it never says what follows from it. Inputs are small and
//! `Copy`: the engine keeps the ones since its last safe point, so that an undo can replay them.

use std::fmt;

use crate::card::Card;
use crate::money::Cents;
use crate::seat::{Seat, SeatSet};
use crate::table::ShoeSide;
use crate::wager::WagerId;

/// One thing that happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Input {
    // Before the deal.
    /// These boxes are one person's (6.H, S6).
    Link(SeatSet),
    /// A wager lies in its place; `None` when only a chip's presence is known.
    Wager {
        seat: Seat,
        wager: WagerId,
        amount: Option<Cents>,
    },
    /// A wager was taken back before the lock.
    Unwager {
        seat: Seat,
        wager: WagerId,
    },
    /// A spoken wager with cash on the layout (6.B): it waits until it is changed into chips and entered as a wager, or
    /// `returned` because it was not accepted.
    Cash {
        seat: Seat,
        returned: bool,
    },
    /// The lock-out was pressed: no more bets.
    Lock,
    /// A chip that came after the lock (X2).
    Late {
        seat: Seat,
        wager: WagerId,
    },
    /// A new dealer came to the table (7.B(4)).
    DealerChange(Text),

    // The table's life.
    /// The table is to be opened (Chapter 4).
    Open,
    Close,
    /// Decks came to the table; preinspected and reshuffled ones skip what 4.G (blackjack 4.I) says.
    Decks {
        count: u8,
        preinspected: bool,
    },
    Inspect(Inspection),
    /// The cards are spread for the first player (4.C; blackjack 4.B).
    Spread,
    Wash,
    Shuffle(ShuffleDone),
    /// This seat does not want to cut.
    CutRefused(Seat),
    /// The stack was cut this many cards from the top.
    Cut {
        by: Cutter,
        depth: u16,
    },
    /// The cover card was put this many cards from the bottom.
    PlaceCover(u16),
    /// The stack went into the shoe.
    Load,
    /// No gaming activity (5.H).
    Idle,
    /// The time of day in minutes.
    At(u16),
    FloorReshuffle,
    FloorRecut,
    /// The shuffler was repaired or replaced; a floorperson takes its cover or sign away (13.S; blackjack 14.N).
    ShufflerRepaired,
    /// A floorperson lets this seat wager again before the reshuffle (6.C(1)).
    Permit(Seat),

    // Irregularities.
    /// What happened, by its clause, with what the clause asks for.
    Irregularity {
        clause: Text,
        seat: Option<Seat>,
        card: Option<Card>,
        attested: bool,
    },
    Accept(Seat),
    Refuse(Seat),

    // Cards.
    /// The next card from the shoe, to where the procedure says.
    Card(Drawn),
    /// The next card, from one side of a double shoe (blackjack 7.C).
    CardFrom {
        drawn: Drawn,
        side: ShoeSide,
    },
    /// The card just drawn from the shoe was burnt.
    Burn,
    /// The cover card appeared.
    Cover,
    /// The cover card of one side of a double shoe appeared (blackjack 3.C(2)).
    CoverFrom(ShoeSide),
    /// The hole card was turned face up.
    Reveal(Card),
    /// A face-down card of this seat was turned (10.C).
    Turn {
        seat: Seat,
        card: Card,
    },

    // Insurance and the reader.
    Insure {
        seat: Seat,
        amount: Option<Cents>,
    },
    EvenMoney {
        seat: Seat,
    },
    InsuranceClosed,
    /// The reader's answer to the inserted hole card.
    Peek(Answer),
    /// The reader was repaired or replaced and passed its check (S12).
    ReaderRepaired,

    // Decisions, for the hand whose turn it is.
    Hit,
    Stand,
    /// With an amount: for less.
    Double(Option<Cents>),
    Redouble,
    Split,
    Surrender,
    Rescue,
    /// Blackjack Switch: the second cards of the two hands change places.
    Switch,
    /// Late word: the hands before this seat have stood.
    Seat(Seat),

    // What the engine asked for.
    Amount {
        seat: Seat,
        wager: WagerId,
        amount: Cents,
    },

    /// Where a wheel stopped: the seat that spins, for Xtreme the hot spot (O2, D14).
    Wheel {
        seat: Seat,
        wager: WagerId,
        symbol: Text,
    },
    /// What a random source said, one draw a round (B10).
    Draw(Draw),

    // Procedure tracking.
    /// The group of the up card, one tap.
    Up(UpGroup),
    /// This step of the procedure is done.
    Next,
    /// This seat has a blackjack.
    SeatBlackjack(Seat),
    /// This seat surrendered.
    SeatSurrender(Seat),
    /// This seat claims a line of a progressive wager.
    Claim {
        seat: Seat,
        wager: WagerId,
        line: Text,
    },

    // Settlement.
    /// The dealer paid (or returned) the current line.
    Paid,
    /// The dealer collected the current line.
    Collected,
    /// The dealer did all open lines.
    Settled,

    // People above the dealer, and going back.
    FloorApprove,
    ManagerApprove,
    /// A floorperson ends the round: all hands dead, wagers returned.
    FloorVoid,
    /// Takes back the last input, as far as the last irreversible point.
    Undo,
    /// A floorperson takes back the last input beyond that point, with a reason.
    Correct(Text),
}

/// A card as it left the shoe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Drawn {
    FaceUp(Card),
    FaceDown,
}

/// Who looked at the cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inspection {
    Dealer,
    Floor,
    /// The tens were taken out and torn: this many.
    Tens(u8),
    /// The first player, at this seat.
    Player(Seat),
}

/// How a shuffle ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShuffleDone {
    ByHand,
    Device,
    /// The device jammed, stopped or did not finish (13.R; blackjack 14.M).
    Jam,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cutter {
    Seat(Seat),
    Dealer,
}

/// A random draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Draw {
    /// Bad Beat's Magic Card (13.B(3)).
    Magic(Card),
    /// Bad Beat's Lucky Player (13.B(4)).
    Player(Seat),
    /// The winner among the Super 4 wagers (13.T).
    MustHit(Seat),
    /// Nothing more was drawn this round.
    None,
}

/// What the hole-card reader says. It has no way to say more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    Yes,
    No,
    Unread,
}

impl Answer {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Unread => "unread",
        }
    }
}

/// The up card as far as the procedure depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UpGroup {
    Ace,
    Ten,
    Low,
}

impl UpGroup {
    pub fn of(card: Card) -> Self {
        let rank = card.rank();
        if rank.is_ace() {
            Self::Ace
        } else if rank.is_ten_value() {
            Self::Ten
        } else {
            Self::Low
        }
    }

    pub const fn word(self) -> &'static str {
        match self {
            Self::Ace => "ace",
            Self::Ten => "ten",
            Self::Low => "low",
        }
    }

    /// Whether the hole card goes to the reader under this up card.
    pub const fn peeks(self) -> bool {
        match self {
            Self::Ace | Self::Ten => true,
            Self::Low => false,
        }
    }
}

/// A short text a person gave (a name, a reason), held inline so that inputs stay `Copy`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Text {
    bytes: [u8; Self::BYTES_MAX],
    len: u8,
}

impl Text {
    pub const BYTES_MAX: usize = 62;

    /// `None` when the text is longer than [`Text::BYTES_MAX`] bytes or has control characters.
    pub fn new(text: &str) -> Option<Self> {
        if text.len() > Self::BYTES_MAX || text.chars().any(char::is_control) {
            return None;
        }
        let mut bytes = [0; Self::BYTES_MAX];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        Some(Self { bytes, len: u8::try_from(text.len()).ok()? })
    }

    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..usize::from(self.len)]).unwrap_or_default()
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

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
    pub const ALL: [Self; 62] = [
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
}

impl Input {
    #[inline]
    pub const fn kind(&self) -> InputKind {
        match self {
            Self::Link(_) => InputKind::Link,
            Self::Wager { .. } => InputKind::Wager,
            Self::Unwager { .. } => InputKind::Unwager,
            Self::Lock => InputKind::Lock,
            Self::Late { .. } => InputKind::Late,
            Self::DealerChange(_) => InputKind::DealerChange,
            Self::Card(_) => InputKind::Card,
            Self::Burn => InputKind::Burn,
            Self::Cover => InputKind::Cover,
            Self::Reveal(_) => InputKind::Reveal,
            Self::Turn { .. } => InputKind::Turn,
            Self::Insure { .. } => InputKind::Insure,
            Self::EvenMoney { .. } => InputKind::EvenMoney,
            Self::InsuranceClosed => InputKind::InsuranceClosed,
            Self::Peek(_) => InputKind::Peek,
            Self::ReaderRepaired => InputKind::ReaderRepaired,
            Self::Hit => InputKind::Hit,
            Self::Stand => InputKind::Stand,
            Self::Double(_) => InputKind::Double,
            Self::Redouble => InputKind::Redouble,
            Self::Split => InputKind::Split,
            Self::Surrender => InputKind::Surrender,
            Self::Rescue => InputKind::Rescue,
            Self::Seat(_) => InputKind::Seat,
            Self::Amount { .. } => InputKind::Amount,
            Self::Wheel { .. } => InputKind::Wheel,
            Self::Draw(_) => InputKind::Draw,
            Self::Claim { .. } => InputKind::Claim,
            Self::Up(_) => InputKind::Up,
            Self::Next => InputKind::Next,
            Self::SeatBlackjack(_) => InputKind::SeatBlackjack,
            Self::SeatSurrender(_) => InputKind::SeatSurrender,
            Self::Paid => InputKind::Paid,
            Self::Collected => InputKind::Collected,
            Self::Settled => InputKind::Settled,
            Self::FloorApprove => InputKind::FloorApprove,
            Self::ManagerApprove => InputKind::ManagerApprove,
            Self::FloorVoid => InputKind::FloorVoid,
            Self::Undo => InputKind::Undo,
            Self::Open => InputKind::Open,
            Self::Close => InputKind::Close,
            Self::Decks { .. } => InputKind::Decks,
            Self::Inspect(_) => InputKind::Inspect,
            Self::Spread => InputKind::Spread,
            Self::Wash => InputKind::Wash,
            Self::Shuffle(_) => InputKind::Shuffle,
            Self::CutRefused(_) => InputKind::CutRefused,
            Self::Cut { .. } => InputKind::Cut,
            Self::PlaceCover(_) => InputKind::PlaceCover,
            Self::Load => InputKind::Load,
            Self::Idle => InputKind::Idle,
            Self::At(_) => InputKind::At,
            Self::FloorReshuffle => InputKind::FloorReshuffle,
            Self::FloorRecut => InputKind::FloorRecut,
            Self::Permit(_) => InputKind::Permit,
            Self::Irregularity { .. } => InputKind::Irregularity,
            Self::Accept(_) => InputKind::Accept,
            Self::Refuse(_) => InputKind::Refuse,
            Self::Switch => InputKind::Switch,
            Self::Cash { .. } => InputKind::Cash,
            Self::ShufflerRepaired => InputKind::ShufflerRepaired,
            Self::CardFrom { .. } => InputKind::Card,
            Self::CoverFrom(_) => InputKind::Cover,
            Self::Correct(_) => InputKind::Correct,
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
