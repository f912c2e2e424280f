//! Every refusal, in the words that a dealer may read.

use super::*;
use crate::words;

fn about(seat: Seat, card: Card) -> Vec<Reason> {
    vec![
        Reason::NoSuchSeat { seat, positions: 4 },
        Reason::AmountNotPositive,
        Reason::BelowMinimum { minimum: Cents(150) },
        Reason::AboveMaximum { maximum: Cents(150) },
        Reason::NotInChips { smallest: Cents(150) },
        Reason::NoWagers,
        Reason::SatOutThisShoe(seat),
        Reason::BoxesNotAdjacent,
        Reason::TooManyBoxes { most: 4 },
        Reason::CashWaits(seat),
        Reason::NoCashThere(seat),
        Reason::WagersAreClosed,
        Reason::NotInThisDeck(card),
        Reason::FaceDownHere,
        Reason::MustBeFaceUp,
        Reason::NoInsuranceUnder(UpGroup::Low),
        Reason::InsuranceTooHigh { most: Cents(150) },
        Reason::InsuranceTaken(seat),
        Reason::NotABlackjack(seat),
        Reason::EvenMoneyNotOffered,
        Reason::ReaderNotUnder(UpGroup::Low),
        Reason::SettleFirst,
        Reason::ReaderStopped,
        Reason::HandIs21,
        Reason::RefusedTheCard(seat),
        Reason::DoubleMoreThanOriginal { most: Cents(150) },
        Reason::NoDoubleForLess { exactly: Cents(150) },
        Reason::NoMoreDoubles,
        Reason::NotAPair,
        Reason::NoMoreSplits { most: 4 },
        Reason::SeatNotAfterThisOne(seat),
        Reason::NothingToTurn(seat),
        Reason::LineIsTaken,
        Reason::LineIsGiven,
        Reason::NeedsFloorApproval,
        Reason::LookFirst,
        Reason::NeedsSecondPerson,
        Reason::SpinFirst,
        Reason::DrawNotOpen,
        Reason::DrawDue,
        Reason::LockForTheDraw,
        Reason::JackpotPaid,
        Reason::WrongDeckCount { expected: 4 },
        Reason::PacksWithoutTens,
        Reason::TooManyTens { most: 96 },
        Reason::CoverTheDeviceFirst,
        Reason::NoShuffler,
        Reason::CutNotOfferedTo(seat),
        Reason::CutOfferedFirstTo(seat),
        Reason::CutTooNearTheEnd { least: 96, most: 96 },
        Reason::CoverTooNearTheEnd { least: 96 },
        Reason::DecksTooOld,
        Reason::ReaderOut,
        Reason::MeterAtItsEnd,
        Reason::NoSuchIrregularity,
        Reason::NotATen,
        Reason::TellTheCard,
        Reason::TellTheSeat,
        Reason::AttestCoverOrSign,
        Reason::TurnTheCardsFirst,
        Reason::NoSides,
        Reason::TellTheSide,
        Reason::NothingToApprove,
        Reason::NothingToUndo,
        Reason::NothingToCorrect,
        Reason::SeatAlreadyMarked(seat),
        Reason::AlreadySeen,
        Reason::TooManyBoxes { most: 1 },
        Reason::NoInsuranceUnder(UpGroup::Ten),
        Reason::ReaderNotUnder(UpGroup::Ace),
    ]
}

fn about_wager(seat: Seat, wager: WagerId) -> Vec<Reason> {
    vec![
        Reason::WagerNotOffered(wager),
        Reason::NotPlacedBeforeTheDeal(wager),
        Reason::StakeNotAllowed(wager),
        Reason::NoWagerThere { seat, wager },
        Reason::WagerNeedsMain { seat, wager },
        Reason::AmountNeededFirst { seat, wager },
        Reason::NoSuchAmountAsked { seat, wager },
        Reason::RidesOn { wager, carrier: wager },
        Reason::NoSpinThere { seat, wager },
        Reason::NotOnThisWheel(wager),
        Reason::NotAProgressive(wager),
        Reason::NoSuchLine(wager),
        Reason::LineCannotBe(wager),
        Reason::TellTheStake(wager),
        Reason::WagerAlreadyThere { seat, wager },
    ]
}

fn about_kind(kind: InputKind) -> Vec<Reason> {
    vec![
        Reason::NotNow(kind),
        Reason::NotOnTheseCards(kind),
        Reason::DoubledHand(kind),
        Reason::NotInThisGame(kind),
        Reason::NotUsedHere,
        Reason::HouseRestricted(kind),
        Reason::SplitHand(kind),
        Reason::NotAfterDrawing(kind),
        Reason::CannotUndoPast(kind),
        Reason::WrongTracking(kind),
    ]
}

/// A new reason does not compile before somebody has thought of its line above.
const fn is_listed(reason: &Reason) {
    match reason {
        Reason::NotNow(_)
        | Reason::NoSuchSeat { .. }
        | Reason::WagerNotOffered(_)
        | Reason::NotPlacedBeforeTheDeal(_)
        | Reason::AmountNotPositive
        | Reason::BelowMinimum { .. }
        | Reason::AboveMaximum { .. }
        | Reason::NotInChips { .. }
        | Reason::StakeNotAllowed(_)
        | Reason::NoWagerThere { .. }
        | Reason::WagerNeedsMain { .. }
        | Reason::NoWagers
        | Reason::SatOutThisShoe(_)
        | Reason::BoxesNotAdjacent
        | Reason::TooManyBoxes { .. }
        | Reason::CashWaits(_)
        | Reason::NoCashThere(_)
        | Reason::WagersAreClosed
        | Reason::NotInThisDeck(_)
        | Reason::FaceDownHere
        | Reason::MustBeFaceUp
        | Reason::NoInsuranceUnder(_)
        | Reason::InsuranceTooHigh { .. }
        | Reason::InsuranceTaken(_)
        | Reason::AmountNeededFirst { .. }
        | Reason::NotABlackjack(_)
        | Reason::EvenMoneyNotOffered
        | Reason::ReaderNotUnder(_)
        | Reason::SettleFirst
        | Reason::ReaderStopped
        | Reason::HandIs21
        | Reason::NotOnTheseCards(_)
        | Reason::DoubledHand(_)
        | Reason::NotInThisGame(_)
        | Reason::NotUsedHere
        | Reason::HouseRestricted(_)
        | Reason::RefusedTheCard(_)
        | Reason::DoubleMoreThanOriginal { .. }
        | Reason::NoDoubleForLess { .. }
        | Reason::NoMoreDoubles
        | Reason::NotAPair
        | Reason::NoMoreSplits { .. }
        | Reason::SplitHand(_)
        | Reason::NotAfterDrawing(_)
        | Reason::SeatNotAfterThisOne(_)
        | Reason::NothingToTurn(_)
        | Reason::NoSuchAmountAsked { .. }
        | Reason::LineIsTaken
        | Reason::LineIsGiven
        | Reason::NeedsFloorApproval
        | Reason::LookFirst
        | Reason::NeedsSecondPerson
        | Reason::RidesOn { .. }
        | Reason::NoSpinThere { .. }
        | Reason::NotOnThisWheel(_)
        | Reason::SpinFirst
        | Reason::DrawNotOpen
        | Reason::DrawDue
        | Reason::LockForTheDraw
        | Reason::NotAProgressive(_)
        | Reason::NoSuchLine(_)
        | Reason::LineCannotBe(_)
        | Reason::JackpotPaid
        | Reason::WrongDeckCount { .. }
        | Reason::PacksWithoutTens
        | Reason::TooManyTens { .. }
        | Reason::CoverTheDeviceFirst
        | Reason::NoShuffler
        | Reason::CutNotOfferedTo(_)
        | Reason::CutOfferedFirstTo(_)
        | Reason::CutTooNearTheEnd { .. }
        | Reason::CoverTooNearTheEnd { .. }
        | Reason::DecksTooOld
        | Reason::ReaderOut
        | Reason::MeterAtItsEnd
        | Reason::NoSuchIrregularity
        | Reason::NotATen
        | Reason::TellTheCard
        | Reason::TellTheSeat
        | Reason::AttestCoverOrSign
        | Reason::TurnTheCardsFirst
        | Reason::NoSides
        | Reason::TellTheSide
        | Reason::TellTheStake(_)
        | Reason::WagerAlreadyThere { .. }
        | Reason::NothingToApprove
        | Reason::NothingToUndo
        | Reason::CannotUndoPast(_)
        | Reason::NothingToCorrect
        | Reason::WrongTracking(_)
        | Reason::SeatAlreadyMarked(_)
        | Reason::AlreadySeen => {}
    }
}

const REASONS: usize = 92;

#[test]
fn every_refusal_is_said_in_the_words_of_the_pit() {
    let (seat, card) = (Seat::new(3).expect("a seat"), Card::new(crate::card::Rank::Ten, crate::card::Suit::Hearts));
    let mut all = about(seat, card);
    all.extend(WagerId::ALL.into_iter().flat_map(|wager| about_wager(seat, wager)));
    all.extend(InputKind::ALL.into_iter().flat_map(about_kind));
    all.iter().for_each(is_listed);
    let kinds: std::collections::HashSet<_> = all.iter().map(std::mem::discriminant).collect();
    assert_eq!(kinds.len(), REASONS);
    let wrong: Vec<String> = all.iter().filter_map(|reason| words::complaint(&reason.to_string())).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Switch says no word about surrender, not even to whoever asks for one (S11).
#[test]
fn what_a_table_says_no_word_of_is_not_named() {
    assert_eq!(Reason::NotUsedHere.to_string(), "Not used at this table");
}
