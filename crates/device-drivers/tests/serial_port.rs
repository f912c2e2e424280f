//! The port actor against a device on a pty: every fault is named, and goes when its cause goes.
#![expect(clippy::unwrap_used, reason = "a test that cannot set up its bench should stop")]
#![expect(clippy::wildcard_enum_match_arm, reason = "tests look for one report among many")]

mod support;

use std::time::Duration;

use device_drivers::clock::MonotonicClock;
use device_drivers::devices::ReaderSession;
use device_drivers::fault::FaultChange::{Cleared, Raised};
use device_drivers::serial::{
    Connector, NotQueued, PortHandle, PortOptions, PortReport, Refusal, TcpConnector, spawn_port,
};
use device_protocols::faults::FaultSet;
use device_protocols::link::{ExpectedDevice, HostConfig, LinkState, NotSent};
use device_protocols::reader::{HoleCardReader, ReaderCommand, ReaderEvent, ReaderState, ReaderStatus, UpCardGroup};
use device_protocols::shuffler::{BatchColour, Percent, Shuffler, ShufflerEvent, ShufflerState, ShufflerStatus};
use support::{Do, Pty, Socket, Twin, host_config, text, until, until_fault, until_up};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

type Handle = PortHandle<ReaderCommand, ReaderEvent>;

fn idle() -> ReaderEvent {
    ReaderEvent::State(ReaderStatus { state: ReaderState::Idle, card_present: false, faults: FaultSet::EMPTY })
}

fn shuffler_idle() -> ShufflerEvent {
    ShufflerEvent::State(ShufflerStatus {
        state: ShufflerState::Empty,
        progress: Percent::new(0).unwrap(),
        colour: BatchColour::ALL[0],
        count: None,
        jams: 0,
        door_open: false,
        faults: FaultSet::EMPTY,
    })
}

fn start(connector: impl Connector + 'static, config: HostConfig) -> Handle {
    let clock = MonotonicClock::new();
    let session = ReaderSession::new(config, clock.now());
    spawn_port(session, connector, clock, PortOptions::default(), CancellationToken::new()).0
}

fn reader(socket: &Socket, boot: u32) -> Twin<ReaderEvent> {
    let pty = Pty::open();
    socket.plug_in(&pty);
    Twin::start::<HoleCardReader>(pty, boot, "R-1", idle)
}

/// Takes reports, making every event durable at once, until the wanted event comes.
async fn until_event(handle: &mut Handle, wanted: ReaderEvent) {
    loop {
        let (id, event) = until(&mut handle.reports, |report| match report {
            PortReport::Event { id, event } => Some((*id, *event)),
            _ => None,
        })
        .await;
        handle.control.durable(id);
        if event == wanted {
            return;
        }
    }
}

#[tokio::test]
async fn events_arrive_commands_are_answered_and_the_ladder_counts() {
    let socket = Socket::new();
    let twin = reader(&socket, 1);
    let mut handle = start(socket.connector(), host_config());
    let mut tap = handle.control.tap().unwrap();
    until_up(&mut handle.reports).await;
    until_event(&mut handle, idle()).await;

    let ticket = handle.control.command(ReaderCommand::Arm { group: UpCardGroup::Ace }).unwrap();
    let answered = until(&mut handle.reports, |report| match report {
        PortReport::CommandAccepted { ticket } => Some(*ticket),
        _ => None,
    })
    .await;
    assert_eq!(answered, ticket);

    twin.order(Do::Event(ReaderEvent::CardInserted { group: UpCardGroup::Ace })).await;
    until_event(&mut handle, ReaderEvent::CardInserted { group: UpCardGroup::Ace }).await;

    let status = handle.control.status();
    assert!(status.open);
    assert_eq!(status.link, LinkState::Up);
    assert!(status.faults.is_empty(), "{:?}", status.faults);
    assert_eq!(status.identity.unwrap().serial, text("R-1"));
    assert_eq!(status.counts.events, 2);
    assert!(status.counts.line.frames >= 4 && status.counts.line.bytes > status.counts.line.frames);
    assert!(tap.try_recv().unwrap().to_string().contains(" > "), "we speak first");
}

#[tokio::test]
async fn a_pulled_plug_is_named_and_the_path_may_return_under_another_number() {
    let socket = Socket::new();
    let mut handle = start(socket.connector(), host_config());
    until_fault(&mut handle.reports, "RD-001", Raised).await;
    let twin = reader(&socket, 1);
    until_up(&mut handle.reports).await;
    until_fault(&mut handle.reports, "RD-001", Cleared).await;

    socket.pull_out();
    twin.unplug().await;
    until_fault(&mut handle.reports, "RD-005", Raised).await;
    until_fault(&mut handle.reports, "RD-001", Raised).await;
    let ticket = handle.control.command(ReaderCommand::Disarm).unwrap();
    let refused = until(&mut handle.reports, |report| match report {
        PortReport::CommandRefused { ticket, refusal } => Some((*ticket, *refusal)),
        _ => None,
    })
    .await;
    assert_eq!(refused, (ticket, Refusal::NotSent(NotSent::LinkNotUp)));

    let _twin = reader(&socket, 2);
    until_up(&mut handle.reports).await;
    until_fault(&mut handle.reports, "RD-001", Cleared).await;
    assert!(handle.control.status().faults.is_empty());
}

#[tokio::test]
async fn a_port_that_is_held_by_someone_else_is_in_use() {
    let socket = Socket::new();
    let _twin = reader(&socket, 1);
    let holder = socket.connector().connect().await.unwrap();
    let mut handle = start(socket.connector(), host_config());
    until_fault(&mut handle.reports, "RD-002", Raised).await;
    drop(holder);
    until_up(&mut handle.reports).await;
    until_fault(&mut handle.reports, "RD-002", Cleared).await;
}

#[tokio::test]
async fn another_kind_of_device_is_recognised_and_forgotten_when_the_right_one_is_plugged_in() {
    let socket = Socket::new();
    let pty = Pty::open();
    socket.plug_in(&pty);
    let wrong = Twin::start::<Shuffler>(pty, 1, "S-1", shuffler_idle);
    let mut handle = start(socket.connector(), host_config());
    until_fault(&mut handle.reports, "RD-020", Raised).await;
    socket.pull_out();
    wrong.unplug().await;
    until_fault(&mut handle.reports, "RD-020", Cleared).await;
    let _right = reader(&socket, 2);
    until_up(&mut handle.reports).await;
}

#[tokio::test]
async fn a_unit_with_another_serial_number_is_not_accepted() {
    let socket = Socket::new();
    let _twin = reader(&socket, 1);
    let expected = ExpectedDevice { model: Some(text("TWIN")), serial: Some(text("R-2")) };
    let mut handle = start(socket.connector(), HostConfig { expected, ..host_config() });
    until_fault(&mut handle.reports, "RD-022", Raised).await;
    assert_eq!(handle.control.status().link, LinkState::WrongDevice);
}

#[tokio::test]
async fn silence_is_first_quiet_then_lost_and_ends_by_itself() {
    let socket = Socket::new();
    let twin = reader(&socket, 1);
    let mut handle = start(socket.connector(), host_config());
    until_up(&mut handle.reports).await;
    until_event(&mut handle, idle()).await;
    twin.order(Do::PlayDead(true)).await;
    until_fault(&mut handle.reports, "RD-030", Raised).await;
    until_fault(&mut handle.reports, "RD-010", Raised).await;
    twin.order(Do::PlayDead(false)).await;
    until_up(&mut handle.reports).await;
    until_fault(&mut handle.reports, "RD-010", Cleared).await;
}

#[tokio::test]
async fn garbage_before_a_frame_does_no_harm() {
    let socket = Socket::new();
    let twin = reader(&socket, 1);
    twin.order(Do::Raw((1..=255).cycle().take(600).collect())).await;
    let mut handle = start(socket.connector(), host_config());
    until_up(&mut handle.reports).await;
    until_event(&mut handle, idle()).await;
    twin.order(Do::Raw(b"\x55\xAA\x00\x13".to_vec())).await;
    twin.order(Do::Event(ReaderEvent::NoCard)).await;
    until_event(&mut handle, ReaderEvent::NoCard).await;
    let status = handle.control.status();
    assert!(status.counts.line.faults() > 0);
    assert!(status.link.is_live(), "{:?}", status.link);
    assert_eq!(status.times_opened, 1);
}

#[tokio::test]
async fn a_line_with_nothing_but_garbage_is_garbage_until_the_device_speaks() {
    let socket = Socket::new();
    let twin = reader(&socket, 1);
    twin.order(Do::PlayDead(true)).await;
    let mut handle = start(socket.connector(), host_config());
    let noise = async {
        loop {
            twin.order(Do::Raw(vec![0x55; 40])).await;
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::select! {
        () = until_fault(&mut handle.reports, "RD-011", Raised) => {}
        () = noise => {}
    }
    twin.order(Do::PlayDead(false)).await;
    until_up(&mut handle.reports).await;
    until_fault(&mut handle.reports, "RD-011", Cleared).await;
}

#[tokio::test]
async fn a_babbling_serial_server_is_named_and_forgotten_when_it_ends() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let server = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        while stream.write_all(&[0x42; 4_096]).await.is_ok() {}
    });
    let mut handle = start(TcpConnector { address }, host_config());
    until_fault(&mut handle.reports, "RD-014", Raised).await;
    assert!(!server.is_finished());
    server.abort();
    until_fault(&mut handle.reports, "RD-014", Cleared).await;
    assert!(!handle.control.status().open);
}

#[tokio::test]
async fn a_serial_server_that_hangs_up_is_connected_again() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let mut handle = start(TcpConnector { address }, host_config());
    for _ in 0..3 {
        let (stream, _) = listener.accept().await.unwrap();
        drop(stream);
    }
    until_fault(&mut handle.reports, "RD-005", Raised).await;
    assert!(handle.control.status().times_opened >= 2);
    drop(listener);
    until_fault(&mut handle.reports, "RD-004", Raised).await;
}

#[tokio::test]
async fn cancelling_ends_the_actor_and_closes_the_port() {
    let socket = Socket::new();
    let _twin = reader(&socket, 1);
    let clock = MonotonicClock::new();
    let cancel = CancellationToken::new();
    let session = ReaderSession::new(host_config(), clock.now());
    let (mut handle, task) = spawn_port(session, socket.connector(), clock, PortOptions::default(), cancel.clone());
    until_up(&mut handle.reports).await;
    cancel.cancel();
    task.await.unwrap();
    assert_eq!(handle.control.command(ReaderCommand::Disarm), Err(NotQueued::Ended));
    assert!(handle.control.tap().is_none());
    socket.connector().connect().await.unwrap();
}
