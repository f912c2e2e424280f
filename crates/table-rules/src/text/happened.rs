//! What a step and an irregularity were: both say no more than the point or clause that they rest on.

use std::fmt;

use crate::card::Card;
use crate::engine::Irregular;
use crate::input::InputKind;
use crate::seat::Seat;
use crate::source::{Point, Source};

/// What has been done, by the point of procedure that the step rests on.
const STEPS: &[(Point, &str)] = &[
    (Point::OpenTable, "Table opens"),
    (Point::DealerInspects, "Dealer has inspected the cards"),
    (Point::TensRemoved, "Tens are out, torn and in the box"),
    (Point::SpreadCards, "Cards are spread"),
    (Point::SpreadSides, "Cards are spread, each side by itself"),
    (Point::PlayerInspects, "First player has inspected the cards"),
    (Point::IdleInspection, "First player has inspected the cards"),
    (Point::WashCards, "Cards are washed and stacked"),
    (Point::WashSides, "Cards are washed and stacked, each side by itself"),
    (Point::IdleWash, "Cards are washed and stacked"),
    (Point::BatchesApart, "Done, each batch by itself"),
    (Point::SwapBatches, "Batches are swapped"),
    (Point::ShuffleCards, "Cards are shuffled"),
    (Point::IdleDevice, "Cards are shuffled"),
    (Point::ReshuffleSide, "Side of the shoe is shuffled"),
    (Point::ShortShoe, "Discards are shuffled"),
    (Point::SecondFaceUp, "Cards are to be shuffled"),
    (Point::SecondTen, "Decks leave the table"),
    (Point::IdleTable, "No players: cards out of the shoe and the discard rack, spread on the table"),
    (Point::DealFirstCards, "Cards are dealt"),
    (Point::DealUpCard, "Cards are dealt, up card is told"),
    (Point::SettleFirstCardWagers, "Bets on the first cards are settled"),
    (Point::DealerBlackjack, "Players' blackjacks are told"),
    (Point::ReaderWrong, "Players' blackjacks are told"),
    (Point::Decide, "Players have decided"),
    (Point::Reveal, "Hole card is turned"),
    (Point::DealerDraws, "Dealer's hand is done"),
    (Point::CollectThenPay, "All bets are settled"),
    (Point::PayAndCollect, "All bets are settled"),
];

/// What has been done. A test over the scenarios holds that no step is without its words.
pub(super) fn step(source: Source) -> &'static str {
    let words = |point| STEPS.iter().find(|(each, _)| *each == point).map(|(_, words)| *words);
    source.point().and_then(words).unwrap_or(NAMELESS_STEP)
}

pub(super) const NAMELESS_STEP: &str = "Step done";

/// What somebody in charge has said.
pub(super) fn approved(by: InputKind) -> &'static str {
    if by == InputKind::ReaderRepaired {
        "Reader is back in service"
    } else if by == InputKind::ShufflerRepaired {
        "Shuffler is back in service"
    } else if by == InputKind::ManagerApprove {
        "Approved by a second person"
    } else if by == InputKind::FloorReshuffle {
        "Floor orders a reshuffle"
    } else if by == InputKind::FloorRecut {
        "Floor orders a new cut"
    } else if by == InputKind::Permit {
        "Floor lets the player back in"
    } else {
        "Approved by the floor"
    }
}

/// An irregularity in a dealer's words, with what its clause has the dealer do where no question follows that says it.
pub(super) struct WentWrong {
    pub(super) source: Source,
    pub(super) seat: Option<Seat>,
    pub(super) card: Option<Card>,
}

impl fmt::Display for WentWrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let card = self.card.map_or_else(|| "A card".to_owned(), |card| card.to_string());
        let ten = self.card.map_or_else(|| "A ten".to_owned(), |card| card.to_string());
        let hand = self.seat.map_or_else(|| "A hand".to_owned(), |seat| format!("Seat {seat}"));
        if self.source.point() == Some(Point::ExposedDiscarded) {
            return write!(f, "{card}: nobody takes it, to the discard rack");
        }
        let Some(kind) = Irregular::of_clause(self.source.game(), self.source.id()) else {
            return f.write_str("Irregularity");
        };
        match kind {
            Irregular::FaceUpInShoe => write!(f, "{card} face up in the shoe: not used, to the discard rack"),
            Irregular::SecondFaceUpInShoe => write!(f, "{card} face up in the shoe, the second one"),
            Irregular::TenInShoe => write!(f, "{ten} came out of the shoe: no ten belongs there"),
            Irregular::SecondTenInShoe => write!(f, "{ten} came out of the shoe, the second ten"),
            Irregular::DrawnUnexposed => f.write_str("Card drawn by mistake, not seen: it is the next card"),
            Irregular::DrawnExposed => write!(f, "{card} drawn by mistake and seen: it counts as the next card"),
            Irregular::DealerDrewOn17 => write!(f, "{card} drawn to a hand that stands: to the discard rack"),
            Irregular::DealerMissedOwnCard => {
                f.write_str("Dealer's card forgotten: finish the players' first two cards, then deal your own")
            }
            Irregular::ShoeRanOut => f.write_str("Shoe is empty: the discards are shuffled"),
            Irregular::NoCardDealt => write!(f, "{hand} got no card: the hand is dead and plays the next deal"),
            Irregular::OneCardDealt => write!(f, "{hand} got one card only: the second after all other players"),
            Irregular::RequestedCardMissed => write!(f, "{hand} did not get the card asked for"),
            Irregular::WrongShoeSide => f.write_str("Wrong side of the shoe: the round is finished from it"),
            Irregular::ReaderOnWrongUpCard => f.write_str("Reader used under a wrong up card"),
            Irregular::ReaderMalfunction => f.write_str("Reader gave no answer, or a wrong one"),
            Irregular::ShufflerJam => f.write_str("Shuffler jammed: the cards are shuffled again"),
            Irregular::ShufflerOutOfOrder => f.write_str("Shuffler is covered: shuffle another way"),
        }
    }
}

#[cfg(test)]
mod tests;
