//! The loop: takes one thing at a time, lets the controller decide, hands the record to the journal, and does what
//! follows only when the record is durable.
//!
//! It never waits for the disk. What waits to be saved is bounded: beyond that nothing more is taken in, the devices are
//! told to hold, and the screen says that it is saving. The lock-out does not pass through here: it is in force in its
//! own actor the moment it is pressed.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use device_drivers::board::{BoardHealth, watch_board};
use device_drivers::clock::MonotonicClock;
use device_drivers::fault::FaultSignal;
use device_drivers::gpio::watch::InputReport;
use device_drivers::mcp23017::BusSignal;
use device_drivers::serial::PortReport;
use device_protocols::frame::BootId;
use device_protocols::link::EventId;
use device_protocols::reader::ReaderEvent;
use device_protocols::shuffler::ShufflerEvent;
use table_controller::{
    CONTENT_VERSION, Controller, Input, JournalInput, Outputs, PersonInput, ShoeSide, Staff, Started, encode_input,
};
use table_journal::{EpochIdentity, Fullness, Head, JournalError, OwnedEntry, PersonId, Writer, WriterSettings};
use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;

use super::checkpoints::Checkpoints;
use super::clock::{TableClock, stamps};
use super::devices::{self, Heard, Port, Ports, Starting};
use super::felt::{self, FeltRunning, FeltStart};
use super::identity::{controller_config, rules_pack, software_hash};
use super::ledger::{Ledger, RequestPlace};
use super::opening::{self, NotOpened};
use super::taking::{Answer, Waiting, next_acknowledgement};
use crate::config::Config;
use crate::handle::{Ask, AskError, Frame, LoopSide, Query, Reply, Request, TableHandle, table_channel};

/// Records that may wait for the disk; a table sees about one a second.
const WAITING_MAX: usize = 256;
/// After this the screen says that it is saving.
pub(super) const SAVING_AFTER: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(250);

/// What a table needs that its configuration does not hold.
pub struct TableParts {
    /// The felt; `None` for a table without sensors.
    pub felt: Option<FeltStart>,
    /// Called on every turn of the loop's clock, so that a loop that hangs is noticed.
    pub alive: Box<dyn Fn() + Send>,
}

impl std::fmt::Debug for TableParts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TableParts").field("felt", &self.felt.is_some()).finish_non_exhaustive()
    }
}

/// A table that runs until it is cancelled or its journal fails.
#[derive(Debug)]
pub struct RunningTable {
    pub handle: TableHandle,
    pub task: tokio::task::JoinHandle<Result<(), TableEnded>>,
}

/// Why the loop ended on its own. The process must end with it: what was not saved was never shown.
#[derive(Debug, thiserror::Error)]
pub enum TableEnded {
    #[error("the journal cannot be written any more: {0}; nothing that was not saved has been shown")]
    Journal(Arc<JournalError>),
    #[error("the journal's thread has ended")]
    JournalGone,
}

/// Opens the journal, brings the table back as it was, starts the devices and then the loop.
pub async fn start(config: &Config, parts: TableParts, cancel: CancellationToken) -> Result<RunningTable, NotStarted> {
    let table = config.rules_table().map_err(NotStarted::Rules)?;
    let rules = std::fs::read(&config.rules).map_err(|error| NotStarted::RulesFile(error.to_string()))?;
    let controller_config = controller_config(config, table, parts.felt.is_some());
    let identity = EpochIdentity { software: software_hash()?, rules_pack: rules_pack(&rules, &controller_config) };
    let clock = TableClock::new(config.day.clone());
    let now = clock.now();
    let opened = opening::open(&controller_config, &config.journal, identity, stamps(now.wall_ms, now.monotonic_ms))?;
    tracing::info!(records = opened.records_read, table = %config.table_id, "the journal is open");
    if let Some(meter) = opened.controller.meter_views().iter().find(|meter| !meter.balanced) {
        return Err(NotStarted::SelfTest(format!("the {} meter of {} does not balance", meter.meter, meter.wager)));
    }
    let writer = Writer::start(opened.appender, WriterSettings::default()).map_err(NotStarted::Thread)?;
    let (acknowledged, acknowledgements) = mpsc::unbounded_channel();
    let (handle, side) = table_channel(frame_of(&opened.controller));
    let LoopSide { frames, writing, requests, queries } = side;
    let journal_directory = config.journal.directory.clone();
    let mut running = Loop {
        controller: opened.controller,
        clock,
        writer,
        waiting: VecDeque::new(),
        saved: Vec::new(),
        saved_events: Vec::new(),
        acknowledged,
        frames,
        writing,
        ledger: opened.ledger,
        ports: Ports::default(),
        felt: None,
        outputs: Outputs::default(),
        journal_directory,
        nearly_full: false,
        checkpoints: Checkpoints::default(),
        stall_told: false,
    };
    let started = Started { clock: now, last_record_ms: opened.last_record_ms, foreign_round: opened.foreign };
    running.take(Input::Started(started), None, None);
    running.start_devices(config, parts.felt, &cancel).await.map_err(NotStarted::Felt)?;
    let channels = Channels { acknowledgements, requests, queries, alive: parts.alive };
    let task = tokio::spawn(running.run(channels, cancel));
    Ok(RunningTable { handle, task })
}

#[derive(Debug, thiserror::Error)]
pub enum NotStarted {
    #[error("the rules submission does not fit: {}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Rules(Vec<crate::config::ConfigProblem>),
    #[error("the rules submission cannot be read: {0}")]
    RulesFile(String),
    #[error(transparent)]
    Journal(#[from] NotOpened),
    #[error("the self-test failed: {0}; the table does not start")]
    SelfTest(String),
    #[error("the journal's thread cannot be started: {0}")]
    Thread(std::io::Error),
    #[error("the sensors cannot be started: {0}")]
    Felt(String),
}

pub(super) fn frame_of(controller: &Controller) -> Frame {
    let screen = serde_json::to_string(&controller.screen()).unwrap_or_default();
    Frame::new(controller.sequence(), &screen)
}

pub(super) type Acknowledged = (u64, Result<Head, Arc<JournalError>>);

/// The ends of the channels that only the loop reads.
struct Channels {
    acknowledgements: mpsc::UnboundedReceiver<Acknowledged>,
    requests: mpsc::Receiver<Request>,
    queries: mpsc::Receiver<Query>,
    alive: Box<dyn Fn() + Send>,
}

pub(super) struct Loop {
    pub(super) controller: Controller,
    pub(super) clock: TableClock,
    pub(super) writer: Writer,
    pub(super) waiting: VecDeque<Waiting>,
    /// Durable and shown, with what else follows still to be done.
    pub(super) saved: Vec<(Waiting, Head)>,
    /// Events whose records are durable and whose devices have not been told yet.
    pub(super) saved_events: Vec<(Port, EventId)>,
    pub(super) acknowledged: mpsc::UnboundedSender<Acknowledged>,
    pub(super) frames: watch::Sender<Frame>,
    /// Since when the oldest record has been waiting for the disk.
    pub(super) writing: watch::Sender<Option<tokio::time::Instant>>,
    pub(super) ledger: Ledger,
    pub(super) ports: Ports,
    pub(super) felt: Option<FeltRunning>,
    pub(super) outputs: Outputs,
    pub(super) journal_directory: std::path::PathBuf,
    pub(super) nearly_full: bool,
    checkpoints: Checkpoints,
    pub(super) stall_told: bool,
}

/// One thing that arrived.
enum Arrival {
    Reader(PortReport<ReaderEvent>),
    Shuffler(PortReport<ShufflerEvent>),
    Shoe(ShoeSide, PortReport<device_drivers::devices::ShoeNews>),
    Felt(InputReport),
    Fault(FaultSignal),
    Bus(BusSignal),
}

impl Loop {
    async fn start_devices(
        &mut self,
        config: &Config,
        felt: Option<FeltStart>,
        cancel: &CancellationToken,
    ) -> Result<(), String> {
        let boot = BootId::new(boot_number()).ok_or("no boot number")?;
        let ledger = self.ledger.clone();
        let last = move |port: Port| ledger.last_of(port);
        let starting = Starting { clock: MonotonicClock::new(), boot, cancel: cancel.clone(), last: &last };
        if let Some(reader) = &config.devices.reader {
            starting.reader(reader, &mut self.ports);
        }
        if let Some(shuffler) = &config.devices.shuffler {
            starting.shuffler(shuffler, &mut self.ports);
        }
        for (side, shoe) in [ShoeSide::Left, ShoeSide::Right].into_iter().zip(&config.devices.shoe) {
            starting.shoe(side, shoe, &mut self.ports);
        }
        if let Some(felt) = felt {
            let (phase, board) = felt::as_left(&self.controller);
            self.felt = Some(felt(phase, board, cancel.clone()).await?);
        }
        Ok(())
    }

    async fn run(mut self, mut channels: Channels, cancel: CancellationToken) -> Result<(), TableEnded> {
        let (mut board, board_task) = watch_board(BoardHealth::default(), cancel.clone());
        let mut ticks = tokio::time::interval(TICK);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut last_minute = self.clock.now().minute;
        let result = loop {
            let room = self.waiting.len() < WAITING_MAX;
            let awake_until = self.awake_until();
            tokio::select! {
                biased;
                () = cancel.cancelled() => break Ok(()),
                Some(first) = next_acknowledgement(&mut channels.acknowledgements, awake_until) => {
                    if let Err(ended) = self.on_acknowledgements(first, &mut channels.acknowledgements).await {
                        break Err(ended)
                    }
                }
                _ = ticks.tick() => {
                    (channels.alive)();
                    self.on_tick();
                    let now = self.clock.now();
                    if now.minute != last_minute && room {
                        last_minute = now.minute;
                        self.take(Input::Clock(now), None, None);
                    }
                }
                Some(query) = channels.queries.recv() => self.answer(query),
                arrival = next_arrival(&mut self.ports, &mut self.felt), if room => {
                    match arrival {
                        Some(arrival) => self.on_arrival(arrival),
                        // Every actor has ended, which only a cancelled table does.
                        None => tokio::time::sleep(TICK).await,
                    }
                }
                Some(signal) = board.recv(), if room => {
                    if let Some(input) = devices::fault_input(signal) { self.take(input, None, None) }
                }
                Some(request) = channels.requests.recv(), if room => self.on_request(request),
            }
        };
        self.shut_down(result.is_ok(), &mut channels).await;
        board_task.abort();
        result
    }

    /// Saves what waits, says goodbye to the screens and ends the actors.
    async fn shut_down(mut self, in_order: bool, channels: &mut Channels) {
        let deadline = Instant::now() + Duration::from_secs(5);
        while in_order && !self.waiting.is_empty() && Instant::now() < deadline {
            let left = deadline.saturating_duration_since(Instant::now());
            match tokio::time::timeout(left, channels.acknowledgements.recv()).await {
                Ok(Some(first)) => {
                    if self.on_acknowledgements(first, &mut channels.acknowledgements).await.is_err() {
                        break;
                    }
                }
                Ok(None) | Err(_) => break,
            }
        }
        for waiting in self.waiting.drain(..) {
            if let Some(reply) = waiting.reply {
                let _gone = reply.send(Reply::Stopped);
            }
        }
        let Self { writer, ports, felt, .. } = self;
        let Ports { reader, shuffler, shoes, tasks } = ports;
        drop((reader, shuffler, shoes));
        let felt_tasks = felt.map(|felt| felt.tasks).unwrap_or_default();
        for task in tasks.into_iter().chain(felt_tasks) {
            let _ended = tokio::time::timeout(Duration::from_secs(2), task).await;
        }
        let stopped = tokio::task::spawn_blocking(move || writer.stop()).await;
        if let Ok(Err(error)) = stopped {
            tracing::error!(%error, "the journal did not close in order");
        }
    }

    fn on_arrival(&mut self, arrival: Arrival) {
        match arrival {
            Arrival::Reader(report) => self.on_heard(Port::Reader, devices::from_reader(report)),
            Arrival::Shuffler(report) => self.on_heard(Port::Shuffler, devices::from_shuffler(report)),
            Arrival::Shoe(side, report) => self.on_heard(Port::of_shoe(side), devices::from_shoe(side, report)),
            Arrival::Felt(report) => {
                for input in felt::inputs_of(report) {
                    self.take(input, None, None);
                }
            }
            Arrival::Fault(signal) => {
                if let Some(input) = devices::fault_input(signal) {
                    self.take(input, None, None);
                }
            }
            Arrival::Bus(BusSignal { signal, .. }) => {
                if let Some(input) = devices::fault_input(signal) {
                    self.take(input, None, None);
                }
            }
        }
    }

    fn on_heard(&mut self, port: Port, heard: Heard) {
        let Heard { inputs, id } = heard;
        let last = inputs.len().saturating_sub(1);
        if inputs.is_empty()
            && let Some(id) = id
        {
            self.ports.durable(port, id);
        }
        for (at, input) in inputs.into_iter().enumerate() {
            let device = id.filter(|_| at == last).map(|id| (port, id));
            self.take(input, None, device);
        }
    }

    fn on_request(&mut self, request: Request) {
        let Request { key, prompt, person, second, action, reply } = request;
        let staff = |each: crate::staff::Authenticated| Staff { id: each.id, role: each.role };
        let key = Some(key.as_str().to_owned());
        let input = Input::Person(PersonInput { by: person.map(staff), second: second.map(staff), action, key });
        if let Some(place) = self.ledger.request(&input) {
            self.answer_again(place, &input, reply);
            return;
        }
        let current = self.controller.prompt_number();
        if prompt.is_some_and(|prompt| prompt != current) {
            let _gone = reply.send(Reply::Stale { prompt_number: current });
            return;
        }
        self.take(input, Some(reply), None);
    }

    /// This was asked for and done before, perhaps before a restart: what the journal says of it is the answer.
    fn answer_again(&self, place: RequestPlace, input: &Input, reply: oneshot::Sender<Reply>) {
        let (directory, input) = (self.journal_directory.clone(), encode_input(input));
        // The disk may be slow; the loop does not wait for it.
        tokio::task::spawn_blocking(move || {
            let answer = match super::recall::answer(&directory, place, &input) {
                Ok(answer) => answer,
                Err(error) => {
                    tracing::warn!(%error, "an earlier answer could not be read");
                    Reply::Saving
                }
            };
            let _gone = reply.send(answer);
        });
    }

    pub(super) fn say_writing(&self) {
        let since = self.waiting.front().map(|first| tokio::time::Instant::from_std(first.since));
        self.writing.send_if_modified(|writing| std::mem::replace(writing, since) != since);
    }

    fn on_tick(&mut self) {
        if self.waiting.is_empty() {
            self.stall_told = false;
        }
        let status = self.writer.status();
        let full = status.space.is_some_and(|space| space.fullness != Fullness::Ample);
        if full != self.nearly_full && self.waiting.len() < WAITING_MAX {
            self.nearly_full = full;
            let event = if full { JournalInput::NearlyFull } else { JournalInput::RoomAgain };
            self.take(Input::Journal(event), None, None);
        }
        // Between rounds and with nothing on the way: then the state is what the records before it say.
        let at_rest = self.waiting.is_empty() && !self.controller.in_round();
        if status.checkpoint_due && at_rest && self.checkpoints.try_now(Instant::now()) {
            self.write_checkpoint();
        }
    }

    fn write_checkpoint(&mut self) {
        let (wall, monotonic) = self.clock.stamps();
        let entry = OwnedEntry {
            content_version: CONTENT_VERSION,
            wall,
            monotonic,
            person: PersonId::NOBODY,
            input: Vec::new(),
            events: self.ledger.beside(&self.controller.checkpoint()),
        };
        if self.writer.checkpoint(entry, Box::new(self.checkpoints.outcome())).is_err() {
            self.checkpoints.was_not_taken();
        }
    }

    fn answer(&mut self, query: Query) {
        let text = match query.ask {
            Ask::Devices => json(&self.controller.screen().devices),
            Ask::Meters => json(&self.controller.meter_views()),
            Ask::Alerts => json(&self.controller.screen().alerts),
            Ask::Day => json(&self.controller.day_view()),
            Ask::Head => {
                let head = self.writer.status().durable;
                json(&serde_json::json!({ "sequence": head.sequence.0, "hash": head.hash.to_string() }))
            }
            Ask::Recall(round) => match self.ledger.rounds().find(|place| place.round == round).copied() {
                None => Err(AskError::NotFound(format!("round {round} is not among the last ones"))),
                Some(place) => {
                    let directory = self.journal_directory.clone();
                    // The disk may be slow; the loop does not wait for it.
                    tokio::task::spawn_blocking(move || {
                        let read = super::recall::read(&directory, place);
                        let _gone = query.reply.send(read.map_err(|error| AskError::Unavailable(error.to_string())));
                    });
                    return;
                }
            },
        };
        self.tell(Answer { text, reply: query.reply });
    }
}

fn json(value: &impl serde::Serialize) -> Result<String, AskError> {
    serde_json::to_string(value).map_err(|error| AskError::Unavailable(error.to_string()))
}

/// The next thing that any device says. `None` when there is no device left.
async fn next_arrival(ports: &mut Ports, felt: &mut Option<FeltRunning>) -> Option<Arrival> {
    let Ports { reader, shuffler, shoes, .. } = ports;
    let first = shoes.len().min(1);
    let (left, right) = shoes.split_at_mut(first);
    let (felt_reports, lamp_faults, bus_faults) = match felt {
        Some(felt) => (Some(&mut felt.reports), Some(&mut felt.lamp_faults), felt.bus_faults.as_mut()),
        None => (None, None, None),
    };
    tokio::select! {
        Some(report) = next(felt_reports) => Some(Arrival::Felt(report)),
        Some(report) = next(reader.as_mut().map(|(_, reports)| reports)) => Some(Arrival::Reader(report)),
        Some(report) = next(left.first_mut().map(|(_, _, reports)| reports)) => {
            Some(Arrival::Shoe(ShoeSide::Left, report))
        }
        Some(report) = next(right.first_mut().map(|(_, _, reports)| reports)) => {
            Some(Arrival::Shoe(ShoeSide::Right, report))
        }
        Some(report) = next(shuffler.as_mut().map(|(_, reports)| reports)) => Some(Arrival::Shuffler(report)),
        Some(signal) = next(lamp_faults) => Some(Arrival::Fault(signal)),
        Some(signal) = next(bus_faults) => Some(Arrival::Bus(signal)),
        else => None,
    }
}

/// A channel that is not there says nothing, ever.
async fn next<T>(reports: Option<&mut mpsc::Receiver<T>>) -> Option<T> {
    match reports {
        Some(reports) => reports.recv().await,
        None => std::future::pending().await,
    }
}

/// New at every start, never zero.
fn boot_number() -> u32 {
    let mut bytes = [0; 4];
    // A machine without randomness this early still gets a number that differs from the last start's.
    if getrandom::fill(&mut bytes).is_err() {
        let since = std::time::UNIX_EPOCH.elapsed().map_or(1, |since| since.subsec_nanos());
        bytes = since.to_le_bytes();
    }
    u32::from_le_bytes(bytes).max(1)
}
