//! The units under `systemd/`: that systemd understands them, how much they leave exposed, and that they fit together.
//!
//! `systemd-analyze` works on files alone; no unit is started. On a Debian machine without it the package is installed if
//! we may; anywhere else a note says what was not checked.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::report::Report;
use crate::workspace::Workspace;

/// Tenths of what `systemd-analyze security` prints: the daemon at most 1.0, with the registers of the header at most 0.8, with
/// raw TCP at most 1.5.
const EXPOSURE_MOST: u8 = 10;
const EXPOSURE_MOST_RPPAL: u8 = 8;
const EXPOSURE_MOST_RAW_TCP: u8 = 15;

const DAEMON: &str = "holecardd.service";
const STAFF: &str = "holecard-staff.service";

pub(crate) fn check(workspace: &Workspace) -> Result<Report> {
    let folder = workspace.root().join("systemd");
    let mut report = fits_together(workspace, &folder)?;
    if !analyze_is_there() {
        report
            .notes
            .push("systemd-analyze is missing, so no unit was verified: install the package systemd".to_owned());
        return Ok(report);
    }
    let copy = Copy::of(&folder)?;
    for failures in [
        copy.verify()?,
        copy.exposure(EXPOSURE_MOST)?,
        copy.exposure_of(STAFF, EXPOSURE_MOST)?,
        copy.exposure_with(&folder, "rppal.conf", EXPOSURE_MOST_RPPAL)?,
        copy.exposure_with(&folder, "raw-tcp.conf", EXPOSURE_MOST_RAW_TCP)?,
    ] {
        let checked = Report::of_check(failures);
        report.add(&checked);
        report.failures.extend(checked.failures);
    }
    Ok(report)
}

fn analyze_is_there() -> bool {
    let answers = || Command::new("systemd-analyze").arg("--version").output().is_ok_and(|ran| ran.status.success());
    // Nobody but root may install, and elsewhere there is no apt-get: then the second question says no as well.
    answers() || {
        let _ = Command::new("apt-get").args(["install", "-y", "-qq", "--no-install-recommends", "systemd"]).output();
        answers()
    }
}

/// The units where programs of the product are replaced by one that exists here: they are installed later.
struct Copy {
    folder: PathBuf,
    units: Vec<PathBuf>,
}

impl Copy {
    fn of(folder: &Path) -> Result<Self> {
        let copy = std::env::temp_dir().join(format!("holecard-units-{}", std::process::id()));
        fs::create_dir_all(&copy).context("cannot make a folder for the units")?;
        let mut units = Vec::new();
        for entry in fs::read_dir(folder).context("cannot list systemd/")? {
            let path = entry?.path();
            let is_unit = path.extension().is_some_and(|kind| kind == "service" || kind == "socket");
            if let (true, Some(name)) = (is_unit, path.file_name()) {
                let unit = copy.join(name);
                fs::write(&unit, with_programs_of_this_machine(&fs::read_to_string(&path)?))?;
                units.push(unit);
            }
        }
        units.sort();
        Ok(Self { folder: copy, units })
    }

    fn verify(&self) -> Result<Vec<String>> {
        if self.units.is_empty() {
            return Ok(vec!["systemd/ holds no units".to_owned()]);
        }
        self.analyze(&["verify", "--man=no"], &self.units)
    }

    fn exposure(&self, most: u8) -> Result<Vec<String>> {
        self.exposure_of(DAEMON, most)
    }

    fn exposure_of(&self, unit: &str, most: u8) -> Result<Vec<String>> {
        let threshold = format!("--threshold={most}");
        let failures =
            self.analyze(&["security", "--offline=true", "--no-pager", &threshold], &[self.folder.join(unit)])?;
        let summary = |said: String| said.lines().filter(|line| line.contains("exposure")).collect::<String>();
        Ok(failures.into_iter().map(|said| format!("{unit} is too exposed: {}", summary(said))).collect())
    }

    /// With this drop-in and no other.
    fn exposure_with(&self, folder: &Path, drop_in: &str, most: u8) -> Result<Vec<String>> {
        let name = "holecardd.service.d";
        let copied = self.folder.join(name).join(drop_in);
        fs::create_dir_all(self.folder.join(name))?;
        fs::copy(folder.join("drop-ins").join(name).join(drop_in), &copied)?;
        let failures = self.exposure(most)?;
        fs::remove_file(copied)?;
        Ok(failures)
    }

    /// Nothing where systemd is content; else all that it said.
    fn analyze(&self, words: &[&str], units: &[PathBuf]) -> Result<Vec<String>> {
        let mut path = self.folder.clone().into_os_string();
        // The colon keeps the machine's own units in reach.
        path.push(":");
        let mut command = Command::new("systemd-analyze");
        let ran = command.args(words).args(units).env("SYSTEMD_UNIT_PATH", path).output();
        let ran = ran.context("cannot run systemd-analyze")?;
        let said = [ran.stdout, ran.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        Ok(if ran.status.success() { Vec::new() } else { vec![said] })
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn with_programs_of_this_machine(unit: &str) -> String {
    let program = |line: &str| {
        let (key, command) = line.split_once('=')?;
        let path = command.split_whitespace().next()?;
        let missing = key.starts_with("Exec") && path.starts_with("/usr/bin/") && !Path::new(path).exists();
        missing.then(|| line.replacen(path, "/bin/true", 1))
    };
    unit.lines().map(|line| program(line).unwrap_or_else(|| line.to_owned()) + "\n").collect()
}

/// What one file says and another must know.
fn fits_together(workspace: &Workspace, folder: &Path) -> Result<Report> {
    let read =
        |name: &str| fs::read_to_string(folder.join(name)).with_context(|| format!("cannot read systemd/{name}"));
    let units = [read(DAEMON)?, read(STAFF)?, read("holecard-kiosk.service")?, read("holecard-console@.service")?];
    let (socket, users) = (read("holecardd.socket")?, read("sysusers.d/holecard.conf")?);
    let files = read("tmpfiles.d/holecard.conf")?;
    let base = String::from_utf8(workspace.read(Path::new("firmware-config/base.toml"))?)?;
    let mut failures = Vec::new();
    for unit in &units {
        for user in values(unit, "User") {
            let declared = users.lines().any(|line| line.split_whitespace().take(2).eq(["u", user]));
            if !declared {
                failures.push(format!("sysusers.d/holecard.conf does not make the user {user}"));
            }
        }
        for (_, file) in values(unit, "LoadCredential").filter_map(|value| value.split_once(':')) {
            let wanted = ["z", file, "0600", "root", "root"];
            if !files.lines().any(|line| line.split_whitespace().eq(wanted)) {
                failures.push(format!("tmpfiles.d/holecard.conf does not keep {file} to root"));
            }
        }
    }
    for address in values(&socket, "ListenStream") {
        if !base.contains(&format!("listen = \"{address}\"")) {
            failures.push(format!("holecardd.socket listens on {address}, firmware-config/base.toml elsewhere"));
        }
    }
    // One word in three places: where it listens, where it is asked, and who may.
    let owner = read("holecard-staff.socket")?;
    let asked = String::from_utf8(workspace.read(Path::new("crates/table-daemon/src/staff.rs"))?)?;
    for path in values(&owner, "ListenStream") {
        if !asked.contains(&format!("OWNER_SOCKET: &str = \"{path}\"")) {
            failures.push(format!("holecard-staff.socket listens at {path}, and the daemon asks elsewhere"));
        }
    }
    if units.iter().filter(|unit| values(unit, "LoadCredential").any(|value| value.starts_with("pepper:"))).count() != 1
    {
        failures.push("the pepper has one owner: exactly one unit may load it".to_owned());
    }
    Ok(Report::of_check(failures))
}

fn values<'u>(unit: &'u str, key: &'static str) -> impl Iterator<Item = &'u str> {
    unit.lines().filter_map(move |line| line.split_once('=')).filter(move |(found, _)| *found == key).map(|(_, v)| v)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_programs_that_are_missing_are_replaced() {
        let unit =
            "ExecStart=/usr/bin/no-such-holecardd --config x\nExecStartPre=/bin/sh -c y\nDescription=/usr/bin/no\n";
        let copied = with_programs_of_this_machine(unit);
        assert_eq!(copied, "ExecStart=/bin/true --config x\nExecStartPre=/bin/sh -c y\nDescription=/usr/bin/no\n");
    }

    #[test]
    fn a_unit_that_gives_up_its_sandbox_is_found() {
        if !analyze_is_there() {
            return;
        }
        let folder = Workspace::find().root().join("systemd");
        let copy = Copy::of(&folder).unwrap();
        assert_eq!(copy.exposure(EXPOSURE_MOST).unwrap(), Vec::<String>::new());
        let daemon = copy.folder.join(DAEMON);
        let open =
            fs::read_to_string(&daemon).unwrap().replace("NoNewPrivileges=yes", "").replace("PrivateNetwork=yes", "");
        fs::write(&daemon, open.replace("CapabilityBoundingSet=\n", "\n")).unwrap();
        assert!(!copy.exposure(EXPOSURE_MOST).unwrap().is_empty());
        fs::write(&daemon, "[Service]\nExecStart=relative\nNoSuchKey=1\n").unwrap();
        assert!(!copy.verify().unwrap().is_empty());
    }
}
