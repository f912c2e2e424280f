//! The actor of the input lines on a virtual board and a virtual clock.
#![expect(clippy::unwrap_used, reason = "a test that cannot set up its bench should stop")]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use device_drivers::clock::{Span, Stamp};
use device_drivers::devices::PositionSensors;
use device_drivers::gpio::watch::{InputControl, InputReport, start_inputs};
use device_drivers::gpio::{EdgeSource, LineEdge, LineFault, LineId, NoExpanders, PortReader};
use device_drivers::inputs::lock_split::LockPhase;
use device_drivers::inputs::{PortsRead, SplitEvent, SplitRules, Spot, SpotSet};
use device_drivers::mcp23017::BusFault;
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Levels that a test sets, and the edges it makes.
struct Board {
    start: Instant,
    levels: Arc<Mutex<BTreeMap<LineId, bool>>>,
    edges: mpsc::UnboundedReceiver<Result<LineEdge, LineFault>>,
    /// Lines that are not there, until the test fits them.
    absent: Arc<Mutex<Vec<LineId>>>,
}

impl EdgeSource for Board {
    fn now(&self) -> Stamp {
        Stamp(u64::try_from(self.start.elapsed().as_nanos()).unwrap())
    }

    fn levels(&mut self) -> Result<Vec<(LineId, bool)>, LineFault> {
        let absent = self.absent.lock().unwrap();
        let levels = self.levels.lock().unwrap();
        Ok(levels.iter().filter(|(line, _)| !absent.contains(line)).map(|(line, level)| (*line, *level)).collect())
    }

    async fn next_edge(&mut self) -> Result<LineEdge, LineFault> {
        match self.edges.recv().await {
            Some(edge) => edge,
            None => std::future::pending().await,
        }
    }

    fn debounce_left_to_us(&self) -> Span {
        Span(0)
    }

    fn missing(&self) -> Vec<(LineId, Option<i32>)> {
        self.absent.lock().unwrap().iter().map(|line| (*line, Some(2))).collect()
    }
}

#[derive(Clone, Default)]
struct Expanders {
    now: Arc<Mutex<PortsRead>>,
    reads: Arc<Mutex<u32>>,
}

impl PortReader for Expanders {
    async fn read(&mut self) -> Result<PortsRead, BusFault> {
        *self.reads.lock().unwrap() += 1;
        Ok(*self.now.lock().unwrap())
    }
}

struct Bench {
    start: Instant,
    levels: Arc<Mutex<BTreeMap<LineId, bool>>>,
    edges: mpsc::UnboundedSender<Result<LineEdge, LineFault>>,
    control: InputControl,
    reports: mpsc::Receiver<InputReport>,
    absent: Arc<Mutex<Vec<LineId>>>,
    begun: bool,
}

impl Bench {
    async fn new(on_expander: SpotSet, ports: impl PortReader) -> Self {
        Self::without(Vec::new(), on_expander, ports).await
    }

    async fn without(absent: Vec<LineId>, on_expander: SpotSet, ports: impl PortReader) -> Self {
        let start = Instant::now();
        let mut levels: BTreeMap<LineId, bool> =
            Spot::all().filter(|spot| !on_expander.contains(*spot)).map(|spot| (LineId::Sensor(spot), false)).collect();
        levels.insert(LineId::LockOut, false);
        levels.insert(LineId::ExpanderInterrupt, false);
        let levels = Arc::new(Mutex::new(levels));
        let (edges, queue) = mpsc::unbounded_channel();
        let absent = Arc::new(Mutex::new(absent));
        let board = Board { start, levels: Arc::clone(&levels), edges: queue, absent: Arc::clone(&absent) };
        let rules = SplitRules {
            wired: Spot::all().collect(),
            on_expander,
            settle: Span::millis(40),
            expander_debounce: Span::millis(25),
        };
        let (control, reports, _) = start_inputs(board, ports, rules, LockPhase::Open, CancellationToken::new()).await;
        Self { start, levels, edges, control, reports, absent, begun: false }
    }

    fn edge_at(&self, line: LineId, active: bool, at: Stamp) {
        self.levels.lock().unwrap().insert(line, active);
        self.edges.send(Ok(LineEdge { line, active, at, after_gap: false })).unwrap();
    }

    fn edge(&self, line: LineId, active: bool) {
        self.edge_at(line, active, Stamp(u64::try_from(self.start.elapsed().as_nanos()).unwrap()));
    }

    async fn next(&mut self) -> InputReport {
        loop {
            let report = tokio::time::timeout(Duration::from_secs(60), self.reports.recv()).await.unwrap().unwrap();
            // The first says how things stand at the start.
            if !matches!(report, InputReport::Snapshot { .. }) || std::mem::replace(&mut self.begun, true) {
                return report;
            }
        }
    }

    async fn next_fault(&mut self) -> String {
        loop {
            if let InputReport::Fault { spot, signal } = self.next().await {
                return format!(
                    "{} {:?} {}",
                    signal.code,
                    signal.change,
                    spot.map_or("-".to_owned(), |s| s.to_string())
                );
            }
        }
    }

    async fn accepted(&mut self) -> SpotSet {
        loop {
            if let InputReport::Split(SplitEvent::Split { accepted, .. }) = self.next().await {
                return accepted;
            }
        }
    }
}

fn spot(seat: u8) -> Spot {
    Spot::new(seat, 1).unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_press_closes_at_once_and_the_list_follows_within_fifty_milliseconds() {
    let mut bench = Bench::new(SpotSet::EMPTY, NoExpanders).await;
    bench.edge(LineId::Sensor(spot(3)), true);
    assert!(matches!(bench.next().await, InputReport::Split(SplitEvent::Placed { .. })));
    assert_eq!(bench.control.occupied(), SpotSet::EMPTY.with(spot(3)));
    tokio::time::sleep(Duration::from_secs(1)).await;
    let pressed = Instant::now();
    bench.edge(LineId::LockOut, true);
    assert!(matches!(bench.next().await, InputReport::Split(SplitEvent::Locked { .. })));
    assert_eq!(pressed.elapsed(), Duration::ZERO);
    // Stamped before the press, delivered after it.
    bench.edge_at(LineId::Sensor(spot(4)), true, Stamp::millis(999));
    bench.edge_at(LineId::Sensor(spot(5)), true, Stamp::millis(1_001));
    assert_eq!(bench.accepted().await, SpotSet::from_iter([spot(3), spot(4)]));
    assert!(pressed.elapsed() <= Duration::from_millis(50));
    bench.control.reopen().unwrap();
    assert!(matches!(bench.next().await, InputReport::Split(SplitEvent::Reopened { .. })));
}

#[tokio::test(start_paused = true)]
async fn a_lock_is_in_force_while_nobody_takes_reports_and_a_snapshot_follows() {
    let mut bench = Bench::new(SpotSet::EMPTY, NoExpanders).await;
    for round in 0..40_u64 {
        for seat in 1..=8 {
            bench.edge(LineId::Sensor(spot(seat)), round % 2 == 0);
        }
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
    bench.edge(LineId::LockOut, true);
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(bench.control.status().phase, LockPhase::Locked { accepted: SpotSet::EMPTY });
    let mut told = Vec::new();
    while let Ok(report) = tokio::time::timeout(Duration::from_secs(1), bench.reports.recv()).await {
        told.push(report.unwrap());
    }
    assert!(told.len() < 250, "bounded: {}", told.len());
    let is = |wanted: fn(&InputReport) -> bool| told.iter().filter(|report| wanted(report)).count();
    assert_eq!(is(|report| matches!(report, InputReport::Split(SplitEvent::Locked { .. }))), 1);
    assert_eq!(is(|report| matches!(report, InputReport::Split(SplitEvent::Split { .. }))), 1);
    assert_eq!(
        is(|report| matches!(report, InputReport::Snapshot { .. })),
        2,
        "at the start, and for what was given up"
    );
}

#[tokio::test(start_paused = true)]
async fn stuck_chattering_and_flickering_lines_are_faults_with_their_place() {
    let mut bench = Bench::new(SpotSet::EMPTY, NoExpanders).await;
    bench.edge(LineId::LockOut, true);
    assert_eq!(bench.next_fault().await, "LK-101 Raised -");
    bench.edge(LineId::LockOut, false);
    assert_eq!(bench.next_fault().await, "LK-101 Cleared -");
    for edge in 0..1_000 {
        bench.edge(LineId::Sensor(spot(7)), edge % 2 == 0);
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    // Settled changes run into the limit first: the kernel debounces, so whatever arrives has settled.
    assert_eq!(bench.next_fault().await, "PS-103 Raised 7.1");
    assert_eq!(bench.control.unreliable(), SpotSet::EMPTY.with(spot(7)));
    assert_eq!(bench.next_fault().await, "PS-103 Cleared 7.1");
    assert!(bench.control.unreliable().is_empty());
}

/// Presses the button this often within the time in which as many changes are a worn switch; the fault, if one came.
async fn presses(bench: &mut Bench, reopened: bool) -> Option<String> {
    for _ in 0..8 {
        bench.edge(LineId::LockOut, true);
        tokio::time::sleep(Duration::from_millis(100)).await;
        bench.edge(LineId::LockOut, false);
        tokio::time::sleep(Duration::from_millis(100)).await;
        if reopened {
            bench.control.reopen().unwrap();
        }
    }
    tokio::time::timeout(Duration::from_secs(1), bench.next_fault()).await.ok()
}

#[tokio::test(start_paused = true)]
async fn presses_that_the_table_refused_are_no_worn_switch() {
    let mut bench = Bench::new(SpotSet::EMPTY, NoExpanders).await;
    assert_eq!(presses(&mut bench, true).await, None);
    assert_eq!(presses(&mut bench, false).await.as_deref(), Some("LK-103 Raised -"));
}

#[tokio::test(start_paused = true)]
async fn lost_edges_are_told_and_levels_are_read_again() {
    let mut bench = Bench::new(SpotSet::EMPTY, NoExpanders).await;
    bench.levels.lock().unwrap().insert(LineId::Sensor(spot(2)), true);
    bench.levels.lock().unwrap().insert(LineId::Sensor(spot(6)), true);
    let edge = LineEdge { line: LineId::Sensor(spot(6)), active: true, at: Stamp(5), after_gap: true };
    bench.edges.send(Ok(edge)).unwrap();
    assert_eq!(bench.next_fault().await, "LK-003 Occurred -");
    assert_eq!(bench.control.occupied(), SpotSet::from_iter([spot(2), spot(6)]));
    bench.edges.send(Err(LineFault::CannotRead { cause: "gone".to_owned(), errno: Some(5) })).unwrap();
    assert_eq!(bench.next_fault().await, "LK-002 Raised -");
    assert_eq!(bench.next_fault().await, "LK-002 Cleared -");
}

#[tokio::test(start_paused = true)]
async fn an_expander_whose_interrupt_was_among_the_lost_edges_is_heard_all_the_same() {
    let on_expander: SpotSet = (1..=4).map(spot).collect();
    let expanders = Expanders::default();
    expanders.now.lock().unwrap().covers = on_expander;
    let mut bench = Bench::new(on_expander, expanders.clone()).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    // A chip lies on seat 3. The interrupt stays down until it is read, so it makes no second edge.
    expanders.now.lock().unwrap().present = SpotSet::EMPTY.with(spot(3));
    bench.levels.lock().unwrap().insert(LineId::ExpanderInterrupt, true);
    let edge = LineEdge { line: LineId::Sensor(spot(6)), active: false, at: Stamp(5), after_gap: true };
    bench.edges.send(Ok(edge)).unwrap();
    // Nothing releases the interrupt here, which is told too.
    while bench.next_fault().await != "LK-003 Occurred -" {}
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(bench.control.occupied(), SpotSet::EMPTY.with(spot(3)));
}

#[tokio::test(start_paused = true)]
async fn expanders_are_read_once_at_the_press_and_a_chip_that_has_just_landed_is_late() {
    let on_expander: SpotSet = (1..=4).map(spot).collect();
    let expanders = Expanders::default();
    expanders.now.lock().unwrap().covers = on_expander;
    let mut bench = Bench::new(on_expander, expanders.clone()).await;
    let chip = |present: SpotSet| expanders.now.lock().unwrap().present = present;
    // Seat 1 has lain for a second, seat 2 lands 10 ms before the press, seat 3 lands unnoticed.
    tokio::time::sleep(Duration::from_secs(1)).await;
    chip(SpotSet::from_iter([spot(1)]));
    bench.edge(LineId::ExpanderInterrupt, true);
    bench.edge(LineId::ExpanderInterrupt, false);
    tokio::time::sleep(Duration::from_secs(1)).await;
    chip(SpotSet::from_iter([spot(1), spot(2)]));
    bench.edge(LineId::ExpanderInterrupt, true);
    bench.edge(LineId::ExpanderInterrupt, false);
    tokio::time::sleep(Duration::from_millis(10)).await;
    chip(SpotSet::from_iter([spot(1), spot(2), spot(3)]));
    let before = *expanders.reads.lock().unwrap();
    bench.edge(LineId::LockOut, true);
    assert_eq!(bench.accepted().await, SpotSet::EMPTY.with(spot(1)));
    assert_eq!(*expanders.reads.lock().unwrap() - before, 1);
    let late: Vec<Spot> = bench.control.occupied().iter().filter(|one| *one != spot(1)).collect();
    assert_eq!(late, [spot(2), spot(3)]);
}

#[tokio::test(start_paused = true)]
async fn an_expander_that_cannot_be_read_at_the_press_accepts_nothing_and_is_named_spot_by_spot() {
    let on_expander: SpotSet = (1..=2).map(spot).collect();
    let expanders = Expanders::default();
    *expanders.now.lock().unwrap() = PortsRead { covers: on_expander, present: on_expander, ..PortsRead::default() };
    let mut bench = Bench::new(on_expander, expanders.clone()).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    *expanders.now.lock().unwrap() =
        PortsRead { covers: SpotSet::EMPTY.with(spot(1)), present: on_expander, ..PortsRead::default() };
    bench.edge(LineId::LockOut, true);
    assert_eq!(bench.next_fault().await, "PS-002 Raised 2.1");
    assert_eq!(bench.accepted().await, SpotSet::EMPTY.with(spot(1)));
    *expanders.now.lock().unwrap() = PortsRead { covers: on_expander, present: on_expander, ..PortsRead::default() };
    bench.edge(LineId::ExpanderInterrupt, true);
    bench.edge(LineId::ExpanderInterrupt, false);
    assert_eq!(bench.next_fault().await, "PS-002 Cleared 2.1");
}

#[tokio::test(start_paused = true)]
async fn an_interrupt_that_is_never_released_is_a_fault_and_not_a_storm() {
    let on_expander: SpotSet = (1..=4).map(spot).collect();
    let expanders = Expanders::default();
    expanders.now.lock().unwrap().covers = on_expander;
    let mut bench = Bench::new(on_expander, expanders.clone()).await;
    bench.edge(LineId::ExpanderInterrupt, true);
    assert_eq!(bench.next_fault().await, "EX-102 Raised -");
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert!(*expanders.reads.lock().unwrap() <= 60, "{} reads", expanders.reads.lock().unwrap());
    bench.levels.lock().unwrap().insert(LineId::ExpanderInterrupt, false);
    assert_eq!(bench.next_fault().await, "EX-102 Cleared -");
}

#[tokio::test(start_paused = true)]
async fn a_missing_line_is_a_fault_of_its_part_and_everything_else_works_without_it() {
    let absent = vec![LineId::LockOut, LineId::Sensor(spot(2))];
    let mut bench = Bench::without(absent, SpotSet::EMPTY, NoExpanders).await;
    assert_eq!(bench.next_fault().await, "LK-001 Raised -");
    assert_eq!(bench.next_fault().await, format!("PS-001 Raised {}", spot(2)));
    assert_eq!(bench.control.unreliable(), SpotSet::EMPTY.with(spot(2)));
    bench.edge(LineId::Sensor(spot(3)), true);
    assert!(matches!(bench.next().await, InputReport::Split(SplitEvent::Placed { .. })));
    // The button's wire is mended; the sensor's is not.
    bench.absent.lock().unwrap().retain(|line| *line != LineId::LockOut);
    assert_eq!(bench.next_fault().await, "LK-001 Cleared -");
    bench.levels.lock().unwrap().insert(LineId::Sensor(spot(2)), true);
    bench.edge(LineId::LockOut, true);
    assert_eq!(
        bench.accepted().await,
        SpotSet::EMPTY.with(spot(3)),
        "nobody knows what lies on a spot without a sensor"
    );
}

#[tokio::test(start_paused = true)]
async fn expanders_without_their_interrupt_are_read_by_the_clock() {
    let expanders = Expanders::default();
    let on_expander = SpotSet::EMPTY.with(spot(4));
    *expanders.now.lock().unwrap() = PortsRead { covers: on_expander, ..PortsRead::default() };
    let mut bench = Bench::without(vec![LineId::ExpanderInterrupt], on_expander, expanders.clone()).await;
    assert_eq!(bench.next_fault().await, "EX-003 Raised -");
    *expanders.now.lock().unwrap() = PortsRead { covers: on_expander, present: on_expander, ..PortsRead::default() };
    assert!(matches!(bench.next().await, InputReport::Split(SplitEvent::Placed { spot: at, .. }) if at == spot(4)));
    bench.absent.lock().unwrap().clear();
    assert_eq!(bench.next_fault().await, "EX-003 Cleared -");
}

#[tokio::test]
async fn a_board_without_the_named_lines_opens_and_says_which_are_missing() {
    use device_drivers::config::GpioBackend;
    use device_drivers::gpio::LineSpec;
    use device_drivers::gpio::backend::{BoardLamps, BoardLines};
    use device_drivers::lamps::{LampFrame, LampOutput};
    use device_drivers::mcp23017::bus::Lamp;
    let spec = LineSpec { name: "NO-SUCH-LINE".to_owned(), active_low: true, debounce: Span::millis(25) };
    for backend in [GpioBackend::Gpiocdev, GpioBackend::LinuxEmbeddedHal, GpioBackend::Rppal] {
        let mut lines = BoardLines::open(backend, &[(LineId::LockOut, spec.clone())]);
        assert_eq!(lines.levels().unwrap(), [], "{backend:?}");
        assert!(matches!(lines.missing().as_slice(), [(LineId::LockOut, _)]), "{backend:?}");
        lines.look_for_missing();
        assert_eq!(lines.missing().len(), 1, "{backend:?}");
        let frame = LampFrame::default();
        let mut lamps = BoardLamps::open(backend, &[(Lamp::LockOut, spec.clone())], &frame);
        lamps.look_for_missing(&frame);
        assert!(matches!(lamps.missing().as_slice(), [(Lamp::LockOut, _)]), "{backend:?}");
        lamps.write(frame, None).await.unwrap();
    }
}
