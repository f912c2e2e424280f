//! One actor a serial port: it opens the port, keeps the session alive, opens it again when it went away, and says
//! clearly what is wrong meanwhile.
//!
//! - [`transport`]: how a port is opened, a tty by a stable path or a serial server by TCP.
//! - [`session`]: the protocol machines of `device-protocols` behind one trait.
//! - [`port`]: the actor, and [`handle`] by which it is held.
//! - `sending`: one frame on its way out.
//! - [`health`]: which faults stand, from what port and link say.
//! - [`flow`]: how much a device may say before it babbles.
//! - [`tap`]: the traffic, masked, for a technician who watches.

mod angel;
pub mod flow;
pub mod handle;
pub mod health;
pub mod port;
mod sending;
pub mod session;
pub mod tap;
pub mod transport;

pub use angel::AngelSession;
pub use handle::{Lent, NotLent, NotQueued, PortControl, PortHandle, PortLender, PortStatus};
pub use port::{PortOptions, spawn_port};
pub use session::{CommandTicket, LinkSession, PortReport, PortSession, Refusal};
pub use transport::{Connector, TcpConnector, TtyConnector};
