//! What tries a device.

use super::*;

/// A test of a device, in service mode, by the daemon that holds it.
const TEST: Command = Command { who: TECHNICIAN, without_daemon: WithoutDaemon::No, needs: Needs::Service, ..LOOK };

const QUERY: Command = Command {
    then: "query",
    who: TECHNICIAN,
    without_daemon: WithoutDaemon::No,
    reads: "what the device last said of its state; no card",
    ..LOOK
};

pub(super) const LOOP: Family = Family {
    word: "loop",
    group: Group::Tests,
    summary: "a port with a loop-back plug",
    usage: "loop DEVICE",
    help: "Sends 64, then 4,096 bytes through a plug that joins the two wires. Plug at the board: the port; at the far \
           end of the cable: the wires. In service mode, or while the daemon is down; refused where a device answers.",
    example: "loop reader",
    commands: &[Command {
        id: Id::Loop,
        word: "loop",
        argument: Argument::Device,
        who: TECHNICIAN,
        needs: Needs::ServiceOrDown,
        reads: "the port itself, with bytes that are no frame",
        ..LOOK
    }],
};

pub(super) const SENSOR: Family = Family {
    word: "sensor",
    group: Group::Tests,
    summary: "one sensor: its level, its screw",
    usage: "sensor raw|cal SEAT[.SPOT]",
    help: "Each change of a seat's sensors as it comes, or how long a chip was seen, for turning the sensor's screw. \
           Inputs are digital: nothing is stored.",
    example: "sensor raw 3",
    commands: &[
        Command {
            id: Id::SensorRaw,
            word: "sensor",
            then: "raw",
            argument: Argument::Sensor,
            manner: Manner::Stream,
            reads: "levels and counters from the daemon",
            ..TEST
        },
        Command {
            id: Id::SensorCal,
            word: "sensor",
            then: "cal",
            argument: Argument::Sensor,
            manner: Manner::Stream,
            effect: Effect::Changes,
            reads: "levels and counters from the daemon",
            ..TEST
        },
    ],
};

pub(super) const LAMP: Family = Family {
    word: "lamp",
    group: Group::Tests,
    summary: "light every lamp in its turn",
    usage: "lamp test",
    help: "Lights each lamp for a second, then all of them, then as they were, and asks which stayed dark.",
    example: "lamp test",
    commands: &[Command {
        id: Id::LampTest,
        word: "lamp",
        then: "test",
        effect: Effect::Changes,
        reads: "nothing; the daemon lights the lamps",
        ..TEST
    }],
};

pub(super) const READER: Family = Family {
    word: "reader",
    group: Group::Tests,
    summary: "the reader with its test cards",
    usage: "reader test",
    help: "The test cards of the daily inspection, one by one. Whatever comes of it, the floor passes the full inspection \
           after service.",
    example: "reader test",
    commands: &[Command {
        id: Id::ReaderTest,
        word: "reader",
        then: "test",
        effect: Effect::Changes,
        reads: "the reader's answers to test cards, from the daemon",
        ..TEST
    }],
};

pub(super) const SHUFFLER: Family = Family {
    word: "shuffler",
    group: Group::Tests,
    summary: "what the shuffler says of itself",
    usage: "shuffler query",
    help: "State, counts and faults of the shuffler; no card.",
    example: "shuffler query",
    commands: &[Command { id: Id::ShufflerQuery, word: "shuffler", ..QUERY }],
};

pub(super) const SHOE: Family = Family {
    word: "shoe",
    group: Group::Tests,
    summary: "what the shoe says of itself",
    usage: "shoe query",
    help: "State, counts and faults of each shoe; no card.",
    example: "shoe query",
    commands: &[Command { id: Id::ShoeQuery, word: "shoe", ..QUERY }],
};

pub(super) const SELFTEST: Family = Family {
    word: "selftest",
    group: Group::Tests,
    summary: "every part of the table in one look",
    usage: "selftest",
    help: "Board, storage, journal, clock and every device: ok, FAIL with its code, or - where the table has none.",
    example: "selftest",
    commands: &[Command {
        id: Id::SelfTest,
        word: "selftest",
        reads: "the daemon's picture of the table, sysfs",
        ..TEST
    }],
};
