//! Every line of the layout as a technician sees it, and the test of its lamps.

use std::time::Duration;

use device_drivers::devices::Lamps;
use device_drivers::gpio::LineId;
use device_drivers::gpio::watch::LinesSeen;
use device_drivers::inputs::Spot;
use device_drivers::lamps::{LampControl, LampState};
use operator_api::LinePicture;
use tokio::task::AbortHandle;

use super::layout::LayoutRunning;

/// How long each lamp is lit in a test.
const LIT_FOR: Duration = Duration::from_secs(1);

/// Looks at lines without asking the loop. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Lines {
    seen: LinesSeen,
    lamps: LampControl,
    lit: Vec<Spot>,
}

impl Lines {
    pub(super) fn of(layout: &LayoutRunning, lit: Vec<Spot>) -> Self {
        Self { seen: layout.control.seen(), lamps: layout.lamps.clone(), lit }
    }

    pub fn pictures(&self) -> Vec<LinePicture> {
        let inputs = self.seen.all().into_iter().map(|(line, seen)| LinePicture {
            name: match line {
                LineId::LockOut => "lock-out".to_owned(),
                LineId::Sensor(spot) => format!("sensor {}.{}", spot.seat(), spot.spot()),
                LineId::ExpanderInterrupt => "interrupt".to_owned(),
            },
            active: seen.active,
            edges: Some(seen.edges),
            changes: seen.changes,
        });
        let board = self.lamps.board();
        let lamp = |name: String, lit: bool| LinePicture { name, active: Some(lit), edges: None, changes: 0 };
        let lock = [lamp("lock lamp".to_owned(), board.locked)];
        let lamps = self
            .lit
            .iter()
            .map(|spot| lamp(format!("lamp {}.{}", spot.seat(), spot.spot()), board.state(*spot) != LampState::Dark));
        inputs.chain(lock).chain(lamps).collect()
    }
}

/// A test of the lamps that runs. What the table wants to show ends it.
#[derive(Debug)]
pub(super) struct LampTest {
    task: AbortHandle,
    lamps: LampControl,
    before: Vec<(Spot, LampState)>,
    locked: bool,
}

impl LampTest {
    /// Each lamp for a second, then all of them, then as they were.
    pub(super) fn start(lines: &Lines) -> Self {
        let lamps = lines.lamps.clone();
        let board = lamps.board();
        let before: Vec<(Spot, LampState)> = lines.lit.iter().map(|spot| (*spot, board.state(*spot))).collect();
        let (show, back, locked) = (lamps.clone(), before.clone(), board.locked);
        let task = tokio::spawn(async move {
            let all = |state: LampState| back.iter().map(|(spot, _)| (*spot, state)).collect::<Vec<_>>();
            show.show_locked(false);
            for (spot, _) in &back {
                show.show_all(&all(LampState::Dark));
                show.show(*spot, LampState::Accepted);
                tokio::time::sleep(LIT_FOR).await;
            }
            show.show_all(&all(LampState::Dark));
            show.show_locked(true);
            tokio::time::sleep(LIT_FOR).await;
            show.show_all(&all(LampState::Accepted));
            tokio::time::sleep(LIT_FOR).await;
            show.show_all(&back);
            show.show_locked(locked);
        });
        Self { task: task.abort_handle(), lamps, before, locked }
    }

    /// The lamps say what they said before; one that has run to its end changed nothing since.
    pub(super) fn end(self) {
        if !self.task.is_finished() {
            self.task.abort();
            self.lamps.show_all(&self.before);
            self.lamps.show_locked(self.locked);
        }
    }
}
