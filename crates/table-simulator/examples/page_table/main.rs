//! A table for whoever tries the dealer's page without a browser: the real controller, devices as values, and every
//! question and answer one line of JSON.
//!
//! `hw-tests/page` asks through it what the page may not decide itself: whether a key is taken. A line that is asked with
//! `try` is answered by a copy of the table, and changes nothing.
//!
//! | asks | does |
//! |---|---|
//! | `{"start":{"rules":…,"with":[…],"tracking":…,"devices":"all","seed":1}}` | another table |
//! | `{"act":{…}}` | an action, by whoever may do it |
//! | `{"try":[{…},…]}` | whether each of these actions would be taken |
//! | `{"device":"draw"}`, `insert`, `chips`, `lock-out`, `shuffle`, `test`, `chance` | what hands do at the devices |
//! | `{"storm":{"game":…,"seed":1,"hours":3}}` | plays a storm and shows each new kind of screen |

mod storms;
mod world;

use std::io::Write;

use operator_api::{Action, PersonId, Role, Screen, Who};
use serde::{Deserialize, Serialize};
use table_controller::{Config, Controller, Input, Outputs, PersonInput, Refused, Staff, Stamp};
use table_rules::submission::RulesSubmission;
use table_rules::{Table, Tracking};

use world::World;

const DEALER: Staff = Staff { id: PersonId(1042), role: Role::Dealer };
const FLOOR: Staff = Staff { id: PersonId(2001), role: Role::Floorperson };
const MANAGER: Staff = Staff { id: PersonId(3001), role: Role::Manager };
const TECHNICIAN: Staff = Staff { id: PersonId(4001), role: Role::Technician };

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum Asked {
    Start(Start),
    Act(Action),
    Try(Vec<Action>),
    Device(Hand),
    Storm(storms::Wanted),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Start {
    rules: String,
    #[serde(default)]
    with: Vec<String>,
    tracking: String,
    devices: Devices,
    seed: u64,
}

/// What stands at the table.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Devices {
    /// Everything, with a sensor at every box.
    All,
    /// Everything, the lock-out button among it, and no sensor at the boxes.
    NoSensors,
    /// The reader alone: cards are not told by a shoe.
    Reader,
    None,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Hand {
    Draw,
    Insert,
    Chips,
    LockOut,
    Shuffle,
    Test,
    Chance,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
enum Told {
    Screen(Box<Screen>),
    Refused { reason: String, clause: String },
    Tried(Vec<Option<String>>),
    Failed(String),
    Done(String),
}

fn main() -> std::io::Result<()> {
    let mut table: Option<World> = None;
    let mut line = String::new();
    // Read line by line, without keeping the lock: a storm reads between its screens.
    while std::io::stdin().read_line(&mut line)? > 0 {
        let told = match serde_json::from_str::<Asked>(&line) {
            Err(error) => Told::Failed(error.to_string()),
            Ok(asked) => answer(asked, &mut table),
        };
        tell(&told)?;
        line.clear();
    }
    Ok(())
}

fn tell(told: &Told) -> std::io::Result<()> {
    let line = serde_json::to_string(told)?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}

fn answer(asked: Asked, table: &mut Option<World>) -> Told {
    let shown = |world: &World| Told::Screen(Box::new(world.controller.screen()));
    match asked {
        Asked::Start(start) => match begin(&start) {
            Ok(world) => shown(table.insert(world)),
            Err(error) => Told::Failed(error),
        },
        Asked::Storm(wanted) => storms::play(&wanted).map_or_else(Told::Failed, Told::Done),
        Asked::Act(_) | Asked::Try(_) | Asked::Device(_) if table.is_none() => Told::Failed("no table yet".to_owned()),
        Asked::Try(actions) => {
            let world = table.as_ref().expect("there is a table: asked above");
            Told::Tried(actions.into_iter().map(|action| tried(&world.controller, action)).collect())
        }
        Asked::Act(action) => {
            let world = table.as_mut().expect("there is a table: asked above");
            match world.act(action) {
                Ok(()) => shown(world),
                Err(Refused { reason, source }) => Told::Refused { reason, clause: source },
            }
        }
        Asked::Device(hand) => {
            let world = table.as_mut().expect("there is a table: asked above");
            match world.hand(hand) {
                Ok(()) => shown(world),
                Err(problem) => Told::Failed(problem),
            }
        }
    }
}

/// Why a copy of the table would refuse this; nothing where it takes it.
pub(crate) fn tried(controller: &Controller, action: Action) -> Option<String> {
    let mut reason = None;
    for person in somebody(controller, action) {
        reason = on_a_copy(controller, person).err();
        if reason.is_none() {
            break;
        }
    }
    reason
}

/// The action by the first person from whom the table takes it.
pub(crate) fn by_somebody(controller: &Controller, action: Action) -> PersonInput {
    let all = somebody(controller, action);
    let taken = all.iter().find(|person| on_a_copy(controller, (*person).clone()).is_ok());
    taken.unwrap_or(&all[0]).clone()
}

fn on_a_copy(controller: &Controller, person: PersonInput) -> Result<(), String> {
    let resumed = Controller::resumed(controller.config().clone(), &controller.checkpoint());
    let mut copy = resumed.map_err(|error| error.to_string())?;
    let stamp = Stamp { sequence: copy.sequence() + 1 };
    let input = Input::Person(person);
    copy.apply(stamp, &input, &mut Outputs::default()).map_err(|refused| refused.reason)
}

/// Whoever may do it, each with a second person beside them. Never empty.
fn somebody(controller: &Controller, action: Action) -> Vec<PersonInput> {
    let who = controller.act_kind(&action).map_or(Who::DealerKey, |kind| kind.permission().who);
    let roles = match who {
        Who::Named(roles) => roles,
        Who::DealerKey | Who::Device => &[],
    };
    let people = [DEALER, FLOOR, MANAGER, TECHNICIAN].into_iter().filter(|one| roles.contains(&one.role));
    let mut all: Vec<_> = people
        .map(|by| {
            let second = if by.id == MANAGER.id { FLOOR } else { MANAGER };
            PersonInput { by: Some(by), second: Some(second), action: action.clone(), key: None }
        })
        .collect();
    if all.is_empty() {
        all.push(PersonInput { by: None, second: None, action, key: None });
    }
    all
}

fn begin(start: &Start) -> Result<World, String> {
    let tracking = match start.tracking.as_str() {
        "procedure" => Tracking::Procedure,
        _ => Tracking::Cards,
    };
    let table = submission(&start.rules, &start.with)?;
    table.check_tracking(tracking).map_err(|error| error.to_string())?;
    let mut config = Config::with_all_devices("PAGE", table, tracking);
    match start.devices {
        Devices::All => {}
        Devices::NoSensors => config.spots.clear(),
        Devices::Reader => (config.has_shuffler, config.has_layout, config.shoes) = (false, false, 0),
        Devices::None => {
            (config.has_reader, config.has_shuffler, config.has_layout, config.shoes) = (false, false, false, 0);
        }
    }
    World::start(config, start.seed)
}

/// A shipped file, with some of its lines replaced or added.
fn submission(rules: &str, with: &[String]) -> Result<Table, String> {
    let path = format!("{}/../../firmware-config/submissions/{rules}.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
    let mut lines: Vec<String> = text.lines().map(ToOwned::to_owned).collect();
    for setting in with {
        let key = setting.split_once('=').ok_or("write: with key = value")?.0.trim();
        let same_key = |line: &String| line.split_once('=').is_some_and(|(found, _)| found.trim() == key);
        match lines.iter().position(same_key) {
            Some(at) => lines[at].clone_from(setting),
            None => lines.insert(0, setting.clone()),
        }
    }
    let verdict = RulesSubmission::parse(&lines.join("\n")).check();
    verdict.table.map_err(|problems| format!("{rules}: {} problems", problems.len()))
}
