//! What has to be known of a table before it can be set up, from a file or from somebody at the console.

use std::path::{Path, PathBuf};

use operator_api::Role;
use serde::Deserialize;
use table_daemon::config::BOARDS;
use table_rules::game::Game;

use super::ports::{Found, Port};
use super::{Asked, PEOPLE_MIN, wiring};
use crate::commands::samples;
use crate::files;
use crate::output::Failure;

/// As they are written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Answers {
    board: String,
    table: String,
    /// A game whose shipped submission is meant, or the approved one's file.
    rules: String,
    /// The seats that have a sensor and a lamp, wired as the board's wiring file has them.
    #[serde(default)]
    sensors: u8,
    /// Whether the dealer's screen hangs on this board.
    #[serde(default)]
    screen: bool,
    /// The UART of the technician's console.
    console: Option<String>,
    #[serde(default)]
    ports: AnsweredPorts,
    #[serde(default)]
    person: Vec<Somebody>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnsweredPorts {
    reader: Option<String>,
    shuffler: Option<String>,
    shoe: Option<String>,
    #[serde(rename = "right-shoe")]
    right_shoe: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Somebody {
    pub(super) number: u32,
    pub(super) name: String,
    pub(super) role: Role,
}

/// Answers that make sense together.
pub(super) struct Plan {
    pub(super) board: String,
    pub(super) table: String,
    /// The submission's text.
    pub(super) rules: String,
    /// The blocks of sensors and lamps.
    pub(super) wiring: String,
    pub(super) screen: bool,
    /// The name of the console's UART, without /dev.
    pub(super) console: Option<String>,
    /// In the order of the table's file, by the names below /dev/holecard.
    pub(super) ports: Vec<(&'static str, Port)>,
    pub(super) people: Vec<Somebody>,
}

impl Answers {
    pub(super) fn read(file: &Path) -> Result<Self, Failure> {
        let text = files::read_submission(file)?;
        toml::from_str(&text).map_err(|error| {
            let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
            Failure::Refused(format!("{}:{line}: {}", file.display(), error.message().trim()))
        })
    }

    /// Everything that is wrong with them at once.
    pub(super) fn plan(self, file: Option<&Path>) -> Result<Plan, Vec<String>> {
        let Self { board, table, rules, sensors, screen, console, ports, person: people } = self;
        let mut problems = Vec::new();
        if !BOARDS.iter().any(|(name, _)| *name == board) {
            problems.push(format!("board: {board:?} is none of {}", boards().join(", ")));
        }
        let rules = rules_text(&rules, file).unwrap_or_else(|problem| {
            problems.push(problem);
            String::new()
        });
        let AnsweredPorts { reader, shuffler, shoe, right_shoe } = ports;
        let named = [("reader", reader), ("shuffler", shuffler), ("shoe", shoe), ("right-shoe", right_shoe)];
        let mut ports: Vec<(&'static str, Port)> = Vec::new();
        for (name, text) in named.into_iter().filter_map(|(name, text)| Some((name, text?))) {
            match Port::parse(&text) {
                Ok(port) => match ports.iter().find(|(_, other)| *other == port) {
                    Some((other, _)) => problems.push(format!("ports: {name} and {other} are both on {port}")),
                    None => ports.push((name, port)),
                },
                Err(problem) => problems.push(format!("ports.{name}: {problem}")),
            }
        }
        let console = match console.as_deref().map(Port::parse).transpose() {
            Ok(None) => None,
            Ok(Some(port)) if ports.iter().any(|(_, other)| *other == port) => {
                problems.push(format!("console: a device of the table is on {port} already"));
                None
            }
            Ok(Some(Port::Uart(tty))) => Some(tty),
            // A unit is named after its port, and a USB port's name changes with the next plug.
            Ok(Some(Port::Socket(path))) => {
                problems
                    .push(format!("console: {path} is a USB socket; name a UART of the board, for example ttyAMA10"));
                None
            }
            Err(problem) => {
                problems.push(format!("console: {problem}"));
                None
            }
        };
        let wiring = wiring::blocks(&board, sensors).unwrap_or_else(|problem| {
            problems.push(problem);
            String::new()
        });
        if people.len() < PEOPLE_MIN {
            problems.push(format!(
                "person: {} named, it takes {PEOPLE_MIN}: what needs two people needs them",
                people.len()
            ));
        }
        let inspects = |role: Role| match role {
            Role::Floorperson | Role::Manager => true,
            Role::Dealer | Role::Technician | Role::Auditor => false,
        };
        if !people.iter().any(|each| inspects(each.role)) {
            problems.push("person: nobody can do the inspection: name a floorperson or a manager".to_owned());
        }
        if problems.is_empty() {
            Ok(Plan { board, table, rules, wiring, screen, console, ports, people })
        } else {
            Err(problems)
        }
    }
}

fn boards() -> Vec<&'static str> {
    BOARDS.iter().map(|(name, _)| *name).collect()
}

/// A relative file is looked for beside the file of answers.
fn rules_text(rules: &str, answers: Option<&Path>) -> Result<String, String> {
    if let Some(game) = Game::ALL.into_iter().find(|game| game.id() == rules) {
        return Ok(samples::submission(game).to_owned());
    }
    let beside = answers.and_then(Path::parent).map_or_else(PathBuf::new, Path::to_owned);
    files::read_submission(&beside.join(rules)).map_err(|error| {
        let games: Vec<&str> = Game::ALL.into_iter().map(Game::id).collect();
        format!("rules: {error}\n    or a game: {}", games.join(", "))
    })
}

/// The same from somebody at the console; a question is asked again until its answer makes sense.
pub(super) fn ask(who: &mut dyn Asked, found: &[Found]) -> Result<Answers, Failure> {
    let board = choose(who, "Which board is this?", &boards())?;
    let table = who.ask("The table's number, for example BJ-07:")?;
    let games: Vec<&str> = Game::ALL.into_iter().map(Game::id).collect();
    let rules = who.ask(&format!("Its game ({}), or the approved submission's file:", games.join(", ")))?;
    let mut ports = AnsweredPorts::default();
    let mut free: Vec<&Found> = found.iter().collect();
    let parts = [
        ("hole-card reader", &mut ports.reader),
        ("shuffler", &mut ports.shuffler),
        ("shoe", &mut ports.shoe),
        ("right shoe of a double shoe", &mut ports.right_shoe),
    ];
    for (part, place) in parts {
        if free.is_empty() {
            break;
        }
        let mut names = vec!["none".to_owned()];
        names.extend(free.iter().map(|each| format!("{} ({}, {})", each.port, each.tty, each.what)));
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let at = choose_at(who, &format!("Where is the {part} plugged in?"), &names)?;
        if let Some(index) = at.checked_sub(1) {
            *place = Some(match &free.remove(index).port {
                Port::Socket(path) => path.clone(),
                Port::Uart(tty) => tty.clone(),
            });
        }
    }
    let uarts: Vec<&str> = free.iter().filter_map(|each| each.port.uart()).collect();
    let mut console = None;
    if !uarts.is_empty() {
        let names: Vec<&str> = ["none"].into_iter().chain(uarts.iter().copied()).collect();
        let at = choose_at(who, "Which port is the technician's console on?", &names)?;
        console = at.checked_sub(1).map(|index| uarts[index].to_owned());
    }
    let sensors = match wiring::seats_most(&board) {
        0 => 0,
        most => loop {
            let question =
                format!("How many seats have a sensor and a lamp, wired as wiring.md draws them? 0 to {most}:");
            match who.ask(&question)?.parse::<u8>() {
                Ok(seats) if seats <= most => break seats,
                Ok(_) | Err(_) => continue,
            }
        },
    };
    let screen = choose_at(who, "Is the dealer's screen on this board?", &["yes", "no"])? == 0;
    let mut person = Vec::new();
    while person.len() < PEOPLE_MIN {
        let which = if person.is_empty() { "first" } else { "second" };
        let number = loop {
            let text = who.ask(&format!("The {which} person's number, as on the badge:"))?;
            match text.parse() {
                Ok(number) => break number,
                Err(_) => continue,
            }
        };
        let name = who.ask("Their name, as records show it:")?;
        let role = choose_at(who, "Their role?", &Role::ALL.map(Role::word))?;
        person.push(Somebody { number, name, role: Role::ALL[role] });
    }
    Ok(Answers { board, table, rules, sensors, screen, console, ports, person })
}

fn choose(who: &mut dyn Asked, question: &str, from: &[&str]) -> Result<String, Failure> {
    Ok(from[choose_at(who, question, from)?].to_owned())
}

fn choose_at(who: &mut dyn Asked, question: &str, from: &[&str]) -> Result<usize, Failure> {
    let list: Vec<String> = from.iter().enumerate().map(|(at, each)| format!("  {}  {each}\n", at + 1)).collect();
    loop {
        let text = who.ask(&format!("{question}\n{}1 to {}:", list.concat(), from.len()))?;
        let number = text.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        if let Some(at) = number.filter(|at| *at < from.len()).or_else(|| from.iter().position(|each| *each == text)) {
            return Ok(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    struct Script(VecDeque<&'static str>);

    impl Asked for Script {
        fn ask(&mut self, question: &str) -> Result<String, Failure> {
            Ok(self.0.pop_front().unwrap_or_else(|| panic!("no answer to {question}")).to_owned())
        }
    }

    #[test]
    fn the_console_asks_for_what_the_file_has_and_offers_a_port_once() {
        let found = ["ttyAMA1", "ttyAMA2", "ttyAMA10"].map(|tty| Found {
            tty: tty.to_owned(),
            port: Port::parse(tty).unwrap(),
            what: "the board's own".to_owned(),
        });
        let script = [
            "9",
            "raspberry-pi-5",
            "BJ-07",
            "blackjack",
            "3",
            "1",
            "2",
            "1",
            "ttyAMA10",
            "9",
            "5",
            "no",
            "not a number",
            "2001",
            "R. Vance",
            "2",
            "4001",
            "T. Ito",
            "technician",
        ];
        let mut script = Script(script.into());
        let plan = ask(&mut script, &found).unwrap().plan(None).unwrap_or_else(|problems| panic!("{problems:?}"));
        assert!(script.0.is_empty(), "{:?}", script.0);
        assert_eq!((plan.board.as_str(), plan.table.as_str()), ("raspberry-pi-5", "BJ-07"));
        let ports: Vec<(&str, String)> = plan.ports.iter().map(|(name, port)| (*name, port.to_string())).collect();
        assert_eq!(ports, [("reader", "UART ttyAMA2".to_owned()), ("shoe", "UART ttyAMA1".to_owned())]);
        assert_eq!((plan.console.as_deref(), plan.screen), (Some("ttyAMA10"), false));
        assert_eq!(plan.wiring.matches("[[devices.sensor]]").count(), 5);
        let roles: Vec<Role> = plan.people.iter().map(|each| each.role).collect();
        assert_eq!(roles, [Role::Floorperson, Role::Technician]);
    }

    #[test]
    fn ports_are_named_so_that_they_stay() {
        assert_eq!(Port::parse("/dev/ttyAMA3"), Ok(Port::Uart("ttyAMA3".to_owned())));
        let socket = Port::Socket("platform-xhci-hcd.0-usb-0:1:1.0".to_owned());
        for text in ["platform-xhci-hcd.0-usb-0:1:1.0", "/dev/serial/by-path/platform-xhci-hcd.0-usb-0:1:1.0-port0"] {
            assert_eq!(Port::parse(text).as_ref(), Ok(&socket));
        }
        assert!(Port::parse("/dev/ttyUSB0").unwrap_err().contains("another port after the next plug"));
        for bad in ["", "a b", "x\", RUN+=\"/bin/sh", "a\nb"] {
            assert!(Port::parse(bad).is_err(), "{bad:?}");
        }
    }
}
