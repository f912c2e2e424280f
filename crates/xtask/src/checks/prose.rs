//! Rules of the house that are about text: nothing unfinished, nothing that only this machine knows, every script word
//! and option documented. Oversized files are reported, not failed.

use std::path::Path;

use anyhow::Result;

use crate::report::Report;
use crate::workspace::Workspace;

/// Past this many lines a source file has a second job.
const LINES_MAX: usize = 500;

/// What no file may say, with the reason. Written in two parts, so that this file does not find itself.
const FORBIDDEN: &[(&str, &str)] = &[
    (concat!("todo", "!("), "finish it"),
    (concat!("unimplemented", "!("), "finish it"),
    (concat!("#[ig", "nore"), "a test that does not run proves nothing"),
    (concat!("../sha", "red"), "the project stands by itself"),
    (concat!("/ho", "me/"), "a path of somebody's machine"),
    (concat!("/Us", "ers/"), "a path of somebody's machine"),
    (concat!("/ro", "ot/"), "a path of somebody's machine"),
];

pub(crate) fn check(workspace: &Workspace) -> Result<Report> {
    let root = workspace.root().display().to_string();
    let mut failures = Vec::new();
    for file in workspace.files()? {
        let Ok(text) = String::from_utf8(workspace.read(&file)?) else { continue };
        failures.extend(findings(&file, &text, &root));
        let lines = text.lines().count();
        if file.extension().is_some_and(|extension| extension == "rs") && lines > LINES_MAX {
            let name = file.display();
            failures.push(format!("{name} has {lines} lines: split it by what it does, at most {LINES_MAX}"));
        }
    }
    failures.extend(undocumented_options(workspace)?);
    Ok(Report::of_check(failures))
}

fn findings(file: &Path, text: &str, root: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let place = || format!("{}:{}", file.display(), number + 1);
        for (word, reason) in FORBIDDEN.iter().filter(|(word, _)| line.contains(word)) {
            found.push(format!("{}: `{word}`: {reason}", place()));
        }
        // A root of one folder (`/src`) would be found in any path.
        if root.matches('/').count() > 1 && line.contains(root) {
            found.push(format!("{}: `{root}`: a path of this machine", place()));
        }
    }
    found
}

/// Every key of a shipped submission is explained in `docs/configuration.md`.
fn undocumented_options(workspace: &Workspace) -> Result<Vec<String>> {
    let manual = String::from_utf8_lossy(&workspace.read(Path::new("docs/configuration.md"))?).into_owned();
    let mut missing = Vec::new();
    for file in workspace.files()?.iter().filter(|file| file.starts_with("firmware-config/submissions")) {
        let text = String::from_utf8_lossy(&workspace.read(file)?).into_owned();
        for (number, line) in text.lines().enumerate() {
            let Some((key, _)) = line.split_once(" =").filter(|_| !line.trim_start().starts_with('#')) else {
                continue;
            };
            let key = key.trim();
            if !manual.contains(key) {
                missing.push(format!("{}:{}: {key} is not in docs/configuration.md", file.display(), number + 1));
            }
        }
    }
    Ok(missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unfinished_or_of_one_machine_is_found_with_its_line() {
        let text = format!("fine\n    {}\nsee {}\n", concat!("todo", "!()"), "/srv/build/checkout/docs");
        let found = findings(Path::new("a.rs"), &text, "/srv/build/checkout");
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("a.rs:2: ") && found[1].starts_with("a.rs:3: "), "{found:?}");
        assert!(findings(Path::new("a.rs"), "nothing to see\n", "/srv/build/checkout").is_empty());
    }
}
