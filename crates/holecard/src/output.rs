//! What a command says and how it ends.
//!
//! Every write can fail (a closed pipe), so nothing here uses the printing macros, which would panic.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use serde::Serialize;

use crate::files::FileError;

/// How a command that ran to its end came out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    Success,
    /// Something was refused or failed its check; it has been printed.
    Refused,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Success => Self::SUCCESS,
            Outcome::Refused => Self::FAILURE,
        }
    }
}

/// Why a command could not do its work.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The arguments are well-formed and make no sense here.
    #[error("{0}")]
    Usage(String),
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{0}")]
    Refused(String),
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
}

impl Failure {
    /// Whoever read the output has seen enough (`holecard odds --all | head`).
    pub(crate) fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// Standard output, with colour only where somebody sees it.
pub(crate) type Stdout = anstream::AutoStream<io::Stdout>;

pub(crate) fn stdout() -> Stdout {
    anstream::stdout()
}

/// One JSON object on a line of its own.
pub(crate) fn json_line(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    out.write_all(&line)
}

pub(crate) const ORDER: Style = Style::new().bold();
pub(crate) const QUIET: Style = Style::new().dimmed();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();

/// Text in a style.
pub(crate) struct Styled<T>(pub(crate) Style, pub(crate) T);

impl<T: fmt::Display> fmt::Display for Styled<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.0.render(), self.1, self.0.render_reset())
    }
}

/// The last words of a command that failed. Nobody is left to tell if this cannot be written either.
pub(crate) fn complain(failure: &Failure) {
    let _ = writeln!(anstream::stderr(), "{} {failure}", Styled(BAD, "error:"));
}
