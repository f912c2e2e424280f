//! Irregularities: Chapter 13 of the sister games, Chapter 14 of Blackjack. What happened is an input like any other;
//! the engine says what the clause requires, asks what it needs, and leads the round to its proper continuation.

use super::Engine;
use super::state::{Ask, DealStep, HandStatus, Phase, Rest, Turn, Want};
use crate::card::{Card, Rank, Suit};
use crate::event::{Event, Events, Place};
use crate::game::{Direction, Game};
use crate::input::{Cutter, Drawn, Input, InputKind, ShuffleDone, Text, UpGroup};
use crate::line::Outcome;
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;
use crate::source::{Point, Source};
use crate::table::{ReaderKind, Shuffler, Tracking, Variation};

/// What can go wrong at the table, by what it is; the clause depends on the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Irregular {
    FaceUpInShoe,
    SecondFaceUpInShoe,
    TenInShoe,
    SecondTenInShoe,
    DrawnUnexposed,
    DrawnExposed,
    DealerDrewOn17,
    DealerMissedOwnCard,
    ShoeRanOut,
    NoCardDealt,
    OneCardDealt,
    RequestedCardMissed,
    WrongShoeSide,
    ReaderOnWrongUpCard,
    ReaderMalfunction,
    ShufflerJam,
    ShufflerOutOfOrder,
}

impl Irregular {
    pub const ALL: [Self; 17] = [
        Self::FaceUpInShoe,
        Self::SecondFaceUpInShoe,
        Self::TenInShoe,
        Self::SecondTenInShoe,
        Self::DrawnUnexposed,
        Self::DrawnExposed,
        Self::DealerDrewOn17,
        Self::DealerMissedOwnCard,
        Self::ShoeRanOut,
        Self::NoCardDealt,
        Self::OneCardDealt,
        Self::RequestedCardMissed,
        Self::WrongShoeSide,
        Self::ReaderOnWrongUpCard,
        Self::ReaderMalfunction,
        Self::ShufflerJam,
        Self::ShufflerOutOfOrder,
    ];

    /// Blackjack's clause and the sister games' clause; `None` where a document has none.
    const fn clauses(self) -> (Option<&'static str>, Option<&'static str>) {
        match self {
            Self::FaceUpInShoe => (Some("14.A"), Some("13.A")),
            Self::SecondFaceUpInShoe => (None, Some("13.B")),
            Self::TenInShoe => (None, Some("13.C")),
            Self::SecondTenInShoe => (None, Some("13.D")),
            Self::DrawnUnexposed => (Some("14.B"), Some("13.E")),
            Self::DrawnExposed => (Some("14.C"), Some("13.F")),
            Self::DealerDrewOn17 => (Some("14.D"), Some("13.I")),
            Self::DealerMissedOwnCard => (Some("14.E"), Some("13.J")),
            Self::ShoeRanOut => (Some("14.F"), Some("13.K")),
            Self::NoCardDealt => (Some("14.G"), Some("13.M")),
            Self::OneCardDealt => (Some("14.H"), Some("13.N")),
            Self::RequestedCardMissed => (Some("14.J"), Some("13.O")),
            Self::WrongShoeSide => (Some("14.I"), None),
            Self::ReaderOnWrongUpCard => (Some("14.K"), Some("13.P")),
            Self::ReaderMalfunction => (Some("14.L"), Some("13.Q")),
            Self::ShufflerJam => (Some("14.M"), Some("13.R")),
            Self::ShufflerOutOfOrder => (Some("14.N"), Some("13.S")),
        }
    }

    pub const fn clause(self, game: Game) -> Option<&'static str> {
        let (blackjack, sisters) = self.clauses();
        match game {
            Game::Blackjack => blackjack,
            Game::Spanish21 | Game::Pontoon21 | Game::PlayersEdge21 => sisters,
        }
    }

    pub fn of_clause(game: Game, clause: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.clause(game) == Some(clause))
    }
}

/// What becomes of the cards after a void round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AfterVoid {
    PlayOn,
    Reshuffle,
    DecksOut,
}

/// An irregularity as it was told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Told {
    pub(super) kind: Irregular,
    pub(super) seat: Option<Seat>,
    pub(super) card: Option<Card>,
    pub(super) attested: bool,
}

impl Engine {
    fn clause(&self, kind: Irregular) -> Source {
        Source { game: self.table.game, id: kind.clause(self.table.game).unwrap_or("13.A") }
    }

    fn refuse_irregular<T>(&self, kind: Irregular, reason: Reason) -> Result<T, Refusal> {
        Err(Refusal { reason, source: self.clause(kind) })
    }

    /// Whether this irregularity can have happened now, as told. The handler and the offers both ask here.
    pub(super) fn check_irregular(
        &self,
        clause: Text,
        seat: Option<Seat>,
        card: Option<Card>,
        attested: bool,
    ) -> Result<Told, Refusal> {
        let Some(kind) = Irregular::of_clause(self.table.game, clause.as_str()) else {
            return self.refuse(Reason::NoSuchIrregularity, self.due());
        };
        let told = Told { kind, seat, card, attested };
        if self.tracking == Tracking::Procedure && needs_cards(kind) {
            return self.refuse_irregular(kind, Reason::WrongTracking(InputKind::Irregularity));
        }
        if self.can_have_happened(&told)? {
            Ok(told)
        } else {
            self.refuse_irregular(kind, Reason::NotNow(InputKind::Irregularity))
        }
    }

    /// Whether some irregularity could be told now, with the right particulars.
    pub(super) fn an_irregularity_is_possible(&self) -> bool {
        // A card that flows can always be the wrong one; before the lock none has flowed yet.
        let flows = self.next_place().is_some() && !matches!(self.now.phase, Phase::Wagering);
        flows || Irregular::ALL.into_iter().any(|kind| self.could_be_told(kind))
    }

    fn could_be_told(&self, kind: Irregular) -> bool {
        let unknown = kind.clause(self.table.game).is_none();
        if unknown || (self.tracking == Tracking::Procedure && needs_cards(kind)) {
            return false;
        }
        let cards = [None, Some(Card::new(Rank::Ace, Suit::Spades))];
        let mut seats = self.now.in_play.iter(Direction::FromLeft).map(Some).chain([None]);
        seats.any(|seat| {
            cards
                .iter()
                .any(|&card| self.can_have_happened(&Told { kind, seat, card, attested: true }).unwrap_or(false))
        })
    }

    /// X3: a jackpot that was paid in this round blocks a void without a manager.
    fn void_is_blocked(&self) -> bool {
        self.jackpots_paid() > 0 && !self.now.manager_approved
    }

    /// Whether the floorperson's answer that is due would void the round.
    pub(super) fn floor_answer_is_blocked(&self) -> bool {
        let Phase::Irregularity(ask) = self.now.phase else { return false };
        let voids = match ask {
            Ask::FloorTearsTen => self.now.tens_found > 0,
            Ask::FloorNotified => self.table.reader == ReaderKind::VisibleToPlayers,
            Ask::AcceptExposed | Ask::SecondCard(_) | Ask::MissedCard(_) | Ask::Shuffle | Ask::Cut | Ask::Burn => false,
        };
        voids && self.void_is_blocked()
    }

    fn can_have_happened(&self, told: &Told) -> Result<bool, Refusal> {
        let kind = told.kind;
        let phase = self.now.phase;
        // The first card out of the shoe closes the wagers (X2): before the lock none can have gone wrong.
        let card_flows = self.next_place().is_some() && !matches!(phase, Phase::Wagering);
        let second = kind == Irregular::SecondFaceUpInShoe
            || (kind == Irregular::FaceUpInShoe && self.now.face_up_found > 0 && self.table.game.is_sister_game());
        if second && card_flows && self.void_is_blocked() {
            return self.refuse(Reason::JackpotPaid, Point::JackpotPaid);
        }
        Ok(match kind {
            Irregular::FaceUpInShoe | Irregular::SecondFaceUpInShoe | Irregular::DrawnUnexposed => card_flows,
            Irregular::TenInShoe | Irregular::SecondTenInShoe => {
                if told.card.is_some_and(|card| card.rank() != Rank::Ten) {
                    return self.refuse_irregular(kind, Reason::NotATen);
                }
                card_flows
            }
            Irregular::DrawnExposed => {
                let Some(card) = told.card else { return self.refuse_irregular(kind, Reason::TellTheCard) };
                self.check_in_deck(card)?;
                let asked_seat = told.seat.is_none_or(|seat| seat == self.now.turn.seat);
                let deciding = matches!(phase, Phase::Decisions) && self.now.turn.want == Want::Decision;
                let dealers = matches!(phase, Phase::Reveal) && told.seat.is_none();
                // A card that lies exposed goes somewhere before another is drawn.
                ((deciding && asked_seat) || dealers) && self.now.exposed.is_none()
            }
            Irregular::DealerDrewOn17 => {
                let Some(card) = told.card else { return self.refuse_irregular(kind, Reason::TellTheCard) };
                self.check_in_deck(card)?;
                // L1: any total at which this game's dealer stands; a bust hand or one kept by 7.N is none.
                let (total, soft) = (self.now.dealer.total(), self.now.dealer.is_soft());
                matches!(phase, Phase::Settlement | Phase::AskAdditional | Phase::TurnCards | Phase::Wheel(_))
                    && self.now.dealer.len() > 1
                    && total <= 21
                    && !self.dealer_draws_to(total, soft)
            }
            Irregular::DealerMissedOwnCard => {
                matches!(phase, Phase::Dealing(DealStep::UpCard | DealStep::HoleCard)) && !self.now.missed_up_card
            }
            Irregular::ShoeRanOut => card_flows,
            Irregular::NoCardDealt => {
                matches!(phase, Phase::Dealing(DealStep::First(seat, 0)) if Some(seat) == told.seat)
            }
            Irregular::OneCardDealt => {
                matches!(phase, Phase::Dealing(DealStep::Second(seat, 0)) if Some(seat) == told.seat)
                    // In Switch a seat has two hands and the word names none.
                    && self.table.variation != Variation::Switch
            }
            Irregular::RequestedCardMissed => {
                let Some(seat) = told.seat else { return self.refuse_irregular(kind, Reason::TellTheSeat) };
                self.missed_hand(seat).is_some()
            }
            Irregular::WrongShoeSide => {
                self.table.variation == Variation::DoubleShoe && !matches!(phase, Phase::Wagering | Phase::Resting(_))
            }
            Irregular::ReaderOnWrongUpCard => {
                self.now.up == Some(UpGroup::Low)
                    && matches!(phase, Phase::FirstCards | Phase::Decisions | Phase::Reveal | Phase::Procedure(_))
            }
            Irregular::ReaderMalfunction => {
                let nothing_to_stop = matches!(
                    phase,
                    Phase::Resting(_) | Phase::ReaderStopped | Phase::Settlement | Phase::Irregularity(_)
                );
                !nothing_to_stop && !self.now.between.reader_out
            }
            Irregular::ShufflerJam => {
                if self.table.shuffler == Shuffler::ByHand {
                    return self.refuse_irregular(kind, Reason::NoShuffler);
                }
                // The device works on its batch while rounds are played.
                let at_work = !matches!(phase, Phase::Resting(_) | Phase::Irregularity(_));
                let shuffling = matches!(phase, Phase::Resting(Rest::Shuffle)) || self.reshoe_shuffle();
                !self.now.between.shuffler_out && (at_work || shuffling)
            }
            Irregular::ShufflerOutOfOrder => {
                if !told.attested {
                    return self.refuse_irregular(kind, Reason::AttestCoverOrSign);
                }
                self.table.shuffler != Shuffler::ByHand
                    && !self.now.between.shuffler_out
                    && (matches!(phase, Phase::Wagering | Phase::Resting(_)) || self.reshoe_shuffle())
            }
        })
    }

    /// 13.P(2) / 14.K(2): nobody can have learnt the hole card, so play goes on.
    fn hidden_peek(&self) -> Source {
        let id = if self.table.game.is_sister_game() { "13.P(2)" } else { "14.K(2)" };
        Source { game: self.table.game, id }
    }

    fn reshoe_shuffle(&self) -> bool {
        matches!(self.now.phase, Phase::Irregularity(Ask::Shuffle))
    }

    /// 13.O: the hand of a seat that was passed over, if another card could still be dealt to it.
    fn missed_hand(&self, seat: Seat) -> Option<u8> {
        let deciding = matches!(self.now.phase, Phase::Decisions);
        let passed = (deciding && self.now.turn.seat != seat) || matches!(self.now.phase, Phase::Reveal);
        if !passed || !self.now.in_play.contains(seat) || self.now.dealer.len() > 1 {
            return None;
        }
        self.hand_without_its_card(seat)
    }

    /// The last hand of a box that stands and could still have a card.
    fn hand_without_its_card(&self, seat: Seat) -> Option<u8> {
        let could = |hand: &super::state::HandState| {
            hand.status == HandStatus::Done && hand.doubles == 0 && !hand.settled && hand.cards.total() < 21
        };
        self.now.box_at(seat).hands().iter().rposition(could).and_then(|at| u8::try_from(at).ok())
    }

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
                if let Some(seat) = seat {
                    self.now.second_later = self.now.second_later.with(seat);
                    self.next_second_card(seat, out);
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
        self.now.between.reader_out = true;
        if peek_is_done && self.table.finish_after_peek {
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
            Ask::SecondCard(seat) | Ask::MissedCard(seat) => Some(seat),
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
            Ask::SecondCard(seat) => self.now.phase = Phase::Dealing(DealStep::Second(seat, 0)),
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
            Ask::SecondCard(seat) => {
                self.dead_hand(seat, Point::SecondCardRefused, out);
                self.after_second_cards(out);
            }
            Ask::MissedCard(seat) => {
                self.resume();
                let at = self.missed_hand(seat).unwrap_or(0);
                self.now.box_mut(seat).hands[usize::from(at)].status = HandStatus::Dead;
                self.settle_hand(seat, at, Outcome::Dead, "dead hand", None, Point::MissedCardDead, out);
            }
            Ask::FloorTearsTen | Ask::FloorNotified | Ask::Shuffle | Ask::Cut | Ask::Burn => {}
        }
        Ok(())
    }

    /// 13.N: who has one card may have the second once everybody else has theirs; then the dealer's cards follow.
    pub(super) fn after_second_cards(&mut self, out: &mut Events) {
        if let Some(seat) = self.now.second_later.lowest() {
            self.now.second_later = self.now.second_later.without(seat);
            self.now.phase = Phase::Irregularity(Ask::SecondCard(seat));
            return;
        }
        if self.now.in_play.is_empty() {
            self.enter_settlement(out);
            return;
        }
        let dealer_has_up_card = !self.now.dealer.is_empty();
        self.now.phase = Phase::Dealing(if dealer_has_up_card { DealStep::HoleCard } else { DealStep::UpCard });
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
    fn open_every_hand(&mut self, seat: Seat) {
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
            self.settle_hand(seat, hand, Outcome::Dead, "dead hand", None, point, out);
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
            Ask::AcceptExposed | Ask::SecondCard(_) | Ask::MissedCard(_) | Ask::Shuffle | Ask::Cut | Ask::Burn => {
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
                self.now.phase = Phase::Irregularity(Ask::Cut);
            }
            (Ask::Cut, Input::Cut { by, depth }) => {
                if let Cutter::Seat(seat) = by {
                    self.check_in_play(seat)?;
                }
                if depth < 10 {
                    let reason = Reason::CutTooNearTheEnd { least: 10, most: self.stack_size() };
                    return self.refuse(reason, Point::CutDepth);
                }
                out.push(Event::CutMade { by, depth, source: self.cite(Point::CutDepth) });
                self.now.phase = Phase::Irregularity(Ask::Burn);
            }
            (Ask::Burn, Input::Burn) => {
                out.push(Event::Burnt { source: self.cite(Point::ShortShoeBurn) });
                self.resume();
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    // ---- voids ----

    /// The round is void: every wager that is still undecided goes back, contributions are reversed (X3).
    pub(super) fn void_round(&mut self, point: Point, after: AfterVoid, out: &mut Events) {
        out.push(Event::RoundVoid { source: self.cite(point) });
        match after {
            AfterVoid::PlayOn => {}
            AfterVoid::Reshuffle => self.now.between.cover_seen = true,
            AfterVoid::DecksOut => self.now.between.decks_out = true,
        }
        let outcome = if after == AfterVoid::PlayOn { Outcome::Dead } else { Outcome::Void };
        let name = if after == AfterVoid::PlayOn { "dead hand" } else { "void round" };
        for seat in self.now.in_play.iter(Direction::FromRight) {
            self.open_every_hand(seat);
            self.return_side_wagers(seat, outcome, point, out);
            let each = self.now.box_at(seat);
            if each.insurance.is_placed() && !each.insurance_settled {
                self.settle_insurance(seat, outcome, out);
            }
            for hand in 0..self.now.box_at(seat).hand_count {
                if !self.now.box_at(seat).hands[usize::from(hand)].settled {
                    self.settle_hand(seat, hand, outcome, name, None, point, out);
                }
            }
        }
        self.now.exposed = None;
        self.enter_settlement(out);
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

/// Irregularities that only make sense where every card is known.
fn needs_cards(kind: Irregular) -> bool {
    match kind {
        Irregular::DrawnExposed
        | Irregular::DealerDrewOn17
        | Irregular::DealerMissedOwnCard
        | Irregular::NoCardDealt
        | Irregular::OneCardDealt
        | Irregular::RequestedCardMissed => true,
        Irregular::FaceUpInShoe
        | Irregular::SecondFaceUpInShoe
        | Irregular::TenInShoe
        | Irregular::SecondTenInShoe
        | Irregular::DrawnUnexposed
        | Irregular::ShoeRanOut
        | Irregular::WrongShoeSide
        | Irregular::ReaderOnWrongUpCard
        | Irregular::ReaderMalfunction
        | Irregular::ShufflerJam
        | Irregular::ShufflerOutOfOrder => false,
    }
}
