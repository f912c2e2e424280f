//! What a session can say. People and programs hear the same things in the same order.

use std::io;

use table_rules::{Engine, Event, Refusal};

pub(crate) trait Speaker {
    /// A line was read, before anything follows from it.
    fn heard(&mut self, line: usize, text: &str) -> io::Result<()>;
    fn happened(&mut self, event: &Event) -> io::Result<()>;
    fn refused(&mut self, line: usize, refusal: &Refusal) -> io::Result<()>;
    fn unreadable(&mut self, line: usize, message: &str) -> io::Result<()>;
    /// What comes next.
    fn next(&mut self, engine: &Engine) -> io::Result<()>;
}
