//! Every shipped file is one that the product accepts: each TOML file under `firmware-config` goes through `holecard check`. The
//! daemon builds with the backend that few sites need, and the one that is installed at a table has nothing of the demo in it.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::report::Report;
use crate::workspace::{Workspace, executables};

pub(crate) fn check(workspace: &Workspace) -> Result<Report> {
    let is_ours = |file: &PathBuf| file.starts_with("firmware-config") && file.extension() == Some("toml".as_ref());
    let files: Vec<PathBuf> = workspace.files()?.into_iter().filter(is_ours).collect();
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
    let rppal = workspace.cargo(["check", "--quiet", "--package", "table-daemon", "--features", "rppal"]).output()?;
    if rppal.status.success() {
        report.passed += 1;
    } else {
        report.failed += 1;
        let said = String::from_utf8_lossy(&rppal.stderr).trim().to_owned();
        report.failures.push(format!("holecardd cannot be built with the feature rppal\n{said}"));
    }
    let found = demo_in_daemon(workspace)?;
    report.passed += usize::from(found.is_empty());
    report.failed += found.len();
    report.failures.extend(found);
    Ok(report)
}

/// Words that only the demo's pages and routes have.
const OF_THE_DEMO: &[&str] = &["/api/v1/demo", "/assets/demo/", "A round in a minute", "Make something go wrong"];

/// What of the demo is found in `holecardd`, built as it is shipped: by itself, without the feature.
fn demo_in_daemon(workspace: &Workspace) -> Result<Vec<String>> {
    let build = ["build", "--quiet", "--package", "table-daemon", "--bin", "holecardd", "--message-format", "json"];
    let built = workspace.cargo(build).output().context("cannot build holecardd")?;
    let Some(program) = executables(&built.stdout).pop() else {
        return Ok(vec!["holecardd could not be built".to_owned()]);
    };
    let bytes = fs::read(&program).with_context(|| format!("cannot read {program}"))?;
    let has = |word: &&&str| bytes.windows(word.len()).any(|window| window == word.as_bytes());
    Ok(OF_THE_DEMO.iter().filter(has).map(|word| format!("holecardd has {word:?} in it")).collect())
}
