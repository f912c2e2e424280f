//! The configuration of one table: the shipped defaults, the board's file and the site's, laid over one another.
//!
//! Reading is strict. An unknown key is an error, every problem is reported at once with its file, line and remedy, and
//! only a configuration without problems becomes a [`Config`]. The defaults are `firmware-config/base.toml` itself, so
//! that what is documented there is what happens.

mod console;
mod day;
mod http;
mod layers;
mod screen;
mod wired;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use device_drivers::config::{DeviceProtection, Devices, ShoeDevice, ShoeDialect, Wiring};
use table_controller::SpotWager;
use table_journal::Settings;
use table_rules::submission::{RulesSubmission, TEXT_BYTES_MAX};
use table_rules::table::Shuffler;
use table_rules::wager::WagerId;
use table_rules::{Table, Tracking};

pub use console::Console;
pub use day::{Day, LocalTime};
pub use http::Http;
pub use layers::ConfigProblem;
use layers::{Layer, Place, Problems, Section, Source, amount, flag, text, whole, word};
pub use screen::{Chip, ScreenSettings};

/// The defaults, as shipped.
const BASE: (&str, &str) = ("base.toml", include_str!("../../../firmware-config/base.toml"));

/// The boards a site's file may name, as shipped.
pub const BOARDS: &[(&str, &str)] = &[
    ("cm4", include_str!("../../../firmware-config/boards/cm4.toml")),
    ("generic-linux", include_str!("../../../firmware-config/boards/generic-linux.toml")),
    ("raspberry-pi-4", include_str!("../../../firmware-config/boards/raspberry-pi-4.toml")),
    ("raspberry-pi-5", include_str!("../../../firmware-config/boards/raspberry-pi-5.toml")),
    ("simulated", include_str!("../../../firmware-config/boards/simulated.toml")),
];

/// What stands at the top of a file.
const SECTIONS: &[&str] =
    &["board", "table", "spots", "day", "journal", "state", "http", "screen", "console", "log", "devices"];

/// A bound on what is read from a wrong path.
const FILE_BYTES_MAX: u64 = 256 * 1024;

#[derive(Clone, Debug)]
pub struct Config {
    pub table_id: String,
    /// The rules submission.
    pub rules: PathBuf,
    pub tracking: Tracking,
    /// The chips collected after the lock are counted and compared.
    pub chip_count: bool,
    pub spots: Vec<SpotWager>,
    pub day: Day,
    pub journal: Journal,
    pub state_directory: PathBuf,
    pub pepper_file: PathBuf,
    /// Where the owner of the staff file is asked; `None` where the daemon owns it itself.
    pub staff_socket: Option<PathBuf>,
    pub http: Http,
    pub console: Console,
    pub screen: ScreenSettings,
    pub log: Log,
    pub devices: Devices,
    pub wiring: Wiring,
    /// Where the keys stand that have to fit the submission.
    places: BTreeMap<String, Place>,
    /// The table's own file as it was read: the last one given.
    file_text: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Journal {
    pub directory: PathBuf,
    pub key_file: PathBuf,
    pub settings: Settings,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Log {
    pub to: LogTo,
    pub level: LogLevel,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogTo {
    Journald,
    Text,
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogLevel {
    Error,
    Warn,
    Info,
    Debug,
    Trace,
}

impl Config {
    /// The defaults, then the board that one of the files names, then the files in their order.
    pub fn load(files: &[&Path]) -> Result<Self, Vec<ConfigProblem>> {
        let sources = read_all(files)?;
        let file_text = sources.last().map(|source| source.text.clone());
        let config = Self::from_sources(sources, true).and_then(|config| config.ok_or_else(Vec::new))?;
        Ok(Self { file_text, ..config })
    }

    /// What holds where no file can be read: the shipped defaults of a table that nobody has named.
    pub fn defaults() -> Self {
        let text = "[table]\nid = \"unnamed\"\nrules = \"/etc/holecard/rules.toml\"\n".to_owned();
        let named = Source { file: "defaults".to_owned(), text };
        let config = Self::from_sources(vec![named], true).ok().flatten();
        // A test loads them.
        let config = config.unwrap_or_else(|| unreachable!("the shipped defaults are right"));
        Self { table_id: "?".to_owned(), ..config }
    }

    /// The text of the table's own file, as it was loaded.
    pub fn file_text(&self) -> Option<&str> {
        self.file_text.as_deref()
    }

    /// Whether a file means to be a table's configuration, as opposed to a rules submission.
    pub fn is_meant_by(text: &str) -> bool {
        let source = Source { file: String::new(), text: text.to_owned() };
        let keys = Section::root(&[Layer::parse(&source, &mut Vec::new())], &source).keys();
        !keys.contains("game") && !keys.contains("readings") && SECTIONS.iter().any(|section| keys.contains(*section))
    }

    /// Whether one file could be a layer: its keys and values are right, though others may be missing.
    pub fn check_layer(file: &Path) -> Result<(), Vec<ConfigProblem>> {
        Self::from_sources(read_all(&[file])?, false).map(|_| ())
    }

    /// The table of the rules submission, once it and this configuration fit one another.
    pub fn rules_table(&self) -> Result<Table, Vec<ConfigProblem>> {
        let file = self.rules.display().to_string();
        let source = read(&self.rules, u64::try_from(TEXT_BYTES_MAX).unwrap_or(FILE_BYTES_MAX))
            .map_err(|problem| vec![problem])?;
        let table = RulesSubmission::parse(&source.text).check().table.map_err(|problems| {
            let told = |problem: &table_rules::submission::Problem| ConfigProblem {
                file: file.clone(),
                line: usize::try_from(problem.place.line).unwrap_or(usize::MAX),
                key: problem.key.clone(),
                text: format!("{} [{}]", problem.text, problem.source),
                remedy: problem.remedy.clone().unwrap_or_else(|| "correct the submission".to_owned()),
            };
            problems.iter().map(told).collect::<Vec<_>>()
        })?;
        let misfits = self.misfits(&table);
        if misfits.is_empty() { Ok(table) } else { Err(misfits) }
    }

    /// Whether the table has a lock-out button, and with it sensors and lamps.
    pub fn has_layout(&self) -> bool {
        self.devices.gpio.lock_out.is_some()
    }

    /// What this configuration says of a table that its submission does not have.
    fn misfits(&self, table: &Table) -> Vec<ConfigProblem> {
        let mut problems = Vec::new();
        let rules = self.rules.display();
        let mut misfit = |key: String, text: String, remedy: &str| {
            let place = self.places.get(&key).cloned();
            let Place { file, line } = place.unwrap_or_else(|| Place { file: rules.to_string(), line: 1 });
            problems.push(ConfigProblem { file, line, key, text, remedy: remedy.to_owned() });
        };
        if let Err(refused) = table.check_tracking(self.tracking) {
            misfit("table.tracking".to_owned(), refused.to_string(), refused.remedy());
        }
        for spot in &self.spots {
            let key = format!("spots.{}", spot.spot);
            let offer = table.wagers.iter().find(|offer| offer.id() == spot.wager);
            match (offer, spot.stake) {
                (None, _) if spot.wager != WagerId::Main => {
                    misfit(key, format!("the submission does not offer {}", spot.wager), "offer it or leave it out");
                }
                (Some(offer), Some(stake)) if !offer.stakes().is_empty() && !offer.stakes().contains(&stake) => {
                    misfit(
                        key,
                        format!("the submission takes no {stake} on {}", spot.wager),
                        "write one of its stakes",
                    );
                }
                (Some(_) | None, Some(_) | None) => {}
            }
        }
        for sensor in self.devices.sensor.iter().filter(|sensor| sensor.seat > table.positions) {
            let text = format!("a sensor is at seat {}, the submission has {} positions", sensor.seat, table.positions);
            misfit("devices.sensor".to_owned(), text, "remove the sensor or add the position");
        }
        // The other way round is fine: a machine without a port to speak through is answered for by the dealer.
        if self.devices.shuffler.is_some() && table.shuffler == Shuffler::ByHand {
            let text = "a shuffler is connected and the submission has the cards shuffled by hand".to_owned();
            let remedy = format!(
                "remove the block, or write shuffler = \"batch\" or shuffler = \"continuous\" in {rules} if that is approved"
            );
            misfit("devices.shuffler".to_owned(), text, &remedy);
        }
        problems
    }

    /// `None` only when `whole` is not asked for and something is missing.
    fn from_sources(given: Vec<Source>, whole_wanted: bool) -> Result<Option<Self>, Vec<ConfigProblem>> {
        let mut problems = Vec::new();
        let mut sources = vec![Source { file: BASE.0.to_owned(), text: BASE.1.to_owned() }];
        sources.extend(board(&given, &mut problems));
        sources.extend(given);
        let layers: Vec<Layer<'_>> = sources.iter().map(|source| Layer::parse(source, &mut problems)).collect();
        let Some(last) = sources.last() else { return Ok(None) };
        let mut root = Section::root(&layers, last);
        let mut missing = Vec::new();
        let config = read_config(&mut root, &mut problems, &mut missing);
        root.finish(&mut problems);
        if whole_wanted {
            problems.append(&mut missing);
        }
        if problems.is_empty() { Ok(config) } else { Err(problems) }
    }
}

/// The layer of the board that the files name, the last one deciding.
fn board(given: &[Source], problems: &mut Problems) -> Option<Source> {
    let mut chosen = None;
    for source in given {
        // Parsed again later with its problems; here only one word of it matters.
        let layer = Layer::parse(source, &mut Vec::new());
        let Some((name, line)) = layer.top_text("board") else { continue };
        match BOARDS.iter().find(|(known, _)| *known == name) {
            Some((known, text)) => {
                chosen = Some(Source { file: format!("boards/{known}.toml"), text: (*text).to_owned() });
            }
            None => problems.push(ConfigProblem {
                file: source.file.clone(),
                line,
                key: "board".to_owned(),
                text: format!("{name:?} is no board that is known"),
                remedy: format!("write one of {}", BOARDS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")),
            }),
        }
    }
    chosen
}

/// Missing keys are kept apart: they are no fault of a single layer.
fn read_config(root: &mut Section<'_, '_>, problems: &mut Problems, missing: &mut Problems) -> Option<Config> {
    // Its meaning was taken when the layers were chosen.
    root.read("board", "the name of a board", problems, text);

    let mut table = root.section("table", problems);
    let table_id = required(&mut table, "id", "the table's number, such as \"BJ-07\"", problems, missing, table_id);
    let rules = required(&mut table, "rules", "the path of the rules submission", problems, missing, path);
    let tracking_words = [("cards", Tracking::Cards), ("procedure", Tracking::Procedure)];
    let wanted = "\"cards\" or \"procedure\"";
    let tracking = required(&mut table, "tracking", wanted, problems, missing, word(&tracking_words));
    let chip_count = required(&mut table, "chip_count", "true or false", problems, missing, flag);
    let mut places = BTreeMap::new();
    places.extend(table.place("tracking").map(|place| ("table.tracking".to_owned(), place)));
    table.finish(problems);

    let spots = read_spots(root, &mut places, problems, missing);
    let day = day::read(root, problems, missing);
    let journal = read_journal(root, problems, missing);

    let mut state = root.section("state", problems);
    let state_directory = required(&mut state, "directory", "an absolute path", problems, missing, path);
    let pepper_file = required(&mut state, "pepper_file", "an absolute path", problems, missing, path);
    let staff_socket = state.read("staff_socket", "an absolute path", problems, path);
    state.finish(problems);

    let http = http::read(root, problems, missing);
    let console = console::read(root, problems, missing);
    let screen = screen::read(root, problems, missing);
    let log = read_log(root, problems, missing);
    let devices = read_devices(root, &mut places, problems);
    let wiring = match devices.wiring() {
        Ok(wiring) => Some(wiring),
        Err(found) => {
            for each in found {
                let remedy = "docs/technician/wiring.md explains the blocks";
                root.refuse("devices", each.to_string(), remedy, problems);
            }
            None
        }
    };

    Some(Config {
        table_id: table_id?,
        rules: rules?,
        tracking: tracking?,
        chip_count: chip_count?,
        spots,
        screen: ScreenSettings { day_starts_minute: day.as_ref()?.starts_minute, ..screen? },
        day: day?,
        journal: journal?,
        state_directory: state_directory?,
        pepper_file: pepper_file?,
        staff_socket,
        http: http?,
        console: console?,
        log: log?,
        devices,
        wiring: wiring?,
        places,
        file_text: None,
    })
}

/// A key that the whole configuration must have; that it is missing is told apart from that it is wrong.
fn required<'t, T>(
    section: &mut Section<'_, 't>,
    key: &str,
    wanted: &str,
    problems: &mut Problems,
    missing: &mut Problems,
    read: impl FnOnce(&toml::de::DeValue<'t>) -> Option<T>,
) -> Option<T> {
    if section.found(key).is_none() {
        return section.need(key, wanted, missing, read);
    }
    section.read(key, wanted, problems, read)
}

/// Short, and safe in file names, labels and metrics.
fn table_id(value: &toml::de::DeValue<'_>) -> Option<String> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    text(value).filter(|id| id.len() <= 32 && id.chars().all(allowed))
}

fn path(value: &toml::de::DeValue<'_>) -> Option<PathBuf> {
    text(value).map(PathBuf::from).filter(|path| path.is_absolute())
}

fn read_spots(
    root: &mut Section<'_, '_>,
    places: &mut BTreeMap<String, Place>,
    problems: &mut Problems,
    missing: &mut Problems,
) -> Vec<SpotWager> {
    let mut section = root.section("spots", problems);
    let mut spots = Vec::new();
    for key in section.keys() {
        let Some(spot) = key.parse().ok().filter(|spot| (1..=3).contains(spot)) else {
            let remedy = "write [spots.1], [spots.2] or [spots.3]";
            section.refuse(&key, "is no spot".to_owned(), remedy, problems);
            continue;
        };
        places.extend(section.place(&key).map(|place| (format!("spots.{key}"), place)));
        let mut entry = section.section(&key, problems);
        let wager = required(&mut entry, "wager", "a wager such as \"monster-match\"", problems, missing, |value| {
            value.as_str()?.parse::<WagerId>().ok()
        });
        let stake = entry.read("stake", "an amount in dollars such as 2 or 2.50", problems, amount);
        entry.finish(problems);
        spots.extend(wager.map(|wager| SpotWager { spot, wager, stake }));
    }
    section.finish(problems);
    spots
}

fn read_journal(root: &mut Section<'_, '_>, problems: &mut Problems, missing: &mut Problems) -> Option<Journal> {
    const MIB: u64 = 1 << 20;
    const DAY_S: u64 = 24 * 60 * 60;
    let mut section = root.section("journal", problems);
    let directory = required(&mut section, "directory", "an absolute path", problems, missing, path);
    let key_file = required(&mut section, "key_file", "an absolute path", problems, missing, path);
    let mut number = |key, wanted: &str, range| required(&mut section, key, wanted, problems, missing, whole(range));
    let segment_mib = number("segment_mib", "1 to 1024", 1..=1024);
    let total_mib = number("total_mib", "3 to 1048576", 3..=1 << 20);
    // Access logs are kept at least this long; a shorter time cannot be configured.
    let kept_days = number("kept_days", "90 or more", 90..=36_500);
    let checkpoint = number("checkpoint_every_records", "100 to 100000", 100..=100_000);
    let nearly_full = number("nearly_full_records", "1000 or more", 1000..=u64::MAX);
    let mut settings = Settings {
        segment_bytes: segment_mib? * MIB,
        checkpoint_every_records: checkpoint?,
        nearly_full_records: nearly_full?,
        ..Settings::default()
    };
    settings.retention.bytes_max = total_mib? * MIB;
    settings.retention.age_min_s = kept_days? * DAY_S;
    if let Err(error) = settings.check() {
        section.refuse("total_mib", error.to_string(), "write at least three times segment_mib", problems);
    }
    section.finish(problems);
    Some(Journal { directory: directory?, key_file: key_file?, settings })
}

fn read_log(root: &mut Section<'_, '_>, problems: &mut Problems, missing: &mut Problems) -> Option<Log> {
    let mut section = root.section("log", problems);
    let outputs = [("journald", LogTo::Journald), ("text", LogTo::Text), ("json", LogTo::Json)];
    let levels = [
        ("error", LogLevel::Error),
        ("warn", LogLevel::Warn),
        ("info", LogLevel::Info),
        ("debug", LogLevel::Debug),
        ("trace", LogLevel::Trace),
    ];
    let to = required(&mut section, "to", "\"journald\", \"text\" or \"json\"", problems, missing, word(&outputs));
    let wanted = "\"error\", \"warn\", \"info\", \"debug\" or \"trace\"";
    let level = required(&mut section, "level", wanted, problems, missing, word(&levels));
    section.finish(problems);
    Some(Log { to: to?, level: level? })
}

fn read_devices(root: &mut Section<'_, '_>, places: &mut BTreeMap<String, Place>, problems: &mut Problems) -> Devices {
    let mut section = root.section("devices", problems);
    for key in ["shuffler", "sensor"] {
        places.extend(section.place(key).map(|place| (format!("devices.{key}"), place)));
    }
    let mut devices = Devices {
        reader: section.typed("reader", problems),
        shuffler: section.typed("shuffler", problems),
        shoe: section.typed_list("shoe", problems),
        expanders: section.typed("expanders", problems),
        sensor: section.typed_list("sensor", problems),
        lamp: section.typed_list("lamp", problems),
        ..Devices::default()
    };
    // Merged key by key: a board says how its lines are reached, a site which of them are used.
    let mut gpio = section.section("gpio", problems);
    devices.gpio.backend = gpio.typed("backend", problems).unwrap_or_default();
    devices.gpio.lock_out = gpio.typed("lock_out", problems);
    devices.gpio.debounce_ms = gpio.typed("debounce_ms", problems);
    gpio.finish(problems);
    if devices.shoe.len() > 2 {
        let text = format!("{} shoes", devices.shoe.len());
        section.refuse("shoe", text, "a table has one, or two for a double shoe", problems);
    }
    let foreign =
        |shoe: &&ShoeDevice| shoe.dialect != ShoeDialect::Reference && shoe.protection == DeviceProtection::Paired;
    if devices.shoe.iter().any(|shoe| foreign(&shoe)) {
        let remedy = "write protection = \"none\" and seal its cable, or use a shoe of the reference protocol";
        section.refuse("shoe", "a shoe with a dialect of its own cannot be paired".to_owned(), remedy, problems);
    }
    section.finish(problems);
    devices
}

fn read_all(files: &[&Path]) -> Result<Vec<Source>, Vec<ConfigProblem>> {
    let (mut sources, mut problems) = (Vec::new(), Vec::new());
    for file in files {
        match read(file, FILE_BYTES_MAX) {
            Ok(source) => sources.push(source),
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() { Ok(sources) } else { Err(problems) }
}

fn read(path: &Path, bytes_max: u64) -> Result<Source, ConfigProblem> {
    let file = path.display().to_string();
    let unreadable = |cause: String, remedy: &str| ConfigProblem {
        file: file.clone(),
        line: 1,
        key: String::new(),
        text: cause,
        remedy: remedy.to_owned(),
    };
    let mut bytes = Vec::new();
    File::open(path).and_then(|opened| opened.take(bytes_max + 1).read_to_end(&mut bytes)).map_err(
        |cause: io::Error| unreadable(format!("cannot be read: {cause}"), "check the path and who may read it"),
    )?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > bytes_max {
        return Err(unreadable(format!("is larger than {bytes_max} bytes"), "this is not the file that was meant"));
    }
    let text = String::from_utf8(bytes).map_err(|_| unreadable("is not UTF-8 text".to_owned(), "save it as UTF-8"))?;
    Ok(Source { file, text })
}
