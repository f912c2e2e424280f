//! What follows from an irregularity: the questions that its clause asks, and their answers.

use super::Engine;
use super::irregular::{AfterVoid, Irregular, Told};
use super::life::CUT_MARGIN;
use super::settle::Ending;
use super::state::{Ask, CutState, DealStep, HandState, HandStatus, Phase, Turn, Want};
use crate::event::{Event, Events, Place};
use crate::game::Direction;
use crate::input::{Drawn, Input, InputKind, ShuffleDone, UpGroup};
use crate::line::Outcome;
use crate::refusal::Refusal;
use crate::seat::{Seat, SeatSet};
use crate::source::Point;
use crate::table::{ReaderKind, Shuffler, Variation};

impl Engine {
    pub(super) fn on_irregularity(&mut self, told: Told, out: &mut Events) {
        let source = self.clause(told.kind);
        let Told { seat, card, .. } = told;
        out.push(Event::Irregularity { seat, card, source });
        match told.kind {
            Irregular::FaceUpInShoe => {
                self.now.face_up_found += 1;
                if self.now.face_up_found > 1 && self.table.game.is_sister_game() {
                    self.void_round(Point::SecondFaceUp, AfterVoid::Reshuffle, out);
                }
            }
            Irregular::SecondFaceUpInShoe => self.void_round(Point::SecondFaceUp, AfterVoid::Reshuffle, out),
            Irregular::TenInShoe => self.ask(Ask::FloorTearsTen),
            Irregular::SecondTenInShoe => {
                self.now.tens_found += 1;
                self.ask(Ask::FloorTearsTen);
            }
            Irregular::DrawnUnexposed
            | Irregular::DealerDrewOn17
            | Irregular::WrongShoeSide
            | Irregular::ShufflerJam => {}
            Irregular::DrawnExposed => {
                self.now.exposed = card;
                if matches!(self.now.phase, Phase::Decisions) {
                    self.ask(Ask::AcceptExposed);
                }
            }
            Irregular::DealerMissedOwnCard => {
                if let (Phase::Dealing(DealStep::UpCard), Some(first)) = (self.now.phase, self.now.in_play.lowest()) {
                    self.now.missed_up_card = true;
                    self.now.phase = Phase::Dealing(DealStep::Second(first, 0));
                }
            }
            Irregular::ShoeRanOut => self.ask(Ask::Shuffle),
            Irregular::NoCardDealt => {
                if let Some(seat) = seat {
                    self.leave_out(seat, out);
                }
            }
            Irregular::OneCardDealt => {
                if let Phase::Dealing(DealStep::Second(seat, hand)) = self.now.phase {
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
    fn ask(&mut self, ask: Ask) {
        self.now.held = self.now.phase;
        self.now.phase = Phase::Irregularity(ask);
    }

    fn resume(&mut self) {
        self.now.phase = self.now.held;
    }

    /// 13.Q / 14.L with S12: nothing is dealt until the reader is repaired, except that a round whose peek is done may
    /// finish where the submission says so.
    fn reader_fails(&mut self, out: &mut Events) {
        if matches!(self.now.phase, Phase::Wagering) {
            self.now.between.reader_out = true;
            out.push(Event::ReaderStopped { source: self.cite(Point::ReaderMalfunction) });
            return;
        }
        let peek_is_done = self.now.answer.is_some() || self.now.up == Some(UpGroup::Low);
        if peek_is_done && self.table.finish_after_peek {
            self.now.between.reader_out = true;
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

    /// Seats that may accept or refuse now.
    pub(super) fn asked_seat(&self) -> Option<Seat> {
        let Phase::Irregularity(ask) = self.now.phase else { return None };
        match ask {
            Ask::AcceptExposed => Some(self.now.turn.seat),
            Ask::SecondCard(seat, _) | Ask::MissedCard(seat) => Some(seat),
            Ask::FloorTearsTen | Ask::FloorNotified | Ask::Shuffle | Ask::Cut | Ask::Burn => None,
        }
    }

    pub(super) fn on_accept(&mut self, seat: Seat, out: &mut Events) -> Result<(), Refusal> {
        if self.asked_seat() != Some(seat) {
            return self.not_now(InputKind::Accept);
        }
        out.push(Event::Answered { seat, accepted: true, source: self.cite(self.due()) });
        let Phase::Irregularity(ask) = self.now.phase else { return Ok(()) };
        match ask {
            Ask::AcceptExposed => {
                self.now.phase = Phase::Decisions;
                if let Some(card) = self.now.exposed.take() {
                    if self.now.turn.want == Want::SplitCard {
                        self.split_card(card, out);
                    } else {
                        self.hit_card(card, out);
                    }
                }
            }
            Ask::SecondCard(seat, hand) => self.now.phase = Phase::Dealing(DealStep::Second(seat, hand)),
            Ask::MissedCard(seat) => {
                self.resume();
                self.reopen(seat);
            }
            Ask::FloorTearsTen | Ask::FloorNotified | Ask::Shuffle | Ask::Cut | Ask::Burn => {}
        }
        Ok(())
    }

    /// 13.O(1): the hand is served after all others, before the hole card is turned.
    fn reopen(&mut self, seat: Seat) {
        let hand = self.hand_without_its_card(seat).unwrap_or(0);
        self.now.deferred = self.now.deferred.with(seat);
        if matches!(self.now.phase, Phase::Reveal) {
            self.now.deferred = self.now.deferred.without(seat);
            self.serve_deferred(seat, hand);
        }
    }

    pub(super) fn serve_deferred(&mut self, seat: Seat, hand: u8) {
        self.now.phase = Phase::Decisions;
        self.now.box_mut(seat).hands[usize::from(hand)].status = HandStatus::Open;
        self.now.turn = Turn { seat, hand, want: Want::HitCard };
    }

    /// A hand that was passed over and has waited for its card.
    pub(super) fn next_deferred(&mut self) -> bool {
        let Some(seat) = self.now.deferred.first_in(self.table.game.decision_order()) else { return false };
        self.now.deferred = self.now.deferred.without(seat);
        match self.hand_without_its_card(seat) {
            Some(hand) => {
                self.serve_deferred(seat, hand);
                true
            }
            None => self.next_deferred(),
        }
    }

    pub(super) fn on_refuse(&mut self, seat: Seat, out: &mut Events) -> Result<(), Refusal> {
        if self.asked_seat() != Some(seat) {
            return self.not_now(InputKind::Refuse);
        }
        let Phase::Irregularity(ask) = self.now.phase else { return Ok(()) };
        let point = if ask == Ask::AcceptExposed { Point::ExposedRefused } else { self.due() };
        out.push(Event::Answered { seat, accepted: false, source: self.cite(point) });
        match ask {
            Ask::AcceptExposed => {
                // 13.G: no further card to this player in this round.
                let count = self.now.box_at(seat).hand_count;
                for at in self.now.turn.hand..count {
                    let hand = &mut self.now.box_mut(seat).hands[usize::from(at)];
                    if hand.status == HandStatus::Open {
                        hand.status = HandStatus::Done;
                    }
                }
                self.now.turn.hand = count.saturating_sub(1);
                self.now.phase = Phase::Decisions;
                self.next_hand(out);
                if matches!(self.now.phase, Phase::Decisions) {
                    self.now.phase = Phase::Irregularity(Ask::AcceptExposed);
                }
            }
            Ask::SecondCard(seat, hand) => {
                self.one_card_stays_alone(seat, hand, out);
                self.after_second_cards(out);
            }
            Ask::MissedCard(seat) => {
                self.resume();
                let at = self.missed_hand(seat).unwrap_or(0);
                self.now.box_mut(seat).hands[usize::from(at)].status = HandStatus::Dead;
                self.settle_hand(
                    seat,
                    at,
                    Ending { outcome: Outcome::Dead, name: &"dead hand", pay: None, point: Point::MissedCardDead },
                    out,
                );
            }
            Ask::FloorTearsTen | Ask::FloorNotified | Ask::Shuffle | Ask::Cut | Ask::Burn => {}
        }
        Ok(())
    }

    /// 13.N: who has one card may have the second once everybody else has theirs; then the dealer's cards follow.
    pub(super) fn after_second_cards(&mut self, out: &mut Events) {
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
    fn one_card_stays_alone(&mut self, seat: Seat, hand: u8, out: &mut Events) {
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
    fn leave_out(&mut self, seat: Seat, out: &mut Events) {
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

    fn dead_hand(&mut self, seat: Seat, point: Point, out: &mut Events) {
        self.return_side_wagers(seat, Outcome::Dead, point, out);
        for hand in 0..self.now.box_at(seat).hand_count {
            self.settle_hand(seat, hand, Ending { outcome: Outcome::Dead, name: &"dead hand", pay: None, point }, out);
        }
        self.now.in_play = self.now.in_play.without(seat);
    }

    /// A floorperson answers for what the clause names them for.
    pub(super) fn floor_answers(&mut self, out: &mut Events) -> bool {
        let Phase::Irregularity(ask) = self.now.phase else { return false };
        match ask {
            Ask::FloorTearsTen => {
                out.push(Event::Approved { by: InputKind::FloorApprove, source: self.cite(Point::TenTorn) });
                self.resume();
                self.now.tens_found += 1;
                if self.now.tens_found > 1 {
                    self.void_round(Point::SecondTen, AfterVoid::DecksOut, out);
                }
            }
            Ask::FloorNotified => {
                self.resume();
                let seen = self.table.reader == ReaderKind::VisibleToPlayers;
                let source = if seen { self.cite(Point::PeekUpCards) } else { self.hidden_peek() };
                out.push(Event::Approved { by: InputKind::FloorApprove, source });
                if seen {
                    self.void_round(Point::VoidReturnsWagers, AfterVoid::PlayOn, out);
                }
            }
            Ask::AcceptExposed | Ask::SecondCard(..) | Ask::MissedCard(_) | Ask::Shuffle | Ask::Cut | Ask::Burn => {
                return false;
            }
        }
        true
    }

    // ---- a shoe that ran out in mid-round (13.K, 13.L; 14.F) ----

    /// Shuffle, cut and burn the discards, then the round goes on where it stood.
    pub(super) fn on_reshoe(&mut self, input: &Input, out: &mut Events) -> Result<bool, Refusal> {
        let Phase::Irregularity(ask) = self.now.phase else { return Ok(false) };
        match (ask, *input) {
            (Ask::Shuffle, Input::Shuffle(done @ ShuffleDone::Jam)) => {
                self.check_shuffle_method(done)?;
                out.push(Event::ShuffleFailed { source: self.cite(Point::ShufflerJam) });
            }
            (Ask::Shuffle, Input::Shuffle(done)) => {
                self.check_shuffle_method(done)?;
                out.push(Event::StepDone { source: self.cite(Point::ShortShoe) });
                self.discards_are_shuffled();
            }
            (Ask::Cut, Input::Cut { by, depth }) => {
                self.check_cut(by, depth, self.discards_most())?;
                out.push(Event::CutMade { by, depth, source: self.cite(Point::CutDepth) });
                self.now.phase = Phase::Irregularity(Ask::Burn);
            }
            (Ask::Cut, Input::CutRefused(seat)) => self.on_cut_refused(seat, out)?,
            (Ask::Burn, Input::Burn) => {
                out.push(Event::Burnt { source: self.cite(Point::ShortShoeBurn) });
                self.resume();
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// 13.K with 5.D: the cut of the discards is offered like any other, first to the player at whose box the cover card
    /// appeared. A continuous device is exempt from cutting (5.K, P7).
    fn discards_are_shuffled(&mut self) {
        if self.table.shuffler == Shuffler::Continuous && !self.now.between.shuffler_out {
            self.now.phase = Phase::Irregularity(Ask::Burn);
            return;
        }
        self.now.between.cut = CutState { start: self.cover_seat(), seated: self.now.in_play, refused: SeatSet::EMPTY };
        self.now.phase = Phase::Irregularity(Ask::Cut);
    }

    /// The most cards that can be in the discard rack: all that do not lie on the table. A rack too small for two margins
    /// is still cut somewhere.
    fn discards_most(&self) -> u16 {
        let hands = self.now.in_play.iter(Direction::FromLeft).flat_map(|seat| self.now.box_at(seat).hands());
        let dealt: u16 = hands.map(|hand| u16::from(hand.cards.len())).sum();
        self.stack_size().saturating_sub(dealt + u16::from(self.now.dealer.len())).max(2 * CUT_MARGIN)
    }

    /// 13.F, 13.H: the exposed card that the players refused is the dealer's, or goes to the discard rack.
    pub(super) fn dealer_takes_exposed(&mut self, wanted: bool, out: &mut Events) -> bool {
        let Some(card) = self.now.exposed.take() else { return false };
        if wanted {
            self.now.dealer.push(card);
            let (total, soft) = (self.now.dealer.total(), self.now.dealer.is_soft());
            let source = self.clause(Irregular::DrawnExposed);
            out.push(Event::CardDealt { to: Place::Dealer, card: Drawn::FaceUp(card), total, soft, source });
        } else {
            let source = self.cite(Point::ExposedDiscarded);
            out.push(Event::Irregularity { seat: None, card: Some(card), source });
        }
        wanted
    }
}
