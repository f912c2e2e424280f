//! The lamp task on a virtual clock.
#![expect(clippy::unwrap_used, reason = "a test that cannot set up its bench should stop")]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use device_drivers::clock::MonotonicClock;
use device_drivers::devices::Lamps;
use device_drivers::fault::FaultChange;
use device_drivers::inputs::{Spot, SpotSet};
use device_drivers::lamps::{LampBoard, LampFrame, LampOutput, LampState, NotWritten, start_lamps};
use device_drivers::mcp23017::Lamp;
use tokio_util::sync::CancellationToken;

#[derive(Clone, Default)]
struct Panel {
    writes: Arc<Mutex<Vec<LampFrame>>>,
    broken: Arc<Mutex<bool>>,
    /// Lamps whose lines are not there, until the test fits them.
    absent: Arc<Mutex<Vec<Lamp>>>,
}

impl LampOutput for Panel {
    async fn write(&mut self, frame: LampFrame, _before: Option<LampFrame>) -> Result<(), NotWritten> {
        if *self.broken.lock().unwrap() {
            return Err(NotWritten::new("cut"));
        }
        self.writes.lock().unwrap().push(frame);
        Ok(())
    }

    fn two_colours(&self) -> SpotSet {
        SpotSet::EMPTY
    }

    fn missing(&self) -> Vec<(Lamp, Option<i32>)> {
        self.absent.lock().unwrap().iter().map(|lamp| (*lamp, Some(2))).collect()
    }
}

impl Panel {
    fn last(&self) -> LampFrame {
        *self.writes.lock().unwrap().last().unwrap()
    }

    fn count(&self) -> usize {
        self.writes.lock().unwrap().len()
    }
}

fn spot(seat: u8) -> Spot {
    Spot::new(seat, 1).unwrap()
}

#[tokio::test(start_paused = true)]
async fn restored_levels_are_written_before_start_returns_and_steady_lamps_are_left_alone() {
    let panel = Panel::default();
    let mut board = LampBoard::default();
    board.set(spot(3), LampState::Accepted);
    let started = start_lamps(panel.clone(), board, MonotonicClock::new(), CancellationToken::new()).await;
    assert!(started.restored.is_ok());
    assert_eq!(panel.last().main, SpotSet::EMPTY.with(spot(3)));
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(panel.count(), 1, "nothing changes, nothing is written");

    started.control.show(spot(3), LampState::Placed);
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert!((20..=22).contains(&panel.count()), "a flash of 1 Hz is two writes a second: {}", panel.count());
    started.control.show(spot(3), LampState::Dark);
    started.control.show_locked(true);
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert_eq!(panel.last(), LampFrame { lock_out: true, ..LampFrame::default() });
}

#[tokio::test(start_paused = true)]
async fn a_write_that_fails_is_a_fault_and_the_present_is_shown_when_it_works_again() {
    let panel = Panel::default();
    *panel.broken.lock().unwrap() = true;
    let cancel = CancellationToken::new();
    let mut started = start_lamps(panel.clone(), LampBoard::default(), MonotonicClock::new(), cancel.clone()).await;
    assert!(started.restored.is_err());
    let raised = started.faults.recv().await.unwrap();
    assert_eq!((raised.signal.code.to_string(), raised.signal.change), ("LP-002".to_owned(), FaultChange::Raised));
    started.control.show(spot(1), LampState::Accepted);
    tokio::time::sleep(Duration::from_secs(30)).await;
    started.control.show(spot(2), LampState::Accepted);
    *panel.broken.lock().unwrap() = false;
    let cleared = started.faults.recv().await.unwrap();
    assert_eq!(cleared.signal.change, FaultChange::Cleared);
    assert_eq!(panel.last().main, SpotSet::from_iter([spot(1), spot(2)]));
    assert_eq!(panel.count(), 1);
    cancel.cancel();
    started.task.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn each_lamp_without_a_line_is_told_by_itself_and_ends_by_itself() {
    let panel = Panel::default();
    *panel.absent.lock().unwrap() = vec![Lamp::Main(spot(2)), Lamp::LockOut];
    let cancel = CancellationToken::new();
    let mut started = start_lamps(panel.clone(), LampBoard::default(), MonotonicClock::new(), cancel).await;
    let mut next = async || {
        let told = started.faults.recv().await.unwrap();
        (told.signal.code.to_string(), told.signal.change, told.lamp.unwrap(), told.spots, told.signal.errno)
    };
    let code = || "LP-001".to_owned();
    let one = SpotSet::EMPTY.with(spot(2));
    assert_eq!(next().await, (code(), FaultChange::Raised, Lamp::Main(spot(2)), one, Some(2)));
    assert_eq!(next().await, (code(), FaultChange::Raised, Lamp::LockOut, SpotSet::EMPTY, Some(2)));
    *panel.absent.lock().unwrap() = vec![Lamp::LockOut];
    assert_eq!(next().await, (code(), FaultChange::Cleared, Lamp::Main(spot(2)), one, None));
    panel.absent.lock().unwrap().clear();
    assert_eq!(next().await, (code(), FaultChange::Cleared, Lamp::LockOut, SpotSet::EMPTY, None));
}
