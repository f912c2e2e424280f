//! Lines, lamps, expanders and the board.

use super::FaultText;

const PROGRESSIVE_STOPS: &str = "progressive wagers stop: every sensor is treated as locked";

pub(super) const LOCK_OUT: &[FaultText] = &[
    FaultText {
        number: 1,
        name: "line missing",
        meaning: "there is no GPIO line of the configured name",
        cause: "wrong name, or the device tree overlay is not loaded",
        table: PROGRESSIVE_STOPS,
        remedy: "compare the name with `gpioinfo`; load the board's overlay",
    },
    FaultText {
        number: 2,
        name: "lines cannot be read",
        meaning: "the kernel gives no more edges or levels",
        cause: "driver of the GPIO chip failed",
        table: PROGRESSIVE_STOPS,
        remedy: "restart the board; if it returns, replace it",
    },
    FaultText {
        number: 3,
        name: "edges lost",
        meaning: "the kernel's queue of edges overflowed, of the button or of a sensor; all levels were read again",
        cause: "a line in a storm, or a board far too busy",
        table: "alert; wagers of the present round are compared by hand",
        remedy: "look for a chattering line; check the board's load",
    },
    FaultText {
        number: 101,
        name: "button stuck",
        meaning: "the button has been down for more than five seconds",
        cause: "something lies on it, or the switch is jammed or shorted",
        table: "the lock stays in force; no progressive wager is taken in the next round",
        remedy: "free the button; measure the switch",
    },
    FaultText {
        number: 102,
        name: "button chattering",
        meaning: "the contact does not come to rest",
        cause: "loose wire, worn switch",
        table: PROGRESSIVE_STOPS,
        remedy: "tighten the terminal; replace the switch",
    },
    FaultText {
        number: 103,
        name: "button flickering",
        meaning: "the button goes down and up faster than anybody presses",
        cause: "loose wire, worn switch",
        table: PROGRESSIVE_STOPS,
        remedy: "tighten the terminal; replace the switch",
    },
];

const SPOT_OUT: &str = "the spot takes no progressive wager; its chips are treated as late";

pub(super) const SENSOR: &[FaultText] = &[
    FaultText {
        number: 1,
        name: "line missing",
        meaning: "there is no GPIO line of the configured name",
        cause: "wrong name, or the device tree overlay is not loaded",
        table: SPOT_OUT,
        remedy: "compare the name with `gpioinfo`; load the board's overlay",
    },
    FaultText {
        number: 2,
        name: "sensor cannot be read",
        meaning: "the sensor's line or expander does not answer",
        cause: "see the faults of the lines and expanders that come with it",
        table: SPOT_OUT,
        remedy: "mend the line or the expander",
    },
    FaultText {
        number: 101,
        name: "sensor stuck",
        meaning: "the sensor has seen a chip for longer than its limit, where one is configured",
        cause: "drink, card or dirt on the sensor",
        table: SPOT_OUT,
        remedy: "clear and clean the spot; calibrate the sensor",
    },
    FaultText {
        number: 102,
        name: "sensor chattering",
        meaning: "the signal does not come to rest",
        cause: "loose wire, missing pull-up",
        table: SPOT_OUT,
        remedy: "tighten the terminal; check the pull-up",
    },
    FaultText {
        number: 103,
        name: "sensor flickering",
        meaning: "the sensor changes faster than chips are placed",
        cause: "spot light or shadow at the threshold, failing emitter, lamp bleeding into the sensor",
        table: SPOT_OUT,
        remedy: "calibrate; shade the spot; replace the sensor",
    },
];

pub(super) const LAMP: &[FaultText] = &[
    FaultText {
        number: 1,
        name: "line missing",
        meaning: "there is no GPIO line of the configured name",
        cause: "wrong name, or the device tree overlay is not loaded",
        table: "progressive wagers stop: a lamp is the proof of acceptance",
        remedy: "compare the name with `gpioinfo`; load the board's overlay",
    },
    FaultText {
        number: 2,
        name: "lamps cannot be written",
        meaning: "the levels on the table may differ from what they should be",
        cause: "expander or bus failed",
        table: "progressive wagers stop; the screen shows which spots are accepted",
        remedy: "mend the bus; the lamps are set again by themselves",
    },
];

pub(super) const EXPANDER: &[FaultText] = &[
    FaultText {
        number: 1,
        name: "expander does not answer",
        meaning: "no chip answers at its address",
        cause: "chip without power, plug off, wrong address straps, bound by a kernel driver",
        table: "its spots take no progressive wager",
        remedy: "check plug and straps; the kernel must not bind the chip",
    },
    FaultText {
        number: 2,
        name: "bus error",
        meaning: "a transfer failed, or the bus cannot be opened",
        cause: "cable too long, pull-ups missing, I2C not enabled",
        table: "the spots of the bus take no progressive wager",
        remedy: "shorten the cable, 400 kHz to 100 kHz, fit pull-ups; the chips are set up again by themselves",
    },
    FaultText {
        number: 101,
        name: "expander lost its set-up",
        meaning: "the chip's registers were at their reset values; it was set up again",
        cause: "its supply dips, or its reset line picks up noise",
        table: "wagers placed meanwhile are late",
        remedy: "fit a capacitor at the chip; check the reset pull-up",
    },
    FaultText {
        number: 102,
        name: "interrupt stuck",
        meaning: "the interrupt wire stays active although every port was read",
        cause: "short to ground, or a chip that is not in the configuration",
        table: "the ports are read once a second; a press still reads them at once",
        remedy: "find the short; compare the chips on the bus with the configuration",
    },
];

pub(super) const BOARD: &[FaultText] = &[
    FaultText {
        number: 101,
        name: "under-voltage",
        meaning: "the board's supply is too low at this moment",
        cause: "weak supply or cable",
        table: "alert; play goes on",
        remedy: "use the supply on the parts list; measure at the board",
    },
    FaultText {
        number: 102,
        name: "under-voltage before",
        meaning: "the supply was too low at some time since the board started",
        cause: "weak supply or cable, seen at peaks",
        table: "shown to the technician; play goes on",
        remedy: "as for under-voltage; it clears when the board restarts",
    },
    FaultText {
        number: 103,
        name: "throttled",
        meaning: "the board slows itself down",
        cause: "heat or a weak supply",
        table: "alert; play goes on",
        remedy: "free the air vents; check the supply",
    },
    FaultText {
        number: 111,
        name: "storage worn",
        meaning: "the storage says that four fifths of its life are used",
        cause: "age",
        table: "alert; play goes on",
        remedy: "plan the exchange of the storage; export the journal first",
    },
    FaultText {
        number: 112,
        name: "storage at its end",
        meaning: "the storage says that its life is used up",
        cause: "age",
        table: "the table does not open on the next gaming day",
        remedy: "export the journal and exchange the storage",
    },
];
