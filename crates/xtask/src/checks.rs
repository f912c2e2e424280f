//! What no compiler checks: one file a check.

pub(crate) mod arrows;
pub(crate) mod browser;
pub(crate) mod clause_ids;
pub(crate) mod firmware;
pub(crate) mod links;
pub(crate) mod prose;
pub(crate) mod shipped;
pub(crate) mod systemd;
