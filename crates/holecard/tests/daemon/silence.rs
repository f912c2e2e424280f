//! Nobody outside the reader and the seal learns the hole card before it is turned: pairs of rounds that differ in the hole
//! card alone, with the same answer of the reader, dealt by `holecardd` as a process and compared byte by byte.
//!
//! Compared from the moment when all devices are up to the order to turn the card: every answer with its head, every
//! screen of the stream, the log at its most talkative, the metrics, every question's answer, every record, and the length
//! of the journal's files. Taken out before, because they hold the time: the `date` of an answer, the times of records and
//! of log lines, and the hashes over them. Which records shared a sync is the disk's affair and left out too. Nothing
//! sealed is written anywhere, so there is no ciphertext to compare.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use table_rules::card::Card;
use table_rules::game::Game;
use table_rules::submission::RulesSubmission;
use table_simulator::floor::client::{Answer, Client, Door, Stream};
use table_simulator::floor::daemon::Daemon;
use table_simulator::floor::people::{Deed, offered};
use table_simulator::floor::shift::Shift;
use table_simulator::floor::site::{Site, SiteOptions, rules_of};
use table_simulator::floor::world::{Goes, World};

use crate::night::{hire, journal, request, rest};
use crate::process::program;

const PATIENCE: Duration = Duration::from_secs(300);
/// A minute that passes in one round alone, a frame that a busy machine made somebody send twice: what has nothing to do
/// with the card differs now and then, and the pair is dealt again. What depends on the card differs every time.
const TRIES: usize = 12;

/// Up card, and two hole cards with the same answer: no and yes under an ace and a ten, and none asked for.
const PAIRS: [(&str, [&str; 2]); 6] = [
    ("Ah", ["5c", "9d"]),
    ("Ah", ["Kc", "Qd"]),
    ("Ks", ["9c", "4d"]),
    ("Ks", ["Ac", "Ad"]),
    ("6s", ["Kc", "2d"]),
    ("8h", ["Ac", "7d"]),
];

/// The cards after the hole card, the same in both rounds.
const AFTER: &str = "5d 6h 2s 3c 8d 4c 9s 7h 3d 6c 2c 8s";

pub(crate) fn hold(game: Game, seed: u64) {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("table");
    fs::create_dir_all(&table).unwrap();
    let options = SiteOptions {
        table_id: "SILENT-1",
        port: 0,
        sensors: false,
        log_level: "trace",
        shuffler: Some("by-hand"),
        day_starts: &crate::night::half_a_day_away(),
    };
    let site = Site::write(&table, game, options).unwrap();
    hire(&site);
    let morning = folder.path().join("morning");
    // Other twins than in the rounds: a device that starts again has another boot number.
    prepare(game, &site, seed ^ 0xF00D);
    copy(&table, &morning);
    for (number, (up, holes)) in PAIRS.into_iter().enumerate() {
        let seed = seed + 100 * u64::try_from(number).unwrap();
        for attempt in 1.. {
            let [one, other] = holes.map(|hole| Round::deal(game, &site, &morning, seed, up, hole));
            match one.compare(&other) {
                Ok(()) => break,
                Err(difference) => assert!(attempt < TRIES, "{game} {up} over {holes:?}: {difference}"),
            }
        }
    }
}

/// The inspection, the cards, the shoe: up to the first wagers.
fn prepare(game: Game, site: &Site, seed: u64) {
    let mut table = At::start(game, site, seed);
    let mut shift = Shift::new(seed);
    table.until(|at, screen| {
        if screen["stage"] == "wagering" && screen["stops"].as_array().is_some_and(Vec::is_empty) {
            return true;
        }
        at.moment(&mut shift, screen, |_, _| ());
        false
    });
    assert!(table.daemon.stop().unwrap().success());
}

/// Files and folders; sockets and the names of ports stay behind.
fn copy(from: &Path, to: &Path) {
    let _old = fs::remove_dir_all(to);
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            copy(&entry.path(), &to.join(entry.file_name()));
        } else if kind.is_file() && entry.file_name() != "daemon.log" {
            fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}

/// A table that runs, with everything around it.
struct At {
    world: World,
    daemon: Daemon,
    client: Client,
    stream: Stream,
    requests: u64,
    answers: Vec<(Value, Answer)>,
}

impl At {
    fn start(game: Game, site: &Site, seed: u64) -> Self {
        let table = RulesSubmission::parse(rules_of(game)).check().table.unwrap();
        let world = World::new(&table, 1, &site.ports, seed, 300).unwrap();
        let daemon = Daemon::start(program(), &site.config).unwrap();
        let door = Door::Unix(site.socket.clone());
        let stream = Stream::open(&door, None).unwrap();
        Self { world, daemon, client: Client::new(door), stream, requests: 0, answers: Vec::new() }
    }

    /// Looks again and again until `done` says so.
    fn until(&mut self, mut done: impl FnMut(&mut Self, &Value) -> bool) {
        let until = Instant::now() + PATIENCE;
        loop {
            let screen = self.stream.latest().map_or(Value::Null, |shot| shot.json());
            if screen.is_object() && done(self, &screen) {
                return;
            }
            assert!(Instant::now() < until, "nothing moves at {screen:#}\n{}", self.daemon.log());
            thread::sleep(Duration::from_millis(2));
        }
    }

    fn moment(&mut self, shift: &mut Shift, screen: &Value, before_draw: impl FnOnce(&mut World, Goes)) {
        let deed = shift.choose(&self.world, screen);
        if deed == Deed::Wait {
            return;
        }
        if let Deed::Draw(goes) = deed {
            before_draw(&mut self.world, goes);
        }
        if let Ok(Some((who, action))) = shift.handle(&deed, &mut self.world, screen) {
            self.requests += 1;
            let number = self.requests;
            let request = request(&format!("silent-{number}"), who, &action, screen["prompt_number"].as_u64());
            let answer = self.client.act(&request).unwrap();
            assert!([200, 409].contains(&answer.status), "{} to {request}", answer.body);
            self.answers.push((request, answer));
        }
        rest(&self.world, &self.client, &self.stream);
    }
}

/// Everything that could be heard of one round up to its reveal.
struct Round {
    /// The table's number when all devices were up.
    began_at: u64,
    answers: Vec<(Value, u16, String, String)>,
    screens: BTreeMap<u64, String>,
    questions: Vec<(&'static str, String)>,
    log: Vec<String>,
    records: Vec<Value>,
    files: BTreeMap<String, u64>,
}

impl Round {
    fn deal(game: Game, site: &Site, morning: &Path, seed: u64, up: &str, hole: &str) -> Self {
        let table = site.config.parent().unwrap();
        copy(morning, table);
        let mut at = At::start(game, site, seed);
        at.world.fill_shoe();
        at.until(|_, screen| {
            let up = |device: &Value| device["present"] == false || device["up"] == true;
            screen["stops"].as_array().is_some_and(Vec::is_empty)
                && screen["devices"].as_array().is_some_and(|devices| devices.iter().all(up))
        });
        rest(&at.world, &at.client, &at.stream);
        let first_shot = at.stream.count() - 1;
        let began_at = at.stream.latest().unwrap().sequence;
        let logged = at.daemon.log().len();
        let mut shift = Shift::new(seed);
        at.until(|at, screen| {
            if offered(screen, "reveal").next().is_some() {
                return true;
            }
            let text = screen["prompt"]["long"].as_str().unwrap().to_owned();
            at.moment(&mut shift, screen, |world, goes| {
                if goes == Goes::Hole {
                    let cards = format!("{hole} {AFTER}");
                    world.sort_shoe(&cards.split(' ').map(|card| card.parse().unwrap()).collect::<Vec<Card>>());
                } else if text.contains("dealer's first card") {
                    world.sort_shoe(&[up.parse().unwrap()]);
                }
            });
            false
        });
        assert_eq!(at.world.hole.map(|card| card.to_string()).as_deref(), Some(hole), "the cards were not sorted");
        let questions = ["screen", "devices", "alerts", "meters", "day", "recall/1"].map(|what| {
            let answer = at.client.get(&format!("/api/v1/{what}")).unwrap();
            (what, as_sent_but_for_times(&answer))
        });
        let metrics = at.client.get("/metrics").unwrap().body;
        let screens = at.stream.since(first_shot).iter().map(|shot| (shot.sequence, shot.text.clone())).collect();
        let answers = at.answers.into_iter().map(|(request, answer)| {
            let dated = |line: &&str| !line.starts_with("date: ");
            let head = answer.head.lines().filter(dated).collect::<Vec<_>>().join("\n");
            (request, answer.status, head, answer.body)
        });
        let answers = answers.collect();
        let log_path = site.config.with_file_name("daemon.log");
        assert!(at.daemon.stop().unwrap().success());
        let log = fs::read_to_string(log_path).unwrap();
        let log = log[logged..].lines().map(|line| line.split_once(' ').unwrap_or(("", line)).1.to_owned()).collect();
        let records = journal(&site.journal, &["show"]);
        let inputs =
            records.into_iter().filter(|record| record["kind"] == "input").skip(usize::try_from(began_at).unwrap());
        let records = inputs.map(without_times).collect();
        let files = fs::read_dir(&site.journal).unwrap().map(|entry| {
            let entry = entry.unwrap();
            (entry.file_name().into_string().unwrap(), entry.metadata().unwrap().len())
        });
        let files = files.collect();
        let questions = questions.into_iter().chain([("metrics", metrics)]).collect();
        Self { began_at, answers, screens, questions, log, records, files }
    }

    /// What is not the same in both.
    fn compare(&self, other: &Self) -> Result<(), String> {
        assert!(self.records.len() > 8 && self.answers.len() > 2, "hardly anything happened");
        same("records before it", &self.began_at, &other.began_at)?;
        same("answers", &self.answers, &other.answers)?;
        same("records", &self.records, &other.records)?;
        same("questions", &self.questions, &other.questions)?;
        same("log", &self.log, &other.log)?;
        same("files", &self.files, &other.files)?;
        // A stream shows the latest screen: one that was overtaken may be seen in one round alone.
        let both: Vec<u64> = self.screens.keys().filter(|key| other.screens.contains_key(key)).copied().collect();
        for sequence in &both {
            same("screens", &self.screens[sequence], &other.screens[sequence])?;
        }
        same("last screen", &self.screens.keys().max(), &other.screens.keys().max())?;
        if both.len() * 2 > self.screens.len() { Ok(()) } else { Err(format!("{} screens in common", both.len())) }
    }
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, one: &T, other: &T) -> Result<(), String> {
    if one == other { Ok(()) } else { Err(format!("{what} differ:\n{one:#?}\n{other:#?}")) }
}

/// The bytes of an answer; where it holds times, what it says without them.
fn as_sent_but_for_times(answer: &Answer) -> String {
    let timeless = without_times(answer.json());
    if timeless == answer.json() { answer.body.clone() } else { timeless.to_string() }
}

/// What holds the time, or follows from it alone.
fn without_times(mut value: Value) -> Value {
    match &mut value {
        Value::Object(object) => {
            for name in ["time", "wall_us", "monotonic_us", "hash", "durable"] {
                if object.contains_key(name) {
                    object.insert(name.to_owned(), json!("-"));
                }
            }
            for part in object.values_mut() {
                *part = without_times(part.take());
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|part| *part = without_times(part.take())),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    value
}
