//! Everything that can happen at a table, as one closed list of inputs.
//!
//! An input says what somebody did or what a device saw; it never says what follows from it. Inputs are small and
//! `Copy`: the engine keeps the ones since its last safe point, so that an undo can replay them.

mod kind;

pub use kind::{InputKind, KindSet};

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
    /// Decks came to the table.
    Decks {
        count: u8,
        packs: Packs,
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
    Peek(PeekAnswer),
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
    /// A floorperson's one answer about everything that had been paid when the round became void (H12).
    Payments {
        answer: PaymentsAnswer,
        reason: Text,
    },
    /// Two people find that the progressive win that waits is not to be paid, and why (H28).
    Reject(Text),
    /// Takes back the last input, as far as the last irreversible point.
    Undo,
    /// A floorperson takes back the last input beyond that point, with a reason.
    Correct(Text),
}

/// What becomes of payments that were made before a void.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PaymentsAnswer {
    Stand,
    /// They are taken back, and the wagers returned like the others.
    Back,
}

impl PaymentsAnswer {
    pub const ALL: [Self; 2] = [Self::Stand, Self::Back];

    pub const fn word(self) -> &'static str {
        match self {
            Self::Stand => "stand",
            Self::Back => "back",
        }
    }
}

/// A card as it left the shoe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Drawn {
    FaceUp(Card),
    FaceDown,
}

/// The packs that came to the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Packs {
    /// Nobody has said whether there are tens in them.
    #[default]
    Unsaid,
    /// 48 cards each: the maker has left the tens out.
    WithoutTens,
    /// 52 cards each.
    WithTens,
    /// Preinspected and reshuffled: they skip what 4.G (blackjack 4.I) says.
    Preinspected,
}

impl Packs {
    pub const ALL: [Self; 4] = [Self::Unsaid, Self::WithoutTens, Self::WithTens, Self::Preinspected];

    #[cfg(feature = "serde")]
    pub(crate) fn are_unsaid(&self) -> bool {
        *self == Self::Unsaid
    }
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
pub enum PeekAnswer {
    Yes,
    No,
    Unread,
}

impl PeekAnswer {
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

    /// `None` when the text is blank, longer than [`Text::BYTES_MAX`] bytes, or has quotes or control characters.
    pub fn new(text: &str) -> Option<Self> {
        let not_kept = |letter: char| letter == '"' || letter.is_control();
        if text.trim().is_empty() || text.len() > Self::BYTES_MAX || text.chars().any(not_kept) {
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

/// A wager of a known amount: what [`Input::Wager`] tells, where nothing else can come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placing {
    pub seat: Seat,
    pub wager: WagerId,
    pub amount: Cents,
}

impl From<Placing> for Input {
    #[inline(always)]
    fn from(Placing { seat, wager, amount }: Placing) -> Self {
        Self::Wager { seat, wager, amount: Some(amount) }
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
            Self::Payments { .. } => InputKind::Payments,
            Self::Reject(_) => InputKind::Reject,
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
