//! The stories of docs/technician/console.md, replayed: what stands there is what a console says.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use table_rules::game::Game;
use table_simulator::floor::people::STAFF;

use crate::bench::{Bench, Console, Plug, TECHNICIAN, tell};
use crate::service::hand_in_cards;

/// The transcript below a heading of the page; what a technician thinks is left out.
fn story(heading: &str) -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/technician/console.md");
    let page = fs::read_to_string(page).unwrap();
    let (_, rest) = page.split_once(&format!("### {heading}\n")).expect("the page has this story");
    let transcript = rest.split("```").nth(1).expect("the story is a transcript");
    transcript.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

fn pin_of(number: &str) -> &'static str {
    STAFF.iter().find(|(each, ..)| each.to_string() == number).unwrap().2
}

/// Types what somebody types in a transcript; everything that the console showed. `at` is called before each line.
fn replay(console: &mut Console, lines: &[String], mut at: impl FnMut(&str)) -> String {
    let mut seen = String::new();
    for line in lines {
        if let Some((prompt, words)) = line.split_once("> ")
            && prompt.starts_with("BJ-07 ")
        {
            console.types(&format!("{words}\r"));
        } else if let Some((_, number)) = line.split_once("second number: ") {
            seen += &console.see("second number: ");
            console.types(&format!("{number}\r"));
            seen += &console.see("PIN: ");
            console.types(&format!("{}\r", pin_of(number)));
        } else if line.ends_with("type yes: yes") {
            seen += &console.see("type yes: ");
            console.types("yes\r");
            at(line);
        }
    }
    seen += &console.see("number: ");
    seen
}

/// Without what differs from one evening to the next: times, hashes, durations, and where lines break.
fn told(text: &str, here: &[(String, &str)]) -> String {
    let mut text = text.to_owned();
    for (path, name) in here {
        text = text.replace(path.as_str(), name);
    }
    let shown = text.split('\n').map(|line| line.trim_end_matches('\r').rsplit('\r').next().unwrap_or_default());
    let words = shown.filter(|line| !line.starts_with("* ")).flat_map(str::split_whitespace);
    words.map(plain).filter(|word| !DAYS.contains(&word.as_str())).collect::<Vec<_>>().join(" ")
}

/// A word, or what kind of word it is.
fn plain(word: &str) -> String {
    let core = word.trim_end_matches([';', ',']);
    let of = |signs: &str| core.chars().all(|sign| sign.is_ascii_digit() || signs.contains(sign));
    let kind = if core.len() == 8 && of(":") && core.contains(':') {
        "TIME"
    } else if core.len() == 10 && of("-") && core.contains('-') {
        "DATE"
    } else if of(".") && core.contains('.') {
        "SECONDS"
    } else if core.len() == 8 && core.chars().all(|sign| sign.is_ascii_hexdigit()) {
        "HASH"
    } else {
        core
    };
    format!("{kind}{}", &word[core.len()..])
}

const DAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/// systemd as far as a console asks it: what it says lies in a file, and a start waits until somebody started the daemon.
fn systemd(folder: &Path) -> PathBuf {
    let path = folder.join("systemctl");
    let at = folder.display();
    let script = format!(
        "#!/bin/sh\ncase \"$1\" in\nshow) cat {at}/unit ;;\n\
         start) touch {at}/wanted; while [ ! -e {at}/started ]; do sleep 0.1; done ;;\nesac\n"
    );
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[test]
fn the_table_does_not_start() {
    let mut bench = Bench::new(Game::Blackjack);
    bench.start();
    // It has played for a while: it left a picture.
    while !bench.folder.path().join("status.json").exists() {
        std::thread::park_timeout(Duration::from_millis(20));
    }
    bench.daemon.take().unwrap().stop().unwrap();
    let right = fs::read_to_string(&bench.site.config).unwrap();
    fs::write(&bench.site.config, right.replacen("baud = 115200", "baud = \"115200\"", 1)).unwrap();
    let folder = bench.folder.path().to_owned();
    let systemctl = systemd(&folder);
    let failed =
        "ActiveState=failed\nResult=start-limit-hit\nExecMainStatus=1\nNRestarts=5\nStateChangeTimestamp=@1794893458\n";
    fs::write(folder.join("unit"), failed).unwrap();
    let mut console = bench.console_with(Some(&systemctl));
    console.log_in(TECHNICIAN);
    let here = [
        (bench.site.ports.reader.display().to_string(), "/dev/holecard/reader"),
        (folder.display().to_string(), "/etc/holecard"),
    ];
    let lines = story("The table does not start");
    let seen = replay(&mut console, &lines, |line| {
        if line.starts_with("Forgets") {
            while !folder.join("wanted").exists() {
                std::thread::park_timeout(Duration::from_millis(50));
            }
            bench.start();
            fs::write(folder.join("unit"), "ActiveState=active\nResult=success\nNRestarts=0\n").unwrap();
            fs::write(folder.join("started"), "").unwrap();
        }
    });
    // The first prompt was there already, and the banner follows the logout.
    let seen = format!("BJ-07 down> {}", seen.split("exit\r\n").next().unwrap());
    let expected = lines.join("\n");
    assert_eq!(told(&seen, &here), told(expected.trim_end_matches("exit"), &[]));
    assert_eq!(fs::read_to_string(&bench.site.config).unwrap(), right);
}

/// What somebody types at a prompt.
fn typed(line: &str) -> Option<&str> {
    line.split_once("> ").filter(|(prompt, _)| prompt.starts_with("BJ-07 ")).map(|(_, words)| words)
}

/// Types what stands at the prompts and answers yes where the transcript does; what was shown after each. `at` is called
/// before each line is typed, `meanwhile` while it runs.
fn drive(
    console: &mut Console,
    lines: &[String],
    mut at: impl FnMut(&str),
    mut meanwhile: impl FnMut(&str, &mut Console) -> String,
) -> String {
    let mut seen = String::new();
    for (number, line) in lines.iter().enumerate() {
        let Some(words) = typed(line) else { continue };
        at(words);
        console.types(&format!("{words}\r"));
        seen += &meanwhile(words, console);
        let rest = lines.iter().skip(number + 1).take_while(|line| typed(line).is_none());
        if rest.into_iter().any(|line| line.ends_with("type yes: yes")) {
            seen += &console.see("type yes: ");
            console.types("yes\r");
        }
        seen += &console.see_prompt();
    }
    seen
}

/// Without prompts, times and figures of the day, and wherever lines break.
fn words_of(text: &str) -> String {
    let told = told(text, &[]);
    let words: Vec<&str> = told.split(' ').collect();
    let mut out = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let milliseconds = words.get(at + 1).is_some_and(|next| next.starts_with("ms"));
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
        out.push(if milliseconds && is_number { "N" } else { word });
    }
    out.join(" ")
}

/// Every line of the transcript was shown, in its order.
fn assert_shown(lines: &[String], seen: &str) {
    let shown = words_of(seen);
    let mut rest = shown.as_str();
    for line in lines {
        let wanted = typed(line).map_or_else(|| words_of(line), str::to_owned);
        let Some(at) = rest.find(&wanted) else {
            panic!("{wanted:?} was not shown behind what came before it; left: {rest}\n\nall: {seen}");
        };
        rest = &rest[at + wanted.len()..];
    }
}

#[test]
fn the_reader_went_silent() {
    let mut bench = Bench::new(Game::Blackjack);
    bench.start();
    let mut console = bench.console();
    console.log_in(TECHNICIAN);
    console.ask_until("dev list | find reader", "up    ");
    console.ask_until("dev list | find shoe", "up    ");
    tell(&bench.reader, "silent");
    console.ask_until("dev show reader", "RD-010");
    let port = bench.site.ports.reader.clone();
    let cable = fs::read_link(&port).unwrap();
    let lines = story("The reader went silent");
    let (mut plug, mut loops) = (None::<Plug>, 0);
    let ready = || {
        let devices = bench.picture().devices;
        devices.iter().any(|device| device.name == "reader" && device.up && device.faults.is_empty())
    };
    let seen = drive(
        &mut console,
        &lines,
        |words| match words {
            "loop reader" if loops == 0 => {
                loops = 1;
                fs::remove_file(&port).unwrap();
                let joined = Plug::new(&port);
                joined.join();
                plug = Some(joined);
            }
            "loop reader" => plug.as_ref().unwrap().part(),
            "reader test" => {
                plug = None;
                fs::remove_file(&port).unwrap();
                std::os::unix::fs::symlink(&cable, &port).unwrap();
                tell(&bench.reader, "silent off");
                while !ready() {
                    std::thread::park_timeout(Duration::from_millis(50));
                }
            }
            _ => {}
        },
        |words, console| {
            if words != "reader test" {
                return String::new();
            }
            let seen = console.see("1/8 insert the ten as if under an ace: ");
            hand_in_cards(&bench);
            seen
        },
    );
    assert_shown(&lines, &seen);
}

#[test]
fn the_wrong_cable_after_a_move() {
    let mut bench = Bench::new(Game::PlayersEdge21);
    let (reader, shuffler) = (bench.site.ports.reader.clone(), bench.site.ports.shuffler.clone().unwrap());
    let exchange = || {
        let (one, other) = (fs::read_link(&reader).unwrap(), fs::read_link(&shuffler).unwrap());
        for (path, target) in [(&reader, &other), (&shuffler, &one)] {
            fs::remove_file(path).unwrap();
            std::os::unix::fs::symlink(target, path).unwrap();
        }
    };
    exchange();
    bench.start();
    let mut console = bench.console();
    console.log_in(TECHNICIAN);
    console.ask_until("dev show reader", "RD-020");
    console.ask_until("dev show shuffler", "SF-020");
    let lines = story("A wrong cable after a move");
    // The last line is typed when the plugs are exchanged and the devices have been heard.
    let (last, first) =
        lines.iter().rposition(|line| typed(line).is_some()).map(|at| (&lines[at..], &lines[..at])).unwrap();
    let seen = drive(
        &mut console,
        first,
        |_| {},
        |words, console| {
            if !words.starts_with("mon ") {
                return String::new();
            }
            let seen = console.see("HELLO");
            std::thread::park_timeout(Duration::from_millis(1_500));
            console.types(" ");
            seen
        },
    );
    assert_shown(first, &seen);
    // Each plug comes out and goes back to its own socket.
    bench.reader.unplug();
    bench.shuffler.as_ref().unwrap().unplug();
    bench.reader.replug();
    bench.shuffler.as_ref().unwrap().replug();
    for device in ["reader", "shuffler"] {
        console.ask_until(&format!("dev list | find {device}"), "up    ");
    }
    let seen = drive(&mut console, last, |_| {}, |_, _| String::new());
    assert_shown(last, &seen);
}
