//! One file a command.

mod check;
mod clause;
mod console;
mod ctl;
mod demo;
mod inspection;
mod journal;
mod odds;
mod papers;
mod play;
mod samples;
mod setup;
mod sign;
mod sim;
mod simulate;
mod staff;
mod strategy;
mod ver;
mod why;

pub(crate) use console::Console;
pub(crate) use ctl::Ctl;
pub(crate) use inspection::Inspection;
pub(crate) use journal::{Journal, settled};
pub(crate) use papers::Papers;
pub(crate) use setup::Setup;
pub(crate) use sim::Sim;
pub(crate) use staff::Staff;
pub(crate) use ver::Ver;
pub(crate) use why::Why;

use crate::cli::{Cli, Command};
use crate::output::{Failure, Outcome};

pub(crate) fn run(cli: Cli) -> Result<Outcome, Failure> {
    match cli.command {
        Command::Demo(args) => demo::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Sign(args) => sign::run(&args),
        Command::Odds(args) => odds::run(&args),
        Command::Strategy(args) => strategy::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Clause(args) => clause::run(&args),
        Command::Inspection(args) => inspection::run(&args),
        Command::Journal(args) => journal::run(&args),
        Command::Setup(args) => setup::run(&args),
        Command::Sim(args) => sim::run(&args),
        Command::Staff(args) => staff::run(&args),
        Command::Console(args) => console::run(&args),
        Command::Ctl(args) => ctl::run(&args),
        Command::Why(args) => why::run(&args),
        Command::Ver(args) => ver::run(&args),
        Command::Papers(args) => papers::run(&args),
    }
}
