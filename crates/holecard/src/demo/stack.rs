//! The daemon with a site of its own: configuration, journal, staff and ports in a folder that goes away with it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use operator_api::{Action, PersonId, Role};
use serde_json::Value;
use table_daemon::config::{Config, ConfigProblem};
use table_daemon::handle::{IdempotencyKey, Reply, Request, TableHandle};
use table_daemon::staff::Authenticated;
use table_daemon::table::{NotStarted, RunningTable, TableParts, start};
use table_rules::Table;
use table_rules::card::Card;
use table_rules::game::Game;
use table_rules::wager::WagerId;
use thiserror::Error;
use tokio_util::sync::CancellationToken;

use super::felt;
use super::people::{Deed, People, Sight, Who};
use super::world::{PortPaths, World};

#[derive(Debug, Error)]
pub(crate) enum StackError {
    #[error("the demo's folder cannot be prepared: {0}")]
    Folder(#[from] io::Error),
    #[error("the demo's configuration is wrong:\n{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Config(Vec<ConfigProblem>),
    #[error(transparent)]
    Table(#[from] NotStarted),
}

/// The people of the demo, by their numbers. Their PINs are printed: this is nobody's casino.
pub(crate) const DEALER: u32 = 1001;
pub(crate) const FLOORPERSON: u32 = 2001;
pub(crate) const MANAGER: u32 = 3001;
pub(crate) const TECHNICIAN: u32 = 4001;

/// The rules that the demo deals, every wager of the game on offer.
pub(crate) const fn rules_of(game: Game) -> &'static str {
    match game {
        Game::Blackjack => include_str!("../../../../firmware-config/submissions/blackjack-all-wagers.toml"),
        Game::Spanish21 => include_str!("../../../../firmware-config/submissions/spanish-21-all-wagers.toml"),
        Game::Pontoon21 => include_str!("../../../../firmware-config/submissions/pontoon-21-all-wagers.toml"),
        Game::PlayersEdge21 => include_str!("../../../../firmware-config/submissions/players-edge-21-all-wagers.toml"),
    }
}

/// The progressive wager with sensors and lamps at every seat, with its one stake.
const fn sensed(game: Game) -> Option<(WagerId, &'static str)> {
    match game {
        Game::PlayersEdge21 => Some((WagerId::MonsterMatch, "2")),
        Game::Blackjack => Some((WagerId::Blazing7s, "5")),
        Game::Pontoon21 => Some((WagerId::BonusSpin, "5")),
        Game::Spanish21 => None,
    }
}

/// The files of a site below a folder.
#[derive(Debug)]
pub(crate) struct Site {
    pub(crate) config: PathBuf,
    pub(crate) ports: PortPaths,
    pub(crate) spots: u8,
}

impl Site {
    /// Writes what a site needs: its configuration and its rules. `port` 0 leaves the choice to the system.
    pub(crate) fn write(folder: &Path, game: Game, port: u16) -> io::Result<Self> {
        let ports = PortPaths::below(folder);
        let rules = folder.join("rules.toml");
        fs::write(&rules, rules_of(game))?;
        fs::create_dir_all(folder.join("state"))?;
        let spots = match sensed(game) {
            Some((wager, stake)) => format!("[spots.1]\nwager = \"{wager}\"\nstake = {stake}\n"),
            None => String::new(),
        };
        let at = folder.display();
        let text = format!(
            "board = \"simulated\"\n\n[table]\nid = \"DEMO-1\"\nrules = \"{at}/rules.toml\"\n\n{spots}\n\
             [journal]\ndirectory = \"{at}/journal\"\nkey_file = \"{at}/journal.key\"\nsegment_mib = 1\n\n\
             [state]\ndirectory = \"{at}/state\"\npepper_file = \"{at}/pepper\"\n\n\
             [http]\nlisten = \"127.0.0.1:{port}\"\nhosts = [\"localhost:{port}\"]\ntoken_file = \"{at}/kiosk.token\"\nsocket = \"{at}/holecard.sock\"\n\n\
             [log]\nto = \"text\"\nlevel = \"warn\"\n\n\
             [devices.reader]\nlink = {{ tty = {{ path = \"{}\", baud = 115200 }} }}\n\n\
             [devices.shuffler]\nlink = {{ tty = {{ path = \"{}\", baud = 115200 }} }}\n\n\
             [[devices.shoe]]\nlink = {{ tty = {{ path = \"{}\", baud = 115200 }} }}\n",
            ports.reader.display(),
            ports.shuffler.display(),
            ports.shoe.display(),
        );
        let config = folder.join("table.toml");
        fs::write(&config, text)?;
        let spots = u8::from(sensed(game).is_some());
        Ok(Self { config, ports, spots })
    }

    pub(crate) fn load(&self) -> Result<(Config, Table), StackError> {
        let config = Config::load(&[&self.config]).map_err(StackError::Config)?;
        let table = config.rules_table().map_err(StackError::Config)?;
        Ok((config, table))
    }
}

/// A table that runs in this process.
pub(crate) struct Stack {
    pub(crate) config: Config,
    pub(crate) world: World,
    pub(crate) handle: TableHandle,
    running: Option<RunningTable>,
    cancel: CancellationToken,
    sees_felt: bool,
}

impl std::fmt::Debug for Stack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stack").finish_non_exhaustive()
    }
}

impl Stack {
    /// The devices first, as at a real table; then the daemon.
    pub(crate) async fn start(site: &Site, seed: u64, cycle_ms: u64) -> Result<Self, StackError> {
        let (config, table) = site.load()?;
        let world = World::new(&table, site.spots.max(1), &site.ports, seed, cycle_ms)?;
        let sees_felt = site.spots > 0;
        let cancel = CancellationToken::new();
        let running = start(&config, parts(&world, sees_felt), cancel.clone()).await?;
        Ok(Self { config, world, handle: running.handle.clone(), running: Some(running), cancel, sees_felt })
    }

    /// The power goes: the loop is dropped where it stands, and the daemon starts again from its journal.
    pub(crate) async fn cut_power(&mut self) -> Result<(), StackError> {
        if let Some(running) = self.running.take() {
            running.task.abort();
            let _gone = running.task.await;
        }
        self.cancel.cancel();
        self.cancel = CancellationToken::new();
        let running = start(&self.config, parts(&self.world, self.sees_felt), self.cancel.clone()).await?;
        self.handle = running.handle.clone();
        self.running = Some(running);
        Ok(())
    }

    pub(crate) async fn stop(mut self) {
        self.cancel.cancel();
        if let Some(running) = self.running.take() {
            let _ended = running.task.await;
        }
    }

    pub(crate) fn screen(&self) -> Value {
        serde_json::from_str(&self.handle.frame().screen).unwrap_or(Value::Null)
    }

    /// Says something at the table.
    pub(crate) async fn say(&self, who: Who, action: Action, prompt: Option<u64>) -> Reply {
        static KEYS: AtomicU64 = AtomicU64::new(1);
        let key = format!("demo-{}", KEYS.fetch_add(1, Ordering::Relaxed));
        let Some(key) = IdempotencyKey::new(&key) else { return Reply::Stopped };
        let (person, second) = staff(who);
        self.handle.request(|reply| Request { key, prompt, person, second, action, reply }).await
    }
}

fn parts(world: &World, sees_felt: bool) -> TableParts {
    TableParts { felt: sees_felt.then(|| felt::start_on(&world.panel())), alive: Box::new(|| ()) }
}

/// Who stands behind a voice.
pub(crate) fn staff(who: Who) -> (Option<Authenticated>, Option<Authenticated>) {
    let of = |number, role| Some(Authenticated { id: PersonId(number), role });
    match who {
        Who::Screen => (None, None),
        Who::Dealer => (of(DEALER, Role::Dealer), None),
        Who::Floorperson => (of(FLOORPERSON, Role::Floorperson), None),
        Who::Manager => (of(MANAGER, Role::Manager), None),
        Who::TechnicianAndFloor => (of(TECHNICIAN, Role::Technician), of(FLOORPERSON, Role::Floorperson)),
        Who::FloorAndManager => (of(FLOORPERSON, Role::Floorperson), of(MANAGER, Role::Manager)),
    }
}

/// What eyes see of the world. `waiting`: a card was drawn and nobody has seen yet where it went; for how long.
pub(crate) fn look(world: &World, screen: &Value, waiting: Option<Duration>) -> Sight {
    use device_protocols::reader::ReaderState;
    use device_protocols::shuffler::ShufflerState;
    let state = world.reader_state();
    let shuffler = world.shuffler_state();
    Sight {
        reader_holds_card: world.reader_holds_card(),
        reader_is_armed: matches!(state, ReaderState::Armed(_)),
        reader_is_reading: matches!(state, ReaderState::Reading(_) | ReaderState::CardIn(_)),
        reader_tests: matches!(state, ReaderState::Testing),
        shuffler_is_empty: matches!(shuffler, ShufflerState::Empty),
        shuffler_is_stopped: matches!(shuffler, ShufflerState::Jammed | ShufflerState::Counted),
        shoe_is_ready: screen["devices"]
            .as_array()
            .is_none_or(|devices| devices.iter().any(|device| device["part"] == "shoe" && device["up"] == true)),
        cards_on_table: world.cards_on_table(),
        chips: world.chips(),
        card_waits: waiting,
    }
}

/// One person's moment at the table: looks, decides, does. Says what was refused.
#[derive(Debug)]
pub(crate) struct Shift {
    pub(crate) people: People,
    /// When a card was drawn that the screen has not come to rest on.
    drawn: Option<Instant>,
    last_sequence: Option<u64>,
    pub(crate) deeds: u64,
    /// A hand that lays a chip or presses a button is not done at once.
    busy_until: Option<Instant>,
}

/// Longer than any debounce, and about as long as a hand needs.
const HAND: Duration = Duration::from_millis(150);

/// What a moment came to.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Moment {
    Done,
    Waited,
    Refused { deed: Box<Deed>, reason: String, clause: String },
    NoCards,
}

impl Shift {
    pub(crate) fn new(seed: u64) -> Self {
        Self { people: People::new(seed), drawn: None, last_sequence: None, deeds: 0, busy_until: None }
    }

    /// What somebody would do now.
    pub(crate) fn choose(&mut self, world: &World, screen: &Value) -> Deed {
        if let Some(until) = self.busy_until {
            if Instant::now() < until {
                return Deed::Wait;
            }
            self.busy_until = None;
            world.press_lock(false);
        }
        // The card is where it belongs when the shoe has been told so and the screen has come to rest.
        let sequence = screen["sequence"].as_u64();
        let rests = std::mem::replace(&mut self.last_sequence, sequence) == sequence;
        self.drawn = self.drawn.filter(|_| !rests || world.shoe_waits());
        let sight = look(world, screen, self.drawn.map(|drawn| drawn.elapsed()));
        self.people.next(screen, &sight)
    }

    /// Does what hands do; what has to be said comes back.
    pub(crate) fn handle(
        &mut self,
        deed: &Deed,
        world: &mut World,
        screen: &Value,
    ) -> Result<Option<(Who, Action)>, Moment> {
        let play = |words: String| Ok(Some((Who::Screen, Action::Play { words })));
        let named = |card: Option<Card>, word: &str| match card {
            Some(card) => play(format!("{word} {card}")),
            None => Err(Moment::NoCards),
        };
        match deed {
            Deed::Wait => return Err(Moment::Waited),
            Deed::Draw(goes) => {
                if !world.draw(*goes) {
                    return Err(Moment::NoCards);
                }
                self.drawn = Some(Instant::now());
                self.last_sequence = None;
            }
            Deed::InsertHoleCard => world.insert_hole_card(),
            Deed::InsertTestCard(name) => world.insert_test_card(name),
            Deed::TakeCardOut => world.take_card_out(),
            Deed::PutChip { seat, spot } => {
                world.put_chip(*seat, *spot);
                self.busy_until = Some(Instant::now() + HAND);
            }
            Deed::TakeChip { seat, spot } => {
                world.take_chip(*seat, *spot);
                self.busy_until = Some(Instant::now() + HAND);
            }
            Deed::PressLock if screen["seats"][0]["lamps"].as_array().is_some_and(|lamps| !lamps.is_empty()) => {
                world.press_lock(true);
                self.busy_until = Some(Instant::now() + HAND);
            }
            Deed::PressLock => return play("lock".to_owned()),
            Deed::LoadShuffler => world.load_shuffler(),
            Deed::ShuffleByHand => {
                world.shuffle_by_hand();
                return play("shuffle by-hand".to_owned());
            }
            Deed::ClearFelt => world.clear_felt(),
            Deed::NameCard => {
                self.drawn = None;
                return named(world.in_hand, "card");
            }
            Deed::NameHole => return named(world.hole, "reveal"),
            Deed::NameTurned(seat) => {
                let card = world.down.get_mut(seat).filter(|cards| !cards.is_empty()).map(|cards| cards.remove(0));
                return named(card, &format!("turn {seat}"));
            }
            Deed::Act(who, action) => return Ok(Some((*who, action.clone()))),
            Deed::Cut { words, depth } => {
                world.cut(*depth);
                return play(words.clone());
            }
            Deed::PlaceCover { words, from_bottom } => {
                world.place_cover(*from_bottom);
                return play(words.clone());
            }
            Deed::FillShoe => {
                world.fill_shoe();
                return play("load".to_owned());
            }
        }
        self.deeds += 1;
        Ok(None)
    }

    /// One moment against a table in this process.
    pub(crate) async fn moment(&mut self, stack: &mut Stack) -> Moment {
        let screen = stack.screen();
        let deed = self.choose(&stack.world, &screen);
        match self.handle(&deed, &mut stack.world, &screen) {
            Err(moment) => moment,
            Ok(None) => Moment::Done,
            Ok(Some((who, action))) => {
                self.deeds += 1;
                match stack.say(who, action, screen["prompt_number"].as_u64()).await {
                    Reply::Accepted { .. } => Moment::Done,
                    Reply::Refused { reason, clause } | Reply::NeedsPerson { reason, clause, .. } => {
                        Moment::Refused { deed: Box::new(deed), reason, clause }
                    }
                    Reply::Stale { .. } | Reply::Saving | Reply::Stopped => Moment::Waited,
                }
            }
        }
    }
}
