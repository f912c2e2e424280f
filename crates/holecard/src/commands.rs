//! One file a command.

mod check;
mod clause;
mod ctl;
mod demo;
mod journal;
mod odds;
mod play;
mod samples;
mod sign;
mod sim;
mod simulate;
mod staff;

pub(crate) use ctl::Ctl;
pub(crate) use journal::Journal;
pub(crate) use sim::Sim;
pub(crate) use staff::Staff;

use crate::cli::{Cli, Command};
use crate::output::{Failure, Outcome};

pub(crate) fn run(cli: Cli) -> Result<Outcome, Failure> {
    match cli.command {
        Command::Demo(args) => demo::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Sign(args) => sign::run(&args),
        Command::Odds(args) => odds::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Clause(args) => clause::run(&args),
        Command::Journal(args) => journal::run(&args),
        Command::Sim(args) => sim::run(&args),
        Command::Staff(args) => staff::run(&args),
        Command::Ctl(args) => ctl::run(&args),
    }
}
