//! The built tool from outside: exit codes, output forms, and whatever a person may feed it by mistake.
#![expect(clippy::unwrap_used, reason = "a tool that cannot be run should stop the test")]

mod archive;
mod bad_input;
mod commands;
mod conversation;
mod documents;
mod earlier;
mod inspection;
mod journal;
mod people;
mod play_json;
mod replay;
mod settled;
mod setup;
mod sign;
mod tool;
mod walk;
