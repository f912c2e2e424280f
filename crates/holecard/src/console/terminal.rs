//! A serial port, or the terminal that this program was started on, without the kernel's own line editing. What it was
//! before comes back at the end.

use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::OFlags;
use rustix::termios::{
    ControlModes, InputModes, LocalModes, OptionalActions, OutputModes, SpecialCodeIndex, Termios, speed, tcgetattr,
    tcsetattr,
};

#[derive(Debug)]
pub(super) struct Terminal {
    input: File,
    output: File,
    before: Option<Termios>,
    /// As the banner names it.
    pub(super) name: String,
    /// Disturbed bytes and breaks are marked.
    pub(super) marks_noise: bool,
}

impl Terminal {
    /// A port at 115200 8N1. The console never hunts for another speed.
    pub(super) fn port(path: &Path) -> io::Result<Self> {
        // No controlling terminal: a hang-up is an end of input, not a signal.
        let flags = i32::try_from(OFlags::NOCTTY.bits()).map_err(io::Error::other)?;
        let input = OpenOptions::new().read(true).write(true).custom_flags(flags).open(path)?;
        let mut modes = tcgetattr(&input)?;
        let before = modes.clone();
        raw(&mut modes);
        modes.set_speed(speed::B115200)?;
        modes
            .control_modes
            .remove(ControlModes::CSIZE | ControlModes::PARENB | ControlModes::CSTOPB | ControlModes::CRTSCTS);
        // Without CLOCAL a cable that is pulled would be a hang-up only where the modem lines are wired; with three wires
        // they are not.
        modes.control_modes.insert(ControlModes::CS8 | ControlModes::CREAD | ControlModes::CLOCAL);
        modes.input_modes.insert(InputModes::PARMRK | InputModes::INPCK);
        tcsetattr(&input, OptionalActions::Now, &modes)?;
        let output = input.try_clone()?;
        let tty =
            path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned());
        Ok(Self { input, output, before: Some(before), name: format!("{tty} 115200 8N1"), marks_noise: true })
    }

    /// Standard input and output.
    pub(super) fn own() -> io::Result<Self> {
        let (stdin, stdout) = (io::stdin(), io::stdout());
        let before = if stdin.is_terminal() {
            let mut modes = tcgetattr(&stdin)?;
            let before = modes.clone();
            raw(&mut modes);
            tcsetattr(&stdin, OptionalActions::Now, &modes)?;
            Some(before)
        } else {
            None
        };
        let file = |fd: OwnedFd| File::from(fd);
        let input = file(stdin.as_fd().try_clone_to_owned()?);
        let output = file(stdout.as_fd().try_clone_to_owned()?);
        Ok(Self { input, output, before, name: "this terminal".to_owned(), marks_noise: false })
    }

    pub(super) fn reader(&self) -> io::Result<impl Read + Send + 'static> {
        self.input.try_clone()
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.output.write_all(bytes)?;
        self.output.flush()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if let Some(before) = &self.before {
            // Nothing is left to do if the terminal has gone.
            let _ = tcsetattr(&self.input, OptionalActions::Now, before);
        }
    }
}

/// A device's port, to listen on: raw, at the device's speed.
pub(super) fn prepare(port: &File, baud: u32) -> io::Result<()> {
    let mut modes = tcgetattr(port)?;
    raw(&mut modes);
    modes.set_speed(baud)?;
    modes.control_modes.insert(ControlModes::CS8 | ControlModes::CREAD | ControlModes::CLOCAL);
    tcsetattr(port, OptionalActions::Now, &modes)?;
    Ok(())
}

fn raw(modes: &mut Termios) {
    modes
        .local_modes
        .remove(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ECHONL | LocalModes::ISIG | LocalModes::IEXTEN);
    modes.input_modes.remove(
        InputModes::IXON
            | InputModes::IXOFF
            | InputModes::ICRNL
            | InputModes::INLCR
            | InputModes::IGNCR
            | InputModes::ISTRIP
            | InputModes::IGNBRK
            | InputModes::BRKINT
            | InputModes::PARMRK,
    );
    modes.output_modes.remove(OutputModes::OPOST);
    modes.special_codes[SpecialCodeIndex::VMIN] = 1;
    modes.special_codes[SpecialCodeIndex::VTIME] = 0;
}
