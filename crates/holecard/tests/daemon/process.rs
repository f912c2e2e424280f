//! `holecardd` as it ships: a process with a configuration file, that says when it is ready and can be killed.

use std::fs::{self, File};
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant, SystemTime};

use rustix::process::{Pid, Signal, kill_process};

/// For a machine that builds something else meanwhile.
const PATIENCE: Duration = Duration::from_secs(90);

/// The program beside the tool that is tested. `cargo test --workspace` has built it; whoever tests this package alone
/// gets it built here, if it is missing or older than its sources.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let path = Path::new(env!("CARGO_BIN_EXE_holecard")).with_file_name("holecardd");
        if !is_fresh(&path) {
            let mut build = Command::new(env!("CARGO"));
            build.args(["build", "--quiet", "--package", "table-daemon", "--bin", "holecardd"]);
            if path.components().any(|part| part.as_os_str() == "release") {
                build.arg("--release");
            }
            let status = build.current_dir(env!("CARGO_MANIFEST_DIR")).status().unwrap();
            assert!(status.success(), "holecardd cannot be built");
        }
        path
    })
}

/// Cargo keeps the list of sources beside the program.
fn is_fresh(path: &Path) -> bool {
    let changed = |path: &Path| fs::metadata(path).and_then(|about| about.modified()).ok();
    let (Some(built), Ok(sources)) = (changed(path), fs::read_to_string(path.with_extension("d"))) else {
        return false;
    };
    let sources = sources.split_once(": ").map_or("", |(_, sources)| sources);
    let younger = |source: &str| changed(Path::new(source)).is_none_or(|time: SystemTime| time > built);
    !sources.is_empty() && !sources.split_whitespace().any(younger)
}

/// A daemon that runs. Dropping it kills it, so that a failed test leaves nothing behind.
pub(crate) struct Daemon {
    child: Child,
    log: PathBuf,
}

impl Daemon {
    /// Returns when the daemon says that it is ready, as systemd would see it.
    pub(crate) fn start(config: &Path) -> Self {
        let folder = config.parent().unwrap();
        let (notify, log) = (folder.join("notify.sock"), folder.join("daemon.log"));
        let _old = fs::remove_file(&notify);
        let told = UnixDatagram::bind(&notify).unwrap();
        told.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
        let errors = File::options().create(true).append(true).open(&log).unwrap();
        let child = Command::new(program())
            .arg("--config")
            .arg(config)
            .env("NOTIFY_SOCKET", &notify)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(errors)
            .spawn()
            .unwrap();
        let mut daemon = Self { child, log };
        let until = Instant::now() + PATIENCE;
        let mut word = [0; 1024];
        loop {
            if let Ok(count) = told.recv(&mut word)
                && word[..count].split(|byte| *byte == b'\n').any(|line| line == b"READY=1")
            {
                return daemon;
            }
            let ended = daemon.child.try_wait().unwrap();
            assert!(ended.is_none() && Instant::now() < until, "{ended:?} before it was ready:\n{}", daemon.log());
        }
    }

    pub(crate) fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    pub(crate) fn id(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// SIGKILL: no goodbye of any kind.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// SIGTERM, as systemd stops it.
    pub(crate) fn stop(mut self) -> ExitStatus {
        kill_process(self.id(), Signal::TERM).unwrap();
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < until, "it does not stop:\n{}", self.log());
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _gone = self.child.kill();
        let _gone = self.child.wait();
    }
}
