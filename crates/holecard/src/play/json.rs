//! A session said to programs: one JSON object a line.

use std::io::{self, Write};

use operator_api::Said;
use table_rules::{Engine, Event, Refusal};

use super::speaker::Speaker;
use crate::output::json_line;

#[derive(Debug)]
pub(crate) struct Json<W> {
    out: W,
}

impl<W: Write> Json<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out }
    }
}

impl<W: Write> Speaker for Json<W> {
    fn heard(&mut self, _line: usize, _text: &str) -> io::Result<()> {
        Ok(())
    }

    fn happened(&mut self, event: &Event) -> io::Result<()> {
        json_line(&mut self.out, &Said::event(event))
    }

    fn refused(&mut self, line: usize, refusal: &Refusal) -> io::Result<()> {
        json_line(&mut self.out, &Said::refused(line, refusal))
    }

    fn unreadable(&mut self, line: usize, message: &str) -> io::Result<()> {
        json_line(&mut self.out, &Said::Error { message: message.to_owned(), line })
    }

    fn next(&mut self, engine: &Engine) -> io::Result<()> {
        json_line(&mut self.out, &Said::prompt(engine))
    }
}
