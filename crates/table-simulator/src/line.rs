//! A bad cable: one direction of a line that drops, repeats, damages and delays what is written to it.
//!
//! It never reorders, because neither a tty nor a TCP stream does. What is in flight is wiped when dropped: on a shoe's
//! line it may be a card.

use std::collections::VecDeque;

use device_protocols::link::Millis;
use zeroize::Zeroizing;

use crate::dice::Dice;

/// How bad the line is, in thousandths of the messages written to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineFaults {
    /// A whole message, or one byte of it, never arrives.
    pub drop_per_mille: u16,
    /// A whole message, or one byte of it, arrives twice.
    pub duplicate_per_mille: u16,
    /// One bit is flipped.
    pub garble_per_mille: u16,
    pub delay_per_mille: u16,
    pub delay_ms_max: u64,
}

impl LineFaults {
    pub const NONE: Self =
        Self { drop_per_mille: 0, duplicate_per_mille: 0, garble_per_mille: 0, delay_per_mille: 0, delay_ms_max: 0 };
}

#[derive(Debug)]
pub(crate) struct FaultyLine {
    pub(crate) faults: LineFaults,
    /// Nothing gets through at all.
    pub(crate) silent: bool,
    dice: Dice,
    in_flight: VecDeque<InFlight>,
    last_arrival: Millis,
}

struct InFlight {
    at: Millis,
    bytes: Zeroizing<Vec<u8>>,
}

impl std::fmt::Debug for InFlight {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "[{} bytes at {}]", self.bytes.len(), self.at.0)
    }
}

impl FaultyLine {
    pub(crate) fn new(dice: Dice) -> Self {
        Self {
            faults: LineFaults::NONE,
            silent: false,
            dice,
            in_flight: VecDeque::new(),
            last_arrival: Millis::default(),
        }
    }

    pub(crate) fn send(&mut self, bytes: &[u8], now: Millis) {
        if self.silent || bytes.is_empty() {
            return;
        }
        let mut bytes = Zeroizing::new(bytes.to_vec());
        if self.dice.per_mille(self.faults.drop_per_mille) {
            if self.dice.per_mille(500) {
                return;
            }
            let place = self.dice.index(bytes.len());
            bytes.remove(place);
        }
        let mut copies = 1;
        if self.dice.per_mille(self.faults.duplicate_per_mille) {
            if self.dice.per_mille(500) {
                copies = 2;
            } else if !bytes.is_empty() {
                let place = self.dice.index(bytes.len());
                let byte = bytes[place];
                bytes.insert(place, byte);
            }
        }
        for _ in 0..copies {
            let mut copy = bytes.clone();
            if self.dice.per_mille(self.faults.garble_per_mille) && !copy.is_empty() {
                let place = self.dice.index(copy.len());
                copy[place] ^= 1 << self.dice.below(8);
            }
            let late = self.dice.per_mille(self.faults.delay_per_mille);
            let delay = if late { self.dice.below(self.faults.delay_ms_max.saturating_add(1)) } else { 0 };
            self.last_arrival = self.last_arrival.max(now + delay);
            self.in_flight.push_back(InFlight { at: self.last_arrival, bytes: copy });
        }
    }

    /// The power goes while this message is being written: only its beginning gets out.
    pub(crate) fn send_cut(&mut self, bytes: &[u8], now: Millis) {
        let kept = self.dice.index(bytes.len());
        self.send(&bytes[..kept], now);
    }

    pub(crate) fn take_arrived(&mut self, now: Millis) -> Option<Zeroizing<Vec<u8>>> {
        self.in_flight.pop_front_if(|item| item.at <= now).map(|item| item.bytes)
    }

    pub(crate) fn next_arrival(&self) -> Option<Millis> {
        self.in_flight.front().map(|item| item.at)
    }

    pub(crate) fn clear(&mut self) {
        self.in_flight.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrived(faults: LineFaults) -> Vec<Vec<u8>> {
        let mut line = FaultyLine::new(Dice::new(3));
        line.faults = faults;
        for number in 1..=50 {
            line.send(&[number, 200, 201], Millis(u64::from(number)));
        }
        std::iter::from_fn(|| line.take_arrived(Millis(10_000))).map(|bytes| bytes.to_vec()).collect()
    }

    #[test]
    fn a_good_line_gives_back_what_it_got() {
        let all = arrived(LineFaults::NONE);
        assert!(all.iter().eq((1..=50).map(|number| vec![number, 200, 201]).collect::<Vec<_>>().iter()));
    }

    #[test]
    fn each_fault_shows_and_order_is_kept() {
        let dropping = arrived(LineFaults { drop_per_mille: 300, ..LineFaults::NONE });
        assert!(dropping.len() < 50 && dropping.iter().any(|bytes| bytes.len() == 2));
        let doubling = arrived(LineFaults { duplicate_per_mille: 300, ..LineFaults::NONE });
        assert!(doubling.len() > 50 && doubling.iter().any(|bytes| bytes.len() == 4));
        let garbling = arrived(LineFaults { garble_per_mille: 300, ..LineFaults::NONE });
        assert_eq!(garbling.len(), 50);
        assert_ne!(garbling, arrived(LineFaults::NONE));
        let delaying = arrived(LineFaults { delay_per_mille: 300, delay_ms_max: 500, ..LineFaults::NONE });
        assert_eq!(delaying, arrived(LineFaults::NONE), "late, but all and in order");
    }
}
