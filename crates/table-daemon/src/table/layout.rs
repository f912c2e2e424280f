//! The felt: the lock-out, the position sensors and the lamps, from the configured lines or from whoever stands in for
//! them.

use std::future::Future;
use std::pin::Pin;

use device_drivers::config::{Devices, Wiring};
use device_drivers::gpio::NoExpanders;
use device_drivers::gpio::backend::{BoardLamps, BoardLines, open_i2c};
use device_drivers::gpio::watch::{InputControl, InputReport, start_inputs};
use device_drivers::inputs::lock_split::LockPhase;
use device_drivers::inputs::{SplitEvent, SpotSet};
use device_drivers::lamps::{LampBoard, LampControl, LampSignal, LampsStarted, start_lamps};
use device_drivers::mcp23017::{BusSignal, keep_verified, spawn_bus};
use table_controller::{Controller, Input, LampState, LayoutInput, Spot};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// A felt that runs.
#[derive(Debug)]
pub struct LayoutRunning {
    pub control: InputControl,
    pub reports: mpsc::Receiver<InputReport>,
    pub lamps: LampControl,
    pub lamp_faults: mpsc::Receiver<LampSignal>,
    pub bus_faults: Option<mpsc::Receiver<BusSignal>>,
    pub tasks: Vec<JoinHandle<()>>,
}

/// Starts a felt with the lock and the lamps as the journal left them. Called once, on the loop's runtime.
pub type LayoutStart = Box<
    dyn FnOnce(
            LockPhase,
            LampBoard,
            CancellationToken,
        ) -> Pin<Box<dyn Future<Output = Result<LayoutRunning, String>> + Send>>
        + Send,
>;

/// The felt on the lines and expanders of the configuration; `None` where no lock-out is configured.
pub fn from_configuration(devices: &Devices, wiring: &Wiring) -> Option<LayoutStart> {
    devices.gpio.lock_out.as_ref()?;
    let (devices, wiring) = (devices.clone(), wiring.clone());
    Some(Box::new(move |phase, board, cancel| Box::pin(start(devices, wiring, phase, board, cancel))))
}

async fn start(
    devices: Devices,
    wiring: Wiring,
    phase: LockPhase,
    board: LampBoard,
    cancel: CancellationToken,
) -> Result<LayoutRunning, String> {
    let clock = device_drivers::clock::MonotonicClock::new();
    let backend = devices.gpio.backend;
    let lines = BoardLines::open(backend, &wiring.inputs);
    let frame = board.frame(SpotSet::EMPTY, clock.now());
    let on_lines = BoardLamps::open(backend, &wiring.lamps, &frame);
    let Some(expanders) = devices.expanders else {
        let (control, reports, task) = start_inputs(lines, NoExpanders, wiring.split, phase, cancel.clone()).await;
        let lamps = start_lamps(on_lines, board, clock, cancel).await;
        return Ok(running(control, reports, task, lamps, None));
    };
    let path = expanders.bus.clone();
    let (bus, signals, _thread) = spawn_bus(wiring.bus, move || open_i2c(&path)).map_err(|error| error.to_string())?;
    let (control, reports, task) = start_inputs(lines, bus.clone(), wiring.split, phase, cancel.clone()).await;
    // An expander that went through a brown-out answers and is silent: only reading its set-up back tells.
    let keeper = tokio::spawn(keep_verified(bus.clone(), cancel.clone()));
    let lamps = start_lamps((on_lines, bus), board, clock, cancel).await;
    let mut layout = running(control, reports, task, lamps, Some(signals));
    layout.tasks.push(keeper);
    Ok(layout)
}

fn running(
    control: InputControl,
    reports: mpsc::Receiver<InputReport>,
    task: JoinHandle<()>,
    lamps: LampsStarted,
    bus_faults: Option<mpsc::Receiver<BusSignal>>,
) -> LayoutRunning {
    let LampsStarted { control: lamp_control, faults, task: lamp_task, restored } = lamps;
    if let Err(error) = restored {
        tracing::warn!("the lamps could not be restored yet: {error}");
    }
    LayoutRunning {
        control,
        reports,
        lamps: lamp_control,
        lamp_faults: faults,
        bus_faults,
        tasks: vec![task, lamp_task],
    }
}

/// What a report of the lines means for the table; faults are told with their places.
pub(super) fn inputs_of(report: InputReport, controller: &Controller) -> Vec<Input> {
    match report {
        InputReport::Split(event) => vec![Input::Layout(layout_input(event))],
        InputReport::Fault { .. } => Vec::new(),
        // Only what the table does not know yet is worth a record.
        InputReport::Snapshot { occupied, unread, .. } => {
            let (occupied, unread) = (spots(occupied), spots(unread));
            let says = controller.sensors_say_something(&occupied, &unread);
            says.then_some(Input::Layout(LayoutInput::Read { occupied, unread })).into_iter().collect()
        }
    }
}

/// The lock and the lamps as the journal left them: a lit lamp is evidence.
pub(super) fn as_left(controller: &Controller) -> (LockPhase, LampBoard) {
    let mut board = LampBoard::default();
    let mut accepted = SpotSet::EMPTY;
    for (spot, state) in controller.lamps() {
        if let Some(spot) = driver_spot(spot) {
            board.set(spot, state);
            if state == LampState::Accepted {
                accepted = accepted.with(spot);
            }
        }
    }
    // Also where a start found wagers lying and holds them: the sensors must not take what the table does not.
    let locked = controller.wagers_are_locked();
    board.locked = locked;
    (if locked { LockPhase::Locked { accepted } } else { LockPhase::Open }, board)
}

fn layout_input(event: SplitEvent) -> LayoutInput {
    match event {
        SplitEvent::Placed { spot, .. } => LayoutInput::Placed(controller_spot(spot)),
        SplitEvent::Removed { spot, .. } => LayoutInput::Removed(controller_spot(spot)),
        SplitEvent::Locked { .. } => LayoutInput::Locked,
        SplitEvent::Split { accepted, late, doubtful, .. } => {
            LayoutInput::Split { accepted: spots(accepted), late: spots(late), doubtful: spots(doubtful) }
        }
        SplitEvent::Late { spot, .. } => LayoutInput::Late(controller_spot(spot)),
        SplitEvent::LateRemoved { spot, .. } => LayoutInput::LateRemoved(controller_spot(spot)),
        SplitEvent::Collected { spot, .. } => LayoutInput::Collected(controller_spot(spot)),
        SplitEvent::Reopened { occupied } => LayoutInput::Reopened { occupied: spots(occupied) },
    }
}

pub(super) fn spots(set: SpotSet) -> Vec<Spot> {
    set.iter().map(controller_spot).collect()
}

pub(super) fn controller_spot(spot: device_drivers::inputs::Spot) -> Spot {
    Spot { seat: spot.seat(), spot: spot.spot() }
}

pub(super) fn driver_spot(spot: Spot) -> Option<device_drivers::inputs::Spot> {
    device_drivers::inputs::Spot::new(spot.seat, spot.spot)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use table_controller::{Clock, Config, Outputs, Stamp, Started};
    use table_rules::seat::Seat;
    use table_rules::submission::RulesSubmission;
    use table_rules::wager::WagerId;
    use table_rules::{Engine, Events, Tracking};

    const RULES: &str = include_str!("../../../../firmware-config/submissions/blackjack-all-wagers.toml");

    /// A table that took wagers when its power went, with or without one on the layout, and comes up again.
    fn restarted(with_wager: bool) -> Controller {
        let table = RulesSubmission::parse(RULES).check().table.unwrap();
        let config = Config::with_all_devices("TEST-1", table.clone(), Tracking::Cards);
        let mut engine = Engine::new(table, Tracking::Cards);
        if with_wager {
            let seat = Seat::new(1).unwrap();
            let wager = table_rules::Input::Wager { seat, wager: WagerId::Main, amount: None };
            engine.apply(&wager, &mut Events::new()).unwrap();
        }
        let fresh = Controller::new(config.clone()).checkpoint();
        let mut checkpoint: Value = serde_json::from_slice(&fresh).unwrap();
        checkpoint["engine"] = serde_json::to_value(engine.snapshot()).unwrap();
        let mut controller = Controller::resumed(config, checkpoint.to_string().as_bytes()).unwrap();
        let clock = Clock { wall_ms: 1_800_000_000_000, monotonic_ms: 0, minute: 600, day: 20_833, trusted: true };
        let started = Started { clock, last_record_ms: None, foreign_round: None };
        controller.apply(Stamp { sequence: 1 }, &Input::Started(started), &mut Outputs::default()).unwrap();
        controller
    }

    #[test]
    fn sensors_start_as_closed_as_the_table_also_where_no_round_runs() {
        let held = restarted(true);
        assert!(!held.in_round() && held.wagers_are_locked(), "the start holds what lay there");
        let (phase, board) = as_left(&held);
        assert!(matches!(phase, LockPhase::Locked { .. }), "{phase:?}: a sensor would take what the table does not");
        assert!(board.locked);
        let (phase, board) = as_left(&restarted(false));
        assert_eq!((phase, board.locked), (LockPhase::Open, false));
    }
}
