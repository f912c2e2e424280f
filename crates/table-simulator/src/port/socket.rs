//! The far end as it is right now: a pty, a client, nobody yet, or nothing plugged in.

use std::net::{TcpListener, TcpStream};
use std::os::fd::{AsFd, BorrowedFd};

use rustix::io::Errno;

use super::pty::Pty;

#[derive(Debug)]
pub(crate) enum Socket {
    Unplugged,
    Pty(Pty),
    Listening(TcpListener),
    Connected(TcpListener, TcpStream),
}

impl Socket {
    /// What to wait on.
    pub(crate) fn fd(&self) -> Option<BorrowedFd<'_>> {
        match self {
            Self::Unplugged => None,
            Self::Pty(pty) => Some(pty.fd()),
            Self::Listening(listener) => Some(listener.as_fd()),
            Self::Connected(_, stream) => Some(stream.as_fd()),
        }
    }

    /// A UART does not wait either: what does not fit is gone.
    pub(crate) fn write(&mut self, mut bytes: &[u8]) {
        let fd = match &*self {
            Self::Unplugged | Self::Listening(_) => return,
            Self::Pty(pty) => pty.fd(),
            Self::Connected(_, stream) => stream.as_fd(),
        };
        while let Ok(written @ 1..) = rustix::io::write(fd, bytes) {
            bytes = &bytes[written..];
            if bytes.is_empty() {
                return;
            }
        }
    }

    /// Bytes that are there, or `None` when there are none (left).
    pub(crate) fn read(&mut self, buffer: &mut [u8]) -> Option<usize> {
        self.accept();
        let fd = match &*self {
            Self::Unplugged | Self::Listening(_) => return None,
            Self::Pty(pty) => pty.fd(),
            Self::Connected(_, stream) => stream.as_fd(),
        };
        match rustix::io::read(fd, buffer) {
            Ok(count @ 1..) => Some(count),
            Err(Errno::AGAIN | Errno::INTR) => None,
            Ok(_) | Err(_) => {
                self.hang_up();
                None
            }
        }
    }

    fn accept(&mut self) {
        let Self::Listening(listener) = self else { return };
        if let Ok((stream, _)) = listener.accept()
            && stream.set_nonblocking(true).is_ok()
            && let Self::Listening(listener) = std::mem::replace(self, Self::Unplugged)
        {
            *self = Self::Connected(listener, stream);
        }
    }

    /// A client that left makes room for the next. A pty stays: its slave is held open.
    fn hang_up(&mut self) {
        *self = match std::mem::replace(self, Self::Unplugged) {
            Self::Connected(listener, _) => Self::Listening(listener),
            other @ (Self::Unplugged | Self::Pty(_) | Self::Listening(_)) => other,
        };
    }
}
