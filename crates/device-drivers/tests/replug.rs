//! A plug that is pulled a hundred times leaves nothing behind. Alone in its binary, because it counts the process's
//! descriptors.
#![expect(clippy::unwrap_used, reason = "a test that cannot set up its bench should stop")]

mod support;

use std::time::Duration;

use device_drivers::clock::MonotonicClock;
use device_drivers::devices::ReaderSession;
use device_drivers::fault::FaultChange::Raised;
use device_drivers::serial::{PortOptions, spawn_port};
use device_protocols::faults::FaultSet;
use device_protocols::reader::{HoleCardReader, ReaderEvent, ReaderState, ReaderStatus};
use support::{Pty, Socket, Twin, host_config, open_descriptors, processor_time, until_fault, until_up};
use tokio_util::sync::CancellationToken;

fn idle() -> ReaderEvent {
    ReaderEvent::State(ReaderStatus { state: ReaderState::Idle, card_present: false, faults: FaultSet::EMPTY })
}

#[tokio::test]
async fn a_hundred_replugs_leak_neither_descriptor_nor_task() {
    let socket = Socket::new();
    let clock = MonotonicClock::new();
    let cancel = CancellationToken::new();
    let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    let (descriptors_at_start, tasks_at_start) = (open_descriptors(), tasks());
    let session = ReaderSession::new(host_config(), clock.now());
    let (mut handle, task) = spawn_port(session, socket.connector(), clock, PortOptions::default(), cancel.clone());
    let before = processor_time();
    let mut unplugged = None;
    for round in 1..=100 {
        let pty = Pty::open();
        socket.plug_in(&pty);
        let twin = Twin::start::<HoleCardReader>(pty, round, "R-1", idle);
        until_up(&mut handle.reports).await;
        socket.pull_out();
        twin.unplug().await;
        until_fault(&mut handle.reports, "RD-005", Raised).await;
        let now = (open_descriptors(), tasks());
        assert_eq!(*unplugged.get_or_insert(now), now, "after {round} rounds");
    }
    assert_eq!(handle.control.status().times_opened, 100);
    // A hung-up port reads as nothing, for ever. Reading on until a heartbeat fails costs a hundred times more.
    let used = processor_time() - before;
    assert!(used < Duration::from_secs(1), "{used:?} of processor time for a hundred replugs");
    cancel.cancel();
    task.await.unwrap();
    drop(handle);
    assert_eq!((open_descriptors(), tasks()), (descriptors_at_start, tasks_at_start));
}
