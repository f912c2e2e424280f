//! The order as a dealer reads it at arm's length: one short line that says what is the matter, and one that says what
//! to do. A test measures both over everything that is played in tests.

mod line;

use std::fmt;

use line::{approving, jackpot, settling};

use super::{Capital, OrderInWords, side_word};
use crate::card::{Card, Rank, Suit};
use crate::input::UpGroup;
use crate::line::Approval;
use crate::prompt::{Apart, Order};
use crate::seat::Seat;
use crate::wager::WagerId;

/// Characters that fit on a screen's first line.
pub const SITUATION_MAX: usize = 35;
/// Characters that fit on its second line, which is bold.
pub const ORDER_MAX: usize = 30;

/// The two lines at the top of a screen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PitLines {
    pub situation: String,
    pub order: String,
}

impl PitLines {
    pub fn new(situation: impl Into<String>, order: impl Into<String>) -> Self {
        Self { situation: situation.into(), order: order.into() }
    }

    /// The line that no screen has room for, if one of them is.
    pub fn too_long(&self) -> Option<&str> {
        let lines = [(&self.situation, SITUATION_MAX), (&self.order, ORDER_MAX)];
        lines.into_iter().find(|(text, most)| text.chars().count() > *most).map(|(text, _)| text.as_str())
    }
}

impl fmt::Display for PitLines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.situation, self.order)
    }
}

/// What the two lines say beside the order itself. Only what lies open on the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Scene {
    /// Boxes with a main wager.
    pub boxes: u32,
    pub up: Option<Card>,
    pub group: Option<UpGroup>,
    /// The counts that decide the line that the order is about: the player's, and the dealer's once it is known.
    pub player: Option<u8>,
    pub dealer: Option<u8>,
    pub doubled: bool,
    /// The cover card is out: the cards are shuffled after this round (7.C; blackjack 7.D).
    pub last_round: bool,
    /// No hand depends on the dealer's count, so the dealer does not draw (7.N).
    pub no_open_hands: bool,
    /// Minutes until the decks have to be changed, once that is near.
    pub decks_minutes: Option<u32>,
}

impl OrderInWords<'_> {
    /// The order in the language of the pit.
    pub fn lines(&self) -> PitLines {
        match (self.order, self.line) {
            (Order::SettleLine { .. }, Some(line)) => PitLines::new(self.reason(line), settling(line)),
            (Order::VerifyHand, Some(line)) => PitLines::new(jackpot(line), "Check the hand."),
            (Order::VerifyLamp, Some(line)) => PitLines::new(jackpot(line), "Check that the lamp is lit."),
            (Order::ApproveLine, Some(line)) => match line.approval {
                Approval::Progressive | Approval::ProgressiveBySecond => PitLines::new(jackpot(line), approving(line)),
                Approval::NotNeeded | Approval::Answered | Approval::Floor => {
                    PitLines::new(self.reason(line), approving(line))
                }
            },
            (Order::ApproveLineSecond, Some(line)) => PitLines::new(jackpot(line), "Second person: approve."),
            (order, _) => self.standing_alone(order),
        }
    }

    /// The lines of an order that needs no line of settlement.
    fn standing_alone(&self, order: Order) -> PitLines {
        let hand = |seat, hand| self.hand(seat, Some(hand));
        match order {
            Order::TakeWagers { cover_seen: true } => match self.scene.boxes {
                0 => PitLines::new("Cover card is out.", "Last round, then shuffle."),
                _ => PitLines::new("Last round, then shuffle.", "Lock before the first card."),
            },
            Order::TakeWagers { cover_seen: false } => match (self.scene.boxes, self.scene.decks_minutes) {
                (0, Some(1)) => PitLines::new("Decks must change.", "1 minute left."),
                (0, Some(minutes)) => PitLines::new("Decks must change.", format!("{minutes} minutes left.")),
                (boxes, _) => boxes_in_play(boxes),
            },
            Order::RepairReader => PitLines::new("Reader is out of service.", "Call the floor. No new round."),
            Order::ChangeDecks { count, wagers_lie: false } => {
                PitLines::new("Decks must change.", format!("Receive {count} new decks."))
            }
            Order::ChangeDecks { wagers_lie: true, .. } => {
                PitLines::new("Decks must change.", "Give the bets back first.")
            }
            Order::ChangeCash(seat) => PitLines::new(format!("Seat {seat} bets cash."), "Call it, change it to chips."),
            Order::TableClosed => PitLines::new("Table is closed.", "Floor opens the table."),
            Order::ReceiveDecks(count) => PitLines::new("Table is opening.", format!("Receive {count} decks.")),
            Order::InspectCards => PitLines::new("New decks are here.", "Check the cards for damage."),
            Order::VerifyInspection => PitLines::new("Dealer checked the cards.", "Floor: verify the check."),
            Order::RemoveTens => PitLines::new("No tens in this game.", "Take out and tear every ten."),
            Order::ConfirmTens => PitLines::new("Tens torn: not the usual number.", "Floor: 48 cards a deck left?"),
            Order::SpreadCards(Apart::Nothing) => {
                PitLines::new("By deck, by suit, in order.", "Spread face up in fans.")
            }
            Order::SpreadCards(Apart::Sides) => {
                PitLines::new("Do not mix the two sides.", "Spread each side by itself.")
            }
            Order::SpreadCards(Apart::Batches) => {
                PitLines::new("Do not mix the back colors.", "Spread each batch by itself.")
            }
            Order::LetPlayerInspect { idle: false } => {
                PitLines::new("Cards are spread.", "Let a player check the cards.")
            }
            Order::LetPlayerInspect { idle: true } => {
                PitLines::new("Cards face down, or up if asked.", "Let a player check the cards.")
            }
            Order::WashCards(Apart::Nothing) => PitLines::new("Cards are spread.", "Face down, wash, stack."),
            Order::WashCards(Apart::Sides) => PitLines::new("Do not mix the two sides.", "Wash each side by itself."),
            Order::WashCards(Apart::Batches) => {
                PitLines::new("Do not mix the back colors.", "Wash each batch by itself.")
            }
            Order::Shuffle(Apart::Nothing) => PitLines::new("Shuffle is due.", "Shuffle into one stack."),
            Order::Shuffle(Apart::Sides) => PitLines::new("Do not mix the two sides.", "Shuffle each side by itself."),
            Order::Shuffle(Apart::Batches) => {
                PitLines::new("Do not mix the back colors.", "Shuffle each batch by itself.")
            }
            Order::SwapBatches => PitLines::new("No new spread unless asked for.", "Cards in, other batch out."),
            Order::IntoShuffler => PitLines::new("Cards are checked.", "Stack them, into the shuffler."),
            Order::ShuffleSide(side) => {
                let side = side_word(side);
                PitLines::new(format!("Cover card out, {side} side."), format!("Shuffle the {side} side."))
            }
            Order::OfferCut(Some(seat)) => {
                PitLines::new("Backs of the stack away from you.", format!("Offer the cut to seat {seat}."))
            }
            Order::OfferCut(None) => PitLines::new("Nobody cuts.", "Dealer cuts the cards."),
            Order::OfferCutToAnyone => PitLines::new("Backs of the stack away from you.", "Offer the cut, else cut."),
            Order::OfferCutOfSide { seat: Some(seat), side } => PitLines::new(
                format!("{} side, backs away from you.", Capital(side_word(side))),
                format!("Offer the cut to seat {seat}."),
            ),
            Order::OfferCutOfSide { seat: None, side } => {
                PitLines::new("Nobody cuts.", format!("Dealer cuts the {} side.", side_word(side)))
            }
            Order::PlaceCover { least, side: None } => {
                PitLines::new("Top part goes to the bottom.", format!("Leave {least}+ below cover card."))
            }
            Order::PlaceCover { least, side: Some(side) } => PitLines::new(
                format!("{} side: top part to the bottom.", Capital(side_word(side))),
                format!("Leave {least}+ below cover card."),
            ),
            Order::LoadShoe { burn: true } => PitLines::new("Cover card is in.", "Load the shoe, burn a card."),
            Order::LoadShoe { burn: false } => PitLines::new("Cover cards are in.", "Load both sides."),
            Order::LoadSide(side) => PitLines::new("Cover card is in.", format!("Load the {} side.", side_word(side))),
            Order::TakeIntoHand => PitLines::new("Cover card lies below.", "Take the cards in one hand."),
            Order::OfferExposedCard { seat, card } => PitLines::new(
                format!("{} counts as the next card.", Sign(card)),
                format!("Offer {} to seat {seat}.", Sign(card)),
            ),
            Order::OfferSecondCard { seat, hand } => {
                PitLines::new(format!("{} has one card.", self.hand(seat, hand)), "Ask: card now or dead hand?")
            }
            Order::OfferMissedCard(seat) => {
                PitLines::new(format!("Seat {seat} was passed over."), "Ask: card later or dead hand?")
            }
            Order::TearTen => PitLines::new("A ten came out.", "Floor: tear it, into the box."),
            Order::NotifyFloor => match self.scene.up {
                Some(card) => PitLines::new(format!("Peeked under {}.", a_card(card.rank())), "Call the floor."),
                None => PitLines::new("Peeked under a wrong card.", "Call the floor."),
            },
            Order::ShuffleDiscards => PitLines::new("The shoe is empty.", "Shuffle the discards."),
            Order::CutDiscards(Some(seat)) => {
                PitLines::new("Discards are shuffled.", format!("Offer the cut to seat {seat}."))
            }
            Order::CutDiscards(None) => PitLines::new("Nobody cuts.", "Dealer cuts the discards."),
            Order::DrawDeterminant => PitLines::new("First card picks the side.", "Draw from either side."),
            Order::BurnFirstCard => PitLines::new("Before the first card.", "Burn one card."),
            Order::BurnForNewDealer => PitLines::new("New dealer.", "Burn one card."),
            Order::DealFirstCard { seat, hand, face_down } => {
                PitLines::new(self.round_word("First cards."), deal(seat, hand, face_down))
            }
            Order::DealSecondCard { seat, hand, face_down } => {
                PitLines::new(self.round_word("Second cards."), deal(seat, hand, face_down))
            }
            Order::DealUpCard => PitLines::new(self.round_word("First cards."), "Your card, face up."),
            Order::DealHoleCard => PitLines::new(self.round_word("Second cards."), "Your card, face down."),
            Order::OfferInsurance | Order::TakeInsurance => {
                PitLines::new("Ace up: tap who insures.", "Then hole card into reader.")
            }
            Order::InsertHoleCard { attempts: 0 } => PitLines::new(self.up_card(), "Hole card into the reader."),
            Order::InsertHoleCard { .. } => PitLines::new("Reader could not read.", "Insert the hole card again."),
            Order::ReaderStopped => PitLines::new("STOP. No more cards.", "Reader is out. Call the floor."),
            Order::AskDecision { seat, hand: at, total, soft } => {
                PitLines::new(self.round_word("Player decides."), format!("{}: {} {total}", hand(seat, at), kind(soft)))
            }
            Order::AskUnseenHand { seat, hand: at } => {
                PitLines::new(self.round_word("Player decides."), format!("{}: cards down", hand(seat, at)))
            }
            Order::AskAfterDouble { seat, hand: at, total, redouble } => PitLines::new(
                format!("{} doubled: {total}.", hand(seat, at)),
                if redouble { "Rescue, double again or stand?" } else { "Rescue or stand?" },
            ),
            Order::DealHit { seat, hand: at, missed: false } => {
                let who = hand(seat, at);
                PitLines::new(format!("{who} hits."), format!("Card to s{}.", &who[1..]))
            }
            Order::DealDouble { seat, hand: at, missed: false } => {
                PitLines::new(format!("{} doubles.", hand(seat, at)), "One card, sideways.")
            }
            Order::DealHit { seat, hand: at, missed: true } => {
                PitLines::new(format!("{} was passed over.", hand(seat, at)), "Now the missed card.")
            }
            Order::DealDouble { seat, hand: at, missed: true } => {
                PitLines::new(format!("{} was passed over.", hand(seat, at)), "Now the missed card, sideways.")
            }
            Order::DealSplitCard { seat, hand } => {
                PitLines::new(format!("Seat {seat} splits."), format!("Card to seat {seat}, hand {hand}."))
            }
            Order::TurnHoleCard { blackjack: true } => PitLines::new("Dealer has blackjack.", "Turn the hole card."),
            Order::TurnHoleCard { blackjack: false } if self.scene.no_open_hands => {
                PitLines::new("No open hands.", "Turn it, then draw no card.")
            }
            Order::TurnHoleCard { blackjack: false } => PitLines::new("Players are done.", "Turn the hole card."),
            Order::DealToDealer { total, soft } => {
                PitLines::new(format!("Dealer has {} {total}.", kind(soft)), "Draw a card.")
            }
            Order::TurnCard { seat } => PitLines::new(format!("Seat {seat} has a card face down."), "Turn it face up."),
            Order::TellAmount { seat, wager } => {
                PitLines::new(format!("Seat {seat}: {}.", wager.short_title()), "How much is it?")
            }
            Order::TellPersons => PitLines::new("Same player on several boxes?", "Tap them, then Next."),
            Order::TellDraw { must_hit_falls: true } => PitLines::new("Must Hit falls this round.", "Draw its winner."),
            Order::TellDraw { must_hit_falls: false } => {
                PitLines::new("Random draw.", "Enter what was drawn, or none.")
            }
            Order::SpinWheel { wager: wager @ WagerId::BonusSpinXtreme, .. } => {
                PitLines::new(format!("{}.", wager.short_title()), "Spin, then tap the hot spot.")
            }
            Order::SpinWheel { seat, wager } => {
                PitLines::new(format!("Seat {seat}: {}.", wager.short_title()), "Spin the wheel.")
            }
            Order::SettleFirstCardWagers => PitLines::new("Bets on the first cards.", "Settle them, then Next."),
            Order::DealAndTellUpCard => PitLines::new(self.two_cards_each(), "Tap the dealer's up card."),
            Order::ServeDecisions => PitLines::new("Players decide.", "Serve the players, then Next."),
            Order::MarkBlackjacks => PitLines::new("Dealer has blackjack.", "Turn it. Tap the blackjacks."),
            Order::MarkMissedBlackjacks => PitLines::new("Reader missed a blackjack.", "Tap the players' blackjacks."),
            Order::RevealStep => PitLines::new("Players are done.", "Turn the hole card."),
            Order::DealerDrawsStep => PitLines::new("Hole card is up.", "Draw the dealer's hand."),
            Order::SettleStep => PitLines::new("Dealer's hand is done.", "Settle all bets, clear cards."),
            Order::SettleLine { .. } => PitLines::new("Settlement.", "Settle the next bet."),
            Order::VerifyHand => PitLines::new("Jackpot.", "Check the hand."),
            Order::VerifyLamp => PitLines::new("Jackpot.", "Check that the lamp is lit."),
            Order::AnswerPayments => PitLines::new("Void. Some bets were paid.", "Floor: do payments stand?"),
            Order::ApproveLine => PitLines::new("Settlement.", "Floor: approve."),
            Order::ApproveLineSecond => PitLines::new("Jackpot.", "Second person: approve."),
        }
    }

    /// What is the matter, with the cover card that somebody may have to be reminded of.
    fn round_word(&self, situation: &str) -> String {
        if self.scene.last_round { format!("Last round. {situation}") } else { situation.to_owned() }
    }

    fn two_cards_each(&self) -> &'static str {
        if self.scene.last_round { "Last round. Two cards each." } else { "Two cards each, one down." }
    }

    fn up_card(&self) -> String {
        match (self.scene.up, self.scene.group) {
            (Some(card), _) => format!("{} up.", rank_word(card.rank())),
            (None, Some(UpGroup::Ace)) => "Ace up.".to_owned(),
            (None, Some(UpGroup::Ten)) => "Ten or face card up.".to_owned(),
            (None, Some(UpGroup::Low) | None) => "Cards are out.".to_owned(),
        }
    }

    /// `Seat 4`, or `Seat 4, hand 3` where the box has more than one.
    fn hand(&self, seat: Seat, hand: Option<u8>) -> String {
        match hand {
            Some(hand) if self.several_hands || hand > 1 => format!("Seat {seat}, hand {hand}"),
            Some(_) | None => format!("Seat {seat}"),
        }
    }
}

fn boxes_in_play(boxes: u32) -> PitLines {
    match boxes {
        0 => PitLines::new("Bets are open.", "Tap the boxes in play."),
        1 => PitLines::new("1 box in play.", "Lock before the first card."),
        boxes => PitLines::new(format!("{boxes} boxes in play."), "Lock before the first card."),
    }
}

fn kind(soft: bool) -> &'static str {
    if soft { "soft" } else { "hard" }
}

fn deal(seat: Seat, hand: Option<u8>, face_down: bool) -> String {
    let what = if face_down { "Face down to" } else { "Card to" };
    match hand {
        Some(hand) => format!("{what} seat {seat}, hand {hand}."),
        None => format!("{what} seat {seat}."),
    }
}

fn a_card(rank: Rank) -> String {
    match rank {
        Rank::Ace => "an ace".to_owned(),
        Rank::Eight => "an 8".to_owned(),
        Rank::King | Rank::Queen | Rank::Jack => format!("a {}", rank_word(rank).to_lowercase()),
        Rank::Two | Rank::Three | Rank::Four | Rank::Five | Rank::Six | Rank::Seven | Rank::Nine | Rank::Ten => {
            format!("a {}", rank_word(rank))
        }
    }
}

fn rank_word(rank: Rank) -> &'static str {
    match rank {
        Rank::Ace => "Ace",
        Rank::Two => "2",
        Rank::Three => "3",
        Rank::Four => "4",
        Rank::Five => "5",
        Rank::Six => "6",
        Rank::Seven => "7",
        Rank::Eight => "8",
        Rank::Nine => "9",
        Rank::Ten => "10",
        Rank::Jack => "Jack",
        Rank::Queen => "Queen",
        Rank::King => "King",
    }
}

/// A card with the sign of its suit, as it is printed.
struct Sign(Card);

impl fmt::Display for Sign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suit = match self.0.suit() {
            Suit::Clubs => '♣',
            Suit::Diamonds => '♦',
            Suit::Hearts => '♥',
            Suit::Spades => '♠',
        };
        let rank = self.0.rank();
        if rank == Rank::Ten { write!(f, "10{suit}") } else { write!(f, "{}{suit}", rank.letter()) }
    }
}

#[cfg(test)]
mod tests;
