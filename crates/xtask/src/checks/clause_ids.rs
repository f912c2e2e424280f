//! Clause ids are cited in records that outlive any release, so the list is pinned: nobody renames one in passing.

use std::path::Path;

use anyhow::Result;
use sha2::{Digest, Sha256};

use crate::report::Report;
use crate::workspace::Workspace;

const FILE: &str = "crates/table-rules/clauses/ids.txt";
/// Of the list as taken from the approved texts. A new approved text is the one reason to change it.
const PINNED: &str = "7daff9b612c7d6b2fcb0296e507592a906678c6d9276dc3fdaf18d5ca28947ed";

pub(crate) fn check(workspace: &Workspace) -> Result<Report> {
    let hash = Sha256::digest(workspace.read(Path::new(FILE))?);
    let found: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    let failures = if found == PINNED {
        vec![]
    } else {
        vec![format!("{FILE} has changed (SHA-256 {found}): records cite these ids, so restore the list")]
    };
    Ok(Report::of_check(failures))
}
