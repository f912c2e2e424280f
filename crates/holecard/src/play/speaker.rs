//! What a session can say. People and programs hear the same things in the same order.

use std::io;

use table_rules::{Engine, Event, Game, Refusal};

pub(crate) trait Speaker {
    /// A line was read, before anything follows from it.
    fn heard(&mut self, line: usize, text: &str) -> io::Result<()>;
    fn happened(&mut self, event: &Event) -> io::Result<()>;
    /// The engine was rebuilt from its snapshot.
    fn restarted(&mut self, game: Game) -> io::Result<()>;
    fn refused(&mut self, line: usize, refusal: &Refusal) -> io::Result<()>;
    fn unreadable(&mut self, line: usize, message: &str) -> io::Result<()>;
    /// What comes next.
    fn next(&mut self, engine: &Engine) -> io::Result<()>;
    /// What is due as before, after a line that changed nothing. Programs have kept it; people want to see it again.
    fn still(&mut self, engine: &Engine) -> io::Result<()>;
}
