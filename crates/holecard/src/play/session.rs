//! One table and the lines fed to it.

use std::io::{self, BufRead};

use table_rules::input::Input;
use table_rules::script::{Step, parse_step};
use table_rules::{Engine, Events, Table, Tracking};

use super::lines::{Lines, ScriptLine};
use super::speaker::Speaker;

/// A script with this many unreadable lines is something else than a script.
const UNREADABLE_MAX: usize = 100;

/// How the lines went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) accepted: usize,
    pub(crate) refused: usize,
    pub(crate) unreadable: usize,
}

impl Counts {
    pub(crate) fn is_clean(self) -> bool {
        self.refused == 0 && self.unreadable == 0
    }
}

#[derive(Debug)]
pub(crate) struct Session {
    engine: Engine,
    events: Events,
    counts: Counts,
}

/// Why reading stopped before the end.
#[derive(Debug)]
pub(crate) enum Stopped {
    /// The source of the lines failed.
    Reading(io::Error),
    Writing(io::Error),
}

/// What a line was besides play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Aside {
    IsPlay,
    Answered,
    Leaves,
}

impl Session {
    pub(crate) fn new(table: Table, tracking: Tracking) -> Self {
        Self { engine: Engine::new(table, tracking), events: Events::new(), counts: Counts::default() }
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    pub(crate) fn counts(&self) -> Counts {
        self.counts
    }

    /// Plays every line to the end of the source. `aside` answers the words that are no part of a script and says whether
    /// the line was one of them, and whether it was the last.
    pub(crate) fn run<S: Speaker>(
        &mut self,
        lines: &mut Lines<impl BufRead>,
        speaker: &mut S,
        mut aside: impl FnMut(&Self, &str, &mut S) -> io::Result<Aside>,
    ) -> Result<(), Stopped> {
        speaker.next(&self.engine).map_err(Stopped::Writing)?;
        while let Some(line) = lines.next().map_err(Stopped::Reading)? {
            let text = line.text.as_deref().map(str::trim).unwrap_or_default();
            match aside(self, text, speaker).map_err(Stopped::Writing)? {
                Aside::Answered => continue,
                Aside::Leaves => break,
                Aside::IsPlay => {}
            }
            self.line(&line, speaker).map_err(Stopped::Writing)?;
            if self.counts.unreadable == UNREADABLE_MAX {
                let message = format!("stopped after {UNREADABLE_MAX} unreadable lines: is this a play script?");
                return speaker.unreadable(line.number, &message).map_err(Stopped::Writing);
            }
        }
        Ok(())
    }

    /// Plays one line.
    pub(crate) fn line(&mut self, line: &ScriptLine, speaker: &mut dyn Speaker) -> io::Result<()> {
        let text = match &line.text {
            Ok(text) => text,
            Err(bad) => return self.unreadable(line.number, &bad.to_string(), speaker),
        };
        speaker.heard(line.number, text)?;
        let input = match parse_step(text) {
            Ok(None) => return Ok(()),
            Ok(Some(Step::Input(input))) => input,
            Ok(Some(Step::Restart)) => return self.restart(line.number, speaker),
            Err(error) => return self.unreadable(line.number, &error.to_string(), speaker),
        };
        // A script that begins with `open` plays a whole day: its table starts closed.
        if input == Input::Open && self.counts.accepted == 0 {
            self.engine = Engine::closed(self.engine.table().clone(), self.engine.tracking());
        }
        self.events.clear();
        match self.engine.apply(&input, &mut self.events) {
            Ok(()) => {
                self.counts.accepted += 1;
                for event in &self.events {
                    speaker.happened(event)?;
                }
                speaker.next(&self.engine)
            }
            Err(refusal) => {
                self.counts.refused += 1;
                speaker.refused(line.number, &refusal)?;
                speaker.still(&self.engine)
            }
        }
    }

    /// As after a power cut: nothing is left of the engine but its snapshot.
    fn restart(&mut self, line: usize, speaker: &mut dyn Speaker) -> io::Result<()> {
        let (table, tracking) = (self.engine.table().clone(), self.engine.tracking());
        match Engine::restored(table, tracking, &self.engine.snapshot()) {
            Ok(engine) => {
                self.engine = engine;
                speaker.restarted(self.engine.table().game)?;
                speaker.next(&self.engine)
            }
            Err(cause) => self.unreadable(line, &format!("the table does not come back: {cause}"), speaker),
        }
    }

    fn unreadable(&mut self, line: usize, message: &str, speaker: &mut dyn Speaker) -> io::Result<()> {
        self.counts.unreadable += 1;
        speaker.unreadable(line, message)
    }
}
