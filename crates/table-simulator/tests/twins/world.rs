//! A controller's link, a twin, and a clock that jumps from one wish to be woken to the next.

use device_protocols::frame::BootId;
use device_protocols::link::{ExpectedDevice, HostConfig, HostEvent, LinkHost, LinkState, Millis};
use device_protocols::message::DeviceProtocol;
use device_protocols::protection::{PairKeys, Paired, Protection, Seed};
use table_simulator::twin::Twin;

pub(crate) struct World<P: DeviceProtocol, T: Twin> {
    pub(crate) now: Millis,
    pub(crate) host: LinkHost<P>,
    pub(crate) twin: T,
    /// Everything the controller was told, acknowledged at once.
    pub(crate) told: Vec<HostEvent<P>>,
    /// Every byte the twin emitted.
    pub(crate) emitted: Vec<u8>,
}

impl<P: DeviceProtocol, T: Twin> World<P, T> {
    pub(crate) fn new(twin: impl FnOnce(Millis) -> T) -> Self {
        Self::with(Protection::None, twin)
    }

    fn with(protection: Protection, twin: impl FnOnce(Millis) -> T) -> Self {
        let now = Millis(1_000);
        let config = HostConfig {
            boot: BootId::new(0x0C0F_FEE1).unwrap(),
            expected: ExpectedDevice::default(),
            last_durable: None,
            protection,
        };
        let mut host = LinkHost::new(config, now);
        host.handle_port_opened(now);
        Self { now, host, twin: twin(now), told: Vec::new(), emitted: Vec::new() }
    }

    /// A controller that is paired with the device to whose keys it has the other half.
    pub(crate) fn paired(twin: impl FnOnce(Millis, PairKeys) -> T) -> Self {
        let (keys, of_device) = PairKeys::of_two(&[0x11; 32], &[0x22; 32]);
        let protection = Protection::Paired(Paired { keys, seed: Seed::new([0x33; 32]) });
        let mut world = Self::with(protection, |now| twin(now, of_device));
        world.run(200);
        assert_eq!(world.host.state(), LinkState::Up);
        world.told.clear();
        world
    }

    /// A world whose link is up and whose greeting has been forgotten.
    pub(crate) fn up(twin: impl FnOnce(Millis) -> T) -> Self {
        let mut world = Self::new(twin);
        world.run(200);
        assert_eq!(world.host.state(), LinkState::Up);
        world.told.clear();
        world
    }

    pub(crate) fn run(&mut self, for_ms: u64) {
        let until = self.now + for_ms;
        self.settle();
        loop {
            let next = [self.host.poll_deadline(), self.twin.poll_deadline()].into_iter().flatten().min();
            let Some(next) = next.filter(|next| *next <= until) else { break };
            // A wish in the past is granted now; time never stands still for long.
            self.now = next.max(self.now + u64::from(next <= self.now));
            self.host.handle_timeout(self.now);
            self.twin.handle_timeout(self.now);
            self.settle();
        }
        self.now = until;
        self.host.handle_timeout(self.now);
        self.twin.handle_timeout(self.now);
        self.settle();
    }

    pub(crate) fn settle(&mut self) {
        loop {
            let mut quiet = true;
            while let Some(event) = self.host.poll_event() {
                if let HostEvent::Device { id, .. } = &event {
                    self.host.acknowledge(*id, self.now);
                }
                self.told.push(event);
            }
            while let Some(bytes) = self.host.poll_transmit(self.now) {
                self.twin.handle_bytes(&bytes, self.now);
                quiet = false;
            }
            while let Some(bytes) = self.twin.poll_transmit(self.now) {
                self.emitted.extend_from_slice(&bytes);
                self.host.handle_bytes(&bytes, self.now);
                quiet = false;
            }
            if quiet {
                return;
            }
        }
    }

    pub(crate) fn command(&mut self, command: &P::Command) {
        self.host.send(command, self.now).unwrap();
        self.run(50);
    }

    pub(crate) fn obey(&mut self, line: &str) -> String {
        let answer = self.twin.obey(line, self.now).unwrap();
        self.settle();
        answer
    }

    /// The device's events so far, as text, and forgets them.
    pub(crate) fn take_events(&mut self) -> Vec<String> {
        let told = std::mem::take(&mut self.told);
        told.into_iter()
            .filter_map(|event| match event {
                HostEvent::Device { event, .. } => Some(format!("{event:?}")),
                HostEvent::CommandRefused { reason, .. } => Some(format!("refused {reason:?}")),
                HostEvent::LinkUp { .. }
                | HostEvent::LinkDegraded(_)
                | HostEvent::LinkRecovered
                | HostEvent::LinkLost(_)
                | HostEvent::LinkBack { .. }
                | HostEvent::WrongDevice(_)
                | HostEvent::EventsMissing { .. }
                | HostEvent::NotUnderstood { .. }
                | HostEvent::CommandAccepted { .. }
                | HostEvent::CommandUnanswered { .. } => None,
            })
            .collect()
    }
}
