//! Which function does which command. One exhaustive match: a row of the table without a function does not compile.

use operator_api::{PersonId, Picture, Role};
use serde_json::Value;
use tech_console::output::NotDone;
use tech_console::{Id, Invocation, Output};
use zeroize::Zeroizing;

use super::world::World;
use super::{board, change, expanders, lines, look, looped, mon, ports, records, trying, work};

/// Somebody who gave the right PIN.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    pub(crate) number: PersonId,
    pub(crate) role: Role,
    /// The daemon asks for it again where something changes; it lives as long as the session.
    pub(crate) pin: Zeroizing<String>,
}

/// What a command may say and ask while it runs.
pub(crate) trait Dialog {
    /// Who runs it; `None` on the read-only rung.
    fn person(&self) -> Option<Person>;
    fn line(&mut self, text: &str, data: Value);
    /// Says what will happen and asks once.
    fn confirm(&mut self, text: &str) -> bool;
    /// A second person with one of these roles; `None` where nobody was found right.
    fn second(&mut self, text: &str, roles: &[Role]) -> Option<Person>;
    /// The beginning of a line whose end comes later.
    fn part(&mut self, text: &str);
    /// Words of the person's own; the text is the question.
    fn words(&mut self, question: &str) -> Option<String>;
    /// A line of a text that is pasted; `None` at its end.
    fn pasted(&mut self) -> Option<String>;
    /// Whether somebody wants it to end.
    fn stopped(&self) -> bool;
    /// The counters as they stood at `err clear`.
    fn mark(&self) -> Option<Picture>;
    fn set_mark(&mut self, picture: Picture);
}

pub(crate) fn run(world: &World, invocation: &Invocation, dialog: &mut dyn Dialog) -> Result<Output, NotDone> {
    let argument = invocation.argument.as_str();
    match invocation.command.id {
        Id::Status => Ok(look::status(world, dialog)),
        Id::Why => look::why(world, argument),
        Id::Ver => Ok(look::ver(world)),
        Id::Who => Ok(look::who(world, dialog)),
        Id::DevList => ports::dev_list(world),
        Id::DevShow => ports::dev_show(world, argument),
        Id::Err => ports::err(world, dialog),
        Id::ErrClear => ports::err_clear(world, dialog),
        Id::MonRaw => mon::watch(world, argument, mon::Rung::Raw, dialog),
        Id::MonFrame => mon::watch(world, argument, mon::Rung::Frame, dialog),
        Id::MonEvent => mon::watch(world, argument, mon::Rung::Event, dialog),
        Id::Ports => Ok(ports::ports(world)),
        Id::Loop => looped::run(world, argument, dialog),
        Id::Gpio => Ok(lines::gpio(world)),
        Id::GpioWatch => lines::watch(world, dialog),
        Id::I2cScan => Ok(expanders::scan(world)),
        Id::Disk => Ok(board::disk(world)),
        Id::Health => Ok(board::health(world)),
        Id::Clock => Ok(board::clock(world)),
        Id::LogTail => Ok(records::log_tail(world, dialog)),
        Id::LogFind => records::log_find(world, argument),
        Id::LogExport => records::log_export(world),
        Id::Recall => records::recall(world, argument),
        Id::Meters => records::meters(world),
        Id::WorkList => work::list(world),
        Id::WorkClose => work::close(world, argument, dialog),
        Id::ConfigShow => change::config_show(world),
        Id::ConfigDiff => change::config_diff(world),
        Id::ConfigCheck => Ok(change::config_check(world)),
        Id::ConfigPaste => change::config_paste(world, argument, dialog),
        Id::ConfigStage => change::config_stage(world, argument, dialog),
        Id::UnitStatus => Ok(change::unit_status(world)),
        Id::UnitRestart => change::unit_restart(world, dialog),
        Id::UnitResetFailed => change::unit_reset_failed(world, dialog),
        Id::ServiceEnter => trying::service_enter(world, dialog),
        Id::ServiceLeave => trying::service_leave(world, dialog),
        Id::SensorRaw | Id::SensorCal => lines::sensor(world, argument, dialog),
        Id::LampTest => trying::lamps(world, dialog),
        Id::ReaderTest => trying::reader(world, dialog),
        Id::ShufflerQuery => trying::query(world, "shuffler"),
        Id::ShoeQuery => trying::query(world, "shoe"),
        Id::SelfTest => trying::selftest(world),
        // The session answers these itself.
        Id::Help | Id::Exit => Ok(Output::default()),
    }
}

pub(crate) fn not_now(reason: impl Into<String>) -> NotDone {
    NotDone::new("not-now", reason, "")
}

/// Somebody said no, or nothing for half a minute.
pub(crate) fn declined() -> NotDone {
    NotDone::new("declined", "nothing was done: type the command again and answer yes", "")
}
