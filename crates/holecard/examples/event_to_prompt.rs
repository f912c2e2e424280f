//! How long a dealer waits: from the shoe's word of a card on its wire to the next order on the stream of screens,
//! through `holecardd` as it ships, against the least that it takes: one synced append and one push over loopback by a
//! bare program.
//!
//! The argument is a scratch directory on the disk to be measured. Samples of both are taken in turn, so that a noisy
//! machine disturbs both alike, and each after the same rest: a disk and a processor that were busy a moment ago are far
//! quicker than those of a table between two cards. The yardstick without its rest, right after the daemon's own sync, is
//! printed beside it. Prints one figure a line; `cargo xtask bench prompt` reads them.
//!
//! With `HOLECARD_BENCH_ROW=flood` it measures the same under two thousand requests a second, in turns with quiet, and the
//! quiet samples are the yardstick.

use std::error::Error;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use operator_api::{Action, Role};
use serde_json::{Value, json};
use table_daemon::secret::Secret;
use table_daemon::staff::{Book, Person, Pin};
use table_rules::game::Game;
use table_rules::submission::RulesSubmission;
use table_simulator::floor::client::{Client, Door, Stream};
use table_simulator::floor::daemon::Daemon;
use table_simulator::floor::people::{Deed, STAFF, Who};
use table_simulator::floor::shift::Shift;
use table_simulator::floor::site::{Site, SiteOptions, rules_of};
use table_simulator::floor::world::World;
use zeroize::Zeroizing;

/// Where the kernel puts the threads of a table is decided when it starts and stays for long: one start tells of one
/// such place, several of them of the daemon.
const STARTS: usize = 5;
/// Of each start, after those that warm up.
const SAMPLES: usize = 100;
const WARM_UP: usize = 20;
/// Long enough that a percent of a core is a hundred ticks of the kernel's clock.
const IDLE: Duration = Duration::from_secs(10);
const PATIENCE: Duration = Duration::from_secs(300);
/// How long the table is left alone before a card and before a sample of the yardstick.
const REST: Duration = Duration::from_millis(10);

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let flooded = std::env::var("HOLECARD_BENCH_ROW").is_ok_and(|row| row == "flood");
    let scratch = fs::canonicalize(std::env::args().nth(1).ok_or("name a scratch directory")?)?;
    let program = std::env::current_exe()?.parent().and_then(Path::parent).ok_or("no place")?.join("holecardd");
    let mut samples = Samples::default();
    for start in 1..=STARTS {
        let folder = scratch.join(format!("table-{start}"));
        let (daemon, mut bench) = open_table(&folder, &program, flooded)?;
        bench.deal()?;
        if let Some(flood) = &bench.flood {
            println!("answered {} requests a second", flood.per_second());
        }
        samples.add(bench.samples);
        if start == STARTS && flooded {
            samples.print_flood();
        } else if start == STARTS {
            samples.print();
            println!("resident {} KiB", resident_kib(daemon.id())?);
            println!("idle {} thousandths of a percent of a core", idle_thousandths_of_a_percent(daemon.id())?);
            println!("binary {} bytes", fs::metadata(&program)?.len());
        }
        daemon.stop()?;
    }
    Ok(())
}

fn open_table(folder: &Path, program: &Path, flooded: bool) -> Result<(Daemon, Bench)> {
    let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
    let options = SiteOptions {
        table_id: "BENCH-1",
        port,
        sensors: false,
        log_level: "info",
        shuffler: Some("by-hand"),
        day_starts: "06:00",
    };
    fs::create_dir_all(folder)?;
    let site = Site::write(folder, Game::Blackjack, options)?;
    hire(&site)?;
    let commissioned = Command::new(program).arg("--commission").arg("--config").arg(&site.config).status()?;
    if !commissioned.success() {
        return Err("the table cannot be commissioned".into());
    }
    let table = RulesSubmission::parse(rules_of(Game::Blackjack)).check().table.map_err(|_| "the rules")?;
    let world = World::new(&table, 1, &site.ports, 1, 300)?;
    let daemon = Daemon::start(program, &site.config)?;
    let key = fs::read_to_string(folder.join("kiosk.token"))?.trim().to_owned();
    let flood = flooded.then(|| Flood::start(&format!("127.0.0.1:{port}"), &key));
    let door = Door::Tcp(format!("127.0.0.1:{port}").parse()?, key);
    let bench = Bench {
        flood,
        world,
        shift: Shift::new(2),
        client: Client::new(door.clone()),
        stream: Stream::open(&door, None)?,
        bare: Bare::start(folder)?,
        requests: 0,
        samples: Samples::default(),
    };
    Ok((daemon, bench))
}

fn hire(site: &Site) -> Result<()> {
    let pepper = Secret::create(&site.pepper)?;
    for (number, role, pin) in STAFF {
        let hash = Pin::new(Zeroizing::new(pin.to_owned()))?.hash(&pepper)?;
        let person = Person::new(operator_api::PersonId(number), role.word(), role, hash)?;
        Book::change(&site.state, |book| book.add(person))?;
    }
    Ok(())
}

struct Bench {
    flood: Option<Flood>,
    world: World,
    shift: Shift,
    client: Client,
    stream: Stream,
    bare: Bare,
    requests: u64,
    samples: Samples,
}

/// In nanoseconds.
#[derive(Default)]
struct Samples {
    measured: Vec<u64>,
    yardstick: Vec<u64>,
    /// The yardstick without its rest.
    warm: Vec<u64>,
    /// Taken under the flood, where there is one.
    flooded: Vec<u64>,
}

impl Bench {
    /// Deals until there are samples enough.
    fn deal(&mut self) -> Result<()> {
        let until = Instant::now() + PATIENCE;
        while self.samples.measured.len().max(self.samples.flooded.len()) < SAMPLES + WARM_UP {
            if Instant::now() > until {
                return Err(format!("only {} samples", self.samples.measured.len()).into());
            }
            let seen = self.stream.count();
            let screen = self.stream.latest().map_or(Value::Null, |shot| shot.json());
            if !(screen.is_object() && self.moment(&screen)?) {
                self.stream.wait_beyond(seen, REST);
            }
        }
        Ok(())
    }

    fn moment(&mut self, screen: &Value) -> Result<bool> {
        let deed = self.shift.choose(&self.world, screen);
        let drawn = matches!(deed, Deed::Draw(_));
        let (seen, began) = (self.stream.count(), Instant::now());
        match self.shift.handle(&deed, &mut self.world, screen) {
            Err(_) => return Ok(false),
            Ok(Some((who, action))) => self.ask(who, &action, screen)?,
            Ok(None) if drawn => {
                if let Some(taken) = self.next_order(screen, seen, began)? {
                    if let Some(flood) = &self.flood {
                        let under = flood.turns();
                        let samples = if under { &mut self.samples.flooded } else { &mut self.samples.measured };
                        samples.push(taken);
                        return Ok(true);
                    }
                    self.samples.measured.push(taken);
                    let text = self.stream.latest().map_or_else(String::new, |shot| shot.text.clone());
                    let Sample { warm, rested } = self.bare.sample(text)?;
                    self.samples.warm.push(warm);
                    self.samples.yardstick.push(rested);
                }
            }
            Ok(None) => {}
        }
        Ok(true)
    }

    /// Nanoseconds from the shoe's bytes on its wire to a screen with another order than this one's.
    fn next_order(&self, before: &Value, mut seen: usize, began: Instant) -> Result<Option<u64>> {
        let until = Instant::now() + Duration::from_secs(10);
        while Instant::now() < until {
            self.stream.wait_beyond(seen, Duration::from_secs(1));
            for shot in self.stream.since(seen) {
                seen += 1;
                if shot.json()["prompt_number"] != before["prompt_number"] {
                    // A simulated shoe takes its own time to say what happened; only from there on it is the table's.
                    let sent = self.world.shoe.sent_since(began).ok_or("the shoe never spoke")?;
                    return Ok(u64::try_from(shot.at.saturating_duration_since(sent).as_nanos()).ok());
                }
            }
        }
        Ok(None)
    }

    fn ask(&mut self, who: Who, action: &Action, screen: &Value) -> Result<()> {
        self.requests += 1;
        let mut request =
            json!({ "key": format!("bench-{}", self.requests), "prompt": screen["prompt_number"], "action": action });
        let staff = |role: Role| STAFF.iter().find(|(_, each, _)| *each == role);
        let (first, second) = who.roles();
        if let Some((number, _, pin)) = first.and_then(staff) {
            request["person"] = json!(number.to_string());
            request["pin"] = json!(pin);
        }
        if let Some((number, _, pin)) = second.and_then(staff) {
            request["second"] = json!({ "person": number.to_string(), "pin": pin });
        }
        loop {
            let answer = self.client.act(&request)?;
            if answer.status != 429 {
                let sequence = answer.json()["accepted"]["sequence"].as_u64().unwrap_or(0);
                while self.stream.latest().is_some_and(|shot| shot.sequence < sequence) {
                    self.stream.wait_beyond(self.stream.count(), Duration::from_millis(20));
                }
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

impl Samples {
    /// What one start took, without what warmed it up.
    fn add(&mut self, start: Self) {
        self.measured.extend(start.measured.into_iter().skip(WARM_UP));
        self.yardstick.extend(start.yardstick.into_iter().skip(WARM_UP));
        self.warm.extend(start.warm.into_iter().skip(WARM_UP));
        self.flooded.extend(start.flooded.into_iter().skip(WARM_UP));
    }

    /// Quiet against flooded.
    fn print_flood(&mut self) {
        let Self { measured, flooded, .. } = self;
        measured.sort_unstable();
        flooded.sort_unstable();
        let at = |samples: &[u64], per_cent: usize| samples[(samples.len() - 1) * per_cent / 100].max(1);
        for (name, per_cent) in [("median", 50), ("p99", 99)] {
            let (quiet, under) = (at(measured, per_cent), at(flooded, per_cent));
            println!("flood-{name} {} prompts a second", 1_000_000_000 / under);
            println!("quiet-{name} {} prompts a second", 1_000_000_000 / quiet);
            println!("flood-ratio-{name} {} thousandths", quiet * 1000 / under);
            println!("flood-{name}-us {} microseconds", under / 1000);
            println!("quiet-{name}-us {} microseconds", quiet / 1000);
        }
    }

    fn print(&mut self) {
        let Self { measured, yardstick, warm, .. } = self;
        for samples in [&mut *measured, &mut *yardstick, &mut *warm] {
            samples.sort_unstable();
        }
        let at = |samples: &[u64], per_cent: usize| samples[(samples.len() - 1) * per_cent / 100].max(1);
        for (name, per_cent) in [("median", 50), ("p99", 99)] {
            let (taken, least) = (at(measured, per_cent), at(yardstick, per_cent));
            println!("prompt-{name} {} prompts a second", 1_000_000_000 / taken);
            println!("bare-{name} {} pushes a second", 1_000_000_000 / least);
            println!("ratio-{name} {} thousandths", least * 1000 / taken);
            println!("{name}-times {} thousandths", taken * 1000 / least);
            println!("prompt-{name}-us {} microseconds", taken / 1000);
            println!("bare-{name}-us {} microseconds", least / 1000);
            println!("bare-warm-{name}-us {} microseconds", at(warm, per_cent) / 1000);
        }
    }
}

/// Two thousand requests a second, on and off: screens and meters by clients with the key, pages by strangers, and wrong
/// keys at the door.
struct Flood {
    on: Arc<AtomicBool>,
    answered: Arc<AtomicU64>,
    began: Instant,
    /// Samples of this turn.
    taken: AtomicU64,
    /// How long it has been on, in milliseconds, before this turn.
    lasted_ms: AtomicU64,
    turned: std::sync::Mutex<Instant>,
}

/// Connections, and requests of each every hundredth of a second.
const FLOODING: [&str; 4] = ["GET /api/v1/screen", "GET /api/v1/meters", "GET /", "POST /api/v1/enter"];
const BURST: usize = 5;
/// Samples of a turn.
const TURN: u64 = 10;

impl Flood {
    fn start(address: &str, key: &str) -> Self {
        let (on, answered) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        for path in FLOODING {
            let (on, answered) = (Arc::clone(&on), Arc::clone(&answered));
            let body = if path.starts_with("POST") { "{\"token\":\"wrong\"}" } else { "" };
            let entered =
                if path.contains("/api/v1/enter") { String::new() } else { format!("authorization: Bearer {key}\r\n") };
            let request = format!(
                "{path} HTTP/1.1\r\nhost: {address}\r\n{entered}content-type: application/json\r\n\
                 content-length: {}\r\n\r\n{body}",
                body.len()
            );
            let address = address.to_owned();
            std::thread::spawn(move || flood(&address, &request, &on, &answered));
        }
        let now = Instant::now();
        Self {
            on,
            answered,
            began: now,
            taken: AtomicU64::new(0),
            lasted_ms: AtomicU64::new(0),
            turned: std::sync::Mutex::new(now),
        }
    }

    /// Whether the sample just taken was under the flood; turns it on and off.
    fn turns(&self) -> bool {
        let under = self.on.load(Ordering::SeqCst);
        if self.taken.fetch_add(1, Ordering::SeqCst) % TURN == TURN - 1 {
            self.on.store(!under, Ordering::SeqCst);
            if let Ok(mut turned) = self.turned.lock() {
                if under {
                    let lasted = u64::try_from(turned.elapsed().as_millis()).unwrap_or(0);
                    self.lasted_ms.fetch_add(lasted, Ordering::SeqCst);
                }
                *turned = Instant::now();
            }
            // The first sample of a turn is not to meet the end of the other.
            std::thread::sleep(Duration::from_millis(50));
        }
        under
    }

    fn per_second(&self) -> u64 {
        let lasted = self.lasted_ms.load(Ordering::SeqCst).max(1);
        debug_assert!(self.began.elapsed().as_millis() >= u128::from(lasted));
        self.answered.load(Ordering::SeqCst) * 1000 / lasted
    }
}

/// Asks in bursts over one connection for as long as the flood is on; ends with the daemon.
fn flood(address: &str, request: &str, on: &AtomicBool, answered: &AtomicU64) -> Option<()> {
    let mut connection: Option<BufReader<TcpStream>> = None;
    loop {
        std::thread::sleep(Duration::from_millis(10));
        if !on.load(Ordering::SeqCst) {
            continue;
        }
        if connection.is_none() {
            connection = Some(BufReader::new(TcpStream::connect(address).ok()?));
        }
        let open = connection.as_mut()?;
        for _ in 0..BURST {
            if open.get_mut().write_all(request.as_bytes()).is_err() || answer(open).is_none() {
                connection = None;
                break;
            }
            answered.fetch_add(1, Ordering::SeqCst);
        }
    }
}

/// Reads one answer and forgets it.
fn answer(from: &mut BufReader<TcpStream>) -> Option<()> {
    let (mut line, mut length) = (String::new(), 0);
    loop {
        line.clear();
        from.read_line(&mut line).ok().filter(|bytes| *bytes > 0)?;
        if let Some(text) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = text.trim().parse().ok()?;
        }
        if line == "\r\n" {
            let mut body = vec![0; length];
            return io::Read::read_exact(from, &mut body).ok();
        }
    }
}

/// The least that it takes: a preallocated file, one write with one sync, one push over loopback. In a thread of its own
/// that does nothing else: one that also reads screens would be made to wait by others where the machine is busy.
struct Bare {
    screens: Sender<String>,
    samples: Receiver<io::Result<Sample>>,
}

/// Nanoseconds at once, and after a rest.
struct Sample {
    warm: u64,
    rested: u64,
}

/// As long as the two records of a card.
const RECORD_BYTES: usize = 1_024;
const FILE_BYTES: u64 = 8 << 20;

impl Bare {
    fn start(scratch: &Path) -> Result<Self> {
        let file = OpenOptions::new().create(true).truncate(true).write(true).open(scratch.join("bare"))?;
        file.write_all_at(&vec![0; usize::try_from(FILE_BYTES)?], 0)?;
        file.sync_all()?;
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let listening = TcpStream::connect(listener.local_addr()?)?;
        let (push, _) = listener.accept()?;
        push.set_nodelay(true)?;
        let (tell, arrived) = channel();
        std::thread::spawn(move || drop(listen(listening, &tell)));
        let (screens, asked) = channel::<String>();
        let (answer, samples) = channel();
        let mut program = Program { file, at: 0, push, arrived };
        std::thread::spawn(move || {
            while let Ok(screen) = asked.recv() {
                let sample = program.take(&screen).and_then(|warm| {
                    std::thread::sleep(REST);
                    program.take(&screen).map(|rested| Sample { warm, rested })
                });
                if answer.send(sample).is_err() {
                    return;
                }
            }
        });
        Ok(Self { screens, samples })
    }

    fn sample(&self, screen: String) -> Result<Sample> {
        self.screens.send(screen)?;
        Ok(self.samples.recv()??)
    }
}

struct Program {
    file: File,
    at: u64,
    push: TcpStream,
    arrived: Receiver<Instant>,
}

impl Program {
    fn take(&mut self, screen: &str) -> io::Result<u64> {
        let began = Instant::now();
        self.file.write_all_at(&[0x5a; RECORD_BYTES], self.at)?;
        self.file.sync_data()?;
        self.push.write_all(format!("event: screen\nid: 1\ndata: {screen}\n\n").as_bytes())?;
        let arrived = self.arrived.recv().map_err(io::Error::other)?;
        self.at = (self.at + RECORD_BYTES as u64) % (FILE_BYTES - RECORD_BYTES as u64);
        u64::try_from(arrived.saturating_duration_since(began).as_nanos()).map_err(io::Error::other)
    }
}

fn listen(stream: TcpStream, tell: &Sender<Instant>) -> io::Result<()> {
    let mut from = BufReader::new(stream);
    let mut line = String::new();
    while from.read_line(&mut line)? > 0 {
        if line == "\n" && tell.send(Instant::now()).is_err() {
            break;
        }
        line.clear();
    }
    Ok(())
}

fn resident_kib(process: u32) -> Result<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no VmRSS")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}

/// With a screen attached and nobody at the table.
fn idle_thousandths_of_a_percent(process: u32) -> Result<u64> {
    let ticks = || -> Result<u64> {
        let stat = fs::read_to_string(format!("/proc/{process}/stat"))?;
        // After the name, which may hold anything: state is the first field, user and system time the 12th and 13th.
        let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
        let field = |at: usize| fields.get(at).and_then(|field| field.parse::<u64>().ok());
        Ok(field(11).ok_or("no times")? + field(12).ok_or("no times")?)
    };
    let (before, began) = (ticks()?, Instant::now());
    std::thread::sleep(IDLE);
    // The kernel counts a hundred ticks a second for programs, whatever it does inside.
    let spent_us = (ticks()? - before) * 10_000;
    Ok(spent_us * 100_000 / u64::try_from(began.elapsed().as_micros())?)
}
