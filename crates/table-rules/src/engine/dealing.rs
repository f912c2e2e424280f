//! Cards: the initial deal of 7.E in all its forms, and where every later card goes.

use super::Engine;
use super::state::{Burns, DealStep, HandStatus, Pending, Phase};
use crate::card::Card;
use crate::event::{Event, Place, Sink};
use crate::game::Direction;
use crate::input::{Drawn, InputKind, UpGroup};
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;
use crate::side::Moment;
use crate::source::Point;
use crate::table::{ShoeSide, Tracking, Variation};

impl Engine {
    /// Whether this card may leave the shoe now.
    #[inline(always)]
    pub(super) fn check_card(&self, drawn: Drawn) -> Result<(), Refusal> {
        match self.now.phase {
            Phase::Decisions => self.check_card_to_player(drawn),
            Phase::Dealing(DealStep::Determinant) => self.refuse(Reason::TellTheSide, Point::Determinant),
            Phase::Dealing(_) if self.draw_is_due() => self.refuse(Reason::DrawDue, Point::RandomDraws),
            Phase::Dealing(step) => self.check_deal(step, drawn),
            Phase::DealerDraws => self.face_up(drawn, Point::DealerDraws).map(drop),
            Phase::Wagering => self.check_first_card(drawn, false),
            Phase::FirstCards => self.refuse(Reason::SettleFirst, Point::SettleFirstCardWagers),
            Phase::ReaderStopped => self.refuse(Reason::ReaderStopped, Point::ReaderMalfunction),
            Phase::BustCards => self.refuse(Reason::TurnTheCardsFirst, Point::ShowBust),
            Phase::Wheel(_) => self.refuse(Reason::SpinFirst, self.wheel_point()),
            Phase::Procedure(_) => self.refuse(Reason::WrongTracking(InputKind::Card), Point::ProcedureSteps),
            Phase::Insurance
            | Phase::Peek
            | Phase::Reveal
            | Phase::TurnCards
            | Phase::AskAdditional
            | Phase::Irregularity(_)
            | Phase::Resting(_)
            | Phase::Settlement => self.not_now(InputKind::Card),
        }
    }

    /// A card left the shoe. Notes what late words may still change about it.
    #[inline(always)]
    pub(super) fn on_card(&mut self, drawn: Drawn, out: &mut impl Sink) -> Result<(), Refusal> {
        self.check_card(drawn)?;
        self.now.late = None;
        if let Phase::Decisions = self.now.phase {
            self.card_to_player(drawn, out);
        } else if let Phase::Dealing(step) = self.now.phase {
            self.deal(step, drawn, out);
        } else if let Drawn::FaceUp(card) = drawn {
            self.dealer_card(card, out);
        }
        Ok(())
    }

    /// Whether this card may come from this side of a double shoe now.
    pub(super) fn check_card_from(&self, drawn: Drawn) -> Result<(), Refusal> {
        if let Phase::Wagering = self.now.phase {
            return self.check_first_card(drawn, true);
        }
        if self.table.variation != Variation::DoubleShoe {
            return self.refuse(Reason::NoSides, self.due());
        }
        if let Phase::Dealing(DealStep::Determinant) = self.now.phase {
            if self.draw_is_due() {
                return self.refuse(Reason::DrawDue, Point::RandomDraws);
            }
            return self.face_up(drawn, Point::Determinant).map(drop);
        }
        self.check_card(drawn)
    }

    /// A card from one side of a double shoe (7.C). A card from the wrong side counts as if it came from the right one
    /// (14.I), and is reported.
    pub(super) fn on_card_from(&mut self, drawn: Drawn, side: ShoeSide, out: &mut impl Sink) -> Result<(), Refusal> {
        self.check_card_from(drawn)?;
        if let (Phase::Dealing(DealStep::Determinant), Drawn::FaceUp(card)) = (self.now.phase, drawn) {
            self.determinant(card, side, out);
            self.now.late = None;
            return Ok(());
        }
        self.on_card(drawn, out)?;
        self.now.drawn_from = Some(side);
        let wrong = self.now.side.is_some_and(|named| named != side);
        // The clause speaks of the round: one slip, however many of its cards came from there.
        if wrong && !self.now.wrong_side {
            self.now.wrong_side = true;
            out.push(Event::Irregularity { seat: None, card: None, source: self.cite(Point::WrongSide) });
        }
        Ok(())
    }

    /// 7.C(1)-(3): the first card's suit names the side. Drawn from that side it is the first box's first card; drawn
    /// from the other it goes aside.
    fn determinant(&mut self, card: Card, side: ShoeSide, out: &mut impl Sink) {
        let Some(first) = self.now.in_play.lowest() else { return };
        let red = self.table.red_suits_side;
        let named = if card.suit().is_red() { red } else { red.other() };
        let first_card = named == side;
        let point = if first_card { Point::DeterminantFits } else { Point::DeterminantAside };
        out.push(Event::SideNamed { side: named, card, first_card, source: self.cite(point) });
        self.now.side = Some(named);
        self.now.drawn_from = Some(named);
        self.now.phase = Phase::Dealing(DealStep::First(first, 0));
        if first_card {
            self.deal(DealStep::First(first, 0), Drawn::FaceUp(card), out);
        }
    }

    /// A card that this game's decks hold.
    #[inline(always)]
    pub(super) fn check_in_deck(&self, card: Card) -> Result<(), Refusal> {
        if !self.table.game.plays_with(card.rank()) {
            return self.refuse(Reason::NotInThisDeck(card), Point::StrayTen);
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) fn face_up(&self, drawn: Drawn, point: Point) -> Result<Card, Refusal> {
        match drawn {
            Drawn::FaceUp(card) => {
                self.check_in_deck(card)?;
                Ok(card)
            }
            Drawn::FaceDown => self.refuse(Reason::MustBeFaceUp, point),
        }
    }

    /// A player's first cards lie face up, but face down when dealt from the hand (blackjack 12.B(7)).
    #[inline(always)]
    fn check_face(&self, drawn: Drawn, point: Point) -> Result<(), Refusal> {
        match (drawn, self.table.variation) {
            (Drawn::FaceDown, Variation::FromTheHand) => Ok(()),
            (Drawn::FaceUp(_), Variation::FromTheHand) => self.refuse(Reason::FaceDownHere, point),
            (Drawn::FaceUp(card), Variation::Standard | Variation::Switch | Variation::DoubleShoe) => {
                self.check_in_deck(card)
            }
            (Drawn::FaceDown, Variation::Standard | Variation::Switch | Variation::DoubleShoe) => {
                self.refuse(Reason::MustBeFaceUp, point)
            }
        }
    }

    /// Whether a card has to be burnt before the first card of this round.
    #[inline]
    pub fn burn_is_required(&self) -> bool {
        self.now.pending.has(Pending::BURN)
    }

    #[inline(always)]
    fn hands_per_box(&self) -> u8 {
        match self.table.variation {
            Variation::Switch => 2,
            Variation::Standard | Variation::FromTheHand | Variation::DoubleShoe => 1,
        }
    }

    /// What says that this card is dealt.
    #[inline(always)]
    pub(super) fn deal_point(&self, step: DealStep) -> Point {
        let from_the_hand = self.table.variation == Variation::FromTheHand;
        match step {
            DealStep::Determinant => Point::Determinant,
            DealStep::First(..) if from_the_hand => Point::FaceDownFirstCards,
            DealStep::UpCard if from_the_hand => Point::FaceDownUpCard,
            DealStep::Second(..) if from_the_hand => Point::FaceDownSecondCards,
            DealStep::HoleCard if from_the_hand => Point::FaceDownHoleCard,
            DealStep::First(..) => Point::DealFirstCards,
            DealStep::UpCard => Point::DealUpCard,
            DealStep::Second(..) => Point::DealSecondCards,
            DealStep::HoleCard => Point::DealHoleCard,
        }
    }

    /// Whether this card may be dealt to that place.
    #[inline(always)]
    fn check_deal(&self, step: DealStep, drawn: Drawn) -> Result<(), Refusal> {
        if self.burn_is_required() && self.before_first_card() {
            return self.not_now(InputKind::Card);
        }
        let point = self.deal_point(step);
        match (step, drawn) {
            (DealStep::Determinant, _) => self.refuse(Reason::TellTheSide, Point::Determinant),
            (DealStep::First(..) | DealStep::Second(..), _) => self.check_face(drawn, point),
            (DealStep::UpCard, _) => self.face_up(drawn, point).map(drop),
            (DealStep::HoleCard, Drawn::FaceUp(_)) => self.refuse(Reason::FaceDownHere, point),
            (DealStep::HoleCard, Drawn::FaceDown) => Ok(()),
        }
    }

    #[inline(always)]
    fn deal(&mut self, step: DealStep, drawn: Drawn, out: &mut impl Sink) {
        let point = self.deal_point(step);
        match (step, drawn) {
            (DealStep::First(seat, hand), _) => {
                self.now.set_burns(Burns::NONE);
                self.now.box_mut(seat).open_hand();
                self.deal_to_hand(seat, hand, drawn, point, out);
                self.now.phase = Phase::Dealing(match self.place_after(seat, hand) {
                    Some((seat, hand)) => DealStep::First(seat, hand),
                    None => DealStep::UpCard,
                });
            }
            (DealStep::UpCard, Drawn::FaceUp(card)) => {
                self.now.dealer.push(card);
                self.now.up = Some(UpGroup::of(card));
                let (total, soft) = (self.now.dealer.total(), self.now.dealer.is_soft());
                let source = self.cite(point);
                out.push(Event::CardDealt { to: Place::Dealer, card: drawn, total, soft, source });
                let first = self.now.in_play.lowest();
                self.now.phase = Phase::Dealing(match first {
                    Some(seat) if !self.now.missed_up_card => DealStep::Second(seat, 0),
                    Some(_) | None => DealStep::HoleCard,
                });
            }
            (DealStep::Second(seat, hand), _) => {
                self.deal_to_hand(seat, hand, drawn, point, out);
                if self.now.box_at(seat).hands[usize::from(hand)].second_late {
                    self.after_second_cards(out);
                } else {
                    self.next_second_place(seat, hand, out);
                }
            }
            (DealStep::HoleCard, _) => self.deal_hole_card(point, out),
            // No side is named by a card that does not say where it came from, and the up card lies face up.
            (DealStep::Determinant, _) | (DealStep::UpCard, Drawn::FaceDown) => {}
        }
    }

    /// The hand that gets the next card of the same pass.
    #[inline(always)]
    fn place_after(&self, seat: Seat, hand: u8) -> Option<(Seat, u8)> {
        if hand + 1 < self.hands_per_box() {
            return Some((seat, hand + 1));
        }
        self.now.in_play.after(seat, Direction::FromLeft).lowest().map(|seat| (seat, 0))
    }

    #[inline]
    fn next_second_place(&mut self, seat: Seat, hand: u8, out: &mut impl Sink) {
        match self.place_after(seat, hand) {
            Some((seat, hand)) => self.now.phase = Phase::Dealing(DealStep::Second(seat, hand)),
            None => self.after_second_cards(out),
        }
    }

    /// 13.N: this hand has to wait for its second card.
    pub(super) fn next_second_card(&mut self, seat: Seat, hand: u8, out: &mut impl Sink) {
        self.now.box_mut(seat).hands[usize::from(hand)].second_late = true;
        self.next_second_place(seat, hand, out);
    }

    #[inline(always)]
    pub(super) fn deal_to_hand(&mut self, seat: Seat, hand: u8, drawn: Drawn, point: Point, out: &mut impl Sink) {
        let source = self.cite(point);
        self.now.dealt_down |= drawn == Drawn::FaceDown;
        let dealt = self.now.box_mut(seat);
        let state = &mut dealt.hands[usize::from(hand)];
        match drawn {
            Drawn::FaceUp(card) => {
                let first = if hand == 0 { &mut dealt.first } else { &mut dealt.second };
                first[usize::from(state.cards.len()) & 1] = card;
                state.cards.push(card);
                dealt.first_known = state.cards.len() == 2;
                if state.cards.is_ace_and_ten() {
                    state.status = HandStatus::Blackjack;
                }
            }
            Drawn::FaceDown => state.cards.push_down(),
        }
        let (total, soft) = (state.cards.total(), state.cards.is_soft());
        let to = Place::Hand { seat, hand: hand + 1 };
        out.push(Event::CardDealt { to, card: drawn, total, soft, source });
    }

    pub(super) fn deal_hole_card(&mut self, point: Point, out: &mut impl Sink) {
        let source = self.cite(point);
        out.push(Event::CardDealt { to: Place::HoleCard, card: Drawn::FaceDown, total: 0, soft: false, source });
        self.deal_is_complete(out);
    }

    /// Every first card lies. First-card wagers come next (7.F), then insurance or the reader (7.G), then decisions.
    fn deal_is_complete(&mut self, out: &mut impl Sink) {
        debug_assert!(self.tracking == Tracking::Cards);
        self.settle_side(Moment::FirstCards, out);
        if self.now.has_open_lines() {
            self.now.phase = Phase::FirstCards;
        } else {
            self.after_first_card_wagers(out);
        }
    }

    /// 7.G: insurance is offered under an ace only (S2); the reader is used under an ace or ten-value card.
    pub(super) fn after_first_card_wagers(&mut self, out: &mut impl Sink) {
        match self.now.up {
            Some(UpGroup::Ace) => self.now.phase = Phase::Insurance,
            Some(UpGroup::Ten) => self.now.phase = Phase::Peek,
            Some(UpGroup::Low) | None => self.start_decisions(out),
        }
    }
}
