//! Pairing a device: what the port offers, what two people have read off the device's display, and the keys in between.
//!
//! The code that they give must be the port's own: a wrong one is refused here, before anything is recorded. The keys are
//! kept and used only when the record of the act is durable.

use device_protocols::protection::PairKeys;
use device_protocols::protection::pairing::PairingOffer;
use operator_api::Action;
use table_controller::{Code, Input, Refused, ShoeSide};

use super::devices::{Port, Ports};
use super::running::Loop;

impl Ports {
    /// In service mode a device whose button was pressed may be paired.
    pub(super) fn allow_pairing(&self, allowed: bool) {
        self.reader.iter().for_each(|(control, _)| control.allow_pairing(allowed));
        self.shuffler.iter().for_each(|(control, _)| control.allow_pairing(allowed));
        self.shoes.iter().for_each(|(_, control, _)| control.port().allow_pairing(allowed));
    }

    fn pairing_offer(&self, port: Port) -> Option<PairingOffer> {
        let shoe = |side| self.shoe(side).and_then(|shoe| shoe.port().status().pairing);
        match port {
            Port::Reader => self.reader.as_ref().and_then(|(control, _)| control.status().pairing),
            Port::Shuffler => self.shuffler.as_ref().and_then(|(control, _)| control.status().pairing),
            Port::LeftShoe => shoe(ShoeSide::Left),
            Port::RightShoe => shoe(ShoeSide::Right),
        }
    }

    fn set_keys(&self, port: Port, keys: PairKeys) {
        let shoe = |side, keys| self.shoe(side).iter().for_each(|shoe| shoe.port().set_keys(PairKeys::clone(&keys)));
        match port {
            Port::Reader => self.reader.iter().for_each(|(control, _)| control.set_keys(keys.clone())),
            Port::Shuffler => self.shuffler.iter().for_each(|(control, _)| control.set_keys(keys.clone())),
            Port::LeftShoe => shoe(ShoeSide::Left, keys),
            Port::RightShoe => shoe(ShoeSide::Right, keys),
        }
    }
}

impl Loop {
    /// The keys that an act would bring into force. Every other input has none.
    pub(super) fn pairing_of(&self, input: &Input) -> Result<Option<(Port, PairKeys)>, Refused> {
        let Input::Person(person) = input else { return Ok(None) };
        let Action::PairDevice { device, code } = &person.action else { return Ok(None) };
        let refused = |reason: &str| Refused { reason: reason.to_owned(), source: Code::ServiceMode.to_string() };
        let port = Port::ALL.into_iter().find(|port| port.word() == device.as_str());
        let port = port.ok_or_else(|| refused("that device is not at this table"))?;
        let offer = self.ports.pairing_offer(port);
        let offer = offer.ok_or_else(|| refused("this device offers no pairing: enter service, press its button"))?;
        if !offer.code.is(code) {
            return Err(refused("that is not the table's code: somebody may be on the line; look along the cable"));
        }
        Ok(Some((port, offer.keys)))
    }

    /// The act is on record: the keys are kept, and the line is theirs from now on.
    pub(super) fn bring_into_force(&self, port: Port, keys: PairKeys) {
        if let Err(error) = self.pairs.write(port.word(), &keys) {
            tracing::error!(%error, device = port.word(), "the keys of a pairing cannot be kept: it ends with this start");
        }
        self.ports.set_keys(port, keys);
    }
}
