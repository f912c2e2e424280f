//! The engine: one table, one input at a time.
//!
//! [`Engine::apply`] either accepts an input, changes the state and reports events, or refuses it and changes nothing.
//! It must never look at a clock, a file or a random source: same inputs, same outputs.
//!
//! | file | holds |
//! |---|---|
//! | `frame`, `rules` | the way of every input, and which rule answers it |
//! | `pending` | what waits for somebody, as one set |
//! | `state`, `boxes`, `between` | the data of a round, of a box and its hands, and of the table between rounds |
//! | `life` | opening, shuffling, cutting, idling, closing |
//! | `irregular` | Chapter 13 (Blackjack: 14): what can have gone wrong, and when |
//! | `irregular_steps` | what follows from it: questions and dead hands |
//! | `found` | cards found in the shoe, counted by shoe |
//! | `exposed`, `missed` | a card drawn in error and seen; one that was asked for and forgotten |
//! | `voids`, `payments` | void rounds, and what had been paid in them |
//! | `rejects` | a progressive win that is not validated |
//! | `variations` | Switch, and cards that lie face down |
//! | `wagering` | wagers, persons, the lock, burns |
//! | `dealing` | the initial deal |
//! | `insurance` | insurance, even money, the reader |
//! | `decisions` | the players' hands |
//! | `doubles` | doubles, redoubles, rescue |
//! | `late` | words said after their card |
//! | `dealer` | reveal and the dealer's hand |
//! | `rows`, `settle` | how each hand ends, and the settlement around it |
//! | `additional` | the fixed payouts of 12.C |
//! | `side_placing`, `side`, `side_amounts` | side wagers: on offer and placed, settled, and amounts they ask for |
//! | `meters`, `chance` | their meters, wheels and draws |
//! | `lines`, `approvals` | drawing up and confirming lines; what waits for somebody's approval |
//! | `procedure`, `claims` | rounds whose cards are not tracked; their progressive wins |
//! | `log`, `rewind` | what was accepted in this round; undo, correction, late words |
//! | `ended` | the round before, while the word that ended it may be taken back |
//! | `next` | what comes next, and what it rests on |
//! | `offers` | the patterns of what would be accepted |
//! | `snapshot` | the engine as data, and back |
//! | `view` | looking at the table from outside |

mod additional;
mod approvals;
mod between;
mod boxes;
mod chance;
mod claims;
mod cut;
mod dealer;
mod dealing;
mod decisions;
mod doubles;
mod ended;
mod exposed;
mod found;
mod frame;
mod insurance;
mod irregular;
mod irregular_steps;
mod late;
mod life;
mod lines;
mod log;
mod meters;
mod missed;
mod next;
mod offers;
mod payments;
mod pending;
mod procedure;
mod rejects;
mod rewind;
mod rows;
mod rules;
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

use crate::input::{InputKind, Packs};
use crate::line::Outcome;
use crate::meter::Meter;
use crate::refusal::{Reason, Refusal};
use crate::seat::SeatSet;
use crate::source::{Point, Source};
use crate::table::{Table, Tracking};
use ended::Ended;
use log::Log;
use rewind::Reach;
use rows::Endings;
use side_placing::SideIndex;
use state::{Between, Burns, CutState, Pending, Rest, State};
use wagering::Staked;

/// One table in play.
///
/// Feed it inputs with [`apply`](Self::apply); ask [`prompt`](Self::prompt) what comes next and [`view`](Self::view)
/// what lies on the table. After a refusal everything is as it was.
#[derive(Clone, Debug)]
pub struct Engine {
    table: Table,
    tracking: Tracking,
    side: SideIndex,
    endings: Endings,
    staked: Staked,
    sources_of_confirmed: [[Source; Outcome::ALL.len()]; 2],
    now: State,
    /// How things stood when this round's wagers opened: undo replays from here.
    base: Between,
    base_meters: Vec<Meter>,
    /// What was accepted since then, as it is replayed: late words stand before their card.
    log: Log,
    /// How far down `log` the dealer may undo.
    reach: Reach,
    /// To how many entries of `log` a floorperson has gone back, one after another, each farther than the one before: the
    /// dealer's undo stops at the last, and no late word reaches across any (H5).
    corrections: Vec<usize>,
    /// The round before, as far as the dealer may still go back into it.
    ended: Ended,
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
            packs: Packs::Unsaid,
            opening: false,
            found: between::Found::default(),
        };
        let side = SideIndex::new(&table);
        let meters = meters::meters_of(&table);
        Self {
            side,
            endings: Endings::new(&table),
            staked: Staked::NONE,
            sources_of_confirmed: Self::sources_of_confirmed(table.game),
            base_meters: meters.clone(),
            now: State::new(between, meters, Pending::of_table(&table, tracking)),
            table,
            tracking,
            base: between,
            log: Log::new(),
            reach: Reach::NEW,
            corrections: Vec::new(),
            ended: Ended::nothing(between),
            reread: None,
        }
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
