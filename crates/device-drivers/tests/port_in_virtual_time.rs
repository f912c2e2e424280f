//! The port actor over an in-memory line and a virtual clock: what takes long, and what needs a line that is broken in
//! one direction only.
#![expect(clippy::unwrap_used, reason = "a test that cannot set up its bench should stop")]
#![expect(clippy::wildcard_enum_match_arm, reason = "tests look for one report among many")]

mod support;

use std::time::Duration;

use device_drivers::clock::MonotonicClock;
use device_drivers::devices::ReaderSession;
use device_drivers::fault::FaultChange::{Cleared, Raised};
use device_drivers::fault::PortFault;
use device_drivers::serial::session::Occurrence;
use device_drivers::serial::transport::NotOpened;
use device_drivers::serial::{CommandTicket, Connector, NotQueued, PortHandle, PortOptions, PortReport, spawn_port};
use device_protocols::faults::FaultSet;
use device_protocols::frame::{BootId, DeviceKind, Direction, Frame, MessageId, MessageType, Payload, Sequence};
use device_protocols::link::{DeviceConfig, DeviceNotice, HostConfig, LinkDevice, LinkState, Millis};
use device_protocols::protection::Protection;
use device_protocols::reader::{HoleCardReader, ReaderCommand, ReaderEvent, ReaderState, ReaderStatus, UpCardGroup};
use support::{host_config, identity, until, until_fault, until_up};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

const DEVICE_BOOT: u32 = 0xD0D0;

/// Hands out the ends of lines that a test plugs in.
struct Sockets(mpsc::UnboundedReceiver<DuplexStream>);

impl Connector for Sockets {
    type Stream = DuplexStream;

    async fn connect(&mut self) -> Result<DuplexStream, NotOpened> {
        self.0.try_recv().map_err(|_| NotOpened {
            fault: PortFault::Absent,
            cause: "not plugged in".to_owned(),
            errno: None,
        })
    }
}

type Handle = PortHandle<ReaderCommand, ReaderEvent>;

fn start(config: HostConfig) -> (Handle, mpsc::UnboundedSender<DuplexStream>) {
    let clock = MonotonicClock::new();
    let (plug, sockets) = mpsc::unbounded_channel();
    let session = ReaderSession::new(config, clock.now());
    let (handle, _) = spawn_port(session, Sockets(sockets), clock, PortOptions::default(), CancellationToken::new());
    (handle, plug)
}

fn idle() -> ReaderEvent {
    ReaderEvent::State(ReaderStatus { state: ReaderState::Idle, card_present: false, faults: FaultSet::EMPTY })
}

/// A reader on the far end of a line. Deaf, it speaks on but hears nothing.
struct Device {
    events: mpsc::UnboundedSender<ReaderEvent>,
    deaf: watch::Sender<bool>,
    /// Ended, it lets go of the line.
    task: JoinHandle<()>,
}

fn device(plug: &mpsc::UnboundedSender<DuplexStream>) -> Device {
    let (ours, theirs) = tokio::io::duplex(4_096);
    plug.send(theirs).unwrap();
    let (events, queue) = mpsc::unbounded_channel();
    let (deaf, is_deaf) = watch::channel(false);
    let task = tokio::spawn(run(ours, queue, is_deaf));
    Device { events, deaf, task }
}

async fn run(line: DuplexStream, mut queue: mpsc::UnboundedReceiver<ReaderEvent>, deaf: watch::Receiver<bool>) {
    let start = Instant::now();
    let now = || Millis(u64::try_from(start.elapsed().as_millis()).unwrap());
    let boot = BootId::new(DEVICE_BOOT).unwrap();
    let mut link = LinkDevice::<HoleCardReader>::new(
        DeviceConfig { boot, identity: identity("R-1"), protection: Protection::None },
        now(),
    );
    let (mut input, mut output) = tokio::io::split(line);
    let mut buffer = [0; 512];
    loop {
        while let Some(bytes) = link.poll_transmit(now()) {
            output.write_all(&bytes).await.unwrap();
        }
        while let Some(notice) = link.poll_notice() {
            match notice {
                DeviceNotice::StateQueried => drop(link.send(&idle(), now()).unwrap()),
                DeviceNotice::Command { id, .. } => drop(link.acknowledge(id, now())),
                _ => {}
            }
        }
        let wake = start + Duration::from_millis(link.poll_deadline().unwrap().0.max(now().0 + 1));
        tokio::select! {
            count = input.read(&mut buffer) => if !*deaf.borrow() {
                link.handle_bytes(&buffer[..count.unwrap()], now());
            },
            Some(event) = queue.recv() => drop(link.send(&event, now()).unwrap()),
            () = tokio::time::sleep_until(wake) => link.handle_timeout(now()),
        }
    }
}

async fn next_event(handle: &mut Handle) -> (MessageId, ReaderEvent) {
    until(&mut handle.reports, |report| match report {
        PortReport::Event { id, event } => Some((*id, *event)),
        _ => None,
    })
    .await
}

#[tokio::test(start_paused = true)]
async fn a_disk_that_stalls_for_ten_seconds_is_no_fault_and_every_event_comes_once_in_order() {
    let (mut handle, plug) = start(host_config());
    let device = device(&plug);
    let sent: Vec<ReaderEvent> = (0..20)
        .map(|number| {
            let group = if number % 2 == 0 { UpCardGroup::Ace } else { UpCardGroup::Ten };
            ReaderEvent::CardInserted { group }
        })
        .collect();
    let (first, state) = next_event(&mut handle).await;
    assert_eq!(state, idle());
    for event in &sent {
        device.events.send(*event).unwrap();
    }
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!(handle.control.status().link, LinkState::Up);
    assert!(handle.control.status().faults.is_empty());
    handle.control.durable(first);
    let mut received = Vec::new();
    while received.len() < sent.len() {
        let (id, event) = next_event(&mut handle).await;
        received.push(event);
        if received.len() % 7 == 0 {
            tokio::time::sleep(Duration::from_secs(10)).await;
        }
        handle.control.durable(id);
    }
    assert_eq!(received, sent);
    tokio::time::sleep(Duration::from_secs(30)).await;
    assert!(handle.reports.try_recv().is_err(), "nothing twice, and no fault");
}

#[tokio::test(start_paused = true)]
async fn a_line_that_takes_no_bytes_is_closed_and_opened_again() {
    let (mut handle, plug) = start(host_config());
    let (_unread, theirs) = tokio::io::duplex(16);
    plug.send(theirs).unwrap();
    until_fault(&mut handle.reports, "RD-006", Raised).await;
    let _device = device(&plug);
    until_up(&mut handle.reports).await;
    assert_eq!(handle.control.status().times_opened, 2);
}

#[tokio::test(start_paused = true)]
async fn a_device_that_speaks_but_does_not_hear_gives_no_answer() {
    let (mut handle, plug) = start(host_config());
    let device = device(&plug);
    let (id, _) = next_event(&mut handle).await;
    handle.control.durable(id);
    tokio::time::sleep(Duration::from_millis(500)).await;
    device.deaf.send_replace(true);
    let ticket = handle.control.command(ReaderCommand::Disarm).unwrap();
    until_fault(&mut handle.reports, "RD-032", Raised).await;
    let unanswered = until(&mut handle.reports, |report| match report {
        PortReport::CommandUnanswered { ticket } => Some(*ticket),
        _ => None,
    })
    .await;
    assert_eq!(unanswered, ticket);
    until_fault(&mut handle.reports, "RD-012", Raised).await;
    device.deaf.send_replace(false);
    until_up(&mut handle.reports).await;
    until_fault(&mut handle.reports, "RD-012", Cleared).await;
}

#[tokio::test(start_paused = true)]
async fn events_that_the_journal_never_saw_are_missed() {
    // The journal knows this boot up to its 65530th event; the device begins at its first.
    let boot = BootId::new(DEVICE_BOOT).unwrap();
    let last = MessageId { boot, sequence: Sequence::new(u16::MAX - 5).unwrap() };
    let (mut handle, plug) = start(HostConfig { last_durable: Some(last), ..host_config() });
    let _device = device(&plug);
    let missing = until(&mut handle.reports, |report| match report {
        PortReport::Occurred(occurrence) => Some(*occurrence),
        _ => None,
    })
    .await;
    assert_eq!(missing, Occurrence::EventsMissing { expected: last.sequence.next(), found: Sequence::FIRST });
    assert_eq!(missing.fault(), PortFault::EventsMissing);
}

#[tokio::test(start_paused = true)]
async fn a_valid_frame_that_means_nothing_is_told_and_a_line_of_frames_without_a_greeting_is_no_greeting() {
    let (mut handle, plug) = start(host_config());
    let (mut ours, theirs) = tokio::io::duplex(4_096);
    plug.send(theirs).unwrap();
    let frame = Frame {
        kind: DeviceKind::HoleCardReader,
        direction: Direction::FromDevice,
        boot: BootId::new(5).unwrap(),
        sequence: None,
        message_type: MessageType::new(0x0F),
        payload: Payload::empty(),
    };
    let chatter = async {
        loop {
            ours.write_all(&frame.encode()).await.unwrap();
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let heard = async {
        let told = until(&mut handle.reports, |report| match report {
            PortReport::Occurred(occurrence) => Some(occurrence.fault()),
            _ => None,
        });
        assert_eq!(told.await, PortFault::NotUnderstood);
        until_fault(&mut handle.reports, "RD-013", Raised).await;
        let mut told = 0;
        let wait = tokio::time::sleep(Duration::from_secs(10));
        tokio::pin!(wait);
        loop {
            tokio::select! {
                () = &mut wait => break,
                _ = handle.reports.recv() => told += 1,
            }
        }
        assert!((9..=11).contains(&told), "a thousand frames, told once a second: {told}");
    };
    tokio::select! {
        () = chatter => {}
        () = heard => {}
    }
}

#[tokio::test(start_paused = true)]
async fn an_event_is_held_until_it_is_durable_and_not_given_twice() {
    let (mut handle, plug) = start(host_config());
    let device = device(&plug);
    let (id, state) = next_event(&mut handle).await;
    assert_eq!(state, idle());
    device.events.send(ReaderEvent::NoCard).unwrap();
    // Five resends would have passed by then: only HOLD keeps the device patient.
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    while let Ok(report) = handle.reports.try_recv() {
        assert!(!matches!(report, PortReport::Event { .. }), "{report:?}");
    }
    assert_eq!(handle.control.status().link, LinkState::Up);
    handle.control.durable(id);
    assert_eq!(next_event(&mut handle).await.1, ReaderEvent::NoCard);
}

#[tokio::test(start_paused = true)]
async fn a_line_that_babbles_is_read_no_faster_than_a_line_could_carry() {
    let (mut handle, plug) = start(host_config());
    let (mut ours, theirs) = tokio::io::duplex(4_096);
    plug.send(theirs).unwrap();
    let babbler = tokio::spawn(async move { while ours.write_all(&[0x42; 4_096]).await.is_ok() {} });
    until_fault(&mut handle.reports, "RD-014", Raised).await;
    let before = handle.control.status().counts.line.bytes;
    tokio::time::sleep(Duration::from_secs(10)).await;
    let read = handle.control.status().counts.line.bytes - before;
    assert!(read > 0 && read < 3 * 10 * 11_520, "{read} bytes in ten seconds");
    assert!(!babbler.is_finished());
}

#[tokio::test(start_paused = true)]
async fn a_controller_that_takes_nothing_loses_nothing_and_commands_are_bounded() {
    let (mut handle, plug) = start(host_config());
    let device = device(&plug);
    tokio::time::sleep(Duration::from_secs(4)).await;
    assert_eq!(handle.control.status().link, LinkState::Up, "a stall is not a fault");
    // Without a link to take them, commands pile up only as far as the queues go.
    device.task.abort();
    let mut queued: Vec<CommandTicket> = Vec::new();
    let full = loop {
        match handle.control.command(ReaderCommand::Disarm) {
            Ok(ticket) => queued.push(ticket),
            Err(full) => break full,
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
        assert!(queued.len() < 200, "the queue has no end");
    };
    assert_eq!(full, NotQueued::Full);
    let mut answered = Vec::new();
    while answered.len() < queued.len() {
        // The first may have gone out in the moment before the plug was noticed: nobody knows what became of those.
        let ticket = until(&mut handle.reports, |report| match report {
            PortReport::CommandRefused { ticket, .. } | PortReport::CommandUnanswered { ticket } => Some(*ticket),
            _ => None,
        });
        answered.push(ticket.await);
    }
    assert_eq!(answered, queued, "each is answered once, in order");
}
