//! `holecard demo`: a whole table on this machine.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use operator_api::PersonId;
use table_daemon::http::{self, Limits, Listeners};
use table_daemon::metrics::Metrics;
use table_daemon::service;
use table_daemon::staff::{Book, Person, Pin, Staff};
use table_rules::game::Game;
use table_simulator::floor::people::{Deed, STAFF, offered};
use table_simulator::floor::shift::{Moment, Shift};
use table_simulator::floor::site::{Site, SiteOptions};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use zeroize::Zeroizing;

use super::samples;
use crate::cli::Demo;
use crate::demo::stack::{DEMO, Stack, moment};
use crate::output::{self, Failure, ORDER, Outcome, QUIET, Styled};

/// A dealer's pace: about one thing a second.
const PACE_MS: u64 = 800;
const SHUFFLE_MS: u64 = 20_000;

pub(crate) fn run(args: &Demo) -> Result<Outcome, Failure> {
    if args.samples {
        return samples::run(args);
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let outcome = runtime.block_on(table(args));
    // A thread that waits for a key must not hold up the end.
    runtime.shutdown_background();
    outcome
}

fn failed(error: impl std::fmt::Display) -> Failure {
    Failure::Refused(error.to_string())
}

async fn table(args: &Demo) -> Result<Outcome, Failure> {
    let game = args.game.unwrap_or(Game::PlayersEdge21);
    let folder = tempfile::tempdir()?;
    // Taken once, so that the page finds the table again after a power cut.
    let port = if args.port == 0 { free_port()? } else { args.port };
    let site = Site::write(folder.path(), game, SiteOptions { port, ..DEMO })?;
    let speed = u64::from(args.speed);
    let mut stack = Stack::start(&site, args.seed, SHUFFLE_MS / speed).await.map_err(failed)?;
    let pepper = service::secret(&stack.config.pepper_file).map_err(failed)?;
    let pins = hire(&stack, &pepper)?;
    let page = Page::serve(&stack)?;
    let key = std::fs::read_to_string(&stack.config.http.token_file)?;
    // Behind the #, so that the key stays in the browser: it is no part of what is asked for.
    greet(game, &format!("http://127.0.0.1:{port}/enter#{}", key.trim()), &pins, args.manual)?;
    let (result, page) = deal(args, game, &mut stack, page).await;
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
    fn serve(stack: &Stack) -> Result<Self, Failure> {
        let listeners = Listeners::bind(&stack.config.http).map_err(failed)?;
        let pepper = service::secret(&stack.config.pepper_file).map_err(failed)?;
        let parts = http::Parts {
            table: stack.handle.clone(),
            staff: Staff::open(&stack.config.state_directory, pepper).map_err(failed)?,
            token: service::secret(&stack.config.http.token_file).map_err(failed)?,
            hosts: service::hosts(&stack.config, &listeners),
            metrics: Metrics::default(),
            limits: Limits { stop_time: Duration::from_millis(200), ..Limits::default() },
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

fn greet(game: Game, link: &str, pins: &[String], manual: bool) -> Result<(), Failure> {
    let mut out = output::stdout();
    writeln!(out, "{}", Styled(ORDER, format_args!("Holecard: a table of {} on this machine", game.title())))?;
    writeln!(out, "Dealer's page: {link}")?;
    writeln!(out, "Staff: {}", pins.join(", "))?;
    if manual {
        writeln!(out, "You are the dealer: tap on the page; cards, chips and devices follow by themselves.")?;
    }
    let keys = "keys, then Enter: u unread, f reader fault, j jam, l late chip, k jackpot, p power cut, q quit";
    writeln!(out, "{}", Styled(QUIET, keys))?;
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

/// Deals until somebody ends it. Gives the page back, which is another one after a power cut.
async fn deal(args: &Demo, game: Game, stack: &mut Stack, page: Page) -> (Result<Outcome, Failure>, Option<Page>) {
    let mut page = Some(page);
    let result = deal_on(args, game, stack, &mut page).await;
    (result, page)
}

async fn deal_on(args: &Demo, game: Game, stack: &mut Stack, page: &mut Option<Page>) -> Result<Outcome, Failure> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut out = output::stdout();
    let mut shift = Shift::new(args.seed.wrapping_mul(31));
    let mut keys = keys();
    let mut no_keys = false;
    let mut reader_fails = false;
    let pace = Duration::from_millis((PACE_MS / u64::from(args.speed)).max(10));
    let mut shown = String::new();
    let mut jackpot = Jackpot::Not;
    loop {
        tokio::select! {
            _ = tokio::signal::ctrl_c() => return Ok(Outcome::Success),
            _ = terminate.recv() => return Ok(Outcome::Success),
            key = keys.recv(), if !no_keys => match key {
                None => no_keys = true,
                Some('q') => return Ok(Outcome::Success),
                Some('u') => stack.world.make_reader_unread(),
                Some('f') => {
                    reader_fails = !reader_fails;
                    stack.world.reader_fault(reader_fails);
                }
                Some('j') => stack.world.jam(),
                Some('l') => shift.people.late_chip = true,
                Some('k') if game == Game::PlayersEdge21 => jackpot = Jackpot::Wanted,
                Some('k') => writeln!(out, "the demo's jackpot is Player's Edge 21's Monster Match")?,
                Some('p') => {
                    if let Some(page) = page.take() {
                        page.end().await;
                    }
                    stack.cut_power().await.map_err(failed)?;
                    *page = Some(Page::serve(stack)?);
                    writeln!(out, "the power is back; the table goes on where it was")?;
                }
                Some(other) => writeln!(out, "{other} is no key here")?,
            },
            () = tokio::time::sleep(pace) => {}
        }
        let screen = stack.screen();
        let line = format!(
            "round {} {}: {} [{}]",
            screen["round"],
            screen["stage"].as_str().unwrap_or_default(),
            screen["prompt"]["text"].as_str().unwrap_or_default(),
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
        jackpot = jackpot.prepare(&screen, &mut shift, stack);
        if args.manual {
            follow_by_hand(&mut shift, stack, &screen);
        } else if let Moment::Refused { deed, reason, clause } = moment(&mut shift, stack).await {
            writeln!(out, "{}", Styled(QUIET, format_args!("{deed:?} was refused: {reason} [{clause}]")))?;
        }
    }
}

/// A jackpot that somebody wants to see: one box with the progressive wager, and a shoe sorted for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Jackpot {
    Not,
    Wanted,
    /// The box is planned; the cards are sorted when the wagers are locked.
    Planned,
}

impl Jackpot {
    fn prepare(self, screen: &serde_json::Value, shift: &mut Shift, stack: &mut Stack) -> Self {
        let wagering = screen["stage"] == "wagering";
        let empty = screen["seats"].as_array().is_some_and(|seats| seats.iter().all(|seat| seat["in_play"] == false));
        match self {
            Self::Wanted if wagering && empty => {
                shift.people.one_box = true;
                Self::Planned
            }
            Self::Planned if screen["stage"] == "dealing" => {
                // Two sevens of hearts for the player, two for the dealer.
                if let Ok(seven) = "7h".parse() {
                    stack.world.sort_shoe(&[seven; 4]);
                }
                shift.people.one_box = false;
                Self::Not
            }
            Self::Not | Self::Wanted | Self::Planned => self,
        }
    }
}

/// With a person as the dealer only hands move: cards are drawn where one is asked for, nobody says anything.
fn follow_by_hand(shift: &mut Shift, stack: &mut Stack, screen: &serde_json::Value) {
    let deed = shift.choose(&stack.world, screen);
    let decides = offered(screen, "stand").next().is_some();
    let of_hands = match &deed {
        Deed::Draw(_) => !decides,
        Deed::InsertHoleCard | Deed::InsertTestCard(_) | Deed::TakeCardOut | Deed::LoadShuffler | Deed::ClearFelt => {
            true
        }
        Deed::Wait
        | Deed::PutChip { .. }
        | Deed::TakeChip { .. }
        | Deed::PressLock
        | Deed::ShuffleByHand
        | Deed::NameCard
        | Deed::NameHole
        | Deed::NameTurned(_)
        | Deed::Act(..)
        | Deed::Cut { .. }
        | Deed::PlaceCover { .. }
        | Deed::FillShoe => false,
    };
    if of_hands {
        // What hands do needs no answer; what has to be said is left to the person.
        let _said = shift.handle(&deed, &mut stack.world, screen);
    }
}
