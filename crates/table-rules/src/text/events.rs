//! What happened, in words.

use std::fmt;

use super::{HandNumber, describe_line, side_word};
use crate::event::{Action, Event, Place};
use crate::input::{Answer, Cutter, Draw, Drawn, InputKind};
use crate::money::Cents;

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hand { seat, hand } => write!(f, "seat {seat}{}", HandNumber(*hand)),
            Self::Dealer => f.write_str("the dealer"),
            Self::HoleCard => f.write_str("the hole card's place"),
            Self::Shoe => f.write_str("the shoe"),
        }
    }
}

struct Amount(Option<Cents>);

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(amount) => write!(f, " {amount}"),
            None => Ok(()),
        }
    }
}

fn action_word(action: Action) -> &'static str {
    match action {
        Action::Stand => "stands",
        Action::Hit => "asks for a card",
        Action::Double => "doubles",
        Action::Redouble => "doubles again",
        Action::Split => "splits",
        Action::Surrender => "surrenders",
        Action::Rescue => "rescues",
        Action::Switch => "switches the second cards",
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BoxesLinked { seats, .. } => {
                let numbers: Vec<String> =
                    seats.iter(crate::game::Direction::FromLeft).map(|seat| seat.to_string()).collect();
                match numbers.as_slice() {
                    [alone] => write!(f, "box {alone} is a person's only one")?,
                    several => write!(f, "boxes {} are one person's", several.join(" and "))?,
                }
            }
            Self::WagerPlaced { seat, wager, amount, .. } => {
                write!(f, "seat {seat} wagers {wager}{}", Amount(*amount))?;
            }
            Self::WagerRemoved { seat, wager, .. } => write!(f, "seat {seat} takes back {wager}")?,
            Self::CashWager { seat, returned: false, .. } => write!(f, "seat {seat} speaks a wager with cash")?,
            Self::CashWager { seat, returned: true, .. } => write!(f, "the cash of seat {seat} goes back")?,
            Self::WagersLocked { by_first_card: false, .. } => f.write_str("no more bets")?,
            Self::WagersLocked { by_first_card: true, .. } => {
                f.write_str("no more bets: the first card locked the table, nobody had pressed the button")?;
            }
            Self::LateWager { seat, wager, .. } => write!(f, "late: {wager} at seat {seat} does not count")?,
            Self::DealerChanged { name, .. } => write!(f, "new dealer: {}", name.as_str())?,
            Self::Burnt { .. } => f.write_str("one card burnt")?,
            Self::CoverCardAppeared { at, .. } => {
                write!(f, "cover card before {at}: finish the round, then reshuffle")?;
            }
            Self::CardDealt { to, card: Drawn::FaceUp(card), total, soft, .. } => {
                write!(f, "{card} to {to}, {}{total}", if *soft { "soft " } else { "" })?;
            }
            Self::CardDealt { to, card: Drawn::FaceDown, .. } => write!(f, "a face-down card to {to}")?,
            Self::LastCardTakenBack { .. } => f.write_str("the last card is read again")?,
            Self::LineWithdrawn(line) => write!(f, "withdrawn: {}", describe_line(line))?,
            Self::LineReopened { seat, hand, wager, .. } => {
                write!(f, "open again: seat {seat}{} {wager}", HandNumber(*hand))?;
            }
            Self::InsurancePlaced { seat, amount, .. } => write!(f, "seat {seat} insures{}", Amount(*amount))?,
            Self::InsuranceClosed { .. } => f.write_str("insurance is closed")?,
            Self::ReaderAnswered { answer, .. } => f.write_str(match answer {
                Answer::Yes => "reader: blackjack",
                Answer::No => "reader: no blackjack",
                Answer::Unread => "reader: could not read",
            })?,
            Self::ReaderStopped { .. } => f.write_str("the reader is out of service")?,
            Self::ReaderWrong { said, .. } => {
                write!(f, "the reader said {} and the hole card says otherwise", said.word())?;
            }
            Self::BlackjackAnnounced { seat, .. } => write!(f, "seat {seat} has a blackjack")?,
            Self::CardsStay { seat, .. } => write!(f, "the cards of seat {seat} stay on the table, turned sideways")?,
            Self::WagerOnCards { seat, .. } => write!(f, "seat {seat}'s wager waits on top of the cards")?,
            Self::Acted { seat, hand, action, amount, .. } => {
                write!(f, "seat {seat}{} {}{}", HandNumber(*hand), action_word(*action), Amount(*amount))?;
            }
            Self::HoleCardRevealed { card, total, soft, .. } => {
                write!(f, "hole card {card}: dealer has {}{total}", if *soft { "soft " } else { "" })?;
            }
            Self::CardTurned { seat, hand, card, .. } => write!(f, "seat {seat}{} turns {card}", HandNumber(*hand))?,
            Self::DealerStands { total, .. } if *total > 21 => write!(f, "dealer busts with {total}")?,
            Self::DealerStands { total, soft, .. } => {
                write!(f, "dealer stands on {}{total}", if *soft { "soft " } else { "" })?;
            }
            Self::DealerMayNotDraw { total, .. } => {
                write!(f, "dealer keeps {total}: another card could change nothing")?;
            }
            Self::AmountTold { seat, wager, amount, .. } => write!(f, "seat {seat}'s {wager} wager is {amount}")?,
            Self::MeterRead { wager, meter, amount, .. } => {
                write!(f, "{wager} {} meter read: {amount}", meter.name())?;
            }
            Self::TableClosed { .. } => f.write_str("the table is closed")?,
            Self::DecksReceived { count, preinspected, .. } => {
                let how = if *preinspected { ", preinspected and reshuffled" } else { "" };
                write!(f, "{count} decks received{how}")?;
            }
            Self::ShuffleFailed { .. } => f.write_str("the shuffle failed: reshuffle")?,
            Self::BatchInPlay { second, .. } => {
                write!(f, "the {} batch goes into play", if *second { "second" } else { "first" })?;
            }
            Self::CutRefused { seat, .. } => write!(f, "seat {seat} does not cut")?,
            Self::CutMade { by: Cutter::Seat(seat), depth, .. } => write!(f, "seat {seat} cuts at {depth}")?,
            Self::CutMade { by: Cutter::Dealer, depth, .. } => write!(f, "the dealer cuts at {depth}")?,
            Self::CoverPlaced { from_bottom, .. } => write!(f, "cover card {from_bottom} cards from the bottom")?,
            Self::ShoeLoaded { in_hand: false, .. } => f.write_str("the shoe is loaded")?,
            Self::ShoeLoaded { in_hand: true, .. } => f.write_str("the cards are in the dealer's hand")?,
            Self::DecksAgeing { minutes_left: 0, .. } => f.write_str("the decks have to be changed now")?,
            Self::DecksAgeing { minutes_left, .. } => {
                write!(f, "the decks have to be changed within {minutes_left} minutes")?;
            }
            Self::Irregularity { seat, card, .. } => {
                f.write_str("irregularity")?;
                if let Some(seat) = seat {
                    write!(f, " at seat {seat}")?;
                }
                if let Some(card) = card {
                    write!(f, ", {card}")?;
                }
            }
            Self::Answered { seat, accepted: true, .. } => write!(f, "seat {seat} accepts")?,
            Self::Answered { seat, accepted: false, .. } => write!(f, "seat {seat} refuses")?,
            Self::SideNamed { side, card, first_card, .. } => {
                let side = side_word(*side);
                let then = if *first_card { "it is the first card" } else { "it goes aside" };
                write!(f, "{card} names the {side} side; {then}")?;
            }
            Self::MeterFed { wager, meter, staked, amount, .. } => {
                write!(f, "{wager} {} meter {amount}, fed by stakes of {staked}", meter.name())?;
            }
            Self::MeterReversed { wager, meter, seat, staked, amount, .. } => {
                let meter = meter.name();
                write!(f, "{wager} {meter} meter {amount}, the {staked} of seat {seat} taken back out")?;
            }
            Self::MeterSeeded { wager, meter, seed, amount, .. } => {
                let (meter, cents, rest) = (meter.name(), seed.whole_cents(), seed.sub_cent().millionths());
                write!(f, "{wager} {meter} meter {amount}, {cents} of what went back made good by the house")?;
                if rest != 0 {
                    write!(f, ", and {rest} millionths of a cent")?;
                }
            }
            Self::MeterPaid { wager, meter, seat, paid, seed, amount, .. } => {
                write!(f, "{wager} {} meter paid {paid} to seat {seat} and stands at {amount}", meter.name())?;
                if let Some(seed) = seed {
                    write!(f, ", {seed} of it seeded by the house")?;
                }
            }
            Self::WheelStopped { seat, wager, symbol, .. } => {
                write!(f, "the {wager} wheel stops for seat {seat} on {}", symbol.as_str())?;
            }
            Self::Drawn { draw, .. } => match draw {
                Draw::Magic(card) => write!(f, "drawn: magic card {card}")?,
                Draw::Player(seat) => write!(f, "drawn: lucky player seat {seat}")?,
                Draw::MustHit(seat) => write!(f, "drawn: must-hit winner seat {seat}")?,
                Draw::None => f.write_str("drawn: nothing more")?,
            },
            Self::Verified { lamp: true, .. } => f.write_str("lamp verified")?,
            Self::Verified { lamp: false, .. } => f.write_str("hand verified")?,
            Self::Settled(line) => f.write_str(&describe_line(line))?,
            Self::LineConfirmed { seat, hand, wager, implied, .. } => {
                let how = if *implied { "done by moving on" } else { "done" };
                write!(f, "{how}: seat {seat}{} {wager}", HandNumber(*hand))?;
            }
            Self::Approved { by: InputKind::ReaderRepaired, .. } => f.write_str("the reader is back in service")?,
            Self::Approved { by: InputKind::ShufflerRepaired, .. } => f.write_str("the shuffler is back in service")?,
            Self::Approved { by: InputKind::ManagerApprove, .. } => f.write_str("approved by a second person")?,
            Self::Approved { .. } => f.write_str("approved by the floorperson")?,
            Self::StepDone { .. } => f.write_str("step done")?,
            Self::RoundVoid { .. } => f.write_str("the round is void: all hands dead, wagers returned")?,
            Self::RoundEnded { .. } => f.write_str("round over: cards to the discard rack, in order")?,
            Self::Undone { input, .. } => write!(f, "undone: {}", input.word())?,
            Self::Corrected { input, reason, across_reveal, .. } => {
                let alert = if *across_reveal { " (ALERT: across the reveal)" } else { "" };
                write!(f, "corrected: {} taken back, \"{}\"{alert}", input.word(), reason.as_str())?;
            }
        }
        write!(f, " [{}]", self.source())
    }
}
