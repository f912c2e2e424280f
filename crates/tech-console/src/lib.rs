//! The technician's console without its wires: bytes and time come in, bytes and requests go out.
//!
//! | module | holds |
//! |---|---|
//! | `keys`, `editor` | what a terminal sends, and the line that comes of it |
//! | `command`, `commands` | what a row of the table of commands says; the table |
//! | `grammar` | words to commands: abbreviations, completion, the nearest word |
//! | `help` | what is said about the words |
//! | `access` | who may what in which mode |
//! | `output` | what a command says: text, JSON, filters, pages |
//! | `show` | facts as lines: the screens of the commands that look |
//! | `text` | 80 columns: wrapping, tables, counts, times |
//! | `session` | one person at one port, from the banner to the logout |
//!
//! Made for the dumbest terminal there is: nothing is sent but printable ASCII, CR, LF, BS and BEL, and nothing is
//! expected back. What must never be here: a port, a file, a clock, or a card.
#![forbid(unsafe_code)]

pub mod access;
pub mod command;
pub mod commands;
pub mod editor;
pub mod grammar;
mod help;
pub mod keys;
pub mod output;
pub mod session;
pub mod show;
pub mod text;

pub use access::{Access, Mode, NotAllowed, Situation};
pub use command::{Argument, Command, Id};
pub use grammar::{Invocation, Names, Trouble};
pub use output::{Filter, Output};
pub use session::{Ask, LoginResult, Request, Session, Settings};
