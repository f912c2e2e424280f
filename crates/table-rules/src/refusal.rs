//! A refusal: the rules say no. An ordinary value, with the reason and its source; the state is unchanged.

use std::fmt;

use crate::card::Card;
use crate::input::{InputKind, UpGroup};
use crate::money::Cents;
use crate::seat::Seat;
use crate::source::Source;
use crate::wager::WagerId;

/// Why an input was refused, and what says so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refusal {
    pub reason: Reason,
    pub source: Source,
}

/// The reasons, each with what a person needs to understand it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// Something else is due first; the prompt says what.
    NotNow(InputKind),
    NoSuchSeat {
        seat: Seat,
        positions: u8,
    },
    WagerNotOffered(WagerId),
    /// This wager is not placed with the word `wager`.
    NotPlacedBeforeTheDeal(WagerId),
    AmountNotPositive,
    BelowMinimum {
        minimum: Cents,
    },
    AboveMaximum {
        maximum: Cents,
    },
    NotInChips {
        smallest: Cents,
    },
    StakeNotAllowed(WagerId),
    NoWagerThere {
        seat: Seat,
        wager: WagerId,
    },
    WagerNeedsMain {
        seat: Seat,
        wager: WagerId,
    },
    NoWagers,
    SatOutThisShoe(Seat),
    BoxesNotAdjacent,
    TooManyBoxes {
        most: u8,
    },
    /// A spoken wager with cash is not in chips yet.
    CashWaits(Seat),
    NoCashThere(Seat),
    WagersAreClosed,
    NotInThisDeck(Card),
    FaceDownHere,
    MustBeFaceUp,
    NoInsuranceUnder(UpGroup),
    InsuranceTooHigh {
        most: Cents,
    },
    InsuranceTaken(Seat),
    AmountNeededFirst {
        seat: Seat,
        wager: WagerId,
    },
    NotABlackjack(Seat),
    EvenMoneyNotOffered,
    ReaderNotUnder(UpGroup),
    SettleFirst,
    ReaderStopped,
    HandIs21,
    NotOnTheseCards(InputKind),
    DoubledHand(InputKind),
    NotInThisGame(InputKind),
    HouseRestricted(InputKind),
    DoubleMoreThanOriginal {
        most: Cents,
    },
    NoDoubleForLess {
        exactly: Cents,
    },
    NoMoreDoubles,
    NotAPair,
    NoMoreSplits {
        most: u8,
    },
    SplitHand(InputKind),
    NotAfterDrawing(InputKind),
    SeatNotAfterThisOne(Seat),
    NothingToTurn(Seat),
    NoSuchAmountAsked {
        seat: Seat,
        wager: WagerId,
    },
    LineIsTaken,
    LineIsGiven,
    NeedsFloorApproval,
    /// The dealer looks at the hand and at the lamp before a floorperson is asked.
    LookFirst,
    NeedsSecondPerson,
    RidesOn {
        wager: WagerId,
        carrier: WagerId,
    },
    NoSpinThere {
        seat: Seat,
        wager: WagerId,
    },
    NotOnThisWheel(WagerId),
    SpinFirst,
    DrawNotOpen,
    DrawDue,
    /// The first card would be the lock, and a draw has to come between the two.
    LockForTheDraw,
    NotAProgressive(WagerId),
    NoSuchLine(WagerId),
    LineCannotBe(WagerId),
    JackpotPaid,
    WrongDeckCount {
        expected: u8,
    },
    TooManyTens {
        most: u16,
    },
    CoverTheDeviceFirst,
    NoShuffler,
    CutNotOfferedTo(Seat),
    CutOfferedFirstTo(Seat),
    CutTooNearTheEnd {
        least: u16,
        most: u16,
    },
    CoverTooNearTheEnd {
        least: u16,
    },
    DecksTooOld,
    ReaderOut,
    NoSuchIrregularity,
    NotATen,
    TellTheCard,
    TellTheSeat,
    AttestCoverOrSign,
    TurnTheCardsFirst,
    NoSides,
    TellTheSide,
    TellTheStake(WagerId),
    WagerAlreadyThere {
        seat: Seat,
        wager: WagerId,
    },
    NothingToApprove,
    NothingToUndo,
    CannotUndoPast(InputKind),
    NothingToCorrect,
    WrongTracking(InputKind),
    SeatAlreadyMarked(Seat),
    AlreadySeen,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotNow(kind) => write!(f, "`{}` is not due now", kind.word()),
            Self::NoSuchSeat { seat, positions } => write!(f, "there is no seat {seat}: this table has {positions}"),
            Self::WagerNotOffered(wager) => write!(f, "{wager} is not offered at this table"),
            Self::NotPlacedBeforeTheDeal(wager) => write!(f, "{wager} is not placed before the deal"),
            Self::AmountNotPositive => f.write_str("an amount has to be more than zero"),
            Self::BelowMinimum { minimum } => write!(f, "below the table minimum of {minimum}"),
            Self::AboveMaximum { maximum } => write!(f, "above the table maximum of {maximum}"),
            Self::NotInChips { smallest } => write!(f, "the table's chips go in steps of {smallest}"),
            Self::StakeNotAllowed(wager) => write!(f, "that stake is not allowed on {wager}"),
            Self::NoWagerThere { seat, wager } => write!(f, "seat {seat} has no {wager} wager"),
            Self::WagerNeedsMain { seat, wager } => {
                write!(f, "seat {seat} has {wager} but no main wager: place one or take it back")
            }
            Self::NoWagers => f.write_str("no main wager lies on the table"),
            Self::SatOutThisShoe(seat) => {
                write!(f, "seat {seat} sat out a round of this shoe and may not wager until the reshuffle")
            }
            Self::BoxesNotAdjacent => f.write_str("one person's boxes have to be neighbours"),
            Self::TooManyBoxes { most: 0 | 1 } => f.write_str("one person plays one box here"),
            Self::TooManyBoxes { most } => write!(f, "one person may play at most {most} boxes here"),
            Self::CashWaits(seat) => {
                write!(
                    f,
                    "seat {seat}'s cash lies on the table: change it into chips and enter the wager, or return it"
                )
            }
            Self::NoCashThere(seat) => write!(f, "no cash of seat {seat} lies on the table"),
            Self::WagersAreClosed => f.write_str("wagers are closed: nothing may be placed or changed"),
            Self::NotInThisDeck(card) => write!(f, "{card} is not in this game's decks; report it as an irregularity"),
            Self::FaceDownHere => f.write_str("this card is dealt face down"),
            Self::MustBeFaceUp => f.write_str("this card is dealt face up"),
            Self::NoInsuranceUnder(up) => write!(f, "no insurance: the up card is {}, not an ace", describe(*up)),
            Self::InsuranceTooHigh { most } => write!(f, "insurance here is at most {most}"),
            Self::InsuranceTaken(seat) => write!(f, "seat {seat} already has insurance or even money"),
            Self::AmountNeededFirst { seat, wager } => {
                write!(f, "the amount of seat {seat}'s {wager} wager is needed first: amount {seat} {wager} …")
            }
            Self::NotABlackjack(seat) => write!(f, "seat {seat} has no blackjack"),
            Self::EvenMoneyNotOffered => f.write_str("even money is not in this table's submission"),
            Self::ReaderNotUnder(up) => {
                write!(f, "the hole card goes to the reader only under an ace or ten-value card, not {}", describe(*up))
            }
            Self::SettleFirst => f.write_str("settle the open lines first, then confirm with `settled`"),
            Self::ReaderStopped => f.write_str("the reader is out of service: no card leaves the shoe"),
            Self::HandIs21 => f.write_str("the hand is at 21 and stands"),
            Self::NotOnTheseCards(kind) => write!(f, "`{}` is not allowed on these cards", kind.word()),
            Self::DoubledHand(kind) => write!(f, "`{}` is not allowed on a doubled hand", kind.word()),
            Self::NotInThisGame(kind) => write!(f, "`{}` does not exist in this game or submission", kind.word()),
            Self::HouseRestricted(kind) => write!(f, "`{}` is restricted by this table's submission", kind.word()),
            Self::DoubleMoreThanOriginal { most } => write!(f, "a double adds at most {most}"),
            Self::NoDoubleForLess { exactly } => write!(f, "no doubling for less: the double adds exactly {exactly}"),
            Self::NoMoreDoubles => f.write_str("this hand has been doubled three times"),
            Self::NotAPair => f.write_str("only two cards of the same value may be split"),
            Self::NoMoreSplits { most } => write!(f, "no more splits here: at most {most}"),
            Self::SplitHand(kind) => write!(f, "`{}` is not allowed on a split hand", kind.word()),
            Self::NotAfterDrawing(kind) => write!(f, "`{}` is only for the first two cards", kind.word()),
            Self::SeatNotAfterThisOne(seat) => write!(f, "seat {seat} has no hand to act after this one"),
            Self::NothingToTurn(seat) => write!(f, "seat {seat} has no face-down card"),
            Self::NoSuchAmountAsked { seat, wager } => write!(f, "no amount of {wager} is asked for at seat {seat}"),
            Self::LineIsTaken => f.write_str("this line is collected, not paid: say `collected`"),
            Self::LineIsGiven => f.write_str("this line goes to the player: say `paid`"),
            Self::NeedsFloorApproval => f.write_str("a floorperson has to approve this line first"),
            Self::LookFirst => f.write_str(
                "the dealer verifies the hand, then the lamp, each with `next`, before a floorperson validates",
            ),
            Self::NeedsSecondPerson => f.write_str("a second person has to approve an amount this large"),
            Self::RidesOn { wager, carrier } => write!(f, "{wager} has no stake of its own: it goes with {carrier}"),
            Self::NoSpinThere { seat, wager } => write!(f, "seat {seat} has no {wager} spin to make"),
            Self::NotOnThisWheel(wager) => write!(f, "that symbol is not on the {wager} wheel of this table"),
            Self::SpinFirst => f.write_str("the wheel has to be spun first"),
            Self::DrawNotOpen => f.write_str("that draw is not open in this round"),
            Self::DrawDue => f.write_str("a random draw of this round is due first"),
            Self::LockForTheDraw => {
                f.write_str("this round has a random draw, after the lock and before the first card: lock first")
            }
            Self::NotAProgressive(wager) => write!(f, "{wager} is not a progressive wager: the dealer settles it"),
            Self::NoSuchLine(wager) => write!(f, "that line is not in the {wager} paytable of this table"),
            Self::LineCannotBe(wager) => {
                write!(
                    f,
                    "that line of {wager} cannot come here: the up card, the reader or the seat's marks rule it out"
                )
            }
            Self::JackpotPaid => {
                f.write_str("a jackpot of this round has been paid: nothing goes back across it without a manager")
            }
            Self::WrongDeckCount { expected } => write!(f, "this table plays with {expected} decks in all"),
            Self::TooManyTens { most } => write!(f, "these decks hold at most {most} tens"),
            Self::CoverTheDeviceFirst => {
                f.write_str("cover the shuffler or put up its sign first: report it as out of order")
            }
            Self::NoShuffler => f.write_str("this table has no shuffler"),
            Self::CutNotOfferedTo(seat) => write!(f, "the cut is not offered to seat {seat} now"),
            Self::CutOfferedFirstTo(seat) => write!(f, "the cut is offered to seat {seat} first"),
            Self::CutTooNearTheEnd { least, most } => {
                write!(f, "the cut has to be {least} to {most} cards from the top")
            }
            Self::CoverTooNearTheEnd { least } => {
                write!(f, "the cover card goes at least {least} cards from the bottom of the stack")
            }
            Self::DecksTooOld => f.write_str("the decks have to be changed before the next round"),
            Self::ReaderOut => f.write_str("the reader is out of service: no round may be dealt"),
            Self::NoSuchIrregularity => f.write_str("this game has no such irregularity"),
            Self::NotATen => f.write_str("that card is not a ten"),
            Self::TellTheCard => f.write_str("say which card: irregularity CLAUSE CARD"),
            Self::TellTheSeat => f.write_str("say which seat: irregularity CLAUSE SEAT"),
            Self::AttestCoverOrSign => f.write_str("say that the device is `covered` or has its `sign`"),
            Self::TurnTheCardsFirst => f.write_str("turn over the player's two cards first"),
            Self::NoSides => f.write_str("this shoe has one side"),
            Self::TellTheSide => f.write_str("say which side of the shoe the card came from"),
            Self::TellTheStake(wager) => write!(f, "{wager} takes more than one stake here: say which"),
            Self::WagerAlreadyThere { seat, wager } => {
                write!(f, "seat {seat} already has a {wager} wager; take it back first")
            }
            Self::NothingToApprove => f.write_str("nothing waits for an approval"),
            Self::NothingToUndo => f.write_str("there is nothing to undo"),
            Self::CannotUndoPast(kind) => {
                write!(f, "`{}` cannot be undone by the dealer; a floorperson may correct it", kind.word())
            }
            Self::NothingToCorrect => f.write_str("there is nothing in this round to correct"),
            Self::WrongTracking(kind) => write!(f, "`{}` belongs to the other tracking level", kind.word()),
            Self::SeatAlreadyMarked(seat) => write!(f, "seat {seat} is already marked"),
            Self::AlreadySeen => f.write_str("that has already happened in this round"),
        }
    }
}

fn describe(up: UpGroup) -> &'static str {
    match up {
        UpGroup::Ace => "an ace",
        UpGroup::Ten => "a ten-value card",
        UpGroup::Low => "a 2 to 9",
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.reason, self.source)
    }
}

impl std::error::Error for Refusal {}
