//! The technician's console over a real pty, against the built daemon with twins on ptys: healthy, silent, unplugged,
//! babbling, garbled and exchanged devices, and a daemon that was killed, hangs on a wrong configuration or never came up.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bench;
mod owner;
#[path = "../daemon/process.rs"]
mod process;
mod service;
mod stories;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use bench::{Bench, TECHNICIAN, tell};
use table_rules::game::Game;

#[test]
fn a_healthy_table_answers_every_word_that_looks() {
    let mut bench = Bench::new(Game::Blackjack);
    bench.start();
    let mut console = bench.console();
    console.log_in(TECHNICIAN);
    let list = console.ask_until("dev list", "shoe    ");
    assert!(list.contains("DEVICE  PORT"), "{list}");
    console.ask_until("dev list | find reader", "up    ");
    let status = console.ask_until("status", "reader up, shoe up");
    for part in ["BJ-07 blackjack: closed, no round", " unit    holecardd active", " worst   "] {
        assert!(status.contains(part), "{part}: {status}");
    }
    assert!(status.contains("=> a floorperson begins it at the screen; nothing is broken"), "{status}");
    console.ask_until("de s r", "ladder  raw ok, frame ok, event ok");
    assert!(console.ask("err").contains("RXRAW"));
    assert!(console.ask("err clear").contains("the counters themselves stay"));
    let ports = console.ask("ports");
    assert!(ports.contains("TTY") && ports.contains("reader"), "{ports}");
    assert!(console.ask("ver").contains("loaded = file"));
    assert!(console.ask("who").contains("here 4001 technician"));
    assert!(console.ask("health").contains("head "));
    assert!(console.ask("clock").contains("day turns 06:00"));
    let disk = console.ask("disk");
    assert!(disk.contains("write test ok") && disk.contains("journal "), "{disk}");
    assert!(console.ask("unit status").contains("holecardd active"));
    assert!(console.ask("config check").contains("good"));
    assert!(console.ask("config diff").contains("no difference"));
    assert!(console.ask("config show | find baud").contains("baud = 115200"));
    assert!(console.ask("gpio").contains("no line is configured"));
    assert!(console.ask("meters").contains("Blazing 7s"));
    assert!(console.ask("recall 88").contains("% not now: round 88 is not among the last ones"));
    assert!(console.ask("why TC-014").contains("the disk took longer than a second to save"));
    let why = console.ask("why rd-010");
    assert!(why.contains("the port is open but no byte has come for three seconds"), "{why}");
    assert!(console.ask("help disk").contains("example: disk"));
    assert!(console.ask("stauts").contains("% unknown command \"stauts\": try status"));
    let json = console.ask("status -j");
    let object = json.lines().find(|line| line.starts_with('{')).unwrap();
    let object: serde_json::Value = serde_json::from_str(object).unwrap();
    assert_eq!((&object["cmd"], &object["data"]["mode"]), (&"status".into(), &"closed".into()));
    // On a busy machine even a sound reader may be late once; it is found healthy in the end.
    console.until(|console| {
        console.types("mon frame reader\r");
        console.see("any key stops\r\n");
        console.see("HEARTBEAT");
        console.types("x");
        let ladder = console.see_prompt();
        (ladder.contains("ladder: raw ok") && ladder.contains("=> healthy"), ladder)
    });
    console.types("mon raw shoe\r");
    console.see(" bytes]\r\n");
    console.types(" ");
    let shoe = console.see_prompt();
    assert!(!shoe.contains("sealed"), "a shoe's port shows lengths outside service mode: {shoe}");
    // Who was here last, and what was tried since, stands in the greeting.
    console.types("exit\r");
    console.see("number: ");
    console.types("4001\r");
    console.see("PIN: ");
    console.types("000001\r");
    console.see("number: ");
    console.types("4001\r");
    console.see("PIN: ");
    console.types("400400\r");
    console.see("4001 technician. Last here 20");
    console.see("; 1 wrong PIN here since. ? for help\r\n");
    console.see_prompt();
    // Everything that was said is in the journal with its person, and no PIN; what was not understood as well.
    assert!(bench.journal_until("said login: wrong").contains("4001 said stauts: unknown command"));
    let journal = bench.journal_until("said who: done");
    assert!(journal.contains("4001 said dev list: done") && !journal.contains("400400"), "{journal}");
}

#[test]
fn wrong_pins_count_as_at_the_screen_and_dealers_stay_out() {
    let bench = Bench::new(Game::Blackjack);
    let mut console = bench.console();
    for word in ["try again\r\n", "try again\r\n", "locked for "] {
        console.types("4001\r");
        console.see("PIN: ");
        console.types("000001\r");
        console.see(&format!("% number or PIN wrong: {word}"));
    }
    // 30 s, less what a busy machine took to say it.
    console.see(" s, here and at the screen\r\n");
    console.see("number: ");
    console.types("4001\r");
    console.see("s more: wait; nothing was counted\r\n");
    console.see("number: ");
    // Somebody's PIN at the wrong question: it is kept nowhere.
    console.types("483920\r");
    console.see("PIN: ");
    console.types("483920\r");
    console.see("% number or PIN wrong: try again\r\n");
    let spool = bench.spool();
    assert!(spool.contains("wrong number or PIN") && !spool.contains("483920"), "{spool}");
    drop(console);
    let mut console = bench.console();
    console.types("4001\r");
    console.see("s more: wait; nothing was counted\r\n");
    console.see("number: ");
    console.types("1001\r");
    console.see("PIN: ");
    console.types("100100\r");
    console.see("% not you: a dealer has no console [TC-005]\r\n");
}

#[test]
fn the_ladder_and_the_book_name_what_is_wrong_with_a_reader() {
    let mut bench = Bench::new(Game::Blackjack);
    bench.start();
    let mut console = bench.console();
    console.log_in(TECHNICIAN);
    console.ask_until("dev list | find reader", "up    ");
    let cases = [
        ("silent", "silent off", "RD-010", "check the device's supply lamp"),
        ("garble 1000", "garble 0", "RD-011", "compare the baud rate"),
    ];
    for (broken, mended, code, remedy) in cases {
        tell(&bench.reader, broken);
        console.ask_until("dev list | find reader", "LOST");
        let why = console.ask_until("why", code);
        assert!(why.contains(remedy), "{why}");
        let status = console.ask("status");
        assert!(status.contains("reader LOST") && status.contains("Hole-card reader does not answer"), "{status}");
        tell(&bench.reader, mended);
        console.ask_until("dev list | find reader", "up    ");
    }
    tell(&bench.reader, "babble");
    console.ask_until("dev show reader", "RD-014");
    assert!(console.ask("why RD-014").contains("replace the device"));
    tell(&bench.reader, "babble off");
    bench.reader.unplug();
    console.ask_until("dev list | find reader", "LOST");
    console.ask_until("dev show reader", "RD-00");
    assert!(console.ask("ports").contains("is missing: reader should be there"));
    bench.reader.replug();
    console.ask_until("dev list | find reader", "up    ");
}

#[test]
fn exchanged_plugs_are_named_on_both_ports() {
    let mut bench = Bench::new(Game::PlayersEdge21);
    // Each device on the other one's socket.
    let (reader, shuffler) = (bench.site.ports.reader.clone(), bench.site.ports.shuffler.clone().unwrap());
    let (one, other) = (fs::read_link(&reader).unwrap(), fs::read_link(&shuffler).unwrap());
    for (path, target) in [(&reader, &other), (&shuffler, &one)] {
        fs::remove_file(path).unwrap();
        std::os::unix::fs::symlink(target, path).unwrap();
    }
    bench.start();
    let mut console = bench.console();
    console.log_in(TECHNICIAN);
    console.ask_until("dev show reader", "RD-020");
    console.ask_until("dev show shuffler", "SF-020");
    assert!(console.ask("why RD-020").contains("exchange the plugs"));
    assert!(console.ask("ports").contains("shuffler") && bench.shuffler.is_some());
}

#[test]
fn service_mode_is_entered_and_left_with_a_yes() {
    let mut bench = Bench::new(Game::Blackjack);
    bench.start();
    let mut console = bench.console();
    console.log_in(TECHNICIAN);
    console.ask_until("dev list | find reader", "up    ");
    console.types("service enter\r");
    console.see("Closes the table; the dealer's screen says \"service, 4001\". type yes: ");
    console.types("no\r");
    console.see("% nothing was done");
    console.see_prompt();
    console.types("service enter\r");
    console.see("type yes: ");
    console.types("yes\r");
    console.see_prompt();
    console.ask_until("status", "service, 4001");
    // A shoe's traffic may be looked at now; its draws stay sealed.
    console.types("mon frame shoe\r");
    console.see("HEARTBEAT");
    console.types(" ");
    console.see_prompt();
    console.types("service leave\r");
    console.see("type yes: ");
    console.types("yes\r");
    console.see("service ended");
    console.see_prompt();
    console.ask_until("status", "closed, no round");
}

#[test]
fn a_dead_daemon_leaves_a_console_that_says_so() {
    let mut bench = Bench::new(Game::Blackjack);
    bench.start();
    let mut console = bench.console();
    console.log_in(TECHNICIAN);
    console.ask_until("dev list | find reader", "up    ");
    bench.kill();
    let status = console.ask_until("status", "DOWN");
    assert!(status.contains("BJ-07 DOWN: ") && status.contains(" unit    holecardd inactive"), "{status}");
    assert!(console.ask("meters").contains("% not now: meters needs the daemon, which is down"));
    assert!(console.ask("dev list").contains("reader"));
    // The port itself, through the mask of an open round; not a byte is sent.
    console.types("mon raw shoe\r");
    console.see("any key stops\r\n");
    console.types(" ");
    console.see("ladder: ");
    console.see_prompt();
    assert!(bench.spool().contains("\"words\":\"dev list\""), "kept until the daemon is there again");
    bench.start();
    console.ask_until("dev list | find reader", "up    ");
    let journal = bench.journal_until("said while the table was down: 4001 said dev list");
    assert!(!journal.contains("400400"));
}

#[test]
fn a_wrong_configuration_is_named_by_its_line_and_taken_back_by_two_people() {
    let mut bench = Bench::new(Game::Blackjack);
    bench.start();
    bench.daemon.take().unwrap().stop().unwrap();
    let right = fs::read_to_string(&bench.site.config).unwrap();
    fs::write(&bench.site.config, right.replacen("baud = 115200", "baud = \"115200\"", 1)).unwrap();
    let failed = bench.systemctl("ActiveState=failed\nResult=start-limit-hit\nExecMainStatus=1\nNRestarts=5");
    let mut console = bench.console_with(Some(&failed));
    console.log_in(TECHNICIAN);
    let status = console.ask("status");
    assert!(status.contains("DOWN: the configuration is wrong"), "{status}");
    assert!(status.contains("devices.reader") && status.contains("start-limit-hit"), "{status}");
    let diff = console.ask("config diff");
    assert!(diff.contains("--- last-good ") && diff.contains("baud = \"115200\""), "{diff}");
    console.types("config stage last-good\r");
    console.see("Check: good. 1 line goes back, loaded at the next start. second number: ");
    console.types("2001\r");
    console.see("PIN: ");
    console.types("200200\r");
    console.see("% not you: it takes a manager [TC-006]");
    console.see_prompt();
    console.types("config stage last-good\r");
    console.see("second number: ");
    console.types("3001\r");
    console.see("PIN: ");
    console.types("300300\r");
    console.see("type yes: ");
    console.types("yes\r");
    console.see("the edited file is kept as table.toml.rejected");
    console.see_prompt();
    assert_eq!(fs::read_to_string(&bench.site.config).unwrap(), right);
    assert!(console.ask("config check").contains("good"));
}

#[test]
fn where_no_pin_can_be_checked_a_few_words_remain() {
    let bench = Bench::new(Game::Blackjack);
    fs::remove_file(&bench.site.pepper).unwrap();
    let mut console = bench.console();
    console.types("4001\r");
    console.see("PIN: ");
    console.types("400400\r");
    console.see("PINs cannot be checked: status why disk ver, unit status. ? for help\r\n");
    console.see("BJ-07 down ro> ");
    assert!(console.ask("status").contains(" rung    "));
    assert!(console.ask("unit restart").contains("% not you: nobody's PIN can be checked"));
    assert!(console.ask("dev list").contains("% not you"));
    assert!(console.ask("why RD-010").contains("means"));
}

/// The package's own script, with the tool's answer for this table passed through `edit`.
fn upgrade(bench: &Bench, edit: &str) -> (bool, String) {
    let programs = tempfile::tempdir().unwrap();
    let program = |name: &str, text: String| {
        let path = programs.path().join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    };
    program("systemctl", "#!/bin/sh\nexit 0\n".to_owned());
    let (tool, config) = (env!("CARGO_BIN_EXE_holecard"), bench.site.config.display());
    program(
        "holecard",
        format!("#!/bin/sh\nshift\n{tool} ctl --config {config} --systemctl /none \"$@\" | sed '{edit}'\n"),
    );
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../systemd/package/preinst");
    let path = format!("{}:{}", programs.path().display(), std::env::var("PATH").unwrap());
    let ran = Command::new("sh").arg(script).args(["upgrade", "0.1.0"]).env("PATH", path).output().unwrap();
    (ran.status.success(), String::from_utf8_lossy(&ran.stderr).into_owned())
}

#[test]
fn an_upgrade_waits_for_a_closed_table_and_for_nothing_else() {
    let mut bench = Bench::new(Game::Blackjack);
    bench.start();
    let mut console = bench.console();
    console.log_in(TECHNICIAN);
    console.ask_until("status -j", "\"stage\":\"closed\"");
    assert_eq!(upgrade(&bench, ""), (true, String::new()));
    for (edit, why) in [
        ("s/\"stage\":\"closed\"/\"stage\":\"wagering\"/", "the table is open (wagering)"),
        ("s/\"mode\":\"[a-z]*\"/\"mode\":\"mute\"/", "the table is open (no answer)"),
        ("d", "the table is open (no answer)"),
    ] {
        let (done, said) = upgrade(&bench, edit);
        assert!(!done && said.contains(why) && said.contains("[TC-003]"), "{edit}: {said}");
    }
    // A daemon that came up without its table is mended by an upgrade.
    let failed = "s/\"stage\":\"closed\"/\"closed\":{\"failures\":4},\"stage\":\"\"/";
    assert_eq!(upgrade(&bench, failed), (true, String::new()));
}

#[test]
fn a_start_takes_two_people_while_nobody_can_say_whether_a_round_is_open() {
    let mut bench = Bench::new(Game::Blackjack);
    bench.start();
    bench.kill();
    let failed = bench.systemctl("ActiveState=failed\nResult=exit-code\nExecMainStatus=1\nNRestarts=5");
    let mut console = bench.console_with(Some(&failed));
    console.log_in(TECHNICIAN);
    // The journal's last records say that there is none.
    console.types("unit reset-failed\r");
    console.see("Forgets 5 failed starts and starts holecardd. type yes: ");
    console.types("no\r");
    console.see_prompt();
    // A picture that the dead daemon left says nothing: without the journal it counts as open.
    fs::rename(&bench.site.journal, bench.folder.path().join("elsewhere")).unwrap();
    for verb in ["restart", "reset-failed"] {
        console.types(&format!("unit {verb}\r"));
        let asked = console.see("second number: ").replace("\r\n", " ");
        assert!(asked.contains("A round may be open") && asked.contains("people [TC-006]"), "{asked}");
        console.types("1001\r");
        console.see("PIN: ");
        console.types("100100\r");
        console.see("% not you: it takes a floorperson or a manager [TC-006]");
        console.see_prompt();
    }
}

#[test]
fn ctl_has_the_tables_own_help_and_takes_its_options_before_and_behind_the_words() {
    let bench = Bench::new(Game::Blackjack);
    let config = bench.site.config.to_str().unwrap();
    let ctl = |words: &[&str]| {
        let mut tool = Command::new(env!("CARGO_BIN_EXE_holecard"));
        let ran = tool.arg("ctl").args(words).output().unwrap();
        (ran.status.success(), String::from_utf8(ran.stdout).unwrap())
    };
    let (fine, help) = ctl(&["help"]);
    assert!(fine && help.starts_with("look ") && help.contains("help CMD"), "{help}");
    assert!(ctl(&["help", "mon"]).1.contains("mon raw|frame|event DEVICE"));
    let before = ctl(&["--config", config, "config", "check"]);
    assert!(before.0 && before.1.contains("good"), "{before:?}");
    assert_eq!(ctl(&["config", "check", "--config", config]), before);
    assert_eq!(ctl(&["config", "check", &format!("--config={config}")]), before);
    let json = ctl(&["status", "--config", config, "--json"]).1;
    assert_eq!(serde_json::from_str::<serde_json::Value>(&json).unwrap()["data"]["table"], "BJ-07");
    assert!(!ctl(&["status", "--config"]).0);
}

#[test]
fn a_daemon_that_never_answers_holds_nobody_at_the_login() {
    let bench = Bench::new(Game::Blackjack);
    let socket = bench.site.socket.clone();
    let listens = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let mut console = bench.console();
    console.types("4001\r");
    // The question has been put, and nobody answers it.
    let _asked = listens.accept().unwrap();
    console.types("\u{3}");
    let seen = console.see("number: ");
    assert!(!seen.contains("PIN"), "{seen}");
}

#[test]
fn expanders_that_do_not_answer_are_named_by_their_address() {
    let mut bench = Bench::new(Game::Blackjack);
    let config = fs::read_to_string(&bench.site.config).unwrap();
    let wired = "\n[devices.gpio]\nlock_out = { button = \"NO-SUCH-LINE\" }\n\n\
        [devices.expanders]\nbus = \"/dev/i2c-none\"\ninterrupt = \"NO-SUCH-LINE-2\"\n\n\
        [[devices.sensor]]\nseat = 4\nspot = 1\nat = { expander = { address = 0x20, pin = \"A0\" } }\n\n\
        [[devices.lamp]]\nseat = 4\nspot = 1\nat = { expander = { address = 0x21, pin = \"A0\" } }\n";
    fs::write(&bench.site.config, config + wired).unwrap();
    let mut console = bench.console();
    console.log_in(TECHNICIAN);
    let down = console.ask("i2c scan");
    assert!(down.contains("0x20     MCP23017  ?") && down.contains("who answers is not known"), "{down}");
    bench.start();
    let up = console.ask_until("i2c scan", "0x20     MCP23017  NO");
    assert!(up.contains("why EX-00"), "{up}");
}

#[test]
fn a_loop_plug_proves_the_port_and_a_device_is_never_taken_for_one() {
    let bench = Bench::new(Game::Blackjack);
    let mut console = bench.console();
    console.log_in(TECHNICIAN);
    let talks = console.ask("loop reader");
    assert!(
        talks.contains("% refused: something talks on this port by itself") && talks.contains("[RD-002]"),
        "{talks}"
    );
    fs::remove_file(&bench.site.ports.reader).unwrap();
    let plug = bench::Plug::new(&bench.site.ports.reader);
    plug.join();
    let good = console.ask("loop reader");
    assert!(good.contains("sent 4,096 B, back 4,096 B, 0 wrong"), "{good}");
    plug.part();
    let broken = console.ask("loop reader");
    assert!(broken.contains("sent 64 B, back 0 B: a wire is broken between here and the plug"), "{broken}");
}

/// A table as `holecard setup` leaves it, with its paths led to a folder of its own.
#[test]
fn a_new_table_waits_for_its_inspection_and_its_people_set_their_pins_at_the_console() {
    let folder = tempfile::tempdir().unwrap();
    let at = |path: &str| folder.path().join(path).display().to_string();
    let answers = "board = \"simulated\"\ntable = \"BJ-07\"\nrules = \"blackjack\"\n[ports]\nreader = \"ttyAMA1\"\n\
                   [[person]]\nnumber = 2001\nname = \"R. Vance\"\nrole = \"floorperson\"\n\
                   [[person]]\nnumber = 1001\nname = \"D. Ealer\"\nrole = \"dealer\"\n";
    fs::write(at("answers.toml"), answers).unwrap();
    let mut tool = Command::new(env!("CARGO_BIN_EXE_holecard"));
    let ran = tool.args(["setup", "--root", &at(""), "--answers", &at("answers.toml")]).output().unwrap();
    let said = String::from_utf8(ran.stdout).unwrap();
    assert!(ran.status.success(), "{said}{}", String::from_utf8_lossy(&ran.stderr));
    let code = |number: &str| {
        let line = said.lines().find(|line| line.trim_start().starts_with(number)).unwrap();
        line.split_whitespace().last().unwrap().to_owned()
    };
    let table = fs::read_to_string(at("etc/holecard/table.toml")).unwrap();
    let table = table
        .replace("/run/credentials/holecardd.service", &at("etc/holecard"))
        .replace("/etc/holecard/rules.toml", &at("etc/holecard/rules.toml"))
        .replace("[state]\n", &format!("[state]\ndirectory = {:?}\n", at("var/lib/holecard/state")))
        .replace(
            "[journal]\n",
            &format!("[journal]\ntotal_mib = 40\ndirectory = {:?}\n", at("var/lib/holecard/journal")),
        )
        .replace("[http]\n", &format!("[http]\nlisten = \"127.0.0.1:0\"\nsocket = {:?}\n", at("table.sock")));
    let paths = ["picture_file", "last_good_file", "spool_directory"].map(|key| format!("{key} = {:?}\n", at(key)));
    let config = folder.path().join("table.toml");
    fs::write(&config, format!("{table}\n[console]\n{}", paths.concat())).unwrap();
    let daemon = table_simulator::floor::daemon::Daemon::start(process::program(), &config).unwrap();
    let mut console = bench::Console::start(&config, &folder.path().join("last_good_file"), None);
    let set = |console: &mut bench::Console, number: &str, code: &str, pin: &str| {
        console.types(&format!("{number}\r"));
        console.see("PIN: ");
        console.types(&format!("{code}\r"));
        console.see("new PIN: ");
        console.types(&format!("{pin}\r"));
        console.see("new PIN again: ");
        console.types(&format!("{pin}\r"));
        console.see("% ");
        console.see("number: ")
    };
    let easy = set(&mut console, "2001", &code("2001"), "123456");
    assert!(easy.contains("no PIN was set: this PIN is among the first that anybody tries"), "{easy}");
    let done = set(&mut console, "2001", &code("2001"), "200200");
    assert!(done.contains("the PIN is set and the code is used up"), "{done}");
    // A dealer has no console and still gets a PIN there.
    assert!(set(&mut console, "1001", &code("1001"), "100100").contains("the PIN is set"));
    console.types("1001\r");
    console.see("PIN: ");
    console.types("100100\r");
    console.see("% not you: a dealer has no console [TC-005]\r\n");
    console.see("number: ");
    console.log_in("2001");
    let status = console.ask_until("status", "inspection");
    assert!(status.contains("BJ-07 blackjack: closed, no round"), "{status}");
    drop(console);
    // The codes are worth nothing now.
    let mut console = bench::Console::start(&config, &folder.path().join("last_good_file"), None);
    console.types("2001\r");
    console.see("PIN: ");
    console.types(&format!("{}\r", code("2001")));
    console.see("% number or PIN wrong: try again");
    daemon.stop().unwrap();
}
