//! The technician's console on the journal of a table whose daemon is down: settled rounds, and nothing of an open one.

use std::fs;

use serde_json::Value;

use crate::journal::{Kept, played_of};
use crate::tool::{Ran, holecard};

const FIRST: &str =
    "wager 2 main 25\nlock\nburn\ncard 9c\ncard 5s\ncard 8c\ncard ?\nstand\nreveal Kc\ncard 4h\nsettled";
/// A round that the power cut left open, with the dealer's seven of clubs on the table.
const OPEN: &str = "wager 2 main 25\nlock\ncard 7h\ncard 7c\ncard 7d\ncard ?\nstand";

fn ctl(kept: &Kept, words: &[&str]) -> Ran {
    let at = kept.directory.path().display();
    let config = kept.directory.path().join("console.toml");
    let table = fs::read_to_string(kept.directory.path().join("table.toml")).unwrap();
    let rest = format!(
        "[journal]\ndirectory = \"{}\"\n[console]\npicture_file = \"{at}/status.json\"\n\
         last_good_file = \"{at}/last-good.toml\"\nspool_directory = \"{at}/spool\"\n\
         [http]\nsocket = \"{at}/none.sock\"\n",
        kept.journal.display()
    );
    fs::write(&config, format!("{table}{rest}")).unwrap();
    let config = config.display().to_string();
    holecard(&[&["ctl", "--config", &config, "--systemctl", "/none"], words].concat())
}

#[test]
fn a_settled_round_is_recalled_from_the_journal_while_the_daemon_is_down() {
    let kept = played_of(FIRST);
    let round = ctl(&kept, &["recall", "1"]);
    assert_eq!(round.code, 0, "{}", round.all());
    assert!(round.out.starts_with("round 1, finished 2026-"), "{}", round.out);
    assert!(round.out.contains("records ") && round.out.lines().all(|line| line.len() <= 80), "{}", round.out);
    let unknown = ctl(&kept, &["recall", "88"]);
    assert!(unknown.out.contains("% not now: round 88 is not in the journal, 1 is the newest"), "{}", unknown.out);
}

#[test]
fn nothing_of_an_open_round_is_recalled_or_exported() {
    let kept = played_of(&format!("{FIRST}\n{OPEN}"));
    let open = ctl(&kept, &["recall", "2"]);
    assert!(open.out.contains("% not now: round 2 is open and is shown when it is settled: try 1"), "{}", open.out);
    let said = ctl(&kept, &["log", "export"]);
    assert_eq!(said.code, 0, "{}", said.all());
    assert!(said.out.contains("a round is open: its records are left out"), "{}", said.out);
    assert!(said.out.lines().all(|line| line.len() <= 80), "{}", said.out);
    let mut files: Vec<_> =
        fs::read_dir(kept.directory.path().join("export")).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let [about, file] = files.as_slice() else { panic!("{files:?}") };
    let text = fs::read_to_string(file).unwrap();
    assert!(text.contains("Kc") || text.contains("reveal"), "the settled round is there");
    for card in ["card 7h", "card 7c", "card 7d", "seven"] {
        assert!(!text.to_lowercase().contains(card), "{card} of the open round is in the export");
    }
    let about: Value = serde_json::from_str(&fs::read_to_string(about).unwrap()).unwrap();
    let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!((&about["head"]["hash"], &about["records"]), (&last["hash"], &text.lines().count().into()));
    assert_eq!(about["open_round_left_out"], true);
    let whole = played_of(FIRST);
    assert!(!ctl(&whole, &["log", "export"]).out.contains("left out"));
}
