//! `holecard setup` below a root of its own: what it writes, what it refuses, and that it runs once.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use tempfile::TempDir;

use crate::tool::{Ran, holecard, holecard_with};

const ANSWERS: &str = r#"
board = "raspberry-pi-5"
table = "BJ-07"
rules = "blackjack"
sensors = 3
screen = true
console = "ttyAMA10"

[ports]
reader = "platform-xhci-hcd.0-usb-0:1:1.0"
shoe = "ttyAMA2"

[[person]]
number = 2001
name = "R. \"Bob\" Vance"
role = "floorperson"

[[person]]
number = 4001
name = "T. Ito"
role = "technician"
"#;

/// A board with one USB adapter, one UART and the kernel's console.
fn board() -> TempDir {
    let root = TempDir::new().unwrap();
    let put = |path: &str, text: &str| {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    put("sys/class/tty/ttyUSB0/device/placeholder", "");
    put("sys/devices/usb1/product", "USB to UART");
    put("sys/class/tty/ttyAMA2/device/placeholder", "");
    put("sys/class/tty/ttyAMA10/device/placeholder", "");
    put("sys/class/tty/ttyAMA10/console", "Y\n");
    put("sys/class/tty/tty1/dev", "4:1");
    put("etc/passwd", "root:x:0:0::/root:/bin/sh\nholecard-console:x:993:993::/:/bin/false\n");
    fs::create_dir_all(root.path().join("dev/serial/by-path")).unwrap();
    let link = root.path().join("dev/serial/by-path/platform-xhci-hcd.0-usb-0:1:1.0-port0");
    symlink("../../ttyUSB0", link).unwrap();
    root
}

fn setup(root: &Path, answers: &str) -> Ran {
    let file = root.join("answers.toml");
    fs::write(&file, answers).unwrap();
    let (root, file) = (root.display().to_string(), file.display().to_string());
    holecard(&["setup", "--root", &root, "--answers", &file])
}

fn needed(root: &Path) -> Ran {
    holecard(&["setup", "--needed", "--root", &root.display().to_string()])
}

/// The codes as they were printed.
fn codes(said: &str) -> Vec<String> {
    let last = said.lines().filter_map(|line| line.split_whitespace().last());
    last.filter(|word| word.len() == 10 && word.bytes().all(|byte| byte.is_ascii_digit())).map(str::to_owned).collect()
}

#[test]
fn answers_make_a_table_that_waits_for_its_inspection_and_two_people_without_pins() {
    let root = board();
    assert_eq!(needed(root.path()).code, 0);
    let done = setup(root.path(), ANSWERS);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert!(done.out.contains("reader: USB socket platform-xhci-hcd.0-usb-0:1:1.0 (ttyUSB0, "), "{}", done.out);
    assert!(done.out.contains("shoe: UART ttyAMA2 (ttyAMA2, the board's own)"), "{}", done.out);
    assert!(done.out.contains("done: BJ-07 waits for its inspection."), "{}", done.out);
    let read = |path: &str| fs::read_to_string(root.path().join(path)).unwrap();
    let table = read("etc/holecard/table.toml");
    assert!(table.contains("board = \"raspberry-pi-5\"") && table.contains("socket_users = [993]"), "{table}");
    assert!(table.contains("[devices.reader]\nlink = { tty = { path = \"/dev/holecard/reader\", baud = 115200 } }"));
    assert_eq!(
        ["[[devices.sensor]]", "[[devices.lamp]]", "[devices.expanders]"].map(|block| table.matches(block).count()),
        [3, 3, 1]
    );
    let rules = read("etc/udev/rules.d/70-holecard-ports.rules");
    assert!(
        rules.contains("ENV{ID_PATH}==\"platform-xhci-hcd.0-usb-0:1:1.0\", SYMLINK+=\"holecard/reader\""),
        "{rules}"
    );
    assert!(rules.contains("KERNEL==\"ttyAMA2\", SYMLINK+=\"holecard/shoe\""), "{rules}");
    for secret in ["pepper", "journal.key", "kiosk.token"] {
        let mode = fs::metadata(root.path().join("etc/holecard").join(secret)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{secret}");
    }
    // The file is good as it is, once its submission is where it says.
    let here = root.path().join("here.toml");
    let submission = root.path().join("etc/holecard/rules.toml").display().to_string();
    fs::write(&here, table.replace("/etc/holecard/rules.toml", &submission)).unwrap();
    let checked = holecard(&["check", &here.display().to_string()]);
    assert_eq!(checked.code, 0, "{}{}", checked.out, checked.err);
    // A code each, and nowhere but in what was printed.
    let codes = codes(&done.out);
    assert_eq!(codes.len(), 2, "{}", done.out);
    let staff = read("var/lib/holecard/state/staff.toml");
    assert_eq!(staff.matches("one_time = true").count(), 2, "{staff}");
    assert!(!codes.iter().any(|code| staff.contains(code.as_str()) || table.contains(code.as_str())));

    // Once and never again, also when everybody was disabled since.
    assert_eq!(needed(root.path()).code, 1);
    let disabled = staff.replace("one_time = true", "one_time = true\ndisabled = true");
    fs::write(root.path().join("var/lib/holecard/state/staff.toml"), &disabled).unwrap();
    assert_eq!(needed(root.path()).code, 1);
    assert_eq!(setup(root.path(), ANSWERS).code, 1);
    fs::write(root.path().join("var/lib/holecard/state/staff.toml"), &staff).unwrap();
    let again = setup(root.path(), ANSWERS);
    assert_eq!(again.code, 1);
    assert!(again.err.contains("this table is set up: it knows 2 people [TC-005]"), "{}", again.err);
    assert_eq!(read("var/lib/holecard/state/staff.toml"), staff);
}

#[test]
fn what_is_wrong_is_said_at_once_and_nothing_is_written() {
    let root = board();
    let wrong = ANSWERS
        .replace("raspberry-pi-5", "toaster")
        .replace("\"ttyAMA2\"", "\"/dev/ttyUSB0\"")
        .replace("role = \"floorperson\"", "role = \"dealer\"");
    let refused = setup(root.path(), &wrong);
    assert_eq!(refused.code, 1);
    for said in [
        "board: \"toaster\" is none of ",
        "ports.shoe: /dev/ttyUSB0 is another port after the next plug",
        "nobody can do the inspection: name a floorperson or a manager",
    ] {
        assert!(refused.err.contains(said), "{said}: {}", refused.err);
    }
    let cases = [
        // No answer holds a PIN: the key does not exist.
        (ANSWERS.replace("role = \"technician\"", "role = \"technician\"\npin = \"295817\""), "unknown field `pin`"),
        (ANSWERS.replace("shoe = \"ttyAMA2\"", "shoe = \"platform-xhci-hcd.0-usb-0:1:1.0\""), "are both on USB socket"),
        (ANSWERS.replace("shoe =", "shuffler ="), "the submission has the cards shuffled by hand"),
        (ANSWERS.replace("\"BJ-07\"", "\"BJ 07\""), "table.id"),
        (ANSWERS.replace("rules = \"blackjack\"", "rules = \"gone.toml\""), "or a game: blackjack, "),
        (ANSWERS.replace("sensors = 3", "sensors = 8"), "the wiring of raspberry-pi-5 has 7"),
        (ANSWERS.replace("\"ttyAMA10\"", "\"ttyAMA2\""), "console: a device of the table is on UART ttyAMA2 already"),
        (ANSWERS.replace("\"ttyAMA10\"", "\"usb-0:2:1.0\""), "name a UART of the board"),
        (ANSWERS.split("[[person]]").take(2).collect::<Vec<_>>().join("[[person]]"), "it takes 2"),
    ];
    for (answers, said) in cases {
        let refused = setup(root.path(), &answers);
        assert!(refused.code == 1 && refused.err.contains(said), "{said}: {}{}", refused.out, refused.err);
    }
    assert!(!root.path().join("etc/holecard").exists() && !root.path().join("var").exists());
}

#[test]
fn questions_that_end_early_leave_nothing_behind() {
    let root = board();
    let ran = holecard_with(&["setup", "--root", &root.path().display().to_string()], b"raspberry-pi-5\nBJ-07\n");
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("nothing was written"), "{}", ran.err);
    assert!(ran.out.contains("Which board is this?") && !root.path().join("etc/holecard").exists());
}
