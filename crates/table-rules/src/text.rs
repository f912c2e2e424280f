//! Words for people: prompts, events and lines as one sentence each, with the source at the end.
//!
//! Nothing here decides; and nothing here runs unless somebody wants to read.

mod events;

use std::cmp::Ordering;
use std::fmt;

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
