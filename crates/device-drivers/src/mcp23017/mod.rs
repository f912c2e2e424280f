//! The MCP23017: sixteen pins on I2C, used for sensors and lamps beyond what the header carries.
//!
//! Register names and addresses are those of Microchip's data sheet DS20001952, revision D, with `IOCON.BANK = 0`. That
//! revision makes GPA7 and GPB7 output-only: as inputs they can corrupt the bus. The pin types here do not let anyone
//! try. The kernel must not bind the chip; this driver owns it.
//!
//! - [`pins`]: pins by port and number, and how a chip is set up.
//! - [`chip`]: the chip itself, over any embedded-hal bus.
//! - [`errno`]: what the kernel said of a transfer that failed.
//! - [`bus`]: the thread that owns a bus and all chips on it.

pub mod bus;
pub mod chip;
pub mod errno;
pub mod pins;

pub use bus::{BusFault, BusHandle, BusLayout, BusSignal, ChipLayout, Lamp, keep_verified, spawn_bus};
pub use chip::{ChipFault, Mcp23017, PortSample};
pub use errno::BusErrno;
pub use pins::{ChipAddress, InputPin, OutputPin, PinSetup, Port};
