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
//! | `devices`, `layout`, `reader`, `shoe`, `shuffler` | a handler for each device |
//! | `standing` | which wagers can stand after a start and at the lock |
//! | `people` | who may say what |
//! | `interlocks` | why no next round may be dealt |
//! | `alerts` | raised, acknowledged, ended, cleared |
//! | `inspection`, `inspecting`, `inspection_view` | the daily inspection, step by step, and how it is shown |
//! | `seals`, `sealing`, `test_cards`, `failing` | its seals, its test cards, and why a step fails |
//! | `bench` | its device tests in service mode |
//! | `work` | what a technician has to see to |
//! | `day` | the gaming day, its clock and its summary |
//! | `recall` | where the last rounds are in the journal |
//! | `screen`, `evidence`, `outlook` | the table as people see it, a win that is verified, what a word would lead to |
//! | `record` | inputs, events and checkpoints as bytes |
//! | `codes` | the controller's own fault codes |
//!
//! What this crate must never do: read a clock, a file or a random source; let anything depend on a card that does not
//! lie face up; say a word without a clause, a reading or a code.
#![forbid(unsafe_code)]

mod actions;
mod alerts;
mod bench;
mod codes;
mod config;
mod controller;
mod day;
mod device_faults;
mod devices;
mod evidence;
mod failing;
mod input;
mod inspecting;
mod inspection;
mod inspection_view;
mod interlocks;
mod layout;
mod notice;
mod outlook;
mod output;
mod people;
mod play;
mod players;
mod reader;
mod recall;
mod record;
mod screen;
mod sealing;
mod seals;
mod shoe;
mod shuffler;
mod standing;
mod test_cards;
mod waiting;
mod work;

pub use bench::READ_ONLY_RUNG;
pub use codes::Code;
pub use config::{Config, Sensors, Spot, SpotWager};
pub use controller::{Controller, NotResumed, Stamp};
pub use device_faults::FaultNews;
pub use input::{
    BatchColour, Clock, ConsoleInput, FaultInput, ForeignRound, Input, JournalInput, LayoutInput, LinkIdentity,
    LinkProtection, LockWord, Part, PersonInput, PinsInput, ReaderAnswer, ReaderCondition, ReaderInput, ShoeInput,
    ShoeSide, ShufflerInput, ShufflerState, Staff, Started, UpCardGroup, shoe_state_word,
};
pub use inspection::Step;
pub use interlocks::Stop;
pub use notice::{Notice, TableEvent};
pub use output::{LampState, Output, Outputs};
pub use people::Refused;
pub use recall::RoundPlace;
pub use record::{
    CONTENT_VERSION, Carried, Unreadable, encode_event, encode_events, encode_input, encode_screen, read_input,
};
pub use shoe::card_named;
pub use test_cards::TestCard;
