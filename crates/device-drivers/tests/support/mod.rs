//! A device at the far end of a pty, plugged in under a path that stays the same.
#![allow(dead_code, unreachable_pub, reason = "each test binary uses its own part of this")]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use device_drivers::fault::{FaultChange, FaultCode, all_codes};
use device_drivers::serial::{PortReport, TtyConnector};
use device_protocols::frame::BootId;
use device_protocols::link::{DeviceConfig, DeviceNotice, ExpectedDevice, HostConfig, LinkDevice, Millis};
use device_protocols::message::{Capabilities, DeviceIdentity, DeviceProtocol, IdentityText};
use device_protocols::protection::Protection;
use rustix::time::{ClockId, clock_gettime};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_serial::{SerialPort, SerialStream};

/// How long a test waits before it gives up loudly; a busy machine must not decide what it says.
pub const PATIENCE: Duration = Duration::from_secs(300);

pub fn text(text: &str) -> IdentityText {
    IdentityText::new(text).unwrap()
}

pub fn identity(serial: &str) -> DeviceIdentity {
    DeviceIdentity {
        model: text("TWIN"),
        serial: text(serial),
        firmware_hash: [7; 32],
        capabilities: Capabilities::default(),
    }
}

pub fn host_config() -> HostConfig {
    HostConfig {
        boot: BootId::new(0xC0FF_EE01).unwrap(),
        expected: ExpectedDevice::default(),
        last_durable: None,
        protection: Protection::None,
    }
}

/// A pty pair: the master is the device's side, the slave is held open as a cable is held by a plugged adapter.
pub struct Pty {
    pub master: SerialStream,
    held: SerialStream,
    pub slave_path: PathBuf,
}

impl Pty {
    pub fn open() -> Self {
        let (master, held) = SerialStream::pair().unwrap();
        let slave_path = PathBuf::from(held.name().unwrap());
        Self { master, held, slave_path }
    }
}

/// The path under which a device is found, whatever its number.
pub struct Socket {
    folder: tempfile::TempDir,
}

impl Socket {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("by-path-usb-1")
    }

    pub fn connector(&self) -> TtyConnector {
        TtyConnector { path: self.path(), baud: 115_200 }
    }

    pub fn plug_in(&self, pty: &Pty) {
        self.pull_out();
        std::os::unix::fs::symlink(&pty.slave_path, self.path()).unwrap();
    }

    pub fn pull_out(&self) {
        match fs::remove_file(self.path()) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => panic!("{error}"),
        }
    }
}

pub enum Do<E> {
    Event(E),
    Raw(Vec<u8>),
    /// Neither hears nor speaks.
    PlayDead(bool),
}

/// A minimal device: acknowledges every command, answers the question for STATE with `state`.
pub struct Twin<E> {
    pub orders: mpsc::Sender<Do<E>>,
    task: tokio::task::JoinHandle<()>,
}

impl<E: Send + 'static> Twin<E> {
    pub fn start<P>(pty: Pty, boot: u32, serial: &str, state: fn() -> E) -> Self
    where
        P: DeviceProtocol<Event = E> + Send + 'static,
        P::Command: Send,
    {
        let (orders, queue) = mpsc::channel(64);
        let config =
            DeviceConfig { boot: BootId::new(boot).unwrap(), identity: identity(serial), protection: Protection::None };
        Self { orders, task: tokio::spawn(run::<P>(pty, config, queue, state)) }
    }

    pub async fn order(&self, order: Do<E>) {
        assert!(self.orders.send(order).await.is_ok(), "the twin is gone");
    }

    /// Pulls the plug: the pty is gone when this returns.
    pub async fn unplug(self) {
        self.task.abort();
        let _ = self.task.await;
    }
}

async fn run<P: DeviceProtocol>(
    pty: Pty,
    config: DeviceConfig,
    mut orders: mpsc::Receiver<Do<P::Event>>,
    state: fn() -> P::Event,
) {
    let Pty { master, held: _held, .. } = pty;
    let (mut input, mut output) = tokio::io::split(master);
    let start = Instant::now();
    let now = || Millis(u64::try_from(start.elapsed().as_millis()).unwrap());
    let mut device = LinkDevice::<P>::new(config, now());
    let mut dead = false;
    let mut buffer = [0; 512];
    loop {
        while let Some(bytes) = device.poll_transmit(now()) {
            if !dead {
                output.write_all(&bytes).await.unwrap();
            }
        }
        while let Some(notice) = device.poll_notice() {
            match notice {
                DeviceNotice::StateQueried => {
                    device.send(&state(), now()).unwrap();
                }
                DeviceNotice::Command { id, .. } => {
                    device.acknowledge(id, now());
                }
                DeviceNotice::LinkUp { .. }
                | DeviceNotice::LinkLost(_)
                | DeviceNotice::EventDurable { .. }
                | DeviceNotice::Paired { .. }
                | DeviceNotice::EventRefused { .. } => {}
            }
        }
        let wake = device.poll_deadline().map_or_else(Instant::now, |at| start + Duration::from_millis(at.0));
        tokio::select! {
            count = input.read(&mut buffer) => if !dead {
                device.handle_bytes(&buffer[..count.unwrap()], now());
            },
            order = orders.recv() => match order {
                None => std::future::pending().await,
                Some(Do::Event(event)) => { device.send(&event, now()).unwrap(); }
                Some(Do::Raw(bytes)) => output.write_all(&bytes).await.unwrap(),
                Some(Do::PlayDead(wanted)) => dead = wanted,
            },
            () = tokio::time::sleep_until(wake.max(Instant::now() + Duration::from_millis(1))) => {
                device.handle_timeout(now());
            }
        }
    }
}

/// Takes reports until one is wanted; gives up loudly.
pub async fn until<E: std::fmt::Debug, T>(
    reports: &mut mpsc::Receiver<PortReport<E>>,
    wanted: impl Fn(&PortReport<E>) -> Option<T>,
) -> T {
    let mut seen = Vec::new();
    let search = async {
        loop {
            let report = reports.recv().await.expect("the driver has ended");
            if let Some(found) = wanted(&report) {
                return found;
            }
            seen.push(format!("{report:?}"));
        }
    };
    match tokio::time::timeout(PATIENCE, search).await {
        Ok(found) => found,
        Err(_) => panic!("never came; seen: {seen:#?}"),
    }
}

pub async fn until_fault<E: std::fmt::Debug>(
    reports: &mut mpsc::Receiver<PortReport<E>>,
    code: &str,
    change: FaultChange,
) {
    let wanted = (code_named(code), change);
    until(reports, |report| {
        matches!(report, PortReport::Fault(signal) if (signal.code, signal.change) == wanted).then_some(())
    })
    .await;
}

fn code_named(name: &str) -> FaultCode {
    all_codes().into_iter().find(|code| code.to_string() == name).unwrap()
}

pub async fn until_up<E: std::fmt::Debug>(reports: &mut mpsc::Receiver<PortReport<E>>) {
    until(reports, |report| matches!(report, PortReport::LinkUp { .. }).then_some(())).await;
}

pub fn open_descriptors() -> usize {
    fs::read_dir(Path::new("/proc/self/fd")).unwrap().count()
}

/// Of this thread, on which a test and everything it starts run.
pub fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.try_into().unwrap(), time.tv_nsec.try_into().unwrap())
}
