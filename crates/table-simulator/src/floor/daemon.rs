//! A daemon as a process: started with a configuration, waited for, killed or stopped. Known here only as a program.

use std::fs::{self, File};
use std::io;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// For a machine that builds something else meanwhile.
const PATIENCE: Duration = Duration::from_secs(90);

/// A daemon that runs. Dropping it kills it, so that nothing is left behind.
#[derive(Debug)]
pub struct Daemon {
    child: Child,
    log: PathBuf,
}

impl Daemon {
    /// Returns when the daemon says that it is ready, as systemd would hear it. Its log is `daemon.log` beside the
    /// configuration.
    pub fn start(program: &Path, config: &Path) -> io::Result<Self> {
        let (notify, log) = (config.with_file_name("notify.sock"), config.with_file_name("daemon.log"));
        let _old = fs::remove_file(&notify);
        let told = UnixDatagram::bind(&notify)?;
        told.set_read_timeout(Some(Duration::from_millis(200)))?;
        let errors = File::options().create(true).append(true).open(&log)?;
        let mut command = Command::new(program);
        command.arg("--config").arg(config).env("NOTIFY_SOCKET", &notify);
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(errors).spawn()?;
        let mut daemon = Self { child, log };
        let until = Instant::now() + PATIENCE;
        let mut word = [0; 1024];
        loop {
            if let Ok(count) = told.recv(&mut word)
                && word[..count].split(|byte| *byte == b'\n').any(|line| line == b"READY=1")
            {
                return Ok(daemon);
            }
            let ended = daemon.child.try_wait()?;
            if ended.is_some() || Instant::now() > until {
                return Err(io::Error::other(format!("{ended:?} before it was ready:\n{}", daemon.log())));
            }
        }
    }

    /// Everything that it and its predecessors have logged.
    pub fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// As a power cut: no goodbye of any kind, and what lies on no disk is gone with it.
    pub fn kill(self) -> io::Result<()> {
        let on_no_disk = ["started", "failures"].map(|name| self.log.with_file_name(name));
        self.crash()?;
        for file in on_no_disk {
            let _gone = fs::remove_file(file);
        }
        Ok(())
    }

    /// The process alone dies, by SIGKILL; the board stays on.
    pub fn crash(mut self) -> io::Result<()> {
        self.child.kill()?;
        self.child.wait().map(drop)
    }

    /// SIGTERM, as systemd stops it.
    pub fn stop(mut self) -> io::Result<ExitStatus> {
        kill_process(Pid::from_child(&self.child), Signal::TERM)?;
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status);
            }
            if Instant::now() > until {
                return Err(io::Error::other(format!("it does not stop:\n{}", self.log())));
            }
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _gone = self.child.kill();
        let _gone = self.child.wait();
    }
}
