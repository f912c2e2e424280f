//! `holecard ctl`: the technician's commands without the terminal, and a dealer's words for an administrator.
//!
//! The words are those of the console's one table, so that both always know the same. `act` stands outside it: it says
//! what is said at the dealer's screen.

mod show;
mod talk;

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::path::PathBuf;

use clap::{Args, Subcommand};
use operator_api::escaped;
use serde_json::{Value, json};
use table_daemon::secret::Secret;
use tech_console::command::Effect;
use tech_console::output::{json_error, json_line};
use tech_console::{Access, access, grammar};
use zeroize::Zeroizing;

use super::console::{Place, PlaceBehind, login};
use crate::console::{Dialog, World, run as run_command};
use crate::hidden;
use crate::output::{self, BAD, Failure, Outcome, Styled};
use talk::Talk;

/// Talk to a running daemon, or look at a dead one.
#[derive(Debug, Args)]
// `help` is a word of the console's table.
#[command(disable_help_subcommand = true)]
#[command(after_help = "Examples:\n  \
    holecard ctl status\n  \
    holecard ctl why RD-010\n  \
    holecard ctl recall 88 --json\n  \
    holecard ctl help                # every word of the technician's console\n  \
    holecard ctl act stand\n  \
    holecard ctl act --person 2001 floor approve\n\n\
    What changes something asks for a number and a PIN.")]
pub(crate) struct Ctl {
    /// The daemon's socket; the configuration's if left out.
    #[arg(long, global = true, value_name = "PATH")]
    socket: Option<PathBuf>,
    /// As JSON.
    #[arg(long, global = true)]
    json: bool,
    #[command(flatten)]
    place: Place,
    #[command(subcommand)]
    command: CtlCommand,
}

#[derive(Debug, Subcommand)]
enum CtlCommand {
    /// Say a line of the play script, or with --action any other action as JSON.
    #[command(after_help = "Examples:\n  holecard ctl act stand\n  holecard ctl act wager 3 main 25\n  \
        holecard ctl act --person 2001 floor approve\n  \
        holecard ctl act --person 2001 correct paid the wrong box\n  \
        holecard ctl act --person 2001 --action '{\"do\":\"acknowledge\",\"alert\":3}'")]
    Act {
        /// The line, as docs/play-script.md has it.
        #[arg(required_unless_present = "action")]
        words: Vec<String>,
        /// For example '{"do":"acknowledge","alert":3}'.
        #[arg(long, conflicts_with = "words", value_name = "JSON")]
        action: Option<String>,
        /// Whose action it is; the PIN is asked for.
        #[arg(long, value_name = "NUMBER")]
        person: Option<u32>,
        /// The second person, where two are needed.
        #[arg(long, value_name = "NUMBER", requires = "person")]
        second: Option<u32>,
    },
    /// The link of the players' display, with the key that opens nothing else.
    #[command(
        after_help = "Example:\n  holecard ctl display\n\nThe key stands behind the #, so that a browser sends it to nobody."
    )]
    Display,
    /// A command of the technician's console.
    #[command(external_subcommand)]
    Words(Vec<String>),
}

pub(crate) fn run(args: &Ctl) -> Result<Outcome, Failure> {
    let (mut options, mut words) = (Behind::default(), Vec::new());
    if let CtlCommand::Words(said) = &args.command {
        (options, words) = Behind::the(said)?;
    }
    let mut world = args.place.or(&options.place).world();
    if let Some(socket) = options.socket.as_ref().or(args.socket.as_ref()) {
        world.config.http.socket.clone_from(socket);
    }
    match &args.command {
        CtlCommand::Words(_) => command(&world, &words, args.json || options.json),
        CtlCommand::Display => display(&world, args.json),
        CtlCommand::Act { words, action, person, second } => {
            let action = match action {
                Some(text) => {
                    serde_json::from_str(text).map_err(|error| Failure::Usage(format!("--action: {error}")))?
                }
                None => json!({ "do": "play", "words": words.join(" ") }),
            };
            act(&world, &request(&world, &action, *person, *second)?, args.json)
        }
    }
}

/// Options that stand behind the words, where clap hands everything over as it is.
#[derive(Debug, Default)]
struct Behind {
    socket: Option<PathBuf>,
    json: bool,
    place: PlaceBehind,
}

impl Behind {
    /// Options and words apart. What is no option of this tool stays a word: `-j` and `-a` are the table's own.
    fn the(said: &[String]) -> Result<(Self, Vec<String>), Failure> {
        let (mut options, mut words) = (Self::default(), Vec::new());
        let mut rest = said.iter();
        while let Some(word) = rest.next() {
            let (name, value) = match word.split_once('=') {
                Some((name, value)) if name.starts_with("--") => (name, Some(value.to_owned())),
                Some(_) | None => (word.as_str(), None),
            };
            let place = &mut options.place;
            let wanted = match name {
                "--json" => {
                    options.json = true;
                    continue;
                }
                "--socket" => &mut options.socket,
                "--config" => &mut place.config,
                "--last-good" => &mut place.last_good,
                "--systemctl" => &mut place.systemctl,
                "--journalctl" => &mut place.journalctl,
                _ => {
                    words.push(word.clone());
                    continue;
                }
            };
            let value = value.or_else(|| rest.next().cloned());
            *wanted = Some(value.ok_or_else(|| Failure::Usage(format!("{name} needs a path behind it")))?.into());
        }
        Ok((options, words))
    }
}

/// One command of the table, once.
fn command(world: &World, words: &[String], json: bool) -> Result<Outcome, Failure> {
    let usage = |trouble: grammar::Trouble| Failure::Usage(trouble.to_string());
    let mut invocation = grammar::parse(&words.join(" "), &world.names())
        .map_err(usage)?
        .ok_or_else(|| Failure::Usage("which command? holecard ctl help".to_owned()))?;
    invocation.json |= json;
    let mut out = output::stdout();
    if invocation.command.id == tech_console::Id::Help {
        let word = invocation.argument.as_str();
        let lines = if word.is_empty() { grammar::help() } else { grammar::help_of(word) };
        for line in lines {
            writeln!(out, "{line}")?;
        }
        return Ok(Outcome::Success);
    }
    let mut talk = Talk::new(login(world), invocation.json);
    let now = world.now();
    if invocation.command.effect == Effect::Changes {
        talk.identify()?;
    }
    // Whoever may use this tool on the board may look at everything that anybody may look at.
    let role = talk.person().map_or(operator_api::Role::Technician, |person| person.role);
    let number = talk.person().map_or(operator_api::PersonId(0), |person| person.number);
    let name = invocation.command.name();
    let at = now.moment;
    if let Err(refused) = access::check(invocation.command, Access::Person { number, role }, world.situation(&now)) {
        return Err(Failure::Refused(refused.to_string()));
    }
    match run_command(world, &invocation, &mut talk) {
        Ok(said) if invocation.json => writeln!(out, "{}", json_line(&name, at, &said.data))?,
        Ok(said) => {
            for line in said.shown(invocation.filter.as_ref()) {
                writeln!(out, "{line}")?;
            }
        }
        Err(error) => {
            if invocation.json {
                writeln!(out, "{}", json_error(&name, at, &error))?;
            } else {
                writeln!(out, "% {}", error.text())?;
            }
            return Ok(Outcome::Refused);
        }
    }
    Ok(Outcome::Success)
}

/// Made from the table's key: whoever may read that one may have this one.
fn display(world: &World, json: bool) -> Result<Outcome, Failure> {
    let http = &world.config.http;
    let token = Secret::read(&http.token_file).map_err(|error| Failure::Refused(error.to_string()))?;
    let link = format!("http://{}/meters/enter#{}", http.listen, table_daemon::http::display_key(&token));
    let mut out = output::stdout();
    if json {
        writeln!(out, "{}", json!({ "link": link }))?;
    } else {
        writeln!(out, "{link}")?;
    }
    Ok(Outcome::Success)
}

fn act(world: &World, body: &str, json: bool) -> Result<Outcome, Failure> {
    let socket = world.config.http.socket.display().to_string();
    let answer = world.ask("POST", "/api/v1/act", body).map_err(|error| {
        Failure::Refused(format!("{socket}: no daemon answers: {error}\n    is it running, and may you use it?"))
    })?;
    let mut out = output::stdout();
    if json {
        writeln!(out, "{}", answer.body)?;
    } else if answer.status < 300 {
        show::accepted(&mut out, &answer.body["accepted"])?;
    } else {
        let text = |key: &str| escaped(answer.body[key].as_str().unwrap_or("?")).into_owned();
        writeln!(out, "{} {} [{}]", Styled(BAD, "not done:"), text("reason"), text("clause"))?;
    }
    Ok(if answer.status < 300 { Outcome::Success } else { Outcome::Refused })
}

fn request(
    world: &World,
    action: &Value,
    person: Option<u32>,
    second: Option<u32>,
) -> Result<Zeroizing<String>, Failure> {
    let mut key = [0; 16];
    std::fs::File::open("/dev/urandom").and_then(|mut random| random.read_exact(&mut key))?;
    let mut text = String::new();
    for byte in key {
        // Writing to a text cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    let mut body = json!({ "key": text, "action": action });
    // It answers the order that stands now: if that changes before the PIN is typed, it is refused.
    if let Ok(screen) = world.ask("GET", "/api/v1/screen", "") {
        body["prompt"] = screen.body["prompt_number"].clone();
    }
    if let Some(person) = person {
        body["person"] = person.to_string().into();
        body["pin"] = hidden::read(&format!("PIN of {person}"))?.as_str().into();
    }
    if let Some(second) = second {
        let pin = hidden::read(&format!("PIN of {second}"))?;
        body["second"] = json!({ "person": second.to_string(), "pin": pin.as_str() });
    }
    Ok(Zeroizing::new(body.to_string()))
}
