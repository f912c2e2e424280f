//! The law of the game: a pure, deterministic engine for one blackjack-family table.
//!
//! No I/O, clock, randomness, async or floats: time, random draws and bytes are inputs, decisions come out as values.
//! Every prompt, refusal and settlement line names the clause or reading it rests on.
//!
//! One round of Spanish 21, a line of the play script at a time:
//!
//! ```
//! use table_rules::{Engine, Events, Game, Table, Tracking, script};
//!
//! let mut engine = Engine::new(Table::usual(Game::Spanish21), Tracking::Cards);
//! let mut events = Events::new();
//! let round = "wager 1 main 10; lock; card 6s; card 9c; card 7s; card ?; card 8s; reveal Kd";
//! for line in round.split(';') {
//!     let input = script::parse_line(line)?.ok_or("an empty line")?;
//!     engine.apply(&input, &mut events).map_err(|refusal| refusal.to_string())?;
//! }
//!
//! // 6-7-8 in spades pays 3 to 1, and the prompt tells the dealer so.
//! let line = engine.lines_to_settle().last().copied().ok_or("no line")?;
//! let said = "Seat 1, main bet: won, 6-7-8 top suit, 3 to 1, pays $30, returns $10 [spanish-21 12.B(3)]";
//! assert_eq!(line.to_string(), said);
//! assert!(engine.prompt().to_string().starts_with("Pay seat 1, main bet: won"));
//!
//! // What is not due is refused with its source, and nothing changes.
//! let input = script::parse_line("hit")?.ok_or("an empty line")?;
//! let refusal = engine.apply(&input, &mut events).expect_err("the round is played");
//! assert_eq!(refusal.source.to_string(), "spanish-21 7.R(1)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

// What the tests of a whole table and those in here share names the crate from outside.
#[cfg(test)]
extern crate self as table_rules;

pub mod card;
pub mod clauses;
pub mod engine;
pub mod event;
pub mod game;
pub mod hand;
pub mod input;
pub mod line;
pub mod meter;
pub mod money;
pub mod payouts;
pub mod posting;
pub mod prompt;
pub mod questions;
pub mod refusal;
pub mod script;
pub mod seat;
pub mod side;
pub mod source;
pub mod submission;
pub mod table;
pub mod text;
pub mod wager;

/// The same list for the tests beside the texts as for those over whole rounds.
#[cfg(test)]
#[path = "../tests/words/mod.rs"]
mod words;

pub use engine::Engine;
pub use event::{Event, Events, Sink};
pub use game::Game;
pub use input::Input;
pub use prompt::Prompt;
pub use refusal::Refusal;
pub use table::{Table, Tracking};
