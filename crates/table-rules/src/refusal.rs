//! A refusal: the rules say no. An ordinary value, with the reason and its source; the state is unchanged.

use std::fmt;

use crate::card::Card;
use crate::input::{InputKind, UpGroup};
use crate::money::Cents;
use crate::seat::Seat;
use crate::source::Source;
use crate::text::Capital;
use crate::wager::{Bet, WagerId};

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
    /// The same about something that this table says no word of.
    NotUsedHere,
    HouseRestricted(InputKind),
    /// An exposed card was refused: none follows.
    RefusedTheCard(Seat),
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
    PacksWithoutTens,
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
    /// A figure of a meter is near the end of its range.
    MeterAtItsEnd,
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
            Self::NotNow(kind) => write!(f, "{} is not due now", Capital(kind.spoken())),
            Self::NoSuchSeat { seat, positions } => write!(f, "There is no seat {seat}: this table has {positions}"),
            Self::WagerNotOffered(wager) => write!(f, "{} is not offered at this table", Capital(wager.short_title())),
            Self::NotPlacedBeforeTheDeal(wager) => {
                write!(f, "{} is not placed before the deal", Capital(wager.short_title()))
            }
            Self::AmountNotPositive => f.write_str("An amount has to be more than zero"),
            Self::BelowMinimum { minimum } => write!(f, "Below the table minimum of {minimum}"),
            Self::AboveMaximum { maximum } => write!(f, "Above the table maximum of {maximum}"),
            Self::NotInChips { smallest } => write!(f, "The table's chips go in steps of {smallest}"),
            Self::StakeNotAllowed(wager) => write!(f, "That amount is not allowed on {}", wager.short_title()),
            Self::NoWagerThere { seat, wager } => write!(f, "Seat {seat} has no {}", Bet(*wager)),
            Self::WagerNeedsMain { seat, wager } => {
                let bet = Bet(*wager);
                write!(f, "Seat {seat} has a {bet} but no main bet: place one or take it back")
            }
            Self::NoWagers => f.write_str("No main bet lies on the table"),
            Self::SatOutThisShoe(seat) => {
                write!(f, "Seat {seat} sat out a round of this shoe and may not bet until the reshuffle")
            }
            Self::BoxesNotAdjacent => f.write_str("One player's boxes have to be side by side"),
            Self::TooManyBoxes { most: 0 | 1 } => f.write_str("One player plays one box here"),
            Self::TooManyBoxes { most } => write!(f, "One player may play at most {most} boxes here"),
            Self::CashWaits(seat) => {
                write!(f, "Seat {seat}'s cash lies on the table: change it into chips and enter the bet, or return it")
            }
            Self::NoCashThere(seat) => write!(f, "No cash of seat {seat} lies on the table"),
            Self::WagersAreClosed => f.write_str("No more bets: nothing may be placed or changed"),
            Self::NotInThisDeck(card) => write!(f, "{card} is not in this game's decks: report it under Problem"),
            Self::FaceDownHere => f.write_str("This card is dealt face down"),
            Self::MustBeFaceUp => f.write_str("This card is dealt face up"),
            Self::NoInsuranceUnder(up) => write!(f, "No insurance: the up card is {}, not an ace", describe(*up)),
            Self::InsuranceTooHigh { most } => write!(f, "Insurance here is at most {most}"),
            Self::InsuranceTaken(seat) => write!(f, "Seat {seat} already has insurance or even money"),
            Self::AmountNeededFirst { seat, wager } => {
                write!(f, "The amount of seat {seat}'s {} is needed first", Bet(*wager))
            }
            Self::NotABlackjack(seat) => write!(f, "Seat {seat} has no blackjack"),
            Self::EvenMoneyNotOffered => f.write_str("Even money is not offered at this table"),
            Self::ReaderNotUnder(up) => {
                write!(f, "The hole card goes to the reader only under an ace or ten-value card, not {}", describe(*up))
            }
            Self::SettleFirst => f.write_str("Settle the open bets first, then confirm them"),
            Self::ReaderStopped => f.write_str("Reader is out of service: no card leaves the shoe"),
            Self::HandIs21 => f.write_str("The hand is at 21 and stands"),
            Self::NotOnTheseCards(kind) => write!(f, "{} is not allowed on these cards", Capital(kind.spoken())),
            Self::DoubledHand(kind) => write!(f, "{} is not allowed on a doubled hand", Capital(kind.spoken())),
            Self::NotUsedHere => f.write_str("Not used at this table"),
            Self::NotInThisGame(kind) | Self::WrongTracking(kind) => {
                write!(f, "Not used at this table: {}", kind.spoken())
            }
            Self::HouseRestricted(kind) => {
                write!(f, "{} is limited by the house rules of this table", Capital(kind.spoken()))
            }
            Self::RefusedTheCard(seat) => write!(f, "Seat {seat} refused the exposed card and gets no further one"),
            Self::DoubleMoreThanOriginal { most } => write!(f, "A double adds at most {most}"),
            Self::NoDoubleForLess { exactly } => write!(f, "No doubling for less: the double adds exactly {exactly}"),
            Self::NoMoreDoubles => f.write_str("This hand has been doubled three times"),
            Self::NotAPair => f.write_str("Only two cards of the same value may be split"),
            Self::NoMoreSplits { most } => write!(f, "No more splits here: at most {most}"),
            Self::SplitHand(kind) => write!(f, "{} is not allowed on a split hand", Capital(kind.spoken())),
            Self::NotAfterDrawing(kind) => write!(f, "{} is only for the first two cards", Capital(kind.spoken())),
            Self::SeatNotAfterThisOne(seat) => write!(f, "Seat {seat} has no hand to play after this one"),
            Self::NothingToTurn(seat) => write!(f, "Seat {seat} has no face-down card"),
            Self::NoSuchAmountAsked { seat, wager } => {
                write!(f, "No amount of the {} is asked for at seat {seat}", Bet(*wager))
            }
            Self::LineIsTaken => f.write_str("This bet is taken, not paid"),
            Self::LineIsGiven => f.write_str("This bet goes to the player"),
            Self::NeedsFloorApproval => f.write_str("The floor has to approve this bet first"),
            Self::LookFirst => f.write_str("Dealer checks the hand, then the lamp, before the floor approves"),
            Self::NeedsSecondPerson => f.write_str("A second person has to approve an amount this large"),
            Self::RidesOn { wager, carrier } => {
                let (wager, carrier) = (wager.short_title(), carrier.short_title());
                write!(f, "{} takes no chips of its own: it goes with {carrier}", Capital(wager))
            }
            Self::NoSpinThere { seat, wager } => write!(f, "Seat {seat} has no {} spin to make", wager.short_title()),
            Self::NotOnThisWheel(wager) => {
                write!(f, "That symbol is not on the {} wheel of this table", wager.short_title())
            }
            Self::SpinFirst => f.write_str("Spin the wheel first"),
            Self::DrawNotOpen => f.write_str("That draw is not open in this round"),
            Self::DrawDue => f.write_str("Make the random draw of this round first"),
            Self::LockForTheDraw => {
                f.write_str("Lock first: the random draw comes after the lock and before the first card")
            }
            Self::NotAProgressive(wager) => {
                write!(f, "{} is not a progressive bet: the dealer settles it", Capital(wager.short_title()))
            }
            Self::NoSuchLine(wager) => {
                write!(f, "That win is not in the {} paytable of this table", wager.short_title())
            }
            Self::LineCannotBe(wager) => {
                write!(
                    f,
                    "That {} win cannot come here: the up card, the reader or the seat's marks rule it out",
                    wager.short_title()
                )
            }
            Self::JackpotPaid => {
                f.write_str("A jackpot of this round has been paid: nothing goes back past it without a manager")
            }
            Self::WrongDeckCount { expected } => write!(f, "This table plays with {expected} decks in all"),
            Self::PacksWithoutTens => f.write_str("This game is played with packs of 52 cards"),
            Self::TooManyTens { most } => write!(f, "These decks hold at most {most} tens"),
            Self::CoverTheDeviceFirst => {
                f.write_str("Cover the shuffler or put up its sign first: report it as out of order")
            }
            Self::NoShuffler => f.write_str("This table has no shuffler"),
            Self::CutNotOfferedTo(seat) => write!(f, "The cut is not offered to seat {seat} now"),
            Self::CutOfferedFirstTo(seat) => write!(f, "The cut is offered to seat {seat} first"),
            Self::CutTooNearTheEnd { least, most } => {
                write!(f, "The cut has to be {least} to {most} cards from the top")
            }
            Self::CoverTooNearTheEnd { least } => {
                write!(f, "The cover card goes at least {least} cards from the bottom of the stack")
            }
            Self::DecksTooOld => f.write_str("Change the decks before the next round"),
            Self::ReaderOut => f.write_str("Reader is out of service: no round may be dealt"),
            Self::MeterAtItsEnd => f.write_str("A meter can count no further: two people correct it first"),
            Self::NoSuchIrregularity => f.write_str("This game has no such irregularity"),
            Self::NotATen => f.write_str("That card is not a ten"),
            Self::TellTheCard => f.write_str("Say which card"),
            Self::TellTheSeat => f.write_str("Say which seat"),
            Self::AttestCoverOrSign => f.write_str("Say that the shuffler is covered or has its sign"),
            Self::TurnTheCardsFirst => f.write_str("Turn over the player's two cards first"),
            Self::NoSides => f.write_str("This shoe has one side"),
            Self::TellTheSide => f.write_str("Say which side of the shoe the card came from"),
            Self::TellTheStake(wager) => {
                write!(f, "{} takes more than one amount here: say which", Capital(wager.short_title()))
            }
            Self::WagerAlreadyThere { seat, wager } => {
                write!(f, "Seat {seat} already has a {}: take it back first", Bet(*wager))
            }
            Self::NothingToApprove => f.write_str("Nothing waits for an approval"),
            Self::NothingToUndo => f.write_str("There is nothing to undo"),
            Self::CannotUndoPast(kind) => {
                write!(f, "{} cannot be undone by the dealer: the floor may correct it", Capital(kind.spoken()))
            }
            Self::NothingToCorrect => f.write_str("There is nothing in this round to correct"),
            Self::SeatAlreadyMarked(seat) => write!(f, "Seat {seat} is already marked"),
            Self::AlreadySeen => f.write_str("That has already happened in this round"),
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

#[cfg(test)]
mod tests;
