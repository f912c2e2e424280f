//! Service mode and what can be tried in it, over a real pty: the reader's test cards, a port that the daemon lends, lines,
//! the self-test; and what the ladder says of a line while somebody watches.

use std::fs;
use std::time::{Duration, Instant};

use table_rules::game::Game;

use crate::bench::{Bench, Console, Plug, TECHNICIAN, tell};

pub(crate) fn enter(console: &mut Console) {
    console.types("service enter\r");
    console.see("type yes: ");
    console.types("yes\r");
    let prompt = console.see_prompt();
    assert!(prompt.ends_with("BJ-07 service> "), "{prompt}");
}

fn wait_until(holds: impl Fn() -> bool) {
    let give_up = Instant::now() + Duration::from_secs(300);
    while !holds() {
        assert!(Instant::now() < give_up, "it stays so");
        std::thread::park_timeout(Duration::from_millis(10));
    }
}

/// Inserts the cards that the console names, each when the reader waits for it; it stays in until the reader has answered.
pub(crate) fn hand_in_cards(bench: &Bench) {
    let cards = ["Ts", "Ks", "As", "9s", "As", "As", "5s", "2s"];
    for (number, card) in cards.iter().enumerate() {
        wait_until(|| bench.reader.look(|twin| twin.firmware().awaits_test_card()));
        // The last one is blank.
        tell(&bench.reader, if number + 1 == cards.len() { "misread 1000" } else { "misread 0" });
        tell(&bench.reader, &format!("insert {card}"));
        wait_until(|| bench.picture().table.bench.is_some_and(|bench| bench.tested.len() > number));
        tell(&bench.reader, "remove");
    }
    tell(&bench.reader, "misread 0");
}

#[test]
fn what_is_tried_in_service_is_refused_outside_it() {
    let mut bench = Bench::new(Game::Blackjack);
    bench.start();
    let mut console = bench.console();
    console.log_in(TECHNICIAN);
    console.ask_until("dev list | find reader", "up    ");
    for words in ["selftest", "reader test", "lamp test", "loop reader", "sensor raw 3", "sensor cal 3.1"] {
        let said = console.ask(words);
        assert!(said.contains("needs service mode [TC-008]: type service enter"), "{words}: {said}");
    }
    console.ask_until("shoe query", "shoe       up, state ");
    assert!(console.ask("shuffler query").contains("% not now: there is no shuffler at this table"));
    enter(&mut console);
    let parts = console.ask("selftest");
    assert!(parts.contains(" reader   ok ") && parts.contains(" journal  ok    head "), "{parts}");
    assert!(parts.contains(" lock-out -     none at this table"), "{parts}");
    assert!(console.ask("lamp test").contains("% not now: no lamp is configured at this table"));
    assert!(console.ask("sensor raw 3").contains("% not now: 3 has no sensor here"));
    let taken = console.ask("loop reader");
    assert!(taken.contains("% refused: a device answers on this port; try mon raw reader [RD-002]"), "{taken}");
    // Nothing was worked on: the table only waits for its day's inspection.
    console.types("service leave\r");
    console.see("Runs the self-test. type yes: ");
    console.types("yes\r");
    let left = console.see_prompt();
    assert!(left.contains("self-test ") && left.contains(" ok; service ended; waits: "), "{left}");
    assert!(!left.contains("full inspection"), "{left}");
    drop(console);
    let mut console = bench.console();
    console.log_in("3001");
    assert!(console.ask("reader test").contains("% not you: reader test takes a technician [TC-005]"));
    assert!(console.ask("log export").contains("% not you: log export takes a technician or an auditor [TC-005]"));
}

#[test]
fn the_readers_test_is_the_inspections_and_forces_the_full_one() {
    let mut bench = Bench::new(Game::Blackjack);
    bench.start();
    let mut console = bench.console();
    console.log_in(TECHNICIAN);
    console.ask_until("dev list | find reader", "up    ");
    enter(&mut console);
    console.types("reader test\r");
    console.see("1/8 insert the ten as if under an ace: ");
    hand_in_cards(&bench);
    let seen = console.see_prompt();
    assert!(seen.contains("8/8 insert the blank card as if under a ten: unread after "), "{seen}");
    assert!(seen.contains("8 of 8 as expected") && !seen.contains("WRONG"), "{seen}");
    // One that is broken off is over.
    console.types("reader test\r");
    console.see("1/8 insert the ten as if under an ace: ");
    console.types("\u{3}");
    console.see("% stopped");
    console.see_prompt();
    bench.journal_until("test of service: 0 of 8 cards as expected");
    console.types("service leave\r");
    let asked = console.see("type yes: ");
    assert!(
        asked.replace("\r\n", " ").contains("closed until a floorperson has passed the full inspection"),
        "{asked}"
    );
    console.types("yes\r");
    console.see("waits for the full inspection\r\n");
    console.see_prompt();
    let status = console.ask("status");
    let status = status.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(status.contains("full inspection is due"), "{status}");
    let journal = bench.journal_until("4001 said reader test: done: 8 of 8 as expected");
    assert!(journal.contains("after work on the reader: the full inspection is due"), "{journal}");
}

#[test]
fn a_lent_port_comes_back_to_the_daemon() {
    let mut bench = Bench::new(Game::Blackjack);
    bench.start();
    let mut console = bench.console();
    console.log_in(TECHNICIAN);
    console.ask_until("dev list | find reader", "up    ");
    enter(&mut console);
    tell(&bench.reader, "silent");
    console.ask_until("dev list | find reader", "LOST");
    let cable = fs::read_link(&bench.site.ports.reader).unwrap();
    fs::remove_file(&bench.site.ports.reader).unwrap();
    let plug = Plug::new(&bench.site.ports.reader);
    plug.join();
    let good = console.ask("loop reader");
    assert!(good.contains("sent 4,096 B, back 4,096 B, 0 wrong"), "{good}");
    plug.part();
    let broken = console.ask("loop reader");
    assert!(broken.contains("sent 64 B, back 0 B"), "{broken}");
    fs::remove_file(&bench.site.ports.reader).unwrap();
    drop(plug);
    std::os::unix::fs::symlink(cable, &bench.site.ports.reader).unwrap();
    tell(&bench.reader, "silent off");
    console.ask_until("dev list | find reader", "up    ");
}

/// Watches for a while; the ladder and what it says.
fn watched(console: &mut Console, words: &str, for_ms: u64) -> String {
    console.types(&format!("{words}\r"));
    console.see("any key stops\r\n");
    std::thread::park_timeout(Duration::from_millis(for_ms));
    console.types(" ");
    console.see_prompt()
}

#[test]
fn the_ladder_names_the_rung_and_the_part_whoever_holds_the_port() {
    let mut bench = Bench::new(Game::Blackjack);
    bench.start();
    let mut console = bench.console();
    console.log_in(TECHNICIAN);
    console.ask_until("dev list | find reader", "up    ");
    for daemon in [true, false] {
        if !daemon {
            bench.kill();
            console.ask_until("status", "DOWN");
        }
        for (broken, mended, rung, hint) in [
            ("silent", "silent off", "=> RD-010 silent: ", "loop reader"),
            ("garble 1000", "garble 0", "=> RD-011 garbage: ", "compare the baud rate"),
        ] {
            tell(&bench.reader, broken);
            // A device may be in mid-frame, and a machine that is busy late: looked at until the line is as it was made.
            console.until(|console| {
                let seen = watched(console, "mon raw reader", 3_500).replace("\r\n", " ");
                let seen = seen.split_whitespace().collect::<Vec<_>>().join(" ");
                (seen.contains(rung) && seen.contains(hint), seen)
            });
            tell(&bench.reader, mended);
        }
    }
}

#[test]
fn lines_that_are_not_there_are_named_and_lamps_are_left_alone() {
    let mut bench = Bench::new(Game::Blackjack);
    let config = fs::read_to_string(&bench.site.config).unwrap();
    let wired = "\n[devices.gpio]\nlock_out = { button = \"NO-SUCH-LINE\", lamp = \"NO-SUCH-LAMP\" }\n\n\
        [[devices.sensor]]\nseat = 4\nspot = 1\nat = { line = \"NO-SUCH-LINE-3\" }\n\n\
        [[devices.lamp]]\nseat = 4\nspot = 1\nat = { line = \"NO-SUCH-LAMP-2\" }\n";
    fs::write(&bench.site.config, config + wired).unwrap();
    let mut console = bench.console();
    console.log_in(TECHNICIAN);
    let down = console.ask("gpio");
    assert!(down.contains("NAME") && down.contains("LEVEL") && down.contains("EDGES  CONSUMER"), "{down}");
    let row = |said: &str, name: &str| {
        let found = said.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name}: {said}"));
        found.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(row(&down, "lock-out"), "lock-out NO-SUCH-LINE ? ? pull-up 25 ms - -");
    assert!(console.ask("gpio watch").contains("gpio watch needs the daemon, which is down"));
    bench.start();
    let up = console.ask_until("gpio", "holecard");
    assert_eq!(row(&up, "lock-out"), "lock-out NO-SUCH-LINE ? ? pull-up 25 ms 0 holecard");
    console.types("gpio watch\r");
    std::thread::park_timeout(Duration::from_millis(200));
    console.types(" ");
    let end = console.see_prompt();
    assert!(end.contains("0 changes of 0 raw edges") && end.contains("LK-102"), "{end}");
}
