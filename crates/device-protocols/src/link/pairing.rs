//! Pairing, as both ends of a link take part in it. See [`protection::pairing`](crate::protection::pairing).

use super::core::Heard;
use super::{DeviceNotice, LinkDevice, LinkHost, LinkState, Loss, Millis};
use crate::message::DeviceProtocol;
use crate::protection::pairing::{PairingCode, PairingDevice, PairingHost, PairingOffer};
use crate::protection::wire::{GreetingText, PairingStep, PairingText};
use crate::protection::{PairKeys, Paired, Seed};

impl<P: DeviceProtocol> LinkHost<P> {
    /// Whether a device that is willing is paired with: in service mode, and on a port that is to be protected.
    pub fn allow_pairing(&mut self, allowed: bool) {
        if !allowed || !self.core.is_paired() {
            self.pairing = None;
        } else if self.pairing.is_none() {
            self.pairing = Some(PairingHost::new(P::KIND));
        }
    }

    /// What the handshake came to, for two people to confirm.
    pub fn pairing_offer(&self) -> Option<&PairingOffer> {
        self.pairing.as_ref().and_then(PairingHost::offer)
    }

    /// Speaks with the device of these keys from now on, and with no other.
    pub fn set_keys(&mut self, keys: PairKeys, now: Millis) {
        self.core.advance(now);
        self.core.set_keys(keys);
        self.pairing = None;
        if self.state.is_live() {
            self.lose(Loss::NoHello);
        } else if self.state == LinkState::WrongDevice {
            self.state = LinkState::Down;
        }
        self.greeting = None;
        self.start_greeting();
    }

    pub(super) fn handle_pairing(&mut self, step: PairingStep, text: &PairingText) {
        let now = self.core.now;
        if let (Some(pairing), Some(seed)) = (&mut self.pairing, self.core.seed_for_pairing()) {
            pairing.handle(step, text, seed, now);
        }
    }
}

impl<P: DeviceProtocol> LinkDevice<P> {
    /// Somebody has pressed the device's button: for a while it pairs with whoever asks.
    pub fn open_pairing(&mut self, seed: Seed, now: Millis) {
        self.core.advance(now);
        self.pairing = Some(PairingDevice::new(P::KIND, seed, self.core.now));
    }

    /// For the device's display.
    pub fn pairing_code(&self) -> Option<PairingCode> {
        self.pairing.as_ref().and_then(PairingDevice::offer).map(|offer| offer.code)
    }

    pub(super) fn handle_pairing(&mut self, step: PairingStep, text: PairingText) {
        let now = self.core.now;
        if self.pairing.as_ref().is_some_and(|pairing| pairing.is_over(now)) {
            self.pairing = None;
        }
        if let Some(answer) = self.pairing.as_mut().and_then(|pairing| pairing.handle(step, text)) {
            self.core.answer_bytes(answer);
        }
    }

    /// A greeting under the keys of the pairing that was offered: the controller's people have confirmed it. The device
    /// belongs to that controller from now on.
    pub(super) fn try_to_adopt(&mut self, greeting: GreetingText) {
        let Some(pairing) = &mut self.pairing else { return };
        let Some(PairingOffer { keys, .. }) = pairing.offer().cloned() else { return };
        if !self.core.adopt(Paired { keys: keys.clone(), seed: pairing.spare_seed() }, &greeting) {
            return;
        }
        self.pairing = None;
        if self.state.is_live() {
            self.lose(Loss::NoHello);
        }
        self.notify(DeviceNotice::Paired { keys });
        self.handle_heard(Heard::Greeting(greeting));
    }
}
