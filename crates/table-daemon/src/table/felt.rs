//! The felt: the lock-out, the position sensors and the lamps, from the configured lines or from whoever stands in for
//! them.

use std::future::Future;
use std::pin::Pin;

use device_drivers::config::{Devices, Wiring};
use device_drivers::fault::FaultSignal;
use device_drivers::gpio::NoExpanders;
use device_drivers::gpio::backend::{BoardLamps, BoardLines, open_i2c};
use device_drivers::gpio::watch::{InputControl, InputReport, start_inputs};
use device_drivers::inputs::lock_split::LockPhase;
use device_drivers::inputs::{SplitEvent, SpotSet};
use device_drivers::lamps::{LampBoard, LampControl, LampsStarted, start_lamps};
use device_drivers::mcp23017::{BusSignal, keep_verified, spawn_bus};
use table_controller::{FeltInput, Input, LampState, Part, Spot};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// A felt that runs.
#[derive(Debug)]
pub struct FeltRunning {
    pub control: InputControl,
    pub reports: mpsc::Receiver<InputReport>,
    pub lamps: LampControl,
    pub lamp_faults: mpsc::Receiver<FaultSignal>,
    pub bus_faults: Option<mpsc::Receiver<BusSignal>>,
    pub tasks: Vec<JoinHandle<()>>,
}

/// Starts a felt with the lock and the lamps as the journal left them. Called once, on the loop's runtime.
pub type FeltStart = Box<
    dyn FnOnce(
            LockPhase,
            LampBoard,
            CancellationToken,
        ) -> Pin<Box<dyn Future<Output = Result<FeltRunning, String>> + Send>>
        + Send,
>;

/// The felt on the lines and expanders of the configuration; `None` where no lock-out is configured.
pub fn from_configuration(devices: &Devices, wiring: &Wiring) -> Option<FeltStart> {
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
) -> Result<FeltRunning, String> {
    let clock = device_drivers::clock::MonotonicClock::new();
    let backend = devices.gpio.backend;
    let lines = BoardLines::open(backend, &wiring.inputs).map_err(|fault| fault.to_string())?;
    let frame = board.frame(SpotSet::EMPTY, clock.now());
    let on_lines = BoardLamps::open(backend, &wiring.lamps, &frame).map_err(|fault| fault.to_string())?;
    let Some(expanders) = devices.expanders else {
        let inputs = start_inputs(lines, NoExpanders, wiring.split, phase, cancel.clone()).await;
        let (control, reports, task) = inputs.map_err(|fault| fault.to_string())?;
        let lamps = start_lamps(on_lines, board, clock, cancel).await;
        return Ok(running(control, reports, task, lamps, None));
    };
    let path = expanders.bus.clone();
    let (bus, signals, _thread) = spawn_bus(wiring.bus, move || open_i2c(&path)).map_err(|error| error.to_string())?;
    let inputs = start_inputs(lines, bus.clone(), wiring.split, phase, cancel.clone()).await;
    let (control, reports, task) = inputs.map_err(|fault| fault.to_string())?;
    // An expander that went through a brown-out answers and is silent: only reading its set-up back tells.
    let keeper = tokio::spawn(keep_verified(bus.clone(), cancel.clone()));
    let lamps = start_lamps((on_lines, bus), board, clock, cancel).await;
    let mut felt = running(control, reports, task, lamps, Some(signals));
    felt.tasks.push(keeper);
    Ok(felt)
}

fn running(
    control: InputControl,
    reports: mpsc::Receiver<InputReport>,
    task: JoinHandle<()>,
    lamps: LampsStarted,
    bus_faults: Option<mpsc::Receiver<BusSignal>>,
) -> FeltRunning {
    let LampsStarted { control: lamp_control, faults, task: lamp_task, restored } = lamps;
    if let Err(error) = restored {
        tracing::warn!(%error, "the lamps could not be restored yet");
    }
    FeltRunning { control, reports, lamps: lamp_control, lamp_faults: faults, bus_faults, tasks: vec![task, lamp_task] }
}

/// What a report of the lines means for the table.
pub(super) fn inputs_of(report: InputReport) -> Vec<Input> {
    match report {
        InputReport::Split(event) => vec![Input::Felt(felt_input(event))],
        InputReport::Fault { spot: _, signal } => super::devices::fault_input(signal).into_iter().collect(),
        // Changes were given up while nobody took them: how things stand is told as if the wagers had just opened.
        InputReport::Snapshot { occupied, phase } => match phase {
            LockPhase::Open => vec![Input::Felt(FeltInput::Reopened { occupied: spots(occupied) })],
            LockPhase::Closing | LockPhase::Locked { .. } => Vec::new(),
        },
    }
}

fn felt_input(event: SplitEvent) -> FeltInput {
    match event {
        SplitEvent::Placed { spot, .. } => FeltInput::Placed(controller_spot(spot)),
        SplitEvent::Removed { spot, .. } => FeltInput::Removed(controller_spot(spot)),
        SplitEvent::Locked { .. } => FeltInput::Locked,
        SplitEvent::Split { accepted, late, doubtful, .. } => {
            FeltInput::Split { accepted: spots(accepted), late: spots(late), doubtful: spots(doubtful) }
        }
        SplitEvent::Late { spot, .. } => FeltInput::Late(controller_spot(spot)),
        SplitEvent::LateRemoved { spot, .. } => FeltInput::LateRemoved(controller_spot(spot)),
        SplitEvent::Collected { spot, .. } => FeltInput::Collected(controller_spot(spot)),
        SplitEvent::Reopened { occupied } => FeltInput::Reopened { occupied: spots(occupied) },
    }
}

fn spots(set: SpotSet) -> Vec<Spot> {
    set.iter().map(controller_spot).collect()
}

fn controller_spot(spot: device_drivers::inputs::Spot) -> Spot {
    Spot { seat: spot.seat(), spot: spot.spot() }
}

pub(super) fn driver_spot(spot: Spot) -> Option<device_drivers::inputs::Spot> {
    device_drivers::inputs::Spot::new(spot.seat, spot.spot)
}

pub(super) const fn driver_lamp(state: LampState) -> device_drivers::lamps::LampState {
    use device_drivers::lamps::LampState as Driver;
    match state {
        LampState::Dark => Driver::Dark,
        LampState::Invited => Driver::Invited,
        LampState::Placed => Driver::Placed,
        LampState::Accepted => Driver::Accepted,
        LampState::Late => Driver::Late,
    }
}

pub(super) const fn controller_part(part: device_drivers::fault::Part) -> Part {
    use device_drivers::fault::Part as Driver;
    match part {
        Driver::Reader => Part::Reader,
        Driver::Shuffler => Part::Shuffler,
        Driver::Shoe => Part::Shoe,
        Driver::LockOut => Part::LockOut,
        Driver::Sensor => Part::Sensor,
        Driver::Lamp => Part::Lamp,
        Driver::Expander => Part::Expander,
        Driver::Board => Part::Board,
    }
}
