//! Every shipped file is one that the product accepts: each under `firmware-config` goes through `holecard check`.

use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::report::Report;
use crate::workspace::Workspace;

pub(crate) fn check(workspace: &Workspace) -> Result<Report> {
    let files: Vec<PathBuf> =
        workspace.files()?.into_iter().filter(|file| file.starts_with("firmware-config")).collect();
    let mut report = Report::default();
    if files.is_empty() {
        return Ok(Report::of_check(vec!["firmware-config holds no file".to_owned()]));
    }
    for file in files {
        let run = ["run", "--quiet", "--package", "holecard", "--", "check"];
        let checked = workspace.cargo(run).arg(&file).output().context("cannot run holecard check")?;
        if checked.status.success() {
            report.passed += 1;
        } else {
            report.failed += 1;
            let said =
                String::from_utf8_lossy(if checked.stdout.is_empty() { &checked.stderr } else { &checked.stdout });
            report.failures.push(format!("{}\n{}", file.display(), said.trim()));
        }
    }
    Ok(report)
}
