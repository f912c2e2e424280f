//! A whole table for a technician: the built daemon, twins on ptys, and the built console on a pty of its own.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use device_protocols::link::Millis;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use table_rules::game::Game;
use table_simulator::floor::daemon::Daemon;
use table_simulator::floor::people::STAFF;
use table_simulator::floor::site::{Site, SiteOptions};
use table_simulator::port::RunningTwin;
use table_simulator::reader::ReaderTwin;
use table_simulator::shoe::ShoeTwin;
use table_simulator::shuffler::ShufflerTwin;
use table_simulator::twin::Twin;
use tempfile::TempDir;

use crate::process::program;

/// For a machine that builds something else meanwhile.
const PATIENCE: Duration = Duration::from_secs(300);

pub(crate) const TECHNICIAN: &str = "4001";

/// The daemon's site with its devices; the daemon itself comes and goes.
pub(crate) struct Bench {
    pub(crate) folder: TempDir,
    pub(crate) site: Site,
    pub(crate) reader: RunningTwin<ReaderTwin>,
    pub(crate) shuffler: Option<RunningTwin<ShufflerTwin>>,
    _shoe: RunningTwin<ShoeTwin>,
    pub(crate) daemon: Option<Daemon>,
}

impl Bench {
    pub(crate) fn new(game: Game) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let options = SiteOptions {
            table_id: "BJ-07",
            port: 0,
            sensors: false,
            log_level: "info",
            shuffler: None,
            day_starts: "06:00",
        };
        let site = Site::write(folder.path(), game, options).unwrap();
        for (number, role, pin) in STAFF {
            let mut tool = Command::new(env!("CARGO_BIN_EXE_holecard"));
            tool.args(["staff", "add", &number.to_string(), "--name", role.word(), "--role", role.word()]);
            tool.arg("--state").arg(&site.state).arg("--pepper").arg(&site.pepper);
            let mut child = tool.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
            child.stdin.take().unwrap().write_all(format!("{pin}\n").as_bytes()).unwrap();
            assert!(child.wait().unwrap().success());
        }
        let commissioned = Command::new(program()).arg("--commission").arg("--config").arg(&site.config).status();
        assert!(commissioned.unwrap().success());
        let now = Millis(0);
        let reader = RunningTwin::on_pty(ReaderTwin::new(1, now), Some(&site.ports.reader), None).unwrap();
        let shuffler = site
            .ports
            .shuffler
            .as_ref()
            .map(|path| RunningTwin::on_pty(ShufflerTwin::new(2, now), Some(path), None).unwrap());
        let shoe = RunningTwin::on_pty(ShoeTwin::new(3, now), Some(&site.ports.shoe), None).unwrap();
        Self { folder, site, reader, shuffler, _shoe: shoe, daemon: None }
    }

    pub(crate) fn start(&mut self) {
        self.daemon = Some(Daemon::start(program(), &self.site.config).unwrap());
    }

    pub(crate) fn kill(&mut self) {
        self.daemon.take().unwrap().kill().unwrap();
    }

    /// A program that answers as systemd would.
    pub(crate) fn systemctl(&self, says: &str) -> PathBuf {
        let path = self.folder.path().join("systemctl");
        fs::write(&path, format!("#!/bin/sh\nif [ \"$1\" = show ]; then\ncat <<'E'\n{says}\nE\nfi\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    pub(crate) fn console(&self) -> Console {
        self.console_with(None)
    }

    pub(crate) fn console_with(&self, systemctl: Option<&Path>) -> Console {
        Console::start(&self.site.config, &self.folder.path().join("last-good.toml"), systemctl)
    }

    /// The journal as text, once it has these words.
    pub(crate) fn journal_until(&self, words: &str) -> String {
        let until = std::time::Instant::now() + PATIENCE;
        loop {
            let mut tool = Command::new(env!("CARGO_BIN_EXE_holecard"));
            let ran = tool.args(["journal", "show", "--json", "--journal"]).arg(&self.site.journal).output().unwrap();
            let text = String::from_utf8_lossy(&ran.stdout).into_owned();
            if text.contains(words) {
                return text;
            }
            assert!(std::time::Instant::now() < until, "the journal never says {words:?}: {text}");
            std::thread::park_timeout(Duration::from_millis(200));
        }
    }

    /// The table as the daemon last drew it.
    pub(crate) fn picture(&self) -> operator_api::Picture {
        let text = fs::read_to_string(self.folder.path().join("status.json")).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// What waits for the daemon.
    pub(crate) fn spool(&self) -> String {
        let files = fs::read_dir(self.folder.path().join("spool")).into_iter().flatten().flatten();
        files.filter_map(|file| fs::read_to_string(file.path()).ok()).collect()
    }
}

/// Says something to a device at its bench.
pub(crate) fn tell<T: Twin + 'static>(twin: &RunningTwin<T>, words: &str) {
    twin.act(|twin, now| twin.obey(words, now)).unwrap();
}

/// The far end of a port with a plug that joins the two wires, or does not.
pub(crate) struct Plug {
    joined: Arc<AtomicBool>,
    pulled: Arc<AtomicBool>,
    // Held open: a port whose far end is gone is no port.
    _near: File,
}

impl Plug {
    pub(crate) fn new(path: &Path) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        std::os::unix::fs::symlink(name.to_str().unwrap(), path).unwrap();
        let near = File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
        let joined = Arc::new(AtomicBool::new(false));
        let pulled = Arc::new(AtomicBool::new(false));
        let (mut wire, seen, gone) = (File::from(master), Arc::clone(&joined), Arc::clone(&pulled));
        rustix::io::ioctl_fionbio(&wire, true).unwrap();
        std::thread::spawn(move || {
            let mut bytes = [0; 256];
            // Whoever has the port open is hung up on when the plug is pulled, as by an adapter that goes.
            while !gone.load(Ordering::Acquire) {
                match wire.read(&mut bytes) {
                    Ok(count) if seen.load(Ordering::Acquire) => {
                        if wire.write_all(&bytes[..count]).is_err() {
                            return;
                        }
                    }
                    Ok(_) => {}
                    Err(_) => std::thread::park_timeout(Duration::from_millis(1)),
                }
            }
        });
        Self { joined, pulled, _near: near }
    }

    pub(crate) fn join(&self) {
        self.joined.store(true, Ordering::Release);
    }

    pub(crate) fn part(&self) {
        self.joined.store(false, Ordering::Release);
    }
}

impl Drop for Plug {
    fn drop(&mut self) {
        self.pulled.store(true, Ordering::Release);
    }
}

/// The console on a pty, and somebody in front of it.
pub(crate) struct Console {
    keyboard: File,
    screen: Receiver<Vec<u8>>,
    child: Child,
    seen: String,
}

impl Console {
    pub(crate) fn start(config: &Path, last_good: &Path, systemctl: Option<&Path>) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_holecard"));
        command.args(["console", "--tty", name.to_str().unwrap(), "--config"]).arg(config);
        command.arg("--last-good").arg(last_good);
        if let Some(systemctl) = systemctl {
            command.arg("--systemctl").arg(systemctl);
        }
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let keyboard = File::from(master);
        let mut screen = keyboard.try_clone().unwrap();
        let (send, receive) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // Until the console has opened its end, reading says that nobody is there.
            loop {
                match screen.read(&mut bytes) {
                    Ok(0) => return,
                    Ok(count) => {
                        if send.send(bytes[..count].to_vec()).is_err() {
                            return;
                        }
                    }
                    Err(_) => std::thread::yield_now(),
                }
            }
        });
        let mut console = Self { keyboard, screen: receive, child, seen: String::new() };
        console.see("number: ");
        console
    }

    pub(crate) fn types(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits for the next prompt; what came up to it.
    pub(crate) fn see_prompt(&mut self) -> String {
        const MODES: [&str; 8] = ["down", "mute", "faulted", "round", "service", "inspection", "closed", "open"];
        let ends: Vec<String> =
            MODES.iter().flat_map(|mode| [format!("BJ-07 {mode}> "), format!("BJ-07 {mode} ro> ")]).collect();
        loop {
            if let Some(end) = ends.iter().filter_map(|end| Some(self.seen.find(end.as_str())? + end.len())).min() {
                return self.seen.drain(..end).collect();
            }
            self.see_more("a prompt");
        }
    }

    /// Waits until the words appear; what came up to them.
    pub(crate) fn see(&mut self, words: &str) -> String {
        while !self.seen.contains(words) {
            self.see_more(words);
        }
        let end = self.seen.find(words).unwrap() + words.len();
        self.seen.drain(..end).collect()
    }

    fn see_more(&mut self, words: &str) {
        match self.screen.recv_timeout(PATIENCE) {
            Ok(bytes) => {
                for byte in &bytes {
                    assert!(matches!(byte, b' '..=b'~' | b'\r' | b'\n' | 7 | 8), "{byte:02X} was sent");
                }
                self.seen.push_str(&String::from_utf8_lossy(&bytes));
            }
            Err(why) => {
                let _ = self.child.kill();
                panic!("{why} before {words:?}; last seen: {:?}", self.seen);
            }
        }
    }

    pub(crate) fn log_in(&mut self, number: &str) {
        let pin = STAFF.iter().find(|(each, ..)| each.to_string() == number).unwrap().2;
        self.types(&format!("{number}\r"));
        self.see("PIN: ");
        self.types(&format!("{pin}\r"));
        self.see("? for help\r\n");
        self.see_prompt();
    }

    /// One command; everything up to the next prompt, and every line fits the terminal.
    pub(crate) fn ask(&mut self, line: &str) -> String {
        self.types(&format!("{line}\r"));
        self.see(&format!("{line}\r\n"));
        let said = self.see_prompt();
        let lines: Vec<&str> = said.split("\r\n").collect();
        if !line.contains("-j") {
            // News of the table comes between two carriage returns.
            let wide = |line: &&str| line.rsplit('\r').next().is_some_and(|line| line.len() > 80);
            assert!(!lines.iter().any(wide), "{said}");
        }
        said
    }

    /// Asks again until the answer has these words: devices take their seconds.
    pub(crate) fn ask_until(&mut self, line: &str, words: &str) -> String {
        self.until(|console| {
            let said = console.ask(line);
            (said.contains(words), said)
        })
    }

    /// Does it again until it comes out as wanted; what was seen then.
    pub(crate) fn until(&mut self, mut deed: impl FnMut(&mut Self) -> (bool, String)) -> String {
        let until = std::time::Instant::now() + PATIENCE;
        loop {
            let (fine, said) = deed(self);
            if fine {
                return said;
            }
            assert!(std::time::Instant::now() < until, "it stays so: {said}");
            std::thread::park_timeout(Duration::from_millis(100));
        }
    }
}

impl Drop for Console {
    fn drop(&mut self) {
        let _gone = self.child.kill();
        let _gone = self.child.wait();
    }
}
