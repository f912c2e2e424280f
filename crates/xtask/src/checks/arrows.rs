//! Dependency arrows point inward: which crate may know which, and what the pure ones must never reach.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::report::Report;
use crate::workspace::Workspace;

/// Which workspace crates each crate uses, its tests included. A crate or a use that is not here may not exist, and a use
/// that is gone leaves the list.
const ARROWS: &[(&str, &[&str])] = &[
    ("table-rules", &[]),
    ("device-protocols", &[]),
    // The names of faults are the device protocols', their words the operator's.
    ("operator-api", &["table-rules", "device-protocols"]),
    ("table-journal", &[]),
    ("table-controller", &["table-rules", "device-protocols", "operator-api"]),
    ("device-drivers", &["device-protocols"]),
    ("dealer-screen", &[]),
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
            "tech-console",
            "table-daemon",
            "table-simulator",
            "table-odds",
        ],
    ),
    // The twins and the people are the simulator's; the product is known as programs and as its interface alone.
    ("hw-tests", &["table-rules", "operator-api", "table-simulator"]),
    // Runs the built tools; linking them would measure and test something else than what ships.
    ("xtask", &[]),
];

/// Where the arrows are drawn.
const PAGE: &str = "docs/ARCHITECTURE.md";

/// Deterministic crates: bytes and time come in as arguments.
const PURE: &[&str] = &["table-rules", "device-protocols", "operator-api", "table-controller", "tech-console"];

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

/// Asks the processor once which instructions it has, through the C library on some boards, so that ciphers and hashes are
/// fast. The answers are the same either way, so a pure crate may stand on it.
const ASKS_THE_PROCESSOR: &str = "cpufeatures";

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
    failures.extend(graph.against_page(&String::from_utf8_lossy(&workspace.read(Path::new(PAGE))?)));
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
            let used: BTreeSet<&str> = self.members_used(member, true).collect();
            for used in used.iter().filter(|used| !allowed.contains(used)) {
                failures.push(format!("{name} may not use {used}: arrows point inward"));
            }
            for gone in allowed.iter().filter(|allowed| !used.contains(**allowed)) {
                failures.push(format!("{name} no longer uses {gone}: take it out of the arrows"));
            }
        }
        failures
    }

    /// The workspace's own crates that this one uses.
    fn members_used(&self, member: &str, by_tests_too: bool) -> impl Iterator<Item = &str> {
        let uses = self.uses(member).iter().filter(move |(_, only_tests)| by_tests_too || !only_tests);
        uses.filter(move |(used, _)| self.members.contains(used) && used != member).map(|(used, _)| self.name(used))
    }

    /// The drawing of ARCHITECTURE: every arrow in it is a dependency, and every dependency is an arrow or follows from
    /// several. Drawing all of them would hide the shape.
    fn against_page(&self, page: &str) -> Vec<String> {
        let drawn = drawn_arrows(page);
        let mut failures = Vec::new();
        let mut real = BTreeSet::new();
        for member in &self.members {
            real.extend(self.members_used(member, false).map(|used| (self.name(member).to_owned(), used.to_owned())));
        }
        for (from, to) in drawn.difference(&real) {
            failures.push(format!("{PAGE} draws {from} --> {to}, which is no line under [dependencies]"));
        }
        // Dependencies have no circle, so that following true arrows ends.
        let true_arrows: BTreeSet<_> = drawn.intersection(&real).cloned().collect();
        for (from, to) in &real {
            if !reaches(&true_arrows, from, to) {
                failures.push(format!("{PAGE} does not draw that {from} uses {to}"));
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
                if self.name(id) == ASKS_THE_PROCESSOR {
                    continue;
                }
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

/// `daemon --> journal`, by the crates' names: `daemon["table-daemon (holecardd)"]` says which is meant.
fn drawn_arrows(page: &str) -> BTreeSet<(String, String)> {
    let mut names = BTreeMap::new();
    let mut arrows = Vec::new();
    let drawing = page.lines().skip_while(|line| *line != "```mermaid").skip(1).take_while(|line| *line != "```");
    for line in drawing {
        let ends = line.split(" --> ").map(|end| {
            let (id, label) = end.trim().split_once("[\"").unwrap_or((end.trim(), ""));
            if let Some(name) = label.split(['"', ' ']).next().filter(|name| !name.is_empty()) {
                names.insert(id.to_owned(), name.to_owned());
            }
            id.to_owned()
        });
        let ends: Vec<String> = ends.collect();
        if let [from, to] = ends.as_slice() {
            arrows.push((from.clone(), to.clone()));
        }
    }
    let name = |id: String| names.get(&id).cloned().unwrap_or(id);
    arrows.into_iter().map(|(from, to)| (name(from), name(to))).collect()
}

fn reaches(arrows: &BTreeSet<(String, String)>, from: &str, to: &str) -> bool {
    arrows.iter().any(|(start, end)| start == from && (end == to || reaches(arrows, end, to)))
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
            let bad =
                graph(&json!({ "table-rules": [on("table-odds", kind)], "table-odds": [on("table-rules", None)] }));
            assert_eq!(bad.against_arrows(), ["table-rules may not use table-odds: arrows point inward"]);
        }
        let gone = graph(&json!({}));
        assert_eq!(gone.against_arrows(), ["table-odds no longer uses table-rules: take it out of the arrows"]);
    }

    #[test]
    fn a_drawing_that_shows_too_much_or_too_little_is_found() {
        let real = graph(&json!({ "table-odds": [on("table-rules", None)] }));
        let page = |drawing: &str| format!("# Architecture\n```mermaid\n{drawing}\n```\n");
        let good = page("    odds[\"table-odds (figures)\"] --> rules[\"table-rules\"]");
        assert_eq!(real.against_page(&good), Vec::<String>::new());
        let missing = page("    odds[\"table-odds\"]");
        assert_eq!(
            real.against_page(&missing),
            ["docs/ARCHITECTURE.md does not draw that table-odds uses table-rules"]
        );
        let too_much = page("    odds[\"table-odds\"] --> rules[\"table-rules\"]\n    rules --> odds");
        let said = real.against_page(&too_much);
        assert!(matches!(said.as_slice(), [one] if one.contains("draws table-rules --> table-odds")), "{said:?}");
    }

    #[test]
    fn an_impure_crate_is_found_behind_another_one_and_tests_may_use_it() {
        let bad = graph(&json!({ "table-rules": [on("toml", None)], "toml": [on("tokio-util", None)] }));
        assert_eq!(bad.impure(), ["table-rules is pure and may not reach tokio-util"]);
        let good = graph(&json!({ "table-rules": [on("toml", None), on("tokio-util", Some("dev"))] }));
        assert_eq!(good.impure(), Vec::<String>::new());
        let asking = graph(&json!({ "table-rules": [on("cpufeatures", None)], "cpufeatures": [on("libc", None)] }));
        assert_eq!(asking.impure(), Vec::<String>::new());
    }
}
