//! The thread that owns one I2C bus and the expanders on it. Chips on one bus fail, block and recover together, and a
//! transfer blocks for milliseconds, so the bus gets a thread and everyone else a handle.
//!
//! The thread sleeps until it is asked for something. It is never more than one job behind: readers and lamps wait for
//! their answer before they ask again.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::thread;
use std::time::Duration;

use embedded_hal::i2c::I2c;
use thiserror::Error;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::chip::{ChipFault, Mcp23017};
use super::errno::BusErrno;
use super::pins::{ChipAddress, InputPin, OutputPin, PinSetup, PinUsedTwice};
use crate::fault::{ExpanderFault, FaultChange, FaultSignal, Part};
use crate::inputs::{PortsRead, Spot, SpotSet};
use crate::lamps::{LampFrame, LampOutput, NotWritten};

const JOBS_CAPACITY: usize = 8;
const SIGNALS_CAPACITY: usize = 32;
/// After so many failed jobs in a row the bus device is closed and opened again.
const REOPEN_AFTER: u32 = 3;
/// An answer that takes longer than this is no answer. Sixteen chips at 100 kHz take about 20 ms.
const ANSWER_WITHIN: Duration = Duration::from_millis(250);

/// How long a chip that lost its set-up may stay unnoticed: less than a round takes.
pub const VERIFY_EVERY: Duration = Duration::from_secs(5);

/// Which lamp a pin or line drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lamp {
    Main(Spot),
    Late(Spot),
    LockOut,
}

impl Lamp {
    pub fn is_lit(self, frame: &LampFrame) -> bool {
        match self {
            Self::Main(spot) => frame.main.contains(spot),
            Self::Late(spot) => frame.late.contains(spot),
            Self::LockOut => frame.lock_out,
        }
    }
}

/// What hangs on one chip. Sensors are active low, against the chip's own pull-ups; lamps are active high.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChipLayout {
    pub address: ChipAddress,
    pub sensors: Vec<(InputPin, Spot)>,
    pub lamps: Vec<(OutputPin, Lamp)>,
}

impl ChipLayout {
    pub fn setup(&self) -> Result<PinSetup, PinUsedTwice> {
        let inputs: Vec<InputPin> = self.sensors.iter().map(|(pin, _)| *pin).collect();
        let outputs: Vec<OutputPin> = self.lamps.iter().map(|(pin, _)| *pin).collect();
        PinSetup::new(&inputs, &outputs)
    }

    fn spots_in(&self, word: u16) -> SpotSet {
        self.sensors.iter().filter(|(pin, _)| word & pin.bit() != 0).map(|(_, spot)| *spot).collect()
    }

    fn lamp_spots(&self) -> SpotSet {
        let spot = |lamp: Lamp| match lamp {
            Lamp::Main(spot) | Lamp::Late(spot) => Some(spot),
            Lamp::LockOut => None,
        };
        self.lamps.iter().filter_map(|(_, lamp)| spot(*lamp)).collect()
    }

    /// Every spot with a sensor or a lamp on this chip.
    pub fn spots(&self) -> SpotSet {
        self.sensors.iter().map(|(_, spot)| *spot).chain(self.lamp_spots().iter()).collect()
    }

    fn outputs_for(&self, frame: &LampFrame) -> u16 {
        self.lamps.iter().filter(|(_, lamp)| lamp.is_lit(frame)).fold(0, |word, (pin, _)| word | pin.bit())
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BusLayout {
    pub chips: Vec<ChipLayout>,
}

impl BusLayout {
    pub fn sensors(&self) -> SpotSet {
        self.chips.iter().flat_map(|chip| chip.sensors.iter().map(|(_, spot)| *spot)).collect()
    }

    /// The spots that have a lamp on this bus.
    pub fn lamps(&self) -> SpotSet {
        self.chips.iter().flat_map(|chip| chip.lamp_spots().iter().collect::<Vec<_>>()).collect()
    }

    pub fn late_lamps(&self) -> SpotSet {
        let lamps = self.chips.iter().flat_map(|chip| chip.lamps.iter().map(|(_, lamp)| *lamp));
        lamps.filter_map(|lamp| if let Lamp::Late(spot) = lamp { Some(spot) } else { None }).collect()
    }
}

/// Which chip it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BusSignal {
    pub address: ChipAddress,
    pub signal: FaultSignal,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BusFault {
    #[error("the thread of the I2C bus has ended")]
    Ended,
    #[error("the I2C bus did not answer within {} ms", ANSWER_WITHIN.as_millis())]
    TooSlow,
}

enum Job {
    Read(oneshot::Sender<PortsRead>),
    Show(LampFrame, oneshot::Sender<Result<(), NotWritten>>),
    Verify(oneshot::Sender<()>),
}

/// The way to the bus. Cheap to clone.
#[derive(Clone, Debug)]
pub struct BusHandle {
    jobs: mpsc::Sender<Job>,
    late_lamps: SpotSet,
    lamps: SpotSet,
}

impl BusHandle {
    /// Reads all ports of all chips once. Chips that could not be read are not covered.
    pub async fn read(&self) -> Result<PortsRead, BusFault> {
        self.ask(Job::Read).await
    }

    /// Compares the chips' set-up with what it should be and repairs it. Worth a call every few seconds: a chip that
    /// went through a brown-out is silent, not wrong.
    pub async fn verify(&self) -> Result<(), BusFault> {
        self.ask(Job::Verify).await
    }

    async fn ask<T>(&self, job: impl FnOnce(oneshot::Sender<T>) -> Job) -> Result<T, BusFault> {
        let (answer_to, answer) = oneshot::channel();
        let asked = async {
            self.jobs.send(job(answer_to)).await.map_err(|_| BusFault::Ended)?;
            answer.await.map_err(|_| BusFault::Ended)
        };
        tokio::time::timeout(ANSWER_WITHIN, asked).await.unwrap_or(Err(BusFault::TooSlow))
    }
}

impl LampOutput for BusHandle {
    async fn write(&mut self, frame: LampFrame, _before: Option<LampFrame>) -> Result<(), NotWritten> {
        self.ask(|answer| Job::Show(frame, answer)).await.map_err(|fault| NotWritten::new(fault).at(self.lamps))?
    }

    fn two_colours(&self) -> SpotSet {
        self.late_lamps
    }
}

/// Calls [`BusHandle::verify`] every [`VERIFY_EVERY`] until cancelled or until the bus thread ends.
pub async fn keep_verified(handle: BusHandle, cancel: CancellationToken) {
    loop {
        tokio::select! {
            () = cancel.cancelled() => return,
            () = tokio::time::sleep(VERIFY_EVERY) => {}
        }
        if handle.verify().await == Err(BusFault::Ended) {
            return;
        }
    }
}

/// Starts the thread. `open` opens the bus, at the start and again after it failed. The thread ends when the last handle
/// is gone.
pub fn spawn_bus<I, O>(
    layout: BusLayout,
    open: O,
) -> Result<(BusHandle, mpsc::Receiver<BusSignal>, thread::JoinHandle<()>), io::Error>
where
    I: I2c<Error: BusErrno> + Send + 'static,
    O: FnMut() -> Result<I, io::Error> + Send + 'static,
{
    let (jobs, queue) = mpsc::channel(JOBS_CAPACITY);
    let (signal_sender, signals) = mpsc::channel(SIGNALS_CAPACITY);
    let handle = BusHandle { jobs, late_lamps: layout.late_lamps(), lamps: layout.lamps() };
    let mut chips = Vec::new();
    for chip in layout.chips {
        let setup = chip.setup().map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
        chips.push((Mcp23017::new(chip.address, setup), chip));
    }
    let owner = BusOwner {
        chips,
        open,
        bus: None,
        failures: 0,
        signals: signal_sender,
        standing: BTreeSet::new(),
        told: BTreeSet::new(),
        errnos: BTreeMap::new(),
    };
    let thread = thread::Builder::new().name("i2c".to_owned()).spawn(move || owner.run(queue))?;
    Ok((handle, signals, thread))
}

struct BusOwner<I, O> {
    chips: Vec<(Mcp23017, ChipLayout)>,
    open: O,
    bus: Option<I>,
    failures: u32,
    signals: mpsc::Sender<BusSignal>,
    standing: BTreeSet<(ChipAddress, ExpanderFault)>,
    told: BTreeSet<(ChipAddress, ExpanderFault)>,
    /// What the kernel last said of each chip that could not be reached.
    errnos: BTreeMap<ChipAddress, i32>,
}

impl<I: I2c<Error: BusErrno>, O: FnMut() -> Result<I, io::Error>> BusOwner<I, O> {
    fn run(mut self, mut jobs: mpsc::Receiver<Job>) {
        while let Some(job) = jobs.blocking_recv() {
            match job {
                // A reader that has given up waiting changes nothing about the bus.
                Job::Read(answer) => {
                    let _ = answer.send(self.read());
                }
                Job::Show(frame, answer) => {
                    let _ = answer.send(self.show(&frame));
                }
                Job::Verify(answer) => {
                    self.for_each(|chip, _, bus| chip.verify(bus));
                    let _ = answer.send(());
                }
            }
            self.tell();
        }
    }

    fn read(&mut self) -> PortsRead {
        let mut read = PortsRead::default();
        self.for_each(|chip, layout, bus| {
            let sample = chip.sample(bus)?;
            let join = |left: SpotSet, right: SpotSet| left.iter().chain(right.iter()).collect();
            read.covers = join(read.covers, layout.spots_in(u16::MAX));
            read.present = join(read.present, layout.spots_in(!sample.levels));
            read.disturbed = join(read.disturbed, layout.spots_in(sample.flagged));
            Ok(())
        });
        read
    }

    fn show(&mut self, frame: &LampFrame) -> Result<(), NotWritten> {
        let mut failed: Option<NotWritten> = None;
        let reached = self.for_each(|chip, layout, bus| {
            if layout.lamps.is_empty() {
                return Ok(());
            }
            let written = chip.write(bus, layout.outputs_for(frame));
            if let Err(fault) = written {
                let this = NotWritten::new(fault).at(layout.lamp_spots());
                failed = Some(match failed.take() {
                    Some(others) => others.and(this),
                    None => this,
                });
            }
            written
        });
        match failed {
            Some(failed) => Err(failed),
            None if reached => Ok(()),
            None => {
                let lamps = self.chips.iter().flat_map(|(_, chip)| chip.lamp_spots().iter().collect::<Vec<_>>());
                Err(NotWritten::new("the I2C bus cannot be opened").at(lamps.collect()))
            }
        }
    }

    /// Does something with every chip; one that fails does not keep the others from being reached. False if there is no
    /// bus at all.
    fn for_each(&mut self, mut act: impl FnMut(&mut Mcp23017, &ChipLayout, &mut I) -> Result<(), ChipFault>) -> bool {
        let mut refused = None;
        if self.bus.is_none() {
            match (self.open)() {
                Ok(bus) => self.bus = Some(bus),
                Err(error) => refused = error.raw_os_error(),
            }
        }
        let Some(bus) = self.bus.as_mut() else {
            for (chip, _) in &mut self.chips {
                chip.distrust();
                self.errnos.extend(refused.map(|errno| (chip.address(), errno)));
                self.standing.insert((chip.address(), ExpanderFault::BusError));
            }
            return false;
        };
        let mut all_failed = !self.chips.is_empty();
        for (chip, layout) in &mut self.chips {
            self.standing.retain(|(address, _)| *address != chip.address());
            match act(chip, layout, bus) {
                Ok(()) => all_failed = false,
                Err(fault) => {
                    let (kind, errno) = kind_of(fault);
                    self.standing.insert((chip.address(), kind));
                    self.errnos.extend(errno.map(|errno| (chip.address(), errno)));
                }
            }
        }
        self.failures = if all_failed { self.failures + 1 } else { 0 };
        if self.failures >= REOPEN_AFTER {
            self.failures = 0;
            self.bus = None;
        }
        true
    }

    /// Tells what changed. What does not fit is told with the next job.
    fn tell(&mut self) {
        let changes: Vec<_> = self.told.symmetric_difference(&self.standing).copied().collect();
        for (address, fault) in changes {
            let raised = self.standing.contains(&(address, fault));
            let change = if raised { FaultChange::Raised } else { FaultChange::Cleared };
            let errno = self.errnos.get(&address).copied().filter(|_| raised);
            let signal = FaultSignal::new(fault.on(Part::Expander), change).with_errno(errno);
            if self.signals.try_send(BusSignal { address, signal }).is_err() {
                return;
            }
            if raised {
                self.told.insert((address, fault));
            } else {
                self.told.remove(&(address, fault));
            }
        }
    }
}

fn kind_of(fault: ChipFault) -> (ExpanderFault, Option<i32>) {
    match fault {
        ChipFault::NoAnswer { errno, .. } => (ExpanderFault::NoAnswer, errno),
        ChipFault::Bus { errno, .. } => (ExpanderFault::BusError, errno),
        ChipFault::Unfit { errno, .. } => (ExpanderFault::BusUnfit, errno),
        ChipFault::LostConfiguration { .. } => (ExpanderFault::LostConfiguration, None),
    }
}
