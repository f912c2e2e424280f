//! A controller with a slow journal, a device, and the line between them, run by a virtual clock that jumps from one
//! wish to be woken to the next. It checks on every step what must hold at all times.

use std::collections::{BTreeMap, VecDeque};

use device_protocols::faults::FaultSet;
use device_protocols::frame::{BootId, Direction, Frame, FrameDecoder, MessageId};
use device_protocols::link::{
    Continuity, DeviceConfig, DeviceNotice, ExpectedDevice, HostConfig, HostEvent, LOST_AFTER_MS, LinkDevice, LinkHost,
    LinkState, Loss, Millis, OUTBOX_CAPACITY, RESEND_AFTER_MS, TRIES_MAX,
};
use device_protocols::message::{Body, Capabilities, Control, DeviceIdentity, IdentityText, NakReason};
use device_protocols::protection::{PairKeys, Paired, Protection, Seed};
use device_protocols::shuffler::{
    BatchColour, CardCount, ExpectedCount, Percent, Shuffler, ShufflerCommand, ShufflerEvent, ShufflerState,
    ShufflerStatus,
};

use crate::line::{Dice, Line, Weather};

/// What an event was, for comparing: a running number, or the STATE that the link asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tag {
    Number(u16),
    State,
}

/// What one command came to, as the controller saw it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Waiting,
    Accepted,
    Refused,
    Unanswered,
}

/// Watches one direction: how long the oldest message has been without an answer, how long the receiver heard nothing.
#[derive(Default)]
struct Watch {
    unanswered: Option<(MessageId, Millis)>,
    heard: Millis,
    holds: u32,
}

pub(crate) struct World {
    version: Version,
    /// How often somebody with a cable made the controller doubt its device.
    pub(crate) wrong_devices: usize,
    pub(crate) now: Millis,
    pub(crate) dice: Dice,
    pub(crate) weather: Weather,
    /// From the moment the controller's application sees an event until it is durable.
    pub(crate) stall_ms: u64,
    pub(crate) host: LinkHost<Shuffler>,
    pub(crate) device: LinkDevice<Shuffler>,
    to_host: Line,
    to_device: Line,
    /// Polled from the host, durable at this time.
    writing: VecDeque<(Millis, MessageId, Tag)>,
    pub(crate) journal: Vec<(MessageId, Tag)>,
    pub(crate) sent: BTreeMap<u32, Vec<(MessageId, Tag)>>,
    pub(crate) executed: Vec<MessageId>,
    pub(crate) commands: Vec<(MessageId, Outcome)>,
    pub(crate) host_losses: Vec<(Millis, Loss)>,
    pub(crate) device_losses: Vec<(Millis, Loss)>,
    pub(crate) degradations: usize,
    pub(crate) continuities: Vec<(Millis, Continuity)>,
    watch_device: Watch,
    watch_host: Watch,
    boots: u32,
    numbers: u16,
    steps_without_time: u32,
}

pub(crate) fn identity() -> DeviceIdentity {
    DeviceIdentity {
        model: IdentityText::new("SH-1").unwrap(),
        serial: IdentityText::new("S1").unwrap(),
        firmware_hash: [7; 32],
        capabilities: Capabilities::CARD_COUNT,
    }
}

/// Both ends of a link of either version, for a start whose boot id is `boot`.
pub(crate) fn protections(version: Version, boot: BootId) -> (Protection, Protection) {
    match version {
        Version::Open => (Protection::None, Protection::None),
        Version::Paired => {
            let (controller, device) = PairKeys::of_two(&[0x11; 32], &[0x22; 32]);
            let mut seed = [0x33; 32];
            seed[..4].copy_from_slice(&boot.value().to_be_bytes());
            let paired = |keys| Protection::Paired(Paired { keys, seed: Seed::new(seed) });
            (paired(controller), paired(device))
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    Open,
    Paired,
}

impl World {
    pub(crate) fn new(version: Version, seed: u64, weather: Weather, stall_ms: u64) -> Self {
        let now = Millis(1_000);
        let boot = |value| BootId::new(value).unwrap();
        let mut world = Self {
            now,
            dice: Dice::new(seed),
            weather,
            stall_ms,
            host: LinkHost::new(
                HostConfig {
                    boot: boot(1),
                    expected: ExpectedDevice::default(),
                    last_durable: None,
                    protection: protections(version, boot(1)).0,
                },
                now,
            ),
            device: LinkDevice::new(
                DeviceConfig { boot: boot(2), identity: identity(), protection: protections(version, boot(2)).1 },
                now,
            ),
            version,
            wrong_devices: 0,
            to_host: Line::default(),
            to_device: Line::default(),
            writing: VecDeque::new(),
            journal: Vec::new(),
            sent: BTreeMap::new(),
            executed: Vec::new(),
            commands: Vec::new(),
            host_losses: Vec::new(),
            device_losses: Vec::new(),
            degradations: 0,
            continuities: Vec::new(),
            watch_device: Watch::default(),
            watch_host: Watch::default(),
            boots: 2,
            numbers: 0,
            steps_without_time: 0,
        };
        world.host.handle_port_opened(now);
        world
    }

    /// How often the device was asked for patience.
    pub(crate) fn holds(&self) -> u32 {
        self.watch_device.holds
    }

    fn new_boot(&mut self) -> BootId {
        self.boots += 1;
        BootId::new(self.boots).unwrap()
    }

    /// The controller dies: what was not durable is gone. It comes back knowing its journal.
    pub(crate) fn restart_host(&mut self) {
        self.writing.clear();
        let boot = self.new_boot();
        let last_durable = self.journal.last().map(|(id, _)| *id);
        let protection = protections(self.version, boot).0;
        let expected = ExpectedDevice::default();
        self.host = LinkHost::new(HostConfig { boot, expected, last_durable, protection }, self.now);
        self.host.handle_port_opened(self.now);
        self.watch_host.unanswered = None;
        for (_, outcome) in &mut self.commands {
            if *outcome == Outcome::Waiting {
                *outcome = Outcome::Unanswered;
            }
        }
    }

    /// The device dies: its queue is gone. It comes back with a new boot id.
    pub(crate) fn restart_device(&mut self) {
        let boot = self.new_boot();
        let protection = protections(self.version, boot).1;
        self.device = LinkDevice::new(DeviceConfig { boot, identity: identity(), protection }, self.now);
        self.watch_device.unanswered = None;
    }

    /// Something happens at the device, unless its queue is nearly full: then the dealer cannot go on either.
    pub(crate) fn device_event(&mut self) {
        if self.device.events_waiting() > OUTBOX_CAPACITY / 2 {
            return;
        }
        self.numbers += 1;
        let count = CardCount { counted: self.numbers, expected: ExpectedCount::new(312).unwrap() };
        let event = ShufflerEvent::Counted { count, colour: BatchColour::Blue };
        assert!(self.send_event(&event, Tag::Number(self.numbers)), "room for an event");
    }

    fn send_event(&mut self, event: &ShufflerEvent, tag: Tag) -> bool {
        match self.device.send(event, self.now) {
            Ok(id) => self.sent.entry(id.boot.value()).or_default().push((id, tag)),
            Err(_) => return false,
        }
        true
    }

    pub(crate) fn host_command(&mut self) {
        let command = ShufflerCommand::Shuffle { colour: BatchColour::Red, expected: ExpectedCount::new(288).unwrap() };
        if let Ok(id) = self.host.send(&command, self.now) {
            self.commands.push((id, Outcome::Waiting));
        }
    }

    /// Runs until `until`, or forever short of it.
    pub(crate) fn run_until(&mut self, until: Millis) {
        self.settle();
        while let Some(next) = self.next_wake().filter(|next| *next <= until) {
            if next > self.now {
                self.now = next;
                self.steps_without_time = 0;
            } else {
                self.steps_without_time += 1;
                assert!(self.steps_without_time < 1_000, "the machines spin at {:?}", self.now);
            }
            self.step();
        }
        self.now = until;
        self.step();
    }

    fn next_wake(&self) -> Option<Millis> {
        [
            self.host.poll_deadline(),
            self.device.poll_deadline(),
            self.to_host.next_arrival(),
            self.to_device.next_arrival(),
            self.writing.front().map(|(at, ..)| *at),
        ]
        .into_iter()
        .flatten()
        .min()
    }

    fn step(&mut self) {
        let now = self.now;
        while let Some(item) = self.to_host.take_arrived(now) {
            if !item.damaged {
                self.watch_host.heard = now;
                note_answer(&mut self.watch_host, &item.bytes);
            }
            self.host.handle_bytes(&item.bytes, now);
            self.settle();
        }
        while let Some(item) = self.to_device.take_arrived(now) {
            if !item.damaged {
                self.watch_device.heard = now;
                note_answer(&mut self.watch_device, &item.bytes);
            }
            self.device.handle_bytes(&item.bytes, now);
            self.settle();
        }
        while let Some((_, id, tag)) = self.writing.pop_front_if(|(at, ..)| *at <= now) {
            self.journal.push((id, tag));
            self.host.acknowledge(id, now);
        }
        self.host.handle_timeout(now);
        self.device.handle_timeout(now);
        self.settle();
        self.check_deadlines();
    }

    fn settle(&mut self) {
        while let Some(bytes) = self.host.poll_transmit(self.now) {
            note_question(&mut self.watch_host, &bytes, self.now);
            self.to_device.send(&bytes, self.now, self.weather, &mut self.dice);
        }
        while let Some(event) = self.host.poll_event() {
            self.hear_host(event);
        }
        while let Some(notice) = self.device.poll_notice() {
            self.hear_device(notice);
        }
        while let Some(bytes) = self.device.poll_transmit(self.now) {
            note_question(&mut self.watch_device, &bytes, self.now);
            self.to_host.send(&bytes, self.now, self.weather, &mut self.dice);
        }
    }

    fn hear_host(&mut self, event: HostEvent<Shuffler>) {
        match event {
            HostEvent::Device { id, event } => {
                let tag = if let ShufflerEvent::Counted { count, .. } = event {
                    Tag::Number(count.counted)
                } else {
                    assert!(matches!(event, ShufflerEvent::State(_)), "the device never said {event:?}");
                    Tag::State
                };
                self.writing.push_back((self.now + self.stall_ms, id, tag));
            }
            HostEvent::LinkUp { continuity, .. } | HostEvent::LinkBack { continuity, .. } => {
                self.watch_host.heard = self.now;
                self.continuities.push((self.now, continuity));
            }
            HostEvent::LinkLost(loss) => {
                self.watch_host.unanswered = None;
                self.host_losses.push((self.now, loss));
            }
            HostEvent::LinkDegraded(_) => self.degradations += 1,
            HostEvent::LinkRecovered => {}
            HostEvent::CommandAccepted { id } => self.conclude(id, Outcome::Accepted),
            HostEvent::CommandRefused { id, .. } => self.conclude(id, Outcome::Refused),
            HostEvent::CommandUnanswered { id } => self.conclude(id, Outcome::Unanswered),
            HostEvent::WrongDevice(mismatch) => {
                assert!(self.weather.tamper > 0, "{mismatch:?}");
                self.wrong_devices += 1;
            }
            HostEvent::EventsMissing { expected, found } => panic!("missing {expected:?} to {found:?}"),
            HostEvent::NotUnderstood { id, fault } => panic!("{id:?} {fault:?}"),
        }
    }

    fn conclude(&mut self, id: MessageId, outcome: Outcome) {
        self.watch_host.unanswered = None;
        let (_, known) = self.commands.iter_mut().find(|(sent, _)| *sent == id).unwrap();
        assert_eq!(*known, Outcome::Waiting, "{id} is concluded once");
        *known = outcome;
    }

    fn hear_device(&mut self, notice: DeviceNotice<Shuffler>) {
        match notice {
            DeviceNotice::StateQueried => {
                let status = ShufflerStatus {
                    state: ShufflerState::Empty,
                    progress: Percent::new(0).unwrap(),
                    colour: BatchColour::Unknown,
                    count: None,
                    jams: 0,
                    door_open: false,
                    faults: FaultSet::EMPTY,
                };
                assert!(self.send_event(&ShufflerEvent::State(status), Tag::State), "room for STATE");
            }
            DeviceNotice::Command { id, .. } => {
                self.executed.push(id);
                if self.dice.per_mille(200) {
                    self.device.refuse(id, NakReason::WrongState, self.now);
                } else {
                    self.device.acknowledge(id, self.now);
                }
            }
            DeviceNotice::LinkUp { .. } => {
                self.watch_device.heard = self.now;
                self.watch_device.unanswered = None;
            }
            DeviceNotice::LinkLost(loss) => {
                self.watch_device.unanswered = None;
                self.device_losses.push((self.now, loss));
            }
            DeviceNotice::EventDurable { id } => {
                self.watch_device.unanswered = None;
                assert!(self.journal.iter().any(|(known, _)| *known == id), "{id} was acknowledged but is not durable");
            }
            DeviceNotice::Paired { .. } => panic!("nobody was paired"),
            DeviceNotice::EventRefused { id, reason } => panic!("{id} refused: {reason:?}"),
        }
    }

    /// "Or a link fault is raised within its deadline": whoever asks in vain, or hears nothing, may not think all is well.
    fn check_deadlines(&self) {
        let answer_within = u64::from(TRIES_MAX) * RESEND_AFTER_MS;
        for (name, state, watch) in
            [("host", self.host.state(), &self.watch_host), ("device", self.device.state(), &self.watch_device)]
        {
            if !state.is_live() {
                continue;
            }
            if let Some((id, since)) = watch.unanswered {
                assert!(
                    self.now.since(since) <= answer_within,
                    "{name} waits for {id} since {since:?}: {:?}",
                    self.now
                );
            }
            assert!(self.now.since(watch.heard) <= LOST_AFTER_MS, "{name} hears nothing and does not mind");
        }
    }

    /// Every boot of the device: what the journal has of it is the beginning of what it sent, each once, in order.
    pub(crate) fn check_journal(&self) {
        for (boot, sent) in &self.sent {
            let durable: Vec<_> = self.journal.iter().filter(|(id, _)| id.boot.value() == *boot).copied().collect();
            assert!(durable.len() <= sent.len());
            assert_eq!(durable[..], sent[..durable.len()], "boot {boot}");
        }
        for (index, id) in self.executed.iter().enumerate() {
            assert!(!self.executed[..index].contains(id), "{id} was carried out twice");
        }
        for (id, outcome) in &self.commands {
            match outcome {
                Outcome::Accepted | Outcome::Refused => assert!(self.executed.contains(id), "{id} {outcome:?}"),
                Outcome::Waiting | Outcome::Unanswered => {}
            }
        }
    }

    /// After the line has been good for a while: both up, nothing waiting, everything of the living boot is durable.
    pub(crate) fn check_all_delivered(&self) {
        assert_eq!(self.host.state(), LinkState::Up);
        assert_eq!(self.device.state(), LinkState::Up);
        assert_eq!((self.host.commands_waiting(), self.device.events_waiting()), (0, 0));
        let (boot, sent) = self.sent.last_key_value().unwrap();
        let durable = self.journal.iter().filter(|(id, _)| id.boot.value() == *boot).count();
        assert_eq!(durable, sent.len());
        assert!(self.commands.iter().all(|(_, outcome)| *outcome != Outcome::Waiting));
    }
}

fn frames(bytes: &[u8]) -> Vec<Frame> {
    FrameDecoder::default().handle_bytes(bytes).flatten().collect()
}

/// A numbered message went out: from now on someone waits.
fn note_question(watch: &mut Watch, bytes: &[u8], now: Millis) {
    for id in frames(bytes).iter().filter_map(Frame::id) {
        if watch.unanswered.is_none_or(|(waiting, _)| waiting != id) {
            watch.unanswered = Some((id, now));
        }
    }
}

/// An answer came: whoever waited for it does not wait any more, until the question is asked again.
fn note_answer(watch: &mut Watch, bytes: &[u8]) {
    for frame in frames(bytes).iter().filter(|frame| frame.sequence.is_none()) {
        let body = Body { message_type: frame.message_type, payload: frame.payload.clone() };
        let control = match frame.direction {
            Direction::FromController => Control::decode_from_controller(&body),
            Direction::FromDevice => Control::decode_from_device(&body),
        };
        let about = match control {
            Ok(Control::Ack(id)) => Some(id),
            Ok(Control::Hold(id)) => {
                watch.holds += 1;
                Some(id)
            }
            Ok(Control::Nak { about, .. }) => about,
            Ok(Control::ControllerHello(_) | Control::DeviceHello(_) | Control::Heartbeat { .. }) | Err(_) => None,
        };
        if let Some(id) = about {
            watch.unanswered = watch.unanswered.filter(|(waiting, _)| *waiting != id);
        }
    }
}
