//! `cargo xtask traceability`: finds what shows each clause and writes `docs/traceability.md` again.
//!
//! The work is done by the test that checks the page, so that what is written is what is checked; this only tells it to
//! write. `cargo xtask test` fails on a page that is stale.

use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::workspace::Workspace;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(workspace: &Workspace, _: &Args) -> Result<ExitCode> {
    let test = ["test", "--quiet", "--package", "table-rules", "--test", "traceability"];
    let write = ["--", "--exact", "the_document_is_what_the_data_say"];
    let mut cargo = workspace.cargo(test.iter().chain(&write));
    let status = cargo.env("UPDATE_TRACEABILITY", "1").status().context("cannot run cargo")?;
    if !status.success() {
        return Ok(ExitCode::FAILURE);
    }
    // What is left to do by hand: clauses that nothing shows.
    let status = workspace.cargo(test).status().context("cannot run cargo")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
