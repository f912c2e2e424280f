//! The law of the game: a pure, deterministic engine for one blackjack-family table.
//!
//! No I/O, clock, randomness, async or floats: time, random draws and bytes are inputs, decisions come out as values.
//! Every prompt, refusal and settlement line names the clause or reading it rests on.
#![forbid(unsafe_code)]

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

pub use engine::Engine;
pub use event::{Event, Events};
pub use game::Game;
pub use input::Input;
pub use prompt::Prompt;
pub use refusal::Refusal;
pub use table::{Table, Tracking};
