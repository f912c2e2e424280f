//! The settlement: what it waits for, and what a blackjack that the reader missed changes (S12). How each hand ends is in
//! `rows`.

use super::Engine;
use super::rows::DealerHas;
use super::state::{AfterWheel, HandState, HandStatus, Phase};
use crate::event::{Discard, Event, Sink};
use crate::game::Direction;
use crate::input::PeekAnswer;
use crate::line::{Approval, Due, Handling, Line, Outcome};
use crate::money::Cents;
use crate::seat::Seat;
use crate::side::Moment;
use crate::source::Point;
use crate::table::{Settlement, Tracking, Variation};
use crate::wager::WagerId;

impl Engine {
    /// The dealer's hand is complete and every card is known.
    pub(super) fn begin_settlement(&mut self, out: &mut impl Sink) {
        self.settle_side(Moment::DealerComplete, out);
        self.ask_for_spins();
        if self.settlement_questions_are_open() {
            self.now.phase = Phase::AskAdditional;
            return;
        }
        if !self.wait_for_wheel(AfterWheel::MainWagers) {
            self.wheels_have_stopped(out);
        }
    }

    /// Whether the settlement depends on something nobody has said yet.
    pub(super) fn settlement_questions_are_open(&self) -> bool {
        self.additional_questions_are_open() || self.any_side_amount_asked().is_some() || self.draw_is_due()
    }

    /// Nothing is open any more: every line of the settlement can be drawn up.
    pub(super) fn wheels_have_stopped(&mut self, out: &mut impl Sink) {
        let dealer_blackjack = self.now.dealer.is_ace_and_ten();
        match (dealer_blackjack, self.now.answer) {
            (true, Some(PeekAnswer::No)) => self.settle_missed_blackjack(out),
            (true, _) => self.draw_up_main_lines(DealerHas::Blackjack, out),
            (false, _) => self.draw_up_main_lines(DealerHas::ACount, out),
        }
        self.draw_up_additional_lines(out);
        self.enter_settlement(out);
    }

    pub(super) fn enter_settlement(&mut self, out: &mut impl Sink) {
        self.now.phase = Phase::Settlement;
        self.end_when_settled(out);
    }

    /// The round is over once every line is done, and known what becomes of payments before a void (H12).
    pub(super) fn end_when_settled(&mut self, out: &mut impl Sink) {
        if !self.now.has_open_lines() && !self.now.payments_asked {
            self.end_round(out);
        }
    }

    /// Where cards are not tracked, the reader's word and the seats' marks decide (7.G(3)).
    pub(super) fn settle_told_blackjack(&mut self, out: &mut impl Sink) {
        self.push_drawn_lines_of_all(out);
        if self.now.answer == Some(PeekAnswer::No) {
            self.settle_missed_blackjack(out);
        } else {
            self.draw_up_main_lines(DealerHas::Blackjack, out);
        }
        self.enter_settlement(out);
    }

    // ---- a blackjack that the reader missed (S12) ----

    /// The dealer had a blackjack after all: each box loses its original wager and no more, whatever was done since;
    /// what the "no" settled wrongly is listed for the floorperson.
    fn settle_missed_blackjack(&mut self, out: &mut impl Sink) {
        let from = self.now.lines.len();
        let mut silent = Discard;
        for seat in self.now.in_play.iter(Direction::FromRight) {
            // Where cards are not tracked, what a side wager should have been paid is claimed.
            if self.tracking == Tracking::Cards {
                self.correct_side_wagers(seat, &mut silent);
            }
            self.push_spin_lines(seat, |_| true, &mut silent);
            self.correct_insurance(seat, &mut silent);
            self.settle_box_against_missed_blackjack(seat, &mut silent);
        }
        let lines = &mut self.now.lines[from..];
        if self.table.settlement == Settlement::CollectThenPay {
            lines.sort_by_key(|line| match line.handling() {
                Handling::Take => 0,
                Handling::Give => 1,
            });
        }
        for line in lines.iter().filter(|line| line.is_priced()) {
            out.push(Event::Settled(*line));
        }
    }

    fn correct_insurance(&mut self, seat: Seat, out: &mut impl Sink) {
        if self.now.box_at(seat).insurance.is_placed() {
            let mut line = self.insurance_line(seat, Outcome::Won);
            line.approval = Approval::Floor;
            line.correction = Due::NOTHING;
            self.push_line(line, out);
        }
    }

    fn settle_box_against_missed_blackjack(&mut self, seat: Seat, out: &mut impl Sink) {
        // Switch has two original wagers a box, each with the hands that came of it (12.A(1), B8).
        for origin in 0..2 {
            if self.now.box_at(seat).hands().iter().any(|hand| hand.origin == origin) {
                self.settle_original_against_missed_blackjack(seat, origin, out);
            }
        }
    }

    fn settle_original_against_missed_blackjack(&mut self, seat: Seat, origin: u8, out: &mut impl Sink) {
        let each = *self.now.box_at(seat);
        let original = each.main;
        let at = each.hands().iter().position(|hand| hand.origin == origin).unwrap_or(0);
        let first = each.hands[at];
        match first.status {
            HandStatus::EvenMoney => return,
            HandStatus::Blackjack => {
                self.settle_blackjack_against_missed(seat, at, &first, out);
                return;
            }
            HandStatus::Open
            | HandStatus::Done
            | HandStatus::Bust
            | HandStatus::Surrendered
            | HandStatus::Rescued
            | HandStatus::Dead => {}
        }
        // Settled hands (bust, rescued) count first: what was kept of them beyond the original goes back.
        let mut still_to_lose = original.amount();
        let mut original_is_lost = false;
        for (index, hand) in each.hands().iter().enumerate().filter(|(_, hand)| hand.settled && hand.origin == origin) {
            let earlier = self.now.lines[usize::from(hand.line)];
            // An amount may have been told after the line was drawn up.
            let kept = earlier.kept().or_else(|| Some(hand.stake.amount()? - earlier.returned.amount()?));
            let may_keep = match (kept, still_to_lose) {
                (Some(kept), Some(left)) => Some(kept.min(left)),
                // Doubled by nobody knows how much: the original lies there whole, and more.
                (None, Some(left)) => Some(left),
                (_, None) => None,
            };
            let unknown_and_taken = original.is_unknown() && original_is_lost;
            // With amounts unknown, one hand stands for the original; what was taken beside it goes back whole.
            let may_keep = if unknown_and_taken { Some(Cents::ZERO) } else { may_keep };
            original_is_lost = true;
            still_to_lose = match (still_to_lose, may_keep) {
                (Some(left), Some(kept)) => Some(left - kept),
                (None, _) | (_, None) => None,
            };
            if may_keep != kept || unknown_and_taken || (original.is_unknown() && hand.doubles > 0) {
                self.push_missed_line(seat, index, hand, may_keep, Some(earlier), out);
            }
        }
        for (index, hand) in each.hands().iter().enumerate().filter(|(_, hand)| !hand.settled && hand.origin == origin)
        {
            let lose = match (hand.stake.amount(), still_to_lose) {
                (Some(stake), Some(left)) => Some(stake.min(left)),
                (None, Some(left)) => Some(left),
                (_, None) if original_is_lost => Some(Cents::ZERO),
                (_, None) => None,
            };
            original_is_lost = true;
            still_to_lose = match (still_to_lose, lose) {
                (Some(left), Some(lost)) => Some(left - lost),
                (None, _) | (_, None) => None,
            };
            self.now.box_mut(seat).hands[index].settled = true;
            self.push_missed_line(seat, index, hand, lose, None, out);
        }
    }

    /// One hand's line where the house keeps `lose` of it (`None`: the unknown original).
    fn push_missed_line(
        &mut self,
        seat: Seat,
        index: usize,
        hand: &HandState,
        lose: Option<Cents>,
        earlier: Option<Line>,
        out: &mut impl Sink,
    ) {
        let (outcome, name) = match lose {
            Some(Cents::ZERO) => (Outcome::Void, &"added wager returned"),
            Some(_) | None => (Outcome::Lost, &"dealer blackjack"),
        };
        let point = if hand.status == HandStatus::Surrendered {
            Point::SurrenderLost
        } else if self.table.variation == Variation::Switch && hand.cards.is_ace_and_ten() && !hand.from_split {
            Point::SwitchedLost
        } else if hand.from_split {
            Point::SplitAgainstBlackjack
        } else if hand.doubles > 0 {
            Point::DoubleAgainstBlackjack
        } else {
            Point::LostToBlackjack
        };
        let returned = match (hand.stake.amount(), lose) {
            (Some(stake), Some(lose)) => Some(stake - lose),
            (None, _) if hand.doubles == 0 && outcome == Outcome::Lost => Some(Cents::ZERO),
            (None, _) | (_, None) => None,
        };
        let line = Line {
            seat,
            hand: u8::try_from(index + 1).unwrap_or(u8::MAX),
            wager: WagerId::Main,
            outcome,
            name,
            pay: None,
            stake: hand.stake,
            returned: returned.into(),
            pays: Due::NOTHING,
            source: self.cite(point),
            approval: if earlier.is_some() { Approval::Floor } else { Approval::NotNeeded },
            correction: earlier.map(|line| line.to_player().unwrap_or(Cents::ZERO)).into(),
            is_share: false,
        };
        self.push_line(line, out);
    }

    /// A player blackjack against the missed one: in the sister games it wins as it did; in blackjack it ties (B1),
    /// and a payment already made is taken back on the floorperson's word.
    fn settle_blackjack_against_missed(&mut self, seat: Seat, at: usize, hand: &HandState, out: &mut impl Sink) {
        if self.table.game.player_21_wins() {
            if !hand.settled {
                self.settle_blackjack_won(seat, out);
            }
            return;
        }
        let earlier = if hand.settled { Some(self.now.lines[usize::from(hand.line)]) } else { None };
        self.now.box_mut(seat).hands[at].settled = true;
        let line = Line {
            seat,
            hand: u8::try_from(at + 1).unwrap_or(u8::MAX),
            wager: WagerId::Main,
            outcome: Outcome::Tied,
            name: &"blackjack against blackjack",
            pay: None,
            stake: hand.stake,
            returned: hand.stake.amount().into(),
            pays: Due::NOTHING,
            source: self.cite(Point::Tied),
            approval: if earlier.is_some() { Approval::Floor } else { Approval::NotNeeded },
            correction: earlier.map(|line| line.to_player().unwrap_or(Cents::ZERO)).into(),
            is_share: false,
        };
        self.push_line(line, out);
    }
}
