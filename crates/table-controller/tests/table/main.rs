//! The controller as a table meets it: days, interlocks, people, alerts, cards, chips, and what nobody may learn.
#![expect(clippy::unwrap_used, reason = "a test that fails says where")]

mod alerts;
mod cards;
mod chips;
mod days;
mod desk;
mod interlocks;
mod people;
mod readers;
mod silence;
mod upgrades;
