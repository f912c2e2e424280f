//! One long shift: rounds, faults, and deaths of the process at seeded moments.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use device_protocols::reader::ReaderState;
use device_protocols::shuffler::ShufflerState;
use operator_api::{Action, Role};
use serde_json::{Value, json};
use table_rules::game::Game;
use table_rules::submission::RulesSubmission;
use table_rules::wager::WagerId;
use table_simulator::dice::Dice;
use table_simulator::floor::client::{Client, Door, Stream};
use table_simulator::floor::daemon::Daemon;
use table_simulator::floor::people::{Deed, STAFF, Who, offered};
use table_simulator::floor::shift::Shift;
use table_simulator::floor::site::{Site, SiteOptions, rules_of};
use table_simulator::floor::world::World;

use crate::evidence::{Death, Evidence};
use crate::process::program;

/// A night takes less than half a minute on a free machine.
const PATIENCE: Duration = Duration::from_secs(300);
/// Rounds that are dealt at least.
const ROUNDS: u64 = 10;
/// Things that are done between two deaths, so that the table gets somewhere.
const DEEDS_BETWEEN_DEATHS: u32 = 5;

/// What is on the way when the process dies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum OnTheWay {
    Nothing,
    /// Sent, and perhaps never answered.
    Request,
    /// Out of the shoe, and perhaps never recorded.
    Card,
}

/// A death that waits for its moment.
#[derive(Clone, Debug)]
struct Planned {
    stage: &'static str,
    with: OnTheWay,
    /// Fitting moments to let pass first.
    after: u64,
}

/// Every game comes through the later stages in every round.
const DEATHS: [(&str, OnTheWay); 17] = [
    ("closed", OnTheWay::Nothing),
    ("closed", OnTheWay::Request),
    ("preparing", OnTheWay::Nothing),
    ("preparing", OnTheWay::Request),
    ("wagering", OnTheWay::Nothing),
    ("wagering", OnTheWay::Request),
    ("dealing", OnTheWay::Nothing),
    ("dealing", OnTheWay::Card),
    ("dealing", OnTheWay::Card),
    ("decisions", OnTheWay::Nothing),
    ("decisions", OnTheWay::Request),
    ("decisions", OnTheWay::Request),
    ("decisions", OnTheWay::Card),
    ("decisions", OnTheWay::Card),
    ("settlement", OnTheWay::Nothing),
    ("settlement", OnTheWay::Request),
    ("settlement", OnTheWay::Request),
];

/// Another seed to look for trouble with: `HOLECARD_NIGHT_SEED=7 cargo test -p holecard --test daemon`.
const SEED_VARIABLE: &str = "HOLECARD_NIGHT_SEED";

pub(crate) fn go_through(game: Game, seed: u64) {
    let seed = std::env::var(SEED_VARIABLE).map_or(seed, |seed| seed.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let options = SiteOptions {
        table_id: "NIGHT-1",
        port: 0,
        sensors: false,
        log_level: "info",
        shuffler: Some("batch"),
        day_starts: &half_a_day_away(),
    };
    let site = Site::write(folder.path(), game, options).unwrap();
    hire(&site);
    let mut night = Night::begin(game, site, seed);
    night.deal_until_all_has_happened();
    night.end();
}

/// A time of day at which no test runs: the gaming day does not turn in the middle of one.
pub(crate) fn half_a_day_away() -> String {
    let minutes = std::time::UNIX_EPOCH.elapsed().unwrap().as_secs() / 60 + 12 * 60;
    format!("{:02}:{:02}", minutes / 60 % 24, minutes % 60)
}

/// The people of the table, by the tool that a casino uses.
pub(crate) fn hire(site: &Site) {
    for (number, role, pin) in STAFF {
        let mut tool = Command::new(env!("CARGO_BIN_EXE_holecard"));
        tool.args(["staff", "add", &number.to_string(), "--name", role.word(), "--role", role.word()]);
        tool.arg("--state").arg(&site.state).arg("--pepper").arg(&site.pepper);
        let mut child = tool.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(format!("{pin}\n").as_bytes()).unwrap();
        assert!(child.wait().unwrap().success());
    }
    let commissioned = Command::new(program()).arg("--commission").arg("--config").arg(&site.config).status();
    assert!(commissioned.unwrap().success());
}

struct Night {
    game: Game,
    site: Site,
    world: World,
    shift: Shift,
    dice: Dice,
    daemon: Option<Daemon>,
    door: Door,
    client: Client,
    stream: Stream,
    planned: Vec<Planned>,
    deeds_since_death: u32,
    requests: u64,
    faults: Faults,
    evidence: Evidence,
}

/// What goes wrong on purpose, once each.
#[derive(Default, Debug)]
struct Faults {
    jammed: bool,
    unread: bool,
    late: bool,
    reader: Option<bool>,
    jackpot: Option<bool>,
}

impl Night {
    fn begin(game: Game, site: Site, seed: u64) -> Self {
        let table = RulesSubmission::parse(rules_of(game)).check().table.unwrap();
        let world = World::new(&table, 1, &site.ports, seed, 300).unwrap();
        let mut dice = Dice::new(seed ^ 0x0D1E);
        let mut planned: Vec<Planned> =
            DEATHS.into_iter().map(|(stage, with)| Planned { stage, with, after: dice.below(4) }).collect();
        dice.shuffle(&mut planned);
        let daemon = Daemon::start(program(), &site.config).unwrap();
        let door = Door::Unix(site.socket.clone());
        let stream = Stream::open(&door, None).unwrap();
        Self {
            game,
            client: Client::new(door.clone()),
            door,
            stream,
            site,
            world,
            shift: Shift::new(seed.wrapping_mul(31)),
            dice,
            daemon: Some(daemon),
            planned,
            deeds_since_death: 0,
            requests: 0,
            faults: Faults::default(),
            evidence: Evidence::default(),
        }
    }

    fn deal_until_all_has_happened(&mut self) {
        let until = Instant::now() + PATIENCE;
        loop {
            let seen = self.stream.count();
            let screen = self.screen();
            self.evidence.saw(&screen);
            let rounds = screen["day"]["rounds"].as_u64().unwrap_or(0);
            if rounds >= ROUNDS && self.planned.is_empty() && self.faults.all_happened(self.game) {
                return;
            }
            let waiting = || format!("{:?} {:?}\n{screen:#}\n{}", self.planned, self.faults, self.log());
            assert!(Instant::now() < until, "nothing moves: {}", waiting());
            let did = screen.is_object() && self.moment(&screen);
            if !did {
                self.stream.wait_beyond(seen, Duration::from_millis(20));
            }
        }
    }

    /// What a screen shows now.
    fn screen(&self) -> Value {
        self.stream.latest().map_or(Value::Null, |shot| shot.json())
    }

    fn get(&self, path: &str) -> Value {
        let answer = self.client.get(path).unwrap();
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        answer.json()
    }

    fn log(&self) -> String {
        let log = self.daemon.as_ref().map(Daemon::log).unwrap_or_default();
        let lines: Vec<&str> = log.lines().rev().take(30).collect();
        lines.into_iter().rev().collect::<Vec<_>>().join("\n")
    }

    /// Whether anything was done.
    fn moment(&mut self, screen: &Value) -> bool {
        self.faults.strike(self.game, screen, &mut self.world, &mut self.shift);
        let deed = self.shift.choose(&self.world, screen);
        if deed == Deed::Wait {
            return false;
        }
        self.deeds_since_death += 1;
        if self.dies_now(screen, OnTheWay::Nothing) {
            self.die(None);
        }
        match self.shift.handle(&deed, &mut self.world, screen) {
            Err(_) => return false,
            Ok(None) => {
                if matches!(deed, Deed::Draw(_)) {
                    if self.dies_now(screen, OnTheWay::Card) {
                        self.die(None);
                    }
                    // Nobody decides before the card is on the screen.
                    rest(&self.world, &self.client, &self.stream);
                }
            }
            Ok(Some((who, action))) => {
                self.requests += 1;
                let key = format!("night-{}", self.requests);
                let request = request(&key, who, &action, screen["prompt_number"].as_u64());
                if self.dies_now(screen, OnTheWay::Request) {
                    self.die(Some(&request));
                }
                self.ask(&request);
            }
        }
        true
    }

    fn dies_now(&mut self, screen: &Value, with: OnTheWay) -> bool {
        if self.deeds_since_death < DEEDS_BETWEEN_DEATHS {
            return false;
        }
        let fits = |each: &Planned| each.with == with && screen["stage"] == each.stage;
        let Some(at) = self.planned.iter().position(fits) else { return false };
        if let Some(planned) = self.planned.get_mut(at).filter(|planned| planned.after > 0) {
            planned.after -= 1;
            return false;
        }
        self.planned.remove(at);
        true
    }

    /// The process is killed, while a request is on the way if there is one, and started again.
    fn die(&mut self, request: Option<&Value>) {
        self.deeds_since_death = 0;
        let daemon = self.daemon.take().unwrap();
        // From before anything is read up to well after the answer.
        let mut moment = Duration::from_micros(self.dice.below(6_000));
        if request.is_some_and(|request| request.get("pin").is_some()) {
            moment *= 10;
        }
        if let Some(request) = request {
            let (client, request) = (self.client.clone(), request.clone());
            let sent = std::thread::spawn(move || (client.act(&request), request));
            std::thread::sleep(moment);
            daemon.kill().unwrap();
            if let (Ok(answer), request) = sent.join().unwrap() {
                self.evidence.told(&request, &answer);
            }
        } else {
            std::thread::sleep(moment);
            daemon.kill().unwrap();
        }
        let last = self.screen();
        self.evidence.saw(&last);
        self.daemon = Some(Daemon::start(program(), &self.site.config).unwrap());
        self.stream = Stream::open(&self.door, last["sequence"].as_u64()).unwrap();
        self.stream.wait_beyond(0, PATIENCE);
        let first = self.stream.since(0).first().unwrap().json();
        self.evidence.died(Death { last, first });
    }

    /// Asks until there is an answer; the same key each time. Then waits until the screen shows what was done.
    fn ask(&mut self, request: &Value) {
        let until = Instant::now() + PATIENCE;
        loop {
            let answer = self.client.act(request).unwrap();
            self.evidence.told(request, &answer);
            match answer.status {
                200 => {
                    let sequence = answer.json()["accepted"]["sequence"].as_u64().unwrap();
                    return self.wait_for(sequence, until);
                }
                409 => return,
                429 | 503 => std::thread::sleep(Duration::from_millis(100)),
                other => panic!("{other} {} to {request}\n{}", answer.body, self.log()),
            }
            assert!(Instant::now() < until, "no answer to {request}");
        }
    }

    fn wait_for(&self, sequence: u64, until: Instant) {
        loop {
            let seen = self.stream.count();
            if self.stream.latest().is_some_and(|shot| shot.sequence >= sequence) {
                return;
            }
            assert!(Instant::now() < until, "{sequence} is never shown: {:#}\n{}", self.screen(), self.log());
            self.stream.wait_beyond(seen, Duration::from_secs(1));
        }
    }

    fn end(mut self) {
        let told = crate::evidence::Told {
            day: self.get("/api/v1/day"),
            meters: self.get("/api/v1/meters"),
            head: self.get("/api/v1/head"),
            rounds: self.recalled(),
            drawn: self.world.drawn().to_vec(),
        };
        let status = self.daemon.take().unwrap().stop().unwrap();
        assert!(status.success(), "{status}");
        let rules = std::fs::read_to_string(self.site.config.with_file_name("rules.toml")).unwrap();
        self.evidence.compare(self.game, &rules, &self.site.journal, &told);
    }

    /// Every round that has ended, as the table recalls it.
    fn recalled(&self) -> Vec<Value> {
        let screen = self.screen();
        let rounds = screen["day"]["rounds"].as_u64().unwrap() + screen["day"]["voids"].as_u64().unwrap();
        (1..=rounds).map(|round| self.get(&format!("/api/v1/recall/{round}"))).collect()
    }
}

impl Faults {
    fn all_happened(&self, game: Game) -> bool {
        let jackpot = game != Game::PlayersEdge21 || self.jackpot == Some(true);
        self.jammed && self.unread && self.late && self.reader == Some(true) && jackpot
    }

    /// Each fault when its time has come.
    fn strike(&mut self, game: Game, screen: &Value, world: &mut World, shift: &mut Shift) {
        let rounds = screen["day"]["rounds"].as_u64().unwrap_or(0);
        let stage = screen["stage"].as_str().unwrap_or_default();
        let undealt = stage == "dealing" && screen["dealer"]["cards"].as_array().is_some_and(Vec::is_empty);
        if !self.jammed && world.shuffler_state() == Some(ShufflerState::Shuffling) {
            world.jam();
            self.jammed = true;
        }
        // Kings alone: the dealer shows one, so that the reader is asked.
        if !self.unread && rounds >= 1 && undealt && !world.cards_on_table() {
            world.sort_shoe(
                &["Kh", "Kd", "Ks", "Kc"].repeat(6).iter().filter_map(|card| card.parse().ok()).collect::<Vec<_>>(),
            );
            world.make_reader_unread();
            self.unread = true;
        }
        if !self.late && rounds >= 2 && offered(screen, "late").next().is_some() {
            shift.people.late_chip = true;
            self.late = true;
        }
        if rounds >= 3 && stage == "wagering" {
            match self.reader {
                None => world.reader_fault(true),
                Some(false) => world.reader_fault(false),
                Some(true) => {}
            }
            self.reader = Some(self.reader.is_some());
        }
        if game == Game::PlayersEdge21 && rounds >= 4 {
            let empty =
                screen["seats"].as_array().is_some_and(|seats| seats.iter().all(|seat| seat["in_play"] == false));
            if self.jackpot.is_none() && stage == "wagering" && empty {
                shift.people.one_box = Some(WagerId::MonsterMatch);
                self.jackpot = Some(false);
            } else if self.jackpot == Some(false) && undealt && !world.cards_on_table() {
                world.sort_shoe(&["7h".parse().unwrap(); 4]);
                shift.people.one_box = None;
                self.jackpot = Some(true);
            }
        }
    }
}

/// Waits until nothing is on the way: the devices have no word that waits, and what is shown is all there is.
pub(crate) fn rest(world: &World, client: &Client, stream: &Stream) {
    let until = Instant::now() + PATIENCE;
    while world.anything_waits() || matches!(world.reader_state(), ReaderState::Reading(_)) {
        assert!(Instant::now() < until, "the devices do not come to rest");
        std::thread::sleep(Duration::from_millis(1));
    }
    // Answered when everything that was taken before is durable and shown.
    client.get("/api/v1/alerts").unwrap();
    let shown = client.get("/api/v1/screen").unwrap().json()["sequence"].as_u64().unwrap();
    while stream.latest().is_none_or(|shot| shot.sequence < shown) {
        assert!(Instant::now() < until, "{shown} is not shown");
        stream.wait_beyond(stream.count(), Duration::from_millis(100));
    }
}

/// What is sent for somebody's action, with the PINs that it takes.
pub(crate) fn request(key: &str, who: Who, action: &Action, prompt: Option<u64>) -> Value {
    let mut request = json!({ "key": key, "prompt": prompt, "action": action });
    let pin = |role: Role| STAFF.iter().find(|(_, each, _)| *each == role).unwrap();
    let (first, second) = who.roles();
    if let Some((number, _, code)) = first.map(pin) {
        request["person"] = json!(number.to_string());
        request["pin"] = json!(code);
    }
    if let Some((number, _, code)) = second.map(pin) {
        request["second"] = json!({ "person": number.to_string(), "pin": code });
    }
    request
}

/// Runs the tool on the journal and gives its lines as JSON.
pub(crate) fn journal(directory: &Path, words: &[&str]) -> Vec<Value> {
    let output = Command::new(env!("CARGO_BIN_EXE_holecard"))
        .args(["journal", "--json", "--journal"])
        .arg(directory)
        .args(words)
        .output()
        .unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{words:?}: {out}{err}");
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
