//! A session said to programs: one JSON object a line.

use std::io::{self, Write};

use operator_api::EventJson;
use table_rules::{Engine, Event, Game, Refusal};

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

    pub(crate) fn out(&mut self) -> &mut W {
        &mut self.out
    }
}

impl<W: Write> Speaker for Json<W> {
    fn heard(&mut self, _line: usize, _text: &str) -> io::Result<()> {
        Ok(())
    }

    fn happened(&mut self, event: &Event) -> io::Result<()> {
        json_line(&mut self.out, &EventJson::event(event))
    }

    fn restarted(&mut self, game: Game) -> io::Result<()> {
        json_line(&mut self.out, &EventJson::restarted(game))
    }

    fn refused(&mut self, line: usize, refusal: &Refusal) -> io::Result<()> {
        json_line(&mut self.out, &EventJson::refused(line, refusal))
    }

    fn unreadable(&mut self, line: usize, message: &str) -> io::Result<()> {
        json_line(&mut self.out, &EventJson::Error { message: message.to_owned(), line })
    }

    fn next(&mut self, engine: &Engine) -> io::Result<()> {
        json_line(&mut self.out, &EventJson::prompt(engine))
    }

    fn still(&mut self, _engine: &Engine) -> io::Result<()> {
        Ok(())
    }
}
