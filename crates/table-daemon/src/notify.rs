//! Words to systemd and to the log. The watchdog is fed by the loop and by nothing else: a timer would go on feeding it
//! while the table hangs.

mod journald;

use std::path::Path;
use std::time::{Duration, Instant};

use sd_notify::NotifyState;
use thiserror::Error;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::config::{Log, LogLevel, LogTo};
use journald::{JOURNALD, Journald};

/// The table is up: devices spoken to, lamps restored, journal open.
pub fn ready() {
    say(&[NotifyState::Ready]);
}

pub fn stopping() {
    say(&[NotifyState::Stopping]);
}

/// One line for `systemctl status`.
pub fn status(text: &str) {
    say(&[NotifyState::Status(text)]);
}

/// Without systemd there is nobody to tell, and that is fine.
fn say(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        tracing::warn!(%error, "systemd could not be told");
    }
}

/// Fed at every turn of the loop; speaks only as often as systemd asks for.
#[derive(Debug)]
pub struct Watchdog {
    interval: Option<Duration>,
    fed: Option<Instant>,
}

impl Watchdog {
    pub fn from_environment() -> Self {
        // A quarter of the limit, so that one late turn does not end the daemon.
        Self { interval: sd_notify::watchdog_enabled().map(|limit| limit / 4), fed: None }
    }

    /// How often the loop has to turn even when nothing happens.
    pub fn interval(&self) -> Option<Duration> {
        self.interval
    }

    /// The loop has come round.
    pub fn fed_by_loop(&mut self) {
        if self.due(Instant::now()) {
            say(&[NotifyState::Watchdog]);
        }
    }

    fn due(&mut self, now: Instant) -> bool {
        let Some(interval) = self.interval else { return false };
        let due = self.fed.is_none_or(|fed| now.saturating_duration_since(fed) >= interval);
        if due {
            self.fed = Some(now);
        }
        due
    }
}

#[derive(Debug, Error)]
pub enum LogError {
    #[error("journald cannot be reached: {0}; write [log] to = \"text\" where there is none")]
    Journald(std::io::Error),
    #[error("the log is set up already")]
    Twice,
}

/// Where everything said by `tracing` goes from now on.
pub fn start_log(log: &Log) -> Result<(), LogError> {
    let level = match log.level {
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Trace => LevelFilter::TRACE,
    };
    let registry = tracing_subscriber::registry().with(level);
    let started = match log.to {
        LogTo::Journald => {
            let journald = Journald::at(Path::new(JOURNALD)).map_err(LogError::Journald)?;
            registry.with(journald).try_init()
        }
        LogTo::Text => registry.with(tracing_subscriber::fmt::layer().with_writer(std::io::stderr)).try_init(),
        LogTo::Json => registry.with(tracing_subscriber::fmt::layer().json().with_writer(std::io::stderr)).try_init(),
    };
    started.map_err(|_| LogError::Twice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_watchdog_speaks_at_a_quarter_of_its_limit_and_only_when_fed() {
        let start = Instant::now();
        let mut watchdog = Watchdog { interval: Some(Duration::from_secs(2)), fed: None };
        let turns = [0, 100, 1_999, 2_000, 2_100, 3_999, 4_000, 60_000];
        let spoken: Vec<u64> =
            turns.into_iter().filter(|ms| watchdog.due(start + Duration::from_millis(*ms))).collect();
        assert_eq!(spoken, [0, 2_000, 4_000, 60_000]);
        let mut absent = Watchdog { interval: None, fed: None };
        assert!(!absent.due(start));
    }
}
