//! Shuffled PIN pads: whoever watches the fingers, or wipes the glass for marks, learns nothing.
//!
//! A pad is good for one PIN and for a short time. The page sends positions; which digit lay where is known here.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use zeroize::Zeroizing;

use crate::secret::{self, SecretError};

/// Two pads for one action, and somebody who walks away from one.
const PADS_MAX: usize = 32;
const LIFE: Duration = Duration::from_secs(180);

#[derive(Debug)]
pub(super) struct Pad {
    pub(super) id: String,
    /// The digit on each of the ten keys.
    pub(super) digits: [u8; 10],
}

#[derive(Debug, Default)]
pub(super) struct Pads {
    out: Mutex<VecDeque<(Pad, Instant)>>,
}

impl Pads {
    /// A new pad; the oldest one out is void if there are too many.
    pub(super) fn deal(&self) -> Result<Pad, SecretError> {
        let id: String = secret::random_hex()?.chars().take(32).collect();
        let digits = shuffled()?;
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        while out.len() >= PADS_MAX {
            out.pop_front();
        }
        out.push_back((Pad { id: id.clone(), digits }, Instant::now()));
        Ok(Pad { id, digits })
    }

    /// The PIN behind these positions. The pad is void afterwards, whatever comes of it.
    pub(super) fn read(&self, id: &str, positions: &str) -> Option<Zeroizing<String>> {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        let at = out.iter().position(|(pad, _)| pad.id == id)?;
        let (pad, dealt) = out.remove(at)?;
        if dealt.elapsed() > LIFE {
            return None;
        }
        let mut pin = Zeroizing::new(String::with_capacity(positions.len()));
        for position in positions.chars() {
            let key = usize::try_from(position.to_digit(10)?).ok()?;
            pin.push(char::from(b'0' + pad.digits[key]));
        }
        Some(pin)
    }
}

/// All orders equally likely.
fn shuffled() -> Result<[u8; 10], SecretError> {
    let mut digits = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    for last in (1..digits.len()).rev() {
        let other = below(last + 1)?;
        digits.swap(last, other);
    }
    Ok(digits)
}

/// A random number below `limit` (at most 10); bytes that would favour some are thrown away.
fn below(limit: usize) -> Result<usize, SecretError> {
    let fair = 256 - 256 % limit;
    loop {
        let mut byte = [0];
        getrandom::fill(&mut byte).map_err(|error| SecretError::NoRandomness(error.to_string()))?;
        let number = usize::from(byte[0]);
        if number < fair {
            return Ok(number % limit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn positions(pad: &Pad, pin: &str) -> String {
        let key = |digit: u8| pad.digits.iter().position(|each| *each == digit).unwrap();
        pin.bytes().map(|digit| key(digit - b'0').to_string()).collect()
    }

    #[test]
    fn a_pad_has_every_digit_once_and_reads_one_pin_back() {
        let pads = Pads::default();
        let pad = pads.deal().unwrap();
        let mut sorted = pad.digits;
        sorted.sort_unstable();
        assert_eq!(sorted, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        let typed = positions(&pad, "295817");
        assert_eq!(pads.read(&pad.id, &typed).unwrap().as_str(), "295817");
        assert!(pads.read(&pad.id, &typed).is_none(), "used twice");
        let other = pads.deal().unwrap();
        assert!(pads.read(&other.id, "12a").is_none());
        assert!(pads.read(&other.id, "12").is_none(), "void after a mistake");
        assert!(pads.read("nobody's", "12").is_none());
    }

    #[test]
    fn pads_differ() {
        let pads = Pads::default();
        let first = pads.deal().unwrap();
        // Twenty equal shuffles in a row: one in 10!^20.
        assert!((0..20).any(|_| pads.deal().unwrap().digits != first.digits));
    }

    #[tokio::test(start_paused = true)]
    async fn old_and_surplus_pads_are_void() {
        let pads = Pads::default();
        let old = pads.deal().unwrap();
        tokio::time::advance(LIFE + Duration::from_secs(1)).await;
        assert!(pads.read(&old.id, "0").is_none());
        let first = pads.deal().unwrap();
        for _ in 0..PADS_MAX {
            pads.deal().unwrap();
        }
        assert!(pads.read(&first.id, "0").is_none());
        assert_eq!(pads.out.lock().unwrap().len(), PADS_MAX);
    }
}
