//! The gate: one byte that says which ordinary input nothing stands in the way of.
//!
//! Nine of ten inputs are a wager, a card of the deal, a hit or a stand at a table where nothing unusual goes on. What
//! could make one of them anything else is looked at when something unusual may have happened, not at every card. The
//! gate follows from the state and from nothing else: in tests it is worked out anew before every input.

use super::Engine;
use super::state::{DealStep, HandState, HandStatus, Phase, Want};

/// What comes next, where a short way may take it (`direct`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Gate {
    /// Something else, or something unusual.
    Shut,
    /// Wagers are open and no line of the last round is.
    Wagers,
    /// The first card of a box.
    FirstCard,
    /// The second card of a box.
    SecondCard,
    /// The only hand of a box decides, all its cards face up.
    Decision,
}

impl Engine {
    /// Where the gate stands in this state.
    #[inline]
    pub(super) fn find_gate(&self) -> Gate {
        if self.now.has_open_lines() {
            Gate::Shut
        } else if matches!(self.now.phase, Phase::Wagering) {
            Gate::Wagers
        } else if matches!(self.now.phase, Phase::Decisions) && self.decides_plainly() {
            Gate::Decision
        } else if let (Phase::Dealing(step), true) = (self.now.phase, self.ordinary) {
            match step {
                DealStep::First(..) if !self.burn_is_required() => Gate::FirstCard,
                DealStep::Second(..) => Gate::SecondCard,
                DealStep::First(..) | DealStep::Determinant | DealStep::UpCard | DealStep::HoleCard => Gate::Shut,
            }
        } else {
            Gate::Shut
        }
    }

    /// Whether the hand whose turn it is decides and nothing but its cards and the last card bears on what it may do.
    #[inline]
    fn decides_plainly(&self) -> bool {
        let each = self.now.box_at(self.now.turn.seat);
        // A box with one hand has split nothing.
        each.hand_count == 1 && self.hand_decides_plainly(&each.hands[0])
    }

    /// The same for a split hand that may draw, where no late word is open. The gate is shut then.
    pub(super) fn split_hand_decides_plainly(&self) -> bool {
        let hand = self.now.turn_hand();
        matches!(self.now.phase, Phase::Decisions)
            && hand.from_split
            && self.now.late.is_none()
            && !self.now.has_open_lines()
            && !self.is_restricted_split_ace(hand)
            && self.hand_decides_plainly(hand)
    }

    #[inline]
    fn hand_decides_plainly(&self, hand: &HandState) -> bool {
        self.ordinary
            && self.now.turn.want == Want::Decision
            && hand.status == HandStatus::Open
            && hand.cards.cards_down() == 0
            && self.now.box_at(self.now.turn.seat).main.amount().is_some()
            && !self.now.between.reader_out
            && !self.now.between.shuffler_out
            && self.now.asked.is_empty()
    }
}
