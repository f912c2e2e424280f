//! A line that loses, damages, repeats and delays, but does not reorder; and the dice that decide.

use std::collections::VecDeque;

use device_protocols::link::Millis;

/// SplitMix64: small, and the same on every machine, so that a failing seed stays a failing seed.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.roll() % limit
    }

    pub(crate) fn per_mille(&mut self, chance: u64) -> bool {
        self.below(1_000) < chance
    }
}

/// How bad the line is, in thousandths.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Weather {
    pub(crate) drop: u64,
    pub(crate) duplicate: u64,
    pub(crate) damage: u64,
    pub(crate) delay: u64,
    pub(crate) delay_ms_max: u64,
    /// Somebody with a cable: an old frame again, one with changed bytes and a right checksum, one before another.
    pub(crate) replay: u64,
    pub(crate) tamper: u64,
    pub(crate) reorder: u64,
}

#[derive(Default)]
pub(crate) struct Line {
    in_flight: VecDeque<InFlight>,
    last_arrival: Millis,
    /// What somebody with a cable has seen, all of it.
    recorded: Vec<Vec<u8>>,
}

pub(crate) struct InFlight {
    pub(crate) at: Millis,
    pub(crate) bytes: Vec<u8>,
    pub(crate) damaged: bool,
}

impl Line {
    pub(crate) fn send(&mut self, bytes: &[u8], now: Millis, weather: Weather, dice: &mut Dice) {
        if dice.per_mille(weather.drop) {
            return;
        }
        let copies = if dice.per_mille(weather.duplicate) { 2 } else { 1 };
        for _ in 0..copies {
            let mut bytes = bytes.to_vec();
            let damaged = dice.per_mille(weather.damage);
            if damaged {
                let place = usize::try_from(dice.below(bytes.len() as u64)).unwrap();
                bytes[place] ^= 1 << dice.below(8);
            }
            let delay = 2 + if dice.per_mille(weather.delay) { dice.below(weather.delay_ms_max) } else { 0 };
            self.last_arrival = self.last_arrival.max(now + delay);
            self.in_flight.push_back(InFlight { at: self.last_arrival, bytes, damaged });
        }
        self.attack(bytes, weather, dice);
    }

    fn attack(&mut self, bytes: &[u8], weather: Weather, dice: &mut Dice) {
        self.recorded.push(bytes.to_vec());
        let at = self.last_arrival;
        let mut forged = Vec::new();
        if dice.per_mille(weather.replay) {
            let place = usize::try_from(dice.below(self.recorded.len() as u64)).unwrap();
            forged.push(self.recorded[place].clone());
        }
        if dice.per_mille(weather.tamper) {
            forged.push(tampered(bytes, dice));
        }
        for bytes in forged {
            let forged = InFlight { at, bytes, damaged: true };
            // Before the true one as well as after it.
            let before = usize::from(dice.per_mille(500)).min(self.in_flight.len());
            self.in_flight.insert(self.in_flight.len() - before, forged);
        }
        let last = self.in_flight.len();
        if last >= 2 && dice.per_mille(weather.reorder) {
            self.in_flight.swap(last - 1, last - 2);
            let (first, second) = (self.in_flight[last - 2].at, self.in_flight[last - 1].at);
            self.in_flight[last - 2].at = first.min(second);
            self.in_flight[last - 1].at = first.max(second);
        }
    }

    pub(crate) fn next_arrival(&self) -> Option<Millis> {
        self.in_flight.front().map(|item| item.at)
    }

    pub(crate) fn take_arrived(&mut self, now: Millis) -> Option<InFlight> {
        self.in_flight.pop_front_if(|item| item.at <= now)
    }
}

/// One changed bit, and a checksum that is right again.
pub(crate) fn tampered(bytes: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut plain = bytes[1..bytes.len() - 1].to_vec();
    let length = cobs::decode_in_place(&mut plain).unwrap();
    plain.truncate(length - 2);
    // Not the version: another one is no frame for anybody.
    let place = 1 + usize::try_from(dice.below(plain.len() as u64 - 1)).unwrap();
    plain[place] ^= 1 << dice.below(8);
    let crc = crc::Crc::<u16>::new(&crc::CRC_16_IBM_3740).checksum(&plain);
    plain.extend(crc.to_le_bytes());
    let mut encoded = vec![0; plain.len() + 3];
    let end = encoded.len() - 1;
    cobs::encode(&plain, &mut encoded[1..end]);
    encoded
}
