//! Reading a PIN without showing it.

use std::io::{self, BufRead, IsTerminal, Write};

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
use zeroize::Zeroizing;

use crate::output::Failure;

/// One line from standard input; on a terminal asked for and not shown.
pub(crate) fn read(what: &str) -> Result<Zeroizing<String>, Failure> {
    let _silence = Silence::on(what)?;
    let mut line = Zeroizing::new(String::new());
    io::stdin().lock().read_line(&mut line)?;
    Ok(Zeroizing::new(line.trim_end_matches(['\r', '\n']).to_owned()))
}

/// On a terminal twice, because nobody sees a slip.
pub(crate) fn read_twice(what: &str) -> Result<Zeroizing<String>, Failure> {
    let first = read(what)?;
    if io::stdin().is_terminal() && read(&format!("{what} again"))? != first {
        return Err(Failure::Refused("the two differ: start again".to_owned()));
    }
    Ok(first)
}

/// The terminal's echo is off while this lives.
struct Silence(Option<Termios>);

impl Silence {
    fn on(what: &str) -> Result<Self, Failure> {
        let stdin = io::stdin();
        if !stdin.is_terminal() {
            return Ok(Self(None));
        }
        write!(io::stderr(), "{what}: ")?;
        io::stderr().flush()?;
        let before = tcgetattr(&stdin).map_err(io::Error::from)?;
        let mut quiet = before.clone();
        quiet.local_modes.remove(LocalModes::ECHO);
        tcsetattr(&stdin, OptionalActions::Flush, &quiet).map_err(io::Error::from)?;
        Ok(Self(Some(before)))
    }
}

impl Drop for Silence {
    fn drop(&mut self) {
        if let Some(before) = &self.0 {
            // Nothing is left to do if the terminal has gone.
            let _ = tcsetattr(io::stdin(), OptionalActions::Flush, before);
            let _ = writeln!(io::stderr());
        }
    }
}
