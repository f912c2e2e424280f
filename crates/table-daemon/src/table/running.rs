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
use device_drivers::serial::tap::SharedWatching;
use device_protocols::frame::BootId;
use device_protocols::link::EventId;
use device_protocols::mask::Watching;
use table_controller::{Controller, FaultInput, Input, JournalInput, Outputs, ShoeSide, Started, encode_screen};
use table_journal::{EpochIdentity, Head, JournalError, TableId, WitnessFile, Writer, WriterSettings};
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

use super::arrivals::{Arrival, next_arrival};
use super::checkpoints::Checkpoints;
use super::clock::{TableClock, stamps};
use super::decide::{Waiting, next_acknowledgement};
use super::devices::{self, Port, Ports, Starting};
use super::identity::{controller_config, rules_pack, software_hash};
use super::layout::{self, LayoutRunning, LayoutStart};
use super::ledger::Ledger;
use super::lines::{LampTest, Lines};
use super::opening::{self, Apart, NotOpened};
use super::picture::PictureFile;
use super::places::{self, Places};
use super::recall::{DurableJournal, Readers};
use super::scrub::{Scrub, Whose};
use super::signing::Signing;
use super::spool::Spool;
use super::ticking::clock_is_due;
use crate::config::Config;
use crate::handle::{Bench, Frame, LoopSide, Moment, Query, Reply, Request, TableHandle, table_channel};
use crate::pairs::Pairs;
use crate::staff::Book;

/// In the state directory, apart from the journal.
pub(super) const WITNESS_FILE: &str = "journal-witness";
/// Records that may wait for the disk; a table sees about one a second.
pub(super) const WAITING_MAX: usize = 256;
/// After this the screen says that it is saving.
pub(super) const SAVING_AFTER: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(250);

/// What a table needs that its configuration does not hold.
pub struct TableParts {
    /// The felt; `None` for a table without sensors.
    pub layout: Option<LayoutStart>,
    /// Called on every turn of the loop's clock, so that a loop that hangs is noticed.
    pub alive: Box<dyn Fn() + Send>,
    /// Whether there were too many wrong PINs lately. Asked on every turn, so it must not wait.
    pub too_many_wrong_pins: Box<dyn Fn() -> bool + Send>,
}

impl std::fmt::Debug for TableParts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TableParts").field("felt", &self.layout.is_some()).finish_non_exhaustive()
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
    let controller_config = controller_config(config, table, parts.layout.is_some());
    let identity = EpochIdentity { software: software_hash()?, rules_pack: rules_pack(&rules, &controller_config) };
    let clock = TableClock::new(config.day.clone());
    let now = clock.now();
    let stamps = stamps(now.wall_ms, now.monotonic_ms);
    let witness = WitnessFile::new(config.state_directory.join(WITNESS_FILE));
    let apart = Apart { witness: witness.clone(), staff: has_staff(config) };
    let mut opened = opening::open(&controller_config, &config.journal, &apart, identity, stamps)?;
    tracing::info!(records = opened.records_read, table = %config.table_id, "the journal is open");
    if let Some(meter) = opened.controller.meter_views().iter().find(|meter| !meter.balanced) {
        return Err(NotStarted::SelfTest(format!("the {} meter of {} does not balance", meter.meter, meter.wager)));
    }
    let table_id = TableId::new(&config.table_id).map_err(NotOpened::TableId)?;
    if opened.is_new && opened.doubt.is_none() {
        // From its first record on the journal has a witness.
        let signed = opened.appender.sign(stamps.0, stamps.1).map_err(NotOpened::Journal)?;
        witness.write(&table_id, &signed).map_err(NotStarted::Witness)?;
    }
    let whose = Whose { directory: config.journal.directory.clone(), table: table_id.clone(), key: opened.key };
    let scrub = Scrub::start(whose, opened.appender.head()).map_err(NotStarted::Thread)?;
    let signing = Signing::start(witness, table_id).map_err(NotStarted::Thread)?;
    let writer = Writer::start(opened.appender, WriterSettings::default()).map_err(NotStarted::Thread)?;
    let (acknowledged, acknowledgements) = mpsc::unbounded_channel();
    let (handle, side) = table_channel(frame_of(&opened.controller, 0));
    let LoopSide { frames, writing, requests, queries } = side;
    let journal_directory = config.journal.directory.clone();
    let epoch = writer.status().epoch.number.0;
    let picture = PictureFile::new(config, identity.software, identity.rules_pack, epoch);
    let has_meters = !opened.controller.meter_views().is_empty();
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
        pairs: Pairs::below(&config.state_directory),
        layout: None,
        lines: None,
        lamp_test: None,
        places: Places::of(&config.devices, &config.wiring),
        outputs: Outputs::default(),
        journal_directory,
        readers: Readers::default(),
        nearly_full: false,
        checkpoints: Checkpoints::default(),
        signing,
        scrub,
        has_meters,
        round_was_open: false,
        journal_was_doubted: false,
        stall_told: false,
        device_events: 0,
        picture,
        last_save_ms: 0,
        watching: SharedWatching::default(),
        spool: Spool::new(&config.console.spool_directory, now.wall_ms),
        board_health: BoardHealth::default().with_state(&config.state_directory),
    };
    let started = Started { clock: now, last_record_ms: opened.last_record_ms, foreign_round: opened.foreign };
    running.take(Input::Started(started), None, None);
    if let Some(doubt) = opened.doubt {
        tracing::error!(%doubt, "the journal is in doubt and the table stays closed");
        running.take(Input::Journal(JournalInput::Doubtful { why: doubt.to_string() }), None, None);
    }
    running.forget_absent_devices(config);
    running.start_devices(config, parts.layout, &cancel).await.map_err(NotStarted::Layout)?;
    let (taps, lenders) = (running.ports.taps(), running.ports.lenders());
    handle.give_bench(Bench { taps, lenders, lines: running.lines.clone(), watching: running.watching.clone() });
    let TableParts { alive, too_many_wrong_pins, .. } = parts;
    let channels = Channels { acknowledgements, requests, queries, alive, too_many_wrong_pins };
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
    #[error("the journal's witness cannot be written: {0}")]
    Witness(std::io::Error),
    #[error("the sensors cannot be started: {0}")]
    Layout(String),
}

pub(super) fn frame_of(controller: &Controller, device_events: u64) -> Frame {
    let screen = encode_screen(&controller.screen());
    let moment = Moment { inspection: controller.in_inspection(), device_events, dealer: controller.dealer() };
    Frame::new(controller.sequence(), &screen).at(moment)
}

pub(super) type Acknowledged = (u64, Result<Head, Arc<JournalError>>);

/// The ends of the channels that only the loop reads.
struct Channels {
    acknowledgements: mpsc::UnboundedReceiver<Acknowledged>,
    requests: mpsc::Receiver<Request>,
    queries: mpsc::Receiver<Query>,
    alive: Box<dyn Fn() + Send>,
    too_many_wrong_pins: Box<dyn Fn() -> bool + Send>,
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
    pub(super) pairs: Pairs,
    pub(super) layout: Option<LayoutRunning>,
    pub(super) lines: Option<Lines>,
    pub(super) lamp_test: Option<LampTest>,
    pub(super) places: Places,
    pub(super) outputs: Outputs,
    journal_directory: std::path::PathBuf,
    pub(super) readers: Readers,
    pub(super) nearly_full: bool,
    pub(super) checkpoints: Checkpoints,
    pub(super) signing: Signing,
    pub(super) scrub: Scrub,
    pub(super) has_meters: bool,
    /// A round that ends at a table with meters is signed at once.
    pub(super) round_was_open: bool,
    /// The witness follows again from the moment that two people have accepted the journal.
    pub(super) journal_was_doubted: bool,
    pub(super) stall_told: bool,
    /// How often a device has said something since the start.
    pub(super) device_events: u64,
    pub(super) picture: PictureFile,
    pub(super) spool: Spool,
    board_health: BoardHealth,
    /// How much of the lines may be watched now.
    pub(super) watching: SharedWatching,
    /// How long the last record took to become durable.
    pub(super) last_save_ms: u64,
}

impl Loop {
    async fn start_devices(
        &mut self,
        config: &Config,
        layout: Option<LayoutStart>,
        cancel: &CancellationToken,
    ) -> Result<(), String> {
        let boot = BootId::new(boot_number()).ok_or("no boot number")?;
        let ledger = self.ledger.clone();
        let last = move |port: Port| ledger.last_of(port);
        let watching = self.watching.clone();
        let answer_after = Duration::from_millis(config.screen.reader_answer_ms.into());
        let starting = Starting {
            clock: MonotonicClock::new(),
            boot,
            cancel: cancel.clone(),
            answer_after,
            watching,
            pairs: &self.pairs.clone(),
            last: &last,
        };
        if let Some(reader) = &config.devices.reader {
            starting.reader(reader, &mut self.ports)?;
        }
        if let Some(shuffler) = &config.devices.shuffler {
            starting.shuffler(shuffler, &mut self.ports)?;
        }
        for (side, shoe) in [ShoeSide::Left, ShoeSide::Right].into_iter().zip(&config.devices.shoe) {
            starting.shoe(side, shoe, &mut self.ports)?;
        }
        if let Some(layout) = layout {
            let (phase, board) = layout::as_left(&self.controller);
            let layout = layout(phase, board, cancel.clone()).await?;
            let spots = self.controller.lamps().filter_map(|(spot, _)| layout::driver_spot(spot)).collect();
            self.lines = Some(Lines::of(&layout, spots));
            self.layout = Some(layout);
        }
        Ok(())
    }

    async fn run(mut self, mut channels: Channels, cancel: CancellationToken) -> Result<(), TableEnded> {
        let (mut board, board_task) = watch_board(self.board_health.clone(), cancel.clone());
        let mut ticks = tokio::time::interval(TICK);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut last_told = self.clock.now();
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
                    self.tell_wrong_pins((channels.too_many_wrong_pins)());
                    let now = self.clock.now();
                    if clock_is_due(last_told, now) && room {
                        last_told = now;
                        self.take(Input::Clock(now), None, None);
                    }
                }
                Some(query) = channels.queries.recv() => self.answer(query),
                arrival = next_arrival(&mut self.ports, &mut self.layout), if room => {
                    match arrival {
                        Some(arrival) => self.on_arrival(arrival),
                        // Every actor has ended, which only a cancelled table does.
                        None => tokio::time::sleep(TICK).await,
                    }
                }
                Some(signal) = board.recv(), if room => {
                    self.take_fault(places::fault_input(signal));
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
        if in_order {
            self.sign_head();
        }
        let Self { writer, ports, layout, signing, .. } = self;
        let Ports { reader, shuffler, shoes, tasks } = ports;
        drop((reader, shuffler, shoes));
        let layout_tasks = layout.map(|layout| layout.tasks).unwrap_or_default();
        for task in tasks.into_iter().chain(layout_tasks) {
            let _ended = tokio::time::timeout(Duration::from_secs(2), task).await;
        }
        let stopped = tokio::task::spawn_blocking(move || {
            let stopped = writer.stop();
            signing.finish();
            stopped
        })
        .await;
        if let Ok(Err(error)) = stopped {
            tracing::error!(%error, "the journal did not close in order");
        }
    }

    fn on_arrival(&mut self, arrival: Arrival) {
        match arrival {
            Arrival::Reader(report) => self.on_device_report(Port::Reader, devices::from_reader(report)),
            Arrival::Shuffler(report) => self.on_device_report(Port::Shuffler, devices::from_shuffler(report)),
            Arrival::Shoe(side, report) => self.on_device_report(Port::of_shoe(side), devices::from_shoe(side, report)),
            Arrival::Layout(report) => {
                if let Some(fault) = self.places.of_report(report) {
                    // What only happened is over: the alert stays until somebody has seen it, the spots stay in use.
                    let over = places::only_happened(report).then(|| fault.clone());
                    self.take_fault(fault);
                    if let Some(over) = over {
                        self.take_fault(FaultInput { raised: false, ..over });
                    }
                }
                for input in layout::inputs_of(report, &self.controller) {
                    self.take(input, None, None);
                }
            }
            Arrival::Lamps(signal) => self.take_fault(self.places.at_lamps(signal)),
            Arrival::Bus(signal) => self.take_fault(self.places.at_chip(signal)),
        }
    }

    pub(super) fn say_writing(&self) {
        let since = self.waiting.front().map(|first| tokio::time::Instant::from_std(first.since));
        self.writing.send_if_modified(|writing| std::mem::replace(writing, since) != since);
    }

    /// A round that begins is told at once; that one is over, when it is durable.
    pub(super) fn set_watching(&self) {
        if self.controller.in_round() {
            self.watching.set(Watching::InRound);
        } else if self.waiting.is_empty() {
            let service = self.controller.in_service().is_some();
            self.ports.allow_pairing(service);
            self.watching.set(if service { Watching::InService } else { Watching::BetweenRounds });
        }
    }

    /// Vouches for every record so far. A journal that cannot take it now is asked again in a minute. While the journal is
    /// in doubt its witness stays as it is: it is what knows better.
    pub(super) fn sign_head(&self) {
        let (wall, monotonic) = self.clock.stamps();
        let ready = if self.controller.journal_is_doubted() { Box::new(|_| {}) } else { self.signing.ready() };
        if self.writer.sign(wall, monotonic, ready).is_err() {
            tracing::warn!("the journal's head could not be signed yet");
        }
    }

    /// What may be read back now.
    pub(super) fn durable_journal(&self) -> DurableJournal {
        DurableJournal::new(&self.journal_directory, self.writer.status().durable)
    }
}

/// A staff file that cannot be read, or is another one's, has somebody in it.
fn has_staff(config: &Config) -> bool {
    config.staff_socket.is_some() || Book::load(&config.state_directory).map_or(true, |book| !book.people().is_empty())
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
