//! What happened because of an input: the engine's only output besides its prompt.
//!
//! Events carry no text and allocate nothing; `text` turns them into words when somebody asks.

mod sink;

pub use sink::{Discard, Events, Sink};

use crate::card::Card;
use crate::input::{Cutter, Draw, Drawn, InputKind, PaymentsAnswer, PeekAnswer, Text};
use crate::line::Line;
use crate::meter::Exact;
use crate::money::{Cents, MeterName};
use crate::seat::{Seat, SeatSet};
use crate::source::Source;
use crate::table::ShoeSide;
use crate::wager::WagerId;

/// One consequence of an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    BoxesLinked {
        seats: SeatSet,
        source: Source,
    },
    WagerPlaced {
        seat: Seat,
        wager: WagerId,
        amount: Option<Cents>,
        source: Source,
    },
    WagerRemoved {
        seat: Seat,
        wager: WagerId,
        source: Source,
    },
    /// A spoken wager with cash lies on the layout and waits for chips (6.B), or went back to the player.
    CashWager {
        seat: Seat,
        returned: bool,
        source: Source,
    },
    /// No more bets. `by_first_card`: nobody had pressed the button when the first card left the shoe (X2).
    WagersLocked {
        by_first_card: bool,
        source: Source,
    },
    /// A chip that came after the lock; it does not count.
    LateWager {
        seat: Seat,
        wager: WagerId,
        source: Source,
    },
    DealerChanged {
        name: Text,
        source: Source,
    },
    Burnt {
        source: Source,
    },
    CoverCardAppeared {
        at: Place,
        source: Source,
    },
    CardDealt {
        to: Place,
        card: Drawn,
        total: u8,
        soft: bool,
        source: Source,
    },
    /// A late word changes what the last card was: it is taken back and follows again (H2).
    LastCardTakenBack {
        source: Source,
    },
    /// A line that was due no longer stands: its cause was undone.
    LineWithdrawn(Line),
    /// A line that had been confirmed is open again.
    LineReopened {
        seat: Seat,
        hand: u8,
        wager: WagerId,
        source: Source,
    },
    InsurancePlaced {
        seat: Seat,
        amount: Option<Cents>,
        source: Source,
    },
    InsuranceClosed {
        source: Source,
    },
    ReaderAnswered {
        answer: PeekAnswer,
        source: Source,
    },
    ReaderStopped {
        source: Source,
    },
    /// The reader's answer and the revealed hole card disagree (S12).
    ReaderWrong {
        said: PeekAnswer,
        source: Source,
    },
    BlackjackAnnounced {
        seat: Seat,
        source: Source,
    },
    /// A blackjack was paid and its cards stay, turned sideways, for a wager that still needs them (players-edge-21 7.H).
    CardsStay {
        seat: Seat,
        source: Source,
    },
    /// A surrendered wager waits on top of the cards until the hole card is turned (9.C(2)).
    WagerOnCards {
        seat: Seat,
        source: Source,
    },
    Acted {
        seat: Seat,
        hand: u8,
        action: Action,
        amount: Option<Cents>,
        source: Source,
    },
    HoleCardRevealed {
        card: Card,
        total: u8,
        soft: bool,
        source: Source,
    },
    CardTurned {
        seat: Seat,
        hand: u8,
        card: Card,
        source: Source,
    },
    DealerStands {
        total: u8,
        soft: bool,
        source: Source,
    },
    /// The dealer's count cannot change anything (7.N).
    DealerMayNotDraw {
        total: u8,
        source: Source,
    },
    AmountTold {
        seat: Seat,
        wager: WagerId,
        amount: Cents,
        source: Source,
    },
    /// What a meter shows when the table closes (H9).
    MeterRead {
        wager: WagerId,
        meter: MeterName,
        amount: Cents,
        source: Source,
    },
    TableClosed {
        source: Source,
    },
    DecksReceived {
        count: u8,
        preinspected: bool,
        source: Source,
    },
    ShuffleFailed {
        source: Source,
    },
    /// Which batch of a batch shuffler goes into the shoe (blackjack 3.B(4)).
    BatchInPlay {
        second: bool,
        source: Source,
    },
    CutRefused {
        seat: Seat,
        source: Source,
    },
    CutMade {
        by: Cutter,
        depth: u16,
        source: Source,
    },
    CoverPlaced {
        from_bottom: u16,
        source: Source,
    },
    /// The stack is where it is dealt from: the shoe, or the dealer's hand (12.B(3)).
    ShoeLoaded {
        in_hand: bool,
        source: Source,
    },
    DecksAgeing {
        minutes_left: u32,
        source: Source,
    },
    /// Something went wrong at the table; the clause says what follows.
    Irregularity {
        seat: Option<Seat>,
        card: Option<Card>,
        source: Source,
    },
    Answered {
        seat: Seat,
        accepted: bool,
        source: Source,
    },
    /// A double shoe's first card named the side that this round is dealt from.
    SideNamed {
        side: ShoeSide,
        card: Card,
        first_card: bool,
        source: Source,
    },
    /// A meter grew by its rate on these stakes; `amount` is what it shows now.
    MeterFed {
        wager: WagerId,
        meter: MeterName,
        staked: Cents,
        amount: Cents,
        source: Source,
    },
    /// A returned wager's contribution went back (X3).
    MeterReversed {
        wager: WagerId,
        meter: MeterName,
        seat: Seat,
        staked: Cents,
        amount: Cents,
        source: Source,
    },
    /// A jackpot of the round had carried off a contribution that went back: the house made it good (X3, X4).
    MeterSeeded {
        wager: WagerId,
        meter: MeterName,
        seed: Exact,
        amount: Cents,
        source: Source,
    },
    /// A meter paid; where it paid all, the house seeded it anew.
    MeterPaid {
        wager: WagerId,
        meter: MeterName,
        seat: Seat,
        paid: Cents,
        seed: Option<Cents>,
        amount: Cents,
        source: Source,
    },
    WheelStopped {
        seat: Seat,
        wager: WagerId,
        symbol: Text,
        source: Source,
    },
    Drawn {
        draw: Draw,
        source: Source,
    },
    /// The hand or the lamp behind a progressive win was verified (players-edge-21 7.O(1)).
    Verified {
        lamp: bool,
        source: Source,
    },
    /// A line of settlement is due.
    Settled(Line),
    /// The dealer did a line, or moved on from it.
    LineConfirmed {
        implied: bool,
        seat: Seat,
        hand: u8,
        wager: WagerId,
        source: Source,
    },
    Approved {
        by: InputKind,
        source: Source,
    },
    StepDone {
        source: Source,
    },
    RoundVoid {
        source: Source,
    },
    /// Something had been paid when the round became void: it is listed for the floorperson (H12).
    PaidBeforeVoid {
        seat: Seat,
        hand: u8,
        wager: WagerId,
        /// What was paid beside the stake's own chips; none where the amount is not known.
        paid: Option<Cents>,
        source: Source,
    },
    /// The floorperson's one answer about all of it.
    PaymentsAnswered {
        answer: PaymentsAnswer,
        reason: Text,
        source: Source,
    },
    /// Nothing was said about it, and the table goes on: it stands.
    PaymentsLeft {
        source: Source,
    },
    /// A progressive win was not validated: nothing is paid for it (H28).
    Rejected {
        seat: Seat,
        hand: u8,
        wager: WagerId,
        reason: Text,
        source: Source,
    },
    RoundEnded {
        source: Source,
    },
    /// The dealer took back the word that ended the round: it is in play again, as it was before that word (H5).
    RoundReopened {
        source: Source,
    },
    Undone {
        input: InputKind,
        source: Source,
    },
    /// A floorperson went back beyond an irreversible point.
    Corrected {
        input: InputKind,
        reason: Text,
        across_reveal: bool,
        source: Source,
    },
}

/// Every consequence of every input is one: the longest text that is told decides, and a line must not be longer.
const _: () = assert!(size_of::<Event>() <= 72);

/// What a player did with a hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    Hit,
    Stand,
    Double,
    Redouble,
    Split,
    Surrender,
    Rescue,
    Switch,
}

/// Where a card went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Hand {
        seat: Seat,
        hand: u8,
    },
    Dealer,
    HoleCard,
    /// Before the first card of a round.
    Shoe,
}

impl Event {
    pub fn source(&self) -> Source {
        match *self {
            Self::BoxesLinked { source, .. }
            | Self::WagerPlaced { source, .. }
            | Self::WagerRemoved { source, .. }
            | Self::CashWager { source, .. }
            | Self::WagersLocked { source, .. }
            | Self::LateWager { source, .. }
            | Self::DealerChanged { source, .. }
            | Self::Burnt { source }
            | Self::CoverCardAppeared { source, .. }
            | Self::CardDealt { source, .. }
            | Self::LastCardTakenBack { source }
            | Self::LineReopened { source, .. }
            | Self::InsurancePlaced { source, .. }
            | Self::InsuranceClosed { source }
            | Self::ReaderAnswered { source, .. }
            | Self::ReaderStopped { source }
            | Self::ReaderWrong { source, .. }
            | Self::BlackjackAnnounced { source, .. }
            | Self::CardsStay { source, .. }
            | Self::WagerOnCards { source, .. }
            | Self::Acted { source, .. }
            | Self::HoleCardRevealed { source, .. }
            | Self::CardTurned { source, .. }
            | Self::DealerStands { source, .. }
            | Self::DealerMayNotDraw { source, .. }
            | Self::AmountTold { source, .. }
            | Self::LineConfirmed { source, .. }
            | Self::MeterRead { source, .. }
            | Self::TableClosed { source }
            | Self::DecksReceived { source, .. }
            | Self::ShuffleFailed { source }
            | Self::BatchInPlay { source, .. }
            | Self::CutRefused { source, .. }
            | Self::CutMade { source, .. }
            | Self::CoverPlaced { source, .. }
            | Self::ShoeLoaded { source, .. }
            | Self::DecksAgeing { source, .. }
            | Self::Irregularity { source, .. }
            | Self::Answered { source, .. }
            | Self::SideNamed { source, .. }
            | Self::MeterFed { source, .. }
            | Self::MeterReversed { source, .. }
            | Self::MeterSeeded { source, .. }
            | Self::MeterPaid { source, .. }
            | Self::WheelStopped { source, .. }
            | Self::Drawn { source, .. }
            | Self::Verified { source, .. }
            | Self::Approved { source, .. }
            | Self::StepDone { source }
            | Self::RoundVoid { source }
            | Self::PaidBeforeVoid { source, .. }
            | Self::PaymentsAnswered { source, .. }
            | Self::PaymentsLeft { source }
            | Self::Rejected { source, .. }
            | Self::RoundEnded { source }
            | Self::RoundReopened { source }
            | Self::Undone { source, .. }
            | Self::Corrected { source, .. } => source,
            Self::Settled(ref line) | Self::LineWithdrawn(ref line) => line.source,
        }
    }
}
