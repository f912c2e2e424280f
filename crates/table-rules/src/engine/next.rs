//! What comes next, and what it rests on.

use super::Engine;
use super::insurance::UNREAD_MAX;
use super::life::only_side;
use super::state::{Ask, BurnDue, DealStep, Pending, Phase, Rest, Step, Walk, Want};
use crate::game::Direction;
use crate::input::PeekAnswer;
use crate::line::Line;
use crate::prompt::{Apart, Order, Prompt};
use crate::seat::{Seat, SeatSet};
use crate::source::{Point, Source};
use crate::table::Variation;
use crate::text::{OrderInWords, Scene};
use crate::wager::WagerId;

impl Engine {
    /// The next order for the dealer with its source and every input pattern that would be accepted.
    pub fn prompt(&self) -> Prompt {
        let (order, source) = self.order();
        let line = self.now.current_line();
        let several_hands = self.is_about_one_of_several_hands(order);
        Prompt { order, line: line.copied(), several_hands, source, offers: self.offers() }
    }

    /// The next order and what it rests on, for whoever does not need to know what would be accepted.
    #[inline(always)]
    pub fn order(&self) -> (Order, Source) {
        match self.now.current_line() {
            Some(line) => self.order_of_line(line),
            None => {
                let (order, point) = self.step_due();
                (order, self.cite(point))
            }
        }
    }

    /// The next order in words, for whoever wants to read it.
    pub fn order_in_words(&self) -> OrderInWords<'_> {
        let order = self.order().0;
        let several_hands = self.is_about_one_of_several_hands(order);
        let line = self.now.current_line();
        OrderInWords { order, line, several_hands, scene: self.scene(line) }
    }

    /// What the short lines say beside the order: counts only of cards that lie open.
    fn scene(&self, line: Option<&Line>) -> Scene {
        let now = &self.now;
        let hand = line.and_then(|line| now.box_at(line.seat).hands().get(usize::from(line.hand.saturating_sub(1))));
        let open = hand.filter(|hand| hand.cards.cards_down() == 0);
        Scene {
            boxes: now.in_play.len(),
            up: now.dealer.cards().first().copied(),
            group: now.up,
            player: open.map(|hand| hand.cards.total()),
            dealer: (now.dealer.cards().len() > 1).then(|| now.dealer.total()),
            doubled: open.is_some_and(|hand| hand.doubles > 0),
            last_round: now.between.cover_seen && !matches!(now.phase, Phase::Resting(_)),
            no_open_hands: matches!(now.phase, Phase::Reveal) && !self.dealer_count_matters(),
            decks_minutes: self.decks_change_minutes().filter(|_| self.decks_are_ageing() && !self.decks_are_due()),
        }
    }

    /// Whether the box that the order is about has more than one hand, so that the first is called by its number too.
    fn is_about_one_of_several_hands(&self, order: Order) -> bool {
        let seat = if let Order::AskDecision { seat, .. }
        | Order::AskUnseenHand { seat, .. }
        | Order::AskAfterDouble { seat, .. }
        | Order::DealHit { seat, .. }
        | Order::DealDouble { seat, .. }
        | Order::DealSplitCard { seat, .. } = order
        {
            Some(seat)
        } else {
            self.now.current_line().map(|line| line.seat)
        };
        seat.is_some_and(|seat| self.now.box_at(seat).hand_count > 1)
    }

    #[inline(always)]
    fn order_of_line(&self, line: &Line) -> (Order, Source) {
        if self.approval_waits() {
            return self.order_for_approval(line);
        }
        let position = u16::try_from(self.now.confirmed + 1).unwrap_or(u16::MAX);
        let of = u16::try_from(self.now.lines.len()).unwrap_or(u16::MAX);
        (Order::SettleLine { position, of }, line.source)
    }

    /// players-edge-21 7.O(1): the hand, the lamp, the floorperson, and above the threshold a second person.
    #[inline(never)]
    fn order_for_approval(&self, line: &Line) -> (Order, Source) {
        if let Some(point) = self.look_due() {
            let order = if self.now.walk == Walk::HandVerified { Order::VerifyLamp } else { Order::VerifyHand };
            return (order, self.cite(point));
        }
        let source = self.cite(self.approval_point(line));
        let order = if self.second_person_is_asked() { Order::ApproveLineSecond } else { Order::ApproveLine };
        (order, source)
    }

    /// The point of procedure that is due.
    pub(super) fn due(&self) -> Point {
        self.step_due().1
    }

    #[inline]
    pub(super) fn burn_is_due(&self) -> bool {
        self.burn_is_required() && self.before_first_card() && !matches!(self.now.phase, Phase::Wagering)
    }

    /// The step that is due, open lines aside: the order for it, and the point of procedure that it rests on.
    #[inline(always)]
    fn step_due(&self) -> (Order, Point) {
        let now = &self.now;
        if self.burn_is_due() {
            return self.burn_due();
        }
        match now.phase {
            Phase::Wagering => self.due_while_wagering(),
            Phase::Dealing(_) | Phase::Procedure(Step::Deal) if self.draw_is_due() => self.draw_due(),
            Phase::Dealing(step) => (self.order_for_deal(step), self.deal_point(step)),
            Phase::FirstCards => (self.order_for_reader(), Point::SettleFirstCardWagers),
            Phase::Insurance => (Order::OfferInsurance, Point::OfferInsurance),
            Phase::Peek | Phase::Procedure(Step::Peek) => (self.order_for_reader(), Point::Peek),
            Phase::ReaderStopped => (Order::ReaderStopped, Point::ReaderMalfunction),
            Phase::Decisions => self.due_of_turn(),
            Phase::BustCards => (Order::TurnCard { seat: now.turn.seat }, Point::ShowBust),
            Phase::Reveal if now.answer == Some(PeekAnswer::Yes) => {
                (Order::TurnHoleCard { blackjack: true }, Point::DealerBlackjack)
            }
            Phase::Reveal => (Order::TurnHoleCard { blackjack: false }, Point::Reveal),
            Phase::DealerDraws => {
                let (total, soft) = (now.dealer.total(), now.dealer.is_soft());
                (Order::DealToDealer { total, soft }, Point::DealerDraws)
            }
            Phase::TurnCards => {
                (Order::TurnCard { seat: self.first_of(self.seats_with_cards_down()) }, self.turn_point())
            }
            Phase::Wheel(_) => (self.order_for_wheel(), self.wheel_point()),
            Phase::AskAdditional => self.due_before_settlement(),
            Phase::Settlement if now.payments_asked => (Order::AnswerPayments, Point::VoidGivesBack),
            Phase::Settlement | Phase::Procedure(Step::Settle) => (Order::SettleStep, self.table.settlement.point()),
            Phase::Irregularity(ask) => self.due_for_irregularity(ask),
            Phase::Resting(rest) => self.due_at(rest),
            Phase::Procedure(Step::Deal) => (Order::DealAndTellUpCard, Point::DealFirstCards),
            Phase::Procedure(Step::FirstCards) => (Order::SettleFirstCardWagers, Point::SettleFirstCardWagers),
            Phase::Procedure(Step::Insurance) => (Order::TakeInsurance, Point::OfferInsurance),
            Phase::Procedure(Step::DealerBlackjack | Step::DealerDraws) if self.draw_is_due() => self.draw_due(),
            Phase::Procedure(Step::DealerBlackjack) if now.answer == Some(PeekAnswer::No) => {
                (Order::MarkMissedBlackjacks, Point::ReaderWrong)
            }
            Phase::Procedure(Step::DealerBlackjack) => (Order::MarkBlackjacks, Point::DealerBlackjack),
            Phase::Procedure(Step::Decisions) => (Order::ServeDecisions, Point::Decide),
            Phase::Procedure(Step::Reveal) => (Order::RevealStep, Point::Reveal),
            Phase::Procedure(Step::DealerDraws) => (Order::DealerDrawsStep, Point::DealerDraws),
        }
    }

    #[cold]
    fn burn_due(&self) -> (Order, Point) {
        let order = match self.now.between.burns.next() {
            BurnDue::NewDealer => Order::BurnForNewDealer,
            BurnDue::No | BurnDue::MayBe | BurnDue::Batch | BurnDue::EachRound => Order::BurnFirstCard,
        };
        (order, self.burn_point())
    }

    fn due_while_wagering(&self) -> (Order, Point) {
        let now = &self.now;
        if !now.pending.has(Pending::BEFORE_LOCK) {
            let cover_seen = now.between.cover_seen;
            let point = if cover_seen { Point::CoverCard } else { Point::PlaceWagers };
            (Order::TakeWagers { cover_seen }, point)
        } else if now.ten_waits {
            (Order::TearTen, Point::TenTorn)
        } else if !now.cash.is_empty() {
            (Order::ChangeCash(self.first_of(now.cash)), Point::SpokenWager)
        } else if now.between.reader_out {
            (Order::RepairReader, Point::ReaderMalfunction)
        } else {
            let wagers_lie = self.chips_are_placed();
            (Order::ChangeDecks { count: self.decks_in_all(), wagers_lie }, Point::DecksChanged)
        }
    }

    #[inline(always)]
    fn order_for_deal(&self, step: DealStep) -> Order {
        match step {
            DealStep::Determinant => Order::DrawDeterminant,
            DealStep::First(seat, hand) => {
                let (hand, face_down) = self.dealt_how(hand);
                Order::DealFirstCard { seat, hand, face_down }
            }
            DealStep::UpCard => Order::DealUpCard,
            DealStep::Second(seat, hand) => {
                let (hand, face_down) = self.dealt_how(hand);
                Order::DealSecondCard { seat, hand, face_down }
            }
            DealStep::HoleCard => Order::DealHoleCard,
        }
    }

    /// Which of a box's hands a first card is for, where it has two, and whether it lies face down.
    #[inline]
    fn dealt_how(&self, hand: u8) -> (Option<u8>, bool) {
        match self.table.variation {
            Variation::Switch => (Some(hand + 1), false),
            Variation::FromTheHand => (None, true),
            Variation::Standard | Variation::DoubleShoe => (None, false),
        }
    }

    fn order_for_reader(&self) -> Order {
        Order::InsertHoleCard { attempts: self.now.unread_count.min(UNREAD_MAX) }
    }

    #[inline(always)]
    fn due_of_turn(&self) -> (Order, Point) {
        let turn = self.now.turn;
        let (seat, hand) = (turn.seat, turn.hand + 1);
        if let Some(card) = self.now.exposed
            && self.exposed_card_is_offered_to() == Some(seat)
        {
            return (Order::OfferExposedCard { seat, card }, Point::AcceptExposed);
        }
        let state = self.now.turn_hand();
        let cards = &state.cards;
        match turn.want {
            Want::Decision => {
                let (total, soft) = (cards.total(), cards.is_soft());
                let unseen = cards.cards_down() > 0;
                let order = if unseen {
                    Order::AskUnseenHand { seat, hand }
                } else {
                    Order::AskDecision { seat, hand, total, soft }
                };
                let point = match (state.from_split, unseen) {
                    (true, _) => Point::SplitDecision,
                    (false, true) => Point::FaceDownDecision,
                    (false, false) => Point::Decide,
                };
                (order, point)
            }
            Want::AfterDouble => {
                let redouble = self.check_redouble().is_ok();
                (Order::AskAfterDouble { seat, hand, total: cards.total(), redouble }, Point::Rescue)
            }
            Want::HitCard | Want::DoubleCard if turn.missed => {
                let missed = true;
                let order = match turn.want {
                    Want::DoubleCard => Order::DealDouble { seat, hand, missed },
                    Want::HitCard | Want::Decision | Want::AfterDouble | Want::SplitCard => {
                        Order::DealHit { seat, hand, missed }
                    }
                };
                (order, Point::MissedCardComes)
            }
            Want::HitCard => (Order::DealHit { seat, hand, missed: false }, Point::DealRequestedCards),
            Want::DoubleCard => (Order::DealDouble { seat, hand, missed: false }, Point::OneCardOnly),
            Want::SplitCard => (Order::DealSplitCard { seat, hand }, Point::SplitHandsInTurn),
        }
    }

    /// What the settlement depends on and nobody has said yet.
    fn due_before_settlement(&self) -> (Order, Point) {
        if self.draw_is_due() {
            self.draw_due()
        } else if let Some((seat, side)) = self.any_side_amount_asked() {
            (Order::TellAmount { seat, wager: self.offered(side).id() }, Point::AmountAsked)
        } else if self.amounts_are_missing() {
            let seat = self.first_of(self.amount_seats());
            (Order::TellAmount { seat, wager: WagerId::Main }, Point::AmountAsked)
        } else {
            (Order::TellPersons, Point::OnePersonOnePayment)
        }
    }

    #[cold]
    fn draw_due(&self) -> (Order, Point) {
        (Order::TellDraw { must_hit_falls: self.must_hit_falls() }, Point::RandomDraws)
    }

    fn order_for_wheel(&self) -> Order {
        let Some(due) = self.now.wheel else { return Order::SettleStep };
        let seat = due.seats.first_in(Direction::FromRight).unwrap_or(self.now.turn.seat);
        Order::SpinWheel { seat, wager: self.offered(due.wager).id() }
    }

    fn due_for_irregularity(&self, ask: Ask) -> (Order, Point) {
        match ask {
            Ask::SecondCard(seat, hand) => {
                (Order::OfferSecondCard { seat, hand: self.dealt_how(hand).0 }, Point::SecondCardRefused)
            }
            Ask::MissedCard(seat) => (Order::OfferMissedCard(seat), Point::MissedCardLater),
            Ask::FloorTearsTen => (Order::TearTen, Point::TenTorn),
            Ask::FloorNotified => (Order::NotifyFloor, Point::PeekUpCards),
            Ask::Shuffle => (Order::ShuffleDiscards, Point::ShortShoe),
            Ask::Cut => (Order::CutDiscards(self.cut_is_offered_to()), Point::ShortShoe),
            Ask::Burn => (Order::BurnFirstCard, Point::ShortShoeBurn),
        }
    }

    /// What is due where the table rests between rounds.
    pub(super) fn due_at(&self, rest: Rest) -> (Order, Point) {
        let idle = self.now.between.idle;
        let double_shoe = self.table.variation == Variation::DoubleShoe;
        match rest {
            Rest::Closed => (Order::TableClosed, Point::OpenTable),
            Rest::Receive => (Order::ReceiveDecks(self.decks_in_all()), Point::ReceiveDecks),
            Rest::DealerInspects => (Order::InspectCards, Point::DealerInspects),
            Rest::FloorVerifies => (Order::VerifyInspection, Point::DealerInspects),
            Rest::TensRemoved => (Order::RemoveTens, Point::TensRemoved),
            Rest::TensConfirmed => (Order::ConfirmTens, Point::TensCounted),
            Rest::Spread => {
                let point = match self.kept_apart() {
                    Apart::Nothing => Point::SpreadCards,
                    Apart::Sides => Point::SpreadSides,
                    Apart::Batches => Point::BatchesApart,
                };
                (Order::SpreadCards(self.kept_apart()), point)
            }
            Rest::PlayerInspects => {
                (Order::LetPlayerInspect { idle }, if idle { Point::IdleInspection } else { Point::PlayerInspects })
            }
            Rest::Wash => {
                let point = match self.kept_apart() {
                    Apart::Nothing | Apart::Sides | Apart::Batches if idle => Point::IdleWash,
                    Apart::Nothing => Point::WashCards,
                    Apart::Sides => Point::WashSides,
                    Apart::Batches => Point::BatchesApart,
                };
                (Order::WashCards(self.kept_apart()), point)
            }
            Rest::Shuffle if self.batches_are_swapped() => (Order::SwapBatches, Point::SwapBatches),
            Rest::Shuffle if idle && self.device_is_in_use() => (Order::IntoShuffler, Point::IdleDevice),
            Rest::Shuffle if self.kept_apart() == Apart::Batches => {
                (Order::Shuffle(Apart::Batches), Point::BatchesApart)
            }
            Rest::Shuffle => {
                let covers = self.now.between.covers;
                let order = match only_side(covers) {
                    Some(side) if double_shoe => Order::ShuffleSide(side),
                    Some(_) | None => Order::Shuffle(self.kept_apart()),
                };
                let point = if double_shoe && covers != 0 { Point::ReshuffleSide } else { Point::ShuffleCards };
                (order, point)
            }
            Rest::Cut => {
                let order = match (self.side_to_cut(), self.cut_is_offered_to()) {
                    (Some(side), seat) => Order::OfferCutOfSide { seat, side },
                    (None, None) if self.now.between.cut.seated.is_empty() => Order::OfferCutToAnyone,
                    (None, seat) => Order::OfferCut(seat),
                };
                (order, self.cut_point())
            }
            Rest::PlaceCover => {
                (Order::PlaceCover { least: self.cover_margin(), side: self.side_to_cut() }, Point::CoverDepth)
            }
            Rest::Load if self.table.variation == Variation::FromTheHand => (Order::TakeIntoHand, Point::TakeIntoHand),
            Rest::Load => {
                let order = match only_side(self.now.between.sides_shuffled) {
                    Some(side) => Order::LoadSide(side),
                    None => Order::LoadShoe { burn: self.table.variation.burns_after_batch() },
                };
                (order, if self.now.between.cut.again { Point::LoadAfterRecut } else { Point::LoadShoe })
            }
            Rest::Open => (Order::TakeWagers { cover_seen: false }, Point::PlaceWagers),
        }
    }

    fn first_of(&self, seats: SeatSet) -> Seat {
        seats.lowest().unwrap_or(self.now.turn.seat)
    }
}
