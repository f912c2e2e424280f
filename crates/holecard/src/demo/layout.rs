//! The simulated felt behind the daemon's own drivers: pins that are looked at, lamps that are driven.

use device_drivers::clock::{MonotonicClock, Span};
use device_drivers::gpio::plain::{PlainLamps, PlainLines};
use device_drivers::gpio::watch::start_inputs;
use device_drivers::gpio::{LineId, NoExpanders};
use device_drivers::inputs::{SplitRules, Spot, SpotSet};
use device_drivers::lamps::{LampsStarted, start_lamps};
use device_drivers::mcp23017::bus::Lamp;
use table_daemon::table::{LayoutRunning, LayoutStart};
use table_simulator::panel::{self, LOCK_BUTTON, LOCK_LAMP, Panel};

const DEBOUNCE: Span = Span::millis(25);
const SETTLE: Span = Span::millis(40);

/// A start of the felt's drivers on this panel's lines. May be made again after the table was cut off.
pub(crate) fn start_on(panel: &Panel) -> LayoutStart {
    let wired: Vec<(Spot, panel::Spot)> =
        panel.spots().filter_map(|spot| Some((Spot::new(spot.seat, spot.spot)?, spot))).collect();
    let mut inputs = vec![(LineId::LockOut, panel.lines.pin(LOCK_BUTTON), true)];
    let mut lamps = vec![(Lamp::LockOut, panel.lines.pin(LOCK_LAMP), false)];
    for (spot, place) in &wired {
        if let (Some(sensor), Some(lamp)) = (panel.sensor_line(*place), panel.lamp_line(*place)) {
            inputs.push((LineId::Sensor(*spot), panel.lines.pin(sensor), true));
            lamps.push((Lamp::Main(*spot), panel.lines.pin(lamp), false));
        }
    }
    let rules = SplitRules {
        wired: wired.iter().map(|(spot, _)| *spot).collect(),
        on_expander: SpotSet::EMPTY,
        settle: SETTLE,
        expander_debounce: DEBOUNCE,
    };
    Box::new(move |phase, board, cancel| {
        Box::pin(async move {
            let lines = PlainLines::new(inputs, DEBOUNCE);
            let (control, reports, task) = start_inputs(lines, NoExpanders, rules, phase, cancel.clone()).await;
            let started = start_lamps(PlainLamps::new(lamps), board, MonotonicClock::new(), cancel).await;
            let LampsStarted { control: lamps, faults, task: lamp_task, restored } = started;
            restored.map_err(|error| error.to_string())?;
            Ok(LayoutRunning {
                control,
                reports,
                lamps,
                lamp_faults: faults,
                bus_faults: None,
                tasks: vec![task, lamp_task],
            })
        })
    })
}
