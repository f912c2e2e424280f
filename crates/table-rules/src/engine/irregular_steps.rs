//! What follows from an irregularity: the questions that its clause asks, and their answers.

use super::Engine;
use super::between::Found;
use super::irregular::{AfterVoid, Irregular, Reported};
use super::life::CUT_MARGIN;
use super::rows::Ending;
use super::state::{Ask, CutState, DealStep, HandState, HandStatus, Phase};
use super::wagering::side_bit;
use crate::event::{Event, Sink};
use crate::game::Direction;
use crate::input::{Input, InputKind, ShuffleDone, UpGroup};
use crate::line::{Approval, Outcome};
use crate::refusal::Refusal;
use crate::seat::Seat;
use crate::source::Point;
use crate::table::{ReaderKind, ShoeSide, Shuffler, Tracking, Variation};

impl Engine {
    pub(super) fn on_irregularity(&mut self, told: Reported, out: &mut impl Sink) {
        let source = self.clause(told.kind);
        let Reported { seat, card, .. } = told;
        out.push(Event::Irregularity { seat, card, source });
        match told.kind {
            Irregular::FaceUpInShoe => self.face_up_was_found(out),
            Irregular::SecondFaceUpInShoe => self.second_face_up_was_found(out),
            Irregular::TenInShoe => self.ten_was_found(out),
            Irregular::SecondTenInShoe => {
                self.count_ten();
                self.ten_was_found(out);
            }
            Irregular::DrawnUnexposed | Irregular::DealerDrewOn17 | Irregular::ShufflerJam => {}
            Irregular::WrongShoeSide => {
                self.now.wrong_side = true;
                self.now.drawn_from = self.now.side.map(ShoeSide::other);
            }
            Irregular::DrawnExposed => self.lay_exposed(card, out),
            Irregular::DealerMissedOwnCard => {
                if let (Phase::Dealing(DealStep::UpCard), Some(first)) = (self.now.phase, self.now.in_play.lowest()) {
                    self.now.missed_up_card = true;
                    self.now.phase = Phase::Dealing(DealStep::Second(first, 0));
                }
            }
            Irregular::ShoeRanOut => {
                self.reshuffle_after_round();
                self.ask(Ask::Shuffle);
            }
            Irregular::NoCardDealt => {
                if let Some(seat) = seat {
                    self.leave_out(seat, out);
                }
            }
            Irregular::OneCardDealt => {
                if let (Some(seat), Phase::Procedure(_)) = (seat, self.now.phase) {
                    self.ask(Ask::SecondCard(seat, 0));
                } else if let Phase::Dealing(DealStep::Second(seat, hand)) = self.now.phase {
                    let later = &mut self.now.second_later[usize::from(hand)];
                    *later = later.with(seat);
                    self.next_second_card(seat, hand, out);
                }
            }
            Irregular::RequestedCardMissed => {
                if let Some(seat) = seat {
                    self.ask(Ask::MissedCard(seat));
                }
            }
            Irregular::ReaderOnWrongUpCard => self.ask(Ask::FloorNotified),
            Irregular::ReaderMalfunction => self.reader_fails(out),
            Irregular::ShufflerOutOfOrder => self.now.between.shuffler_out = true,
        }
    }

    /// Puts the round on hold until the clause's question is answered.
    pub(super) fn ask(&mut self, ask: Ask) {
        self.now.held = self.now.phase;
        self.now.phase = Phase::Irregularity(ask);
    }

    pub(super) fn resume(&mut self) {
        self.now.phase = self.now.held;
    }

    /// 13.Q / 14.L with S12: nothing is dealt until the reader is repaired, except that a round whose peek is done may
    /// finish where the submission says so.
    fn reader_fails(&mut self, out: &mut impl Sink) {
        if matches!(self.now.phase, Phase::Wagering) {
            self.now.set_reader_out(true);
            out.push(Event::ReaderStopped { source: self.cite(Point::ReaderMalfunction) });
            return;
        }
        let peek_is_done = self.now.answer.is_some() || self.now.up == Some(UpGroup::Low);
        if peek_is_done && self.table.finish_after_peek {
            self.now.set_reader_out(true);
            return;
        }
        if self.rests_on_the_yes() {
            // Only the card itself could confirm it: the round resumes at the peek.
            self.take_back_the_yes(out);
            self.stop_reader(out);
            return;
        }
        self.now.held = self.now.phase;
        self.now.reader_failed_in_play = true;
        self.stop_reader(out);
    }

    // ---- answers ----

    /// The seat that may accept or refuse now.
    pub(super) fn asked_seat(&self) -> Option<Seat> {
        let Phase::Irregularity(ask) = self.now.phase else { return self.exposed_card_is_offered_to() };
        match ask {
            Ask::SecondCard(seat, _) | Ask::MissedCard(seat) => Some(seat),
            Ask::FloorTearsTen | Ask::FloorNotified | Ask::Shuffle | Ask::Cut | Ask::Burn => None,
        }
    }

    /// Whether this seat is asked and may answer with `kind`.
    pub(super) fn check_answer(&self, seat: Seat, kind: InputKind) -> Result<(), Refusal> {
        if self.asked_seat() == Some(seat) { Ok(()) } else { self.not_now(kind) }
    }

    pub(super) fn on_accept(&mut self, seat: Seat, out: &mut impl Sink) -> Result<(), Refusal> {
        self.check_answer(seat, InputKind::Accept)?;
        let Phase::Irregularity(ask) = self.now.phase else {
            out.push(Event::Answered { seat, accepted: true, source: self.cite(Point::AcceptExposed) });
            self.accept_exposed(seat, out);
            return Ok(());
        };
        out.push(Event::Answered { seat, accepted: true, source: self.cite(self.due()) });
        match ask {
            Ask::SecondCard(..) if self.tracking == Tracking::Procedure => self.resume(),
            Ask::SecondCard(seat, hand) => self.now.phase = Phase::Dealing(DealStep::Second(seat, hand)),
            Ask::MissedCard(seat) => {
                self.resume();
                self.card_comes_later(seat, out);
            }
            Ask::FloorTearsTen | Ask::FloorNotified | Ask::Shuffle | Ask::Cut | Ask::Burn => {}
        }
        Ok(())
    }

    pub(super) fn on_refuse(&mut self, seat: Seat, out: &mut impl Sink) -> Result<(), Refusal> {
        self.check_answer(seat, InputKind::Refuse)?;
        let Phase::Irregularity(ask) = self.now.phase else {
            out.push(Event::Answered { seat, accepted: false, source: self.cite(Point::ExposedRefused) });
            self.refuse_exposed(seat, out);
            return Ok(());
        };
        out.push(Event::Answered { seat, accepted: false, source: self.cite(self.due()) });
        match ask {
            Ask::SecondCard(seat, _) if self.tracking == Tracking::Procedure => {
                self.resume();
                self.box_went_short(seat, Point::SecondCardRefused, out);
            }
            Ask::SecondCard(seat, hand) => {
                self.one_card_stays_alone(seat, hand, out);
                self.after_second_cards(out);
            }
            Ask::MissedCard(seat) => {
                self.resume();
                self.missed_hand_is_dead(seat, out);
            }
            Ask::FloorTearsTen | Ask::FloorNotified | Ask::Shuffle | Ask::Cut | Ask::Burn => {}
        }
        Ok(())
    }

    /// 13.N: who has one card may have the second once everybody else has theirs; then the dealer's cards follow.
    pub(super) fn after_second_cards(&mut self, out: &mut impl Sink) {
        if let Some((seat, hand)) = self.next_without_second_card() {
            let later = &mut self.now.second_later[usize::from(hand)];
            *later = later.without(seat);
            self.now.phase = Phase::Irregularity(Ask::SecondCard(seat, hand));
            return;
        }
        if self.now.in_play.is_empty() {
            self.enter_settlement(out);
            return;
        }
        let dealer_has_up_card = !self.now.dealer.is_empty();
        self.now.phase = Phase::Dealing(if dealer_has_up_card { DealStep::HoleCard } else { DealStep::UpCard });
    }

    /// The first hand in the order of the deal that still waits for its second card.
    fn next_without_second_card(&self) -> Option<(Seat, u8)> {
        let [first, second] = self.now.second_later;
        let seat = first.union(second).lowest()?;
        Some((seat, u8::from(!first.contains(seat))))
    }

    /// 13.N / 14.H: the player does not want the second card. In Switch the box's other hand plays on (H13).
    fn one_card_stays_alone(&mut self, seat: Seat, hand: u8, out: &mut impl Sink) {
        let point = Point::SecondCardRefused;
        let dead = |other: &HandState| other.status == HandStatus::Dead;
        let others_live = self.now.box_at(seat).hands().iter().filter(|other| !dead(other)).count() > 1;
        self.return_side_wagers(seat, Outcome::Dead, point, out);
        self.now.box_mut(seat).hands[usize::from(hand)].status = HandStatus::Dead;
        self.settle_hand(seat, hand, Ending { outcome: Outcome::Dead, name: &"dead hand", pay: None, point }, out);
        if !others_live {
            self.now.in_play = self.now.in_play.without(seat);
        }
    }

    /// 13.M, X3: no card reached this box. Its hand is dead, its wagers go back, and it is out of the round.
    fn leave_out(&mut self, seat: Seat, out: &mut impl Sink) {
        if self.tracking == Tracking::Procedure {
            return self.box_went_short(seat, Point::NoCardsDead, out);
        }
        self.open_every_hand(seat);
        self.dead_hand(seat, Point::NoCardsDead, out);
        match self.now.in_play.after(seat, Direction::FromLeft).lowest() {
            Some(next) => self.now.phase = Phase::Dealing(DealStep::First(next, 0)),
            None if self.now.in_play.is_empty() => self.enter_settlement(out),
            None => self.now.phase = Phase::Dealing(DealStep::UpCard),
        }
    }

    /// Every hand that a wager lies for, dealt to or not: in Switch two a box (12.A(1)).
    pub(super) fn open_every_hand(&mut self, seat: Seat) {
        let hands = match self.table.variation {
            Variation::Switch => 2,
            Variation::Standard | Variation::FromTheHand | Variation::DoubleShoe => 1,
        };
        while self.now.box_at(seat).hand_count < hands {
            self.now.box_mut(seat).open_hand();
        }
    }

    pub(super) fn dead_hand(&mut self, seat: Seat, point: Point, out: &mut impl Sink) {
        // H26: once cards are out, somebody could call a hand dead that looks bad. One word is enough for a box.
        let mut approval = if self.cards_are_out() { Approval::Floor } else { Approval::NotNeeded };
        self.return_side_wagers(seat, Outcome::Dead, point, out);
        for hand in 0..self.now.box_at(seat).hand_count {
            let ending = Ending { outcome: Outcome::Dead, name: &"dead hand", pay: None, point };
            self.settle_hand_with(seat, hand, ending, approval, out);
            approval = Approval::NotNeeded;
        }
        self.now.in_play = self.now.in_play.without(seat);
    }

    /// Whether some card of this round lies on the table. Where cards are not tracked nobody can say that none does.
    fn cards_are_out(&self) -> bool {
        if self.tracking == Tracking::Procedure {
            return true;
        }
        let dealt = |seat| self.now.box_at(seat).hands().iter().any(|hand| !hand.cards.is_empty());
        !self.now.dealer.is_empty() || self.now.in_play.iter(Direction::FromLeft).any(dealt)
    }

    /// Whether the clause that is in question names the floorperson for the answer.
    pub(super) fn floor_is_to_answer(&self) -> bool {
        self.now.ten_waits || matches!(self.now.phase, Phase::Irregularity(Ask::FloorTearsTen | Ask::FloorNotified))
    }

    /// A floorperson answers for what the clause names them for.
    pub(super) fn floor_answers(&mut self, out: &mut impl Sink) {
        if self.now.ten_waits {
            return self.ten_is_torn(out);
        }
        let Phase::Irregularity(ask) = self.now.phase else { return };
        match ask {
            Ask::FloorTearsTen => self.ten_is_torn(out),
            Ask::FloorNotified => {
                self.resume();
                let seen = self.table.reader == ReaderKind::VisibleToPlayers;
                let source = if seen { self.cite(Point::PeekUpCards) } else { self.hidden_peek() };
                out.push(Event::Approved { by: InputKind::FloorApprove, source });
                if seen {
                    self.void_round(Point::VoidReturnsWagers, AfterVoid::PlayOn, out);
                } else {
                    // The wagers on the first cards may have been settled while the question lay there.
                    self.lines_were_confirmed(out);
                }
            }
            Ask::SecondCard(..) | Ask::MissedCard(_) | Ask::Shuffle | Ask::Cut | Ask::Burn => {}
        }
    }

    // ---- a shoe that ran out in mid-round (13.K, 13.L; 14.F) ----

    /// Whether this input is the step that the discards wait for.
    pub(super) fn check_reshoe(&self, input: &Input) -> Result<bool, Refusal> {
        let Phase::Irregularity(ask) = self.now.phase else { return Ok(false) };
        match (ask, *input) {
            (Ask::Shuffle, Input::Shuffle(done)) => self.check_shuffle_method(done)?,
            (Ask::Cut, Input::Cut { by, depth }) => self.check_cut(by, depth, self.discards_most())?,
            (Ask::Cut, Input::CutRefused(seat)) => self.check_cut_refused(seat)?,
            (Ask::Burn, Input::Burn) => {}
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Shuffle, cut and burn the discards, then the round goes on where it stood.
    pub(super) fn on_reshoe(&mut self, input: &Input, out: &mut impl Sink) -> Result<bool, Refusal> {
        let due = self.check_reshoe(input)?;
        if due {
            self.reshoe(input, out);
        }
        Ok(due)
    }

    fn reshoe(&mut self, input: &Input, out: &mut impl Sink) {
        if let Input::Shuffle(ShuffleDone::Jam) = *input {
            out.push(Event::ShuffleFailed { source: self.cite(Point::ShufflerJam) });
        } else if let Input::Shuffle(_) = *input {
            out.push(Event::StepDone { source: self.cite(Point::ShortShoe) });
            self.discards_are_shuffled();
        } else if let Input::Cut { by, depth } = *input {
            out.push(Event::CutMade { by, depth, source: self.cite(Point::CutDepth) });
            self.now.phase = Phase::Irregularity(Ask::Burn);
        } else if let Input::CutRefused(seat) = *input {
            self.cut_is_refused(seat, out);
        } else {
            out.push(Event::Burnt { source: self.cite(Point::ShortShoeBurn) });
            self.resume();
        }
    }

    /// H21: a shoe that ran out was dealt to its end, so the cards are shuffled after the round whether or not anybody told of
    /// the cover card (5.A, 5.G); at a double shoe those of the side that the
    /// cards came from (14.I). A continuous device needs it not (5.K, P7).
    fn reshuffle_after_round(&mut self) {
        if self.table.shuffler == Shuffler::Continuous && !self.now.between.shuffler_out {
            return;
        }
        self.now.between.cover_seen = true;
        if self.table.variation == Variation::DoubleShoe {
            self.now.between.covers |= self.now.drawn_from.map_or(3, side_bit);
        }
    }

    /// 13.K with 5.D: the cut of the discards is offered like any other, first to the player at whose box the cover card
    /// appeared. A continuous device is exempt from cutting (5.K, P7).
    fn discards_are_shuffled(&mut self) {
        self.now.between.found = Found::default();
        if self.table.shuffler == Shuffler::Continuous && !self.now.between.shuffler_out {
            self.now.phase = Phase::Irregularity(Ask::Burn);
            return;
        }
        self.now.between.cut =
            CutState { start: self.cover_seat(), seated: self.now.in_play, ..CutState::first_player() };
        self.now.phase = Phase::Irregularity(Ask::Cut);
    }

    /// The most cards that can be in the discard rack: all that do not lie on the table. A rack too small for two margins
    /// is still cut somewhere.
    fn discards_most(&self) -> u16 {
        let hands = self.now.in_play.iter(Direction::FromLeft).flat_map(|seat| self.now.box_at(seat).hands());
        let dealt: u16 = hands.map(|hand| u16::from(hand.cards.len())).sum();
        self.stack_size().saturating_sub(dealt + u16::from(self.now.dealer.len())).max(2 * CUT_MARGIN)
    }
}
