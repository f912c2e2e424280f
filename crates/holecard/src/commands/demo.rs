//! `holecard demo`: a whole table on this machine.

use std::io::{self, BufRead, Write};
use std::path::Path;
use std::time::Duration;

use operator_api::PersonId;
use table_daemon::http::{self, DemoDealer, DemoPanel, DemoWish, Limits, Listeners, OfferedFault};
use table_daemon::metrics::Metrics;
use table_daemon::service;
use table_daemon::staff::{Book, Person, Pin, Staff};
use table_rules::game::Game;
use table_simulator::floor::people::STAFF;
use table_simulator::floor::shift::{Moment, Shift};
use table_simulator::floor::site::{Site, SiteOptions, progressive};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use zeroize::Zeroizing;

use super::samples;
use crate::cli::Demo;
use crate::demo::by_hand::ByHand;
use crate::demo::faults::{Fault, Trouble};
use crate::demo::stack::{DEMO, Stack, moment};
use crate::output::{self, Failure, ORDER, Outcome, QUIET, Styled};

/// A dealer's pace: about one thing a second.
const PACE_MS: u64 = 800;
const SHUFFLE_MS: u64 = 20_000;
/// Until the first bets everything goes as fast as the devices: nobody wants to watch an opening.
const OPENING_PACE_MS: u64 = 10;
const OPENING_SHUFFLE_MS: u64 = 400;
/// While a person deals, the felt is looked at this often.
const BY_HAND_PACE_MS: u64 = 30;
/// Where an installed table has its configuration.
const INSTALLED: &str = "/etc/holecard/table.toml";

pub(crate) fn run(args: &Demo) -> Result<Outcome, Failure> {
    if args.samples {
        return samples::run(args);
    }
    not_beside(Path::new(INSTALLED))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let outcome = runtime.block_on(table(args));
    // A thread that waits for a key must not hold up the end.
    runtime.shutdown_background();
    outcome
}

/// A demo looks like a table, so there is none where a table is installed.
fn not_beside(installed: &Path) -> Result<(), Failure> {
    if !installed.exists() {
        return Ok(());
    }
    let file = installed.display();
    let text =
        format!("{file} is there: a table is installed on this machine, and a demo beside it could be taken for it");
    Err(Failure::Refused(text))
}

fn failed(error: impl std::fmt::Display) -> Failure {
    Failure::Refused(error.to_string())
}

async fn table(args: &Demo) -> Result<Outcome, Failure> {
    let game = args.game.unwrap_or(Game::Blackjack);
    let folder = tempfile::tempdir()?;
    // Taken once, so that the page finds the table again after a power cut.
    let port = if args.port == 0 { free_port()? } else { args.port };
    let site = Site::write(folder.path(), game, SiteOptions { port, ..DEMO })?;
    let speed = u64::from(args.speed);
    let shuffle_ms = if args.from_opening { SHUFFLE_MS / speed } else { OPENING_SHUFFLE_MS };
    let mut stack = Stack::start(&site, args.seed, shuffle_ms).await.map_err(failed)?;
    let pepper = service::secret(&stack.config.pepper_file).map_err(failed)?;
    let pins = hire(&stack, &pepper)?;
    let (wanted, from_page) = mpsc::channel(4);
    let offered = Fault::ALL.into_iter().filter(|fault| fault.is_for(game));
    let faults = offered.map(|fault| OfferedFault { word: fault.word(), label: fault.label() }).collect();
    let dealer = if args.manual { DemoDealer::Person } else { DemoDealer::Robot };
    let sensed = progressive(game).map(|(wager, _)| wager.id());
    let panel = DemoPanel { dealer, faults, progressive: sensed, wanted };
    let page = Page::serve(&stack, &panel)?;
    let key = std::fs::read_to_string(&stack.config.http.token_file)?;
    // Behind the #, so that the key stays in the browser: it is no part of what is asked for.
    let display = http::display_key(&service::secret(&stack.config.http.token_file).map_err(failed)?);
    let links = Links {
        dealer: format!("http://127.0.0.1:{port}/demo/enter#{}", key.trim()),
        display: format!("http://127.0.0.1:{port}/meters/enter#{display}"),
    };
    greet(game, &links, &pins, args.manual)?;
    let mut page = Some(page);
    let asked = Asked { keys: keys(), from_page, panel };
    let result = deal(args, game, &mut stack, &mut page, asked).await;
    if let Some(page) = page {
        page.end().await;
    }
    stack.stop().await;
    result
}

fn free_port() -> io::Result<u16> {
    Ok(std::net::TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}

/// The operator's interface of the table that runs now.
struct Page {
    stop: CancellationToken,
    server: tokio::task::JoinHandle<()>,
}

impl Page {
    fn serve(stack: &Stack, panel: &DemoPanel) -> Result<Self, Failure> {
        let listeners = Listeners::bind(&stack.config.http).map_err(failed)?;
        let pepper = service::secret(&stack.config.pepper_file).map_err(failed)?;
        let parts = http::Parts {
            table: stack.handle.clone(),
            staff: Staff::open(&stack.config.state_directory, pepper).map_err(failed)?,
            token: service::secret(&stack.config.http.token_file).map_err(failed)?,
            hosts: service::hosts(&stack.config, &listeners),
            metrics: Metrics::default(),
            limits: Limits { stop_time: Duration::from_millis(200), ..Limits::default() },
            screen: stack.config.screen.clone(),
            demo: Some(panel.clone()),
        };
        let stop = CancellationToken::new();
        let server = tokio::spawn(http::serve(listeners, parts, stop.child_token()));
        Ok(Self { stop, server })
    }

    async fn end(self) {
        self.stop.cancel();
        let _served = tokio::time::timeout(Duration::from_millis(500), self.server).await;
    }
}

/// The demo's staff, with PINs that are good for this run alone.
fn hire(stack: &Stack, pepper: &table_daemon::secret::Secret) -> Result<Vec<String>, Failure> {
    let mut told = Vec::new();
    for (number, role, pin) in STAFF {
        let hash = Pin::new(Zeroizing::new(pin.to_owned())).and_then(|pin| pin.hash(pepper)).map_err(failed)?;
        let person = Person::new(PersonId(number), role.word(), role, hash).map_err(failed)?;
        Book::change(&stack.config.state_directory, |book| book.add(person)).map_err(failed)?;
        told.push(format!("{} {number} (PIN {pin})", role.word()));
    }
    Ok(told)
}

/// Where the pages are.
struct Links {
    dealer: String,
    display: String,
}

fn greet(game: Game, links: &Links, pins: &[String], manual: bool) -> Result<(), Failure> {
    let mut out = output::stdout();
    writeln!(out, "{}", Styled(ORDER, format_args!("Holecard: a table of {} on this machine", game.title())))?;
    writeln!(out, "Dealer's page: {}", links.dealer)?;
    writeln!(out, "Players' display: {}", links.display)?;
    writeln!(out, "Staff: {}", pins.join(", "))?;
    if manual {
        writeln!(out, "You are the dealer: the rail below the screen is your felt, and it says what to do next.")?;
    }
    let faults = Fault::ALL.into_iter().filter(|fault| fault.is_for(game));
    let keys: Vec<String> = faults.map(|fault| format!("{} {}", fault.key(), fault.label())).collect();
    writeln!(out, "{}", Styled(QUIET, format_args!("keys, then Enter: {}, q quit", keys.join(", "))))?;
    out.flush()?;
    Ok(())
}

/// Letters typed into the terminal.
fn keys() -> mpsc::Receiver<char> {
    let (sender, keys) = mpsc::channel(8);
    std::thread::spawn(move || {
        for line in io::stdin().lock().lines() {
            let Ok(line) = line else { return };
            if let Some(key) = line.trim().chars().next()
                && sender.blocking_send(key).is_err()
            {
                return;
            }
        }
    });
    keys
}

/// Where somebody asks for something: the terminal and the page.
struct Asked {
    keys: mpsc::Receiver<char>,
    from_page: mpsc::Receiver<DemoWish>,
    panel: DemoPanel,
}

/// Deals until somebody ends it. The page is another one after a power cut.
async fn deal(
    args: &Demo,
    game: Game,
    stack: &mut Stack,
    page: &mut Option<Page>,
    asked: Asked,
) -> Result<Outcome, Failure> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut out = output::stdout();
    let mut shift = Shift::new(args.seed.wrapping_mul(31));
    let Asked { mut keys, mut from_page, panel } = asked;
    let mut no_keys = false;
    let pace = Duration::from_millis((PACE_MS / u64::from(args.speed)).max(10));
    let mut shown = String::new();
    let mut trouble = Trouble::default();
    let (mut by_hand, mut opening) = (ByHand::default(), !args.from_opening);
    loop {
        let (mut wanted, mut hand) = (None, None);
        let pace = match (opening, args.manual) {
            (true, _) => Duration::from_millis(OPENING_PACE_MS),
            (false, true) => Duration::from_millis(BY_HAND_PACE_MS),
            (false, false) => pace,
        };
        tokio::select! {
            _ = tokio::signal::ctrl_c() => return Ok(Outcome::Success),
            _ = terminate.recv() => return Ok(Outcome::Success),
            key = keys.recv(), if !no_keys => match key {
                None => no_keys = true,
                Some('q') => return Ok(Outcome::Success),
                Some(key) => match Fault::ALL.into_iter().find(|fault| fault.key() == key) {
                    Some(fault) => wanted = Some(fault),
                    None => writeln!(out, "{key} is no key here")?,
                },
            },
            Some(wish) = from_page.recv() => match wish {
                DemoWish::Fault(word) => wanted = Fault::ALL.into_iter().find(|fault| fault.word() == word),
                DemoWish::Hand(act) => hand = Some(act),
            },
            () = tokio::time::sleep(pace) => {}
        }
        match wanted {
            Some(fault) if !fault.is_for(game) => writeln!(out, "no {} at this game's table", fault.label())?,
            Some(Fault::PowerCut) => {
                if let Some(page) = page.take() {
                    page.end().await;
                }
                stack.cut_power().await.map_err(failed)?;
                *page = Some(Page::serve(stack, &panel)?);
                writeln!(out, "the power is back; the table goes on where it was")?;
            }
            Some(fault) => {
                trouble.bring(fault, &mut shift, stack);
                writeln!(out, "{}: at the next moment where it can happen", fault.label())?;
            }
            None => {}
        }
        let screen = stack.screen();
        let line = format!(
            "round {} {}: {} [{}]",
            screen["round"],
            screen["stage"].as_str().unwrap_or_default(),
            screen["prompt"]["long"].as_str().unwrap_or_default(),
            screen["prompt"]["clause"].as_str().unwrap_or_default(),
        );
        if line != shown {
            writeln!(out, "{line}")?;
            out.flush()?;
            shown = line;
        }
        if args.rounds.is_some_and(|rounds| screen["day"]["rounds"].as_u64().unwrap_or(0) >= rounds) {
            return Ok(Outcome::Success);
        }
        trouble.go_on(&screen, args.manual, &mut shift, stack).await;
        // Open bets with nothing against a round: from here on somebody deals.
        opening &= screen["stage"] != "wagering" || screen["stops"].as_array().is_some_and(|stops| !stops.is_empty());
        if args.manual && !opening {
            if let Some(act) = hand {
                by_hand.act(act, stack, &screen).await;
            }
            by_hand.follow(stack, &screen);
        } else if let Moment::Refused { deed, reason, clause } = moment(&mut shift, stack).await {
            writeln!(out, "{}", Styled(QUIET, format_args!("{deed:?} was refused: {reason} [{clause}]")))?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_no_demo_beside_an_installed_table() {
        let folder = tempfile::tempdir().unwrap();
        let installed = folder.path().join("table.toml");
        assert!(not_beside(&installed).is_ok());
        std::fs::write(&installed, "").unwrap();
        let Err(Failure::Refused(text)) = not_beside(&installed) else { panic!("a demo beside a table") };
        assert!(text.contains("table.toml is there") && text.contains("demo"), "{text}");
    }
}
