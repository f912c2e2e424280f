//! A device's own faults against a model: the table knows exactly those that the device has, whatever lost its power when.
//!
//! The model is the device itself: its physical faults at the end. Both sides are switched off and on in the middle of
//! messages, the line loses and damages frames, and the controller dies before or after a record is durable.

use std::collections::BTreeMap;

use device_protocols::fault_code::{FaultCode, Part};
use device_protocols::faults::{DeviceFault, FaultSet};
use device_protocols::frame::{BootId, DeviceKind};
use device_protocols::link::{EventId, ExpectedDevice, HostConfig, HostEvent, LinkHost, Millis};
use device_protocols::message::DeviceProtocol;
use device_protocols::protection::Protection;
use device_protocols::reader::{ReaderEvent, ReaderFault};
use device_protocols::shoe::{ShoeEvent, ShoeFault};
use device_protocols::shuffler::{ShufflerEvent, ShufflerFault};
use table_controller::{Clock, Config, Controller, FaultInput, FaultNews, Input, Outputs, Stamp, Started};
use table_rules::submission::RulesSubmission;
use table_rules::table::Tracking;
use table_simulator::dice::Dice;
use table_simulator::reader::ReaderFirmware;
use table_simulator::shoe::ShoeFirmware;
use table_simulator::shuffler::ShufflerFirmware;
use table_simulator::twin::{Firmware, Simulated, Twin};

const RULES: &str = include_str!("../../../../firmware-config/submissions/blackjack-all-wagers.toml");
const PLACE: &str = "/dev/holecard/device";

/// What the test needs to know of a kind of device.
trait Faulty: Firmware + Send + Sized {
    type Fault: DeviceFault;
    const KIND: DeviceKind;
    fn twin(seed: u64, now: Millis) -> Simulated<Self>;
    fn set(&mut self, fault: Self::Fault, stands: bool, out: &mut Vec<<Self::Protocol as DeviceProtocol>::Event>);
    fn news(event: &<Self::Protocol as DeviceProtocol>::Event) -> Option<FaultNews>;
    fn has(&self) -> FaultSet<Self::Fault>;
}

macro_rules! faulty {
    ($firmware:ident, $event:ident, $fault:ident, $kind:ident) => {
        impl Faulty for $firmware {
            type Fault = $fault;
            const KIND: DeviceKind = DeviceKind::$kind;

            fn twin(seed: u64, now: Millis) -> Simulated<Self> {
                Simulated::<Self>::new(seed, now)
            }

            fn set(&mut self, fault: $fault, stands: bool, out: &mut Vec<$event>) {
                self.set_fault(fault, stands, out);
            }

            fn news(event: &$event) -> Option<FaultNews> {
                if let $event::FaultRaised(fault) = event {
                    Some(FaultNews::raised(Self::KIND, *fault))
                } else if let $event::FaultCleared(fault) = event {
                    Some(FaultNews::cleared(Self::KIND, *fault))
                } else if let $event::State(status) = event {
                    Some(FaultNews::standing(Self::KIND, status.faults))
                } else {
                    None
                }
            }

            fn has(&self) -> FaultSet<$fault> {
                if let $event::State(status) = self.state() { status.faults } else { FaultSet::EMPTY }
            }
        }
    };
}

faulty!(ReaderFirmware, ReaderEvent, ReaderFault, HoleCardReader);
faulty!(ShufflerFirmware, ShufflerEvent, ShufflerFault, Shuffler);
faulty!(ShoeFirmware, ShoeEvent, ShoeFault, Shoe);

struct Bench<F: Faulty> {
    now: Millis,
    dice: Dice,
    twin: Simulated<F>,
    host: LinkHost<F::Protocol>,
    config: Config,
    controller: Controller,
    /// What the disk holds: the state after the last durable record, and the device's event behind it.
    durable: (Vec<u8>, Option<EventId>),
    /// Raised or cleared, as the record has it, by code.
    recorded: BTreeMap<String, Vec<bool>>,
    outputs: Outputs,
}

impl<F: Faulty> Bench<F>
where
    Simulated<F>: Twin,
{
    fn new(seed: u64) -> Self {
        let table = RulesSubmission::parse(RULES).check().table.unwrap();
        let config = Config::with_all_devices("MODEL-1", table, Tracking::Cards);
        let controller = Controller::new(config.clone());
        let now = Millis(1_000);
        let mut bench = Self {
            now,
            dice: Dice::new(seed),
            twin: F::twin(seed, now),
            host: host(1, None, now),
            durable: (controller.checkpoint(), None),
            config,
            controller,
            recorded: BTreeMap::new(),
            outputs: Outputs::default(),
        };
        bench.start();
        bench
    }

    /// The controller comes up from what its disk holds.
    fn start(&mut self) {
        let (state, last) = &self.durable;
        self.controller = Controller::resumed(self.config.clone(), state).unwrap();
        let boot = u32::try_from(self.dice.below(u64::from(u32::MAX - 1))).unwrap() + 1;
        self.host = host(boot, *last, self.now);
        let clock = Clock { wall_ms: 1_800_000_000_000, monotonic_ms: 0, minute: 600, day: 20_833, trusted: true };
        self.apply(&Input::Started(Started { clock, last_record_ms: None, foreign_round: None }));
        self.durable.0 = self.controller.checkpoint();
    }

    fn apply(&mut self, input: &Input) {
        let stamp = Stamp { sequence: self.controller.sequence() + 1 };
        self.outputs.clear();
        self.controller.apply(stamp, input, &mut self.outputs).unwrap();
    }

    fn on_event(&mut self, id: EventId, event: &<F::Protocol as DeviceProtocol>::Event) {
        let part = Part::of_serial(F::KIND);
        let inputs = F::news(event).map(|news| self.controller.fault_inputs(part, Some(PLACE), &news));
        for input in inputs.unwrap_or_default() {
            // The power may go between two records of one event.
            if self.dice.per_mille(30) {
                return self.start();
            }
            self.recorded.entry(input.code.clone()).or_default().push(input.raised);
            self.apply(&Input::Fault(input));
            self.durable.0 = self.controller.checkpoint();
        }
        self.durable.1 = Some(id);
        // Or after the record and before the device hears of it.
        if self.dice.per_mille(60) {
            return self.start();
        }
        self.host.acknowledge(id, self.now);
    }

    fn settle(&mut self) {
        loop {
            let mut quiet = true;
            while let Some(event) = self.host.poll_event() {
                quiet = false;
                if let HostEvent::Device { id, event } = &event {
                    self.on_event(*id, event);
                }
            }
            while let Some(bytes) = self.host.poll_transmit(self.now) {
                self.twin.handle_bytes(&bytes, self.now);
                quiet = false;
            }
            while let Some(bytes) = self.twin.poll_transmit(self.now) {
                self.host.handle_bytes(&bytes, self.now);
                quiet = false;
            }
            if quiet {
                return;
            }
        }
    }

    fn run(&mut self, for_ms: u64) {
        let until = self.now + for_ms;
        self.settle();
        while self.now < until {
            let wishes = [self.host.poll_deadline(), self.twin.poll_deadline()];
            let next = wishes.into_iter().flatten().min().unwrap_or(until);
            self.now = next.max(self.now + 1).min(until);
            self.host.handle_timeout(self.now);
            self.twin.handle_timeout(self.now);
            self.settle();
        }
    }

    fn something_happens(&mut self) {
        let all = F::Fault::ALL;
        let fault = all[self.dice.index(all.len())];
        let stands = self.dice.per_mille(500);
        match self.dice.below(12) {
            0..=4 => self.twin.act(self.now, |firmware, _, out| firmware.set(fault, stands, out)),
            // What changes while the device has no power is said by nothing but its STATE.
            5 => {
                self.twin.obey("power off", self.now).unwrap();
                self.twin.act(self.now, |firmware, _, out| firmware.set(fault, stands, out));
                self.run(self.dice.clone().below(6_000));
                self.twin.obey("power on", self.now).unwrap();
            }
            6 => drop(self.twin.obey("reboot", self.now).unwrap()),
            7 => drop(self.twin.obey("cut", self.now).unwrap()),
            8 => self.start(),
            9 => drop(self.twin.obey("drop 200", self.now).unwrap()),
            10 => drop(self.twin.obey("garble 100", self.now).unwrap()),
            _ => self.mend_line(),
        }
        let pause = self.dice.below(4_000);
        self.run(pause);
    }

    fn mend_line(&mut self) {
        for word in ["drop 0", "garble 0"] {
            self.twin.obey(word, self.now).unwrap();
        }
    }

    fn check(&mut self, seed: u64) {
        self.mend_line();
        self.twin.obey("power on", self.now).unwrap();
        self.run(20_000);
        let has = self.twin.firmware().has();
        for fault in F::Fault::ALL {
            let code = FaultCode::of_device(F::KIND, *fault).to_string();
            let known =
                FaultInput { place: Some(PLACE.to_owned()), ..FaultInput::of(Part::of_serial(F::KIND), &code, true) };
            let knows = self.controller.knows_fault(&known);
            assert_eq!(knows, has.contains(*fault), "seed {seed}, {code}: the table and the device differ");
            let recorded = self.recorded.get(&code).map_or(&[][..], Vec::as_slice);
            assert_eq!(recorded.last().copied().unwrap_or(false), knows, "seed {seed}, {code}: the record ends so");
        }
    }
}

fn host<P: DeviceProtocol>(boot: u32, last_durable: Option<EventId>, now: Millis) -> LinkHost<P> {
    let boot = BootId::new(boot).unwrap();
    let mut host = LinkHost::new(
        HostConfig { boot, expected: ExpectedDevice::default(), last_durable, protection: Protection::None },
        now,
    );
    host.handle_port_opened(now);
    host
}

fn agrees_with_the_device<F: Faulty>()
where
    Simulated<F>: Twin,
{
    for seed in 0..60 {
        let mut bench = Bench::<F>::new(seed);
        for _ in 0..25 {
            bench.something_happens();
        }
        bench.check(seed);
    }
}

#[test]
fn the_table_knows_the_faults_that_a_reader_has_after_any_power_cycle() {
    agrees_with_the_device::<ReaderFirmware>();
}

#[test]
fn the_table_knows_the_faults_that_a_shuffler_has_after_any_power_cycle() {
    agrees_with_the_device::<ShufflerFirmware>();
}

#[test]
fn the_table_knows_the_faults_that_a_shoe_has_after_any_power_cycle() {
    agrees_with_the_device::<ShoeFirmware>();
}
