//! Words for people: prompts, events and lines as one sentence each, with the source at the end.
//!
//! Nothing here decides; and nothing here runs unless somebody wants to read.

use std::cmp::Ordering;
use std::fmt;

use crate::event::{Action, Event, Place};
use crate::input::{Answer, Cutter, Draw, Drawn, InputKind};
use crate::line::{Approval, Handling, Line, Outcome, Stake};
use crate::money::Cents;
use crate::prompt::{Order, Prompt};
use crate::table::ShoeSide;
use crate::wager::WagerId;

impl fmt::Display for Prompt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = OrderInWords { order: self.order, line: self.line.as_ref(), several_hands: self.several_hands };
        write!(f, "{order} [{}]", self.source)
    }
}

/// An order as people read it.
#[derive(Clone, Copy, Debug)]
pub struct OrderInWords<'a> {
    pub order: Order,
    /// The line that the order is about, where it is about one.
    pub line: Option<&'a Line>,
    /// The box that it is about has more than one hand.
    pub several_hands: bool,
}

impl fmt::Display for OrderInWords<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let several = self.several_hands;
        let approved = |line| what_happens(line, several);
        let to_approve = |line: &Line| format!("{}{}", what_happens(line, several), approval_words(line));
        match (self.order, self.line) {
            (Order::SettleLine { .. }, Some(line)) => match moved(line) {
                Some(moved) => write!(f, "{moved} {}", approved(line)),
                None => write!(f, "{} {}", verb(line), approved(line)),
            },
            (Order::VerifyHand, Some(line)) => write!(f, "Verify the hand of {}", to_approve(line)),
            (Order::VerifyLamp, Some(line)) => {
                write!(f, "Verify that the lamp of seat {} is lit for {}", line.seat, line.wager)
            }
            (Order::ApproveLine, Some(line)) => match moved(line) {
                Some(moved) => write!(f, "Floorperson: approve. {moved} {}", approved(line)),
                None => write!(f, "Floorperson: approve {}", to_approve(line)),
            },
            (Order::ApproveLineSecond, Some(line)) => write!(f, "Second person: approve {}", approved(line)),
            (order, _) => order.write(several, f),
        }
    }
}

impl Order {
    /// The words of an order that stands by itself; those about a line are said with it.
    fn write(self, several_hands: bool, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |hand| OneOfSeveral { hand, several: several_hands };
        match self {
            Self::SettleLine { .. } => f.write_str("Settle the next line"),
            Self::VerifyHand => f.write_str("Verify the hand"),
            Self::VerifyLamp => f.write_str("Verify the lamp"),
            Self::ApproveLine => f.write_str("Floorperson: approve the next line"),
            Self::ApproveLineSecond => f.write_str("Second person: approve the next line"),
            Self::TakeWagers { cover_seen: false } => f.write_str("Take wagers, then lock"),
            Self::TakeWagers { cover_seen: true } => {
                f.write_str("The cover card has appeared: reshuffle before the next round")
            }
            Self::RepairReader => f.write_str("The reader is out of service: no round begins until it is repaired"),
            Self::ChangeDecks { count, wagers_lie: false } => {
                write!(f, "The decks have to be changed before the next round: receive {count} decks")
            }
            Self::ChangeDecks { wagers_lie: true, .. } => {
                f.write_str("The decks have to be changed before the next round: give the wagers back first")
            }
            Self::ChangeCash(seat) => {
                write!(f, "Repeat and confirm seat {seat}'s spoken wager, change the cash into chips, enter the wager")
            }
            Self::TableClosed => f.write_str("The table is closed: `open` begins its day"),
            Self::ReceiveDecks(count) => write!(f, "Receive {count} decks at the table"),
            Self::InspectCards => f.write_str("Dealer: inspect the cards for defects"),
            Self::VerifyInspection => f.write_str("Floorperson: verify the inspection"),
            Self::RemoveTens => f.write_str("Remove every ten, tear it in half and put it into the box"),
            Self::SpreadCards => f.write_str("Spread the cards face up, by deck, suit and sequence"),
            Self::LetPlayerInspect => f.write_str("Let the first player inspect the cards"),
            Self::WashCards => f.write_str("Turn the cards face down, wash and stack them"),
            Self::Shuffle => f.write_str("Shuffle the cards"),
            Self::ShuffleSide(side) => write!(f, "Collect and shuffle the {} side of the shoe", side_word(side)),
            Self::OfferCut(Some(seat)) => write!(f, "Offer the cut to seat {seat}"),
            Self::OfferCut(None) => f.write_str("Nobody cuts: dealer, cut the cards"),
            Self::PlaceCover { least, side: None } => {
                write!(f, "Put the cover card at least {least} cards from the bottom")
            }
            Self::PlaceCover { least, side: Some(side) } => {
                let side = side_word(side);
                write!(f, "Put the cover card of the {side} side at least {least} cards from the bottom")
            }
            Self::LoadShoe { burn: true } => f.write_str("Load the shoe, then burn the first card"),
            Self::LoadShoe { burn: false } => f.write_str("Load both sides of the shoe"),
            Self::LoadSide(side) => write!(f, "Load the {} side of the shoe", side_word(side)),
            Self::TakeIntoHand => f.write_str("Put the cards on their cover card and take both into one hand"),
            Self::OfferCutToAnyone => {
                f.write_str("Offer the cut to the first player; if nobody is there, dealer, cut the cards")
            }
            Self::OfferCutOfSide { seat, side } => {
                let side = side_word(side);
                match seat {
                    Some(seat) => write!(f, "Offer the cut of the {side} side to seat {seat}"),
                    None => write!(f, "Cut the {side} side"),
                }
            }
            Self::OfferExposedCard { seat, card } => write!(f, "Offer the exposed {card} to seat {seat}"),
            Self::OfferSecondCard { seat, hand } => {
                write!(f, "Ask seat {seat}{}: a second card now, or a dead hand", OneOfTwo(hand))
            }
            Self::OfferMissedCard(seat) => write!(f, "Ask seat {seat}: the missed card later, or a dead hand"),
            Self::TearTen => f.write_str("Floorperson: tear the ten and put it into the box"),
            Self::NotifyFloor => f.write_str("Tell a floorperson: the reader was used under a wrong up card"),
            Self::ShuffleDiscards => f.write_str("The shoe ran out: shuffle the discards"),
            Self::CutDiscards(Some(seat)) => write!(f, "Offer the cut of the discards to seat {seat}"),
            Self::CutDiscards(None) => f.write_str("Nobody cuts: dealer, cut the discards"),
            Self::DrawDeterminant => f.write_str("Draw the determinant card from either side of the shoe"),
            Self::BurnFirstCard => f.write_str("Burn the first card"),
            Self::BurnForNewDealer => f.write_str("New dealer: burn one card"),
            Self::DealFirstCard { seat, hand, face_down } => {
                write!(f, "Deal a first card face {} to seat {seat}{}", face(face_down), OneOfTwo(hand))
            }
            Self::DealUpCard => f.write_str("Deal the dealer's first card face up"),
            Self::DealSecondCard { seat, hand, face_down } => {
                write!(f, "Deal a second card face {} to seat {seat}{}", face(face_down), OneOfTwo(hand))
            }
            Self::DealHoleCard => f.write_str("Deal the dealer's second card face down"),
            Self::OfferInsurance | Self::TakeInsurance => {
                f.write_str("Offer insurance, then insert the hole card into the reader")
            }
            Self::InsertHoleCard { attempts: 0 } => f.write_str("Insert the hole card into the reader"),
            Self::InsertHoleCard { .. } => f.write_str("The reader could not read: insert the hole card again"),
            Self::ReaderStopped => f.write_str(
                "The reader is out of service: deal nothing until it is repaired or a floorperson ends the round",
            ),
            Self::AskDecision { seat, hand, total, soft } => {
                let kind = if soft { "soft" } else { "hard" };
                write!(f, "Seat {seat}{}: {kind} {total}, ask for a decision", number(hand))
            }
            Self::AskUnseenHand { seat, hand } => {
                write!(f, "Seat {seat}{}: cards face down, ask for a decision", number(hand))
            }
            Self::AskAfterDouble { seat, hand, total, redouble } => {
                let choices = if redouble { "rescue, double again or stand" } else { "rescue or stand" };
                write!(f, "Seat {seat}{}: {total} after the double; {choices}", number(hand))
            }
            Self::DealHit { seat, hand } => write!(f, "Deal a card face up to seat {seat}{}", number(hand)),
            Self::DealDouble { seat, hand } => {
                write!(f, "Deal one card sideways to seat {seat}{}", number(hand))
            }
            Self::DealSplitCard { seat, hand } => {
                write!(f, "Deal a second card to seat {seat}, hand {hand}")
            }
            Self::TurnHoleCard { blackjack: true } => f.write_str("Dealer blackjack: turn the hole card"),
            Self::TurnHoleCard { blackjack: false } => f.write_str("Turn the hole card face up"),
            Self::DealToDealer { total, soft } => {
                let kind = if soft { "soft" } else { "hard" };
                write!(f, "Dealer has {kind} {total}: draw a card face up")
            }
            Self::TurnCard { seat } => write!(f, "Turn the face-down card of seat {seat}"),
            Self::TellAmount { seat, wager } => write!(f, "Tell the amount of seat {seat}'s {wager} wager"),
            Self::TellDraw { must_hit_falls: true } => {
                f.write_str("The must-hit meter falls this round: draw its winner")
            }
            Self::TellDraw { must_hit_falls: false } => f.write_str("Tell what is drawn in this round, or `draw none`"),
            Self::SpinWheel { wager: wager @ WagerId::BonusSpinXtreme, .. } => {
                write!(f, "Spin the {wager} wheel, and name the hot spot's seat with its symbol")
            }
            Self::SpinWheel { seat, wager } => write!(f, "Spin the {wager} wheel for seat {seat}"),
            Self::SettleFirstCardWagers => f.write_str("Settle the wagers on the first cards, then `next`"),
            Self::TellPersons => f.write_str("Tell which boxes belong to one person, then `next`"),
            Self::DealAndTellUpCard => f.write_str("Deal two cards to each box and the dealer, then tell the up card"),
            Self::ServeDecisions => {
                f.write_str("Serve the players' decisions; tap a blackjack or surrender on its seat")
            }
            Self::MarkBlackjacks => f.write_str("Dealer blackjack: turn the hole card and tap the players' blackjacks"),
            Self::MarkMissedBlackjacks => f.write_str(
                "The reader missed a blackjack: tap the players' blackjacks; each other box loses its original wager in \
                 all, so give back what else was taken, then `next`",
            ),
            Self::RevealStep => f.write_str("Turn the hole card face up"),
            Self::DealerDrawsStep => f.write_str("Draw the dealer's cards"),
            Self::SettleStep => f.write_str("Settle all wagers, then clear the cards to the discard rack"),
        }
    }
}

fn side_word(side: ShoeSide) -> &'static str {
    match side {
        ShoeSide::Left => "left",
        ShoeSide::Right => "right",
    }
}

fn face(down: bool) -> &'static str {
    if down { "down" } else { "up" }
}

/// Which of a box's two hands, where it is dealt two.
struct OneOfTwo(Option<u8>);

impl fmt::Display for OneOfTwo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(hand) => write!(f, ", hand {hand}"),
            None => Ok(()),
        }
    }
}

/// A hand of a box that may have more than one: the only one has no number.
struct OneOfSeveral {
    hand: u8,
    several: bool,
}

impl fmt::Display for OneOfSeveral {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.several || self.hand > 1 { write!(f, ", hand {}", self.hand) } else { Ok(()) }
    }
}

/// Where it is not known how many hands a box has: the first one has no number.
struct HandNumber(u8);

impl fmt::Display for HandNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 > 1 { write!(f, ", hand {}", self.0) } else { Ok(()) }
    }
}

fn verb(line: &Line) -> &'static str {
    match line.handling() {
        Handling::Take => "Collect",
        Handling::Give => match line.outcome {
            Outcome::Won => "Pay",
            Outcome::Lost | Outcome::Tied | Outcome::Surrendered | Outcome::Rescued | Outcome::Dead | Outcome::Void => {
                "Return"
            }
        },
    }
}

/// The chips that a correction moves, where both amounts are known: the line itself states what the player has in the end.
fn moved(line: &Line) -> Option<String> {
    let (had, has) = (line.correction.amount()?, line.to_player()?);
    Some(match has.cmp(&had) {
        Ordering::Greater if had == Cents::ZERO => format!("Give {has} to"),
        Ordering::Greater => format!("Give {} more to", has - had),
        Ordering::Less => format!("Take back {} from", had - has),
        Ordering::Equal => "No chips move:".to_owned(),
    })
}

/// `seat 2 main: won, blackjack, 3 to 2, pays $15`, with who has to approve it.
fn describe_line(line: &Line) -> String {
    format!("{}{}", what_happens(line, false), approval_words(line))
}

fn approval_words(line: &Line) -> &'static str {
    match line.approval {
        Approval::NotNeeded => "",
        Approval::Floor | Approval::Progressive => " (floorperson approves)",
        Approval::ProgressiveBySecond => " (floorperson and a second person approve)",
    }
}

/// The line without its approval; `several`: its box has more than one hand, so that a main wager's first is numbered too.
fn what_happens(line: &Line, several: bool) -> String {
    let hand = OneOfSeveral { hand: line.hand, several: several && line.wager == WagerId::Main };
    let mut text = format!("seat {}{hand} {}: {}", line.seat, line.wager, line.outcome.word());
    if *line.name != line.outcome.word() {
        text.push_str(&format!(", {}", line.name));
    }
    if let Some(pay) = line.pay {
        text.push_str(&format!(", {pay}"));
    }
    if line.is_share {
        text.push_str(", cut to a share of the maximum");
    }
    match (line.stake, line.pays.amount(), line.returned.amount()) {
        (Stake::UNKNOWN, None, _) | (Stake::UNKNOWN, _, None) => text.push_str(", amount by the chips"),
        (_, pays, returned) => {
            if let Some(pays) = pays.filter(|&pays| pays != Cents::ZERO) {
                text.push_str(&format!(", pays {pays}"));
            }
            if let Some(returned) = returned.filter(|&returned| returned != Cents::ZERO) {
                text.push_str(&format!(", returns {returned}"));
            }
            if let (Some(kept), Handling::Take) = (line.kept(), line.handling()) {
                text.push_str(&format!(", takes {kept}"));
            }
        }
    }
    if let Some(earlier) = line.correction.amount() {
        text.push_str(&format!(" (correction: the player had received {earlier})"));
    }
    text
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", describe_line(self), self.source)
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::Due;

    fn order(order: Order, line: &Line) -> String {
        OrderInWords { order, line: Some(line), several_hands: false }.to_string()
    }

    #[test]
    fn a_line_is_to_be_approved_until_it_is() {
        let line =
            Line { approval: Approval::Floor, correction: Due::NOTHING, returned: Due::of(Cents(500)), ..Line::BLANK };
        let (position, of) = (1, 1);
        assert!(line.to_string().contains("(floorperson approves)"));
        assert!(order(Order::ApproveLine, &line).starts_with("Floorperson: approve. Give $5 to seat 1 main"));
        let done = order(Order::SettleLine { position, of }, &line);
        assert!(done.starts_with("Give $5 to seat 1 main") && !done.contains("approve"), "{done}");
        let second = Line { approval: Approval::ProgressiveBySecond, correction: Due::NONE, ..line };
        assert!(order(Order::ApproveLine, &second).contains("(floorperson and a second person approve)"));
        assert!(!order(Order::ApproveLineSecond, &second).contains("floorperson"));
    }

    #[test]
    fn the_first_of_several_hands_has_a_number_too_but_not_for_a_side_wager() {
        let side = Line { wager: WagerId::Trilux, ..Line::BLANK };
        assert!(what_happens(&Line::BLANK, true).starts_with("seat 1, hand 1 main: "));
        assert!(what_happens(&Line::BLANK, false).starts_with("seat 1 main: "));
        assert!(what_happens(&side, true).starts_with("seat 1 trilux: "));
    }
}
