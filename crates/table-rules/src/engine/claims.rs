//! Claims: wins of progressive wagers where cards are not tracked (H6).
//!
//! The dealer names the line. What the round is known to have come to decides which lines can be right: the moment
//! (W16), the up card's group, the reader's answer and the boxes that were tapped. Claims are paid from the dealer's
//! right, each from the meter as it then stands (7.O, X1), whatever the order in which they were tapped.

use super::Engine;
use super::state::{HandStatus, Phase, Step, Walk};
use crate::event::{Event, Sink};
use crate::game::Direction;
use crate::input::{InputKind, PeekAnswer, Text, UpGroup};
use crate::line::{Approval, Due, Line, Stake};
use crate::money::{Cents, Pay};
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;
use crate::side::{Known, Moment, PaytableLine, Spin};
use crate::source::Point;
use crate::table::Tracking;
use crate::wager::WagerId;

/// A claim that can be right: the wager, and what it says the box and the others have won.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claim {
    side: u8,
    won: Spin,
}

impl Engine {
    /// The moments at which the step that is due lets wagers be settled (W16). A dealer blackjack completes the dealer's
    /// hand at once (7.G(3)).
    fn moments_of_claims(&self) -> &'static [Moment] {
        let Phase::Procedure(step) = self.now.phase else { return &[] };
        match step {
            Step::Deal | Step::Insurance | Step::Peek | Step::Reveal => &[],
            Step::FirstCards => &[Moment::FirstCards],
            Step::Decisions => &[Moment::AfterReader],
            Step::DealerBlackjack => &[Moment::Reveal, Moment::DealerComplete, Moment::TurnToBePaid],
            Step::DealerDraws => &[Moment::Reveal],
            Step::Settle => &[Moment::DealerComplete, Moment::TurnToBePaid],
        }
    }

    fn known_of(&self, seat: Seat, side: u8) -> Option<Known> {
        let up = self.now.up?;
        let each = self.now.box_at(seat);
        Some(Known {
            game: self.table.game,
            up,
            dealer_blackjack: match (self.now.phase, up, self.now.answer) {
                (Phase::Procedure(Step::DealerBlackjack), _, _) => Some(true),
                (_, UpGroup::Low, _) | (_, UpGroup::Ace | UpGroup::Ten, Some(PeekAnswer::No)) => Some(false),
                (_, UpGroup::Ace | UpGroup::Ten, Some(PeekAnswer::Yes | PeekAnswer::Unread) | None) => None,
            },
            player_blackjack: each
                .hands()
                .first()
                .is_some_and(|hand| matches!(hand.status, HandStatus::Blackjack | HandStatus::EvenMoney)),
            stake: self.side_stake(seat, side).amount(),
            magic_card_drawn: self.now.draws.magic.is_some(),
        })
    }

    /// Whether the step that is due lets this wager be claimed at all.
    fn claims_are_due(&self, seat: Seat, side: u8) -> bool {
        let due = self.moments_of_claims().iter().fold(0, |due, &moment| due | self.side.at[moment as usize]);
        let placed = self.now.box_at(seat).side_placed;
        self.now.in_play.contains(seat) && due & self.side.sensor & placed & (1 << side) != 0
    }

    /// Whether this line is still to be had: a wager is claimed once, and a drawn card once besides it (13.B(3)).
    fn is_unclaimed(&self, seat: Seat, side: u8, line: PaytableLine) -> bool {
        let offered = self.offered(side);
        if offered.magic_card_line() == Some(line) {
            let key = offered.line_key(line);
            return !self.lines_of(seat, side).any(|line| *line.name == key);
        }
        let each = self.now.box_at(seat);
        (each.side_open | self.settled_by_a_false_no(seat)) & (1 << side) != 0
    }

    /// Wagers that were claimed on the reader's "no", once that has turned out to be wrong (S12).
    fn settled_by_a_false_no(&self, seat: Seat) -> u32 {
        let missed = matches!(self.now.phase, Phase::Procedure(Step::DealerBlackjack));
        if missed && self.now.answer == Some(PeekAnswer::No) { self.now.box_at(seat).side_after_reader } else { 0 }
    }

    fn lines_of(&self, seat: Seat, side: u8) -> impl Iterator<Item = &Line> {
        let wager = self.offered(side).id();
        self.now.lines.iter().filter(move |line| line.seat == seat && line.wager == wager)
    }

    /// Whether anything can be claimed now.
    pub(super) fn claims_are_open(&self) -> bool {
        if self.tracking == Tracking::Cards || self.moments_of_claims().is_empty() {
            return false;
        }
        self.now.in_play.iter(Direction::FromLeft).any(|seat| {
            (0u8..).take(self.table.wagers.len()).any(|side| {
                let due = self.claims_are_due(seat, side);
                let Some(known) = self.known_of(seat, side).filter(|_| due) else { return false };
                let offered = self.offered(side);
                offered
                    .lines_to_claim(known.stake)
                    .any(|line| offered.may_be_claimed(line, &known) && self.is_unclaimed(seat, side, line))
            })
        })
    }

    /// Whether this claim can be right now. The handler and the offers both ask here.
    pub(super) fn check_claim(&self, seat: Seat, wager: WagerId, line: Text) -> Result<Claim, Refusal> {
        if self.tracking == Tracking::Cards {
            return self.refuse(Reason::WrongTracking(InputKind::Claim), Point::ProcedureSteps);
        }
        self.check_in_play(seat)?;
        let side = self.check_wager_id(wager)?.filter(|side| self.side.sensor & (1 << side) != 0);
        let Some(side) = side else {
            return self.refuse(Reason::NotAProgressive(wager), Point::VerifyHand);
        };
        let Some(known) = self.known_of(seat, side).filter(|_| self.claims_are_due(seat, side)) else {
            return self.not_now(InputKind::Claim);
        };
        let Some(won) = self.offered(side).line_claimed(line.as_str(), known.stake) else {
            return self.refuse(Reason::NoSuchLine(wager), Point::VerifyHand);
        };
        if !self.is_unclaimed(seat, side, won.spinner) {
            return self.not_now(InputKind::Claim);
        }
        if !self.offered(side).may_be_claimed(won.spinner, &known) {
            return self.refuse(Reason::LineCannotBe(wager), Point::ClaimsFit);
        }
        Ok(Claim { side, won })
    }

    /// A seat's progressive win, its line chosen by the dealer: hand, lamp and floorperson follow (7.O(1)).
    pub(super) fn on_claim(
        &mut self,
        seat: Seat,
        wager: WagerId,
        line: Text,
        out: &mut impl Sink,
    ) -> Result<(), Refusal> {
        let Claim { side, won } = self.check_claim(seat, wager, line)?;
        let beside = self.offered(side).magic_card_line() == Some(won.spinner);
        let stated = self.lines_of(seat, side).next().is_some();
        let stake = if beside || stated { Stake::NONE } else { self.side_stake(seat, side) };
        if self.settled_by_a_false_no(seat) & (1 << side) != 0 {
            self.now.box_mut(seat).side_after_reader &= !(1 << side);
            self.correct_claim(seat, side, won.spinner, out);
            return Ok(());
        }
        if !beside {
            self.close_side(seat, side);
        }
        if self.moments_of_claims() == [Moment::AfterReader] {
            self.now.box_mut(seat).side_after_reader |= 1 << side;
        }
        self.draw_up_claim(seat, side, won.spinner, stake, Due::NONE, out);
        if self.offered(side).spins_once_for_all() {
            self.settle_beside_hot_spot(seat, side, won.others, out);
        } else if won.others.is_some() {
            self.now.box_mut(seat).spin = Some(won);
        }
        Ok(())
    }

    /// S12: what the wager should have been paid, beside what it was paid on the reader's "no".
    fn correct_claim(&mut self, seat: Seat, side: u8, won: PaytableLine, out: &mut impl Sink) {
        let earlier = self.lines_of(seat, side).next().copied();
        let received = earlier.and_then(|line| line.to_player()).unwrap_or(Cents::ZERO);
        let stake = earlier.map_or(Stake::NONE, |line| line.stake);
        self.draw_up_claim(seat, side, won, stake, Due::of(received), out);
    }

    /// A claimed line always takes the whole walk of 7.O(1).
    fn draw_up_claim(
        &mut self,
        seat: Seat,
        side: u8,
        won: PaytableLine,
        stake: Stake,
        correction: Due,
        out: &mut impl Sink,
    ) {
        let priced = self.price(seat, side, won);
        let mut line = self.side_line(seat, side, Some((won, priced)), stake);
        line.correction = correction;
        if line.approval == Approval::NotNeeded {
            line.approval = Approval::Progressive;
        }
        let at = self.place_of_claim(seat, side);
        self.insert_lines(at, &[line], out);
    }

    /// From the dealer's right and within a box as the submission lists them (7.O, D12), ahead of the main wagers. What
    /// is paid stays, and so does what nobody claimed.
    fn place_of_claim(&self, seat: Seat, side: u8) -> usize {
        let stays_ahead = |line: &&Line| match self.side_position(line.wager) {
            None => false,
            Some(_) if line.approval == Approval::NotNeeded => true,
            Some(other) => line.seat > seat || (line.seat == seat && other <= side),
        };
        self.now.confirmed + self.now.lines[self.now.confirmed..].iter().take_while(stays_ahead).count()
    }

    /// Draws up lines before others that are still open. Those are withdrawn and drawn up again behind them: who reads the
    /// events alone knows the order in which lines are due.
    pub(super) fn insert_lines(&mut self, at: usize, lines: &[Line], out: &mut impl Sink) {
        if lines.is_empty() {
            return;
        }
        for line in self.now.lines[at..].iter().rev().filter(|line| line.is_priced()) {
            out.push(Event::LineWithdrawn(*line));
        }
        if at == self.now.confirmed {
            self.leave_current_line();
        }
        let count = u16::try_from(lines.len()).unwrap_or(u16::MAX);
        for each in &mut self.now.boxes {
            for hand in each.hands[..usize::from(each.hand_count)].iter_mut().filter(|hand| hand.settled) {
                hand.line += if usize::from(hand.line) >= at { count } else { 0 };
            }
        }
        self.now.insert_lines(at, lines);
        for line in self.now.lines[at..].iter().filter(|line| line.is_priced()) {
            out.push(Event::Settled(*line));
        }
    }

    /// The line that was next to be paid is not any more: what was looked at is looked at again, and a meter line gets
    /// its amount when its turn comes (X1).
    fn leave_current_line(&mut self) {
        self.now.walk = Walk::Start;
        let Some(line) = self.now.lines.get_mut(self.now.confirmed) else { return };
        if matches!(line.pay, Some(Pay::Meter { .. })) {
            line.pays = Due::NONE;
            line.approval = Approval::Progressive;
        }
    }

    /// O2: one spin for the table. Beside the hot spot every other player with the wager has the community's line (H15), or
    /// has lost.
    fn settle_beside_hot_spot(&mut self, hot_spot: Seat, side: u8, others: Option<PaytableLine>, out: &mut impl Sink) {
        self.now.moment = Moment::Reveal;
        for seat in self.now.in_play.iter(Direction::FromRight) {
            if self.now.box_at(seat).side_open & (1 << side) == 0 {
                continue;
            }
            self.close_side(seat, side);
            match others.filter(|_| self.is_in_community(seat, hot_spot, side)) {
                Some(line) => self.push_side_win(seat, side, line, out),
                None => self.push_side_line(seat, side, None, self.side_stake(seat, side), out),
            }
        }
    }

    /// O2, 12.D(8): a spin for the community pays the other players with the wager by their own stakes, from the right,
    /// as soon as the spinner's line has been validated and paid. Their own wagers stay open: they may have a spin too.
    pub(super) fn pay_communities(&mut self, out: &mut impl Sink) {
        let Some(side) = self.side_position(WagerId::BonusSpin) else { return };
        for spinner in self.now.in_play.iter(Direction::FromRight) {
            let Some(spin @ Spin { others: Some(line), .. }) = self.now.box_at(spinner).spin else { continue };
            let wager = self.offered(side).id();
            let open = &self.now.lines[self.now.confirmed..];
            let waits =
                |line: &Line| line.seat == spinner && line.wager == wager && line.approval != Approval::NotNeeded;
            if open.iter().any(waits) {
                continue;
            }
            self.now.box_mut(spinner).spin = Some(Spin { others: None, ..spin });
            let others =
                self.now.in_play.iter(Direction::FromRight).filter(|&seat| self.is_in_community(seat, spinner, side));
            let lines: Vec<Line> = others.filter_map(|seat| self.community_line(seat, side, line)).collect();
            self.insert_lines(self.now.confirmed, &lines, out);
        }
    }

    fn community_line(&self, seat: Seat, side: u8, line: PaytableLine) -> Option<Line> {
        if self.now.box_at(seat).side_placed & (1 << side) == 0 {
            return None;
        }
        let stake = self.side_stake(seat, side);
        let priced = self.offered(side).pay_others(line, stake.amount())?;
        // The stake is stated once, on the box's first line of this wager.
        let stated = self.lines_of(seat, side).next().is_some();
        Some(self.side_line(seat, side, Some((line, priced)), if stated { Stake::NONE } else { stake }))
    }
}
