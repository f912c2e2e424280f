//! The table of commands: every word that the console and `holecard ctl` know, with who may say it, what it reads and
//! what it needs. Nothing else says any of this a second time.

mod change;
mod look;
mod records;
mod testing;

use operator_api::Role;

use crate::command::{Argument, Command, Effect, Family, Group, Id, Manner, Needs, SecondPerson, WithoutDaemon};

const EVERYBODY: &[Role] = &[Role::Technician, Role::Manager, Role::Floorperson, Role::Auditor];
const TECHNICIAN: &[Role] = &[Role::Technician];
const CONFIGURING: &[Role] = &[Role::Technician, Role::Manager, Role::Auditor];
const EXPORTING: &[Role] = &[Role::Technician, Role::Auditor];

/// A row that looks, for everybody but dealers, daemon or not. Rows that differ say in what.
const LOOK: Command = Command {
    id: Id::Status,
    word: "",
    then: "",
    argument: Argument::None,
    who: EVERYBODY,
    second: SecondPerson::Nobody,
    without_daemon: WithoutDaemon::Works,
    manner: Manner::Once,
    effect: Effect::Looks,
    needs: Needs::Nothing,
    on_rung: false,
    reads: "",
};

const PICTURE: &str = "the daemon's picture of the table, systemd, the fault book; no disk";

pub const FAMILIES: &[Family] = &[
    look::STATUS,
    look::WHY,
    look::DEV,
    look::MON,
    look::PORTS,
    look::GPIO,
    look::I2C,
    look::ERR,
    look::DISK,
    look::HEALTH,
    look::CLOCK,
    look::VER,
    look::WHO,
    testing::LOOP,
    testing::SENSOR,
    testing::LAMP,
    testing::READER,
    testing::SHUFFLER,
    testing::SHOE,
    testing::SELFTEST,
    records::LOG,
    records::RECALL,
    records::METERS,
    records::WORK,
    change::CONFIG,
    change::UNIT,
    change::SERVICE,
    change::HELP,
    change::EXIT,
];

/// Every row.
pub fn all() -> impl Iterator<Item = &'static Command> {
    FAMILIES.iter().flat_map(|family| family.commands)
}

/// The row of a command.
pub fn find(id: Id) -> Option<&'static Command> {
    all().find(|command| command.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_row_belongs_to_its_family_and_no_name_stands_twice() {
        let mut names = BTreeSet::new();
        for family in FAMILIES {
            assert!(!family.commands.is_empty() && !family.help.is_empty(), "{}", family.word);
            assert!(family.example.starts_with(family.word), "{}", family.word);
            for command in family.commands {
                assert_eq!(command.word, family.word);
                assert!(family.usage.contains(command.then), "{} in {}", command.then, family.usage);
                assert!(names.insert(command.name()), "{} stands twice", command.name());
                let session = family.group == Group::Session;
                assert!(session || !command.reads.is_empty(), "{} reads something", command.name());
                assert!(command.reads.is_ascii() && family.help.is_ascii() && family.summary.is_ascii());
            }
        }
        assert!(FAMILIES.iter().all(|family| family.summary.len() <= 60), "a few words");
    }

    #[test]
    fn the_rung_looks_and_changes_nothing() {
        let rung: Vec<String> = all().filter(|command| command.on_rung).map(Command::name).collect();
        assert_eq!(rung, ["status", "why", "disk", "ver", "unit status", "help", "exit"]);
        assert!(all().filter(|command| command.on_rung).all(|command| command.effect == Effect::Looks));
    }

    #[test]
    fn dealers_have_no_command_and_only_technicians_change_the_table() {
        for command in all() {
            assert!(!command.who.contains(&Role::Dealer), "{}", command.name());
            if command.effect == Effect::Changes {
                assert!(command.who.contains(&Role::Technician), "{}", command.name());
                assert!(!command.who.contains(&Role::Manager) && !command.who.contains(&Role::Floorperson));
            }
        }
    }
}
