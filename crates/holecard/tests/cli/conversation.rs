//! The interactive mode, at a real pseudo-terminal.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};

use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::tool::rules;

/// A person at a terminal.
struct Terminal {
    screen: File,
    child: Child,
    seen: String,
}

impl Terminal {
    fn start(game: &str) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let end = || File::from(open(name.as_c_str(), OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap());
        let child = Command::new(env!("CARGO_BIN_EXE_holecard"))
            .args(["play", "--rules", &rules(game)])
            .env("NO_COLOR", "1")
            .stdin(Stdio::from(end()))
            .stdout(Stdio::from(end()))
            .stderr(Stdio::from(end()))
            .spawn()
            .unwrap();
        Self { screen: File::from(master), child, seen: String::new() }
    }

    fn type_line(&mut self, line: &str) {
        self.screen.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    /// Reads until the words appear, and forgets what came up to them. A tool that never says them ends, and then so
    /// does its terminal; one that hangs is stopped by the test runner's own limit.
    fn see(&mut self, words: &str) {
        let mut bytes = [0; 4096];
        loop {
            if let Some(at) = self.seen.find(words) {
                self.seen.drain(..at + words.len());
                return;
            }
            match self.screen.read(&mut bytes) {
                Ok(0) | Err(_) => panic!("the terminal closed before {words:?}; last seen: {:?}", self.seen),
                Ok(count) => self.seen.push_str(&String::from_utf8_lossy(&bytes[..count])),
            }
        }
    }

    fn leave(mut self) -> i32 {
        // Whatever is still to be said must not block the tool.
        let mut rest = Vec::new();
        let _ = self.screen.read_to_end(&mut rest);
        self.child.wait().unwrap().code().unwrap_or(-1)
    }
}

#[test]
fn prompt_type_see() {
    let mut person = Terminal::start("blackjack");
    person.see("Type `help`");
    person.see("Take wagers, then lock [blackjack 6.A]");
    person.type_line("wager 3 main 25");
    person.see("seat 3 wagers main $25 [blackjack 6.A]");
    person.type_line("help");
    person.see("These fit now");
    person.see("wager [1 2 3 4 5 6 7] main $1 to $1,000");
    person.see("Not now:");
    person.type_line("lock");
    person.see("Deal a first card face up to seat 3");
    person.type_line("show");
    person.see("seat 3  main $25");
    person.type_line("quit");
    assert_eq!(person.leave(), 0);
}

#[test]
fn a_slip_is_explained_and_the_conversation_goes_on() {
    let mut person = Terminal::start("spanish-21");
    person.type_line("wager 1 main 7777");
    person.see("refused: above the table maximum");
    person.type_line("wagr 1 main 7");
    person.see("error: unknown word `wagr`; did you mean `wager`?");
    person.type_line("wager 1 main 7");
    person.see("seat 1 wagers main $7");
    person.type_line("exit");
    assert_eq!(person.leave(), 1, "something was refused");
}

#[test]
fn the_end_of_input_leaves() {
    let mut person = Terminal::start("pontoon-21");
    person.see("> ");
    // Ctrl-D on an empty line.
    person.screen.write_all(&[4]).unwrap();
    assert_eq!(person.leave(), 0);
}
