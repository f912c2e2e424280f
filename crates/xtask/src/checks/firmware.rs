//! The overlays under `firmware-config/firmware`: compiled by `dtc`, and merged into the boards' device trees where those could be
//! built from Debian's kernel source (by the virtual board's preparation). A board whose tree that source does not have is a syntax check
//! only, and the note says so.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::report::Report;
use crate::workspace::Workspace;

/// Overlay, board's tree, and where in it the lines and the bus are.
const MERGES: &[(&str, &str, &str, &str)] = &[
    ("holecard-bcm2711", "bcm2711-rpi-4-b", "/soc/gpio@7e200000", "/soc/i2c@7e804000"),
    ("holecard-bcm2711", "bcm2711-rpi-cm4-io", "/soc/gpio@7e200000", "/soc/i2c@7e804000"),
    ("holecard-bcm2712", "bcm2712-rpi-5-b", "/axi/pcie@120000/rp1/gpio@d0000", "/axi/pcie@120000/rp1/i2c@74000"),
];

pub(crate) fn check(workspace: &Workspace) -> Result<Report> {
    let mut report = Report::default();
    if !is_there() {
        report
            .notes
            .push("dtc is missing, so no overlay was compiled: install the package device-tree-compiler".to_owned());
        return Ok(report);
    }
    let trees = workspace.root().join("target/hw-tests/trees");
    let folder = std::env::temp_dir().join(format!("holecard-overlays-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let mut failures = Vec::new();
    for (overlay, board, lines, bus) in MERGES {
        let source = workspace.root().join(format!("firmware-config/firmware/overlays/{overlay}-overlay.dts"));
        let compiled = folder.join(format!("{overlay}.dtbo"));
        let made = run(Command::new("dtc").args(["-@", "-I", "dts", "-O", "dtb", "-o"]).arg(&compiled).arg(source));
        if let Err(error) = made {
            failures.push(format!("{overlay}: {error:#}"));
            continue;
        }
        let tree = trees.join(format!("{board}.dtb"));
        if tree.is_file() {
            failures
                .extend(merged(&tree, &compiled, &folder, lines, bus).err().map(|error| format!("{board}: {error:#}")));
        } else {
            report.notes.push(format!("{overlay} for {board}: compiled, not merged: no tree of this board here"));
        }
    }
    let _gone = std::fs::remove_dir_all(&folder);
    let checked = Report::of_check(failures);
    report.add(&checked);
    report.failures.extend(checked.failures);
    Ok(report)
}

fn is_there() -> bool {
    let answers = || Command::new("dtc").arg("--version").output().is_ok_and(|ran| ran.status.success());
    // Nobody but root may install, and elsewhere there is no apt-get: then the second question says no as well.
    answers() || {
        let mut install = Command::new("apt-get");
        let _ran = install.args(["install", "-y", "-qq", "--no-install-recommends", "device-tree-compiler"]).output();
        answers()
    }
}

/// After the merge the header's lines have our names and the bus is on.
fn merged(tree: &Path, overlay: &Path, folder: &Path, lines: &str, bus: &str) -> Result<()> {
    let whole = folder.join("merged.dtb");
    run(Command::new("fdtoverlay").arg("-i").arg(tree).arg("-o").arg(&whole).arg(overlay))?;
    let names = run(Command::new("fdtget").args(["-t", "s"]).arg(&whole).args([lines, "gpio-line-names"]))?;
    let wanted: Vec<String> = (0..28).map(|line| format!("GPIO{line}")).collect();
    if !names.starts_with(&wanted.join(" ")) {
        bail!("the header's lines are named {names}");
    }
    let status = run(Command::new("fdtget").args(["-t", "s"]).arg(&whole).args([bus, "status"]))?;
    if status.trim() != "okay" {
        bail!("the bus is {status}");
    }
    Ok(())
}

fn run(command: &mut Command) -> Result<String> {
    let ran = command.output().with_context(|| format!("cannot run {command:?}"))?;
    if !ran.status.success() {
        bail!("{}", String::from_utf8_lossy(&ran.stderr).trim());
    }
    Ok(String::from_utf8(ran.stdout)?)
}
