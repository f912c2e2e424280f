//! What comes next: one order for the dealer, its source, and the patterns of input that would be accepted.
//!
//! What is offered is accepted and what is accepted was offered; a property test holds the engine to it.

use crate::card::Card;
use crate::input::{Draw, Drawn, Input, InputKind, KindSet, Text, UpGroup};
use crate::line::Line;
use crate::money::Cents;
use crate::seat::{Seat, SeatSet};
use crate::source::Source;
use crate::table::{ShoeSide, Table};
use crate::wager::WagerId;

/// The next order and what may answer it. Small and `Copy`; words come from `text`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Prompt {
    pub order: Order,
    /// The line of settlement that the order is about, where it is about one.
    pub line: Option<Line>,
    /// The box that the order is about has more than one hand.
    pub several_hands: bool,
    pub source: Source,
    pub offers: Offers,
}

/// What the dealer is to do. A few bytes: it is asked for after every input.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Order {
    TakeWagers {
        cover_seen: bool,
    },
    /// The reader failed: nothing is dealt before it is repaired.
    RepairReader,
    /// The decks in use are too old for another round; they are changed when nothing lies on the layout.
    ChangeDecks {
        count: u8,
        wagers_lie: bool,
    },
    /// A spoken wager with cash is to be confirmed and changed into chips.
    ChangeCash(Seat),
    TableClosed,
    ReceiveDecks(u8),
    InspectCards,
    VerifyInspection,
    RemoveTens,
    SpreadCards,
    LetPlayerInspect,
    WashCards,
    Shuffle,
    /// One side of a double shoe: the other stays as it is.
    ShuffleSide(ShoeSide),
    OfferCut(Option<Seat>),
    PlaceCover {
        least: u16,
        side: Option<ShoeSide>,
    },
    LoadShoe {
        burn: bool,
    },
    LoadSide(ShoeSide),
    /// There is no shoe: the cards are dealt from the hand.
    TakeIntoHand,
    /// Nobody sits there yet who could be asked.
    OfferCutToAnyone,
    OfferCutOfSide {
        seat: Option<Seat>,
        side: ShoeSide,
    },
    OfferExposedCard {
        seat: Seat,
        card: Card,
    },
    OfferSecondCard {
        seat: Seat,
        hand: Option<u8>,
    },
    OfferMissedCard(Seat),
    TearTen,
    NotifyFloor,
    ShuffleDiscards,
    /// `None`: nobody wants to, the dealer cuts.
    CutDiscards(Option<Seat>),
    DrawDeterminant,
    BurnFirstCard,
    BurnForNewDealer,
    /// `hand`: which of two, in Switch. `face_down`: dealt from the hand.
    DealFirstCard {
        seat: Seat,
        hand: Option<u8>,
        face_down: bool,
    },
    DealUpCard,
    DealSecondCard {
        seat: Seat,
        hand: Option<u8>,
        face_down: bool,
    },
    DealHoleCard,
    /// This and the next four are about the first open line of settlement: [`Prompt::line`].
    SettleLine {
        position: u16,
        of: u16,
    },
    VerifyHand,
    VerifyLamp,
    ApproveLine,
    ApproveLineSecond,
    OfferInsurance,
    InsertHoleCard {
        attempts: u8,
    },
    ReaderStopped,
    AskDecision {
        seat: Seat,
        hand: u8,
        total: u8,
        soft: bool,
    },
    /// The player alone has seen the cards that lie face down.
    AskUnseenHand {
        seat: Seat,
        hand: u8,
    },
    /// Rescue or stand; `redouble`: or double again.
    AskAfterDouble {
        seat: Seat,
        hand: u8,
        total: u8,
        redouble: bool,
    },
    DealHit {
        seat: Seat,
        hand: u8,
    },
    DealDouble {
        seat: Seat,
        hand: u8,
    },
    DealSplitCard {
        seat: Seat,
        hand: u8,
    },
    TurnHoleCard {
        blackjack: bool,
    },
    DealToDealer {
        total: u8,
        soft: bool,
    },
    TurnCard {
        seat: Seat,
    },
    TellAmount {
        seat: Seat,
        wager: WagerId,
    },
    TellPersons,
    /// `must_hit_falls`: the meter stands at its ceiling, somebody has to win it.
    TellDraw {
        must_hit_falls: bool,
    },
    SpinWheel {
        seat: Seat,
        wager: WagerId,
    },
    SettleFirstCardWagers,
    DealAndTellUpCard,
    TakeInsurance,
    ServeDecisions,
    MarkBlackjacks,
    /// The reader's no was wrong.
    MarkMissedBlackjacks,
    RevealStep,
    DealerDrawsStep,
    SettleStep,
}

/// Amounts that would be accepted: from `least` to `most` in steps of `step`, and whether the amount may be left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AmountRange {
    pub least: Cents,
    pub most: Cents,
    pub step: Cents,
    pub may_be_unknown: bool,
}

impl AmountRange {
    /// Nothing but leaving the amount out.
    pub const UNKNOWN_ONLY: Self = Self { least: Cents(1), most: Cents(0), step: Cents(1), may_be_unknown: true };

    pub fn admits(&self, amount: Option<Cents>) -> bool {
        match amount {
            None => self.may_be_unknown,
            Some(amount) => amount >= self.least && amount <= self.most && amount.is_multiple_of(self.step),
        }
    }
}

/// What kind of card the next draw may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CardOffer {
    FaceUp,
    FaceDown,
    Either,
}

/// The patterns of input that would be accepted now.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Offers {
    pub kinds: KindSet,
    /// Seats that may place a wager.
    pub wager_seats: SeatSet,
    /// Seats that may be linked as one person's.
    pub link_seats: SeatSet,
    pub insure_seats: SeatSet,
    pub even_money_seats: SeatSet,
    /// Seats for `seat` and `blackjack` (procedure tracking).
    pub seats: SeatSet,
    /// Seats whose face-down cards may be turned.
    pub turn_seats: SeatSet,
    pub surrender_seats: SeatSet,
    /// Seats whose main wager's amount is asked for, or may be told.
    pub amount_seats: SeatSet,
    pub card: CardOffer,
    pub double: AmountRange,
}

impl Offers {
    pub const NONE: Self = Self {
        kinds: KindSet::EMPTY,
        wager_seats: SeatSet::EMPTY,
        link_seats: SeatSet::EMPTY,
        insure_seats: SeatSet::EMPTY,
        even_money_seats: SeatSet::EMPTY,
        seats: SeatSet::EMPTY,
        turn_seats: SeatSet::EMPTY,
        surrender_seats: SeatSet::EMPTY,
        amount_seats: SeatSet::EMPTY,
        card: CardOffer::FaceUp,
        double: AmountRange::UNKNOWN_ONLY,
    };

    /// Whether this very input matches one of the patterns. Needs the engine's view of each seat for amounts, through
    /// the two functions.
    pub(crate) fn admits(&self, input: &Input, table: &Table, ranges: &dyn Ranges) -> bool {
        if !self.kinds.contains(input.kind()) {
            return false;
        }
        let in_deck = |card: Card| table.game.plays_with(card.rank());
        match *input {
            Input::Link(seats) => ranges.link_is_legal(seats) && seats.is_subset_of(self.link_seats),
            Input::Wager { seat, wager, amount } => {
                self.wager_seats.contains(seat) && ranges.wager_is_legal(seat, wager, amount)
            }
            Input::Unwager { seat, wager } => ranges.is_placed(seat, wager),
            Input::Cash { seat, returned } => ranges.cash_is_legal(seat, returned),
            Input::Late { seat, wager } => seat.number() <= table.positions && ranges.is_offered(wager),
            Input::Card(_) if !ranges.plain_card_is_legal() => false,
            Input::Card(drawn) => match (self.card, drawn) {
                (CardOffer::FaceUp | CardOffer::Either, Drawn::FaceUp(card)) => in_deck(card),
                (CardOffer::FaceDown | CardOffer::Either, Drawn::FaceDown) => true,
                (CardOffer::FaceUp, Drawn::FaceDown) | (CardOffer::FaceDown, Drawn::FaceUp(_)) => false,
            },
            Input::Reveal(card) => in_deck(card),
            Input::Turn { seat, card } => self.turn_seats.contains(seat) && in_deck(card),
            Input::Insure { seat, amount } => self.insure_seats.contains(seat) && ranges.insurance(seat).admits(amount),
            Input::EvenMoney { seat } => self.even_money_seats.contains(seat),
            Input::Double(amount) => self.double.admits(amount),
            Input::Seat(seat) => self.seats.contains(seat),
            Input::SeatBlackjack(seat) => self.seats.contains(seat),
            Input::SeatSurrender(seat) => self.surrender_seats.contains(seat),
            Input::Amount { seat, wager, amount } => {
                let asked = if wager == WagerId::Main {
                    self.amount_seats.contains(seat)
                } else {
                    ranges.side_amount_is_asked(seat, wager)
                };
                asked && ranges.amount_is_legal(wager, amount)
            }
            Input::Wheel { seat, wager, symbol } => ranges.wheel_is_legal(seat, wager, symbol),
            Input::Draw(draw) => ranges.draw_is_legal(draw),
            Input::Claim { seat, wager, line } => ranges.claim_is_legal(seat, wager, line),
            Input::Up(group) => match group {
                UpGroup::Ace | UpGroup::Ten | UpGroup::Low => true,
            },
            Input::CardFrom { .. }
            | Input::CoverFrom(_)
            | Input::Decks { .. }
            | Input::Inspect(_)
            | Input::Shuffle(_)
            | Input::CutRefused(_)
            | Input::Cut { .. }
            | Input::PlaceCover(_)
            | Input::Permit(_)
            | Input::Irregularity { .. }
            | Input::Accept(_)
            | Input::Refuse(_)
            | Input::Burn => ranges.would_accept(input),
            Input::Open
            | Input::Close
            | Input::Spread
            | Input::Wash
            | Input::Load
            | Input::Idle
            | Input::At(_)
            | Input::FloorReshuffle
            | Input::FloorRecut
            | Input::ShufflerRepaired
            | Input::Switch
            | Input::Lock
            | Input::DealerChange(_)
            | Input::Cover
            | Input::InsuranceClosed
            | Input::Peek(_)
            | Input::ReaderRepaired
            | Input::Hit
            | Input::Stand
            | Input::Redouble
            | Input::Split
            | Input::Surrender
            | Input::Rescue
            | Input::Next
            | Input::Paid
            | Input::Collected
            | Input::Settled
            | Input::FloorApprove
            | Input::ManagerApprove
            | Input::FloorVoid
            | Input::Undo
            | Input::Correct(_) => true,
        }
    }

    pub fn offers(&self, kind: InputKind) -> bool {
        self.kinds.contains(kind)
    }
}

/// What the patterns refer to at each seat.
pub(crate) trait Ranges {
    fn would_accept(&self, input: &Input) -> bool;
    /// A double shoe's first card has to name its side.
    fn plain_card_is_legal(&self) -> bool;
    fn wager_is_legal(&self, seat: Seat, wager: WagerId, amount: Option<Cents>) -> bool;
    fn cash_is_legal(&self, seat: Seat, returned: bool) -> bool;
    fn amount_is_legal(&self, wager: WagerId, amount: Cents) -> bool;
    fn side_amount_is_asked(&self, seat: Seat, wager: WagerId) -> bool;
    fn wheel_is_legal(&self, seat: Seat, wager: WagerId, symbol: Text) -> bool;
    fn draw_is_legal(&self, draw: Draw) -> bool;
    fn claim_is_legal(&self, seat: Seat, wager: WagerId, line: Text) -> bool;
    fn insurance(&self, seat: Seat) -> AmountRange;
    fn is_placed(&self, seat: Seat, wager: WagerId) -> bool;
    fn is_offered(&self, wager: WagerId) -> bool;
    fn link_is_legal(&self, seats: SeatSet) -> bool;
}
