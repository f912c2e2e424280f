//! The interactive mode, at a real pseudo-terminal.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::tool::{holecard_with, rules};

/// Nothing here takes a second; a tool that is silent for this long hangs.
const PATIENCE: Duration = Duration::from_secs(300);

/// A person at a terminal.
struct Terminal {
    keyboard: File,
    screen: Receiver<Vec<u8>>,
    child: Child,
    seen: String,
}

impl Terminal {
    fn start(game: &str) -> Self {
        Self::start_with(game, &[])
    }

    fn start_with(game: &str, more: &[&str]) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let end = || File::from(open(name.as_c_str(), OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap());
        let child = Command::new(env!("CARGO_BIN_EXE_holecard"))
            .args(["play", "--rules", &rules(game)])
            .args(more)
            .env("NO_COLOR", "1")
            .stdin(Stdio::from(end()))
            .stdout(Stdio::from(end()))
            .stderr(Stdio::from(end()))
            .spawn()
            .unwrap();
        let keyboard = File::from(master);
        let mut screen = keyboard.try_clone().unwrap();
        let (send, receive) = channel();
        // Ends with the terminal: reading fails once the tool has left.
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = screen.read(&mut bytes) {
                if send.send(bytes[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self { keyboard, screen: receive, child, seen: String::new() }
    }

    fn type_line(&mut self, line: &str) {
        self.keyboard.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    /// Waits until the words appear, and forgets what came up to them.
    fn see(&mut self, words: &str) {
        while !self.seen.contains(words) {
            match self.screen.recv_timeout(PATIENCE) {
                Ok(bytes) => self.seen.push_str(&String::from_utf8_lossy(&bytes)),
                Err(why) => {
                    let _ = self.child.kill();
                    panic!("{why} before {words:?}; last seen: {:?}", self.seen);
                }
            }
        }
        let at = self.seen.find(words).unwrap();
        self.seen.drain(..at + words.len());
    }

    /// Waits until the tool has left; its exit code.
    fn leave(mut self) -> i32 {
        loop {
            match self.screen.recv_timeout(PATIENCE) {
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => return self.child.wait().unwrap().code().unwrap_or(-1),
                Err(RecvTimeoutError::Timeout) => {
                    let _ = self.child.kill();
                    panic!("the tool does not leave");
                }
            }
        }
    }
}

#[test]
fn prompt_type_see() {
    let mut person = Terminal::start("blackjack");
    person.see("Type `help`");
    person.see("Take bets, then lock [blackjack 6.A]");
    person.type_line("wager 3 main 25");
    person.see("Seat 3 bets $25 [blackjack 6.A]");
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
fn the_shown_table_says_what_lies_on_a_doubled_hand() {
    let mut person = Terminal::start("blackjack");
    for line in ["wager 3 main 10", "lock", "card 5c", "card 6h", "card 6d", "card ?", "double", "card 2c", "show"] {
        person.type_line(line);
    }
    person.see("13, done, doubled to $20");
    person.type_line("quit");
    assert_eq!(person.leave(), 0);
}

#[test]
fn a_slip_is_explained_and_the_conversation_goes_on() {
    let mut person = Terminal::start("spanish-21");
    person.type_line("wager 1 main 7777");
    person.see("refused: Above the table maximum");
    person.type_line("wagr 1 main 7");
    person.see("error: unknown word `wagr`; did you mean `wager`?");
    person.type_line("wager 1 main 7");
    person.see("Seat 1 bets $7");
    person.type_line("exit");
    assert_eq!(person.leave(), 1, "something was refused");
}

#[test]
fn the_end_of_input_leaves() {
    let mut person = Terminal::start("pontoon-21");
    person.see("> ");
    // Ctrl-D on an empty line.
    person.keyboard.write_all(&[4]).unwrap();
    assert_eq!(person.leave(), 0);
}

#[test]
fn with_json_the_three_words_of_a_conversation_work_too() {
    let mut person = Terminal::start_with("blackjack", &["--json"]);
    person.see("\"offers\"");
    person.type_line("wager 3 main 25");
    person.see("wager-placed");
    person.see("\"offers\"");
    person.type_line("help");
    person.see("\"offers\"");
    person.type_line("show");
    person.see("{\"table\":[");
    person.type_line("quit");
    assert_eq!(person.leave(), 0);
}

/// Whoever pipes the words in may ask as well: the words are the same without a terminal.
#[test]
fn help_show_and_quit_are_known_without_a_terminal() {
    let ran =
        holecard_with(&["play", "--rules", &rules("blackjack")], b"help\nwager 1 main 10\nshow\nquit\nnonsense\n");
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("These fit now") && ran.out.contains("wager"), "{}", ran.out);
    assert!(ran.out.contains("1 accepted, 0 refused, 0 unreadable"), "{}", ran.out);
    let json = holecard_with(&["play", "--rules", &rules("blackjack"), "--json"], b"help\nshow\nquit\n");
    assert_eq!(json.code, 0, "{}{}", json.out, json.err);
    assert!(json.out.contains("\"table\""), "{}", json.out);
}
