//! What every simulated serial device has: a supply, a clock of its own, a link to the controller and a bad cable; and
//! inside, a firmware that knows the physical device.
//!
//! The clock of a device is not the controller's: a twin may be told to run fast or slow. All arguments and deadlines
//! at the outside are the caller's time.

mod clock;

use std::collections::VecDeque;
use std::fmt;

use device_protocols::frame::BootId;
use device_protocols::link::{DeviceConfig, DeviceNotice, LinkCounts, LinkDevice, LinkState, Millis};
use device_protocols::message::{Capabilities, DeviceIdentity, DeviceProtocol, IdentityText, NakReason};
use device_protocols::protection::pairing::PairingCode;
use device_protocols::protection::{KEY_LENGTH, PairKeys, Paired, Protection, Seed};
use zeroize::Zeroizing;

use self::clock::DeviceClock;
use crate::bench::{self, BenchError, LINE_WORDS, Word};
use crate::dice::Dice;
use crate::line::{FaultyLine, LineFaults};
use crate::trace::{Flow, Trace, TraceEntry};

/// A babbling device writes so often, and so much: it fills its line at 115200 baud. On a busy machine it says less, and
/// still several times what a device may say.
const BABBLE_EVERY_MS: u64 = 20;
const BABBLE_BYTES: usize = 230;

/// The program inside a device, with the physical things it senses.
///
/// It is told the device's own time. Without power only its physical parts change: between `handle_power_lost` and
/// `handle_power_back` nothing it puts out is heard.
pub trait Firmware: fmt::Debug {
    type Protocol: DeviceProtocol + fmt::Debug;

    fn handle_command(
        &mut self,
        command: <Self::Protocol as DeviceProtocol>::Command,
        now: Millis,
        out: &mut Outgoing<Self>,
    ) -> Result<(), NakReason>;
    fn handle_timeout(&mut self, now: Millis, out: &mut Outgoing<Self>);
    fn handle_power_lost(&mut self);
    fn handle_power_back(&mut self, now: Millis, out: &mut Outgoing<Self>);
    /// Does what a technician typed. `None`: not a word of this device.
    fn obey(&mut self, words: &[&str], now: Millis, out: &mut Outgoing<Self>) -> Option<Result<String, BenchError>>;
    /// The STATE event.
    fn state(&self) -> <Self::Protocol as DeviceProtocol>::Event;
    fn words() -> &'static [Word];
    fn poll_deadline(&self) -> Option<Millis>;
}

/// Events on their way out, in order.
pub type Outgoing<F> = Vec<<<F as Firmware>::Protocol as DeviceProtocol>::Event>;

/// What a runner needs of any twin.
///
/// After any `handle_*` or deed: `poll_transmit` until it gives nothing, then sleep until `poll_deadline` or bytes.
pub trait Twin: Send + fmt::Debug {
    fn words(&self) -> Vec<Word>;
    fn handle_bytes(&mut self, bytes: &[u8], now: Millis);
    fn handle_timeout(&mut self, now: Millis);
    /// One line of bench words.
    fn obey(&mut self, line: &str, now: Millis) -> Result<String, BenchError>;
    fn turn_on_trace(&mut self);
    fn poll_transmit(&mut self, now: Millis) -> Option<Zeroizing<Vec<u8>>>;
    fn poll_trace(&mut self) -> Option<TraceEntry>;
    fn poll_deadline(&self) -> Option<Millis>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Power {
    On,
    Off,
    BackAt(Millis),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PowerChange {
    Lost,
    Back,
}

/// A device's end of the link with its supply and its cable. In the device's own time throughout.
#[derive(Debug)]
pub struct TwinLink<P: DeviceProtocol> {
    identity: DeviceIdentity,
    /// Kept by the device when its power goes.
    keys: Option<PairKeys>,
    dice: Dice,
    link: Option<LinkDevice<P>>,
    power: Power,
    power_changes: VecDeque<PowerChange>,
    to_controller: FaultyLine,
    from_controller: FaultyLine,
    cut_next: Option<u64>,
    babble_due: Option<Millis>,
    clock: DeviceClock,
    events_lost: u64,
    trace: Trace,
}

impl<P: DeviceProtocol> TwinLink<P> {
    fn new(identity: DeviceIdentity, mut dice: Dice, now: Millis) -> Self {
        let to_controller = FaultyLine::new(dice.fork());
        let from_controller = FaultyLine::new(dice.fork());
        let mut link = Self {
            identity,
            keys: None,
            dice,
            link: None,
            power: Power::Off,
            power_changes: VecDeque::new(),
            to_controller,
            from_controller,
            cut_next: None,
            babble_due: None,
            clock: DeviceClock { outer: now, own: now, rate_per_mille: 1_000 },
            events_lost: 0,
            trace: Trace::new(P::KIND),
        };
        link.power_on(now);
        link
    }

    pub fn counts(&self) -> Option<LinkCounts> {
        self.link.as_ref().map(LinkDevice::counts)
    }

    pub fn state(&self) -> Option<LinkState> {
        self.link.as_ref().map(LinkDevice::state)
    }

    pub fn has_power(&self) -> bool {
        self.power == Power::On
    }

    /// Events that the controller does not yet have for good.
    pub fn events_waiting(&self) -> usize {
        self.link.as_ref().map_or(0, LinkDevice::events_waiting)
    }

    /// Events that found no room in the device's memory.
    pub fn events_lost(&self) -> u64 {
        self.events_lost
    }

    pub fn adjust_line(&mut self, adjust: impl Fn(&mut LineFaults)) {
        adjust(&mut self.to_controller.faults);
        adjust(&mut self.from_controller.faults);
    }

    pub fn silence(&mut self, on: bool) {
        self.to_controller.silent = on;
    }

    pub fn babble(&mut self, on: bool, now: Millis) {
        self.babble_due = on.then_some(now);
    }

    /// At least 1, so that time never stands still.
    pub fn set_clock_rate(&mut self, per_mille: u16) {
        self.clock.rate_per_mille = per_mille.max(1);
    }

    pub fn power_off(&mut self) {
        self.link = None;
        self.from_controller.clear();
        if self.power == Power::On {
            self.power_changes.push_back(PowerChange::Lost);
        }
        self.power = Power::Off;
    }

    pub fn power_on(&mut self, now: Millis) {
        if self.power == Power::On {
            return;
        }
        let boot = loop {
            let [b0, b1, b2, b3, ..] = self.dice.roll().to_be_bytes();
            if let Some(boot) = BootId::new(u32::from_be_bytes([b0, b1, b2, b3])) {
                break boot;
            }
        };
        let protection = match self.keys.clone() {
            None => Protection::None,
            Some(keys) => Protection::Paired(Paired { keys, seed: self.seed() }),
        };
        self.link = Some(LinkDevice::new(DeviceConfig { boot, identity: self.identity.clone(), protection }, now));
        self.power = Power::On;
        self.power_changes.push_back(PowerChange::Back);
    }

    /// As unguessable as a simulated device needs it.
    fn seed(&mut self) -> Seed {
        let mut bytes = [0; KEY_LENGTH];
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.dice.roll().to_be_bytes()[..chunk.len()]);
        }
        Seed::new(bytes)
    }

    /// The device is paired with the table that has the other half of these keys, and starts again as such.
    pub fn pair(&mut self, keys: Option<PairKeys>, now: Millis) {
        self.keys = keys;
        self.power_off();
        self.power_on(now);
    }

    /// Somebody presses the button behind the service door.
    pub fn press_pairing(&mut self, now: Millis) {
        let seed = self.seed();
        if let Some(link) = &mut self.link {
            link.open_pairing(seed, now);
        }
    }

    /// What the device's display shows of a pairing.
    pub fn pairing_code(&self) -> Option<PairingCode> {
        self.link.as_ref().and_then(LinkDevice::pairing_code)
    }

    pub fn reboot(&mut self, off_ms: u64, now: Millis) {
        self.power_off();
        self.power = Power::BackAt(now + off_ms);
    }

    /// The supply fails while the next message is on its way out.
    pub fn reboot_mid_message(&mut self, off_ms: u64) {
        self.cut_next = Some(off_ms);
    }

    fn send(&mut self, event: &P::Event, now: Millis) {
        let Some(link) = &mut self.link else { return };
        self.trace.event(Flow::Sent, || format!("{event:?}"), now);
        if link.send(event, now).is_err() {
            self.events_lost += 1;
            self.trace.event(Flow::Here, || "no room: the event is lost".to_owned(), now);
        }
    }

    fn handle_bytes(&mut self, bytes: &[u8], now: Millis) {
        self.trace.bytes(Flow::Received, bytes, now);
        self.from_controller.send(bytes, now);
    }

    fn handle_timeout(&mut self, now: Millis) {
        match self.power {
            Power::BackAt(at) if at <= now => self.power_on(now),
            Power::BackAt(_) | Power::Off | Power::On => {}
        }
        while let Some(bytes) = self.from_controller.take_arrived(now) {
            if let Some(link) = &mut self.link {
                link.handle_bytes(&bytes, now);
            }
        }
        if let Some(link) = &mut self.link {
            link.handle_timeout(now);
        }
    }

    fn poll_transmit(&mut self, now: Millis) -> Option<Zeroizing<Vec<u8>>> {
        self.write_out(now);
        if self.power == Power::On
            && let Some(due) = self.babble_due.filter(|due| *due <= now)
        {
            self.babble_due = Some(due.max(now) + BABBLE_EVERY_MS);
            let noise: Vec<u8> = (0..BABBLE_BYTES).map(|_| self.dice.noise_byte()).collect();
            self.to_controller.send(&noise, now);
        }
        let bytes = self.to_controller.take_arrived(now)?;
        self.trace.bytes(Flow::Sent, &bytes, now);
        Some(bytes)
    }

    /// Everything the link wants to say goes onto the cable.
    fn write_out(&mut self, now: Millis) {
        while let Some(bytes) = self.link.as_mut().and_then(|link| link.poll_transmit(now)) {
            if let Some(off_ms) = self.cut_next.take() {
                self.to_controller.send_cut(&bytes, now);
                self.reboot(off_ms, now);
                return;
            }
            self.to_controller.send(&bytes, now);
        }
    }

    fn poll_deadline(&self) -> Option<Millis> {
        let back = match self.power {
            Power::BackAt(at) => Some(at),
            Power::On | Power::Off => None,
        };
        let link = self.link.as_ref().and_then(LinkDevice::poll_deadline);
        let babble = self.babble_due.filter(|_| self.power == Power::On);
        let arrivals = [self.to_controller.next_arrival(), self.from_controller.next_arrival()];
        [back, link, babble].into_iter().chain(arrivals).flatten().min()
    }
}

/// A simulated serial device.
#[derive(Debug)]
pub struct Simulated<F: Firmware> {
    link: TwinLink<F::Protocol>,
    firmware: F,
}

impl<F: Firmware> Simulated<F> {
    pub(crate) fn switched_on(firmware: F, identity: DeviceIdentity, dice: Dice, now: Millis) -> Self {
        let mut twin = Self { link: TwinLink::new(identity, dice, now), firmware };
        twin.work(now);
        twin
    }

    pub fn firmware(&self) -> &F {
        &self.firmware
    }

    pub fn link(&self) -> &TwinLink<F::Protocol> {
        &self.link
    }

    /// Somebody does something to the device: moves a card, presses a button, breaks a part.
    pub fn act<T>(&mut self, now: Millis, deed: impl FnOnce(&mut F, Millis, &mut Outgoing<F>) -> T) -> T {
        let now = self.link.clock.own(now);
        self.link.handle_timeout(now);
        self.work(now);
        let mut out = Vec::new();
        let done = deed(&mut self.firmware, now, &mut out);
        self.send_all(&out, now);
        self.work(now);
        done
    }

    /// Somebody does something to its cable or supply.
    pub fn act_on_link<T>(&mut self, now: Millis, deed: impl FnOnce(&mut TwinLink<F::Protocol>, Millis) -> T) -> T {
        self.link.clock.rebase(now);
        let now = self.link.clock.own(now);
        let done = deed(&mut self.link, now);
        self.work(now);
        done
    }

    fn send_all(&mut self, out: &Outgoing<F>, now: Millis) {
        for event in out {
            self.link.send(event, now);
        }
    }

    fn work(&mut self, now: Millis) {
        let mut out = Vec::new();
        while let Some(change) = self.link.power_changes.pop_front() {
            match change {
                PowerChange::Lost => self.firmware.handle_power_lost(),
                PowerChange::Back => self.firmware.handle_power_back(now, &mut out),
            }
            let text = match change {
                PowerChange::Lost => "power lost",
                PowerChange::Back => "power back",
            };
            self.link.trace.event(Flow::Here, || text.to_owned(), now);
        }
        self.send_all(&out, now);
        while let Some(notice) = self.link.link.as_mut().and_then(LinkDevice::poll_notice) {
            self.handle_notice(notice, now);
        }
        let mut out = Vec::new();
        if self.link.has_power() {
            self.firmware.handle_timeout(now, &mut out);
        }
        self.send_all(&out, now);
    }

    fn handle_notice(&mut self, notice: DeviceNotice<F::Protocol>, now: Millis) {
        match notice {
            DeviceNotice::StateQueried => {
                let state = self.firmware.state();
                self.link.send(&state, now);
            }
            DeviceNotice::Command { id, command } => {
                self.link.trace.event(Flow::Received, || format!("{command:?}"), now);
                let mut out = Vec::new();
                let verdict = self.firmware.handle_command(command, now, &mut out);
                if let Some(link) = &mut self.link.link {
                    match verdict {
                        Ok(()) => link.acknowledge(id, now),
                        Err(reason) => link.refuse(id, reason, now),
                    };
                }
                self.send_all(&out, now);
            }
            DeviceNotice::Paired { keys } => {
                self.link.trace.event(Flow::Here, || "paired with another table".to_owned(), now);
                self.link.keys = Some(keys);
            }
            DeviceNotice::LinkUp { .. }
            | DeviceNotice::LinkLost(_)
            | DeviceNotice::EventDurable { .. }
            | DeviceNotice::EventRefused { .. } => {
                self.link.trace.event(Flow::Here, || format!("{notice:?}"), now);
            }
        }
    }
}

impl<F: Firmware + Send> Twin for Simulated<F>
where
    <F::Protocol as DeviceProtocol>::Command: Send,
    <F::Protocol as DeviceProtocol>::Event: Send,
{
    fn words(&self) -> Vec<Word> {
        F::words().iter().chain(LINE_WORDS).copied().collect()
    }

    fn handle_bytes(&mut self, bytes: &[u8], now: Millis) {
        let now = self.link.clock.own(now);
        self.link.handle_bytes(bytes, now);
        self.link.handle_timeout(now);
        self.work(now);
    }

    fn handle_timeout(&mut self, now: Millis) {
        let now = self.link.clock.own(now);
        self.link.handle_timeout(now);
        self.work(now);
    }

    fn obey(&mut self, line: &str, now: Millis) -> Result<String, BenchError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words == ["state"] {
            return Ok(format!("{:?}", self.firmware.state()));
        }
        if words == ["code"] {
            let nothing = || BenchError::NotNow { reason: "the display is dark; `pair`, and the table in service" };
            return self.link.pairing_code().map(|code| code.to_string()).ok_or_else(nothing);
        }
        let on_line = self.act_on_link(now, |link, now| bench::obey_line_word(link, &words, now));
        if let Some(done) = on_line {
            return done.map(|()| "done".to_owned());
        }
        let done = self.act(now, |firmware, now, out| firmware.obey(&words, now, out));
        done.unwrap_or_else(|| {
            Err(BenchError::UnknownWord { word: words.first().map_or_else(String::new, |word| (*word).to_owned()) })
        })
    }

    fn turn_on_trace(&mut self) {
        self.link.trace.turn_on();
    }

    fn poll_transmit(&mut self, now: Millis) -> Option<Zeroizing<Vec<u8>>> {
        let now = self.link.clock.own(now);
        let bytes = self.link.poll_transmit(now);
        // A message that was cut took the power with it.
        if !self.link.power_changes.is_empty() {
            self.work(now);
        }
        bytes
    }

    fn poll_trace(&mut self) -> Option<TraceEntry> {
        self.link.trace.poll()
    }

    fn poll_deadline(&self) -> Option<Millis> {
        let firmware = self.firmware.poll_deadline().filter(|_| self.link.has_power());
        [self.link.poll_deadline(), firmware].into_iter().flatten().min().map(|own| self.link.clock.outer(own))
    }
}

/// Who a twin says it is. Simulated firmware has a hash like any other: it must not pass for a real unit's.
pub(crate) fn identity(model: &str, serial: &str, capabilities: Capabilities) -> DeviceIdentity {
    let text = |text: &str| IdentityText::new(text).expect("the simulator's own names are short and printable");
    DeviceIdentity {
        model: text(model),
        serial: text(serial),
        firmware_hash: *b"simulated device, not a real one",
        capabilities,
    }
}
