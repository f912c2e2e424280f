//! Which faults stand on a port, from what the port and the link say. The time is an argument.
//!
//! The answer is always about now: a line that was silent and now carries garbage is garbage. A port that comes and goes
//! keeps its fault until the link is up again or something more definite is known, so a loose plug gives one fault and
//! not a storm.

use device_protocols::link::{Degradation, LOST_AFTER_MS, LinkCounts, LinkState, Loss, Millis};

use crate::fault::{FaultChange, FaultCode, FaultSignal, Part, PortFault};

/// A set of port faults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PortFaults(u32);

impl PortFaults {
    fn bit(fault: PortFault) -> u32 {
        PortFault::ALL.iter().position(|one| *one == fault).map_or(0, |index| 1 << index)
    }

    #[must_use]
    pub fn with(self, fault: PortFault) -> Self {
        Self(self.0 | Self::bit(fault))
    }

    pub fn contains(self, fault: PortFault) -> bool {
        self.0 & Self::bit(fault) != 0
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn iter(self) -> impl Iterator<Item = PortFault> {
        PortFault::ALL.iter().copied().filter(move |fault| self.contains(*fault))
    }
}

/// Watches one port.
#[derive(Debug)]
pub struct PortHealth {
    part: Part,
    silence_is_a_fault: bool,
    port: PortCondition,
    errno: Option<i32>,
    byte_at: Millis,
    frame_at: Millis,
    bytes: u64,
    frames: u64,
    standing: PortFaults,
    told: PortFaults,
}

#[derive(Clone, Copy, Debug)]
enum PortCondition {
    Closed(Option<PortFault>),
    /// `before` is what was wrong with the port until the link is up.
    Open {
        since: Millis,
        before: Option<PortFault>,
    },
}

impl PortHealth {
    pub fn new(part: Part, silence_is_a_fault: bool) -> Self {
        Self {
            part,
            silence_is_a_fault,
            port: PortCondition::Closed(None),
            errno: None,
            byte_at: Millis::default(),
            frame_at: Millis::default(),
            bytes: 0,
            frames: 0,
            standing: PortFaults::default(),
            told: PortFaults::default(),
        }
    }

    pub fn standing(&self) -> PortFaults {
        self.standing
    }

    pub fn standing_codes(&self) -> Vec<FaultCode> {
        self.standing.iter().map(|fault| fault.on(self.part)).collect()
    }

    pub fn handle_opened(&mut self, now: Millis) {
        let before = match self.port {
            PortCondition::Closed(fault) => fault,
            PortCondition::Open { before, .. } => before,
        };
        self.port = PortCondition::Open { since: now, before };
        self.byte_at = now;
        self.frame_at = now;
    }

    /// `errno` is the kernel's reason, where it gave one.
    pub fn handle_closed(&mut self, fault: PortFault, errno: Option<i32>) {
        self.port = PortCondition::Closed(Some(fault));
        self.errno = errno;
    }

    /// Takes the present state of everything and decides what stands.
    pub fn assess(
        &mut self,
        link: LinkState,
        wrong_device: PortFault,
        counts: &LinkCounts,
        babbling: bool,
        now: Millis,
    ) {
        if counts.line.bytes != self.bytes {
            self.bytes = counts.line.bytes;
            self.byte_at = now;
        }
        if counts.line.frames != self.frames {
            self.frames = counts.line.frames;
            self.frame_at = now;
        }
        let mut standing = PortFaults::default();
        if let Some(fault) = self.main_fault(link, wrong_device, now) {
            standing = standing.with(fault);
        }
        if babbling {
            standing = standing.with(PortFault::Babbling);
        }
        if link.is_live()
            && let PortCondition::Open { since, .. } = self.port
        {
            self.port = PortCondition::Open { since, before: None };
        }
        self.standing = standing;
    }

    fn main_fault(&self, link: LinkState, wrong_device: PortFault, now: Millis) -> Option<PortFault> {
        let (since, before) = match self.port {
            PortCondition::Closed(fault) => return fault,
            PortCondition::Open { since, before } => (since, before),
        };
        match link {
            LinkState::Up => None,
            LinkState::Degraded(Degradation::Quiet) => Some(PortFault::Quiet),
            LinkState::Degraded(Degradation::Damaged) => Some(PortFault::Damaged),
            LinkState::Degraded(Degradation::Unanswered) => Some(PortFault::Unanswered),
            LinkState::WrongDevice => Some(self.unheard(now).unwrap_or(wrong_device)),
            LinkState::Down => before,
            LinkState::Lost(loss) => {
                let own = match loss {
                    Loss::Silence => PortFault::Silent,
                    Loss::Garbage => PortFault::Garbage,
                    Loss::NoAnswer => PortFault::NoAnswer,
                    Loss::NoHello => PortFault::NoGreeting,
                    // The port is open again, but nobody has greeted us within the time that a greeting takes.
                    Loss::PortClosed if now.since(since) >= LOST_AFTER_MS => PortFault::NoGreeting,
                    Loss::PortClosed => PortFault::HungUp,
                };
                if before.is_some() && now.since(since) < LOST_AFTER_MS {
                    return before;
                }
                Some(self.unheard(now).unwrap_or(own))
            }
        }
    }

    fn unheard(&self, now: Millis) -> Option<PortFault> {
        if now.since(self.byte_at) >= LOST_AFTER_MS {
            self.silence_is_a_fault.then_some(PortFault::Silent)
        } else if now.since(self.frame_at) >= LOST_AFTER_MS {
            Some(PortFault::Garbage)
        } else {
            None
        }
    }

    /// The next moment at which [`assess`](Self::assess) may give another answer by itself, if the link is not up.
    pub fn deadline(&self, link: LinkState, now: Millis) -> Option<Millis> {
        let PortCondition::Open { since, .. } = self.port else { return None };
        if link.is_live() {
            return None;
        }
        [since, self.byte_at, self.frame_at]
            .into_iter()
            .map(|moment| moment + LOST_AFTER_MS)
            .filter(|moment| *moment > now)
            .min()
    }

    /// One change that has not been told yet; a clear before a raise. Call until it gives nothing.
    ///
    /// A fault that came and went while nobody listened is not told. It stood for no one, and it cannot pile up.
    pub fn poll_signal(&mut self) -> Option<FaultSignal> {
        let gone = self.told.iter().find(|fault| !self.standing.contains(*fault));
        if let Some(fault) = gone {
            self.told = PortFaults(self.told.0 & !PortFaults::bit(fault));
            return Some(FaultSignal::new(fault.on(self.part), FaultChange::Cleared));
        }
        let new = self.standing.iter().find(|fault| !self.told.contains(*fault))?;
        self.told = self.told.with(new);
        let errno = self.errno.filter(|_| new.is_of_the_port());
        Some(FaultSignal::new(new.on(self.part), FaultChange::Raised).with_errno(errno))
    }

    pub fn has_signal(&self) -> bool {
        self.told != self.standing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Line {
        health: PortHealth,
        counts: LinkCounts,
    }

    impl Line {
        fn new() -> Self {
            Self { health: PortHealth::new(Part::Reader, true), counts: LinkCounts::default() }
        }

        fn at(&mut self, now: u64, link: LinkState) -> Vec<PortFault> {
            self.health.assess(link, PortFault::WrongSerial, &self.counts, false, Millis(now));
            self.health.standing().iter().collect()
        }
    }

    #[test]
    fn a_loose_plug_is_one_fault_until_the_link_is_up() {
        let mut line = Line::new();
        line.health.handle_opened(Millis(0));
        assert_eq!(line.at(0, LinkState::Up), []);
        for round in 0..10 {
            line.health.handle_closed(PortFault::HungUp, Some(5));
            assert_eq!(line.at(1_000 + round * 500, LinkState::Lost(Loss::PortClosed)), [PortFault::HungUp]);
            line.health.handle_opened(Millis(1_200 + round * 500));
            assert_eq!(line.at(1_200 + round * 500, LinkState::Lost(Loss::PortClosed)), [PortFault::HungUp]);
        }
        let told: Vec<FaultSignal> = std::iter::from_fn(|| line.health.poll_signal()).collect();
        assert_eq!(told.iter().map(|signal| signal.errno).collect::<Vec<_>>(), [Some(5)]);
        assert_eq!(line.at(9_000, LinkState::Up), []);
    }

    #[test]
    fn a_port_that_returned_without_its_device_is_silent_and_then_garbage_when_it_is() {
        let mut line = Line::new();
        line.health.handle_closed(PortFault::Absent, Some(2));
        line.health.handle_opened(Millis(10_000));
        let lost = LinkState::Lost(Loss::PortClosed);
        assert_eq!(line.at(12_999, lost), [PortFault::Absent]);
        assert_eq!(line.at(13_000, lost), [PortFault::Silent]);
        line.counts.line.bytes = 5;
        assert_eq!(line.at(13_500, lost), [PortFault::Garbage]);
        line.counts.line.frames = 1;
        assert_eq!(line.at(14_000, lost), [PortFault::NoGreeting]);
        assert_eq!(line.at(14_000, LinkState::WrongDevice), [PortFault::WrongSerial]);
        assert_eq!(line.at(17_000, LinkState::WrongDevice), [PortFault::Silent]);
    }

    #[test]
    fn changes_are_told_once_and_clears_come_first() {
        let mut line = Line::new();
        line.health.handle_opened(Millis(0));
        line.at(0, LinkState::Degraded(Degradation::Quiet));
        assert_eq!(line.health.poll_signal().unwrap().to_string_pair(), "RD-030 Raised");
        assert!(line.health.poll_signal().is_none());
        line.at(3_000, LinkState::Lost(Loss::Silence));
        assert_eq!(line.health.poll_signal().unwrap().to_string_pair(), "RD-030 Cleared");
        assert_eq!(line.health.poll_signal().unwrap().to_string_pair(), "RD-010 Raised");
        assert!(!line.health.has_signal());
    }

    impl FaultSignal {
        fn to_string_pair(self) -> String {
            format!("{} {:?}", self.code, self.change)
        }
    }
}
