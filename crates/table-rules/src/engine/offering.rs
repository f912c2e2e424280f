//! What would be accepted now. Each pattern asks the same check as the handler of its input: what is offered is
//! accepted, and what is accepted was offered.

use super::gate::Gate;
use super::state::{Ask, BurnDue, DealStep, HandState, HandStatus, Phase, Rest, Step, Want};
use super::view::TurnView;
use super::{Engine, MOVES_ON};
use crate::game::Game;
use crate::hand::Hand;
use crate::input::{Input, InputKind, KindSet};
use crate::line::Handling;
use crate::prompt::{AmountRange, CardOffer, Offers};
use crate::seat::SeatSet;
use crate::table::{Table, Tracking, Variation};

impl Engine {
    /// Whether exactly this input would be accepted now.
    pub fn offers_input(&self, input: &Input) -> bool {
        self.offers().admits(input, &self.table, self)
    }

    /// Every input pattern that would be accepted now.
    #[inline(never)]
    pub fn offers(&self) -> Offers {
        match self.plain_decision() {
            Some(PlainDecision { kinds, seats, .. }) => {
                let doubles = kinds.contains(InputKind::Double);
                let double = if doubles { self.double_range(self.now.turn.seat) } else { AmountRange::UNKNOWN_ONLY };
                let offers = Offers { kinds, seats, double, ..Offers::NONE };
                debug_assert!(offers == self.offers_in_general(), "{offers:?}");
                offers
            }
            None if self.gate == Gate::Decision || self.split_hand_decides_plainly() => self.offers_of_hand(),
            None => self.offers_in_general(),
        }
    }

    /// The hand whose turn it is, with the kinds of input that would be accepted now; for players that decide by it.
    #[inline(always)]
    pub fn to_decide(&self) -> Option<(TurnView<'_>, KindSet)> {
        match self.plain_decision() {
            Some(PlainDecision { kinds, hand, .. }) => {
                debug_assert!(kinds == self.offers_in_general().kinds, "{kinds:?}");
                debug_assert!(self.now.turn.hand == 0 && !hand.from_split);
                let (seat, doubles) = (self.now.turn.seat, hand.doubles);
                Some((TurnView { seat, hand: 1, cards: &hand.cards, from_split: false, doubles }, kinds))
            }
            None => self.turn().map(|turn| (turn, self.offers().kinds)),
        }
    }

    /// Where a hand decides and nothing but its cards and the last card bears on what it may do, the kinds are written
    /// down at once, with the seats that may be named; in tests, they are held against what the general way comes to.
    ///
    /// The seats that may be named come after that of the last card, where late words may change what it was. None of
    /// this by a branch: who took the last card is as random as the cards.
    #[inline(always)]
    fn plain_decision(&self) -> Option<PlainDecision<'_>> {
        if self.gate != Gate::Decision {
            return None;
        }
        let now = &self.now;
        let seat = now.turn.seat;
        let hand = &now.box_at(seat).hands[0];
        let two = hand.cards.len() == 2;
        let last = now.late.map_or(seat, |late| late.seat);
        let late_double = now.late.is_some_and(|late| late.is_third);
        if now.late.is_some_and(|late| late.in_general) | (!two & (last != seat)) {
            return None;
        }
        let seats = now.to_act.after(last, self.table.game.decision_order());
        let kinds = self
            .decision_kinds
            .of_original(&hand.cards)
            .with_if(InputKind::Undo, self.may_undo())
            .with_if(InputKind::Cover, !now.between.cover_seen)
            .with_if(InputKind::Seat, !seats.is_empty())
            .with_if(InputKind::Double, late_double);
        Some(PlainDecision { kinds, seats, hand })
    }

    /// The same for a split hand, and where more may be said about the last card.
    #[inline(never)]
    fn offers_of_hand(&self) -> Offers {
        let (seat, hand) = (self.now.turn.seat, self.now.turn_hand());
        let seats = self.late_seats();
        let double = self.double_terms(seat, hand).ok().or_else(|| self.late_double());
        let kinds = if hand.from_split {
            self.decision_kinds.of_split_hand
        } else {
            self.decision_kinds.of_original(&hand.cards)
        };
        let kinds = kinds
            .with_if(InputKind::Undo, self.may_undo())
            .with_if(InputKind::Cover, !self.now.between.cover_seen)
            .with_if(InputKind::Seat, !seats.is_empty())
            .with_if(InputKind::Double, double.is_some())
            .with_if(InputKind::Split, self.split_terms(seat, hand).is_ok() || self.late_split());
        let double = double.unwrap_or(AmountRange::UNKNOWN_ONLY);
        let offers = Offers { kinds, seats, double, ..Offers::NONE };
        debug_assert!(offers == self.offers_in_general(), "{offers:?}");
        offers
    }

    #[inline(never)]
    pub(super) fn offers_in_general(&self) -> Offers {
        let mut offers = Offers::NONE;
        let now = &self.now;
        let mut kinds = KindSet::EMPTY
            .with_if(InputKind::Undo, self.may_undo())
            .with_if(InputKind::Correct, self.may_correct())
            .with_if(InputKind::Late, !matches!(now.phase, Phase::Wagering))
            .with(InputKind::At)
            .with_if(InputKind::Irregularity, self.an_irregularity_is_possible())
            .with_if(InputKind::ReaderRepaired, now.between.reader_out)
            .with_if(InputKind::ShufflerRepaired, now.between.shuffler_out)
            .with_if(InputKind::Cover, !now.between.cover_seen && self.next_place().is_some())
            .with_if(InputKind::Draw, self.draw_is_due())
            .with_if(InputKind::Amount, self.any_side_amount_asked().is_some())
            .with_if(InputKind::ManagerApprove, self.manager_may_allow_void());
        if self.tracking == Tracking::Procedure {
            kinds = kinds.with_if(InputKind::Claim, self.claims_are_open());
        }
        if let Some(line) = now.current_line() {
            kinds = if self.approval_waits() {
                kinds
                    .with_if(InputKind::FloorApprove, self.floor_is_asked())
                    .with_if(InputKind::ManagerApprove, self.second_person_is_asked())
            } else {
                kinds.with(InputKind::Settled).with(match line.handling() {
                    Handling::Take => InputKind::Collected,
                    Handling::Give => InputKind::Paid,
                })
            };
        }
        if self.before_first_card() {
            kinds = kinds
                .with_if(InputKind::Burn, now.between.burns.next() != BurnDue::No)
                .with_if(InputKind::FloorApprove, self.burn_may_be_waived());
        }
        offers.kinds = kinds;
        match now.phase {
            Phase::Decisions => self.offer_decisions(&mut offers),
            Phase::Wagering => self.offer_wagering(&mut offers),
            Phase::Dealing(step) => {
                offers.kinds = offers.kinds.with_if(InputKind::Card, !self.burn_is_due() && !self.draw_is_due());
                offers.card = match step {
                    DealStep::HoleCard => CardOffer::FaceDown,
                    DealStep::First(..) | DealStep::Second(..) if self.table.variation == Variation::FromTheHand => {
                        CardOffer::FaceDown
                    }
                    DealStep::First(..) | DealStep::UpCard | DealStep::Second(..) | DealStep::Determinant => {
                        CardOffer::FaceUp
                    }
                };
            }
            Phase::Insurance => self.offer_insurance(&mut offers),
            Phase::Peek => offers.kinds = offers.kinds.with(InputKind::Peek),
            Phase::ReaderStopped => {
                let may_void = self.jackpots_paid() == 0 || now.manager_approved;
                offers.kinds = offers.kinds.with(InputKind::ReaderRepaired).with_if(InputKind::FloorVoid, may_void);
            }
            Phase::Reveal => offers.kinds = offers.kinds.with(InputKind::Reveal),
            Phase::DealerDraws => offers.kinds = offers.kinds.with(InputKind::Card),
            Phase::TurnCards => {
                offers.kinds = offers.kinds.with(InputKind::Turn);
                offers.turn_seats = self.seats_with_cards_down();
            }
            Phase::AskAdditional => {
                offers.kinds = offers
                    .kinds
                    .with_if(InputKind::Link, self.boxes_may_be_linked())
                    .with_if(InputKind::Amount, self.amounts_are_missing())
                    .with_if(
                        InputKind::Next,
                        !self.amounts_are_missing() && self.any_side_amount_asked().is_none() && !self.draw_is_due(),
                    );
                offers.link_seats = now.in_play;
                offers.amount_seats = self.amount_seats();
            }
            Phase::Wheel(_) => offers.kinds = offers.kinds.with(InputKind::Wheel),
            Phase::Irregularity(ask) => self.offer_answers(ask, &mut offers),
            Phase::Resting(rest) => self.offer_rest(rest, &mut offers),
            Phase::FirstCards | Phase::BustCards | Phase::Settlement => {}
            Phase::Procedure(step) => self.offer_procedure(step, &mut offers),
        }
        if let Some(seat) = self.bust_cards_seat() {
            offers.kinds = offers.kinds.with(InputKind::Turn);
            offers.turn_seats = offers.turn_seats.with(seat);
        }
        self.offer_late_words(&mut offers);
        if now.has_open_lines() && self.open_line_needs_approval() {
            offers.kinds = offers.kinds.minus(MOVES_ON);
        }
        if self.look_due().is_some() {
            // Whatever else a floorperson is asked waits for the dealer's look too: the word would be ambiguous.
            let approval = KindSet::EMPTY.with(InputKind::FloorApprove);
            offers.kinds = offers.kinds.minus(approval).with(InputKind::Next);
        }
        offers
    }

    fn offer_wagering(&self, offers: &mut Offers) {
        let now = &self.now;
        let everyone = SeatSet::first(self.table.positions);
        let can_lock = self.check_lock().is_ok();
        let can_deal = can_lock
            && self.tracking == Tracking::Cards
            && !self.burn_is_required()
            && !self.draw_follows_lock()
            && self.table.variation != Variation::FromTheHand;
        offers.kinds = offers
            .kinds
            .with(InputKind::Wager)
            .with(InputKind::Cash)
            .with_if(InputKind::Unwager, self.chips_are_placed())
            .with_if(InputKind::Link, self.boxes_may_be_linked())
            .with(InputKind::DealerChange)
            .with_if(InputKind::Close, !self.anything_is_placed())
            .with_if(InputKind::Decks, !self.anything_is_placed())
            .with_if(InputKind::Idle, !self.anything_is_placed() && self.may_idle())
            .with_if(InputKind::FloorReshuffle, !self.anything_is_placed())
            .with_if(InputKind::Permit, !now.between.sat_out.is_empty())
            .with_if(InputKind::Lock, can_lock)
            .with_if(InputKind::Card, can_deal);
        offers.wager_seats = everyone.minus(now.between.sat_out);
        offers.link_seats = everyone;
    }

    fn offer_insurance(&self, offers: &mut Offers) {
        offers.even_money_seats = self.even_money_seats();
        offers.insure_seats = self.uninsured();
        offers.amount_seats = self.amount_seats();
        offers.kinds = offers
            .kinds
            .with_if(InputKind::Insure, !offers.insure_seats.is_empty())
            .with(InputKind::InsuranceClosed)
            .with(InputKind::Peek)
            .with_if(InputKind::Amount, !offers.amount_seats.is_empty())
            .with_if(InputKind::EvenMoney, !offers.even_money_seats.is_empty());
        if self.table.variation == Variation::FromTheHand {
            offers.turn_seats = self.seats_with_cards_down();
            offers.kinds = offers.kinds.with_if(InputKind::Turn, !offers.turn_seats.is_empty());
        }
    }

    fn offer_decisions(&self, offers: &mut Offers) {
        let mut kinds = offers.kinds;
        match self.now.turn.want {
            Want::Decision => {
                let seat = self.now.turn.seat;
                let hand = self.now.turn_hand();
                kinds = kinds.with(InputKind::Stand);
                if self.now.box_at(seat).main.is_unknown() {
                    offers.amount_seats = self.amount_seats();
                    kinds = kinds.with_if(InputKind::Amount, !offers.amount_seats.is_empty());
                }
                if self.table.variation != Variation::Standard {
                    kinds = kinds.with_if(InputKind::Switch, self.check_switch().is_ok());
                    if self.may_turn_now(seat) {
                        kinds = kinds.with(InputKind::Turn);
                        offers.turn_seats = SeatSet::EMPTY.with(seat);
                    }
                }
                if hand.status == HandStatus::Open {
                    let hit = self.hit_terms(hand).is_ok();
                    kinds = kinds
                        .with_if(InputKind::Hit, hit)
                        .with_if(InputKind::Card, hit)
                        .with_if(InputKind::Split, self.split_terms(seat, hand).is_ok())
                        .with_if(InputKind::Surrender, self.surrender_terms(hand).is_ok());
                    if let Ok(range) = self.double_terms(seat, hand) {
                        kinds = kinds.with(InputKind::Double);
                        offers.double = range;
                    }
                }
            }
            Want::AfterDouble => {
                let next = !self.hands_after_turn().is_empty() || self.split_hand_waits();
                kinds = kinds
                    .with(InputKind::Stand)
                    .with_if(InputKind::Card, next)
                    .with_if(InputKind::Redouble, self.check_redouble().is_ok())
                    .with_if(InputKind::Rescue, self.check_rescue().is_ok());
            }
            Want::DoubleCard => {
                kinds = kinds.with(InputKind::Card);
                if self.table.game == Game::Blackjack {
                    offers.card = CardOffer::Either;
                }
            }
            Want::HitCard | Want::SplitCard => kinds = kinds.with(InputKind::Card),
        }
        offers.kinds = kinds;
    }

    /// Words that may still change what the last card was (H2), and the seat tap that stands the hands before it.
    fn offer_late_words(&self, offers: &mut Offers) {
        let seats = self.late_seats();
        if !seats.is_empty() {
            offers.kinds = offers.kinds.with(InputKind::Seat);
            offers.seats = seats;
        }
        if self.now.late.is_none() {
            return;
        }
        if let (false, Some(range)) = (offers.kinds.contains(InputKind::Double), self.late_double()) {
            offers.kinds = offers.kinds.with(InputKind::Double);
            offers.double = range;
        }
        offers.kinds = offers.kinds.with_if(InputKind::Split, self.late_split());
    }

    fn offer_procedure(&self, step: Step, offers: &mut Offers) {
        let kinds = offers.kinds;
        offers.kinds = match step {
            Step::Deal => kinds.with_if(InputKind::Up, !self.burn_is_due() && !self.draw_is_due()),
            Step::Insurance => {
                offers.even_money_seats = self.even_money_seats();
                offers.insure_seats = self.uninsured();
                offers.amount_seats = self.amount_seats();
                kinds
                    .with_if(InputKind::EvenMoney, !offers.even_money_seats.is_empty())
                    .with_if(InputKind::Insure, !offers.insure_seats.is_empty())
                    .with_if(InputKind::Amount, !offers.amount_seats.is_empty())
                    .with(InputKind::InsuranceClosed)
                    .with(InputKind::Peek)
                    .with(InputKind::Next)
            }
            Step::Peek => kinds.with(InputKind::Peek),
            Step::DealerBlackjack => {
                offers.seats = self.markable();
                kinds
                    .with_if(InputKind::SeatBlackjack, !offers.seats.is_empty())
                    .with_if(InputKind::Reveal, self.hole_card_is_asked().is_some())
                    .with_if(InputKind::Next, !self.draw_is_due())
            }
            Step::Reveal => kinds.with_if(InputKind::Reveal, self.hole_card_is_asked().is_some()).with(InputKind::Next),
            Step::Decisions => {
                offers.seats = self.markable();
                offers.surrender_seats = self.surrender_markable();
                kinds
                    .with_if(InputKind::SeatBlackjack, !offers.seats.is_empty())
                    .with_if(InputKind::SeatSurrender, !offers.surrender_seats.is_empty())
                    .with(InputKind::Next)
            }
            Step::DealerDraws => kinds.with_if(InputKind::Next, !self.draw_is_due()),
            Step::FirstCards | Step::Settle => kinds.with(InputKind::Next),
        };
    }

    fn offer_answers(&self, ask: Ask, offers: &mut Offers) {
        let kinds = offers.kinds;
        offers.kinds = match ask {
            Ask::AcceptExposed | Ask::SecondCard(..) | Ask::MissedCard(_) => {
                kinds.with(InputKind::Accept).with(InputKind::Refuse)
            }
            Ask::FloorTearsTen | Ask::FloorNotified => {
                kinds.with_if(InputKind::FloorApprove, !self.floor_answer_is_blocked())
            }
            Ask::Shuffle => kinds.with(InputKind::Shuffle),
            Ask::Cut => kinds.with(InputKind::Cut).with_if(InputKind::CutRefused, self.cut_is_offered_to().is_some()),
            Ask::Burn => kinds.with(InputKind::Burn),
        };
    }

    fn offer_rest(&self, rest: Rest, offers: &mut Offers) {
        let kinds = offers.kinds.with_if(InputKind::Close, rest != Rest::Closed).with(InputKind::DealerChange);
        offers.kinds = match rest {
            Rest::Closed => kinds.with(InputKind::Open),
            Rest::Receive => kinds.with(InputKind::Decks),
            Rest::DealerInspects | Rest::FloorVerifies | Rest::TensRemoved | Rest::PlayerInspects => {
                kinds.with(InputKind::Inspect)
            }
            Rest::Spread => kinds.with(InputKind::Spread),
            Rest::Wash => kinds.with(InputKind::Wash),
            Rest::Shuffle => kinds.with(InputKind::Shuffle),
            Rest::Cut => {
                let asked = self.cut_is_offered_to().is_some();
                kinds.with(InputKind::Cut).with_if(InputKind::CutRefused, asked)
            }
            Rest::PlaceCover => kinds.with(InputKind::PlaceCover).with(InputKind::FloorRecut),
            Rest::Load => {
                let burn = self.table.variation.burns_after_batch();
                kinds.with(InputKind::Load).with_if(InputKind::Burn, burn).with(InputKind::FloorRecut)
            }
            Rest::Open => kinds,
        };
    }
}

/// A hand that decides, where nothing but its cards and the last card bears on what it may do.
struct PlainDecision<'a> {
    hand: &'a HandState,
    kinds: KindSet,
    /// Those that the late word may name.
    seats: SeatSet,
}

/// What this table always offers at a decision.
#[derive(Clone, Copy, Debug)]
pub(super) struct DecisionKinds {
    of_split_hand: KindSet,
    /// Of an original hand: with more than two cards, with two, with a pair, with a pair of aces. Its box has split
    /// nothing.
    of_original: [KindSet; 4],
}

impl DecisionKinds {
    pub(super) fn new(table: &Table) -> Self {
        let always = KindSet::EMPTY
            .with(InputKind::Late)
            .with(InputKind::At)
            .with(InputKind::Irregularity)
            // Whoever decides has been dealt cards, so that there is something to correct.
            .with(InputKind::Correct)
            .with(InputKind::Stand)
            .with(InputKind::Hit)
            .with(InputKind::Card);
        let on_more = always.with_if(InputKind::Double, table.game != Game::Blackjack);
        let on_two = always.with_if(InputKind::Surrender, !table.restrictions.no_surrender).with(InputKind::Double);
        let pair = on_two.with_if(InputKind::Split, table.max_splits > 0);
        let aces = on_two.with_if(InputKind::Split, table.max_splits.min(table.max_ace_splits) > 0);
        Self { of_split_hand: always, of_original: [on_more, on_two, pair, aces] }
    }

    /// For a hand whose cards all lie face up. Not by a branch: a pair is as random as the cards.
    #[inline(always)]
    fn of_original(&self, cards: &Hand) -> KindSet {
        let two = cards.len() == 2;
        let pair = two & cards.begins_with_pair_by_value();
        let aces = pair & cards.begins_with_ace();
        self.of_original[usize::from(two) + usize::from(pair) + usize::from(aces)]
    }
}
