//! What comes next, and what it rests on.

use super::Engine;
use super::insurance::UNREAD_MAX;
use super::life::only_side;
use super::state::{Ask, BurnDue, DealStep, Phase, Rest, Step, Walk, Want};
use crate::game::Direction;
use crate::input::Answer;
use crate::line::Line;
use crate::prompt::{Order, Prompt};
use crate::seat::{Seat, SeatSet};
use crate::source::{Point, Source};
use crate::table::Variation;
use crate::text::OrderInWords;
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
    pub fn order(&self) -> (Order, Source) {
        match self.look_ahead().1 {
            Some(order) => order,
            None => self.order_in_general(),
        }
    }

    #[inline(never)]
    pub(super) fn order_in_general(&self) -> (Order, Source) {
        (self.order_of_phase(), self.cite(self.due()))
    }

    /// An order whose point is at hand; in tests, held against what the general way comes to.
    #[inline(always)]
    pub(super) fn known(&self, order: Order, point: Point) -> (Order, Source) {
        debug_assert!(order == self.order_of_phase() && point == self.due(), "{order:?} for {point:?}");
        (order, self.cite(point))
    }

    /// The next order in words, for whoever wants to read it.
    pub fn order_in_words(&self) -> OrderInWords<'_> {
        let order = self.order().0;
        let several_hands = self.is_about_one_of_several_hands(order);
        OrderInWords { order, line: self.now.current_line(), several_hands }
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

    #[inline]
    pub(super) fn order_of_line(&self) -> (Order, Source) {
        match self.now.current_line() {
            Some(line) if self.approval_waits() => self.order_for_approval(line),
            Some(line) => {
                let position = u16::try_from(self.now.confirmed + 1).unwrap_or(u16::MAX);
                let of = u16::try_from(self.now.lines.len()).unwrap_or(u16::MAX);
                (Order::SettleLine { position, of }, line.source)
            }
            None => self.order_in_general(),
        }
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
        match self.now.phase {
            _ if self.burn_is_due() => self.burn_point(),
            Phase::Irregularity(ask) => due_for(ask),
            Phase::Resting(rest) => self.due_at(rest),
            Phase::Wagering if !self.now.cash.is_empty() => Point::SpokenWager,
            Phase::Wagering if self.now.between.reader_out => Point::ReaderMalfunction,
            Phase::Wagering if self.decks_are_due() => Point::DecksChanged,
            Phase::Wagering if self.now.between.cover_seen && self.now.in_play.is_empty() => Point::Reshuffle,
            Phase::Wagering => Point::PlaceWagers,
            Phase::Dealing(_) | Phase::Procedure(Step::Deal) if self.draw_is_due() => Point::RandomDraws,
            Phase::Dealing(step) => self.deal_point(step),
            Phase::FirstCards | Phase::Procedure(Step::FirstCards) => Point::SettleFirstCardWagers,
            Phase::Wheel(_) => self.wheel_point(),
            Phase::Insurance | Phase::Procedure(Step::Insurance) => Point::OfferInsurance,
            Phase::Peek | Phase::Procedure(Step::Peek) => Point::Peek,
            Phase::ReaderStopped => Point::ReaderMalfunction,
            Phase::Decisions => match self.now.turn.want {
                Want::Decision if self.now.turn_hand().from_split => Point::SplitDecision,
                Want::Decision if self.now.turn_hand().cards.cards_down() > 0 => Point::FaceDownDecision,
                Want::Decision => Point::Decide,
                Want::HitCard => Point::DealRequestedCards,
                Want::DoubleCard => Point::OneCardOnly,
                Want::SplitCard => Point::SplitHandsInTurn,
                Want::AfterDouble => Point::Rescue,
            },
            Phase::BustCards => Point::ShowBust,
            Phase::Procedure(Step::Decisions) => Point::Decide,
            Phase::Reveal if self.now.answer == Some(Answer::Yes) => Point::DealerBlackjack,
            Phase::Reveal | Phase::Procedure(Step::Reveal) => Point::Reveal,
            Phase::Procedure(Step::DealerDraws | Step::DealerBlackjack) if self.draw_is_due() => Point::RandomDraws,
            Phase::DealerDraws | Phase::Procedure(Step::DealerDraws) => Point::DealerDraws,
            Phase::TurnCards => self.turn_point(),
            Phase::AskAdditional if self.draw_is_due() => Point::RandomDraws,
            Phase::AskAdditional if self.amounts_are_missing() || self.any_side_amount_asked().is_some() => {
                Point::AmountAsked
            }
            Phase::AskAdditional => Point::OnePersonOnePayment,
            Phase::Settlement | Phase::Procedure(Step::Settle) => self.table.settlement.point(),
            Phase::Procedure(Step::Deal) => Point::DealFirstCards,
            Phase::Procedure(Step::DealerBlackjack) if self.now.answer == Some(Answer::No) => Point::ReaderWrong,
            Phase::Procedure(Step::DealerBlackjack) => Point::DealerBlackjack,
        }
    }

    #[inline]
    pub(super) fn burn_is_due(&self) -> bool {
        self.burn_is_required() && self.before_first_card() && !matches!(self.now.phase, Phase::Wagering)
    }

    fn order_of_phase(&self) -> Order {
        let now = &self.now;
        if self.burn_is_due() {
            return match self.now.between.burns.next() {
                BurnDue::NewDealer => Order::BurnForNewDealer,
                BurnDue::No | BurnDue::MayBe | BurnDue::Batch | BurnDue::EachRound => Order::BurnFirstCard,
            };
        }
        match now.phase {
            Phase::Wagering if !now.cash.is_empty() => Order::ChangeCash(self.first_of(now.cash)),
            Phase::Wagering if now.between.reader_out => Order::RepairReader,
            Phase::Wagering if self.decks_are_due() => {
                Order::ChangeDecks { count: self.decks_in_all(), wagers_lie: self.chips_are_placed() }
            }
            Phase::Wagering => Order::TakeWagers { cover_seen: now.between.cover_seen && now.in_play.is_empty() },
            Phase::Dealing(_) | Phase::Procedure(Step::Deal) if self.draw_is_due() => self.order_for_draw(),
            Phase::Dealing(DealStep::Determinant) => Order::DrawDeterminant,
            Phase::Dealing(DealStep::First(seat, hand)) => {
                let (hand, face_down) = self.dealt_how(hand);
                Order::DealFirstCard { seat, hand, face_down }
            }
            Phase::Irregularity(ask) => self.order_for_irregularity(ask),
            Phase::Resting(rest) => self.order_at_rest(rest),
            Phase::Dealing(DealStep::UpCard) => Order::DealUpCard,
            Phase::Dealing(DealStep::Second(seat, hand)) => {
                let (hand, face_down) = self.dealt_how(hand);
                Order::DealSecondCard { seat, hand, face_down }
            }
            Phase::Dealing(DealStep::HoleCard) => Order::DealHoleCard,
            Phase::Insurance => Order::OfferInsurance,
            Phase::FirstCards | Phase::Peek | Phase::Procedure(Step::Peek) => {
                Order::InsertHoleCard { attempts: now.unread_count.min(UNREAD_MAX) }
            }
            Phase::ReaderStopped => Order::ReaderStopped,
            Phase::Decisions => self.order_for_turn(),
            Phase::BustCards => Order::TurnCard { seat: now.turn.seat },
            Phase::Reveal => Order::TurnHoleCard { blackjack: now.answer == Some(Answer::Yes) },
            Phase::DealerDraws => Order::DealToDealer { total: now.dealer.total(), soft: now.dealer.is_soft() },
            Phase::TurnCards => Order::TurnCard { seat: self.first_of(self.seats_with_cards_down()) },
            Phase::Wheel(_) => self.order_for_wheel(),
            Phase::AskAdditional if self.draw_is_due() => self.order_for_draw(),
            Phase::AskAdditional if self.any_side_amount_asked().is_some() => self.order_for_side_amount(),
            Phase::AskAdditional if self.amounts_are_missing() => {
                Order::TellAmount { seat: self.first_of(self.amount_seats()), wager: WagerId::Main }
            }
            Phase::AskAdditional => Order::TellPersons,
            Phase::Settlement | Phase::Procedure(Step::Settle) => Order::SettleStep,
            Phase::Procedure(Step::Deal) => Order::DealAndTellUpCard,
            Phase::Procedure(Step::FirstCards) => Order::SettleFirstCardWagers,
            Phase::Procedure(Step::Insurance) => Order::TakeInsurance,
            Phase::Procedure(Step::DealerBlackjack) if self.draw_is_due() => self.order_for_draw(),
            Phase::Procedure(Step::DealerBlackjack) if now.answer == Some(Answer::No) => Order::MarkMissedBlackjacks,
            Phase::Procedure(Step::DealerBlackjack) => Order::MarkBlackjacks,
            Phase::Procedure(Step::Decisions) => Order::ServeDecisions,
            Phase::Procedure(Step::Reveal) => Order::RevealStep,
            Phase::Procedure(Step::DealerDraws) if self.draw_is_due() => self.order_for_draw(),
            Phase::Procedure(Step::DealerDraws) => Order::DealerDrawsStep,
        }
    }

    /// Which of a box's hands a first card is for, where it has two, and whether it lies face down.
    fn dealt_how(&self, hand: u8) -> (Option<u8>, bool) {
        match self.table.variation {
            Variation::Switch => (Some(hand + 1), false),
            Variation::FromTheHand => (None, true),
            Variation::Standard | Variation::DoubleShoe => (None, false),
        }
    }

    fn order_for_irregularity(&self, ask: Ask) -> Order {
        match ask {
            Ask::AcceptExposed => match self.now.exposed {
                Some(card) => Order::OfferExposedCard { seat: self.now.turn.seat, card },
                None => Order::TurnHoleCard { blackjack: false },
            },
            Ask::SecondCard(seat, hand) => Order::OfferSecondCard { seat, hand: self.dealt_how(hand).0 },
            Ask::MissedCard(seat) => Order::OfferMissedCard(seat),
            Ask::FloorTearsTen => Order::TearTen,
            Ask::FloorNotified => Order::NotifyFloor,
            Ask::Shuffle => Order::ShuffleDiscards,
            Ask::Cut => Order::CutDiscards(self.cut_is_offered_to()),
            Ask::Burn => Order::BurnFirstCard,
        }
    }

    fn order_at_rest(&self, rest: Rest) -> Order {
        match rest {
            Rest::Closed => Order::TableClosed,
            Rest::Receive => Order::ReceiveDecks(self.decks_in_all()),
            Rest::DealerInspects => Order::InspectCards,
            Rest::FloorVerifies => Order::VerifyInspection,
            Rest::TensRemoved => Order::RemoveTens,
            Rest::Spread => Order::SpreadCards,
            Rest::PlayerInspects => Order::LetPlayerInspect,
            Rest::Wash => Order::WashCards,
            Rest::Shuffle => match only_side(self.now.between.covers) {
                Some(side) if self.table.variation == Variation::DoubleShoe => Order::ShuffleSide(side),
                Some(_) | None => Order::Shuffle,
            },
            Rest::Cut => match (self.side_to_cut(), self.cut_is_offered_to()) {
                (Some(side), seat) => Order::OfferCutOfSide { seat, side },
                (None, None) if self.now.between.cut.seated.is_empty() => Order::OfferCutToAnyone,
                (None, seat) => Order::OfferCut(seat),
            },
            Rest::PlaceCover => Order::PlaceCover { least: self.cover_margin(), side: self.side_to_cut() },
            Rest::Load if self.table.variation == Variation::FromTheHand => Order::TakeIntoHand,
            Rest::Load => match only_side(self.now.between.sides_shuffled) {
                Some(side) => Order::LoadSide(side),
                None => Order::LoadShoe { burn: self.table.variation.burns_after_batch() },
            },
            Rest::Open => Order::TakeWagers { cover_seen: false },
        }
    }

    pub(super) fn due_at(&self, rest: Rest) -> Point {
        let idle = self.now.between.idle;
        match rest {
            Rest::Closed => Point::OpenTable,
            Rest::Receive => Point::ReceiveDecks,
            Rest::DealerInspects | Rest::FloorVerifies => Point::DealerInspects,
            Rest::TensRemoved => Point::TensRemoved,
            Rest::Spread => Point::SpreadCards,
            Rest::PlayerInspects if idle => Point::IdleInspection,
            Rest::PlayerInspects => Point::PlayerInspects,
            Rest::Wash if idle => Point::IdleWash,
            Rest::Wash => Point::WashCards,
            Rest::Shuffle if idle && self.device_is_in_use() => Point::IdleDevice,
            Rest::Shuffle if self.table.variation == Variation::DoubleShoe && self.now.between.covers != 0 => {
                Point::ReshuffleSide
            }
            Rest::Shuffle => Point::ShuffleCards,
            Rest::Cut => Point::CutOrder,
            Rest::PlaceCover => Point::CoverDepth,
            Rest::Load if self.table.variation == Variation::FromTheHand => Point::TakeIntoHand,
            Rest::Load => Point::LoadShoe,
            Rest::Open => Point::PlaceWagers,
        }
    }

    fn order_for_draw(&self) -> Order {
        Order::TellDraw { must_hit_falls: self.must_hit_falls() }
    }

    fn order_for_wheel(&self) -> Order {
        let Some(due) = self.now.wheel else { return Order::SettleStep };
        let seat = due.seats.first_in(Direction::FromRight).unwrap_or(self.now.turn.seat);
        Order::SpinWheel { seat, wager: self.offered(due.wager).id() }
    }

    fn order_for_side_amount(&self) -> Order {
        match self.any_side_amount_asked() {
            Some((seat, side)) => Order::TellAmount { seat, wager: self.offered(side).id() },
            None => Order::TellPersons,
        }
    }

    fn first_of(&self, seats: SeatSet) -> Seat {
        seats.lowest().unwrap_or(self.now.turn.seat)
    }

    fn order_for_turn(&self) -> Order {
        let turn = self.now.turn;
        let (seat, hand) = (turn.seat, turn.hand + 1);
        let cards = &self.now.turn_hand().cards;
        match turn.want {
            Want::Decision if cards.cards_down() > 0 => Order::AskUnseenHand { seat, hand },
            Want::Decision => Order::AskDecision { seat, hand, total: cards.total(), soft: cards.is_soft() },
            Want::AfterDouble => {
                let redouble = self.check_redouble().is_ok();
                Order::AskAfterDouble { seat, hand, total: cards.total(), redouble }
            }
            Want::HitCard => Order::DealHit { seat, hand },
            Want::DoubleCard => Order::DealDouble { seat, hand },
            Want::SplitCard => Order::DealSplitCard { seat, hand },
        }
    }
}

fn due_for(ask: Ask) -> Point {
    match ask {
        Ask::AcceptExposed => Point::AcceptExposed,
        Ask::SecondCard(..) => Point::SecondCardRefused,
        Ask::MissedCard(_) => Point::MissedCardLater,
        Ask::FloorTearsTen => Point::TenTorn,
        Ask::FloorNotified => Point::PeekUpCards,
        Ask::Shuffle | Ask::Cut => Point::ShortShoe,
        Ask::Burn => Point::ShortShoeBurn,
    }
}
