//! The log, settled rounds, meters.

use super::*;

pub(super) const LOG: Family = Family {
    word: "log",
    group: Group::Records,
    summary: "the table's log",
    usage: "log tail|find TEXT|export",
    help: "What the daemon logged: the last lines and those that come, or those with a text. `export` writes the settled \
           record to a signed file on the board. No card of an open round is in any of it.",
    example: "log find RD-",
    commands: &[
        Command { id: Id::LogTail, word: "log", then: "tail", manner: Manner::Stream, reads: "the log", ..LOOK },
        Command { id: Id::LogFind, word: "log", then: "find", argument: Argument::Text, reads: "the log", ..LOOK },
        Command {
            id: Id::LogExport,
            word: "log",
            then: "export",
            who: EXPORTING,
            reads: "the journal, settled rounds only; writes a file with its hashes and the journal's signatures",
            ..LOOK
        },
    ],
};

pub(super) const RECALL: Family = Family {
    word: "recall",
    group: Group::Records,
    summary: "a settled round",
    usage: "recall ROUND",
    help: "One round as it was recorded, event by event with its clauses. An open round is not shown.",
    example: "recall 88",
    commands: &[Command {
        id: Id::Recall,
        word: "recall",
        argument: Argument::Round,
        reads: "the journal, settled rounds only",
        ..LOOK
    }],
};

pub(super) const METERS: Family = Family {
    word: "meters",
    group: Group::Records,
    summary: "progressive meters",
    usage: "meters",
    help: "What each meter, its reserve and its overflow hold, and what was hit.",
    example: "meters",
    commands: &[Command {
        id: Id::Meters,
        word: "meters",
        without_daemon: WithoutDaemon::No,
        reads: "the daemon",
        ..LOOK
    }],
};

pub(super) const WORK: Family = Family {
    word: "work",
    group: Group::Records,
    summary: "work orders",
    usage: "work list|close ORDER",
    help: "What waits for a technician: from failed inspections and from people at the table. `close` asks what was done; it is \
           on record with your number.",
    example: "work list",
    commands: &[
        Command {
            id: Id::WorkList,
            word: "work",
            then: "list",
            without_daemon: WithoutDaemon::No,
            reads: "the daemon",
            ..LOOK
        },
        Command {
            id: Id::WorkClose,
            word: "work",
            then: "close",
            argument: Argument::Order,
            who: TECHNICIAN,
            without_daemon: WithoutDaemon::No,
            effect: Effect::Changes,
            reads: "the daemon",
            ..LOOK
        },
    ],
};
