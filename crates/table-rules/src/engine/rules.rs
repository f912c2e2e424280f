//! Which rule answers which input, and which check comes before it.

use super::Engine;
use crate::event::Sink;
use crate::input::{Input, InputKind};
use crate::refusal::{Reason, Refusal};
use crate::source::Point;

impl Engine {
    /// The rule of this input. Inlined, so that an input whose kind is known where it is written finds its rule there.
    #[inline(always)]
    pub(super) fn rule<S: Sink>(&mut self, input: &Input, out: &mut S) -> Result<(), Refusal> {
        match *input {
            Input::Card(drawn) => self.on_card(drawn, out),
            Input::CardFrom { drawn, side } => self.on_card_from(drawn, side, out),
            Input::Hit => self.on_hit(out),
            Input::Stand => self.on_stand(out),
            Input::Double(amount) => self.on_double(amount, out),
            Input::Redouble => self.on_redouble(out),
            Input::Split => self.on_split(out),
            Input::Surrender => self.on_surrender(out),
            Input::Rescue => self.on_rescue(out),
            Input::Switch => self.on_switch(out),
            Input::Seat(seat) => self.on_seat(seat, out),
            Input::Wager { seat, wager, amount } => self.on_wager(seat, wager, amount, out),
            Input::Unwager { seat, wager } => self.on_unwager(seat, wager, out),
            Input::Link(seats) => self.on_link(seats, out),
            Input::Cash { seat, returned } => self.on_cash(seat, returned, out),
            Input::Lock => self.lock(false, out),
            Input::Late { seat, wager } => self.on_late(seat, wager, out),
            Input::DealerChange(name) => self.on_dealer_change(name, out),
            Input::Burn => {
                if self.on_reshoe(input, out)? {
                    return Ok(());
                }
                self.on_burn(out)
            }
            Input::Shuffle(_) | Input::Cut { .. } | Input::CutRefused(_) => {
                if self.on_reshoe(input, out)? {
                    return Ok(());
                }
                self.on_life(input, out)
            }
            Input::Open
            | Input::Close
            | Input::Decks { .. }
            | Input::Inspect(_)
            | Input::Spread
            | Input::Wash
            | Input::PlaceCover(_)
            | Input::Load
            | Input::Idle
            | Input::FloorReshuffle
            | Input::FloorRecut => self.on_life(input, out),
            Input::At(minute) => self.on_at(minute, out),
            Input::Permit(seat) => self.on_permit(seat, out),
            Input::ShufflerRepaired => self.on_shuffler_repaired(out),
            Input::Irregularity { clause, seat, card, attested } => {
                let told = self.check_irregular(clause, seat, card, attested)?;
                self.on_irregularity(told, out);
                Ok(())
            }
            Input::Accept(seat) => self.on_accept(seat, out),
            Input::Refuse(seat) => self.on_refuse(seat, out),
            Input::Cover => self.on_cover(out),
            Input::CoverFrom(side) => self.on_cover_from(side, out),
            Input::Insure { seat, amount } => self.on_insure(seat, amount, out),
            Input::EvenMoney { seat } => self.on_even_money(seat, out),
            Input::InsuranceClosed => self.on_insurance_closed(out),
            Input::Peek(answer) => self.on_peek(answer, out),
            Input::ReaderRepaired => self.on_reader_repaired(out),
            Input::Reveal(card) => self.on_reveal(card, out),
            Input::Turn { seat, card } => self.on_turn(seat, card, out),
            Input::Amount { seat, wager, amount } => self.on_amount(seat, wager, amount, out),
            Input::Paid => self.on_confirm_one(InputKind::Paid, out),
            Input::Collected => self.on_confirm_one(InputKind::Collected, out),
            Input::Settled => self.on_settled(out),
            Input::FloorApprove => self.on_floor_approve(out),
            Input::ManagerApprove => self.on_manager_approve(out),
            Input::FloorVoid => self.on_floor_void(out),
            Input::Payments { answer, reason } => self.on_payments(answer, reason, out),
            Input::Reject(reason) => self.on_reject(reason, out),
            Input::Wheel { seat, wager, symbol } => self.on_wheel(seat, wager, symbol, out),
            Input::Draw(draw) => self.on_draw(draw, out),
            Input::Claim { seat, wager, line } => self.on_claim(seat, wager, line, out),
            Input::Up(group) => self.on_up(group, out),
            Input::Next => self.on_next(out),
            Input::SeatBlackjack(seat) => self.on_seat_blackjack(seat, out),
            Input::SeatSurrender(seat) => self.on_seat_surrender(seat, out),
            Input::Undo | Input::Correct(_) => self.refuse(Reason::NothingToUndo, Point::UndoReach),
        }
    }

    /// Whether this input would be accepted now, and why not. Nothing changes: it is what its rule asks first.
    pub fn check(&self, input: &Input) -> Result<(), Refusal> {
        self.check_what_is_open(input.kind())?;
        match *input {
            Input::Card(drawn) => self.check_card(drawn),
            Input::CardFrom { drawn, .. } => self.check_card_from(drawn),
            Input::Hit => self.check_hit(),
            Input::Stand => self.check_stand(),
            Input::Double(amount) => self.check_double_word(amount).map(drop),
            Input::Redouble => self.check_redouble().map(drop),
            Input::Split => self.check_split_word().map(drop),
            Input::Surrender => self.check_surrender(),
            Input::Rescue => self.check_rescue(),
            Input::Switch => self.check_switch(),
            Input::Seat(seat) => self.check_seat_word(seat),
            Input::Wager { seat, wager, amount } => self.check_wager(seat, wager, amount).map(drop),
            Input::Unwager { seat, wager } => self.check_unwager(seat, wager).map(drop),
            Input::Link(seats) => self.check_link(seats),
            Input::Cash { seat, returned } => self.check_cash(seat, returned),
            Input::Lock => self.check_lock(),
            Input::Late { seat, wager } => self.check_late(seat, wager),
            Input::DealerChange(_) => self.check_dealer_change(),
            Input::Burn => {
                let of_the_discards = self.check_reshoe(input)?;
                if of_the_discards { Ok(()) } else { self.check_burn() }
            }
            Input::Shuffle(_) | Input::Cut { .. } | Input::CutRefused(_) => {
                let of_the_discards = self.check_reshoe(input)?;
                if of_the_discards { Ok(()) } else { self.check_life(input).map(drop) }
            }
            Input::Open
            | Input::Close
            | Input::Decks { .. }
            | Input::Inspect(_)
            | Input::Spread
            | Input::Wash
            | Input::PlaceCover(_)
            | Input::Load
            | Input::Idle
            | Input::FloorReshuffle
            | Input::FloorRecut => self.check_life(input).map(drop),
            Input::At(_) => Ok(()),
            Input::Permit(seat) => self.check_permit(seat),
            Input::ShufflerRepaired => self.check_shuffler_repaired(),
            Input::Irregularity { clause, seat, card, attested } => {
                self.check_irregular(clause, seat, card, attested).map(drop)
            }
            Input::Accept(seat) => self.check_answer(seat, InputKind::Accept),
            Input::Refuse(seat) => self.check_answer(seat, InputKind::Refuse),
            Input::Cover => self.check_cover().map(drop),
            Input::CoverFrom(side) => self.check_cover_from(side).map(drop),
            Input::Insure { seat, amount } => self.check_insure(seat, amount),
            Input::EvenMoney { seat } => self.check_even_money(seat),
            Input::InsuranceClosed => self.check_insurance_open(InputKind::InsuranceClosed),
            Input::Peek(_) => self.check_peek(),
            Input::ReaderRepaired => self.check_reader_repaired(),
            Input::Reveal(card) => self.check_reveal(card),
            Input::Turn { seat, card } => self.check_turn(seat, card).map(drop),
            Input::Amount { seat, wager, amount } => self.check_amount(seat, wager, amount).map(drop),
            Input::Paid => self.check_confirm_one(InputKind::Paid),
            Input::Collected => self.check_confirm_one(InputKind::Collected),
            Input::Settled => self.check_settled(),
            Input::FloorApprove => self.check_floor_approve().map(drop),
            Input::ManagerApprove => self.check_manager_approve(),
            Input::FloorVoid => self.check_floor_void(),
            Input::Payments { .. } => self.check_payments(),
            Input::Reject(_) => self.check_reject().map(drop),
            Input::Wheel { seat, wager, symbol } => self.check_wheel(seat, wager, symbol).map(drop),
            Input::Draw(draw) => self.check_draw(draw),
            Input::Claim { seat, wager, line } => self.check_claim(seat, wager, line).map(drop),
            Input::Up(_) => self.check_up(),
            Input::Next => self.check_next().map(drop),
            Input::SeatBlackjack(seat) => self.check_seat_blackjack(seat),
            Input::SeatSurrender(seat) => self.check_seat_surrender(seat),
            Input::Undo => self.check_undo(),
            Input::Correct(_) => self.check_correct(),
        }
    }

    /// Whether exactly this input would be accepted now.
    pub fn offers_input(&self, input: &Input) -> bool {
        self.check(input).is_ok()
    }
}
