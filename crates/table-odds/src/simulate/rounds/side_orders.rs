//! What only a round with side wagers leads to: a jackpot's walk, and the draws of Bad Beat's bonuses.

use table_rules::card::Card;
use table_rules::input::{Draw, Input, InputKind};
use table_rules::prompt::Order;
use table_rules::seat::Seat;

use super::{Due, Player, Stopped, TableRun};

impl<P: Player> TableRun<'_, P> {
    /// A progressive win is verified, validated and, above the threshold, validated again (players-edge-21 7.O(1)).
    #[cold]
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "an order that no simulated round leads to stops the run, one that is added later too"
    )]
    pub(super) fn obey_side(&mut self, order: &Order) -> Due {
        match order {
            Order::VerifyHand | Order::VerifyLamp => self.apply_any(&Input::Next),
            Order::ApproveLine => self.apply_any(&Input::FloorApprove),
            Order::ApproveLineSecond => self.apply_any(&Input::ManagerApprove),
            _ => self.stop(Stopped::Unexpected(Box::new(*order))),
        }
    }

    /// Magic Card and Lucky Player, in the rounds that have them: any card of a deck, any position of the table (B10).
    pub(super) fn draw_bonuses(&mut self) -> Due {
        if !self.engine.offers().offers(InputKind::Draw) {
            return Due::of(&self.engine.order().0);
        }
        let table = self.engine.table();
        let positions = table.positions;
        let cards: Vec<Card> = table.game.deck().collect();
        let drawn = self.below(cards.len());
        let due = self.apply_any(&Input::Draw(Draw::Magic(cards[drawn])));
        let position = u8::try_from(self.below(usize::from(positions)) + 1).ok().and_then(Seat::new);
        position.filter(|_| due != Due::Nothing).map_or(due, |seat| self.apply_any(&Input::Draw(Draw::Player(seat))))
    }

    fn below(&mut self, bound: usize) -> usize {
        u32::try_from(bound).map_or(0, |bound| self.rng.below(bound) as usize)
    }
}
