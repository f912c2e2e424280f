//! What is tried on the virtual board. A case starts a table of its own unless several questions share one boot, which costs
//! most of the time.

mod faults;
mod latency;
mod power;
mod shift;
mod storage;
mod systemd;

use std::path::Path;

use anyhow::{Context, Result};

use crate::machine::Image;
use crate::report::Latency;
use crate::table::Table;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting<'a> {
    pub(crate) image: &'a Image,
    pub(crate) folder: &'a Path,
    pub(crate) quick: bool,
}

/// What a case has to tell beside that it passed.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) lines: Vec<String>,
    pub(crate) latency: Option<Latency>,
}

impl Found {
    fn says(line: impl Into<String>) -> Self {
        Self { lines: vec![line.into()], latency: None }
    }

    fn and(mut self, line: impl Into<String>) -> Self {
        self.lines.push(line.into());
        self
    }
}

pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) shows: &'static str,
    /// Part of `cargo xtask test`.
    pub(crate) quick: bool,
    /// Also on the other processor.
    pub(crate) everywhere: bool,
    pub(crate) run: fn(&Setting<'_>) -> Result<Found>,
}

pub(crate) const ALL: &[Case] = &[
    Case {
        name: "shift",
        shows: "boot to READY, inspection, rounds with a progressive wager, lock-out and peek, late chip",
        quick: true,
        everywhere: true,
        run: shift::whole_rounds,
    },
    Case {
        name: "latency",
        shows: "lock-out edge to lamp, accepted and refused presses apart, against a bare reader",
        quick: false,
        everywhere: false,
        run: latency::presses,
    },
    Case {
        name: "faults",
        shows: "unplug and replug of each port, silent device, stuck button, expander gone and back, each with its code",
        quick: true,
        everywhere: false,
        run: faults::parts_come_and_go,
    },
    Case {
        name: "missing line",
        shows: "a line that is not there is a fault of its part; the table is up and says so",
        quick: false,
        everywhere: false,
        run: faults::missing_line,
    },
    Case {
        name: "swapped devices",
        shows: "reader and shoe in each other's ports are named, not used",
        quick: false,
        everywhere: false,
        run: faults::swapped,
    },
    Case {
        name: "backends",
        shows: "gpiocdev and linux-embedded-hal with undriven lines: nothing reads pressed",
        quick: false,
        everywhere: false,
        run: faults::backends,
    },
    Case {
        name: "storage",
        shows: "a full journal disk and a full state partition stop with their codes and go on when there is room",
        quick: false,
        everywhere: false,
        run: storage::full,
    },
    Case {
        name: "hang and clock",
        shows: "a stopped daemon goes on; a clock that steps is told",
        quick: false,
        everywhere: false,
        run: storage::hang_and_clock,
    },
    Case {
        name: "console",
        shows: "the technician's console on a UART, with the daemon up and killed",
        quick: false,
        everywhere: false,
        run: faults::console,
    },
    Case {
        name: "power cuts",
        shows: "power cut again and again in mid-round: nothing acknowledged is lost",
        quick: true,
        everywhere: false,
        run: power::cuts,
    },
    Case {
        name: "chip moved while off",
        shows: "a chip taken away while the power is off is no wager (H18)",
        quick: false,
        everywhere: false,
        run: power::chip_moved,
    },
];

/// What only a whole system shows, in one boot after the other: it takes twenty seconds each.
pub(crate) const UNDER_SYSTEMD: &[Case] = &[Case {
    name: "installed",
    shows: "the package under systemd: READY in the sandbox, a round, upgrade refused while open, console's unit, watchdog, \
            three power cuts, upgrade when closed, removal",
    quick: false,
    everywhere: false,
    run: systemd::installed,
}];

/// A fresh table that is switched on, with people and a daemon that is ready.
fn fresh(setting: &Setting<'_>, seed: u64) -> Result<Table> {
    let mut table = Table::new(setting.image, setting.folder, seed)?;
    table.power_on()?;
    table.add_people().context("the people")?;
    table.start_daemon()?;
    Ok(table)
}
