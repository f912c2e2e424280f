//! The link as a whole: two machines, a bad line between them, a virtual clock.
#![expect(clippy::unwrap_used, reason = "a test that cannot build its example should stop")]

mod line;
mod model;
mod pairing;
mod protected;
mod scenarios;
mod world;
