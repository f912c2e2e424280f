//! A session said to people: each input as it was written, under it what followed, and the dealer's next order.

use std::io::{self, Write};

use operator_api::{RESTARTED, without_source};
use table_rules::source::{Point, Source};
use table_rules::{Engine, Event, Game, Refusal};

use super::speaker::Speaker;
use crate::output::{BAD, ORDER, QUIET, Styled};

/// Where the lines come from decides what has to be repeated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Setting {
    /// A script: lines are shown, errors name the file.
    Script { file: String },
    /// A conversation: the person sees what was typed.
    Conversation,
    /// A narrated script: its comments are the narration.
    Narration,
}

#[derive(Debug)]
pub(crate) struct Readable<W> {
    out: W,
    setting: Setting,
    last_order: String,
}

impl<W: Write> Readable<W> {
    pub(crate) fn new(out: W, setting: Setting) -> Self {
        Self { out, setting, last_order: String::new() }
    }

    pub(crate) fn out(&mut self) -> &mut W {
        &mut self.out
    }

    fn place(&self, line: usize) -> String {
        match &self.setting {
            Setting::Script { file } => format!("{file}:{line}: "),
            Setting::Conversation => String::new(),
            Setting::Narration => format!("line {line}: "),
        }
    }

    fn cited(&mut self, before: &str, text: &str, source: Source) -> io::Result<()> {
        writeln!(self.out, "{before}{text} {}", Styled(QUIET, format_args!("[{source}]")))
    }
}

impl<W: Write> Speaker for Readable<W> {
    fn heard(&mut self, line: usize, text: &str) -> io::Result<()> {
        let text = text.trim();
        match self.setting {
            Setting::Conversation => Ok(()),
            Setting::Script { .. } if text.is_empty() => Ok(()),
            Setting::Script { .. } => writeln!(self.out, "{} {text}", Styled(QUIET, format_args!("{line:>4}"))),
            Setting::Narration => match text.strip_prefix('#') {
                Some(comment) => writeln!(self.out, "\n  {}", comment.trim()),
                None if text.is_empty() => Ok(()),
                None => writeln!(self.out, "    {} {text}", Styled(QUIET, ">")),
            },
        }
    }

    fn happened(&mut self, event: &Event) -> io::Result<()> {
        let text = without_source(event, event.source());
        self.cited("       ", &text, event.source())
    }

    fn restarted(&mut self, game: Game) -> io::Result<()> {
        self.cited("       ", RESTARTED, Point::Restart.source(game))
    }

    fn refused(&mut self, line: usize, refusal: &Refusal) -> io::Result<()> {
        let before = format!("{}{} ", self.place(line), Styled(BAD, "refused:"));
        self.cited(&before, &refusal.reason.to_string(), refusal.source)
    }

    fn unreadable(&mut self, line: usize, message: &str) -> io::Result<()> {
        writeln!(self.out, "{}{} {message}", self.place(line), Styled(BAD, "error:"))
    }

    fn next(&mut self, engine: &Engine) -> io::Result<()> {
        let prompt = engine.prompt();
        let order = engine.order_in_words().to_string();
        if order == self.last_order && self.setting != Setting::Conversation {
            return Ok(());
        }
        let arrow = format!("     {} ", Styled(ORDER, "→"));
        self.cited(&arrow, &Styled(ORDER, &order).to_string(), prompt.source)?;
        self.last_order = order;
        Ok(())
    }

    fn still(&mut self, engine: &Engine) -> io::Result<()> {
        self.last_order.clear();
        self.next(engine)
    }
}
