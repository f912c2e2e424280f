//! The way of every input: its rule, and around it what is the same for all of them.
//!
//! [`Engine::apply`] accepts an input or refuses it. `run` is the frame around a rule: what the input implicitly confirms,
//! what it leaves pending. `accept` adds the round's log and its end. Replays go through `execute`: the same frame and the
//! same rules, without the log.

use super::Engine;
use super::log::Entry;
use super::state::{Pending, Phase};
use crate::card::Card;
use crate::event::Sink;
use crate::input::{Drawn, Input, InputKind, KindSet, PeekAnswer, Placing};
use crate::money::Cents;
use crate::refusal::Refusal;
use crate::seat::Seat;
use crate::table::Tracking;
use crate::wager::WagerId;

impl Engine {
    /// Accepts or refuses one input. Events go to `out`; a refusal reports none and changes nothing.
    ///
    /// The inputs of an ordinary round have the way of all inputs compiled for their kind: what depends on the kind alone
    /// is then decided. The others share one.
    #[inline(always)]
    pub fn apply<S: Sink>(&mut self, input: &Input, out: &mut S) -> Result<(), Refusal> {
        if let Input::Card(Drawn::FaceUp(card)) = *input {
            self.apply_card(card, out)
        } else if let Input::Stand = *input {
            self.apply_stand(out)
        } else if let Input::Wager { seat, wager, amount } = *input {
            self.apply_wager(seat, wager, amount, out)
        } else if let Input::Settled = *input {
            self.apply_settled(out)
        } else if let Input::Double(None) = *input {
            self.apply_double(out)
        } else if let Input::Peek(answer) = *input {
            self.apply_peek(answer, out)
        } else if let Input::Split = *input {
            self.apply_split(out)
        } else if let Input::Surrender = *input {
            self.apply_surrender(out)
        } else if let Input::Card(Drawn::FaceDown) = *input {
            self.apply_card_down(out)
        } else if let Input::Reveal(card) = *input {
            self.apply_reveal(card, out)
        } else if let Input::Lock = *input {
            self.apply_lock(out)
        } else {
            self.apply_any(input, out)
        }
    }

    /// Several wagers, one after another. Stops at the first that is refused; those before it have been placed.
    pub fn place<S: Sink>(&mut self, wagers: &[Placing], out: &mut S) -> Result<(), (Placing, Refusal)> {
        wagers.iter().try_for_each(|&placing| {
            let Placing { seat, wager, amount } = placing;
            let rule = |engine: &mut Self, out: &mut S| engine.on_wager(seat, wager, Some(amount), out);
            self.accept(&placing.into(), out, rule).map_err(|refusal| (placing, refusal))
        })
    }

    #[inline(never)]
    fn apply_card<S: Sink>(&mut self, card: Card, out: &mut S) -> Result<(), Refusal> {
        let drawn = Drawn::FaceUp(card);
        if let Phase::Wagering = self.now.phase {
            self.lock_by_first_card(drawn, false, out)?;
        }
        self.accept(&Input::Card(drawn), out, |engine, out| engine.on_card(drawn, out))
    }

    #[inline(never)]
    fn apply_card_down<S: Sink>(&mut self, out: &mut S) -> Result<(), Refusal> {
        let drawn = Drawn::FaceDown;
        if let Phase::Wagering = self.now.phase {
            self.lock_by_first_card(drawn, false, out)?;
        }
        self.accept(&Input::Card(drawn), out, |engine, out| engine.on_card(drawn, out))
    }

    #[inline(never)]
    fn apply_stand<S: Sink>(&mut self, out: &mut S) -> Result<(), Refusal> {
        self.accept(&Input::Stand, out, Self::on_stand)
    }

    #[inline(never)]
    fn apply_wager<S: Sink>(
        &mut self,
        seat: Seat,
        wager: WagerId,
        amount: Option<Cents>,
        out: &mut S,
    ) -> Result<(), Refusal> {
        let input = Input::Wager { seat, wager, amount };
        self.accept(&input, out, |engine, out| engine.on_wager(seat, wager, amount, out))
    }

    #[inline(never)]
    fn apply_settled<S: Sink>(&mut self, out: &mut S) -> Result<(), Refusal> {
        self.accept(&Input::Settled, out, Self::on_settled)
    }

    #[inline(never)]
    fn apply_double<S: Sink>(&mut self, out: &mut S) -> Result<(), Refusal> {
        self.accept(&Input::Double(None), out, |engine, out| engine.on_double(None, out))
    }

    #[inline(never)]
    fn apply_peek<S: Sink>(&mut self, answer: PeekAnswer, out: &mut S) -> Result<(), Refusal> {
        self.accept(&Input::Peek(answer), out, |engine, out| engine.on_peek(answer, out))
    }

    #[inline(never)]
    fn apply_split<S: Sink>(&mut self, out: &mut S) -> Result<(), Refusal> {
        self.accept(&Input::Split, out, Self::on_split)
    }

    #[inline(never)]
    fn apply_surrender<S: Sink>(&mut self, out: &mut S) -> Result<(), Refusal> {
        self.accept(&Input::Surrender, out, Self::on_surrender)
    }

    #[inline(never)]
    fn apply_reveal<S: Sink>(&mut self, card: Card, out: &mut S) -> Result<(), Refusal> {
        self.accept(&Input::Reveal(card), out, |engine, out| engine.on_reveal(card, out))
    }

    #[inline(never)]
    fn apply_lock<S: Sink>(&mut self, out: &mut S) -> Result<(), Refusal> {
        self.accept(&Input::Lock, out, |engine, out| engine.lock(false, out))
    }

    #[inline(never)]
    fn apply_any<S: Sink>(&mut self, input: &Input, out: &mut S) -> Result<(), Refusal> {
        if let Input::Undo = *input {
            return self.undo(out);
        }
        if let Input::Correct(reason) = *input {
            return self.correct(reason, out);
        }
        if let (Phase::Wagering, Input::CardFrom { drawn, .. }) = (self.now.phase, *input) {
            self.lock_by_first_card(drawn, true, out)?;
        }
        if let (Input::Next, true) = (*input, self.next_turns_hole_card()) {
            self.accept_as(InputKind::Next, Entry::TurnedHoleCard, input, out, Self::on_next)
        } else {
            self.accept(input, out, |engine, out| engine.rule(input, out))
        }
    }

    /// One input, by its rule: remembered for undo, and the end of its round.
    #[inline(always)]
    fn accept<S: Sink>(
        &mut self,
        input: &Input,
        out: &mut S,
        rule: impl FnOnce(&mut Self, &mut S) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        self.accept_as(input.kind(), Entry::of(input), input, out, rule)
    }

    /// The same, remembered as this entry.
    #[inline(always)]
    fn accept_as<S: Sink>(
        &mut self,
        kind: InputKind,
        entry: Entry,
        input: &Input,
        out: &mut S,
        rule: impl FnOnce(&mut Self, &mut S) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        // A `next` that turns the hole card is as final as the card itself (H5).
        let is_final = matches!(entry, Entry::TurnedHoleCard) || self.is_final(kind);
        self.run(kind, out, rule)?;
        self.remember(kind, entry, input, is_final);
        if self.now.phase.is_between_rounds() && self.now.between.round != self.base.round {
            self.rebase(kind);
        }
        Ok(())
    }

    /// Runs one input on the current state, without remembering it. A refusal leaves the state as it was.
    #[inline(never)]
    pub(super) fn execute<S: Sink>(&mut self, input: &Input, out: &mut S) -> Result<(), Refusal> {
        self.run(input.kind(), out, |engine, out| engine.rule(input, out))
    }

    /// The frame around a rule.
    #[inline(always)]
    fn run<S: Sink>(
        &mut self,
        kind: InputKind,
        out: &mut S,
        rule: impl FnOnce(&mut Self, &mut S) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        // Local, since a late word runs the frame inside the frame.
        let left_open =
            if self.now.pending.has(concerns(kind)) { self.check_pending(kind)? } else { LeftOpen::NOTHING };
        rule(self, out)?;
        if !SAYS_WHAT_IS_LATE.contains(kind) {
            self.now.late = None;
        }
        if left_open.is_something | self.now.pending.has(Pending::MORE_TO_PAY) {
            self.go_on_from(left_open, kind, out);
        }
        self.debug_assert_pending(kind);
        Ok(())
    }

    /// Whether this kind of input may come with what is pending, and what of that it leaves behind.
    #[inline(never)]
    fn check_pending(&self, kind: InputKind) -> Result<LeftOpen, Refusal> {
        let moves_on = self.check_what_is_open(kind)?;
        Ok(LeftOpen {
            is_something: true,
            lines: if moves_on { self.now.lines.len() } else { 0 },
            bust_down: self.now.bust_down.filter(|_| !BUST_CARDS_STAY.contains(kind)),
        })
    }

    /// The rule is done: what the input left behind is forgotten or confirmed, and what has fallen due is paid.
    #[inline(never)]
    fn go_on_from<S: Sink>(&mut self, left_open: LeftOpen, kind: InputKind, out: &mut S) {
        let LeftOpen { lines, bust_down, .. } = left_open;
        if bust_down.is_some() && self.now.bust_down == bust_down {
            self.now.set_bust_down(None);
        }
        // After a late word the lines are no longer those that the input moved on from.
        if lines > 0 && self.reread.is_none() {
            debug_assert!(MOVES_ON.contains(kind));
            self.confirm_implied(lines, out);
        }
        self.pay_what_has_fallen_due(out);
    }

    /// What a claimed spin gives the others, and what the next line is paid from its meter.
    #[inline(never)]
    fn pay_what_has_fallen_due<S: Sink>(&mut self, out: &mut S) {
        if self.tracking == Tracking::Procedure {
            self.pay_communities(out);
        }
        if !self.now.meters.is_empty() {
            self.price_current_line(out);
        }
    }

    /// Whether the dealer may go on with this kind of input while lines are open. Says whether it moves on from them.
    #[inline(always)]
    pub(super) fn check_what_is_open(&self, kind: InputKind) -> Result<bool, Refusal> {
        let moves_on = MOVES_ON.contains(kind) && self.now.has_open_lines() && !self.walks_on(kind);
        if moves_on {
            self.check_moving_on()?;
        }
        Ok(moves_on)
    }

    #[inline(always)]
    fn remember(&mut self, kind: InputKind, entry: Entry, input: &Input, is_final: bool) {
        if LATE_WORDS.contains(kind)
            && let Some(words) = self.reread.take()
        {
            self.log.mark_last_late(kind, words);
            return;
        }
        if let Entry::At(minute) = entry {
            return self.remember_minute(minute);
        }
        self.log.push_as(entry, input);
        self.note_reach(kind, is_final, self.log.len());
        self.note_for_ended(kind);
    }

    /// The first card of a round closes the wagers.
    #[inline(never)]
    fn lock_by_first_card<S: Sink>(&mut self, drawn: Drawn, side: bool, out: &mut S) -> Result<(), Refusal> {
        self.check_first_card(drawn, side)?;
        self.lock(true, out)?;
        self.remember(InputKind::Lock, Entry::Lock, &Input::Lock, false);
        Ok(())
    }
}

/// What an input has found pending and does not answer itself.
#[derive(Clone, Copy)]
struct LeftOpen {
    is_something: bool,
    /// How many lines there were, where the dealer moves on from them; 0 where not.
    lines: usize,
    bust_down: Option<Seat>,
}

impl LeftOpen {
    const NOTHING: Self = Self { is_something: false, lines: 0, bust_down: None };
}

/// What of the pending things an input of this kind has to look at.
#[inline(always)]
fn concerns(kind: InputKind) -> Pending {
    let lines = if MOVES_ON.contains(kind) { Pending::LINES } else { Pending::NONE };
    let cards = if BUST_CARDS_STAY.contains(kind) { Pending::NONE } else { Pending::BUST_CARDS };
    lines.union(cards)
}

/// Inputs that may turn out to be a word about the last card (H2).
const LATE_WORDS: KindSet = KindSet::EMPTY.with(InputKind::Double).with(InputKind::Split).with(InputKind::Seat);

/// Whoever deals a card says whether late words may still change what it was; a minute is no word, so that the last card
/// stays the last. Any other input closes it.
const SAYS_WHAT_IS_LATE: KindSet = KindSet::EMPTY.with(InputKind::Card).with(InputKind::At);

/// Inputs that only make sense once the dealer has done the open lines: they confirm them (H4).
pub(super) const MOVES_ON: KindSet = KindSet::EMPTY
    .with(InputKind::Accept)
    .with(InputKind::Card)
    .with(InputKind::Hit)
    .with(InputKind::Stand)
    .with(InputKind::Double)
    .with(InputKind::Redouble)
    .with(InputKind::Split)
    .with(InputKind::Surrender)
    .with(InputKind::Rescue)
    .with(InputKind::Switch)
    .with(InputKind::Seat)
    .with(InputKind::Peek)
    .with(InputKind::Reveal)
    .with(InputKind::Next);

/// Inputs after which the cards of a hand that has just gone over 21 may still be turned (H16).
const BUST_CARDS_STAY: KindSet = KindSet::EMPTY
    .with(InputKind::Turn)
    .with(InputKind::Paid)
    .with(InputKind::Collected)
    .with(InputKind::Settled)
    .with(InputKind::Late)
    .with(InputKind::Draw)
    .with(InputKind::Cover)
    .with(InputKind::Amount)
    .with(InputKind::At);

/// The points that the dealer cannot undo past (H5): lock, peek, reveal, an approval, chance.
pub(super) const IRREVERSIBLE: KindSet = KindSet::EMPTY
    .with(InputKind::Lock)
    .with(InputKind::Peek)
    .with(InputKind::Reveal)
    .with(InputKind::FloorApprove)
    .with(InputKind::ManagerApprove)
    .with(InputKind::Wheel)
    .with(InputKind::Draw)
    .with(InputKind::FloorVoid)
    .with(InputKind::Payments)
    .with(InputKind::Reject)
    .with(InputKind::ReaderRepaired)
    .with(InputKind::ShufflerRepaired);

/// The dealer's words that lines are done. They may be taken back until play goes on (H5).
pub(super) const CONFIRMS: KindSet =
    KindSet::EMPTY.with(InputKind::Paid).with(InputKind::Collected).with(InputKind::Settled);

/// Inputs after which what was just confirmed may still be taken back (H5): chips that were placed, and the time.
pub(super) const CHIPS_AND_TIME: KindSet = KindSet::EMPTY
    .with(InputKind::At)
    .with(InputKind::Wager)
    .with(InputKind::Unwager)
    .with(InputKind::Link)
    .with(InputKind::Cash)
    .with(InputKind::Late)
    .with(InputKind::Amount)
    .with(InputKind::Insure);
