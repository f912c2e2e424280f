//! What changes the table, and the session's own words.

use super::*;

pub(super) const CONFIG: Family = Family {
    word: "config",
    group: Group::Change,
    summary: "the table's configuration",
    usage: "config show|diff|check|paste NAME|stage NAME",
    help: "The file and the last configuration that was loaded, what differs, and whether it is right. `paste` takes \
           one over this cable; `stage` puts one in place, `last-good` always among them.",
    example: "config stage last-good",
    commands: &[
        Command {
            id: Id::ConfigShow,
            word: "config",
            then: "show",
            who: CONFIGURING,
            reads: "the table's file; secrets appear as paths",
            ..LOOK
        },
        Command {
            id: Id::ConfigDiff,
            word: "config",
            then: "diff",
            who: CONFIGURING,
            reads: "the table's file and last-good",
            ..LOOK
        },
        Command {
            id: Id::ConfigCheck,
            word: "config",
            then: "check",
            who: CONFIGURING,
            reads: "the table's file and its rules",
            ..LOOK
        },
        Command {
            id: Id::ConfigPaste,
            word: "config",
            then: "paste",
            argument: Argument::NewName,
            who: TECHNICIAN,
            effect: Effect::Changes,
            reads: "the terminal; writes to the staging directory",
            ..LOOK
        },
        Command {
            id: Id::ConfigStage,
            word: "config",
            then: "stage",
            argument: Argument::Configuration,
            who: TECHNICIAN,
            second: SecondPerson::Manager,
            effect: Effect::Changes,
            reads: "the staging directory and last-good; writes the table's file between rounds",
            ..LOOK
        },
    ],
};

pub(super) const UNIT: Family = Family {
    word: "unit",
    group: Group::Change,
    summary: "the daemon's unit",
    usage: "unit status|restart|reset-failed",
    help: "How systemd sees the daemon. A restart in a round takes two people; `reset-failed` forgets failed starts \
           and starts it.",
    example: "unit status",
    commands: &[
        Command { id: Id::UnitStatus, word: "unit", then: "status", on_rung: true, reads: "systemd", ..LOOK },
        Command {
            id: Id::UnitRestart,
            word: "unit",
            then: "restart",
            who: TECHNICIAN,
            second: SecondPerson::InChargeInRound,
            effect: Effect::Changes,
            reads: "systemd",
            ..LOOK
        },
        Command {
            id: Id::UnitResetFailed,
            word: "unit",
            then: "reset-failed",
            who: TECHNICIAN,
            second: SecondPerson::InChargeInRound,
            effect: Effect::Changes,
            reads: "systemd",
            ..LOOK
        },
    ],
};

pub(super) const SERVICE: Family = Family {
    word: "service",
    group: Group::Change,
    summary: "service mode",
    usage: "service enter|leave",
    help: "Closes the table for work on its devices, between rounds; the dealer's screen says so. Leaving runs the \
           self-test; after work on the reader the full inspection follows. Logging out leaves nothing.",
    example: "service enter",
    commands: &[
        Command {
            id: Id::ServiceEnter,
            word: "service",
            then: "enter",
            who: TECHNICIAN,
            without_daemon: WithoutDaemon::No,
            effect: Effect::Changes,
            reads: "the daemon",
            ..LOOK
        },
        Command {
            id: Id::ServiceLeave,
            word: "service",
            then: "leave",
            who: TECHNICIAN,
            without_daemon: WithoutDaemon::No,
            effect: Effect::Changes,
            reads: "the daemon",
            ..LOOK
        },
    ],
};

pub(super) const HELP: Family = Family {
    word: "help",
    group: Group::Session,
    summary: "the words, or one command",
    usage: "help [COMMAND]",
    help: "The words of the console, or what one of them does. `?` lists what fits at any point of a line.",
    example: "help mon",
    commands: &[Command { id: Id::Help, word: "help", argument: Argument::Command, on_rung: true, ..LOOK }],
};

pub(super) const EXIT: Family = Family {
    word: "exit",
    group: Group::Session,
    summary: "log out",
    usage: "exit",
    help: "Logs out. Service mode stays as it is. Ctrl-D on an empty line does the same.",
    example: "exit",
    commands: &[Command { id: Id::Exit, word: "exit", on_rung: true, ..LOOK }],
};
