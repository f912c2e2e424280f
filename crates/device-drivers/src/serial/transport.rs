//! How a port is opened. Opening is tried again and again by the actor, so a path that vanishes and returns under the
//! same name, as those under `/dev/serial/by-path` and `by-id` do, needs nothing special here.

use std::fmt;
use std::future::Future;
use std::io;
use std::path::PathBuf;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_serial::{DataBits, FlowControl, Parity, SerialPortBuilderExt, SerialStream, StopBits};

use rustix::io::Errno;

use crate::fault::PortFault;

/// Opens one port. Tests bring their own.
pub trait Connector: Send {
    type Stream: AsyncRead + AsyncWrite + Unpin + Send;

    fn connect(&mut self) -> impl Future<Output = Result<Self::Stream, NotOpened>> + Send;
}

/// Why the port could not be opened, as a fault and in the kernel's words.
#[derive(Debug, thiserror::Error)]
#[error("the port cannot be opened: {cause}")]
pub struct NotOpened {
    pub fault: PortFault,
    pub cause: String,
    pub errno: Option<i32>,
}

impl NotOpened {
    pub fn new(error: &io::Error) -> Self {
        Self { errno: error.raw_os_error(), ..Self::of_kind(error.kind(), error) }
    }

    /// Where only the kind of the error is left; the commonest numbers follow from it.
    fn of_kind(kind: io::ErrorKind, cause: impl fmt::Display) -> Self {
        use io::ErrorKind::{AddrInUse, NotFound, PermissionDenied, ResourceBusy, WouldBlock};
        let fault = if kind == NotFound {
            PortFault::Absent
        } else if [ResourceBusy, AddrInUse, WouldBlock].contains(&kind) {
            PortFault::InUse
        } else if kind == PermissionDenied {
            PortFault::Denied
        } else {
            PortFault::CannotOpen
        };
        let numbers = [(NotFound, Errno::NOENT), (PermissionDenied, Errno::ACCESS), (ResourceBusy, Errno::BUSY)];
        let errno = numbers.into_iter().find(|(named, _)| *named == kind).map(|(_, errno)| errno);
        Self { fault, cause: cause.to_string(), errno: errno.map(Errno::raw_os_error) }
    }
}

/// A tty, opened exclusively (`TIOCEXCL` and an advisory lock), raw, 8N1, no flow control.
#[derive(Clone, Debug)]
pub struct TtyConnector {
    pub path: PathBuf,
    pub baud: u32,
}

impl Connector for TtyConnector {
    type Stream = SerialStream;

    async fn connect(&mut self) -> Result<SerialStream, NotOpened> {
        let path = self.path.to_string_lossy();
        // serialport names every failure of open(2) alike; the kernel's word for a missing path is clearer.
        if let Err(cause) = std::fs::metadata(&self.path) {
            return Err(NotOpened::new(&cause));
        }
        let opened = tokio_serial::new(path, self.baud)
            .data_bits(DataBits::Eight)
            .parity(Parity::None)
            .stop_bits(StopBits::One)
            .flow_control(FlowControl::None)
            .open_native_async();
        opened.map_err(|error| match error.kind() {
            tokio_serial::ErrorKind::NoDevice => not_a_device(&error),
            tokio_serial::ErrorKind::InvalidInput | tokio_serial::ErrorKind::Unknown => {
                NotOpened { fault: PortFault::CannotOpen, cause: error.to_string(), errno: None }
            }
            tokio_serial::ErrorKind::Io(kind) => NotOpened::of_kind(kind, &error),
        })
    }
}

/// serialport says `NoDevice` both for a port that is gone and for one that somebody else holds.
fn not_a_device(error: &tokio_serial::Error) -> NotOpened {
    let cause = error.to_string();
    let held = cause.contains("busy") || cause.contains("lock");
    let (fault, errno) = if held { (PortFault::InUse, Errno::BUSY) } else { (PortFault::Absent, Errno::NODEV) };
    NotOpened { fault, cause, errno: Some(errno.raw_os_error()) }
}

/// A serial server that passes the bytes of its port over TCP as they are.
#[derive(Clone, Debug)]
pub struct TcpConnector {
    /// `host:port`.
    pub address: String,
}

impl Connector for TcpConnector {
    type Stream = TcpStream;

    async fn connect(&mut self) -> Result<TcpStream, NotOpened> {
        let stream = TcpStream::connect(&self.address).await.map_err(|error| NotOpened::new(&error))?;
        // Frames are small and answered one by one: waiting to fill a segment would only add delay.
        stream.set_nodelay(true).map_err(|error| NotOpened::new(&error))?;
        Ok(stream)
    }
}
