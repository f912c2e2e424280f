//! Version 2 of the link: the same messages, sealed between two ends that have been paired.
//!
//! A session begins with a Noise KK handshake, whose two messages carry the two HELLO; every message after that is
//! encrypted and authenticated under its keys with a counter that only grows. All frames of one form have one length, so
//! that nothing can be told from it. The session machines of [`link`](crate::link) are the same for both versions: what
//! is sealed here is what they say in version 1.
//!
//! The handshake and the cipher are those of the crate `snow`. There is no randomness here: whoever starts an end brings
//! a [`Seed`], new for each start.

mod channel;
mod noise;
pub mod pairing;
pub mod wire;

use std::fmt;

use sha2::{Digest, Sha256};
use zeroize::{Zeroize, Zeroizing};

pub(crate) use channel::{Channel, Opened, Refused};

pub const KEY_LENGTH: usize = 32;

/// What is agreed with the device on a port, or known to a device.
#[derive(Clone, Debug, Default)]
pub enum Protection {
    /// Version 1, in the clear: whoever holds the cable reads and writes it.
    #[default]
    None,
    Paired(Paired),
}

/// An end that is paired with another, for one start.
#[derive(Clone, Debug)]
pub struct Paired {
    pub keys: PairKeys,
    pub seed: Seed,
}

/// What one end keeps of a pairing: its own secret, and whom it talks to. Wiped when dropped; prints as nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct PairKeys {
    own: Zeroizing<[u8; KEY_LENGTH]>,
    peer: [u8; KEY_LENGTH],
}

impl PairKeys {
    pub fn new(own_secret: &[u8; KEY_LENGTH], peer_public: [u8; KEY_LENGTH]) -> Self {
        Self { own: Zeroizing::new(*own_secret), peer: peer_public }
    }

    /// Both ends of a pair, for whoever makes both: a simulator, a test.
    pub fn of_two(controller: &[u8; KEY_LENGTH], device: &[u8; KEY_LENGTH]) -> (Self, Self) {
        (Self::new(controller, noise::public_of(device)), Self::new(device, noise::public_of(controller)))
    }

    /// Keys to which nobody has the other half: a line that must be paired and is not yet stays closed.
    pub fn of_nobody(seed: &Seed) -> Self {
        let [own, other] = ["own half of nobody", "other half of nobody"].map(|purpose| seed.for_use(purpose, 0));
        Self::new(own.bytes(), noise::public_of(other.bytes()))
    }

    /// For the file that it is kept in.
    pub fn own_secret(&self) -> &[u8; KEY_LENGTH] {
        &self.own
    }

    pub fn peer_public(&self) -> &[u8; KEY_LENGTH] {
        &self.peer
    }
}

impl fmt::Debug for PairKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PairKeys")
    }
}

/// Thirty-two bytes that nobody can guess, and that no other start has had. Prints as nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct Seed(Zeroizing<[u8; KEY_LENGTH]>);

impl Seed {
    pub fn new(mut random: [u8; KEY_LENGTH]) -> Self {
        let seed = Self(Zeroizing::new(random));
        random.zeroize();
        seed
    }

    /// Another seed for one use, which tells nothing about this one or about its other uses.
    pub(crate) fn for_use(&self, purpose: &str, number: u64) -> Self {
        let mut hash = Sha256::new();
        hash.update(*self.0);
        hash.update(number.to_be_bytes());
        hash.update(purpose.as_bytes());
        Self(Zeroizing::new(hash.finalize().into()))
    }

    pub(crate) fn bytes(&self) -> &[u8; KEY_LENGTH] {
        &self.0
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_secret_is_printed_and_every_use_has_a_seed_of_its_own() {
        let keys = PairKeys::new(&[7; KEY_LENGTH], [8; KEY_LENGTH]);
        let paired = Protection::Paired(Paired { keys, seed: Seed::new([9; KEY_LENGTH]) });
        assert_eq!(format!("{paired:?}"), "Paired(Paired { keys: PairKeys, seed: Seed })");
        let seed = Seed::new([9; KEY_LENGTH]);
        assert_ne!(seed.for_use("session", 1), seed.for_use("session", 2));
        assert_ne!(seed.for_use("session", 1), seed.for_use("pairing", 1));
        assert_eq!(seed.for_use("session", 1), Seed::new([9; KEY_LENGTH]).for_use("session", 1));
    }
}
