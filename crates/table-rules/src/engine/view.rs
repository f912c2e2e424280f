//! The table as it can be seen: for screens, logs and tests. Owned data; nothing in it reaches back into the engine.

use super::Engine;
use super::side_placing::bits;
use super::state::{HandStatus, Phase, Want};
use crate::card::Card;
use crate::game::Direction;
use crate::hand::Hand;
use crate::input::{InputKind, PeekAnswer, UpGroup};
use crate::line::{Line, Stake};
use crate::seat::{Seat, SeatSet};
use crate::table::{Table, Tracking, Variation};
use crate::wager::WagerId;

/// Everything on the table that lies open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableView {
    pub round: u64,
    pub stage: StageView,
    pub boxes: Vec<BoxView>,
    /// The dealer's face-up cards: never the hole card before its reveal.
    pub dealer: Vec<Card>,
    pub up: Option<UpGroup>,
    pub lines: Vec<Line>,
    pub lines_confirmed: usize,
    pub cover_seen: bool,
}

/// How far a round has come, in the words of a screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StageView {
    Closed,
    /// Decks, shuffle and cut.
    Preparing,
    Irregularity,
    Wagering,
    Dealing,
    FirstCardWagers,
    Insurance,
    Reader,
    ReaderStopped,
    Decisions,
    Reveal,
    DealerDraws,
    Wheel,
    Settlement,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoxView {
    pub seat: Seat,
    pub main: Stake,
    pub insurance: Stake,
    /// Side wagers with their stakes, in the submission's order; `true` while they are not settled.
    pub side: Vec<(WagerId, Stake, bool)>,
    /// The boxes of the same person, where linked.
    pub person: SeatSet,
    pub hands: Vec<HandView>,
    /// The first cards as dealt, once all of them have been seen; Switch has four.
    pub first_cards: Vec<Card>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HandView {
    /// `None` for a card that lies face down.
    pub cards: Vec<Option<Card>>,
    pub total: u8,
    pub soft: bool,
    pub stake: Stake,
    pub doubles: u8,
    pub state: &'static str,
    pub has_turn: bool,
}

/// The hand whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TurnView<'a> {
    pub seat: Seat,
    /// Hands of one box count from 1.
    pub hand: u8,
    pub cards: &'a Hand,
    pub from_split: bool,
    pub doubles: u8,
}

impl Engine {
    pub fn table(&self) -> &Table {
        &self.table
    }

    pub fn tracking(&self) -> Tracking {
        self.tracking
    }

    /// The number of the round in play, or of the last one.
    pub fn round(&self) -> u64 {
        self.now.between.round
    }

    #[inline]
    pub fn is_wagering(&self) -> bool {
        matches!(self.now.phase, Phase::Wagering)
    }

    /// The up card's group, as far as it is known.
    pub fn up_group(&self) -> Option<UpGroup> {
        self.now.up
    }

    /// Whether the dealer's hole card lies face down on the table.
    pub fn hole_card_lies_down(&self) -> bool {
        let dealt = match self.stage() {
            StageView::Closed | StageView::Preparing | StageView::Wagering | StageView::Dealing => false,
            StageView::Irregularity => !matches!(self.now.held, Phase::Dealing(_)),
            StageView::FirstCardWagers
            | StageView::Insurance
            | StageView::Reader
            | StageView::ReaderStopped
            | StageView::Decisions
            | StageView::Reveal
            | StageView::DealerDraws
            | StageView::Wheel
            | StageView::Settlement => true,
        };
        dealt && !self.now.hole_told && self.now.dealer.cards().len() < 2
    }

    /// Whether a card that leaves the shoe now, out of its time, may still be the next card of this round (13.E, 14.B).
    pub fn early_card_may_wait(&self) -> bool {
        let nobody_draws = self.now.phase == Phase::Reveal && self.now.answer == Some(PeekAnswer::Yes);
        self.now.phase.is_before_dealer_draws() && !nobody_draws
    }

    /// Whether the procedure asks for the next card as things stand, and nobody has to decide first.
    pub fn card_is_asked_for(&self) -> bool {
        let asks = match self.now.phase {
            Phase::Decisions => match self.now.turn.want {
                Want::HitCard | Want::DoubleCard | Want::SplitCard => true,
                Want::Decision | Want::AfterDouble => false,
            },
            Phase::Dealing(_) | Phase::DealerDraws => true,
            Phase::Wagering
            | Phase::FirstCards
            | Phase::Insurance
            | Phase::Peek
            | Phase::ReaderStopped
            | Phase::BustCards
            | Phase::Reveal
            | Phase::TurnCards
            | Phase::AskAdditional
            | Phase::Wheel(_)
            | Phase::Settlement
            | Phase::Irregularity(_)
            | Phase::Resting(_)
            | Phase::Procedure(_) => false,
        };
        asks && self.offers().offers(InputKind::Card)
    }

    /// Whether this wager lies in this box.
    pub fn has_wager(&self, seat: Seat, wager: WagerId) -> bool {
        let each = self.now.box_at(seat);
        if wager == WagerId::Main {
            return self.now.in_play.contains(seat);
        }
        bits(each.side_placed).any(|side| self.offered(side).id() == wager)
    }

    pub fn view(&self) -> TableView {
        TableView {
            round: self.now.between.round,
            stage: self.stage(),
            boxes: self.now.in_play.iter(Direction::FromLeft).map(|seat| self.view_box(seat)).collect(),
            dealer: self.now.dealer.cards().to_vec(),
            up: self.now.up,
            lines: self.now.lines.clone(),
            lines_confirmed: self.now.confirmed,
            cover_seen: self.now.between.cover_seen,
        }
    }

    /// The hand whose turn it is, without copying; for players that decide by it.
    #[inline]
    pub fn turn(&self) -> Option<TurnView<'_>> {
        if !matches!(self.now.phase, Phase::Decisions) {
            return None;
        }
        let (turn, hand) = (self.now.turn, self.now.turn_hand());
        let (from_split, doubles) = (hand.from_split, hand.doubles);
        Some(TurnView { seat: turn.seat, hand: turn.hand + 1, cards: &hand.cards, from_split, doubles })
    }

    /// The cards of each hand of this box, the dealer's left first.
    pub fn hands_of(&self, seat: Seat) -> impl Iterator<Item = &Hand> {
        self.now.box_at(seat).hands().iter().map(|hand| &hand.cards)
    }

    /// The dealer's open hand.
    #[inline]
    pub fn dealer(&self) -> &Hand {
        &self.now.dealer
    }

    pub fn stage(&self) -> StageView {
        use super::state::{Rest, Step};
        match self.now.phase {
            Phase::Wagering => StageView::Wagering,
            Phase::Resting(Rest::Closed) => StageView::Closed,
            Phase::Resting(_) => StageView::Preparing,
            Phase::Irregularity(_) => StageView::Irregularity,
            Phase::Dealing(_) | Phase::Procedure(Step::Deal) => StageView::Dealing,
            Phase::FirstCards | Phase::Procedure(Step::FirstCards) => StageView::FirstCardWagers,
            Phase::Wheel(_) => StageView::Wheel,
            Phase::Insurance | Phase::Procedure(Step::Insurance) => StageView::Insurance,
            Phase::Peek | Phase::Procedure(Step::Peek) => StageView::Reader,
            Phase::ReaderStopped => StageView::ReaderStopped,
            Phase::Decisions | Phase::BustCards | Phase::Procedure(Step::Decisions) => StageView::Decisions,
            Phase::Reveal | Phase::Procedure(Step::Reveal | Step::DealerBlackjack) => StageView::Reveal,
            Phase::DealerDraws | Phase::Procedure(Step::DealerDraws) => StageView::DealerDraws,
            Phase::TurnCards | Phase::AskAdditional | Phase::Settlement | Phase::Procedure(Step::Settle) => {
                StageView::Settlement
            }
        }
    }

    fn view_box(&self, seat: Seat) -> BoxView {
        let each = self.now.box_at(seat);
        let acting = matches!(self.now.phase, Phase::Decisions) && self.now.turn.seat == seat;
        BoxView {
            seat,
            main: each.main,
            insurance: each.insurance,
            side: bits(each.side_placed)
                .map(|side| {
                    let open = self.is_wagering() || each.side_open & (1 << side) != 0;
                    (self.offered(side).id(), self.side_stake(seat, side), open)
                })
                .collect(),
            person: self.now.links[seat.index()],
            hands: each
                .hands()
                .iter()
                .enumerate()
                .map(|(index, hand)| HandView {
                    cards: hand.cards.faces().collect(),
                    total: hand.cards.total(),
                    soft: hand.cards.is_soft(),
                    stake: hand.stake,
                    doubles: hand.doubles,
                    state: status_word(hand.status),
                    has_turn: acting && usize::from(self.now.turn.hand) == index,
                })
                .collect(),
            first_cards: match (each.first_known, self.table.variation) {
                (false, _) => Vec::new(),
                (true, Variation::Switch) => each.first.into_iter().chain(each.second).collect(),
                (true, _) => each.first.to_vec(),
            },
        }
    }
}

fn status_word(status: HandStatus) -> &'static str {
    match status {
        HandStatus::Open => "open",
        HandStatus::Done => "done",
        HandStatus::Bust => "bust",
        HandStatus::Surrendered => "surrendered",
        HandStatus::Rescued => "rescued",
        HandStatus::Blackjack => "blackjack",
        HandStatus::EvenMoney => "even money",
        HandStatus::Dead => "dead",
    }
}
