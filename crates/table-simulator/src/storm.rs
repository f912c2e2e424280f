//! Days of table time in seconds: people and devices as values, the pure controller, and the journal's core on storage
//! that drops, tears and reorders whatever was not synced.
//!
//! Nothing is shown or carried out before its record is durable. After every input the promises are checked; after every
//! cut the recovered table must stand where the last acknowledged record left it, or one unacknowledged record later,
//! and never anywhere else. Same seed, same storm.

mod books;
mod disk;
mod hands;
mod promises;
mod reached;
mod silence;
mod trouble;

use operator_api::{Action, PersonId, Role, Screen, Who};
use table_controller::{
    Clock, Config, Controller, Input, LinkIdentity, Output, Outputs, PersonInput, Refused, ShoeInput, ShoeSide,
    SpotWager, Staff, Stamp, Started,
};
use table_rules::Tracking;
use table_rules::game::Game;
use table_rules::money::Cents;
use table_rules::table::Table;
use table_rules::wager::WagerId;

use crate::dice::Dice;
use crate::robot::{Habits, Robot};
use disk::{Disk, Kept};
use hands::World;
use promises::Promises;
pub use reached::{Reached, SITUATIONS};
use silence::Onlooker;
pub use silence::silent_pair;

const DEALER: Staff = Staff { id: PersonId(100), role: Role::Dealer };
const FLOOR: Staff = Staff { id: PersonId(200), role: Role::Floorperson };
const MANAGER: Staff = Staff { id: PersonId(300), role: Role::Manager };
const TECHNICIAN: Staff = Staff { id: PersonId(400), role: Role::Technician };

/// 2026-03-02, 12:00 UTC; the gaming day turns at six.
const NOON_MS: i64 = 1_772_452_800_000;
const DAY_MS: i64 = 86_400_000;
const TURN_MS: i64 = 6 * 3_600_000;

/// A promise that was broken, or a table that does not go on; with the last inputs before it.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{what}\nlast inputs:\n{last}")]
pub struct Broken {
    pub what: String,
    pub last: String,
}

/// What a storm was, in figures.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub inputs: u64,
    pub refused: u64,
    pub rounds: u64,
    pub power_cuts: u64,
    pub reached: Reached,
}

#[derive(Debug)]
struct Storm {
    config: Config,
    dice: Dice,
    controller: Controller,
    disk: Disk,
    clock: Clock,
    clock_told_ms: i64,
    world: World,
    robot: Robot,
    promises: Promises,
    tally: Tally,
    last: std::collections::VecDeque<String>,
    /// Deeds since the table last came further.
    idle: u32,
    begun_round: u64,
    onlooker: Onlooker,
}

/// A table of this game with every device and, where there is one, a progressive spot.
pub fn config(game: Game, table: Table) -> Config {
    let progressive = match game {
        Game::Blackjack => Some((WagerId::Blazing7s, Cents(500))),
        Game::Pontoon21 => Some((WagerId::BonusSpinXtreme, Cents(500))),
        Game::PlayersEdge21 => Some((WagerId::MonsterMatch, Cents(200))),
        Game::Spanish21 => None,
    };
    let offered = |wager: WagerId| table.wagers.iter().any(|offered| offered.id() == wager);
    let side = progressive.filter(|(wager, _)| offered(*wager));
    let mut config = Config::with_all_devices("STORM", table, Tracking::Cards);
    config.spots.extend(side.map(|(wager, stake)| SpotWager { spot: 2, wager, stake: Some(stake) }));
    config
}

/// Plays `hours` of table time.
pub fn run(config: Config, seed: u64, hours: u32) -> Result<Tally, Broken> {
    play(Storm::new(config, seed), hours, |_| ())
}

/// Plays `hours` of table time; `look` sees the table after every deed.
pub fn run_watched(config: Config, seed: u64, hours: u32, look: impl FnMut(&Controller)) -> Result<Tally, Broken> {
    play(Storm::new(config, seed), hours, look)
}

fn play(mut storm: Storm, hours: u32, mut look: impl FnMut(&Controller)) -> Result<Tally, Broken> {
    let until = NOON_MS + i64::from(hours) * 3_600_000;
    let result = storm.begin().and_then(|()| {
        while storm.clock.wall_ms < until {
            look(&storm.controller);
            storm.go_on()?;
        }
        storm.end()
    });
    let last = || storm.last.iter().cloned().collect::<Vec<_>>().join("\n");
    result.map_err(|what| Broken { what, last: last() })?;
    Ok(storm.tally)
}

impl Storm {
    fn new(config: Config, seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        Self {
            controller: Controller::new(config.clone()),
            disk: Disk::new(),
            clock: clock_at(NOON_MS, 0),
            clock_told_ms: NOON_MS,
            world: World::new(),
            robot: Robot::new(dice.roll(), Habits::USUAL),
            promises: Promises::default(),
            tally: Tally::default(),
            last: Default::default(),
            idle: 0,
            begun_round: u64::MAX,
            onlooker: Onlooker::default(),
            dice,
            config,
        }
    }

    fn begin(&mut self) -> Result<(), String> {
        self.start(None, None)
    }

    /// The controller comes up: it is told the time, the devices report, the dealer signs in.
    fn start(
        &mut self,
        last_record_ms: Option<i64>,
        foreign: Option<table_controller::ForeignRound>,
    ) -> Result<(), String> {
        self.clock.monotonic_ms = 0;
        let started = Started { clock: self.clock, last_record_ms, foreign_round: foreign };
        self.put(&Input::Started(started))?;
        self.links_up()?;
        if self.controller.dealer().is_none() {
            let _in = self.person(Some(DEALER), Action::SignIn)?;
        }
        Ok(())
    }

    /// One input: accepted or refused by the controller, recorded, durable, and only then carried out.
    fn apply(&mut self, input: &Input) -> Result<Result<(), Refused>, String> {
        self.remember(input);
        self.look_on();
        let stamp = Stamp { sequence: self.controller.sequence() + 1 };
        let mut out = Outputs::default();
        let before = self.controller.sequence();
        if let Err(refused) = self.controller.apply(stamp, input, &mut out) {
            self.tally.refused += 1;
            if let Some(line) = self.last.back_mut() {
                line.push_str(&format!(" | refused: {}", refused.reason));
            }
            if !out.said.is_empty() || !out.commands.is_empty() || self.controller.sequence() != before {
                return Err(format!("a refusal had effects: {input:?}"));
            }
            return Ok(Err(refused));
        }
        self.tally.inputs += 1;
        let (bytes, events) = (table_controller::encode_input(input), table_controller::encode_events(&out.said));
        match self.disk.keep(&bytes, &events, self.clock, person_of(input)) {
            Kept::Durable => {}
            Kept::Lost { why } => return self.come_back(input, why, Some(&out)).map(Ok),
        }
        self.follow(input, &out)?;
        if self.disk.checkpoint_due() && !self.disk.checkpoint(&self.controller.checkpoint(), self.clock) {
            return self.come_back(input, "at a checkpoint", None).map(Ok);
        }
        self.carry_out(out)?;
        Ok(Ok(()))
    }

    /// What is durable is checked and counted.
    fn follow(&mut self, input: &Input, out: &Outputs) -> Result<(), String> {
        self.tally.reached.follow(input, &out.said);
        self.promises.check(&self.controller, input, out)?;
        if self.controller.engine().round() != self.begun_round && self.controller.engine().is_wagering() {
            self.begun_round = self.controller.engine().round();
            self.tally.rounds += 1;
            self.world.clear_layout();
            self.robot.begin_round(&self.config.table);
        }
        Ok(())
    }

    /// An input that must be taken: a device's, or one that somebody was told to give.
    fn put(&mut self, input: &Input) -> Result<(), String> {
        self.apply(input)?.map_err(|refused| format!("{input:?} was refused: {refused:?}"))
    }

    fn person(&mut self, by: Option<Staff>, action: Action) -> Result<Result<(), Refused>, String> {
        self.apply(&Input::Person(PersonInput { by, second: None, action, key: None }))
    }

    fn two_people(&mut self, by: Staff, second: Staff, action: Action) -> Result<Result<(), Refused>, String> {
        self.apply(&Input::Person(PersonInput { by: Some(by), second: Some(second), action, key: None }))
    }

    /// Words of the play script, said by whoever may say them.
    fn words(&mut self, words: &str) -> Result<Result<(), Refused>, String> {
        let action = Action::Play { words: words.to_owned() };
        let who = self.controller.act_kind(&action).map_or(Who::DealerKey, |kind| kind.permission().who);
        let by = match who {
            Who::Named(roles) => [FLOOR, MANAGER].into_iter().find(|staff| roles.contains(&staff.role)),
            Who::DealerKey | Who::Device => None,
        };
        self.person(by, action)
    }

    fn carry_out(&mut self, out: Outputs) -> Result<(), String> {
        let mut to_open = Vec::new();
        for command in out.commands {
            if let Output::Open { draw, .. } = command {
                to_open.push(draw.0);
            } else {
                self.world.obey(command);
            }
        }
        for draw in to_open {
            let event = match self.world.slot.remove(&draw) {
                Some(card) => ShoeInput::Opened { draw, card: card.to_string() },
                None => ShoeInput::NotOpened { draw },
            };
            self.put(&Input::Shoe { side: ShoeSide::Left, event })?;
        }
        Ok(())
    }

    fn pass(&mut self, milliseconds: i64) -> Result<(), String> {
        let monotonic = self.clock.monotonic_ms + u64::try_from(milliseconds).unwrap_or(0);
        self.clock = clock_at(self.clock.wall_ms + milliseconds, monotonic);
        if self.clock.wall_ms - self.clock_told_ms >= 60_000 {
            self.clock_told_ms = self.clock.wall_ms;
            self.put(&Input::Clock(self.clock))?;
        }
        Ok(())
    }

    fn screen(&self) -> Screen {
        self.controller.screen()
    }

    fn remember(&mut self, input: &Input) {
        if self.last.len() >= 60 {
            self.last.pop_front();
        }
        let line = String::from_utf8_lossy(&table_controller::encode_input(input)).into_owned();
        self.last.push_back(format!("{} | {line}", self.controller.engine().order_in_words()));
    }

    /// The storm is over: the whole journal is read from its first byte.
    fn end(&mut self) -> Result<(), String> {
        self.disk.verify()
    }
}

fn person_of(input: &Input) -> u64 {
    if let Input::Person(PersonInput { by: Some(staff), .. }) = input { u64::from(staff.id.0) } else { 0 }
}

fn clock_at(wall_ms: i64, monotonic_ms: u64) -> Clock {
    let minute = u16::try_from(wall_ms.rem_euclid(DAY_MS) / 60_000).unwrap_or(0);
    Clock { wall_ms, monotonic_ms, minute, day: (wall_ms - TURN_MS).div_euclid(DAY_MS), trusted: true }
}

fn identity(serial: &str) -> LinkIdentity {
    LinkIdentity {
        model: "twin".to_owned(),
        serial: serial.to_owned(),
        firmware: "00".to_owned(),
        ..LinkIdentity::default()
    }
}
