//! The pure coordinator: devices, people and the clock come in as one closed list of inputs, in one order; the rules
//! accept or refuse; records, commands, lamps and a screen come out as values.
//!
//! | module | holds |
//! |---|---|
//! | `input` | everything that can reach a table, as it is journaled |
//! | `notice` | what the controller itself has to say |
//! | `output` | commands for devices |
//! | `config` | what a table is made of |
//! | `controller` | the one entry, and replaying |
//! | `actions` | what people do beside dealing |
//! | `play` | handing inputs to the rules and following their events |
//! | `devices`, `felt`, `reader`, `shoe`, `shuffler` | a desk for each device |
//! | `people` | who may say what |
//! | `interlocks` | why no next round may be dealt |
//! | `alerts` | raised, acknowledged, ended, cleared |
//! | `inspection`, `inspecting` | the daily inspection, step by step |
//! | `day` | the gaming day, its clock and its summary |
//! | `recall` | where the last rounds are in the journal |
//! | `screen` | the table as people see it |
//! | `record` | inputs, events and checkpoints as bytes |
//! | `codes` | the controller's own fault codes |
//!
//! What this crate must never do: read a clock, a file or a random source; let anything depend on a card that does not
//! lie face up; say a word without a clause, a reading or a code.
#![forbid(unsafe_code)]

mod actions;
mod alerts;
mod codes;
mod config;
mod controller;
mod day;
mod devices;
mod felt;
mod input;
mod inspecting;
mod inspection;
mod interlocks;
mod notice;
mod output;
mod people;
mod play;
mod reader;
mod recall;
mod record;
mod screen;
mod shoe;
mod shuffler;

pub use codes::{CODES, Code};
pub use config::{Config, Spot, SpotWager};
pub use controller::{Controller, NotResumed, Stamp};
pub use input::{
    AnswerWord, Clock, FeltInput, ForeignRound, GroupWord, Input, JournalInput, LinkIdentity, Part, PersonInput,
    ReaderInput, ReaderStateWord, ShoeInput, ShoeSide, ShufflerInput, Staff, Started,
};
pub use inspection::{Step, TestCard};
pub use interlocks::Stop;
pub use notice::{Notice, Said};
pub use output::{LampState, Output, Outputs};
pub use people::{Refused, required_role};
pub use recall::RoundPlace;
pub use record::{CONTENT_VERSION, Carried, Unreadable, encode_events, encode_input, read_input};
