//! Words for people: prompts, events and lines as one sentence each, with the source at the end.
//!
//! Nothing here decides; and nothing here runs unless somebody wants to read.

mod events;
mod happened;
mod pit;

use std::cmp::Ordering;
use std::fmt;

pub use events::MeterOf;
pub use pit::{ORDER_MAX, PitLines, SITUATION_MAX, Scene};

use crate::line::{Approval, Handling, Line, Outcome, Stake};
use crate::money::Cents;
use crate::posting::line_words;
use crate::prompt::{Apart, Order, Prompt};
use crate::table::ShoeSide;
use crate::wager::{Bet, WagerId};

impl fmt::Display for Prompt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, several_hands) = (self.line.as_ref(), self.several_hands);
        let order = OrderInWords { order: self.order, line, several_hands, scene: Scene::default() };
        write!(f, "{order} [{}", self.source)?;
        self.source.besides().try_for_each(|id| write!(f, ", {id}"))?;
        f.write_str("]")
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
    /// What else the short lines say; the long form needs none of it.
    pub scene: Scene,
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
                write!(f, "Verify that the lamp of seat {} is lit for {}", line.seat, line.wager.short_title())
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
            Self::SettleLine { .. } => f.write_str("Settle the next bet"),
            Self::AnswerPayments => f.write_str(
                "Floorperson: do the payments made before the void stand, or are they taken back? They stand if nothing is \
                 said",
            ),
            Self::VerifyHand => f.write_str("Verify the hand"),
            Self::VerifyLamp => f.write_str("Verify the lamp"),
            Self::ApproveLine => f.write_str("Floorperson: approve the next bet"),
            Self::ApproveLineSecond => f.write_str("Second person: approve the next bet"),
            Self::TakeWagers { cover_seen: false } => f.write_str("Take bets, then lock"),
            Self::TakeWagers { cover_seen: true } => {
                f.write_str("Take bets, then lock: the last round before the cards are shuffled")
            }
            Self::RepairReader => f.write_str("The reader is out of service: no round begins until it is repaired"),
            Self::ChangeDecks { count, wagers_lie: false } => {
                write!(f, "The decks have to be changed before the next round: receive {count} decks")
            }
            Self::ChangeDecks { wagers_lie: true, .. } => {
                f.write_str("The decks have to be changed before the next round: give the bets back first")
            }
            Self::ChangeCash(seat) => {
                write!(f, "Repeat and confirm seat {seat}'s spoken bet, change the cash into chips, enter the bet")
            }
            Self::TableClosed => f.write_str("The table is closed: a floorperson opens it"),
            Self::ReceiveDecks(count) => write!(f, "Receive {count} decks at the table"),
            Self::InspectCards => f.write_str("Dealer: inspect the cards for defects"),
            Self::VerifyInspection => f.write_str("Floorperson: verify the inspection"),
            Self::RemoveTens => f.write_str("Remove every ten, tear it in half and put it into the box"),
            Self::ConfirmTens => f.write_str(
                "Floorperson: confirm how many tens were torn, and that 48 cards a deck remain; or count them again",
            ),
            Self::SpreadCards(apart) => {
                write!(f, "Spread the cards face up in fans, by deck, suit and sequence{}", each_by_itself(apart))
            }
            Self::LetPlayerInspect { idle: false } => f.write_str("Let the first player inspect the cards"),
            Self::LetPlayerInspect { idle: true } => f.write_str(
                "Let the first player inspect the cards; they lie face down, or face up if a player asks for it",
            ),
            Self::WashCards(apart) => {
                write!(f, "Turn the cards face down, wash and stack them{}", each_by_itself(apart))
            }
            Self::Shuffle(Apart::Nothing) => f.write_str("Shuffle the cards into one stack"),
            Self::Shuffle(apart @ (Apart::Sides | Apart::Batches)) => {
                write!(f, "Shuffle the cards{}; a stack for each", each_by_itself(apart))
            }
            Self::SwapBatches => f.write_str(
                "Stack the cards and put them into the shuffler, take out the batch that waits in it; that batch is not \
                 spread or shuffled again, unless a player asks for it",
            ),
            Self::IntoShuffler => f.write_str("Stack the cards and put them into the shuffler to be shuffled"),
            Self::ShuffleSide(side) => write!(f, "Collect and shuffle the {} side of the shoe", side_word(side)),
            Self::OfferCut(Some(seat)) => write!(f, "Offer the cut to seat {seat}, the backs of the cards away from you"),
            Self::OfferCut(None) => f.write_str("Nobody cuts: dealer, cut the cards"),
            Self::PlaceCover { least, side: None } => {
                write!(f, "{TOP_TO_BOTTOM} Put the cover card at least {least} cards from the bottom")
            }
            Self::PlaceCover { least, side: Some(side) } => {
                let side = side_word(side);
                write!(
                    f,
                    "{TOP_TO_BOTTOM} Put the cover card of the {side} side at least {least} cards from the bottom"
                )
            }
            Self::LoadShoe { burn: true } => f.write_str("Load the shoe, then burn the first card"),
            Self::LoadShoe { burn: false } => f.write_str("Load both sides of the shoe"),
            Self::LoadSide(side) => write!(f, "Load the {} side of the shoe", side_word(side)),
            Self::TakeIntoHand => f.write_str("Put the cards on their cover card and take both into one hand"),
            Self::OfferCutToAnyone => {
                f.write_str(
                    "Offer the cut to the first player, the backs of the cards away from you; if nobody is there, dealer, \
                     cut the cards",
                )
            }
            Self::OfferCutOfSide { seat, side } => {
                let side = side_word(side);
                match seat {
                    Some(seat) => write!(
                        f,
                        "Offer the cut of the {side} side to seat {seat}, the backs of the cards away from you"
                    ),
                    None => write!(f, "Nobody cuts: dealer, cut the {side} side"),
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
            Self::DealHit { seat, hand, missed: false } => {
                write!(f, "Deal a card face up to seat {seat}{}", number(hand))
            }
            Self::DealHit { seat, hand, missed: true } => {
                write!(f, "All others have their cards: deal the missed card face up to seat {seat}{}", number(hand))
            }
            Self::DealDouble { seat, hand, missed: false } => {
                write!(f, "Deal one card sideways to seat {seat}{}", number(hand))
            }
            Self::DealDouble { seat, hand, missed: true } => {
                write!(f, "All others have their cards: deal the missed card sideways to seat {seat}{}", number(hand))
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
            Self::TellAmount { seat, wager } => write!(f, "Tell the amount of seat {seat}'s {}", Bet(wager)),
            Self::TellDraw { must_hit_falls: true } => {
                f.write_str("The Must Hit meter falls this round: draw its winner")
            }
            Self::TellDraw { must_hit_falls: false } => f.write_str("Tell what is drawn in this round, or that nothing is"),
            Self::SpinWheel { wager: wager @ WagerId::BonusSpinXtreme, .. } => {
                write!(f, "Spin the {} wheel, and name the hot spot's seat with its symbol", wager.short_title())
            }
            Self::SpinWheel { seat, wager } => write!(f, "Spin the {} wheel for seat {seat}", wager.short_title()),
            Self::SettleFirstCardWagers => f.write_str("Settle the bets on the first cards, then go on"),
            Self::TellPersons => f.write_str("Tell which boxes belong to one person, then go on"),
            Self::DealAndTellUpCard => f.write_str("Deal two cards to each box and the dealer, then tell the up card"),
            Self::ServeDecisions => {
                f.write_str("Serve the players' decisions; tap a blackjack or surrender on its seat")
            }
            Self::MarkBlackjacks => f.write_str("Dealer blackjack: turn the hole card and tap the players' blackjacks"),
            Self::MarkMissedBlackjacks => f.write_str(
                "The reader missed a blackjack: tap the players' blackjacks; each other box loses its original bet in \
                 all, so give back what else was taken, then go on",
            ),
            Self::RevealStep => f.write_str("Turn the hole card face up"),
            Self::DealerDrawsStep => f.write_str("Draw the dealer's cards"),
            Self::SettleStep => f.write_str("Settle all bets, then clear the cards to the discard rack"),
        }
    }
}

/// What follows a cut, before the cover card has its place (5.E(1)).
const TOP_TO_BOTTOM: &str = "Put the cards above the cover card under the stack.";

/// What must not be mixed, at the end of an order.
fn each_by_itself(apart: Apart) -> &'static str {
    match apart {
        Apart::Nothing => "",
        Apart::Sides => ", each side of the shoe by itself",
        Apart::Batches => ", each batch by itself: the backs of one color only",
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

/// `seat 2, main bet: won, blackjack, 3 to 2, pays $15`, with who has to approve it.
fn describe_line(line: &Line) -> String {
    format!("{}{}", what_happens(line, false), approval_words(line))
}

fn approval_words(line: &Line) -> &'static str {
    match line.approval {
        Approval::NotNeeded | Approval::Answered => "",
        Approval::Floor | Approval::Progressive => " (floorperson approves)",
        Approval::ProgressiveBySecond => " (floorperson and a second person approve)",
    }
}

/// The line without its approval; `several`: its box has more than one hand, so that a main wager's first is numbered too.
fn what_happens(line: &Line, several: bool) -> String {
    let hand = OneOfSeveral { hand: line.hand, several: several && line.wager == WagerId::Main };
    let mut text = format!("seat {}{hand}, {}: {}", line.seat, line.wager.short_title(), line.outcome.word());
    if *line.name != line.outcome.word() {
        text.push_str(&format!(", {}", line_name(line)));
    }
    if let Some(pay) = line.pay {
        // A record keeps the meter's own name.
        text.push_str(&format!(", {pay}").replace("must-hit", "Must Hit"));
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

/// The line's name as the pit says it, and for a side bet as the sign does: a record keeps the name of the paytable.
fn line_name(line: &Line) -> String {
    line_words(line.wager, line.name).unwrap_or_else(|| (*line.name).to_owned()).replace("wager", "bet")
}

/// A text that begins a sentence.
#[derive(Clone, Copy, Debug)]
pub struct Capital<T>(pub T);

impl<T: fmt::Display> fmt::Display for Capital<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.to_string();
        let mut rest = text.chars();
        match rest.next() {
            Some(first) => write!(f, "{}{}", first.to_uppercase(), rest.as_str()),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", Capital(describe_line(self)), self.source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::Due;

    fn order(order: Order, line: &Line) -> String {
        OrderInWords { order, line: Some(line), several_hands: false, scene: Scene::default() }.to_string()
    }

    #[test]
    fn a_line_is_to_be_approved_until_it_is() {
        let line =
            Line { approval: Approval::Floor, correction: Due::NOTHING, returned: Due::of(Cents(500)), ..Line::BLANK };
        let (position, of) = (1, 1);
        assert!(line.to_string().contains("(floorperson approves)"));
        assert!(order(Order::ApproveLine, &line).starts_with("Floorperson: approve. Give $5 to seat 1, main bet"));
        let done = order(Order::SettleLine { position, of }, &line);
        assert!(done.starts_with("Give $5 to seat 1, main bet") && !done.contains("approve"), "{done}");
        let second = Line { approval: Approval::ProgressiveBySecond, correction: Due::NONE, ..line };
        assert!(order(Order::ApproveLine, &second).contains("(floorperson and a second person approve)"));
        assert!(!order(Order::ApproveLineSecond, &second).contains("floorperson"));
    }

    #[test]
    fn the_first_of_several_hands_has_a_number_too_but_not_for_a_side_wager() {
        let side = Line { wager: WagerId::Trilux, ..Line::BLANK };
        assert!(what_happens(&Line::BLANK, true).starts_with("seat 1, hand 1, main bet: "));
        assert!(what_happens(&Line::BLANK, false).starts_with("seat 1, main bet: "));
        assert!(what_happens(&side, true).starts_with("seat 1, Trilux: "));
    }
}
