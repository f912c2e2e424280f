//! `holecard sim`: one simulated device on a port, for bench work.
//!
//! Commands come from a script and then from standard input; what the device sends and receives is printed as a ladder of
//! raw bytes, frames and events. Thin: the devices live in `table-simulator`.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use clap::{Args, ValueEnum};
use device_protocols::link::Millis;
use table_simulator::bridge::PanelBridge;
use table_simulator::port::{RunningTwin, Watcher};
use table_simulator::reader::ReaderTwin;
use table_simulator::shoe::ShoeTwin;
use table_simulator::shuffler::ShufflerTwin;
use table_simulator::twin::Twin;

use crate::files;
use crate::output::{BAD, Failure, Outcome, Styled, stdout};

/// Run one simulated device on a pty, with its buttons and faults as commands.
///
/// Prints the path to open, then everything the device sends and receives. Type `help` for its words; a script has one
/// command a line, `#` for comments and `wait MS` for pauses.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    holecard sim reader --path /tmp/table/reader\n  \
    holecard sim shoe --seed 7 --script jam-and-misread.sim\n  \
    holecard sim shuffler --tcp 127.0.0.1:4001\n  \
    holecard sim gpio\n\n\
    Exits with 1 if a script's command was refused. docs/technician/bench.md explains every word.")]
pub(crate) struct Sim {
    device: Device,
    /// Commands to run first; without more commands on standard input the device then stops.
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// Where chance starts: boot ids, shuffles, faults.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// A symbolic link that always points to the pty, also after unplug and replug.
    #[arg(long, value_name = "SYMLINK", conflicts_with = "tcp")]
    path: Option<PathBuf>,
    /// Listen on this address instead, raw, as a serial server does.
    #[arg(long, value_name = "ADDRESS:PORT")]
    tcp: Option<SocketAddr>,
    /// Print answers to commands only, not the traffic.
    #[arg(long)]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Device {
    Reader,
    Shuffler,
    Shoe,
    /// Lock-out button, sensors and lamps, as lines of text.
    Gpio,
}

pub(crate) fn run(args: &Sim) -> Result<Outcome, Failure> {
    let now = Millis(0);
    match args.device {
        Device::Reader => serve(args, ReaderTwin::new(args.seed, now)),
        Device::Shuffler => serve(args, ShufflerTwin::new(args.seed, now)),
        Device::Shoe => serve(args, ShoeTwin::new(args.seed, now)),
        Device::Gpio => serve(args, PanelBridge::new(8, 3)),
    }
}

/// What the main loop hears: a line typed or from the script, a line to print, or the end of the commands.
enum Arrived {
    Command(String),
    Print(String),
    End,
}

fn serve<T: Twin + 'static>(args: &Sim, twin: T) -> Result<Outcome, Failure> {
    let mut out = stdout();
    let (sender, heard) = mpsc::channel();
    let watcher: Option<Watcher> = (!args.quiet).then(|| -> Watcher {
        let sender = sender.clone();
        // Nobody listens any more only while everything ends.
        Box::new(move |entry| drop(sender.send(Arrived::Print(entry.to_string()))))
    });
    let words = twin.words();
    let running = match args.tcp {
        Some(address) => RunningTwin::on_tcp(twin, address, watcher),
        None => RunningTwin::on_pty(twin, args.path.as_deref(), watcher),
    }
    .map_err(|cause| Failure::Refused(format!("cannot open the port: {cause}")))?;
    writeln!(out, "{}", running.place())?;
    out.flush()?;

    let mut refused = false;
    let mut kept = VecDeque::new();
    if let Some(script) = &args.script {
        for line in BufReader::new(files::open(script)?).lines() {
            let line = line?;
            writeln!(out, "> {line}")?;
            match obey(&running, &line, &words, &mut out)? {
                Obeyed::Pause(time) => print_for(time, &heard, &mut kept, &mut out)?,
                Obeyed::Refused => refused = true,
                Obeyed::Done => print_for(Duration::ZERO, &heard, &mut kept, &mut out)?,
                Obeyed::Quit => return Ok(if refused { Outcome::Refused } else { Outcome::Success }),
            }
        }
    }
    listen(sender);
    loop {
        match kept.pop_front().unwrap_or_else(|| heard.recv().unwrap_or(Arrived::End)) {
            Arrived::Print(line) => writeln!(out, "{line}")?,
            Arrived::End => break,
            Arrived::Command(line) => match obey(&running, &line, &words, &mut out)? {
                Obeyed::Pause(time) => print_for(time, &heard, &mut kept, &mut out)?,
                Obeyed::Quit => break,
                // At a keyboard a refusal has been seen; only a script's counts.
                Obeyed::Done | Obeyed::Refused => {}
            },
        }
        out.flush()?;
    }
    Ok(if refused { Outcome::Refused } else { Outcome::Success })
}

/// Reads standard input beside everything else; it cannot be waited for together with the device.
fn listen(sender: Sender<Arrived>) {
    thread::spawn(move || {
        for line in io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            if sender.send(Arrived::Command(line)).is_err() {
                return;
            }
        }
        drop(sender.send(Arrived::End));
    });
}

/// Prints what happens for so long; commands that come meanwhile are kept for later.
fn print_for(
    time: Duration,
    heard: &mpsc::Receiver<Arrived>,
    kept: &mut VecDeque<Arrived>,
    out: &mut impl Write,
) -> io::Result<()> {
    let until = std::time::Instant::now() + time;
    loop {
        let left = until.saturating_duration_since(std::time::Instant::now());
        match heard.recv_timeout(left) {
            Ok(Arrived::Print(line)) => writeln!(out, "{line}")?,
            Ok(later @ (Arrived::Command(_) | Arrived::End)) => kept.push_back(later),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return out.flush(),
        }
    }
}

enum Obeyed {
    Done,
    Refused,
    Pause(Duration),
    Quit,
}

fn obey<T: Twin + 'static>(
    running: &RunningTwin<T>,
    line: &str,
    words: &[table_simulator::bench::Word],
    out: &mut impl Write,
) -> io::Result<Obeyed> {
    let line = line.split('#').next().unwrap_or_default().trim();
    let refuse = |out: &mut dyn Write, text: &str| -> io::Result<Obeyed> {
        writeln!(out, "{} {text}", Styled(BAD, "no:"))?;
        Ok(Obeyed::Refused)
    };
    match line.split_whitespace().collect::<Vec<_>>().as_slice() {
        [] => {}
        ["quit" | "exit"] => return Ok(Obeyed::Quit),
        ["help"] => {
            let common = [("unplug, replug", "pull the cable, put it back"), ("wait MS", "pause"), ("quit", "stop")];
            let own = words.iter().map(|word| (word.usage, word.meaning));
            for (usage, meaning) in own.chain(common) {
                writeln!(out, "  {usage:<30} {meaning}")?;
            }
        }
        ["unplug"] => running.unplug(),
        ["replug"] => running.replug(),
        ["wait", time] => match time.parse() {
            Ok(time) => return Ok(Obeyed::Pause(Duration::from_millis(time))),
            Err(_) => return refuse(out, "write wait MS, for example wait 500"),
        },
        _ => match running.act(|twin, now| twin.obey(line, now)) {
            Ok(answer) => writeln!(out, "{answer}")?,
            Err(error) => return refuse(out, &error.to_string()),
        },
    }
    Ok(Obeyed::Done)
}
