//! What each hand comes to (7.O to 7.S and Chapter 12; Blackjack by B1 and Chapter 13), and in which order.

use super::Engine;
use super::compared::{BUST, COMPARED, Compared};
use super::state::{AfterWheel, HandState, HandStatus, Phase};
use crate::card::{Card, Rank};
use crate::event::{Event, Events};
use crate::game::Direction;
use crate::hand::Hand;
use crate::input::Answer;
use crate::line::{Approval, Due, Handling, Line, LineName, Outcome};
use crate::money::{Cents, Pay, Ratio};
use crate::payouts::{self, Bonus};
use crate::seat::{Seat, SeatSet};
use crate::side::Moment;
use crate::source::Point;
use crate::table::{Settlement, SevenCard21, Tracking, Variation};
use crate::wager::WagerId;

/// How one hand ends.
#[derive(Clone, Copy)]
pub(super) struct Ending {
    pub(super) outcome: Outcome,
    pub(super) name: LineName,
    pub(super) pay: Option<Pay>,
    pub(super) point: Point,
}

/// What the players' hands are settled against.
#[derive(Clone, Copy)]
enum DealerHas {
    Blackjack,
    ACount,
}

impl Engine {
    /// The dealer's hand is complete and every card is known.
    pub(super) fn begin_settlement(&mut self, out: &mut Events) {
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
    pub(super) fn wheels_have_stopped(&mut self, out: &mut Events) {
        let dealer_blackjack = self.now.dealer.is_ace_and_ten();
        match (dealer_blackjack, self.now.answer) {
            (true, Some(Answer::No)) => self.settle_missed_blackjack(out),
            (true, _) => self.draw_up_main_lines(DealerHas::Blackjack, out),
            (false, _) => self.draw_up_main_lines(DealerHas::ACount, out),
        }
        self.draw_up_additional_lines(out);
        self.enter_settlement(out);
    }

    pub(super) fn enter_settlement(&mut self, out: &mut Events) {
        self.now.phase = Phase::Settlement;
        if !self.now.has_open_lines() {
            self.end_round(out);
        }
    }

    /// Where cards are not tracked, the reader's word and the seats' marks decide (7.G(3)).
    pub(super) fn settle_told_blackjack(&mut self, out: &mut Events) {
        self.push_drawn_lines_of_all(out);
        if self.now.answer == Some(Answer::No) {
            self.settle_missed_blackjack(out);
        } else {
            self.draw_up_main_lines(DealerHas::Blackjack, out);
        }
        self.enter_settlement(out);
    }

    /// Lines for every unsettled hand, from the right, in the procedure the submission names.
    fn draw_up_main_lines(&mut self, against: DealerHas, out: &mut Events) {
        let counts = matches!(against, DealerHas::ACount) && self.table.variation != Variation::Switch;
        if counts && self.draw_up_compared_lines(out) {
            return;
        }
        match self.table.settlement {
            Settlement::CollectThenPay => {
                // The first pass marks the boxes that the second has to come back to.
                let left = self.pass(self.now.in_play, against, |outcome| outcome == Outcome::Lost, out);
                self.pass(left, against, |outcome| outcome != Outcome::Lost, out);
            }
            Settlement::PayAndCollectFromRight => {
                self.pass(self.now.in_play, against, |_| true, out);
            }
        }
    }

    /// Draws up the wanted lines of these boxes and gives back the boxes with others.
    #[inline]
    fn pass(&mut self, seats: SeatSet, against: DealerHas, wanted: fn(Outcome) -> bool, out: &mut Events) -> SeatSet {
        let mut left = SeatSet::EMPTY;
        for seat in seats.iter(Direction::FromRight) {
            if self.now.box_at(seat).side_open != 0 {
                self.push_spin_lines(seat, wanted, out);
                left = left.with(seat);
            }
            let each = self.now.box_at(seat);
            if each.insurance.is_placed() && !each.insurance_settled {
                if wanted(Outcome::Won) {
                    self.settle_insurance(seat, Outcome::Won, out);
                } else {
                    left = left.with(seat);
                }
            }
            for hand in 0..self.now.box_at(seat).hand_count {
                let state = &self.now.box_at(seat).hands[usize::from(hand)];
                if state.settled {
                    continue;
                }
                let ending = match against {
                    DealerHas::ACount => self.ending(state),
                    DealerHas::Blackjack => self.ending_against_blackjack(state),
                };
                if wanted(ending.outcome) {
                    self.settle_hand(seat, hand, ending, out);
                } else {
                    left = left.with(seat);
                }
            }
        }
        left
    }

    /// A hand against a dealer without blackjack.
    fn ending(&self, hand: &HandState) -> Ending {
        let player = hand.cards.total();
        let dealer = self.now.dealer.total();
        if hand.cards.is_bust() {
            return BUST;
        }
        if self.table.variation == Variation::Switch
            && let Some(ending) = self.switch_ending(hand, dealer)
        {
            return ending;
        }
        if hand.status == HandStatus::Blackjack {
            return self.blackjack_won();
        }
        if player == 21 && self.table.game.player_21_wins() {
            return self.ending_of_21(hand, dealer);
        }
        let compared = Compared::of(player, dealer);
        let ending = COMPARED[compared as usize];
        match compared {
            Compared::Lower => Ending { point: self.table.settlement.point(), ..ending },
            Compared::Tie | Compared::Higher | Compared::DealerBust => ending,
        }
    }

    /// A 21 of the sister games: a bonus of 12.B where it is neither doubled nor split (S9), else even. Of doubled hands
    /// 12.B itself says so.
    fn ending_of_21(&self, hand: &HandState, dealer: u8) -> Ending {
        let bonus = if hand.from_split { None } else { self.bonus(&hand.cards) };
        let name: LineName = if dealer == 21 { &"21 against 21" } else { &"21" };
        let (name, ratio, point) = match bonus {
            Some(bonus) if hand.doubles == 0 => (&bonus.name, bonus.ratio, bonus.point),
            Some(_) => (name, Ratio::EVEN, Point::BonusNotOnDoubles),
            None => (name, Ratio::EVEN, Point::PaysEven),
        };
        Ending { outcome: Outcome::Won, name, pay: Some(Pay::To(ratio)), point }
    }

    /// The best single line of 12.B for a 21 (S5).
    fn bonus(&self, hand: &Hand) -> Option<&'static Bonus> {
        match hand.len() {
            3 => {
                let &[a, b, c] = hand.cards() else { return None };
                let suited = a.suit() == b.suit() && b.suit() == c.suit();
                let top = suited && Some(a.suit()) == self.table.game.top_suit();
                if is_three_sevens(a, b, c) {
                    Some(match (suited, top) {
                        (_, true) => &payouts::THREE_SEVENS_TOP,
                        (true, false) => &payouts::THREE_SEVENS_SUITED,
                        (false, false) => &payouts::THREE_SEVENS_MIXED,
                    })
                } else if is_six_seven_eight(a, b, c) {
                    Some(match (suited, top) {
                        (_, true) => &payouts::SIX_SEVEN_EIGHT_TOP,
                        (true, false) => &payouts::SIX_SEVEN_EIGHT_SUITED,
                        (false, false) => &payouts::SIX_SEVEN_EIGHT_MIXED,
                    })
                } else {
                    None
                }
            }
            5 => Some(&payouts::FIVE_CARDS),
            6 => Some(&payouts::SIX_CARDS),
            7 => Some(&payouts::SEVEN_CARDS),
            8.. if self.table.seven_card_21 == SevenCard21::OrMore => Some(&payouts::SEVEN_CARDS),
            _ => None,
        }
    }

    /// A hand against a dealer blackjack that the reader announced: nobody has acted.
    fn ending_against_blackjack(&self, hand: &HandState) -> Ending {
        if hand.status != HandStatus::Blackjack {
            let switched = self.table.variation == Variation::Switch && hand.cards.is_ace_and_ten();
            let point = if switched { Point::SwitchedLost } else { Point::DealerBlackjack };
            return Ending { outcome: Outcome::Lost, name: &"dealer blackjack", pay: None, point };
        }
        if self.table.game.player_21_wins() {
            self.blackjack_won()
        } else {
            let switch = self.table.variation == Variation::Switch;
            let point = if switch { Point::SwitchTiesBlackjack } else { Point::Tied };
            Ending { outcome: Outcome::Tied, name: &"blackjack against blackjack", pay: None, point }
        }
    }

    // ---- a blackjack that the reader missed (S12) ----

    /// The dealer had a blackjack after all: each box loses its original wager and no more, whatever was done since;
    /// what the "no" settled wrongly is listed for the floorperson.
    fn settle_missed_blackjack(&mut self, out: &mut Events) {
        let from = self.now.lines.len();
        let mut silent = Events::discarding();
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

    fn correct_insurance(&mut self, seat: Seat, out: &mut Events) {
        if self.now.box_at(seat).insurance.is_placed() {
            let mut line = self.insurance_line(seat, Outcome::Won);
            line.approval = Approval::Floor;
            line.correction = Due::NOTHING;
            self.push_line(line, out);
        }
    }

    fn settle_box_against_missed_blackjack(&mut self, seat: Seat, out: &mut Events) {
        // Switch has two original wagers a box, each with the hands that came of it (12.A(1), B8).
        for origin in 0..2 {
            if self.now.box_at(seat).hands().iter().any(|hand| hand.origin == origin) {
                self.settle_original_against_missed_blackjack(seat, origin, out);
            }
        }
    }

    fn settle_original_against_missed_blackjack(&mut self, seat: Seat, origin: u8, out: &mut Events) {
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
        out: &mut Events,
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
    fn settle_blackjack_against_missed(&mut self, seat: Seat, at: usize, hand: &HandState, out: &mut Events) {
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

fn is_three_sevens(a: Card, b: Card, c: Card) -> bool {
    [a, b, c].iter().all(|card| card.rank() == Rank::Seven)
}

fn is_six_seven_eight(a: Card, b: Card, c: Card) -> bool {
    let seen = [a, b, c].iter().fold(0u16, |seen, card| seen | 1 << card.rank() as u8);
    seen == 1 << Rank::Six as u8 | 1 << Rank::Seven as u8 | 1 << Rank::Eight as u8
}

/// Three sevens of one suit, the hand of 12.C.
pub(super) fn is_suited_three_sevens(hand: &Hand) -> bool {
    matches!(*hand.cards(), [a, b, c]
        if is_three_sevens(a, b, c) && a.suit() == b.suit() && b.suit() == c.suit() && hand.cards_down() == 0)
}
