//! Lines, lamps, expanders and the board.

use super::{FaultText, TableDoes};

pub(super) const LOCK_OUT: &[FaultText] = &[
    FaultText {
        number: 1,
        name: "connection missing",
        meaning: "the GPIO connection of the configured name is not there, or is not given to us",
        cause: "wrong name, overlay not loaded, or the line is held by another driver",
        table: TableDoes::PartIsOut,
        remedy: "compare the name in the configuration with `gpio`; load the board's overlay; the line is tried again every two seconds",
    },
    FaultText {
        number: 2,
        name: "connections cannot be read",
        meaning: "the kernel gives no more edges or levels",
        cause: "driver of the GPIO chip failed",
        table: TableDoes::PartIsOut,
        remedy: "`unit restart`; if it returns, restart the board, then replace it",
    },
    FaultText {
        number: 3,
        name: "edges lost",
        meaning: "the kernel's queue of edges overflowed, of the button or of a sensor; all levels were read again",
        cause: "a line in a storm, or a board far too busy",
        table: TableDoes::Same("alert; bets of the present round are compared by hand"),
        remedy: "`gpio` names the lines, LK-102 or PS-103 the one that chatters; `health` shows the board's load",
    },
    FaultText {
        number: 101,
        name: "button stuck",
        meaning: "the button has been down for more than five seconds",
        cause: "something lies on it, or the switch is jammed or shorted",
        table: TableDoes::Same("the lock stays in force; no progressive bet is taken in the next round"),
        remedy: "free the button; measure the switch",
    },
    FaultText {
        number: 102,
        name: "button chattering",
        meaning: "the contact does not come to rest",
        cause: "loose wire, worn switch",
        table: TableDoes::PartIsOut,
        remedy: "tighten the terminal; replace the switch",
    },
    FaultText {
        number: 103,
        name: "button flickering",
        meaning: "the button goes down and up faster than anybody presses",
        cause: "loose wire, worn switch",
        table: TableDoes::PartIsOut,
        remedy: "tighten the terminal; replace the switch",
    },
];

pub(super) const SENSOR: &[FaultText] = &[
    FaultText {
        number: 1,
        name: "connection missing",
        meaning: "the GPIO connection of the configured name is not there, or is not given to us",
        cause: "wrong name, overlay not loaded, or the line is held by another driver",
        table: TableDoes::PartIsOut,
        remedy: "compare the name in the configuration with `gpio`; load the board's overlay; the line is tried again every two seconds",
    },
    FaultText {
        number: 2,
        name: "sensor cannot be read",
        meaning: "the sensor's connection or expander does not answer",
        cause: "see the faults of the lines and expanders that come with it",
        table: TableDoes::PartIsOut,
        remedy: "mend the line or the expander",
    },
    FaultText {
        number: 101,
        name: "sensor stuck",
        meaning: "the sensor has seen a chip for longer than its limit, where one is configured",
        cause: "drink, card or dirt on the sensor",
        table: TableDoes::PartIsOut,
        remedy: "clear and clean the spot; set the threshold at the sensor's screw",
    },
    FaultText {
        number: 102,
        name: "sensor chattering",
        meaning: "the signal does not come to rest",
        cause: "loose wire, missing pull-up",
        table: TableDoes::PartIsOut,
        remedy: "tighten the terminal; check the pull-up",
    },
    FaultText {
        number: 103,
        name: "sensor flickering",
        meaning: "the sensor changes faster than chips are placed",
        cause: "spot light or shadow at the threshold, failing emitter, lamp bleeding into the sensor",
        table: TableDoes::PartIsOut,
        remedy: "set the threshold at the sensor's screw; shade the spot; replace the sensor",
    },
];

pub(super) const LAMP: &[FaultText] = &[
    FaultText {
        number: 1,
        name: "connection missing",
        meaning: "the GPIO connection of the configured name is not there, or is not given to us",
        cause: "wrong name, overlay not loaded, or the line is held by another driver",
        table: TableDoes::PartIsOut,
        remedy: "compare the name in the configuration with `gpio`; load the board's overlay; the line is tried again every two seconds",
    },
    FaultText {
        number: 2,
        name: "lamps cannot be written",
        meaning: "the levels on the table may differ from what they should be",
        cause: "expander or bus failed",
        table: TableDoes::PartIsOut,
        remedy: "mend the bus; the lamps are set again by themselves",
    },
];

pub(super) const EXPANDER: &[FaultText] = &[
    FaultText {
        number: 1,
        name: "expander does not answer",
        meaning: "the bus works, but no chip answers at this address",
        cause: "chip without power, plug off, wrong address straps, bound by a kernel driver",
        table: TableDoes::PartIsOut,
        remedy: "`i2c scan` shows who answers; check plug, supply and straps; the kernel must not bind the chip",
    },
    FaultText {
        number: 2,
        name: "bus error",
        meaning: "a transfer was disturbed, or the bus cannot be opened",
        cause: "cable too long, pull-ups missing, I2C not enabled",
        table: TableDoes::PartIsOut,
        remedy: "`i2c scan` tells a dead bus from a dead chip; shorten the cable, 400 kHz to 100 kHz, fit pull-ups; chips are set up again by themselves",
    },
    FaultText {
        number: 3,
        name: "interrupt connection missing",
        meaning: "the GPIO connection on which the expanders tell of changes is not there, or is not given to us",
        cause: "wrong name, overlay not loaded, or the line is held by another driver",
        table: TableDoes::Same("the ports are read once a second; a press still reads them at once"),
        remedy: "compare the name in the configuration with `gpio`; the line is tried again every two seconds",
    },
    FaultText {
        number: 4,
        name: "bus cannot carry expanders",
        meaning: "the adapter of this bus speaks SMBus only: it refuses the transfers that the chips need",
        cause: "the wrong bus is named in the configuration, or a board whose only bus is of this kind",
        table: TableDoes::PartIsOut,
        remedy: "`i2c scan` shows the buses; name the header's own in the configuration, or fit a USB adapter for I2C",
    },
    FaultText {
        number: 101,
        name: "expander lost its set-up",
        meaning: "the chip's registers were at their reset values; it was set up again",
        cause: "its supply dips, or its reset line picks up noise",
        table: TableDoes::Same("bets placed meanwhile are late"),
        remedy: "fit a capacitor at the chip; check the reset pull-up",
    },
    FaultText {
        number: 102,
        name: "interrupt stuck",
        meaning: "the interrupt wire stays active although every port was read",
        cause: "short to ground, or a chip that is not in the configuration",
        table: TableDoes::Same("the ports are read once a second; a press still reads them at once"),
        remedy: "find the short; compare `i2c scan` with the configuration",
    },
];

pub(super) const BOARD: &[FaultText] = &[
    FaultText {
        number: 101,
        name: "under-voltage",
        meaning: "the board's supply is too low at this moment",
        cause: "weak supply or cable",
        table: TableDoes::Same("alert; play goes on"),
        remedy: "`health` shows the voltage; use the supply on the parts list; measure at the board",
    },
    FaultText {
        number: 102,
        name: "under-voltage before",
        meaning: "the supply was too low at some time since the board started",
        cause: "weak supply or cable, seen at peaks",
        table: TableDoes::Same("shown to the technician; play goes on"),
        remedy: "as for under-voltage; it clears when the board restarts",
    },
    FaultText {
        number: 103,
        name: "throttled",
        meaning: "the board slows itself down",
        cause: "heat or a weak supply",
        table: TableDoes::Same("alert; play goes on"),
        remedy: "free the air vents; check the supply",
    },
    FaultText {
        number: 111,
        name: "storage worn",
        meaning: "the storage says that four fifths of its life are used",
        cause: "age",
        table: TableDoes::Same("alert; play goes on"),
        remedy: "`disk` shows the wear; plan the exchange of the storage; export the journal first",
    },
    FaultText {
        number: 112,
        name: "storage at its end",
        meaning: "the storage says that its life is used up",
        cause: "age",
        table: TableDoes::Same("the table does not open on the next gaming day"),
        remedy: "export the journal and exchange the storage",
    },
    FaultText {
        number: 113,
        name: "state partition full",
        meaning: "there is no room left for the counters of wrong PINs, so no PIN can be checked",
        cause: "the partition is too small, or something else writes to it",
        table: TableDoes::Same("play goes on with whoever is signed in; nobody else is let in and nothing is approved"),
        remedy: "`disk` shows the room; whoever keeps the board removes what does not belong there; it ends by itself",
    },
];
