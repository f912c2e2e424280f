//! How two ends come to have one another's keys: a Noise XX handshake, and a code that people compare.
//!
//! Nobody vouches for the line while this goes on, so somebody in the middle may pair with each end. The codes at both ends
//! are made of the whole handshake and differ then. Twenty digits and a controller's key that is new at every pairing leave
//! nothing to prepare: whoever wants the same code at both ends has one try in about 10^20.

use std::fmt;

use sha2::{Digest, Sha256};
use snow::{HandshakeState, StatelessTransportState};
use zeroize::Zeroizing;

use super::noise::{self, Role};
use super::wire::{Form, PAIRING_TEXT, PairingStep, PairingText, ProtectedFrame, TAG_LENGTH};
use super::{KEY_LENGTH, PairKeys, Seed};
use crate::frame::{DeviceKind, Direction};
use crate::link::Millis;

/// How often the same is said until it is answered.
const AGAIN_AFTER_MS: u64 = 500;
/// A device that is willing says so this often.
const WILLING_EVERY_MS: u64 = 1_000;
/// And for so long, after somebody has pressed its button.
pub const WILLING_FOR_MS: u64 = 300_000;

const FIRST_LENGTH: usize = KEY_LENGTH;
const SECOND_LENGTH: usize = 2 * KEY_LENGTH + 2 * TAG_LENGTH;
const THIRD_LENGTH: usize = KEY_LENGTH + 2 * TAG_LENGTH;

/// What both ends show: twenty digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairingCode([u8; 20]);

impl PairingCode {
    fn of(handshake: &[u8]) -> Self {
        let mut hash = Sha256::new();
        hash.update(b"holecard pairing code");
        hash.update(handshake);
        let hash: [u8; KEY_LENGTH] = hash.finalize().into();
        let mut number = hash.iter().take(16).fold(0_u128, |number, byte| (number << 8) | u128::from(*byte));
        let mut digits = [0; 20];
        for digit in digits.iter_mut().rev() {
            *digit = u8::try_from(number % 10).unwrap_or(0);
            number /= 10;
        }
        Self(digits)
    }

    /// Whether somebody has typed this code; spaces and dashes do not matter.
    pub fn is(&self, typed: &str) -> bool {
        let digits: Option<Vec<u8>> = typed
            .chars()
            .filter(|sign| *sign != ' ' && *sign != '-')
            .map(|sign| sign.to_digit(10).and_then(|digit| u8::try_from(digit).ok()))
            .collect();
        digits.is_some_and(|digits| digits == self.0)
    }
}

impl fmt::Display for PairingCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, digit) in self.0.iter().enumerate() {
            let space = if place > 0 && place % 4 == 0 { " " } else { "" };
            write!(f, "{space}{digit}")?;
        }
        Ok(())
    }
}

/// A pairing that both ends have finished and nobody has confirmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairingOffer {
    pub code: PairingCode,
    pub keys: PairKeys,
}

/// A message that is said until it is answered.
struct Standing {
    bytes: Zeroizing<Vec<u8>>,
    due: Millis,
}

impl Standing {
    fn take(&mut self, now: Millis) -> Option<Zeroizing<Vec<u8>>> {
        if self.due > now {
            return None;
        }
        self.due = now + AGAIN_AFTER_MS;
        Some(self.bytes.clone())
    }
}

fn message(kind: DeviceKind, direction: Direction, step: PairingStep, text: &[u8]) -> Zeroizing<Vec<u8>> {
    let mut padded = Box::new([0; PAIRING_TEXT]);
    padded[..text.len()].copy_from_slice(text);
    ProtectedFrame { kind, direction, form: Form::Pairing { step, text: padded } }.encode()
}

/// The next message of a handshake, with nothing inside. The crate wants room for a tag even where there is none.
fn write<const LENGTH: usize>(state: &mut HandshakeState) -> Option<[u8; LENGTH]> {
    let mut room = [0; PAIRING_TEXT + TAG_LENGTH];
    let written = state.write_message(&[], &mut room).ok()?;
    room.get(..written)?.try_into().ok()
}

/// A lasting key of one end, new for each pairing.
fn own_key(seed: &Seed) -> Seed {
    seed.for_use("key of a pairing", 0)
}

fn finish(state: HandshakeState, own: &Seed) -> Option<(PairingOffer, StatelessTransportState)> {
    let code = PairingCode::of(state.get_handshake_hash());
    let peer: [u8; KEY_LENGTH] = state.get_remote_static()?.try_into().ok()?;
    let keys = PairKeys::new(own.bytes(), peer);
    Some((PairingOffer { code, keys }, state.into_stateless_transport_mode().ok()?))
}

/// The controller's end.
pub(crate) struct PairingHost {
    kind: DeviceKind,
    state: HostState,
}

enum HostState {
    /// For a device that is willing.
    Waiting,
    Asked {
        state: Box<HandshakeState>,
        own: Seed,
        said: Standing,
    },
    Confirming {
        transport: Box<StatelessTransportState>,
        offer: PairingOffer,
        said: Standing,
    },
    Offered(PairingOffer),
}

impl fmt::Debug for PairingHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PairingHost")
    }
}

impl PairingHost {
    pub(crate) fn new(kind: DeviceKind) -> Self {
        Self { kind, state: HostState::Waiting }
    }

    pub(crate) fn offer(&self) -> Option<&PairingOffer> {
        match &self.state {
            HostState::Offered(offer) => Some(offer),
            HostState::Waiting | HostState::Asked { .. } | HostState::Confirming { .. } => None,
        }
    }

    /// `seed` is for this message alone.
    pub(crate) fn handle(&mut self, step: PairingStep, text: &[u8; PAIRING_TEXT], seed: Seed, now: Millis) {
        match (step, &mut self.state) {
            // A device that is willing once more has begun anew: its button, or its power. While it has not answered
            // yet, it answers the question that stands.
            (PairingStep::Willing, HostState::Waiting | HostState::Confirming { .. } | HostState::Offered(_)) => {
                self.state = self.ask(seed, now).unwrap_or(HostState::Waiting);
            }
            (PairingStep::Second, HostState::Asked { .. }) => self.confirm(text, now),
            (PairingStep::Done, HostState::Confirming { transport, offer, .. }) => {
                let mut nothing = [0; TAG_LENGTH];
                if transport.read_message(0, &text[..TAG_LENGTH], &mut nothing).is_ok() {
                    self.state = HostState::Offered(offer.clone());
                }
            }
            (
                PairingStep::Willing
                | PairingStep::First
                | PairingStep::Second
                | PairingStep::Third
                | PairingStep::Done,
                _,
            ) => {}
        }
    }

    fn ask(&self, seed: Seed, now: Millis) -> Option<HostState> {
        let own = own_key(&seed);
        let mut state = Box::new(noise::pairing(Role::Controller, self.kind, &own, seed)?);
        let first = write::<FIRST_LENGTH>(&mut state)?;
        let bytes = message(self.kind, Direction::FromController, PairingStep::First, &first);
        Some(HostState::Asked { state, own, said: Standing { bytes, due: now } })
    }

    fn confirm(&mut self, second: &[u8; PAIRING_TEXT], now: Millis) {
        let HostState::Asked { state, .. } = &mut self.state else { return };
        // What cannot be read changes nothing: the true answer may still come.
        if state.read_message(&second[..SECOND_LENGTH], &mut [0; TAG_LENGTH]).is_err() {
            return;
        }
        let HostState::Asked { mut state, own, .. } = std::mem::replace(&mut self.state, HostState::Waiting) else {
            return;
        };
        let Some(third) = write::<THIRD_LENGTH>(&mut state) else { return };
        let bytes = message(self.kind, Direction::FromController, PairingStep::Third, &third);
        if let Some((offer, transport)) = finish(*state, &own) {
            let said = Standing { bytes, due: now };
            self.state = HostState::Confirming { transport: Box::new(transport), offer, said };
        }
    }

    pub(crate) fn poll_transmit(&mut self, now: Millis) -> Option<Zeroizing<Vec<u8>>> {
        match &mut self.state {
            HostState::Asked { said, .. } | HostState::Confirming { said, .. } => said.take(now),
            HostState::Waiting | HostState::Offered(_) => None,
        }
    }

    pub(crate) fn deadline(&self) -> Option<Millis> {
        match &self.state {
            HostState::Asked { said, .. } | HostState::Confirming { said, .. } => Some(said.due),
            HostState::Waiting | HostState::Offered(_) => None,
        }
    }
}

/// The device's end, from the press of its button on.
pub(crate) struct PairingDevice {
    kind: DeviceKind,
    seed: Seed,
    handshakes: u64,
    until: Millis,
    willing_due: Millis,
    state: DeviceState,
}

enum DeviceState {
    Willing,
    Answered { state: Box<HandshakeState>, own: Seed, first: PairingText, second: Zeroizing<Vec<u8>> },
    Offered { third: PairingText, done: Zeroizing<Vec<u8>>, offer: PairingOffer },
}

impl fmt::Debug for PairingDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PairingDevice")
    }
}

impl PairingDevice {
    pub(crate) fn new(kind: DeviceKind, seed: Seed, now: Millis) -> Self {
        let until = now + WILLING_FOR_MS;
        Self { kind, seed, handshakes: 0, until, willing_due: now, state: DeviceState::Willing }
    }

    pub(crate) fn spare_seed(&mut self) -> Seed {
        self.handshakes += 1;
        self.seed.for_use("beside the pairings", self.handshakes)
    }

    pub(crate) fn is_over(&self, now: Millis) -> bool {
        now >= self.until
    }

    pub(crate) fn offer(&self) -> Option<&PairingOffer> {
        match &self.state {
            DeviceState::Offered { offer, .. } => Some(offer),
            DeviceState::Willing | DeviceState::Answered { .. } => None,
        }
    }

    /// What there is to answer.
    pub(crate) fn handle(&mut self, step: PairingStep, text: PairingText) -> Option<Zeroizing<Vec<u8>>> {
        match step {
            PairingStep::First => self.answer(text),
            PairingStep::Third => self.conclude(text),
            PairingStep::Willing | PairingStep::Second | PairingStep::Done => None,
        }
    }

    fn answer(&mut self, first: PairingText) -> Option<Zeroizing<Vec<u8>>> {
        if let DeviceState::Answered { first: before, second, .. } = &self.state
            && *before == first
        {
            return Some(second.clone());
        }
        let seed = self.seed.for_use("pairing", self.handshakes);
        self.handshakes += 1;
        let own = own_key(&seed);
        let mut state = Box::new(noise::pairing(Role::Device, self.kind, &own, seed)?);
        state.read_message(&first[..FIRST_LENGTH], &mut [0; TAG_LENGTH]).ok()?;
        let text = write::<SECOND_LENGTH>(&mut state)?;
        let second = message(self.kind, Direction::FromDevice, PairingStep::Second, &text);
        self.state = DeviceState::Answered { state, own, first, second: second.clone() };
        Some(second)
    }

    fn conclude(&mut self, third: PairingText) -> Option<Zeroizing<Vec<u8>>> {
        if let DeviceState::Offered { third: before, done, .. } = &self.state {
            return (*before == third).then(|| done.clone());
        }
        let DeviceState::Answered { state, .. } = &mut self.state else { return None };
        state.read_message(&third[..THIRD_LENGTH], &mut [0; TAG_LENGTH]).ok()?;
        let DeviceState::Answered { state, own, .. } = std::mem::replace(&mut self.state, DeviceState::Willing) else {
            return None;
        };
        let (offer, transport) = finish(*state, &own)?;
        let mut text = [0; TAG_LENGTH];
        transport.write_message(0, &[], &mut text).ok()?;
        let done = message(self.kind, Direction::FromDevice, PairingStep::Done, &text);
        self.state = DeviceState::Offered { third, done: done.clone(), offer };
        Some(done)
    }

    pub(crate) fn poll_transmit(&mut self, now: Millis) -> Option<Zeroizing<Vec<u8>>> {
        match &self.state {
            DeviceState::Willing if self.willing_due <= now && !self.is_over(now) => {
                self.willing_due = now + WILLING_EVERY_MS;
                Some(message(self.kind, Direction::FromDevice, PairingStep::Willing, &[]))
            }
            DeviceState::Willing | DeviceState::Answered { .. } | DeviceState::Offered { .. } => None,
        }
    }

    pub(crate) fn deadline(&self) -> Millis {
        match &self.state {
            DeviceState::Willing => self.willing_due.min(self.until),
            DeviceState::Answered { .. } | DeviceState::Offered { .. } => self.until,
        }
    }
}
