//! What would be accepted now. Each pattern asks the same check as the handler of its input: what is offered is
//! accepted, and what is accepted was offered.

use super::Engine;
use super::frame::MOVES_ON;
use super::state::{Ask, BurnDue, DealStep, HandStatus, Phase, Rest, Step, Want};
use super::view::TurnView;
use crate::game::Game;
use crate::input::{InputKind, KindSet};
use crate::line::Handling;
use crate::prompt::{CardOffer, Offers};
use crate::seat::SeatSet;
use crate::table::{Tracking, Variation};

impl Engine {
    /// The hand whose turn it is, with the words that its player may say now; for players that decide by it. A word about
    /// the card that was just drawn is not among them: it would be about what was decided before.
    #[inline(always)]
    pub fn to_decide(&self) -> Option<(TurnView<'_>, KindSet)> {
        let turn = self.turn()?;
        let mut words = self.words_of_turn();
        if self.now.has_open_lines() && self.check_moving_on().is_err() {
            words = words.minus(MOVES_ON);
        }
        Some((turn, words))
    }

    /// What the player whose turn it is may say, by the checks of the words themselves.
    #[inline(always)]
    fn words_of_turn(&self) -> KindSet {
        let (seat, hand) = (self.now.turn.seat, self.now.turn_hand());
        let stand = KindSet::EMPTY.with(InputKind::Stand);
        match self.now.turn.want {
            Want::Decision => {
                let switch = self.table.variation == Variation::Switch && self.check_switch().is_ok();
                let words = stand.with_if(InputKind::Switch, switch);
                if hand.status != HandStatus::Open {
                    return words;
                }
                words
                    .with_if(InputKind::Hit, self.hit_terms(seat, hand).is_ok())
                    .with_if(InputKind::Double, self.double_terms(seat, hand).is_ok())
                    .with_if(InputKind::Split, self.split_terms(seat, hand).is_ok())
                    .with_if(InputKind::Surrender, self.surrender_terms(hand).is_ok())
            }
            Want::AfterDouble => stand
                .with_if(InputKind::Redouble, self.check_redouble().is_ok())
                .with_if(InputKind::Rescue, self.check_rescue().is_ok()),
            Want::HitCard | Want::DoubleCard | Want::SplitCard => KindSet::EMPTY,
        }
    }

    /// Every input pattern that would be accepted now.
    #[inline(never)]
    pub fn offers(&self) -> Offers {
        let mut offers = Offers::NONE;
        let now = &self.now;
        let mut kinds = KindSet::EMPTY
            .with_if(InputKind::Undo, self.may_undo())
            .with_if(InputKind::Correct, self.may_correct())
            .with_if(InputKind::Late, !matches!(now.phase, Phase::Wagering))
            .with(InputKind::At)
            .with_if(InputKind::Payments, now.payments_asked)
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
                    .with_if(InputKind::Reject, self.win_waits().is_some())
            } else {
                kinds.with(InputKind::Settled).with(match line.handling() {
                    Handling::Take => InputKind::Collected,
                    Handling::Give => InputKind::Paid,
                })
            };
        }
        if self.before_first_card() {
            kinds = kinds
                .with_if(InputKind::Burn, now.between.burns.next() != BurnDue::No && !now.ten_waits)
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
            Phase::Settlement => {
                offers.kinds = offers.kinds.with_if(InputKind::Next, self.only_payments_are_asked());
            }
            Phase::FirstCards | Phase::BustCards => {}
            Phase::Procedure(step) => self.offer_procedure(step, &mut offers),
        }
        if let Some(seat) = self.bust_cards_seat() {
            offers.kinds = offers.kinds.with(InputKind::Turn);
            offers.turn_seats = offers.turn_seats.with(seat);
        }
        self.offer_late_words(&mut offers);
        if now.has_open_lines() && self.check_moving_on().is_err() {
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
        let may_leave = !self.anything_is_placed() && !now.ten_waits;
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
            .with_if(InputKind::FloorApprove, now.ten_waits || self.burn_may_be_waived())
            .with_if(InputKind::Close, may_leave)
            .with_if(InputKind::Decks, may_leave)
            .with_if(InputKind::Idle, may_leave && self.may_idle())
            .with_if(InputKind::FloorReshuffle, may_leave)
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
        let words = self.words_of_turn();
        let mut kinds = offers.kinds.union(words);
        match self.now.turn.want {
            Want::Decision => {
                let seat = self.now.turn.seat;
                kinds = kinds.with_if(InputKind::Card, words.contains(InputKind::Hit));
                if self.now.box_at(seat).main.is_unknown() {
                    offers.amount_seats = self.amount_seats();
                    kinds = kinds.with_if(InputKind::Amount, !offers.amount_seats.is_empty());
                }
                if self.may_turn_now(seat) {
                    kinds = kinds.with(InputKind::Turn);
                    offers.turn_seats = SeatSet::EMPTY.with(seat);
                }
                if words.contains(InputKind::Double) {
                    offers.double = self.double_range(seat);
                }
            }
            Want::AfterDouble => {
                let next = !self.hands_after_turn().is_empty() || self.split_hand_waits();
                kinds = kinds.with_if(InputKind::Card, next);
            }
            Want::DoubleCard => {
                kinds = kinds.with(InputKind::Card);
                if self.table.game == Game::Blackjack {
                    offers.card = CardOffer::Either;
                }
            }
            Want::HitCard | Want::SplitCard => kinds = kinds.with(InputKind::Card),
        }
        if self.now.exposed.is_some() {
            let asked = self.exposed_card_is_offered_to().is_some();
            let card = KindSet::EMPTY.with(InputKind::Card);
            kinds = kinds.minus(card).with_if(InputKind::Accept, asked).with_if(InputKind::Refuse, asked);
        }
        offers.kinds = kinds.with_if(InputKind::Reveal, self.hole_card_may_follow_refusal());
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
            Ask::SecondCard(..) | Ask::MissedCard(_) => kinds.with(InputKind::Accept).with(InputKind::Refuse),
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
            Rest::DealerInspects | Rest::TensRemoved | Rest::PlayerInspects => kinds.with(InputKind::Inspect),
            Rest::FloorVerifies | Rest::TensConfirmed => kinds.with(InputKind::Inspect).with(InputKind::FloorApprove),
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
