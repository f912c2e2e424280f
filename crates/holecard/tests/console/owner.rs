//! One owner of staff file, pepper and counters for the daemon and the console alike, and what remains where none answers.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::json;
use table_rules::game::Game;
use table_simulator::floor::client::{Client, Door};

use crate::bench::{Bench, TECHNICIAN};
use crate::process::program;

/// The owner's process, ended with the test.
struct Owner(Child);

impl Owner {
    /// Takes staff file and pepper away from the daemon, as the package does.
    fn of(bench: &Bench) -> Self {
        let at = bench.folder.path();
        let staff = at.join("staff");
        fs::create_dir(&staff).unwrap();
        fs::rename(bench.site.state.join("staff.toml"), staff.join("staff.toml")).unwrap();
        fs::rename(&bench.site.pepper, at.join("owners-pepper")).unwrap();
        let config = fs::read_to_string(&bench.site.config).unwrap();
        let socket = format!("[state]\nstaff_socket = \"{}/staff.sock\"\n", at.display());
        fs::write(&bench.site.config, config.replacen("[state]\n", &socket, 1)).unwrap();
        Self::start(bench)
    }

    fn start(bench: &Bench) -> Self {
        let at = bench.folder.path();
        let mut owner = Command::new(program());
        owner.arg("--staff").arg(at.join("staff")).arg("--pepper").arg(at.join("owners-pepper"));
        let child = owner.arg("--socket").arg(at.join("staff.sock")).stderr(Stdio::null()).spawn().unwrap();
        while std::os::unix::net::UnixStream::connect(at.join("staff.sock")).is_err() {
            std::thread::park_timeout(Duration::from_millis(20));
        }
        Self(child)
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        let _gone = self.0.kill();
        let _gone = self.0.wait();
    }
}

#[test]
fn screen_and_console_count_the_same_wrong_pins_daemon_or_not() {
    let mut bench = Bench::new(Game::Blackjack);
    let owner = Owner::of(&bench);
    bench.start();
    let client = Client::new(Door::Unix(bench.site.socket.clone()));
    let act = |pin: &str| {
        let key = format!("k{pin}{}", std::process::id());
        let body = json!({ "key": key, "action": { "do": "enter-service" }, "person": TECHNICIAN, "pin": pin });
        client.act(&body).unwrap().json()["error"].as_str().unwrap_or_default().to_owned()
    };
    // Two at the screen, the third at the console: locked at both.
    assert_eq!((act("000001"), act("000002")), ("wrong-pin".to_owned(), "wrong-pin".to_owned()));
    let mut console = bench.console();
    console.types("4001\r");
    console.see("PIN: ");
    console.types("000003\r");
    console.see("% number or PIN wrong: locked for ");
    console.see("number: ");
    assert_eq!(act("400400"), "locked-out", "also with the right PIN");
    // The daemon dies, the owner starts again: nobody is let in the sooner.
    bench.kill();
    drop(owner);
    let _owner = Owner::start(&bench);
    console.types("4001\r");
    console.see("s more: wait; nothing was counted\r\n");
    console.see("number: ");
    console.log_in("3001");
    console.ask_until("status", "DOWN");
}

#[test]
fn without_the_owner_the_read_only_rung_remains_and_an_alert_names_its_time() {
    let mut bench = Bench::new(Game::Blackjack);
    let owner = Owner::of(&bench);
    // The counters cannot be written: something lies where their file would be made.
    fs::create_dir(bench.folder.path().join("staff/.wrong-pins.json.new")).unwrap();
    let mut console = bench.console();
    let rung = |console: &mut crate::bench::Console| {
        console.types("4001\r");
        console.see("PIN: ");
        console.types("400400\r");
        console.see("PINs cannot be checked: status why disk ver, unit status. ? for help\r\n");
        console.see("BJ-07 down ro> ");
    };
    rung(&mut console);
    assert!(console.ask("service enter").contains("% not you: nobody's PIN can be checked"));
    assert!(console.ask("log export").contains("% not you"));
    console.types("exit\r");
    console.see("number: ");
    drop(owner);
    rung(&mut console);
    console.types("exit\r");
    console.see("number: ");
    fs::remove_dir(bench.folder.path().join("staff/.wrong-pins.json.new")).unwrap();
    let _owner = Owner::start(&bench);
    bench.start();
    let journal = bench.journal_until("was opened without a PIN: read-only rung at 20");
    assert!(journal.contains("TC-018") && !journal.contains("400400"), "{journal}");
    console.log_in(TECHNICIAN);
}

#[test]
fn a_named_jumper_is_asked_for_where_nobody_can_be_checked() {
    let bench = Bench::new(Game::Blackjack);
    drop(Owner::of(&bench));
    let config = fs::read_to_string(&bench.site.config).unwrap();
    fs::write(&bench.site.config, config.replacen("[console]\n", "[console]\njumper = \"NO-SUCH-LINE\"\n", 1)).unwrap();
    let mut console = bench.console();
    console.types("4001\r");
    console.see("PIN: ");
    console.types("400400\r");
    console.see("% PINs cannot be checked, and no jumper is on NO-SUCH-LINE: set it, then try");
    console.see("number: ");
}
