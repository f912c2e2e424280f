//! What comes next: one order for the dealer, its source, and the patterns of input that would be accepted.
//!
//! What is offered is accepted and what is accepted was offered; a property test holds the engine to it.

use crate::card::Card;
use crate::input::{InputKind, KindSet};
use crate::line::Line;
use crate::money::Cents;
use crate::seat::{Seat, SeatSet};
use crate::source::Source;
use crate::table::ShoeSide;
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
    /// Another number of tens was torn than the packs should have had.
    ConfirmTens,
    SpreadCards(Apart),
    /// `idle`: the cards of a table without players, which lie face down unless somebody asks (5.H).
    LetPlayerInspect {
        idle: bool,
    },
    WashCards(Apart),
    Shuffle(Apart),
    /// An idle table's cards go into the shuffler, and the batch that waits there comes out.
    SwapBatches,
    /// An idle table's cards go into a shuffler that has no other batch.
    IntoShuffler,
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
    /// The round is void, and something had been paid in it: do the payments stand?
    AnswerPayments,
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
    /// `missed`: the card was asked for and forgotten, and all others have theirs; the same of the next.
    DealHit {
        seat: Seat,
        hand: u8,
        missed: bool,
    },
    DealDouble {
        seat: Seat,
        hand: u8,
        missed: bool,
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

/// What must not be mixed while cards are spread, washed and shuffled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Apart {
    Nothing,
    /// The two sides of a double shoe.
    Sides,
    /// The two batches of a shuffler, which differ in the colour of their backs.
    Batches,
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

    pub fn offers(&self, kind: InputKind) -> bool {
        self.kinds.contains(kind)
    }
}
