//! The law of the game.
#![forbid(unsafe_code)]

pub mod card;
pub mod game;
pub mod meter;
pub mod money;
pub mod side;
pub mod wager;
