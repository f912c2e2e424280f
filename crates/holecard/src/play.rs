//! Playing through the engine line by line: reading lines, telling what happened, and what would be accepted next.
//!
//! | file | holds |
//! |---|---|
//! | `lines` | bounded reading of untrusted lines |
//! | `session` | one table and the lines fed to it |
//! | `speaker` | what a session can say |
//! | `readable` | said to people |
//! | `json` | said to programs |
//! | `show` | the table as it lies |

pub(crate) mod json;
pub(crate) mod lines;
pub(crate) mod readable;
pub(crate) mod session;
pub(crate) mod show;
pub(crate) mod speaker;
