//! The controller as a table meets it: days, interlocks, people, alerts, cards, chips, and what nobody may learn.
#![expect(clippy::unwrap_used, reason = "a test that fails says where")]

mod alerts;
mod bench;
mod cards;
mod chips;
mod days;
mod desk;
mod early;
mod inspections;
mod interlocks;
mod jackpots;
mod people;
mod permissions;
#[path = "../../../table-rules/tests/words/mod.rs"]
mod plain_words;
mod readers;
mod reopened;
mod silence;
mod standing;
mod upgrades;
mod words;
mod work;
