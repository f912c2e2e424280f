//! The table on the virtual board: twins and people on this side, the daemon in the guest. Chips and the button move the
//! guest's simulated lines; everything that is said goes through the daemon's own interface.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use operator_api::{Action, Role};
use serde_json::{Value, json};
use table_rules::submission::RulesSubmission;
use table_simulator::floor::people::{Deed, STAFF, Who};
use table_simulator::floor::shift::Shift;
use table_simulator::floor::site::rules_of;
use table_simulator::floor::world::World;

use crate::machine::{Image, Lines, Machine, PATIENCE};

/// The game of the virtual board: it has a progressive wager and a shuffler.
pub(crate) const GAME: table_rules::game::Game = table_rules::game::Game::PlayersEdge21;

/// The submission as it is played: with a machine that shuffles.
pub(crate) fn rules() -> String {
    rules_of(GAME).replace("shuffler = \"by-hand\"", "shuffler = \"batch\"")
}

/// Where guest/table.toml has the button, its lamp, and the sensor of each seat.
pub(crate) const BUTTON: u8 = 17;
pub(crate) const BUTTON_LAMP: u8 = 27;
const SENSORS: [Wire; 7] =
    [Wire::Line(6), Wire::Line(10), Wire::Line(16), Wire::Line(19), Wire::Line(21), Wire::Pin("A0"), Wire::Pin("B0")];

#[derive(Clone, Copy, Debug)]
enum Wire {
    /// Of the header.
    Line(u8),
    /// Of the expander at 0x20.
    Pin(&'static str),
}

pub(crate) fn pull_file(line: u8) -> String {
    format!("/run/header/sim_gpio{line}/pull")
}

pub(crate) fn level_file(line: u8) -> String {
    format!("/run/header/sim_gpio{line}/value")
}

const EXPANDER_PINS: &str = "/sys/module/mcp23017_sim/parameters/drive";

/// A table that is switched on, or off between two power cuts.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) world: World,
    pub(crate) shift: Shift,
    image: Image,
    folder: PathBuf,
    machine: Option<Machine>,
    /// What the guest's lines show.
    chips: BTreeSet<(u8, u8)>,
    pressed: bool,
    requests: u64,
    /// The newest record that anybody was told is done.
    pub(crate) acknowledged: u64,
    /// The keys that were answered with yes.
    pub(crate) keys: Vec<String>,
}

impl Table {
    pub(crate) fn new(image: &Image, folder: &Path, seed: u64) -> Result<Self> {
        let checked = RulesSubmission::parse(&rules()).check().table;
        let table = checked.map_err(|problems| anyhow::anyhow!("the shipped submission: {problems:?}"))?;
        let world = World::on_tcp(&table, 1, seed, 1_000).context("the twins")?;
        std::fs::create_dir_all(folder)?;
        for name in ["journal", "state"] {
            crate::prepare::empty_disk(&folder.join(format!("{name}.img")), 64)?;
        }
        Ok(Self {
            world,
            shift: Shift::new(seed),
            image: image.clone(),
            folder: folder.to_owned(),
            machine: None,
            chips: BTreeSet::new(),
            pressed: false,
            requests: 0,
            acknowledged: 0,
            keys: Vec::new(),
        })
    }

    /// Power on, up to the agent.
    pub(crate) fn power_on(&mut self) -> Result<Duration> {
        let [reader, shuffler, shoe] = self.world.places();
        let all = reader.zip(shuffler).zip(shoe).context("a twin is missing")?;
        let ((reader, shuffler), shoe) = all;
        let machine = Machine::start(&self.image, &Lines { reader, shuffler, shoe }, &self.folder)?;
        let boot = machine.boot;
        self.machine = Some(machine);
        // The lines come up released; what lies on the felt is pulled again.
        self.chips.clear();
        self.pressed = false;
        self.sync()?;
        Ok(boot)
    }

    pub(crate) fn cut_power(&mut self) -> Result<()> {
        self.machine.take().context("no power")?.cut_power()
    }

    pub(crate) fn board(&mut self) -> Result<&mut Machine> {
        self.machine.as_mut().context("no power")
    }

    /// Starts the daemon; an error if it does not say READY.
    pub(crate) fn start_daemon(&mut self) -> Result<Value> {
        let started = self.board()?.ask(&json!({ "start": [] }))?;
        if started["ready"] != true {
            let status = self.board()?.ask(&json!("status"))?;
            bail!("the daemon is not ready: {started}\n{}", tail(&status));
        }
        Ok(started)
    }

    /// The table's own log, of the small guest or of the whole system.
    fn daemon_log(&mut self) -> String {
        let asked = if self.image.root.is_some() {
            self.board().and_then(|board| board.sh("journalctl -u holecardd -n 30 --no-pager -o cat; true"))
        } else {
            self.board().and_then(|board| board.ask(&json!("status"))).map(|status| tail(&status))
        };
        asked.unwrap_or_else(|error| format!("{error:#}"))
    }

    /// Adds the people of the simulated floor, as the installation guide does.
    pub(crate) fn add_people(&mut self) -> Result<()> {
        // People come before the first start here, so the table is said to be new.
        self.board()?
            .sh("holecardd --commission --config /etc/holecard/table.toml --journal-key /etc/holecard/journal.key")?;
        for (number, role, pin) in STAFF {
            let role = role.word();
            self.board()?.sh(&format!(
                "printf '{pin}\\n{pin}\\n' | holecard staff add {number} --name 'Person {number}' --role {role} --state \
                 /var/lib/holecard/state"
            ))?;
        }
        Ok(())
    }

    pub(crate) fn get(&mut self, path: &str) -> Result<Value> {
        let answer = self.board()?.ask(&json!({ "http": ["GET", path, ""] }))?;
        let body = answer["body"].as_str().unwrap_or_default();
        serde_json::from_str(body).with_context(|| format!("{path}: {answer}"))
    }

    pub(crate) fn screen(&mut self) -> Result<Value> {
        self.get("/api/v1/screen")
    }

    /// What the hands have done since, on the guest's lines.
    pub(crate) fn sync(&mut self) -> Result<()> {
        let now: BTreeSet<(u8, u8)> = self.world.chips().into_iter().collect();
        let mut writes = Vec::new();
        for (seat, _) in now.symmetric_difference(&self.chips) {
            let lies = now.contains(&(*seat, 1));
            match SENSORS.get(usize::from(*seat) - 1) {
                Some(Wire::Line(line)) => {
                    writes.push((pull_file(*line), (if lies { "pull-down" } else { "pull-up" }).to_owned()));
                }
                Some(Wire::Pin(pin)) => {
                    writes.push((EXPANDER_PINS.to_owned(), format!("0x20 {pin} {}", u8::from(!lies))));
                }
                None => bail!("seat {seat} has no sensor"),
            }
        }
        let pressed = self.world.lock_is_pressed();
        if pressed != self.pressed {
            writes.push((pull_file(BUTTON), (if pressed { "pull-down" } else { "pull-up" }).to_owned()));
        }
        if !writes.is_empty() {
            self.board()?.ask(&json!({ "write": writes }))?;
        }
        (self.chips, self.pressed) = (now, pressed);
        Ok(())
    }

    /// Says something at the screen, with PINs where they are needed. The status and the body.
    pub(crate) fn act(&mut self, who: Who, action: &Action, prompt: Option<u64>) -> Result<(u64, Value)> {
        self.requests += 1;
        let key = format!("vb-{}", self.requests);
        let mut request = json!({ "key": key, "prompt": prompt, "action": action });
        let person = |role: Role| STAFF.iter().find(|(_, each, _)| *each == role).context("nobody has that role");
        let (first, second) = who.roles();
        if let Some(role) = first {
            let (number, _, pin) = person(role)?;
            request["person"] = json!(number.to_string());
            request["pin"] = json!(pin);
        }
        if let Some(role) = second {
            let (number, _, pin) = person(role)?;
            request["second"] = json!({ "person": number.to_string(), "pin": pin });
        }
        let until = Instant::now() + PATIENCE;
        loop {
            let answer = self.board()?.ask(&json!({ "http": ["POST", "/api/v1/act", request.to_string()] }))?;
            let status = answer["status"].as_u64().unwrap_or(0);
            let body: Value = serde_json::from_str(answer["body"].as_str().unwrap_or_default()).unwrap_or(Value::Null);
            if status == 200 {
                self.acknowledged = self.acknowledged.max(body["accepted"]["record"].as_u64().unwrap_or(0));
                self.keys.push(key);
                return Ok((status, body));
            }
            if !matches!(status, 429 | 503) || Instant::now() > until {
                return Ok((status, body));
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    /// One moment of the people at the table. Whether anything was done.
    pub(crate) fn moment(&mut self, screen: &Value) -> Result<bool> {
        let deed = self.shift.choose(&self.world, screen);
        self.sync()?;
        if deed == Deed::Wait {
            return Ok(false);
        }
        let said = self.shift.handle(&deed, &mut self.world, screen);
        self.sync()?;
        match said {
            Err(_) => return Ok(false),
            Ok(None) => {
                let until = Instant::now() + PATIENCE;
                while self.world.anything_waits() && Instant::now() < until {
                    std::thread::sleep(Duration::from_millis(2));
                }
            }
            Ok(Some((who, action))) => {
                let (status, body) = self.act(who, &action, screen["prompt_number"].as_u64())?;
                if !matches!(status, 200 | 409) {
                    bail!("{status} {body} to {action:?} of {who:?}");
                }
            }
        }
        Ok(true)
    }

    /// Plays on until the screen is as wanted.
    pub(crate) fn play_until(&mut self, what: &str, mut wanted: impl FnMut(&Value) -> bool) -> Result<Value> {
        let until = Instant::now() + PATIENCE;
        loop {
            let screen = self.screen()?;
            if wanted(&screen) {
                return Ok(screen);
            }
            if Instant::now() > until {
                bail!("{what} does not come: {}\n{}", brief(&screen), self.daemon_log());
            }
            if !self.moment(&screen)? {
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    }

    /// Waits without touching anything.
    pub(crate) fn wait_until(&mut self, what: &str, mut wanted: impl FnMut(&Value) -> bool) -> Result<Value> {
        let until = Instant::now() + PATIENCE;
        loop {
            let screen = self.screen()?;
            if wanted(&screen) {
                return Ok(screen);
            }
            if Instant::now() > until {
                bail!("{what} does not come: {}\n{}", brief(&screen), self.daemon_log());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// What matters of a screen when something fails.
pub(crate) fn brief(screen: &Value) -> String {
    let alerts: Vec<&Value> = screen["alerts"].as_array().into_iter().flatten().collect();
    format!(
        "stage {}, mode {}, order {}, inspection {}, stops {}, devices {}, alerts {alerts:?}",
        screen["stage"],
        screen["mode"],
        screen["prompt"]["text"],
        screen["inspection"]["text"],
        screen["stops"],
        screen["devices"]
    )
}

fn tail(status: &Value) -> String {
    let log = status["log"].as_str().unwrap_or_default();
    let lines: Vec<&str> = log.lines().rev().take(25).collect();
    lines.into_iter().rev().collect::<Vec<_>>().join("\n")
}
