//! Links and paths in the documents lead somewhere: a page that was renamed is found here and not by its reader.

use std::path::{Component, Path, PathBuf};

use anyhow::Result;

use crate::report::Report;
use crate::workspace::Workspace;

pub(crate) fn check(workspace: &Workspace) -> Result<Report> {
    let files = workspace.files()?;
    let exists = |path: &Path| files.iter().any(|file| file.starts_with(path));
    let mut failures = Vec::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "md")) {
        let text = String::from_utf8_lossy(&workspace.read(file)?).into_owned();
        failures.extend(dead_links(file, &text, &exists));
        failures.extend(dead_paths(file, &text, &exists));
    }
    Ok(Report::of_check(failures))
}

/// `[text](path)` and `![text](path)`, relative to the page.
fn dead_links(page: &Path, text: &str, exists: &dyn Fn(&Path) -> bool) -> Vec<String> {
    let mut dead = Vec::new();
    let mut fenced = false;
    for (number, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if fenced {
            continue;
        }
        for link in line.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next()) {
            let path = link.split('#').next().unwrap_or(link);
            if path.is_empty() || path.contains("://") || path.starts_with("mailto:") {
                continue;
            }
            let wanted = joined(page.parent().unwrap_or(Path::new("")), path);
            if !exists(&wanted) {
                dead.push(format!("{}:{}: nothing at {link}", page.display(), number + 1));
            }
        }
    }
    dead
}

/// Paths in backquotes that begin with one of our folders, as the code map has them.
fn dead_paths(page: &Path, text: &str, exists: &dyn Fn(&Path) -> bool) -> Vec<String> {
    let mut dead = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for quoted in line.split('`').skip(1).step_by(2) {
            let ours = quoted.starts_with("crates/") || quoted.starts_with("hw-tests/src/");
            let plain = quoted.chars().all(|sign| sign.is_ascii_alphanumeric() || "/._-".contains(sign));
            if ours && plain && !exists(Path::new(quoted.trim_end_matches('/'))) {
                dead.push(format!("{}:{}: no {quoted}", page.display(), number + 1));
            }
        }
    }
    dead
}

/// `docs/technician` and `../testing.md` as `docs/testing.md`.
fn joined(folder: &Path, link: &str) -> PathBuf {
    let mut path = folder.to_path_buf();
    for part in Path::new(link).components() {
        match part {
            Component::ParentDir => {
                path.pop();
            }
            Component::Normal(name) => path.push(name),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_nowhere_is_found_with_its_line() {
        let exists = |path: &Path| path == Path::new("docs/a.md") || path == Path::new("crates/x/src");
        let text = "[a](a.md#part) [web](https://example.org)\n![gone](images/b.png)\n`crates/x/src/` and `crates/y`\n";
        let page = Path::new("docs/page.md");
        assert_eq!(dead_links(page, text, &exists), ["docs/page.md:2: nothing at images/b.png"]);
        assert_eq!(dead_paths(page, text, &exists), ["docs/page.md:3: no crates/y"]);
        let up = Path::new("docs/technician/page.md");
        assert!(dead_links(up, "[a](../a.md)\n```\n[example](nowhere.md)\n```\n", &exists).is_empty());
    }
}
