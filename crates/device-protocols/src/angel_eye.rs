//! The dialect of a real card-reading shoe, the Angel Eye II-EX, giving the same sealed draws as our own protocol.
//!
//! What is known of it comes from public bridge software, not from its maker. Where the sources disagree there is an
//! option: whether the checksum of a command covers its STX, and whether the shoe waits for a durable acknowledgement.
//! The line has no boot id, no heartbeat and a one-byte sequence, so silence proves nothing here, and a repeat of the
//! last sequence is taken as a retransmission.
//!
//! Like every shoe it sees the hole card. Nothing but [`crate::sealed`] may hold what it read, and raw traffic goes
//! through [`mask_raw`] only.

mod line;
mod session;

pub use line::{
    AngelCommand, AngelFault, AngelFrame, AngelLineCounts, AngelLineDecoder, AngelNak, DATA_LENGTH_MAX, LineItem,
    OutboundBcc, encode_shoe_frame, mask_raw,
};
pub use session::{AcknowledgeWhen, AngelEvent, AngelOptions, AngelShoe, CommandWaiting, REPLY_WITHIN_MS, ShoeLoss};
