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

use super::control::InputCommand;
pub use super::control::{InputControl, InputReport, InputStatus, LineSeen, LinesSeen, LockOutControl};
use super::{EdgeSource, LineEdge, LineFault, LineId, PortReader};
use crate::clock::{Span, Stamp};
use crate::fault::{ExpanderFault, FaultChange, FaultSignal, InputFault, Part};
use crate::inputs::fault_book::InputFaultBook;
use crate::inputs::lock_split::LockPhase;
use crate::inputs::{
    InputEvent, InputRules, LockSplit, PlausibleInput, PortsRead, SplitEvent, SplitRules, Spot, SpotSet,
};

const REPORTS_CAPACITY: usize = 64;
const CHANGES_CAPACITY: usize = 128;
const COMMANDS_CAPACITY: usize = 4;
/// How long to wait before lines that could not be read are tried again.
const RETRY_AFTER: Duration = Duration::from_secs(1);
/// How long to wait before lines that are not there are looked for again.
const LOOK_AGAIN_AFTER: Duration = Duration::from_secs(2);
/// So many readings without the interrupt being released mean that it is stuck.
const INTERRUPT_READS_MAX: usize = 4;

/// Reads all levels, then starts the actor. Lines that are missing or cannot be read are faults, and tried again.
pub async fn start_inputs<S: EdgeSource, R: PortReader>(
    mut source: S,
    mut ports: R,
    rules: SplitRules,
    restored: LockPhase,
    cancel: CancellationToken,
) -> (InputControl, mpsc::Receiver<InputReport>, JoinHandle<()>) {
    let now = source.now();
    let mut lines = BTreeMap::new();
    let missing: Vec<LineId> = source.missing().into_iter().map(|(line, _)| line).collect();
    let levels = source.levels();
    let failed = levels.is_err();
    for (line, active) in levels.unwrap_or_default().into_iter().chain(missing.iter().map(|line| (*line, false))) {
        lines.insert(line, PlausibleInput::new(line_rules(line, source.debounce_left_to_us()), active, now));
    }
    let mut unheard = SpotSet::EMPTY;
    if !rules.on_expander.is_empty() {
        // Spots that cannot be read now start as empty and are found when the bus is back.
        let PortsRead { present, covers, .. } = ports.read().await.unwrap_or_default();
        unheard = rules.on_expander.iter().filter(|spot| !covers.contains(*spot)).collect();
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
    let seen = LinesSeen::default();
    for (line, input) in &lines {
        let heard = !missing.contains(line) && spot_of(*line).is_none_or(|spot| !unheard.contains(spot));
        seen.set_level(*line, heard.then(|| input.is_active()));
    }
    let mut actor = InputActor {
        source,
        ports,
        rules,
        lines,
        split,
        faults: InputFaultBook::default(),
        edges_lost: false,
        interrupt: Interrupt::default(),
        failed_until: None,
        missing: Vec::new(),
        look_again: None,
        unheard,
        changes: VecDeque::new(),
        resync: true,
        reports: report_sender,
        orders,
        status: status_sender,
        seen: seen.clone(),
    };
    actor.note_missing();
    if failed {
        actor.fail(None);
    }
    let task = tokio::spawn(async move {
        tokio::select! {
            () = cancel.cancelled() => {}
            () = actor.run() => {}
        }
    });
    (InputControl { commands, status, seen }, reports, task)
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
    /// Lines that are not there, and when they are looked for again.
    missing: Vec<LineId>,
    look_again: Option<Instant>,
    /// Expander spots that have not been read since the start.
    unheard: SpotSet,
    changes: VecDeque<SplitEvent>,
    resync: bool,
    reports: mpsc::Sender<InputReport>,
    orders: mpsc::Receiver<InputCommand>,
    status: watch::Sender<InputStatus>,
    seen: LinesSeen,
}

/// The expanders' wire.
#[derive(Default)]
struct Interrupt {
    stuck: bool,
    told: bool,
    missing: bool,
    missing_told: bool,
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
                Wake::Edge(Err(fault)) => self.fail(fault.errno()),
                Wake::Order(InputCommand::Reopen) => self.reopen(),
                Wake::Deadline => self.handle_time().await,
            }
        }
    }

    /// Whoever pressed and was refused presses again: that is no worn switch.
    fn reopen(&mut self) {
        self.split.reopen();
        if let Some(button) = self.lines.get_mut(&LineId::LockOut) {
            button.forget_changes();
        }
    }

    async fn handle_edge(&mut self, edge: LineEdge) {
        if edge.after_gap {
            self.edges_lost = true;
            self.catch_up().await;
        }
        if let Some(input) = self.lines.get_mut(&edge.line) {
            input.handle_edge(edge.active, edge.at);
            self.seen.count_edges(edge.line, 1);
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
                self.interrupt.retry = self.interrupt.missing.then(|| Instant::now() + RETRY_AFTER);
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
        let heard: SpotSet = self.unheard.iter().filter(|spot| read.covers.contains(*spot)).collect();
        for spot in heard.iter() {
            self.unheard = self.unheard.without(spot);
            self.seen.set_level(LineId::Sensor(spot), Some(read.present.contains(spot)));
            self.resync = true;
        }
        for spot in read.covers.iter() {
            let Some(input) = self.lines.get_mut(&LineId::Sensor(spot)) else { continue };
            let present = read.present.contains(spot);
            // Flagged but back at its old level: it moved twice.
            if read.disturbed.contains(spot) && present == input.is_active() {
                input.handle_edge(!present, at);
                self.seen.count_edges(LineId::Sensor(spot), 2);
            } else if present != input.is_active() {
                self.seen.count_edges(LineId::Sensor(spot), 1);
            }
            input.handle_level(present, at);
        }
    }

    /// Edges may have been lost. An expander's interrupt stays down until it is read and makes no second edge, so it is
    /// looked at as well: nothing that lies on its spots would ever be heard again.
    async fn catch_up(&mut self) {
        self.read_levels();
        if self.interrupt_is_active() {
            self.serve_expanders(self.source.now()).await;
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
                        self.seen.set_level(line, Some(input.is_active()));
                    }
                }
            }
            Err(fault) => self.fail(fault.errno()),
        }
        if self.failed_until.is_none() {
            self.faults.set((None, InputFault::CannotRead), false);
        }
    }

    fn fail(&mut self, errno: Option<i32>) {
        self.failed_until = Some(Instant::now() + RETRY_AFTER);
        self.faults.raise((None, InputFault::CannotRead), errno);
    }

    /// A line that is not there is a fault of its part; the table runs without it.
    fn note_missing(&mut self) {
        let missing = self.source.missing();
        for line in self.missing.iter().filter(|line| !missing.iter().any(|(still, _)| still == *line)) {
            match line {
                LineId::LockOut | LineId::Sensor(_) => {
                    self.faults.set((spot_of(*line), InputFault::LineMissing), false);
                }
                LineId::ExpanderInterrupt => self.interrupt.missing = false,
            }
        }
        for (line, errno) in &missing {
            match line {
                LineId::LockOut | LineId::Sensor(_) => {
                    self.faults.raise((spot_of(*line), InputFault::LineMissing), *errno);
                }
                LineId::ExpanderInterrupt => {
                    self.interrupt.missing = true;
                    // Without the wire nobody tells of a change: the ports are read by the clock.
                    self.interrupt.retry.get_or_insert(Instant::now() + RETRY_AFTER);
                }
            }
        }
        for (line, _) in &missing {
            self.seen.set_level(*line, None);
        }
        self.missing = missing.into_iter().map(|(line, _)| line).collect();
        self.look_again = (!self.missing.is_empty()).then(|| Instant::now() + LOOK_AGAIN_AFTER);
    }

    fn look_for_missing(&mut self) {
        self.source.look_for_missing();
        let before = self.missing.len();
        self.note_missing();
        if self.missing.len() < before {
            self.resync = true;
            self.read_levels();
        }
    }

    async fn handle_time(&mut self) {
        if self.interrupt.retry.is_some_and(|retry| retry <= Instant::now()) {
            self.serve_expanders(self.source.now()).await;
        }
        if self.look_again.is_some_and(|look| look <= Instant::now()) {
            self.look_for_missing();
        }
        if self.failed_until.is_some_and(|until| until <= Instant::now()) {
            self.catch_up().await;
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
                if let InputEvent::Changed { active, .. } = event {
                    self.seen.count_change(*line, active);
                }
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
                self.split.handle_doubt(spot, !input.is_believable() || self.missing.contains(line));
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
        let Interrupt { stuck, told, missing, missing_told, .. } = self.interrupt;
        let interrupt = stuck != told || missing != missing_told;
        self.faults.has_signal() || interrupt || self.edges_lost || !self.changes.is_empty() || self.resync
    }

    /// Faults first: they say how far the rest can be believed.
    fn next_report(&mut self) -> Option<InputReport> {
        let fault = |code, change| Some(InputReport::Fault { spot: None, signal: FaultSignal::new(code, change) });
        if let Some((spot, signal)) = self.faults.poll_signal() {
            return Some(InputReport::Fault { spot, signal });
        }
        if self.interrupt.stuck != self.interrupt.told {
            self.interrupt.told = self.interrupt.stuck;
            let change = if self.interrupt.told { FaultChange::Raised } else { FaultChange::Cleared };
            return fault(ExpanderFault::InterruptStuck.on(Part::Expander), change);
        }
        if self.interrupt.missing != self.interrupt.missing_told {
            self.interrupt.missing_told = self.interrupt.missing;
            let change = if self.interrupt.missing { FaultChange::Raised } else { FaultChange::Cleared };
            return fault(ExpanderFault::InterruptMissing.on(Part::Expander), change);
        }
        if std::mem::take(&mut self.edges_lost) {
            return fault(InputFault::EdgesLost.on(Part::LockOut), FaultChange::Occurred);
        }
        if let Some(event) = self.changes.pop_front() {
            return Some(InputReport::Split(event));
        }
        let unread = self.unheard.iter().chain(self.split.doubtful().iter()).collect();
        let snapshot = InputReport::Snapshot { occupied: self.split.occupied(), unread, phase: self.split.phase() };
        std::mem::take(&mut self.resync).then_some(snapshot)
    }

    fn deadline(&self) -> Option<Instant> {
        let now = self.source.now();
        let lines = self.lines.values().filter_map(PlausibleInput::poll_deadline);
        let stamp = lines.chain(self.split.poll_deadline()).min();
        // The kernel's clock and tokio's run alike but are not the same; a millisecond more saves waking twice.
        let due = stamp.map(|at| Instant::now() + at.since(now).duration() + Duration::from_millis(1));
        [due, self.failed_until, self.interrupt.retry, self.look_again].into_iter().flatten().min()
    }
}

async fn sleep_until(deadline: Option<Instant>) {
    match deadline {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}
