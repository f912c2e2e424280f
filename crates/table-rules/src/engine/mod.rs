//! The engine: one table, one input at a time.
//!
//! [`Engine::apply`] either accepts an input, changes the state and reports events, or refuses it and changes nothing.
//! It must never look at a clock, a file or a random source: same inputs, same outputs.
//!
//! | file | holds |
//! |---|---|
//! | `state`, `boxes`, `between` | the data of a round, of a box and its hands, and of the table between rounds |
//! | `life` | opening, shuffling, cutting, idling, closing |
//! | `irregular` | Chapter 13 (Blackjack: 14): what can have gone wrong, and when |
//! | `answers` | what follows from it: questions and dead hands |
//! | `voids` | void rounds |
//! | `variations` | Switch, and cards that lie face down |
//! | `wagering` | wagers, persons, the lock, burns |
//! | `dealing` | the initial deal |
//! | `insurance` | insurance, even money, the reader |
//! | `gate`, `direct` | which ordinary input may come, and its short way |
//! | `decisions` | the players' hands |
//! | `doubles` | doubles, redoubles, rescue |
//! | `late` | words said after their card |
//! | `dealer` | reveal and the dealer's hand |
//! | `compared` | the lines of hands that only the counts decide |
//! | `prepared` | lines that fall due again and again |
//! | `settle` | what each hand comes to |
//! | `additional` | the fixed payouts of 12.C |
//! | `side_placing`, `side`, `side_amounts` | side wagers: on offer and placed, settled, and amounts they ask for |
//! | `meters`, `chance` | their meters, wheels and draws |
//! | `lines` | drawing up, confirming and approving lines |
//! | `procedure`, `claims` | rounds whose cards are not tracked; their progressive wins |
//! | `log`, `rewind` | what was accepted in this round; undo, correction, late words |
//! | `prompting` | what comes next, and what it rests on |
//! | `offering`, `ranges` | what would be accepted, and with which particulars |
//! | `snapshot` | the engine as data, and back |
//! | `view` | looking at the table from outside |

mod additional;
mod answers;
mod between;
mod boxes;
mod chance;
mod claims;
mod compared;
mod dealer;
mod dealing;
mod decisions;
mod direct;
mod doubles;
mod gate;
mod insurance;
mod irregular;
mod late;
mod life;
mod lines;
mod log;
mod meters;
mod offering;
mod prepared;
mod procedure;
mod prompting;
mod ranges;
mod rewind;
mod settle;
mod side;
mod side_amounts;
mod side_placing;
mod snapshot;
mod state;
mod variations;
mod view;
mod voids;
mod wagering;

pub use irregular::Irregular;
pub use snapshot::{NotRestored, Snapshot};
pub use view::{BoxView, HandView, StageView, TableView, TurnView};

use crate::card::CardSet;
use crate::event::Events;
use crate::input::{Drawn, Input, InputKind, KindSet, Placing};
use crate::line::Outcome;
use crate::meter::Meter;
use crate::prompt::Order;
use crate::refusal::{Reason, Refusal};
use crate::seat::{SEATS_MAX, SeatSet};
use crate::source::{Point, Source};
use crate::table::{Table, Tracking, Variation};
use direct::{Next, Staked};
use gate::Gate;
use log::{Accepted, Log, Ordinary};
use offering::DecisionKinds;
use prepared::PreparedLines;
use side_placing::SideIndex;
use state::{Between, Burns, CutState, Phase, Rest, State};

/// One table in play.
///
/// Feed it inputs with [`apply`](Self::apply); ask [`prompt`](Self::prompt) what comes next and [`view`](Self::view)
/// what lies on the table. After a refusal everything is as it was.
#[derive(Clone, Debug)]
pub struct Engine {
    table: Table,
    tracking: Tracking,
    side: SideIndex,
    /// Cards are tracked, the deal is the usual one, and no meter or draw hangs on it: `direct` may be asked.
    ordinary: bool,
    gate: Gate,
    deck: CardSet,
    staked: Staked,
    decision_kinds: DecisionKinds,
    prepared: [PreparedLines; SEATS_MAX],
    sources_of_confirmed: [[Source; Outcome::ALL.len()]; 2],
    now: State,
    /// How things stood when this round's wagers opened: undo replays from here.
    base: Between,
    base_meters: Vec<Meter>,
    /// What was accepted since then, as it is replayed: late words stand before their card.
    log: Log,
    /// The dealer may undo down to this many entries of `log`.
    barrier: usize,
    /// To how many entries of `log` a floorperson has gone back, one after another, each farther than the one before: the
    /// dealer's undo stops at the last, and no late word reaches across any (H5).
    corrections: Vec<usize>,
    /// The input being executed read the last card again with this many words before it.
    reread: Option<u8>,
}

impl Engine {
    /// A table that is open, its shoe loaded, waiting for wagers.
    ///
    /// # Panics
    /// Where the table is not played at this tracking level: see [`Table::check_tracking`].
    pub fn new(table: Table, tracking: Tracking) -> Self {
        Self::at_rest(table, tracking, Rest::Open)
    }

    /// A closed table: its day begins with `open` (Chapter 4).
    pub fn closed(table: Table, tracking: Tracking) -> Self {
        Self::at_rest(table, tracking, Rest::Closed)
    }

    fn at_rest(table: Table, tracking: Tracking, rest: Rest) -> Self {
        if let Err(refused) = table.check_tracking(tracking) {
            // Going on would pay rounds by steps that their cards never took.
            panic!("a table at a tracking level that it is not played at: {refused}");
        }
        let between = Between {
            round: 0,
            burns: Burns { unknown: table.variation.burns_after_batch(), ..Burns::NONE },
            sat_out: SeatSet::EMPTY,
            cover_seen: false,
            rest,
            cut: CutState::first_player(),
            batch: 0,
            clock: None,
            decks_since: None,
            shuffler_out: false,
            idle: false,
            covers: 0,
            sides_to_cut: 0,
            sides_shuffled: 0,
            decks_out: false,
            reader_out: false,
        };
        let side = SideIndex::new(&table);
        let meters = meters::meters_of(&table);
        let ordinary = tracking == Tracking::Cards
            && table.variation == Variation::Standard
            && meters.is_empty()
            && !side.has_draws;
        let mut engine = Self {
            side,
            ordinary,
            gate: Gate::Shut,
            deck: table.game.deck().collect(),
            staked: Staked::NONE,
            decision_kinds: DecisionKinds::new(&table),
            prepared: [PreparedLines::new(); SEATS_MAX],
            sources_of_confirmed: Self::sources_of_confirmed(table.game),
            base_meters: meters.clone(),
            now: State::new(between, meters),
            table,
            tracking,
            base: between,
            log: Log::new(),
            barrier: 0,
            corrections: Vec::new(),
            reread: None,
        };
        engine.gate = engine.find_gate();
        engine
    }

    /// Accepts or refuses one input. Events are appended to `out`; a refusal appends none and changes nothing.
    #[inline(always)]
    pub fn apply(&mut self, input: &Input, out: &mut Events) -> Result<(), Refusal> {
        match self.take(input, out, |_| ()) {
            Some(()) => Ok(()),
            None => self.leave(*input, out).map(|_| ()),
        }
    }

    /// Several wagers, one after another. Stops at the first that is refused; those before it have been placed.
    pub fn place(&mut self, wagers: &[Placing], out: &mut Events) -> Result<(), (Placing, Refusal)> {
        let mut rest = wagers;
        loop {
            debug_assert_eq!(self.gate, self.find_gate(), "before {rest:?}");
            let taken = self.take_wagers(rest, out);
            let Some((&refusable, after)) = rest[taken..].split_first() else { return Ok(()) };
            if let Err(refusal) = self.leave(refusable.into(), out) {
                return Err((refusable, refusal));
            }
            rest = after;
        }
    }

    /// The same as [`apply`](Self::apply), and `then` is told what is due next, as [`order`](Self::order) says it, or why
    /// the input was refused.
    ///
    /// Most inputs know what follows from them. An answer that came back as a value would be packed and taken apart
    /// again; this way, whoever wants little of it pays for little.
    #[inline(always)]
    pub fn advance<T>(
        &mut self,
        input: &Input,
        out: &mut Events,
        mut then: impl FnMut(Result<(Order, Source), Refusal>) -> T,
    ) -> T {
        match self.take(input, out, |next| then(Ok(next))) {
            Some(done) => done,
            None => then(self.leave(*input, out)),
        }
    }

    /// Takes an input by a short way if there is one.
    #[inline(always)]
    fn take<T>(&mut self, input: &Input, out: &mut Events, then: impl FnOnce(Next) -> T) -> Option<T> {
        debug_assert_eq!(self.gate, self.find_gate(), "before {input:?}");
        if let Input::Card(Drawn::FaceUp(card)) = *input {
            self.take_card(card, out, then)
        } else if let Input::Stand = *input {
            self.take_stand(out, then)
        } else if let Input::Wager { seat, wager, amount: Some(amount) } = *input {
            let taken = self.take_wagers(&[Placing { seat, wager, amount }], out);
            (taken > 0).then(|| then(self.order()))
        } else {
            self.take_once_a_round(input, out).map(then)
        }
    }

    /// An input that no short way takes. By value: for a short way it need not be in memory.
    #[inline(never)]
    fn leave(&mut self, input: Input, out: &mut Events) -> Result<Next, Refusal> {
        let answer = self.accept_or_refuse(&input, out);
        let next = self.move_on();
        answer.map(|()| next)
    }

    fn accept_or_refuse(&mut self, input: &Input, out: &mut Events) -> Result<(), Refusal> {
        if let Input::Undo = *input {
            return self.undo(out);
        }
        if let Input::Correct(reason) = *input {
            return self.correct(reason, out);
        }
        // The first card locks the table if nobody has (X2). The lock is an input of its own, so that undoing the card
        // does not undo the lock.
        if matches!(self.now.phase, Phase::Wagering) && self.implies_lock(input)? {
            self.lock(true, out)?;
            self.record(&Input::Lock);
        }
        let turns_hole_card = self.turns_hole_card(input);
        self.execute(input, out)?;
        if turns_hole_card {
            self.record_turned_hole_card();
        } else {
            self.record(input);
        }
        self.close_a_finished_round();
        Ok(())
    }

    #[inline]
    fn close_a_finished_round(&mut self) {
        if self.now.phase.is_between_rounds() && self.now.between.round != self.base.round {
            self.rebase();
        }
    }

    #[inline]
    fn record(&mut self, input: &Input) {
        let kind = input.kind();
        if let Some(words) = self.reread.take() {
            self.log.mark_last_late(kind, words);
            return;
        }
        if let Input::At(minute) = *input {
            return self.record_minute(minute);
        }
        if let Input::Peek(answer) = *input {
            self.log.push_ordinary(Ordinary::Peek(answer));
        } else if let Input::Split = *input {
            self.log.push_ordinary(Ordinary::Split);
        } else if let Input::Surrender = *input {
            self.log.push_ordinary(Ordinary::Surrender);
        } else {
            self.log.push(Accepted { input: *input, late: None });
        }
        if IRREVERSIBLE.contains(kind) {
            self.barrier = self.log.len();
        }
    }

    /// A `next` that says so is as final as the card itself (H5).
    fn record_turned_hole_card(&mut self) {
        self.log.push_ordinary(Ordinary::TurnedHoleCard);
        self.barrier = self.log.len();
    }

    /// A round is over: nothing before this moment can be undone any more.
    fn rebase(&mut self) {
        self.base = self.now.between;
        self.base_meters.clone_from(&self.now.meters);
        self.log.clear();
        self.barrier = 0;
        self.corrections.clear();
    }

    /// Runs one input on the current state, without recording it. A refusal leaves the state as it was.
    fn execute(&mut self, input: &Input, out: &mut Events) -> Result<(), Refusal> {
        let lines_before = self.now.lines.len();
        let kind = input.kind();
        let moves_on = self.now.has_open_lines() && MOVES_ON.contains(kind) && !self.walks_on(kind);
        if moves_on {
            self.check_moving_on()?;
        }
        let mut late = None;
        let bust_down = self.now.bust_down;
        match *input {
            Input::Card(drawn) => late = self.on_card(drawn, out)?,
            Input::CardFrom { drawn, side } => late = self.on_card_from(drawn, side, out)?,
            Input::Hit => self.on_hit(out)?,
            Input::Stand => self.on_stand(out)?,
            Input::Double(amount) => self.on_double(amount, out)?,
            Input::Redouble => self.on_redouble(out)?,
            Input::Split => self.on_split(out)?,
            Input::Surrender => self.on_surrender(out)?,
            Input::Rescue => self.on_rescue(out)?,
            Input::Switch => self.on_switch(out)?,
            Input::Seat(seat) => self.on_seat(seat, out)?,
            Input::Wager { seat, wager, amount } => self.on_wager(seat, wager, amount, out)?,
            Input::Unwager { seat, wager } => self.on_unwager(seat, wager, out)?,
            Input::Link(seats) => self.on_link(seats, out)?,
            Input::Cash { seat, returned } => self.on_cash(seat, returned, out)?,
            Input::Lock => self.lock(false, out)?,
            Input::Late { seat, wager } => self.on_late(seat, wager, out)?,
            Input::DealerChange(name) => self.on_dealer_change(name, out)?,
            Input::Burn => {
                if !self.on_reshoe(input, out)? {
                    self.on_burn(out)?;
                }
            }
            Input::Shuffle(_) | Input::Cut { .. } | Input::CutRefused(_) => {
                if !self.on_reshoe(input, out)? {
                    self.on_life(input, out)?;
                }
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
            | Input::FloorRecut => self.on_life(input, out)?,
            Input::At(minute) => {
                self.on_at(minute, out)?;
                // A minute that turned is no word: the last card is still the last.
                late = self.now.late;
            }
            Input::Permit(seat) => self.on_permit(seat, out)?,
            Input::ShufflerRepaired => self.on_shuffler_repaired(out)?,
            Input::Irregularity { clause, seat, card, attested } => {
                let told = self.check_irregular(clause, seat, card, attested)?;
                self.on_irregularity(told, out);
            }
            Input::Accept(seat) => self.on_accept(seat, out)?,
            Input::Refuse(seat) => self.on_refuse(seat, out)?,
            Input::Cover => self.on_cover(out)?,
            Input::CoverFrom(side) => self.on_cover_from(side, out)?,
            Input::Insure { seat, amount } => self.on_insure(seat, amount, out)?,
            Input::EvenMoney { seat } => self.on_even_money(seat, out)?,
            Input::InsuranceClosed => self.on_insurance_closed(out)?,
            Input::Peek(answer) => self.on_peek(answer, out)?,
            Input::ReaderRepaired => self.on_reader_repaired(out)?,
            Input::Reveal(card) => self.on_reveal(card, out)?,
            Input::Turn { seat, card } => self.on_turn(seat, card, out)?,
            Input::Amount { seat, wager, amount } => self.on_amount(seat, wager, amount, out)?,
            Input::Paid => self.on_confirm_one(InputKind::Paid, out)?,
            Input::Collected => self.on_confirm_one(InputKind::Collected, out)?,
            Input::Settled => self.on_settled(out)?,
            Input::FloorApprove => self.on_floor_approve(out)?,
            Input::ManagerApprove => self.on_manager_approve(out)?,
            Input::FloorVoid => self.on_floor_void(out)?,
            Input::Wheel { seat, wager, symbol } => self.on_wheel(seat, wager, symbol, out)?,
            Input::Draw(draw) => self.on_draw(draw, out)?,
            Input::Claim { seat, wager, line } => self.on_claim(seat, wager, line, out)?,
            Input::Up(group) => self.on_up(group, out)?,
            Input::Next => self.on_next(out)?,
            Input::SeatBlackjack(seat) => self.on_seat_blackjack(seat, out)?,
            Input::SeatSurrender(seat) => self.on_seat_surrender(seat, out)?,
            Input::Undo | Input::Correct(_) => return self.refuse(Reason::NothingToUndo, Point::UndoReach),
        }
        self.now.late = late;
        if self.now.bust_down.is_some() && self.now.bust_down == bust_down && !BUST_CARDS_STAY.contains(kind) {
            self.now.bust_down = None;
        }
        // After a late word the lines are no longer those that the input moved on from.
        if moves_on && self.reread.is_none() {
            self.confirm_implied(lines_before, out);
        }
        if self.tracking == Tracking::Procedure {
            self.pay_communities(out);
        }
        if !self.now.meters.is_empty() {
            self.price_current_line(out);
        }
        Ok(())
    }

    #[inline]
    fn cite(&self, point: Point) -> Source {
        point.source(self.table.game)
    }

    #[cold]
    fn refuse<T>(&self, reason: Reason, point: Point) -> Result<T, Refusal> {
        Err(Refusal { reason, source: self.cite(point) })
    }

    /// Refused because something else is due: cites what is.
    #[cold]
    fn not_now<T>(&self, kind: InputKind) -> Result<T, Refusal> {
        self.refuse(Reason::NotNow(kind), self.due())
    }
}

/// Inputs that only make sense once the dealer has done the open lines: they confirm them (H4).
const MOVES_ON: KindSet = KindSet::EMPTY
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

/// The points that the dealer cannot undo past (H5): lock, peek, reveal, a confirmed payment, an approval, chance.
const IRREVERSIBLE: KindSet = KindSet::EMPTY
    .with(InputKind::Lock)
    .with(InputKind::Peek)
    .with(InputKind::Reveal)
    .with(InputKind::Paid)
    .with(InputKind::Collected)
    .with(InputKind::Settled)
    .with(InputKind::FloorApprove)
    .with(InputKind::ManagerApprove)
    .with(InputKind::Wheel)
    .with(InputKind::Draw)
    .with(InputKind::FloorVoid)
    .with(InputKind::ReaderRepaired)
    .with(InputKind::ShufflerRepaired);
