//! Everything that can happen at a table, as one closed list of inputs.
//!
//! An input says what somebody did or what a device saw; it never says what follows from it. Inputs are small and
//! `Copy`: the engine keeps the ones since its last safe point, so that an undo can replay them.

use std::fmt;

use crate::card::Card;
use crate::money::Cents;
use crate::seat::{Seat, SeatSet};
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
    /// The lock-out was pressed: no more bets.
    Lock,
    /// A chip that came after the lock (X2).
    Late {
        seat: Seat,
        wager: WagerId,
    },
    /// A new dealer came to the table (7.B(4)).
    DealerChange(Text),

    // Cards.
    /// The next card from the shoe, to where the procedure says.
    Card(Drawn),
    /// The card just drawn from the shoe was burnt.
    Burn,
    /// The cover card appeared.
    Cover,
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
}

impl InputKind {
    pub const ALL: [Self; 40] = [
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
            Self::Correct => "correct",
        }
    }
}

impl Input {
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
