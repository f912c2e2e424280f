//! A twin on a port with its driver, and the patience to wait for what it reports. Nothing here sleeps for a fixed time.

use std::fmt::Debug;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use device_drivers::clock::MonotonicClock;
use device_drivers::devices::{SealedShoeEvent, ShoeControl, ShoeSession, spawn_shoe};
use device_drivers::fault::{FaultChange, FaultCode, Part, PortFault};
use device_drivers::serial::session::Occurrence;
use device_drivers::serial::{
    CommandTicket, Connector, LinkSession, PortControl, PortHandle, PortOptions, PortReport, TcpConnector,
    TtyConnector, spawn_port,
};
use device_protocols::frame::BootId;
use device_protocols::link::{Continuity, ExpectedDevice, HostConfig, Millis};
use device_protocols::mask::Watching;
use device_protocols::message::DeviceProtocol;
use device_protocols::protection::Protection;
use device_protocols::shoe::ShoeCommand;
use table_simulator::bench::{BenchError, Word};
use table_simulator::port::RunningTwin;
use table_simulator::shoe::ShoeTwin;
use table_simulator::trace::TraceEntry;
use table_simulator::twin::Twin;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use zeroize::Zeroizing;

/// Long enough for a loaded machine; nothing waits that long when all is well.
pub(crate) const PATIENCE: Duration = Duration::from_secs(300);
const LOOK_AGAIN: Duration = Duration::from_millis(100);
/// A line that eats as many commands in a row has more wrong with it than these tests do to it.
const COMMAND_TRIALS: usize = 20;

pub(crate) fn host() -> HostConfig {
    HostConfig {
        boot: BootId::new(0xC0FF_EE01).unwrap(),
        expected: ExpectedDevice::default(),
        last_durable: None,
        protection: Protection::None,
    }
}

/// The controller's side of one port. All events it takes are durable at once.
pub(crate) struct Driver<C, E> {
    pub(crate) control: PortControl<C>,
    reports: mpsc::Receiver<PortReport<E>>,
    part: Part,
    cancel: CancellationToken,
    tasks: Vec<JoinHandle<()>>,
    /// The last greeting's word on what was lost.
    pub(crate) continuity: Option<Continuity>,
}

impl<C: Send + Debug + 'static, E: Send + Debug + 'static> Driver<C, E> {
    pub(crate) fn start<P>(part: Part, connector: impl Connector + 'static, config: HostConfig) -> Self
    where
        P: DeviceProtocol<Command = C, Event = E> + Send + 'static,
    {
        let (clock, cancel) = (MonotonicClock::new(), CancellationToken::new());
        let session = LinkSession::<P>::new(config, clock.now());
        let (PortHandle { control, reports }, task) = spawn_port(session, connector, clock, options(), cancel.clone());
        Self { control, reports, part, cancel, tasks: vec![task], continuity: None }
    }

    async fn next(&mut self, what: &str) -> PortReport<E> {
        let report = tokio::time::timeout(PATIENCE, self.reports.recv()).await;
        let report = report.unwrap_or_else(|_| panic!("never came: {what}")).expect("the driver has ended");
        match &report {
            PortReport::Event { id, .. } => self.control.durable(*id),
            PortReport::LinkUp { continuity, .. } => self.continuity = Some(*continuity),
            PortReport::Occurred(Occurrence::EventsMissing { .. } | Occurrence::NotUnderstood { .. }) => {
                panic!("{report:?} while waiting for {what}")
            }
            PortReport::Occurred(Occurrence::DrawNumberRepeated { .. })
            | PortReport::LinkDown
            | PortReport::CommandAccepted { .. }
            | PortReport::CommandRefused { .. }
            | PortReport::CommandUnanswered { .. }
            | PortReport::Fault(_) => {}
        }
        report
    }

    /// Takes reports until one is wanted, and gives what was made of it. A bad line has something to report all the time,
    /// so that the whole wait has an end too.
    pub(crate) async fn until<T>(&mut self, what: &str, wanted: impl Fn(&PortReport<E>) -> Option<T>) -> T {
        let waited = async {
            loop {
                if let Some(found) = wanted(&self.next(what).await) {
                    return found;
                }
            }
        };
        let found = tokio::time::timeout(PATIENCE * 4, waited).await;
        found.unwrap_or_else(|_| panic!("never came: {what}"))
    }

    pub(crate) async fn until_up(&mut self, what: &str) {
        self.until(what, |report| matches!(report, PortReport::LinkUp { .. }).then_some(())).await;
    }

    pub(crate) async fn until_fault(&mut self, fault: PortFault, change: FaultChange) {
        let wanted = (fault.on(self.part), change);
        let what = format!("{} {change:?}", wanted.0);
        self.until(&what, |report| {
            matches!(report, PortReport::Fault(signal) if (signal.code, signal.change) == wanted).then_some(())
        })
        .await;
    }

    /// The next event of those that `pick` is about; others are passed over.
    pub(crate) async fn event<T>(&mut self, what: &str, pick: impl Fn(&E) -> Option<T>) -> T {
        self.until(what, |report| if let PortReport::Event { event, .. } = report { pick(event) } else { None }).await
    }

    /// Sends a command and waits until the device has taken it.
    pub(crate) async fn command(&mut self, command: C)
    where
        C: Clone,
    {
        let what = format!("{command:?}");
        self.command_until(&what, command, |report, sent| {
            let refused = matches!(report, PortReport::CommandRefused { ticket, .. } if *ticket == sent);
            assert!(!refused, "{what}: {report:?}");
            matches!(report, PortReport::CommandAccepted { ticket } if *ticket == sent)
        })
        .await;
    }

    /// Sends a command until it has come to what is wanted. A link that is lost takes a command with it that was on its
    /// way; whoever still wants it says it again.
    pub(crate) async fn command_until(
        &mut self,
        what: &str,
        command: C,
        wanted: impl Fn(&PortReport<E>, CommandTicket) -> bool,
    ) where
        C: Clone,
    {
        for _ in 0..COMMAND_TRIALS {
            let sent = self.control.command(command.clone()).unwrap();
            let done = self
                .until(what, |report| {
                    let lost = matches!(report, PortReport::CommandUnanswered { ticket } if *ticket == sent);
                    if lost { Some(false) } else { wanted(report, sent).then_some(true) }
                })
                .await;
            if done {
                return;
            }
        }
        panic!("the line took every one of {COMMAND_TRIALS} commands with it: {what}");
    }

    /// Waits until the standing faults are as wanted, taking reports meanwhile.
    pub(crate) async fn until_faults(&mut self, what: &str, wanted: impl Fn(&[FaultCode]) -> bool) {
        let waited = async {
            while !wanted(&self.control.status().faults) {
                // A status may change without a report that would wake us.
                let _ = tokio::time::timeout(LOOK_AGAIN, self.next(what)).await;
            }
        };
        assert!(tokio::time::timeout(PATIENCE, waited).await.is_ok(), "never came: {what}");
    }

    /// In the end no fault stands and nothing is left running.
    pub(crate) async fn end(mut self) {
        self.until_faults("all is well at the end", <[FaultCode]>::is_empty).await;
        self.cancel.cancel();
        for task in self.tasks {
            task.await.unwrap();
        }
    }
}

/// A tenth of what a babbling twin says, several times what a device in its right mind does.
/// Watched as in service mode, where a sealed frame shows that it went by.
fn options() -> PortOptions {
    let options = PortOptions { inbound_bytes_per_second: 1_200, ..PortOptions::default() };
    options.watching.set(Watching::InService);
    options
}

pub(crate) type ShoeDriver = Driver<ShoeCommand, SealedShoeEvent>;

pub(crate) fn start_shoe(connector: impl Connector + 'static) -> (ShoeDriver, ShoeControl) {
    let (clock, cancel) = (MonotonicClock::new(), CancellationToken::new());
    let session = ShoeSession::new(host(), clock.now());
    let (shoe, reports, task) = spawn_shoe(session, connector, clock, options(), cancel.clone());
    let control = shoe.port().clone();
    (Driver { control, reports, part: Part::Shoe, cancel, tasks: vec![task], continuity: None }, shoe)
}

/// A name for a pty that stays the same.
pub(crate) struct Socket {
    folder: tempfile::TempDir,
}

impl Socket {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("port")
    }

    pub(crate) fn connector(&self) -> TtyConnector {
        TtyConnector { path: self.path(), baud: 115_200 }
    }

    pub(crate) fn plug_in<T: Twin + 'static>(&self, twin: T) -> RunningTwin<T> {
        RunningTwin::on_pty(twin, Some(&self.path()), None).unwrap()
    }
}

pub(crate) fn on_tcp(twin: ShoeTwin) -> (RunningTwin<ShoeTwin>, TcpConnector) {
    let running = RunningTwin::on_tcp(twin, SocketAddr::from(([127, 0, 0, 1], 0)), None).unwrap();
    let address = running.place();
    (running, TcpConnector { address })
}

pub(crate) fn say<T: Twin + 'static>(running: &RunningTwin<T>, words: &str) -> String {
    running.act(|twin, now| twin.obey(words, now)).unwrap_or_else(|error| panic!("{words}: {error}"))
}

/// Lines that misbehave, with the seed of the twin on them: one fault each, then all together.
pub(crate) const BAD_LINES: [(u64, &[&str]); 5] = [
    (2, &["drop 150"]),
    (3, &["duplicate 300"]),
    (4, &["garble 150"]),
    (5, &["delay 500 300"]),
    (6, &["drop 60", "duplicate 100", "garble 60", "delay 200 100"]),
];

/// The line behaves again.
pub(crate) fn calm<T: Twin + 'static>(running: &RunningTwin<T>) {
    for words in ["drop 0", "duplicate 0", "garble 0", "delay 0 0"] {
        say(running, words);
    }
}

/// A twin on a wire that picks up noise before every message while `hum` is on.
#[derive(Debug)]
pub(crate) struct Humming<T> {
    pub(crate) twin: T,
    hum: bool,
}

impl<T> Humming<T> {
    pub(crate) fn new(twin: T) -> Self {
        Self { twin, hum: true }
    }
}

impl<T: Twin> Twin for Humming<T> {
    fn words(&self) -> Vec<Word> {
        self.twin.words()
    }

    fn handle_bytes(&mut self, bytes: &[u8], now: Millis) {
        self.twin.handle_bytes(bytes, now);
    }

    fn handle_timeout(&mut self, now: Millis) {
        self.twin.handle_timeout(now);
    }

    fn obey(&mut self, line: &str, now: Millis) -> Result<String, BenchError> {
        if line == "hum off" {
            self.hum = false;
            return Ok("done".to_owned());
        }
        self.twin.obey(line, now)
    }

    fn turn_on_trace(&mut self) {
        self.twin.turn_on_trace();
    }

    fn poll_transmit(&mut self, now: Millis) -> Option<Zeroizing<Vec<u8>>> {
        let bytes = self.twin.poll_transmit(now)?;
        if !self.hum {
            return Some(bytes);
        }
        let mut noisy = Zeroizing::new(vec![0xA5, 0x01, 0xFF, 0x7E, 0x03, 0x55]);
        noisy.extend_from_slice(&bytes);
        Some(noisy)
    }

    fn poll_trace(&mut self) -> Option<TraceEntry> {
        self.twin.poll_trace()
    }

    fn poll_deadline(&self) -> Option<Millis> {
        self.twin.poll_deadline()
    }
}
