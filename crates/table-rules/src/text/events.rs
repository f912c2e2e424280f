//! What happened, in words.

use std::fmt;

use super::happened::{WentWrong, approved, step};
use super::{Capital, HandNumber, describe_line, side_word};
use crate::event::{Action, Event, Place};
use crate::input::{Cutter, Draw, Drawn, PaymentsAnswer, PeekAnswer};
use crate::money::{Cents, MeterName};
use crate::wager::{Bet, WagerId};

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hand { seat, hand } => write!(f, "seat {seat}{}", HandNumber(*hand)),
            Self::Dealer => f.write_str("the dealer"),
            Self::HoleCard => f.write_str("the hole card"),
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

/// A meter by the bet that feeds it; most bets have but one.
#[derive(Clone, Copy, Debug)]
pub struct MeterOf(pub WagerId, pub MeterName);

impl fmt::Display for MeterOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(wager, meter) = self;
        let bet = wager.short_title();
        match meter {
            MeterName::Main | MeterName::MustHit => write!(f, "{bet} meter"),
            MeterName::Star
            | MeterName::Spade
            | MeterName::Heart
            | MeterName::Diamond
            | MeterName::Mega
            | MeterName::Major
            | MeterName::Minor
            | MeterName::Primary
            | MeterName::Secondary => write!(f, "{bet} {} meter", meter.name()),
        }
    }
}

fn action_word(action: Action) -> &'static str {
    match action {
        Action::Stand => "stands",
        Action::Hit => "hits",
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
                    [alone] => write!(f, "Box {alone} is a player's only one")?,
                    several => write!(f, "Boxes {} are one player's", several.join(" and "))?,
                }
            }
            Self::WagerPlaced { seat, wager: WagerId::Main, amount, .. } => {
                write!(f, "Seat {seat} bets{}", Amount(*amount))?;
            }
            Self::WagerPlaced { seat, wager, amount, .. } => {
                write!(f, "Seat {seat} bets{} on {}", Amount(*amount), wager.short_title())?;
            }
            Self::WagerRemoved { seat, wager, .. } => write!(f, "Seat {seat} takes back the {}", Bet(*wager))?,
            Self::CashWager { seat, returned: false, .. } => write!(f, "Seat {seat} bets cash")?,
            Self::CashWager { seat, returned: true, .. } => write!(f, "Cash of seat {seat} goes back")?,
            Self::WagersLocked { by_first_card: false, .. } => f.write_str("No more bets")?,
            Self::WagersLocked { by_first_card: true, .. } => {
                f.write_str("No more bets: the first card locked the table, nobody had pressed the button")?;
            }
            Self::LateWager { seat, wager, .. } => write!(f, "Late: {} at seat {seat} does not count", Bet(*wager))?,
            Self::DealerChanged { name, .. } => write!(f, "New dealer: {}", name.as_str())?,
            Self::Burnt { .. } => f.write_str("One card burnt")?,
            Self::CoverCardAppeared { at: Place::Shoe, .. } => {
                f.write_str("Cover card is out: finish the round, then reshuffle")?;
            }
            Self::CoverCardAppeared { at, .. } => {
                write!(f, "Cover card before {at}: finish the round, then reshuffle")?;
            }
            Self::CardDealt { to, card: Drawn::FaceUp(card), total, soft, .. } => {
                write!(f, "{card} to {to}, {}{total}", if *soft { "soft " } else { "" })?;
            }
            Self::CardDealt { to: Place::HoleCard, card: Drawn::FaceDown, .. } => f.write_str("Hole card dealt")?,
            Self::CardDealt { to, card: Drawn::FaceDown, .. } => write!(f, "Card face down to {to}")?,
            Self::LastCardTakenBack { .. } => f.write_str("Last card is read again")?,
            Self::LineWithdrawn(line) => write!(f, "Withdrawn: {}", describe_line(line))?,
            Self::LineReopened { seat, hand, wager, .. } => {
                write!(f, "Open again: seat {seat}{}, {}", HandNumber(*hand), wager.short_title())?;
            }
            Self::InsurancePlaced { seat, amount, .. } => write!(f, "Seat {seat} insures{}", Amount(*amount))?,
            Self::InsuranceClosed { .. } => f.write_str("Insurance is closed")?,
            Self::ReaderAnswered { answer, .. } => write!(f, "Reader: {}", answer_words(*answer))?,
            Self::ReaderStopped { .. } => f.write_str("Reader is out of service")?,
            Self::ReaderWrong { said, .. } => {
                write!(f, "Reader said {}, the hole card says otherwise", answer_words(*said))?;
            }
            Self::BlackjackAnnounced { seat, .. } => write!(f, "Seat {seat} has blackjack")?,
            Self::CardsStay { seat, .. } => write!(f, "Cards of seat {seat} stay on the table, turned sideways")?,
            Self::WagerOnCards { seat, .. } => write!(f, "Bet of seat {seat} waits on top of the cards")?,
            Self::Acted { seat, hand, action, amount, .. } => {
                write!(f, "Seat {seat}{} {}{}", HandNumber(*hand), action_word(*action), Amount(*amount))?;
            }
            Self::HoleCardRevealed { card, total, soft, .. } => {
                write!(f, "Hole card {card}: dealer has {}{total}", if *soft { "soft " } else { "" })?;
            }
            Self::CardTurned { seat, hand, card, .. } => write!(f, "Seat {seat}{} turns {card}", HandNumber(*hand))?,
            Self::DealerStands { total, .. } if *total > 21 => write!(f, "Dealer busts with {total}")?,
            Self::DealerStands { total, soft, .. } => {
                write!(f, "Dealer stands on {}{total}", if *soft { "soft " } else { "" })?;
            }
            Self::DealerMayNotDraw { total, .. } => write!(f, "Dealer stays on {total}: no open hands")?,
            Self::AmountTold { seat, wager, amount, .. } => write!(f, "Seat {seat}'s {} is {amount}", Bet(*wager))?,
            Self::MeterRead { wager, meter, amount, .. } => write!(f, "{} reads {amount}", MeterOf(*wager, *meter))?,
            Self::TableClosed { .. } => f.write_str("Table is closed")?,
            Self::DecksReceived { count, preinspected, .. } => {
                let how = if *preinspected { ", preinspected and reshuffled" } else { "" };
                write!(f, "{count} decks received{how}")?;
            }
            Self::ShuffleFailed { .. } => f.write_str("Shuffle failed: shuffle again")?,
            Self::BatchInPlay { second, .. } => {
                write!(f, "{} batch goes into play", if *second { "Second" } else { "First" })?;
            }
            Self::CutRefused { seat, .. } => write!(f, "Seat {seat} does not cut")?,
            Self::CutMade { by: Cutter::Seat(seat), depth, .. } => write!(f, "Seat {seat} cuts at {depth}")?,
            Self::CutMade { by: Cutter::Dealer, depth, .. } => write!(f, "Dealer cuts at {depth}")?,
            Self::CoverPlaced { from_bottom, .. } => write!(f, "Cover card {from_bottom} cards from the bottom")?,
            Self::ShoeLoaded { in_hand: false, .. } => f.write_str("Shoe is loaded")?,
            Self::ShoeLoaded { in_hand: true, .. } => f.write_str("Cards are in the dealer's hand")?,
            Self::DecksAgeing { minutes_left: 0, .. } => f.write_str("Decks must change now")?,
            Self::DecksAgeing { minutes_left: 1, .. } => f.write_str("Decks must change within 1 minute")?,
            Self::DecksAgeing { minutes_left, .. } => write!(f, "Decks must change within {minutes_left} minutes")?,
            Self::Irregularity { seat, card, source } => {
                write!(f, "{}", WentWrong { source: *source, seat: *seat, card: *card })?;
            }
            Self::Answered { seat, accepted: true, .. } => write!(f, "Seat {seat} takes the card")?,
            Self::Answered { seat, accepted: false, .. } => write!(f, "Seat {seat} refuses the card")?,
            Self::SideNamed { side, card, first_card, .. } => {
                let side = side_word(*side);
                let then = if *first_card { "it is the first card" } else { "it goes aside" };
                write!(f, "{card} picks the {side} side; {then}")?;
            }
            Self::MeterFed { wager, meter, staked, amount, .. } => {
                write!(f, "{} {amount}, fed by bets of {staked}", MeterOf(*wager, *meter))?;
            }
            Self::MeterReversed { wager, meter, seat, staked, amount, .. } => {
                write!(f, "{} {amount}, the {staked} of seat {seat} taken back out", MeterOf(*wager, *meter))?;
            }
            Self::MeterSeeded { wager, meter, seed, amount, .. } => {
                let (cents, rest) = (seed.whole_cents(), seed.sub_cent().millionths());
                let meter = MeterOf(*wager, *meter);
                write!(f, "{meter} {amount}, {cents} of what went back made good by the house")?;
                if rest != 0 {
                    write!(f, ", and {rest} millionths of a cent")?;
                }
            }
            Self::MeterPaid { wager, meter, seat, paid, seed, amount, .. } => {
                write!(f, "{} paid {paid} to seat {seat} and stands at {amount}", MeterOf(*wager, *meter))?;
                if let Some(seed) = seed {
                    write!(f, ", {seed} of it seeded by the house")?;
                }
            }
            Self::WheelStopped { seat, wager, symbol, .. } => {
                write!(f, "{} wheel stops for seat {seat} on {}", wager.short_title(), symbol.as_str())?;
            }
            Self::Drawn { draw, .. } => match draw {
                Draw::Magic(card) => write!(f, "Drawn: Magic Card {card}")?,
                Draw::Player(seat) => write!(f, "Drawn: Lucky Player seat {seat}")?,
                Draw::MustHit(seat) => write!(f, "Drawn: Must Hit winner seat {seat}")?,
                Draw::None => f.write_str("Drawn: nothing more")?,
            },
            Self::Verified { lamp: true, .. } => f.write_str("Lamp checked")?,
            Self::Verified { lamp: false, .. } => f.write_str("Hand checked")?,
            Self::Settled(line) => write!(f, "{}", Capital(describe_line(line)))?,
            Self::LineConfirmed { seat, hand, wager, implied, .. } => {
                let how = if *implied { "Done by moving on" } else { "Done" };
                write!(f, "{how}: seat {seat}{}, {}", HandNumber(*hand), wager.short_title())?;
            }
            Self::Approved { by, .. } => f.write_str(approved(*by))?,
            Self::StepDone { source } => f.write_str(step(*source))?,
            Self::RoundVoid { .. } => f.write_str("Round is void: all hands dead, cards collected, bets returned")?,
            Self::PaidBeforeVoid { seat, hand, wager, paid, .. } => {
                write!(f, "Paid before the void: seat {seat}{}, {}", HandNumber(*hand), wager.short_title())?;
                match paid {
                    Some(paid) => write!(f, ", {paid}")?,
                    None => f.write_str(", amount by the chips")?,
                }
            }
            Self::PaymentsAnswered { answer: PaymentsAnswer::Stand, reason, .. } => {
                write!(f, "Payments before the void stand, \"{}\"", reason.as_str())?;
            }
            Self::PaymentsAnswered { answer: PaymentsAnswer::Back, reason, .. } => {
                write!(f, "Payments before the void are taken back, \"{}\"", reason.as_str())?;
            }
            Self::PaymentsLeft { .. } => f.write_str("Nothing was said of the payments before the void: they stand")?,
            Self::Rejected { seat, hand, wager, reason, .. } => {
                write!(f, "Not validated: seat {seat}{}, {}", HandNumber(*hand), wager.short_title())?;
                write!(f, ", \"{}\"", reason.as_str())?;
            }
            Self::RoundEnded { .. } => f.write_str("Round over: cards to the discard rack, in order")?,
            Self::RoundReopened { .. } => f.write_str("Round is open again")?,
            Self::Undone { input, .. } => write!(f, "Undone: {}", input.spoken())?,
            Self::Corrected { input, reason, across_reveal, .. } => {
                let alert = if *across_reveal { " (ALERT: the hole card had been turned)" } else { "" };
                write!(f, "Corrected: {} taken back, \"{}\"{alert}", input.spoken(), reason.as_str())?;
            }
        }
        write!(f, " [{}]", self.source())
    }
}

const fn answer_words(answer: PeekAnswer) -> &'static str {
    match answer {
        PeekAnswer::Yes => "blackjack",
        PeekAnswer::No => "no blackjack",
        PeekAnswer::Unread => "could not read",
    }
}
