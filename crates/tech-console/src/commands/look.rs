//! What looks: the table, its devices, the board.

use super::*;

const WATCH: Command = Command {
    word: "mon",
    argument: Argument::Device,
    who: TECHNICIAN,
    manner: Manner::Stream,
    without_daemon: WithoutDaemon::Partly("it only listens"),
    reads: "the port's tap, masked; without the daemon the port itself, through the same mask",
    ..LOOK
};

pub(super) const STATUS: Family = Family {
    word: "status",
    group: Group::Look,
    summary: "one screen: unit, table, what stops it, worst fault",
    usage: "status",
    help: "The whole table on one screen; what stops the next round comes with its clause and the next step.",
    example: "status | find stops",
    commands: &[Command { id: Id::Status, word: "status", on_rung: true, reads: PICTURE, ..LOOK }],
};

pub(super) const WHY: Family = Family {
    word: "why",
    group: Group::Look,
    summary: "a code: meaning, cause, remedy",
    usage: "why [CODE]",
    help: "What a code means, where it comes from, what the table does and what to do. Without a code: the worst \
           fault that stands.",
    example: "why RD-010",
    commands: &[Command { id: Id::Why, word: "why", argument: Argument::Code, on_rung: true, reads: PICTURE, ..LOOK }],
};

pub(super) const DEV: Family = Family {
    word: "dev",
    group: Group::Look,
    summary: "devices: port, link, identity, ladder",
    usage: "dev list | dev show DEVICE",
    help: "Port, holder, identity and firmware of each device, and the ladder: do bytes come, are they frames, are \
           they understood. The first rung that fails names the part.",
    example: "dev show reader",
    commands: &[
        Command {
            id: Id::DevList,
            word: "dev",
            then: "list",
            without_daemon: WithoutDaemon::Partly("ports and identity as last seen"),
            reads: "the state of the ports, udev, /proc",
            ..LOOK
        },
        Command {
            id: Id::DevShow,
            word: "dev",
            then: "show",
            argument: Argument::Device,
            without_daemon: WithoutDaemon::Partly("ports and identity as last seen"),
            reads: "the state of the ports, udev, /proc",
            ..LOOK
        },
    ],
};

pub(super) const MON: Family = Family {
    word: "mon",
    group: Group::Look,
    summary: "watch a device: raw bytes, frames, events",
    usage: "mon raw|frame|event DEVICE",
    help: "The first rung that fails names the part. No raw: cable or supply; no frame: speed or ground; no event: \
           wrong device or firmware.",
    example: "mon raw reader",
    commands: &[
        Command { id: Id::MonRaw, then: "raw", ..WATCH },
        Command { id: Id::MonFrame, then: "frame", ..WATCH },
        Command { id: Id::MonEvent, then: "event", ..WATCH },
    ],
};

pub(super) const PORTS: Family = Family {
    word: "ports",
    group: Group::Look,
    summary: "serial ports: socket, device, holder",
    usage: "ports",
    help: "Every serial port of the board, the socket it belongs to, which device should be there and which one \
           answers. A ! marks a device on another one's socket.",
    example: "ports",
    commands: &[Command {
        id: Id::Ports,
        word: "ports",
        without_daemon: WithoutDaemon::Partly("nothing is heard"),
        reads: "/dev, udev, /proc, the state of the ports",
        ..LOOK
    }],
};

pub(super) const GPIO: Family = Family {
    word: "gpio",
    group: Group::Look,
    summary: "lines: button, sensors, lamps",
    usage: "gpio [watch]",
    help: "The lock-out button, sensors and lamps by name and line, with level, what it means, and how often it moved. \
           `watch` shows each change as it comes.",
    example: "gpio | find sensor",
    commands: &[
        Command {
            id: Id::Gpio,
            word: "gpio",
            who: TECHNICIAN,
            without_daemon: WithoutDaemon::Partly("inputs are read, lamps are left alone"),
            reads: "levels, counters and set-up from the daemon; without it the inputs themselves",
            ..LOOK
        },
        Command {
            id: Id::GpioWatch,
            word: "gpio",
            then: "watch",
            who: TECHNICIAN,
            without_daemon: WithoutDaemon::No,
            manner: Manner::Stream,
            reads: "levels and counters from the daemon",
            ..LOOK
        },
    ],
};

pub(super) const I2C: Family = Family {
    word: "i2c",
    group: Group::Look,
    summary: "expanders: expected against found",
    usage: "i2c scan",
    help: "Each expander that the configuration names, whether it answers the daemon, since when, and what it carries. \
           All of them gone is the bus; one of them is that chip, its plug or its straps.",
    example: "i2c scan",
    commands: &[Command {
        id: Id::I2cScan,
        word: "i2c",
        then: "scan",
        who: TECHNICIAN,
        without_daemon: WithoutDaemon::Partly("what is expected; who answers is not known"),
        reads: "the configuration and the daemon's picture; the bus itself is the daemon's",
        ..LOOK
    }],
};

pub(super) const ERR: Family = Family {
    word: "err",
    group: Group::Look,
    summary: "counters: bytes, frames, damage, repeats",
    usage: "err [clear]",
    help: "Counters of each device since the daemon started. RXRAW must rise while a device is connected. `err clear` \
           sets a mark to count from; the counters themselves stay.",
    example: "err",
    commands: &[
        Command {
            id: Id::Err,
            word: "err",
            without_daemon: WithoutDaemon::No,
            reads: "the counters of the ports",
            ..LOOK
        },
        Command {
            id: Id::ErrClear,
            word: "err",
            then: "clear",
            who: TECHNICIAN,
            without_daemon: WithoutDaemon::No,
            effect: Effect::Changes,
            reads: "the counters of the ports; sets a mark in this session",
            ..LOOK
        },
    ],
};

pub(super) const DISK: Family = Family {
    word: "disk",
    group: Group::Look,
    summary: "space, wear, a write test",
    usage: "disk",
    help: "Room on the journal's and the state's partition, how a small write goes, what the journal holds and how \
           worn the storage is.",
    example: "disk",
    commands: &[Command {
        id: Id::Disk,
        word: "disk",
        on_rung: true,
        reads: "statvfs, /sys/bus/mmc, a write test of at most 2 s in a process of its own",
        ..LOOK
    }],
};

pub(super) const HEALTH: Family = Family {
    word: "health",
    group: Group::Look,
    summary: "voltage, temperature, memory, journal head",
    usage: "health",
    help: "The board: supply, temperature, load, memory; and where the journal stands.",
    example: "health",
    commands: &[Command { id: Id::Health, word: "health", reads: "sysfs, /proc, the journal's head", ..LOOK }],
};

pub(super) const CLOCK: Family = Family {
    word: "clock",
    group: Group::Look,
    summary: "time, its sources, the gaming day",
    usage: "clock",
    help: "Local time and UTC, whether anything stands behind the clock, and when the gaming day turns.",
    example: "clock",
    commands: &[Command { id: Id::Clock, word: "clock", reads: "chrony or timesyncd, the battery clock", ..LOOK }],
};

pub(super) const VER: Family = Family {
    word: "ver",
    group: Group::Look,
    summary: "versions and hashes",
    usage: "ver",
    help: "Software, rules, configuration and firmware by their hashes, to compare with the approved set.",
    example: "ver",
    commands: &[Command { id: Id::Ver, word: "ver", on_rung: true, reads: PICTURE, ..LOOK }],
};

pub(super) const WHO: Family = Family {
    word: "who",
    group: Group::Look,
    summary: "who is at the table and at the console",
    usage: "who",
    help: "The dealer who is signed in, who has the table in service mode, and you.",
    example: "who",
    commands: &[Command { id: Id::Who, word: "who", reads: PICTURE, ..LOOK }],
};
