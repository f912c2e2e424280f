//! What only a round with side wagers leads to: a jackpot's walk, and random draws.

use table_rules::event::Sink;
use table_rules::input::{Draw, Input};
use table_rules::prompt::Order;
use table_rules::seat::Seat;

use super::{Done, Player, TableRun};

impl<P: Player, S: Sink> TableRun<'_, P, S> {
    /// A progressive win is verified, validated and, above the threshold, validated again (players-edge-21 7.O(1)).
    #[cold]
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "an order that no simulated round leads to stops the run, one that is added later too"
    )]
    pub(super) fn obey_side(&mut self, order: &Order) -> Done {
        match order {
            Order::VerifyHand | Order::VerifyLamp => self.apply_any(&Input::Next),
            Order::ApproveLine => self.apply_any(&Input::FloorApprove),
            Order::TellDraw { must_hit_falls } => self.tell_draw(*must_hit_falls),
            Order::ApproveLineSecond => self.apply_any(&Input::ManagerApprove),
            _ => self.unexpected(),
        }
    }

    /// One draw after another, as the table asks for them: any card of a deck for the Magic Card, any position of the
    /// table for the Lucky Player (B10). The must-hit meter falls when it has to, to any box that may win it.
    fn tell_draw(&mut self, must_hit_falls: bool) -> Done {
        let is_open = |draw: &Draw| self.engine.offers_input(&Input::Draw(*draw));
        // A draw that is open for one card or position is open for all.
        let all_or_none = |draws: Vec<Draw>| if draws.first().is_some_and(is_open) { draws } else { Vec::new() };
        let table = self.engine.table();
        let seats = || (1..=table.positions).filter_map(Seat::new);
        let cards = || all_or_none(table.game.deck().map(Draw::Magic).collect());
        let players = || all_or_none(seats().map(Draw::Player).collect());
        let winners = || if must_hit_falls { seats().map(Draw::MustHit).filter(is_open).collect() } else { Vec::new() };
        let mut open = cards();
        if open.is_empty() {
            open = players();
        }
        if open.is_empty() {
            open = winners();
        }
        let at = if open.is_empty() { 0 } else { self.below(open.len()) };
        self.apply_any(&Input::Draw(open.get(at).copied().unwrap_or(Draw::None)))
    }

    fn below(&mut self, bound: usize) -> usize {
        u32::try_from(bound).map_or(0, |bound| self.rng.below(bound) as usize)
    }
}
