//! Twins on real ptys and sockets, with a plain file descriptor at the other end.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

use device_protocols::frame::BootId;
use device_protocols::link::{Continuity, ExpectedDevice, HostConfig, HostEvent, LinkHost, LinkState, Millis};
use device_protocols::message::DeviceProtocol;
use device_protocols::protection::Protection;
use device_protocols::reader::{HoleCardReader, ReaderCommand, UpCardGroup};
use device_protocols::shoe::Shoe;
use device_protocols::shuffler::Shuffler;
use table_simulator::port::RunningTwin;
use table_simulator::reader::ReaderTwin;
use table_simulator::shoe::ShoeTwin;
use table_simulator::shuffler::ShufflerTwin;
use table_simulator::twin::Twin;

/// Long enough for a loaded machine; nothing waits that long when all is well.
const PATIENCE: Duration = Duration::from_secs(300);

struct Controller<P: DeviceProtocol> {
    host: LinkHost<P>,
    started: Instant,
    events: Vec<HostEvent<P>>,
}

impl<P: DeviceProtocol + std::fmt::Debug> Controller<P> {
    fn new() -> Self {
        let config = HostConfig {
            boot: BootId::new(0xC0FF_EE01).unwrap(),
            expected: ExpectedDevice::default(),
            last_durable: None,
            protection: Protection::None,
        };
        Self { host: LinkHost::new(config, Millis(0)), started: Instant::now(), events: Vec::new() }
    }

    fn now(&self) -> Millis {
        Millis(u64::try_from(self.started.elapsed().as_millis()).unwrap())
    }

    fn opened(&mut self) {
        self.host.handle_port_opened(self.now());
    }

    fn closed(&mut self) {
        self.host.handle_port_closed(self.now());
    }

    /// Talks until `done`, or fails. The port must not block.
    fn talk(&mut self, port: &mut (impl Read + Write), what: &str, done: impl Fn(&Self) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !done(self) {
            assert!(Instant::now() < deadline, "{what}: {:?}", self.events);
            while let Some(bytes) = self.host.poll_transmit(self.now()) {
                port.write_all(&bytes).unwrap();
            }
            let mut buffer = [0; 256];
            match port.read(&mut buffer) {
                Ok(count) => self.host.handle_bytes(&buffer[..count], self.now()),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    std::thread::sleep(Duration::from_millis(1));
                    self.host.handle_timeout(self.now());
                }
                Err(error) => panic!("{what}: {error}"),
            }
            while let Some(event) = self.host.poll_event() {
                if let HostEvent::Device { id, .. } = &event {
                    self.host.acknowledge(*id, self.now());
                }
                self.events.push(event);
            }
        }
    }

    fn heard(&self, text: &str) -> bool {
        self.events
            .iter()
            .any(|event| matches!(event, HostEvent::Device { event, .. } if format!("{event:?}").contains(text)))
    }
}

fn open(path: impl AsRef<Path>) -> File {
    let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
    let flags = i32::try_from(flags.bits()).unwrap();
    OpenOptions::new().read(true).write(true).custom_flags(flags).open(path).unwrap()
}

fn wait_for(what: &str, done: impl Fn() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !done() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn greets_on_a_pty<P: DeviceProtocol + std::fmt::Debug, T: Twin + 'static>(twin: T) {
    let running = RunningTwin::on_pty(twin, None, None).unwrap();
    let mut port = open(running.place());
    let mut controller = Controller::<P>::new();
    controller.opened();
    controller.talk(&mut port, "greeting and STATE", |controller| controller.heard("State("));
    assert_eq!(controller.host.state(), LinkState::Up);
}

#[test]
fn every_twin_greets_on_a_pty() {
    greets_on_a_pty::<HoleCardReader, _>(ReaderTwin::new(1, Millis(0)));
    greets_on_a_pty::<Shuffler, _>(ShufflerTwin::new(1, Millis(0)));
    greets_on_a_pty::<Shoe, _>(ShoeTwin::new(1, Millis(0)));
}

#[test]
fn a_reader_on_a_pty_is_armed_and_answers() {
    let running = RunningTwin::on_pty(ReaderTwin::new(1, Millis(0)), None, None).unwrap();
    let mut port = open(running.place());
    let mut controller = Controller::<HoleCardReader>::new();
    controller.opened();
    controller.talk(&mut port, "greeting", |controller| controller.heard("State("));
    controller.host.send(&ReaderCommand::Arm { group: UpCardGroup::Ace }, controller.now()).unwrap();
    controller.talk(&mut port, "arming", |controller| controller.host.commands_waiting() == 0);
    running.act(|twin, now| twin.obey("insert Kh", now).unwrap());
    controller.talk(&mut port, "answer", |controller| controller.heard("answer: Yes"));
}

#[test]
fn the_controller_may_close_and_open_its_end_as_it_likes() {
    let running = RunningTwin::on_pty(ShoeTwin::new(1, Millis(0)), None, None).unwrap();
    let mut controller = Controller::<Shoe>::new();
    for _ in 0..3 {
        let mut port = open(running.place());
        controller.opened();
        controller.events.clear();
        controller.talk(&mut port, "greeting", |controller| controller.heard("State("));
        drop(port);
        controller.closed();
    }
}

#[test]
fn unplugged_and_replugged_the_name_stays_and_nothing_leaks() {
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().join("reader");
    let running = RunningTwin::on_pty(ReaderTwin::new(1, Millis(0)), Some(&name), None).unwrap();
    let mut controller = Controller::<HoleCardReader>::new();
    let mut port = open(&name);
    controller.opened();
    controller.talk(&mut port, "greeting", |controller| controller.heard("State("));
    let held = descriptors();
    for round in 0..100 {
        running.unplug();
        wait_for("the name to go", || fs::symlink_metadata(&name).is_err());
        let mut byte = [0; 64];
        wait_for("the hang-up", || match (&port).read(&mut byte.clone()) {
            Ok(0) => true,
            Ok(_) => false,
            Err(error) => error.kind() != ErrorKind::WouldBlock,
        });
        byte.fill(0);
        drop(port);
        controller.closed();
        running.replug();
        wait_for("the name to come back", || name.exists());
        port = open(&name);
        controller.opened();
        controller.events.clear();
        // The whole greeting every tenth time; the rest is about the port.
        if round % 10 == 0 {
            controller.talk(&mut port, "greeting", |controller| {
                controller
                    .events
                    .iter()
                    .any(|event| matches!(event, HostEvent::LinkBack { continuity: Continuity::SameBoot, .. }))
            });
        }
    }
    // Other tests of this process open ports of their own meanwhile; a leak of one a time would show all the same.
    assert!(descriptors() < held + 50, "{} descriptors before, {} after", held, descriptors());
    drop(running);
    assert!(fs::symlink_metadata(&name).is_err(), "the name goes with the twin");
}

fn descriptors() -> usize {
    fs::read_dir("/proc/self/fd").unwrap().count()
}

#[test]
fn a_file_that_is_no_link_is_never_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().join("precious");
    fs::write(&name, "keep me").unwrap();
    let refused = RunningTwin::on_pty(ReaderTwin::new(1, Millis(0)), Some(&name), None).unwrap_err();
    assert!(refused.to_string().contains("is no symbolic link"), "{refused}");
    assert_eq!(fs::read_to_string(&name).unwrap(), "keep me");
}

#[test]
fn over_tcp_one_client_after_the_other_is_served() {
    let running = RunningTwin::on_tcp(ShufflerTwin::new(1, Millis(0)), "127.0.0.1:0".parse().unwrap(), None).unwrap();
    let mut controller = Controller::<Shuffler>::new();
    for _ in 0..3 {
        let mut stream = TcpStream::connect(running.place()).unwrap();
        stream.set_nonblocking(true).unwrap();
        controller.opened();
        controller.events.clear();
        controller.talk(&mut stream, "greeting", |controller| controller.heard("State("));
        controller.closed();
    }
}
