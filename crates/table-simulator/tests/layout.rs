//! The drivers of lines, expanders and lamps against the simulated felt: chips, the lock-out press, late chips, inputs
//! that stick or chatter, and a bus that fails and returns. The clock is virtual, so all times are exact.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use device_drivers::clock::{Span, Stamp};
use device_drivers::devices::PositionSensors;
use device_drivers::gpio::plain::{PlainLamps, PlainLines};
use device_drivers::gpio::watch::{InputControl, InputReport, start_inputs};
use device_drivers::gpio::{EdgeSource, LineEdge, LineFault, LineId, NoExpanders, PortReader};
use device_drivers::inputs::lock_split::LockPhase;
use device_drivers::inputs::{SplitEvent, SplitRules, Spot, SpotSet};
use device_drivers::lamps::{LampFrame, LampOutput};
use device_drivers::mcp23017::bus::Lamp;
use device_drivers::mcp23017::{
    BusHandle, BusLayout, BusSignal, ChipAddress, ChipLayout, InputPin, OutputPin, Port, spawn_bus,
};
use device_protocols::link::Millis;
use table_simulator::gpio::{GpioChip, LineNumber, SimPin};
use table_simulator::i2c::BusFailure;
use table_simulator::panel::{self, LOCK_BUTTON, LOCK_LAMP, Panel, Wiring};
use tokio::sync::{Notify, mpsc};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

const DEBOUNCE: Span = Span::millis(25);

fn spot(seat: u8, number: u8) -> Spot {
    Spot::new(seat, number).unwrap()
}

fn on_layout(spot: Spot) -> panel::Spot {
    panel::Spot { seat: spot.seat(), spot: spot.spot() }
}

fn set(spots: &[Spot]) -> SpotSet {
    spots.iter().copied().collect()
}

/// The simulated chip as a kernel gives it: edges with their own stamps, in their order, and a gap where some were lost.
struct KernelLines {
    chip: GpioChip,
    start: Instant,
    lines: BTreeMap<LineNumber, LineId>,
    interrupts: Arc<dyn Fn() -> bool + Send + Sync>,
    moved: Arc<Notify>,
    last_number: u64,
    interrupt_was: bool,
}

impl EdgeSource for KernelLines {
    fn now(&self) -> Stamp {
        Stamp(u64::try_from(self.start.elapsed().as_nanos()).unwrap())
    }

    fn levels(&mut self) -> Result<Vec<(LineId, bool)>, LineFault> {
        let active = |(number, line): (&LineNumber, &LineId)| (*line, !self.chip.level(*number));
        let mut levels: Vec<_> = self.lines.iter().map(active).collect();
        self.interrupt_was = (self.interrupts)();
        levels.push((LineId::ExpanderInterrupt, self.interrupt_was));
        Ok(levels)
    }

    async fn next_edge(&mut self) -> Result<LineEdge, LineFault> {
        loop {
            while let Some(edge) = self.chip.poll_edge() {
                let after_gap = edge.number != self.last_number + 1;
                self.last_number = edge.number;
                if let Some(line) = self.lines.get(&edge.line) {
                    let at = Stamp::millis(edge.at.0);
                    return Ok(LineEdge { line: *line, active: !edge.high, at, after_gap });
                }
            }
            let interrupt = (self.interrupts)();
            if std::mem::replace(&mut self.interrupt_was, interrupt) != interrupt {
                let at = self.now();
                return Ok(LineEdge { line: LineId::ExpanderInterrupt, active: interrupt, at, after_gap: false });
            }
            self.moved.notified().await;
        }
    }

    fn debounce_left_to_us(&self) -> Span {
        DEBOUNCE
    }
}

/// A felt with its drivers.
struct Layout {
    panel: Arc<Mutex<Panel>>,
    start: Instant,
    moved: Arc<Notify>,
    control: InputControl,
    reports: mpsc::Receiver<InputReport>,
}

impl Layout {
    async fn new(wiring: Wiring, ports: impl FnOnce(&Panel) -> BusHandle) -> Self {
        let panel = Panel::new(wiring, 8, 3);
        let bus = (wiring == Wiring::Expanders).then(|| ports(&panel));
        match bus {
            Some(bus) => Self::with(panel, Spot::all().collect(), bus).await,
            None => Self::with(panel, SpotSet::EMPTY, NoExpanders).await,
        }
    }

    async fn with(panel: Panel, on_expander: SpotSet, ports: impl PortReader) -> Self {
        let start = Instant::now();
        let mut lines = BTreeMap::from([(LOCK_BUTTON, LineId::LockOut)]);
        lines.extend(Spot::all().filter_map(|spot| Some((panel.sensor_line(on_layout(spot))?, LineId::Sensor(spot)))));
        let moved = Arc::new(Notify::new());
        let bus = panel.bus.clone();
        let any_interrupt = move || {
            use table_simulator::mcp23017::Port::{A, B};
            (0x20..=0x27)
                .any(|address| bus.chip(address, |chip| chip.interrupt(A) || chip.interrupt(B)).unwrap_or(false))
        };
        let source = KernelLines {
            chip: panel.lines.clone(),
            start,
            lines,
            interrupts: Arc::new(any_interrupt),
            moved: Arc::clone(&moved),
            last_number: 0,
            interrupt_was: false,
        };
        let rules = SplitRules {
            wired: Spot::all().collect(),
            on_expander,
            settle: Span::millis(40),
            expander_debounce: DEBOUNCE,
        };
        let (control, reports, _task) =
            start_inputs(source, ports, rules, LockPhase::Open, CancellationToken::new()).await;
        Self { panel: Arc::new(Mutex::new(panel)), start, moved, control, reports }
    }

    fn now(&self) -> Millis {
        Millis(u64::try_from(self.start.elapsed().as_millis()).unwrap())
    }

    /// A hand does something.
    fn hand(&self, deed: impl FnOnce(&mut Panel, Millis)) {
        deed(&mut self.panel.lock().unwrap(), self.now());
        self.moved.notify_one();
    }

    async fn next(&mut self) -> InputReport {
        tokio::time::timeout(Duration::from_secs(60), self.reports.recv()).await.unwrap().unwrap()
    }

    async fn split_event(&mut self) -> SplitEvent {
        loop {
            if let InputReport::Split(event) = self.next().await {
                return event;
            }
        }
    }

    /// The list of accepted and late spots of the press that was just made.
    async fn list(&mut self) -> (SpotSet, SpotSet) {
        loop {
            if let SplitEvent::Split { accepted, late, .. } = self.split_event().await {
                return (accepted, late);
            }
        }
    }

    async fn fault(&mut self) -> String {
        loop {
            if let InputReport::Fault { spot, signal } = self.next().await {
                let place = spot.map_or("lock".to_owned(), |spot| spot.to_string());
                return format!("{} {:?} {place}", signal.code, signal.change);
            }
        }
    }
}

fn no_bus(_: &Panel) -> BusHandle {
    unreachable!("all on lines")
}

#[tokio::test(start_paused = true)]
async fn a_chip_comes_and_goes_once_however_it_bounces() {
    let mut layout = Layout::new(Wiring::Lines, no_bus).await;
    layout.hand(|panel, now| assert!(panel.put_chip(on_layout(spot(3, 2)), now)));
    assert!(matches!(layout.split_event().await, SplitEvent::Placed { spot: found, .. } if found == spot(3, 2)));
    assert_eq!(layout.control.occupied(), set(&[spot(3, 2)]));
    tokio::time::sleep(Duration::from_secs(4)).await;
    layout.hand(|panel, now| assert!(panel.take_chip(on_layout(spot(3, 2)), now)));
    assert!(matches!(layout.split_event().await, SplitEvent::Removed { spot: found, .. } if found == spot(3, 2)));
    assert_eq!(layout.control.occupied(), SpotSet::EMPTY);
    tokio::time::sleep(Duration::from_secs(4)).await;
    assert!(layout.reports.try_recv().is_err(), "nothing else was told");
}

#[tokio::test(start_paused = true)]
async fn a_press_within_a_burst_of_chips_splits_them_at_its_stamp() {
    let mut layout = Layout::new(Wiring::Lines, no_bus).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    // All within one wake of the driver: seven chips, the press after the fourth.
    layout.hand(|panel, now| {
        for seat in 1..=4 {
            panel.put_chip(on_layout(spot(seat, 1)), now);
        }
        panel.lines.drive(LOCK_BUTTON, false, now + 8);
        for seat in 5..=7 {
            panel.put_chip(on_layout(spot(seat, 1)), now + 9);
        }
    });
    let early: SpotSet = (1..=4).map(|seat| spot(seat, 1)).collect();
    let late: SpotSet = (5..=7).map(|seat| spot(seat, 1)).collect();
    assert_eq!(layout.list().await, (early, late));
    assert_eq!(layout.control.status().phase, LockPhase::Locked { accepted: early });

    layout.hand(|panel, now| assert!(panel.put_chip(on_layout(spot(8, 3)), now)));
    assert!(matches!(layout.split_event().await, SplitEvent::Late { spot: found, .. } if found == spot(8, 3)));
    tokio::time::sleep(Duration::from_millis(500)).await;
    layout.hand(|panel, now| assert!(panel.take_chip(on_layout(spot(8, 3)), now)));
    assert!(matches!(layout.split_event().await, SplitEvent::LateRemoved { spot: found, .. } if found == spot(8, 3)));
    layout.hand(|panel, now| assert!(panel.take_chip(on_layout(spot(2, 1)), now)));
    assert!(matches!(layout.split_event().await, SplitEvent::Collected { spot: found, .. } if found == spot(2, 1)));
    layout.control.reopen().unwrap();
    assert!(matches!(layout.split_event().await, SplitEvent::Reopened { occupied } if occupied.len() == 6));
}

#[tokio::test(start_paused = true)]
async fn stuck_chattering_and_overflowing_lines_are_faults_and_not_storms() {
    let mut layout = Layout::new(Wiring::Lines, no_bus).await;
    layout.hand(|panel, now| {
        panel.obey("stuck lock on", now).unwrap();
    });
    assert_eq!(layout.fault().await, "LK-101 Raised lock");
    layout.hand(|panel, now| {
        panel.obey("stuck lock free", now).unwrap();
        panel.lines.drive(LOCK_BUTTON, true, now);
    });
    assert_eq!(layout.fault().await, "LK-101 Cleared lock");

    let loose = spot(7, 1);
    for turn in 0..1_000_u32 {
        layout.hand(|panel, now| {
            let line = panel.sensor_line(on_layout(loose)).unwrap();
            panel.lines.drive(line, !turn.is_multiple_of(2), now);
        });
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    assert_eq!(layout.control.unreliable(), set(&[loose]));
    assert_eq!(layout.fault().await, "PS-102 Raised 7.1");
    assert_eq!(layout.fault().await, "PS-102 Cleared 7.1");

    // More edges at once than a kernel keeps: the next one shows the gap, and the levels are read again.
    layout.hand(|panel, now| {
        let line = panel.sensor_line(on_layout(spot(6, 1))).unwrap();
        panel.lines.drive_bouncing(line, false, 600, now);
        panel.put_chip(on_layout(spot(5, 1)), now + 1_300);
    });
    tokio::time::sleep(Duration::from_secs(4)).await;
    layout.hand(|panel, now| assert!(panel.put_chip(on_layout(spot(4, 1)), now)));
    let mut told = Vec::new();
    while !told.contains(&"LK-003 Occurred lock".to_owned()) {
        told.push(layout.fault().await);
    }
    tokio::time::sleep(Duration::from_secs(4)).await;
    assert_eq!(layout.control.occupied(), set(&[spot(4, 1), spot(5, 1), spot(6, 1)]), "nothing was missed for good");
}

/// The felt's wiring, as a configuration would say it.
fn layout(panel: &Panel) -> BusLayout {
    let mut chips: BTreeMap<u8, ChipLayout> = BTreeMap::new();
    let mut chip = |address: u8, add: &dyn Fn(&mut ChipLayout)| {
        let empty = || ChipLayout { address: ChipAddress::new(address).unwrap(), sensors: vec![], lamps: vec![] };
        add(chips.entry(address).or_insert_with(empty));
    };
    let port = |port| match port {
        table_simulator::mcp23017::Port::A => Port::A,
        table_simulator::mcp23017::Port::B => Port::B,
    };
    for spot in Spot::all() {
        let (address, of, pin) = panel.sensor_pin(on_layout(spot)).unwrap();
        chip(address, &|chip| chip.sensors.push((InputPin::new(port(of), pin).unwrap(), spot)));
        let (address, of, pin) = panel.lamp_pin(on_layout(spot)).unwrap();
        chip(address, &|chip| chip.lamps.push((OutputPin::new(port(of), pin).unwrap(), Lamp::Main(spot))));
    }
    BusLayout { chips: chips.into_values().collect() }
}

fn start_bus(panel: &Panel) -> (BusHandle, mpsc::Receiver<BusSignal>) {
    let bus = panel.bus.clone();
    let (handle, signals, _thread) = spawn_bus(layout(panel), move || Ok::<_, io::Error>(bus.clone())).unwrap();
    (handle, signals)
}

fn told(signals: &mut mpsc::Receiver<BusSignal>) -> Vec<String> {
    std::iter::from_fn(|| signals.try_recv().ok())
        .map(|BusSignal { address, signal }| format!("{:02x} {} {:?}", address.value(), signal.code, signal.change))
        .collect()
}

/// Reads until the condition holds: on a loaded machine a reading may take longer than the driver waits for it.
async fn read_until(handle: &BusHandle, wanted: impl Fn(SpotSet, SpotSet) -> bool) {
    let tried = async {
        loop {
            if let Ok(read) = handle.read().await
                && wanted(read.covers, read.present)
            {
                return;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(60), tried).await.unwrap();
}

#[tokio::test]
async fn a_bus_that_fails_is_a_fault_and_comes_back_with_its_set_up_and_lamps() {
    let mut panel = Panel::new(Wiring::Expanders, 8, 3);
    let (mut handle, mut signals) = start_bus(&panel);
    let all: SpotSet = Spot::all().collect();
    panel.put_chip(on_layout(spot(8, 3)), Millis(0));
    read_until(&handle, |covers, present| covers == all && present == set(&[spot(8, 3)])).await;
    let lit = LampFrame { main: set(&[spot(1, 1), spot(8, 3)]), ..LampFrame::default() };
    handle.write(lit, None).await.unwrap();
    let lamps = |panel: &Panel| Spot::all().filter(|spot| panel.lamp(on_layout(*spot))).collect::<SpotSet>();
    assert_eq!(lamps(&panel), lit.main);

    panel.bus.set_stuck(true);
    read_until(&handle, |covers, _| covers.is_empty()).await;
    assert!(handle.write(lit, Some(lit)).await.is_err());
    panel.bus.set_stuck(false);
    read_until(&handle, |covers, present| covers == all && present == set(&[spot(8, 3)])).await;
    handle.verify().await.unwrap();
    let chips = layout(&panel).chips.len();
    let signalled = told(&mut signals);
    for change in ["Raised", "Cleared"] {
        let count = signalled.iter().filter(|line| line.ends_with(&format!("EX-002 {change}"))).count();
        assert_eq!(count, chips, "{signalled:?}");
    }

    // One transaction lost to another master costs one chip one reading.
    panel.bus.fail_next(BusFailure::ArbitrationLost, 1);
    read_until(&handle, |covers, _| covers != all).await;
    read_until(&handle, |covers, _| covers == all).await;

    // A chip that is pulled out and pushed in again has forgotten everything, and gets it back.
    let (address, ..) = panel.lamp_pin(on_layout(spot(1, 1))).unwrap();
    panel.bus.set_plugged(address, false);
    assert!(handle.write(lit, Some(lit)).await.is_err());
    panel.bus.chip(address, table_simulator::mcp23017::Mcp23017::reset).unwrap();
    panel.bus.set_plugged(address, true);
    assert_ne!(lamps(&panel), lit.main);
    handle.verify().await.unwrap();
    assert_eq!(lamps(&panel), lit.main, "lit again without being asked");
    for address in 0x20..=0x27 {
        assert_eq!(panel.bus.chip(address, |chip| chip.misuses()).unwrap_or(0), 0, "pin 7 is never an input");
    }
    let before = panel.bus.transactions();
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(panel.bus.transactions(), before, "an idle bus is left alone");
}

#[tokio::test]
async fn through_expanders_a_chip_that_was_not_still_before_the_press_is_late() {
    let (send, signals) = std::sync::mpsc::channel();
    let mut layout = Layout::new(Wiring::Expanders, |panel| {
        let (handle, signals) = start_bus(panel);
        send.send(signals).unwrap();
        handle
    })
    .await;
    let mut signals = signals.try_iter().next().unwrap();
    layout.hand(|panel, now| assert!(panel.put_chip(on_layout(spot(2, 1)), now)));
    assert!(matches!(layout.split_event().await, SplitEvent::Placed { spot: found, .. } if found == spot(2, 1)));
    // A chip and the press in one movement: it cannot have been still.
    layout.hand(|panel, now| {
        panel.put_chip(on_layout(spot(5, 1)), now);
        panel.press_lock(true, now);
    });
    assert_eq!(layout.list().await, (set(&[spot(2, 1)]), set(&[spot(5, 1)])));
    layout.hand(|panel, now| {
        panel.press_lock(false, now);
        panel.put_chip(on_layout(spot(8, 3)), now);
    });
    assert!(matches!(layout.split_event().await, SplitEvent::Late { spot: found, .. } if found == spot(8, 3)));
    assert_eq!(told(&mut signals), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn plain_pins_see_the_layout_and_drive_its_lamps() {
    let mut panel = Panel::new(Wiring::Lines, 8, 3);
    let mut pins: Vec<(LineId, SimPin, bool)> = vec![(LineId::LockOut, panel.lines.pin(LOCK_BUTTON), true)];
    let sensor = |spot: Spot| panel.lines.pin(panel.sensor_line(on_layout(spot)).unwrap());
    pins.extend(Spot::all().map(|spot| (LineId::Sensor(spot), sensor(spot), true)));
    let mut lines = PlainLines::new(pins, DEBOUNCE);
    assert!(lines.levels().unwrap().iter().all(|(_, active)| !active));
    panel.put_chip(on_layout(spot(3, 1)), Millis(0));
    let edge = lines.next_edge().await.unwrap();
    assert_eq!((edge.line, edge.active), (LineId::Sensor(spot(3, 1)), true));
    panel.press_lock(true, Millis(10));
    let edge = lines.next_edge().await.unwrap();
    assert_eq!((edge.line, edge.active), (LineId::LockOut, true));

    let lamp = |spot: Spot| panel.lines.pin(panel.lamp_line(on_layout(spot)).unwrap());
    let mut outputs: Vec<(Lamp, SimPin, bool)> =
        Spot::all().map(|spot| (Lamp::Main(spot), lamp(spot), false)).collect();
    outputs.push((Lamp::LockOut, panel.lines.pin(LOCK_LAMP), false));
    let mut lamps = PlainLamps::new(outputs);
    let frame = LampFrame { main: set(&[spot(3, 1)]), lock_out: true, ..LampFrame::default() };
    lamps.write(frame, None).await.unwrap();
    let lit: SpotSet = Spot::all().filter(|spot| panel.lamp(on_layout(*spot))).collect();
    assert_eq!((lit, panel.lock_lamp()), (frame.main, true));
    lamps.write(LampFrame::default(), Some(frame)).await.unwrap();
    assert!(Spot::all().all(|spot| !panel.lamp(on_layout(spot))) && !panel.lock_lamp());
}
