//! The daemon as a process of the guest: told apart when it is ready, when it hangs and when it ends.

use std::fs::{self, File};
use std::io;
use std::os::unix::net::UnixDatagram;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

const NOTIFY: &str = "/run/notify";
const LOG: &str = "/run/holecardd.log";
/// The mark of a run, which lies here until the daemon has been up for a while.
const STARTED: &str = "/run/holecard/started";
const READY_WITHIN: Duration = Duration::from_secs(90);

#[derive(Debug, Default)]
pub(crate) struct Daemon {
    child: Option<Child>,
}

impl Daemon {
    pub(crate) fn start(&mut self, options: &[String]) -> io::Result<Value> {
        if let Some(mut old) = self.child.take() {
            let _gone = old.kill();
            let _gone = old.wait();
            // A test's own kill is no failure of the daemon.
            let _gone = fs::remove_file(STARTED);
        }
        let _old = fs::remove_file(NOTIFY);
        let notify = UnixDatagram::bind(NOTIFY)?;
        notify.set_read_timeout(Some(Duration::from_millis(50)))?;
        fs::create_dir_all("/run/holecard")?;
        let log = File::options().create(true).append(true).open(LOG)?;
        let began = Instant::now();
        let mut command = Command::new("/usr/bin/holecardd");
        command.args(["--config", "/etc/holecard/table.toml"]).args(options).env("NOTIFY_SOCKET", NOTIFY);
        let mut child = command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).spawn()?;
        let mut word = [0; 1024];
        let ready = loop {
            if let Ok(count) = notify.recv(&mut word)
                && word[..count].split(|byte| *byte == b'\n').any(|line| line == b"READY=1")
            {
                break true;
            }
            if child.try_wait()?.is_some() || began.elapsed() > READY_WITHIN {
                break false;
            }
        };
        let ended = child.try_wait()?.and_then(|status| status.code());
        self.child = Some(child);
        let uptime = super::uptime();
        Ok(json!({ "ready": ready, "ready_ms": began.elapsed().as_secs_f64() * 1e3, "uptime": uptime, "ended": ended }))
    }

    pub(crate) fn signal(&mut self, name: &str) -> io::Result<Value> {
        let Some(child) = &mut self.child else { return Ok(json!({ "running": false })) };
        let signal = match name {
            "TERM" => Signal::TERM,
            "KILL" => Signal::KILL,
            "STOP" => Signal::STOP,
            "CONT" => Signal::CONT,
            _ => return Err(io::Error::other(format!("no signal {name}"))),
        };
        kill_process(Pid::from_child(child), signal)?;
        if matches!(name, "STOP" | "CONT") {
            return Ok(json!({}));
        }
        let status = child.wait()?;
        let _gone = fs::remove_file(STARTED);
        self.child = None;
        Ok(json!({ "code": status.code() }))
    }

    pub(crate) fn status(&mut self) -> io::Result<Value> {
        let ended = match &mut self.child {
            Some(child) => child.try_wait()?.map(|status| status.code()),
            None => Some(None),
        };
        let log = fs::read_to_string(LOG).unwrap_or_default();
        Ok(json!({ "running": ended.is_none(), "log": log }))
    }
}
