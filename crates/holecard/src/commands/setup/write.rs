//! The board's files: what is written where, to whom it belongs, and the people.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};

use operator_api::PersonId;
use table_daemon::config::Config;
use table_daemon::secret::Secret;
use table_daemon::service::make_secrets;
use table_daemon::staff::{Book, OWNER_SOCKET, Person, Pin, one_time_code};
use table_daemon::table::commission;
use zeroize::Zeroizing;

use super::answers::{Plan, Somebody};
use super::{Checked, below, quoted, refused};
use crate::output::Failure;

const RULES: &str = "/etc/holecard/rules.toml";
const TABLE: &str = "/etc/holecard/table.toml";
const PORTS: &str = "/etc/udev/rules.d/70-holecard-ports.rules";
const STATE: &str = "/var/lib/holecard/state";
/// The user of the staff file's owner, and where it keeps it.
const OWNER: &str = "holecard-staff";
const STAFF_DIRECTORY: &str = "/var/lib/holecard-staff";
/// Where the unit hands its secrets in.
const CREDENTIALS: &str = "/run/credentials/holecardd.service";

/// The system that is set up.
pub(super) struct Board {
    root: PathBuf,
}

impl Board {
    pub(super) fn at(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    pub(super) fn is_this_one(&self) -> bool {
        self.root == Path::new("/")
    }

    fn at_path(&self, path: &str) -> PathBuf {
        below(&self.root, path)
    }

    pub(super) fn state(&self) -> PathBuf {
        self.at_path(STATE)
    }

    /// The configuration and its submission as the daemon will load them, before anything is written.
    pub(super) fn check(&self, plan: &Plan) -> Result<Checked, Failure> {
        let folder = tempfile::tempdir()?;
        let (rules, file) = (folder.path().join("rules.toml"), folder.path().join("table.toml"));
        fs::write(&rules, &plan.rules)?;
        let text = self.table_text(plan).replace(&quoted(RULES), &quoted(&rules.display().to_string()));
        fs::write(&file, text)?;
        let told = |problems: Vec<table_daemon::config::ConfigProblem>| {
            let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
            Failure::Refused(format!("{}\nnothing was written", lines.join("\n")))
        };
        let config = Config::load(&[&file]).map_err(told)?;
        let table = config.rules_table().map_err(told)?;
        let warnings = config.wiring_warnings(&table);
        Ok(Checked { config, warnings })
    }

    /// The secrets, the submission, the ports' names and the table's file; a line for each.
    pub(super) fn write(&self, plan: &Plan) -> Result<Vec<String>, Failure> {
        let etc = self.at_path("/etc/holecard");
        fs::create_dir_all(&etc)?;
        let mut said = make_secrets(&etc).map_err(refused)?;
        let group = self.id_of("/etc/group", "holecard");
        for (path, text) in [(RULES, plan.rules.clone()), (TABLE, self.table_text(plan)), (PORTS, ports_text(plan))] {
            let file = self.at_path(path);
            if fs::read_to_string(&file).is_ok_and(|before| before != text) {
                let mut kept = file.clone().into_os_string();
                kept.push(".before");
                fs::rename(&file, &kept)?;
                said.push(format!("{}: what was there is kept", PathBuf::from(kept).display()));
            }
            if let Some(folder) = file.parent() {
                fs::create_dir_all(folder)?;
            }
            fs::write(&file, text)?;
            let mode = if path == PORTS { 0o644 } else { 0o640 };
            fs::set_permissions(&file, fs::Permissions::from_mode(mode))?;
            if let Some(group) = group.filter(|_| is_root() && path != PORTS) {
                chown(&file, Some(0), Some(group))?;
            }
            said.push(format!("{}: written", file.display()));
        }
        Ok(said)
    }

    /// All of them or nobody, each with a code that only this returns.
    pub(super) fn add_people(&self, plan: &Plan) -> Result<Vec<(Somebody, Zeroizing<String>)>, Failure> {
        let state = self.state();
        fs::create_dir_all(&state)?;
        for folder in state.parent().into_iter().chain([state.as_path()]) {
            self.give(folder, "holecard")?;
        }
        // Staff file and counters are their owner's, where the board has one.
        let staff = self.staff();
        if self.has_owner() {
            fs::create_dir_all(&staff)?;
            self.give(&staff, OWNER)?;
        }
        // Said before anybody is added: people without a journal would mean that the journal is missing.
        let mut config = self.check(plan)?.config;
        config.state_directory.clone_from(&state);
        config.journal.directory = self.at_path("/var/lib/holecard/journal");
        commission(&config, Some(&self.at_path("/etc/holecard/journal.key"))).map_err(refused)?;
        let pepper = Secret::read(&self.at_path("/etc/holecard/pepper")).map_err(refused)?;
        let mut added = Vec::new();
        for each in &plan.people {
            let code = one_time_code().map_err(refused)?;
            let hash = Pin::new(code.clone()).and_then(|pin| pin.hash(&pepper)).map_err(refused)?;
            let person = Person::new(PersonId(each.number), &each.name, each.role, hash).map_err(refused)?;
            added.push((person.with_code(), each.clone(), code));
        }
        Book::change(&staff, |book| added.iter().try_for_each(|(person, ..)| book.add(person.clone())))
            .map_err(refused)?;
        Ok(added.into_iter().map(|(_, somebody, code)| (somebody, code)).collect())
    }

    /// Where the staff file lies.
    pub(super) fn staff(&self) -> PathBuf {
        if self.has_owner() { self.at_path(STAFF_DIRECTORY) } else { self.state() }
    }

    /// For this user alone.
    fn give(&self, folder: &Path, user: &str) -> Result<(), Failure> {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
        if let (true, Some(id)) = (is_root(), self.id_of("/etc/passwd", user)) {
            chown(folder, Some(id), self.id_of("/etc/group", user))?;
        }
        Ok(())
    }

    /// The package makes a user for the owner of the staff file.
    fn has_owner(&self) -> bool {
        self.id_of("/etc/passwd", OWNER).is_some()
    }

    fn table_text(&self, plan: &Plan) -> String {
        let Plan { board, table, ports, .. } = plan;
        let (board, table, rules) = (quoted(board), quoted(table), quoted(RULES));
        let people = if self.has_owner() {
            format!("# PINs are checked by the owner of the staff file.\n[state]\nstaff_socket = \"{OWNER_SOCKET}\"\n")
        } else {
            format!("[state]\npepper_file = \"{CREDENTIALS}/pepper\"\n")
        };
        let mut text = format!(
            "# Written by `holecard setup`. docs/technician/wiring.md draws sensors, lamps and expanders.\n\
             board = {board}\n\n[table]\nid = {table}\nrules = {rules}\n\n\
             # Secrets arrive as the unit's credentials.\n\
             {people}\n\
             [journal]\nkey_file = \"{CREDENTIALS}/journal.key\"\n\n\
             [http]\ntoken_file = \"{CREDENTIALS}/kiosk.token\"\n"
        );
        if let Some(console) = self.id_of("/etc/passwd", "holecard-console") {
            // Writing to a text cannot fail.
            let _ = write!(text, "# The technician's console has a user of its own.\nsocket_users = [{console}]\n");
        }
        for (name, _) in ports {
            let block = match *name {
                "shoe" | "right-shoe" => "[[devices.shoe]]".to_owned(),
                other => format!("[devices.{other}]"),
            };
            let _ = write!(
                text,
                "\n{block}\nlink = {{ tty = {{ path = \"/dev/holecard/{name}\", baud = 115200 }} }}\n\
                 # Two people pair it in service mode. A device that cannot be paired: \"none\", and seal its cable.\n\
                 protection = \"paired\"\n"
            );
        }
        if !plan.wiring.is_empty() {
            text.push('\n');
            text.push_str(&plan.wiring);
        }
        text
    }

    /// The number of a user or a group of that system.
    fn id_of(&self, list: &str, name: &str) -> Option<u32> {
        let text = fs::read_to_string(self.at_path(list)).ok()?;
        let mut lines = text.lines().map(|line| line.split(':').collect::<Vec<_>>());
        lines.find_map(|fields| (*fields.first()? == name).then(|| fields.get(2)?.parse().ok())?)
    }
}

fn ports_text(plan: &Plan) -> String {
    let rules: Vec<String> = plan.ports.iter().map(|(name, port)| port.rule(name) + "\n").collect();
    format!(
        "# Written by `holecard setup`: which device is on which port, by the socket or the UART's own name.\n{}",
        rules.concat()
    )
}

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}
