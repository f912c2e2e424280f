//! The technician's console as a process: a terminal, the table's picture, systemd, the journal and the daemon's socket
//! behind the pure session of `tech-console`.
//!
//! | module | holds |
//! |---|---|
//! | `desk` | the loop: keys in, requests out, one command at a time |
//! | `dialog` | a running command's questions |
//! | `greeting` | when somebody was last here |
//! | `terminal` | a serial port or this terminal, without the kernel's own editing |
//! | `people`, `jumper` | who somebody is; who may look where nobody can say |
//! | `world` | where everything lies, and what the table, systemd and the daemon say now |
//! | `spool` | every command on record, daemon or not |
//! | `run` | which function does which command |
//! | `look`, `ports`, `expanders`, `lines`, `mon`, `looped`, `trying`, `work`, `board`, `records`, `change` | the commands |
//!
//! Nothing here decides who may do what: that is the table's, in `tech-console`.

mod board;
mod change;
mod desk;
mod dialog;
mod expanders;
mod greeting;
mod jumper;
mod lines;
mod look;
mod looped;
mod mon;
mod people;
mod ports;
mod records;
mod run;
mod spool;
mod terminal;
mod trying;
mod work;
mod world;

pub(crate) use desk::serve;
pub(crate) use people::{Login, StaffLogin, TableLogin};
pub(crate) use run::{Dialog, Person, run};
pub(crate) use world::World;
