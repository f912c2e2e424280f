//! What the switches and sensors of the table say.

pub mod spot;

pub use spot::{Spot, SpotSet};
