//! A jumper on a line of the board: where nobody's PIN can be checked, whoever is inside the housing may look.

use device_drivers::clock::Span;
use device_drivers::gpio::backend::BoardLines;
use device_drivers::gpio::{EdgeSource, LineId, LineSpec};

use super::world::World;

/// Whether the read-only rung is open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Rung {
    Open,
    /// The line is named, and nothing pulls it down.
    Jumper(String),
}

/// Read once: the line is asked for, looked at and given back. The daemon never claims it.
pub(super) fn rung(world: &World) -> Rung {
    judge(world.config.console.jumper.as_deref(), |line| is_bridged(world, line))
}

fn judge(configured: Option<&str>, is_bridged: impl FnOnce(&str) -> bool) -> Rung {
    match configured {
        None => Rung::Open,
        Some(line) if is_bridged(line) => Rung::Open,
        Some(line) => Rung::Jumper(line.to_owned()),
    }
}

fn is_bridged(world: &World, line: &str) -> bool {
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return false };
    let _on = runtime.enter();
    let spec = LineSpec { name: line.to_owned(), active_low: true, debounce: Span::millis(0) };
    // Any name will do for one line that nobody watches.
    let mut lines = BoardLines::open(world.config.devices.gpio.backend, &[(LineId::LockOut, spec)]);
    lines.levels().is_ok_and(|levels| levels.iter().any(|(_, active)| *active))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_named_jumper_is_asked_for_and_a_line_that_cannot_be_read_is_open() {
        assert_eq!(judge(None, |_| false), Rung::Open);
        assert_eq!(judge(Some("GPIO22"), |line| line == "GPIO22"), Rung::Open);
        assert_eq!(judge(Some("GPIO22"), |_| false), Rung::Jumper("GPIO22".to_owned()));
    }
}
