//! Dependency arrows point inward: which crate may know which, and what the pure ones must never reach.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::report::Report;
use crate::workspace::Workspace;

/// Which workspace crates each crate may use. A crate that is not here may not exist; add it with a reason.
const ARROWS: &[(&str, &[&str])] = &[
    ("table-rules", &[]),
    ("device-protocols", &[]),
    ("operator-api", &["table-rules"]),
    ("table-journal", &["table-rules"]),
    ("table-controller", &["table-rules", "device-protocols", "operator-api"]),
    ("device-drivers", &["device-protocols"]),
    ("dealer-screen", &["operator-api"]),
    ("tech-console", &["operator-api"]),
    (
        "table-daemon",
        &[
            "table-rules",
            "device-protocols",
            "operator-api",
            "table-journal",
            "table-controller",
            "device-drivers",
            "dealer-screen",
            "tech-console",
        ],
    ),
    (
        "table-simulator",
        &["table-rules", "device-protocols", "operator-api", "table-journal", "table-controller", "device-drivers"],
    ),
    ("table-odds", &["table-rules"]),
    (
        "holecard",
        &[
            "table-rules",
            "device-protocols",
            "operator-api",
            "table-journal",
            "table-controller",
            "device-drivers",
            "dealer-screen",
            "tech-console",
            "table-daemon",
            "table-simulator",
            "table-odds",
        ],
    ),
    // Runs the built tools; linking them would measure and test something else than what ships.
    ("xtask", &[]),
];

/// Deterministic crates: bytes and time come in as arguments.
const PURE: &[&str] = &["table-rules", "device-protocols", "operator-api", "table-controller"];

/// Crates that wait, read a clock, touch the world or draw random numbers. A name also stands for those that extend it
/// with a hyphen (`tokio-util`).
const IMPURE: &[&str] = &[
    "tokio",
    "async-std",
    "smol",
    "mio",
    "futures",
    "axum",
    "hyper",
    "reqwest",
    "serialport",
    "rppal",
    "gpiocdev",
    "linux-embedded-hal",
    "rustix",
    "libc",
    "nix",
    "socket2",
    "rand",
    "fastrand",
    "getrandom",
    "chrono",
    "time",
    "jiff",
    "tempfile",
    "tracing",
    "log",
];

/// Standard library modules that a pure crate's sources may not name.
const IMPURE_STD: &[&str] =
    &["std::fs", "std::net", "std::env", "std::process", "std::thread", "std::time::Instant", "SystemTime", "std::os"];

pub(crate) fn check(workspace: &Workspace) -> Result<Report> {
    let output = workspace
        .cargo(["metadata", "--format-version", "1", "--locked"])
        .output()
        .context("cannot run cargo metadata")?;
    if !output.status.success() {
        bail!("cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    let metadata: Value = serde_json::from_slice(&output.stdout).context("cargo metadata is not JSON")?;
    let graph = Graph::read(&metadata).context("cargo metadata has another form than expected")?;
    let mut failures = graph.against_arrows();
    failures.extend(graph.impure());
    failures.extend(impure_sources(workspace)?);
    Ok(Report::of_check(failures))
}

/// The packages, by id: what each is called and what it uses outside its tests.
struct Graph {
    names: BTreeMap<String, String>,
    members: Vec<String>,
    /// By package id: (id, whether only tests use it).
    uses: BTreeMap<String, Vec<(String, bool)>>,
}

impl Graph {
    fn read(metadata: &Value) -> Option<Self> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let mut names = BTreeMap::new();
        for package in metadata.get("packages")?.as_array()? {
            names.insert(text(package.get("id")?)?, text(package.get("name")?)?);
        }
        let members = metadata.get("workspace_members")?.as_array()?.iter().filter_map(text).collect();
        let mut uses = BTreeMap::new();
        for node in metadata.get("resolve")?.get("nodes")?.as_array()? {
            let mut used = Vec::new();
            for dependency in node.get("deps")?.as_array()? {
                let kinds = dependency.get("dep_kinds")?.as_array()?;
                let only_tests = kinds.iter().all(|kind| kind.get("kind").and_then(Value::as_str) == Some("dev"));
                used.push((text(dependency.get("pkg")?)?, only_tests));
            }
            uses.insert(text(node.get("id")?)?, used);
        }
        Some(Self { names, members, uses })
    }

    fn name<'a>(&'a self, id: &'a str) -> &'a str {
        self.names.get(id).map_or(id, String::as_str)
    }

    fn uses(&self, id: &str) -> &[(String, bool)] {
        self.uses.get(id).map_or(&[], Vec::as_slice)
    }

    fn against_arrows(&self) -> Vec<String> {
        let mut failures = Vec::new();
        for member in &self.members {
            let name = self.name(member);
            let Some((_, allowed)) = ARROWS.iter().find(|(from, _)| *from == name) else {
                failures.push(format!("crate {name} has no row in the arrows: give it one, with its reason"));
                continue;
            };
            for (used, _) in self.uses(member).iter().filter(|(used, _)| self.members.contains(used) && used != member)
            {
                let used = self.name(used);
                if !allowed.contains(&used) {
                    failures.push(format!("{name} may not use {used}: arrows point inward"));
                }
            }
        }
        failures
    }

    /// Impure packages that a pure crate reaches, however far away.
    fn impure(&self) -> Vec<String> {
        let mut failures = Vec::new();
        for member in self.members.iter().filter(|member| PURE.contains(&self.name(member))) {
            let mut seen = BTreeSet::new();
            let mut next = vec![member.as_str()];
            while let Some(id) = next.pop() {
                for (used, only_tests) in self.uses(id) {
                    if !only_tests && seen.insert(used.as_str()) {
                        next.push(used);
                    }
                }
            }
            for found in seen.iter().map(|id| self.name(id)).filter(|name| is_impure(name)) {
                failures.push(format!("{} is pure and may not reach {found}", self.name(member)));
            }
        }
        failures
    }
}

fn is_impure(name: &str) -> bool {
    IMPURE.iter().any(|impure| name.strip_prefix(impure).is_some_and(|rest| rest.is_empty() || rest.starts_with('-')))
}

fn impure_sources(workspace: &Workspace) -> Result<Vec<String>> {
    let mut failures = Vec::new();
    for file in workspace.files()? {
        let is_source = file.extension().is_some_and(|extension| extension == "rs");
        let is_pure = PURE.iter().any(|name| file.starts_with(format!("crates/{name}/src")));
        if !is_source || !is_pure {
            continue;
        }
        let bytes = workspace.read(&file)?;
        let text = String::from_utf8_lossy(&bytes);
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or(line);
            for found in IMPURE_STD.iter().filter(|name| code.contains(**name)) {
                failures.push(format!("{}:{}: {found} in a pure crate", file.display(), number + 1));
            }
        }
    }
    Ok(failures)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn graph(uses: &Value) -> Graph {
        let package = |name: &str| json!({ "id": name, "name": name });
        let names = ["table-rules", "table-odds", "toml", "tokio-util"];
        let node = |name: &str| json!({ "id": name, "deps": uses.get(name).cloned().unwrap_or(json!([])) });
        let metadata = json!({
            "packages": names.map(package),
            "workspace_members": ["table-rules", "table-odds"],
            "resolve": { "nodes": names.map(node) },
        });
        Graph::read(&metadata).unwrap()
    }

    fn on(name: &str, kind: Option<&str>) -> Value {
        json!({ "pkg": name, "dep_kinds": [{ "kind": kind }] })
    }

    #[test]
    fn an_arrow_that_points_outward_is_found() {
        let good = graph(&json!({ "table-odds": [on("table-rules", None)] }));
        assert_eq!(good.against_arrows(), Vec::<String>::new());
        for kind in [None, Some("dev"), Some("build")] {
            let bad = graph(&json!({ "table-rules": [on("table-odds", kind)] }));
            assert_eq!(bad.against_arrows(), ["table-rules may not use table-odds: arrows point inward"]);
        }
    }

    #[test]
    fn an_impure_crate_is_found_behind_another_one_and_tests_may_use_it() {
        let bad = graph(&json!({ "table-rules": [on("toml", None)], "toml": [on("tokio-util", None)] }));
        assert_eq!(bad.impure(), ["table-rules is pure and may not reach tokio-util"]);
        let good = graph(&json!({ "table-rules": [on("toml", None), on("tokio-util", Some("dev"))] }));
        assert_eq!(good.impure(), Vec::<String>::new());
    }
}
