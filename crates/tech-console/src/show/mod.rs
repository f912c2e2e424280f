//! Facts as the lines of a terminal: the screens of the commands that look, without anything that fetches them.

mod devices;
pub mod selftest;
mod status;
mod watched;

pub use devices::{dev_list, dev_show, err, ladder};
pub use status::{Unit, judge, status, worst};
pub use watched::{Came, Verdict, Watched};
