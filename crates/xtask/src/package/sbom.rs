//! What the programs are made of, as a CycloneDX list: every crate that is linked into them, from the lock file.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::workspace::Workspace;

/// The packages whose programs are shipped.
const SHIPPED: [&str; 2] = ["holecard", "table-daemon"];

pub(super) fn write(workspace: &Workspace) -> Result<String> {
    let said = workspace.cargo(["metadata", "--format-version", "1", "--locked"]).output()?;
    if !said.status.success() {
        bail!("cargo metadata failed: {}", String::from_utf8_lossy(&said.stderr).trim());
    }
    let metadata: Value = serde_json::from_slice(&said.stdout)?;
    let list = components(&metadata).context("cargo metadata has another form than expected")?;
    let document = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": {
            "type": "application", "name": "holecard", "version": env!("CARGO_PKG_VERSION"),
        } },
        "components": list,
    });
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

/// Every crate that a shipped program uses outside its tests and its build, by name and version.
fn components(metadata: &Value) -> Option<Vec<Value>> {
    let packages: BTreeMap<&str, &Value> =
        metadata["packages"].as_array()?.iter().filter_map(|each| Some((each["id"].as_str()?, each))).collect();
    let nodes = metadata["resolve"]["nodes"].as_array()?;
    let uses = |id: &str| -> Vec<&str> {
        let node = nodes.iter().find(|node| node["id"] == id);
        let all = node.and_then(|node| node["deps"].as_array()).into_iter().flatten();
        let normal = |dep: &&Value| {
            dep["dep_kinds"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind["kind"].is_null()))
        };
        all.filter(normal).filter_map(|dep| dep["pkg"].as_str()).collect()
    };
    let shipped = packages.iter().filter(|(_, each)| SHIPPED.contains(&each["name"].as_str().unwrap_or_default()));
    let mut open: Vec<&str> = shipped.map(|(id, _)| *id).collect();
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            open.extend(uses(id));
        }
    }
    let mut found: Vec<(String, String, Value)> = Vec::new();
    for package in seen.iter().filter_map(|id| packages.get(id)) {
        let (name, version) = (package["name"].as_str()?.to_owned(), package["version"].as_str()?.to_owned());
        let license = package["license"].as_str().unwrap_or("NOASSERTION");
        let component = json!({
            "type": "library", "name": name, "version": version, "purl": format!("pkg:cargo/{name}@{version}"),
            "licenses": [{ "expression": license }],
        });
        found.push((name, version, component));
    }
    found.sort_by(|one, other| (&one.0, &one.1).cmp(&(&other.0, &other.1)));
    Some(found.into_iter().map(|(_, _, component)| component).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_linked_is_listed_and_what_only_tests_use_is_not() {
        let package = |id: &str| json!({ "id": id, "name": id, "version": "1.0.0", "license": "MIT" });
        let dep = |id: &str, kind: Value| json!({ "pkg": id, "dep_kinds": [{ "kind": kind }] });
        let metadata = json!({
            "packages": [package("holecard"), package("table-daemon"), package("serde"), package("proptest")],
            "resolve": { "nodes": [
                { "id": "holecard", "deps": [dep("table-daemon", Value::Null), dep("proptest", json!("dev"))] },
                { "id": "table-daemon", "deps": [dep("serde", Value::Null)] },
                { "id": "serde", "deps": [] },
                { "id": "proptest", "deps": [] },
            ] },
        });
        let list = components(&metadata).unwrap();
        let names: Vec<&str> = list.iter().map(|each| each["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["holecard", "serde", "table-daemon"]);
    }
}
