//! The actor of all input lines: the lock-out button, the direct sensors and, through their interrupt, the expanders.
//!
//! The lock is in force inside this actor the moment the press is read, whether or not anyone takes its reports: a disk
//! that stalls delays what is shown, never what is locked. If nobody takes reports for long, single changes are given up
//! and a snapshot says how things stand; a lock and its list of accepted wagers are never given up.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{EdgeSource, LineEdge, LineFault, LineId, PortReader};
use crate::clock::{Span, Stamp};
use crate::devices::{LockOut, PositionSensors};
use crate::fault::{ExpanderFault, FaultChange, FaultSignal, InputFault, Part};
use crate::inputs::fault_book::InputFaultBook;
use crate::inputs::lock_split::LockPhase;
use crate::inputs::{
    InputEvent, InputRules, LockSplit, PlausibleInput, PortsRead, SplitEvent, SplitRules, Spot, SpotSet,
};
use crate::lamps::LampControl;
use crate::serial::NotQueued;

const REPORTS_CAPACITY: usize = 64;
const CHANGES_CAPACITY: usize = 128;
const COMMANDS_CAPACITY: usize = 4;
/// How long to wait before lines that could not be read are tried again.
const RETRY_AFTER: Duration = Duration::from_secs(1);
/// So many readings without the interrupt being released mean that it is stuck.
const INTERRUPT_READS_MAX: usize = 4;

/// What the controller learns from the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputReport {
    Split(SplitEvent),
    /// Of a sensor if there is a spot, else of the lock-out button.
    Fault {
        spot: Option<Spot>,
        signal: FaultSignal,
    },
    /// Changes were given up because nobody took them; this is how things stand.
    Snapshot {
        occupied: SpotSet,
        phase: LockPhase,
    },
}

/// How things stand, at any moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputStatus {
    pub occupied: SpotSet,
    pub unreliable: SpotSet,
    pub phase: LockPhase,
}

#[derive(Clone, Copy, Debug)]
enum InputCommand {
    Reopen,
}

/// The side that asks. Cheap to clone.
#[derive(Clone, Debug)]
pub struct InputControl {
    commands: mpsc::Sender<InputCommand>,
    status: watch::Receiver<InputStatus>,
}

impl InputControl {
    pub fn status(&self) -> InputStatus {
        *self.status.borrow()
    }

    pub fn reopen(&self) -> Result<(), NotQueued> {
        self.commands.try_send(InputCommand::Reopen).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => NotQueued::Full,
            mpsc::error::TrySendError::Closed(_) => NotQueued::Ended,
        })
    }
}

impl PositionSensors for InputControl {
    fn occupied(&self) -> SpotSet {
        self.status().occupied
    }

    fn unreliable(&self) -> SpotSet {
        self.status().unreliable
    }
}

/// The button and its lamp together.
#[derive(Clone, Debug)]
pub struct LockOutControl {
    pub inputs: InputControl,
    pub lamps: LampControl,
}

impl LockOut for LockOutControl {
    fn show_locked(&self, locked: bool) {
        self.lamps.show_locked(locked);
    }

    fn reopen(&self) -> Result<(), NotQueued> {
        self.inputs.reopen()
    }
}

/// Reads all levels, then starts the actor. Fails if the lines cannot be read at all.
pub async fn start_inputs<S: EdgeSource, R: PortReader>(
    mut source: S,
    mut ports: R,
    rules: SplitRules,
    restored: LockPhase,
    cancel: CancellationToken,
) -> Result<(InputControl, mpsc::Receiver<InputReport>, JoinHandle<()>), LineFault> {
    let now = source.now();
    let mut lines = BTreeMap::new();
    for (line, active) in source.levels()? {
        lines.insert(line, PlausibleInput::new(line_rules(line, source.debounce_left_to_us()), active, now));
    }
    if !rules.on_expander.is_empty() {
        // Spots that cannot be read now start as empty and are found when the bus is back.
        let present = ports.read().await.unwrap_or_default().present;
        for spot in rules.on_expander.iter() {
            let input = InputRules::SENSOR.debounced_here(rules.expander_debounce);
            lines.insert(LineId::Sensor(spot), PlausibleInput::new(input, present.contains(spot), now));
        }
    }
    let occupied = lines.iter().filter_map(|(line, input)| spot_of(*line).filter(|_| input.is_active())).collect();
    let split = LockSplit::new(rules, occupied, restored, now);
    let (report_sender, reports) = mpsc::channel(REPORTS_CAPACITY);
    let (commands, orders) = mpsc::channel(COMMANDS_CAPACITY);
    let status = InputStatus { occupied, unreliable: SpotSet::EMPTY, phase: split.phase() };
    let (status_sender, status) = watch::channel(status);
    let actor = InputActor {
        source,
        ports,
        rules,
        lines,
        split,
        faults: InputFaultBook::default(),
        edges_lost: false,
        interrupt: Interrupt::default(),
        failed_until: None,
        changes: VecDeque::new(),
        resync: false,
        reports: report_sender,
        orders,
        status: status_sender,
    };
    let task = tokio::spawn(async move {
        tokio::select! {
            () = cancel.cancelled() => {}
            () = actor.run() => {}
        }
    });
    Ok((InputControl { commands, status }, reports, task))
}

fn line_rules(line: LineId, debounce: Span) -> InputRules {
    match line {
        LineId::LockOut => InputRules::BUTTON.debounced_here(debounce),
        LineId::Sensor(_) => InputRules::SENSOR.debounced_here(debounce),
        // An interrupt is answered at once; what it tells of is debounced spot by spot.
        LineId::ExpanderInterrupt => InputRules::SENSOR,
    }
}

fn spot_of(line: LineId) -> Option<Spot> {
    match line {
        LineId::Sensor(spot) => Some(spot),
        LineId::LockOut | LineId::ExpanderInterrupt => None,
    }
}

struct InputActor<S, R> {
    source: S,
    ports: R,
    rules: SplitRules,
    lines: BTreeMap<LineId, PlausibleInput>,
    split: LockSplit,
    faults: InputFaultBook,
    edges_lost: bool,
    interrupt: Interrupt,
    failed_until: Option<Instant>,
    changes: VecDeque<SplitEvent>,
    resync: bool,
    reports: mpsc::Sender<InputReport>,
    orders: mpsc::Receiver<InputCommand>,
    status: watch::Sender<InputStatus>,
}

/// The expanders' wire.
#[derive(Default)]
struct Interrupt {
    stuck: bool,
    told: bool,
    retry: Option<Instant>,
}

enum Wake {
    Edge(Result<LineEdge, LineFault>),
    Order(InputCommand),
    Deadline,
    Place(mpsc::OwnedPermit<InputReport>),
    Ended,
}

impl<S: EdgeSource, R: PortReader> InputActor<S, R> {
    async fn run(mut self) {
        loop {
            self.settle().await;
            let deadline = self.deadline();
            let to_tell = self.has_report();
            let failed = self.failed_until.is_some();
            let wake = tokio::select! {
                edge = self.source.next_edge(), if !failed => Wake::Edge(edge),
                place = self.reports.clone().reserve_owned(), if to_tell => place.map_or(Wake::Ended, Wake::Place),
                () = self.reports.closed() => Wake::Ended,
                Some(order) = self.orders.recv() => Wake::Order(order),
                () = sleep_until(deadline) => Wake::Deadline,
            };
            match wake {
                Wake::Ended => return,
                Wake::Place(place) => {
                    if let Some(report) = self.next_report() {
                        place.send(report);
                    }
                }
                Wake::Edge(Ok(edge)) => self.handle_edge(edge).await,
                Wake::Edge(Err(_)) => self.fail(),
                Wake::Order(InputCommand::Reopen) => self.split.reopen(),
                Wake::Deadline => self.handle_time().await,
            }
        }
    }

    async fn handle_edge(&mut self, edge: LineEdge) {
        if edge.after_gap {
            self.edges_lost = true;
            self.read_levels();
        }
        if let Some(input) = self.lines.get_mut(&edge.line) {
            input.handle_edge(edge.active, edge.at);
        }
        if edge.line == LineId::ExpanderInterrupt && edge.active {
            self.serve_expanders(edge.at).await;
        }
    }

    /// Reads until the interrupt is released: chips share the wire, so a change that comes during a reading makes no new
    /// edge.
    async fn serve_expanders(&mut self, edge: Stamp) {
        let mut at = edge;
        for _ in 0..INTERRUPT_READS_MAX {
            let read = self.ports.read().await.unwrap_or_default();
            self.take_ports(read, at);
            if !self.interrupt_is_active() {
                self.interrupt.stuck = false;
                self.interrupt.retry = None;
                return;
            }
            at = self.source.now();
        }
        self.interrupt.stuck = true;
        self.interrupt.retry = Some(Instant::now() + RETRY_AFTER);
    }

    fn interrupt_is_active(&mut self) -> bool {
        let levels = self.source.levels().unwrap_or_default();
        levels.contains(&(LineId::ExpanderInterrupt, true))
    }

    /// Levels of expander spots as they were read, stamped with the edge that made us read them.
    fn take_ports(&mut self, read: PortsRead, at: Stamp) {
        for spot in self.rules.on_expander.iter() {
            self.faults.set((Some(spot), InputFault::CannotRead), !read.covers.contains(spot));
        }
        for spot in read.covers.iter() {
            let Some(input) = self.lines.get_mut(&LineId::Sensor(spot)) else { continue };
            let present = read.present.contains(spot);
            // Flagged but back at its old level: it moved twice.
            if read.disturbed.contains(spot) && present == input.is_active() {
                input.handle_edge(!present, at);
            }
            input.handle_level(present, at);
        }
    }

    fn read_levels(&mut self) {
        let now = self.source.now();
        match self.source.levels() {
            Ok(levels) => {
                self.failed_until = None;
                for (line, active) in levels {
                    if let Some(input) = self.lines.get_mut(&line) {
                        input.handle_level(active, now);
                    }
                }
            }
            Err(_) => self.fail(),
        }
        let failed = self.failed_until.is_some();
        self.faults.set((None, InputFault::CannotRead), failed);
    }

    fn fail(&mut self) {
        self.failed_until = Some(Instant::now() + RETRY_AFTER);
        self.faults.set((None, InputFault::CannotRead), true);
    }

    async fn handle_time(&mut self) {
        if self.interrupt.retry.is_some_and(|retry| retry <= Instant::now()) {
            self.serve_expanders(self.source.now()).await;
        }
        if self.failed_until.is_some_and(|until| until <= Instant::now()) {
            self.read_levels();
        }
        let now = self.source.now();
        for input in self.lines.values_mut() {
            input.handle_time(now);
        }
        self.split.handle_time(now);
    }

    /// Carries what the lines say into the split, and what the split says into the queue.
    async fn settle(&mut self) {
        let mut pressed = None;
        for (line, input) in &mut self.lines {
            while let Some(event) = input.poll_event() {
                match (event, *line) {
                    (InputEvent::Changed { active: true, at }, LineId::LockOut) => pressed = Some(at),
                    (InputEvent::Changed { active: false, .. }, LineId::LockOut) => {}
                    (InputEvent::Changed { active, at }, LineId::Sensor(spot)) => {
                        self.split.handle_sensor(spot, active, at);
                    }
                    (InputEvent::Raised(fault), LineId::LockOut | LineId::Sensor(_)) => {
                        self.faults.set((spot_of(*line), fault), true);
                    }
                    (InputEvent::Cleared(fault), LineId::LockOut | LineId::Sensor(_)) => {
                        self.faults.set((spot_of(*line), fault), false);
                    }
                    (_, LineId::ExpanderInterrupt) => {}
                }
            }
            if let Some(spot) = spot_of(*line) {
                self.split.handle_doubt(spot, !input.is_believable());
            }
        }
        if let Some(at) = pressed {
            self.press(at).await;
        }
        while let Some(event) = self.split.poll_event() {
            self.queue(event);
        }
        let status = InputStatus {
            occupied: self.split.occupied(),
            unreliable: self.split.doubtful(),
            phase: self.split.phase(),
        };
        self.status.send_if_modified(|shown| std::mem::replace(shown, status) != status);
    }

    async fn press(&mut self, at: Stamp) {
        let was_open = self.split.phase() == LockPhase::Open;
        self.split.handle_press(at);
        if !was_open || self.rules.on_expander.is_empty() {
            return;
        }
        // The status tells of the lock before the bus is asked: reading it takes milliseconds.
        let phase = self.split.phase();
        self.status.send_modify(|status| status.phase = phase);
        let mut read = self.ports.read().await.unwrap_or_default();
        let still_since = at.before(self.rules.expander_debounce);
        for spot in self.rules.on_expander.iter() {
            let moved = self.lines.get(&LineId::Sensor(spot)).is_none_or(|input| input.last_edge() > still_since);
            if moved {
                read.disturbed = read.disturbed.with(spot);
            }
        }
        self.split.handle_ports(read);
        // A spot that could not be read keeps its level and does not count: it is not covered.
        self.take_ports(read, self.source.now());
    }

    fn queue(&mut self, event: SplitEvent) {
        let must_be_told = match event {
            SplitEvent::Locked { .. } | SplitEvent::Split { .. } | SplitEvent::Reopened { .. } => true,
            SplitEvent::Placed { .. }
            | SplitEvent::Removed { .. }
            | SplitEvent::Late { .. }
            | SplitEvent::LateRemoved { .. }
            | SplitEvent::Collected { .. } => false,
        };
        if must_be_told || self.changes.len() < CHANGES_CAPACITY {
            self.changes.push_back(event);
        } else {
            self.resync = true;
        }
    }

    fn has_report(&self) -> bool {
        let interrupt = self.interrupt.stuck != self.interrupt.told;
        self.faults.has_signal() || interrupt || self.edges_lost || !self.changes.is_empty() || self.resync
    }

    /// Faults first: they say how far the rest can be believed.
    fn next_report(&mut self) -> Option<InputReport> {
        let fault = |code, change| Some(InputReport::Fault { spot: None, signal: FaultSignal { code, change } });
        if let Some((spot, signal)) = self.faults.poll_signal() {
            return Some(InputReport::Fault { spot, signal });
        }
        if self.interrupt.stuck != self.interrupt.told {
            self.interrupt.told = self.interrupt.stuck;
            let change = if self.interrupt.told { FaultChange::Raised } else { FaultChange::Cleared };
            return fault(ExpanderFault::InterruptStuck.on(Part::Expander), change);
        }
        if std::mem::take(&mut self.edges_lost) {
            return fault(InputFault::EdgesLost.on(Part::LockOut), FaultChange::Occurred);
        }
        if let Some(event) = self.changes.pop_front() {
            return Some(InputReport::Split(event));
        }
        let snapshot = InputReport::Snapshot { occupied: self.split.occupied(), phase: self.split.phase() };
        std::mem::take(&mut self.resync).then_some(snapshot)
    }

    fn deadline(&self) -> Option<Instant> {
        let now = self.source.now();
        let lines = self.lines.values().filter_map(PlausibleInput::poll_deadline);
        let stamp = lines.chain(self.split.poll_deadline()).min();
        // The kernel's clock and tokio's run alike but are not the same; a millisecond more saves waking twice.
        let due = stamp.map(|at| Instant::now() + at.since(now).duration() + Duration::from_millis(1));
        [due, self.failed_until, self.interrupt.retry].into_iter().flatten().min()
    }
}

async fn sleep_until(deadline: Option<Instant>) {
    match deadline {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}
