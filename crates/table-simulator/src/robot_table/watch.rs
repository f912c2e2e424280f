//! An onlooker who writes down everything that can be seen: prompts, deeds and every byte on every line, sealed payloads
//! masked as a technician would see them. Two rounds that differ only in the hole card must look the same to it.

use device_protocols::frame::DeviceKind;
use device_protocols::link::Millis;
use device_protocols::mask::TrafficMask;
use table_rules::Prompt;
use table_rules::event::Event;

use crate::robot::Deed;

/// One thing seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sighting {
    pub at: Millis,
    pub what: String,
}

#[derive(Debug, Default)]
pub struct Watch {
    on: bool,
    seen: Vec<Sighting>,
    masks: Vec<(DeviceKind, bool, TrafficMask)>,
}

impl Watch {
    pub fn turn_on(&mut self) {
        self.on = true;
    }

    pub fn take(&mut self) -> Vec<Sighting> {
        std::mem::take(&mut self.seen)
    }

    fn see(&mut self, at: Millis, what: String) {
        self.seen.push(Sighting { at, what });
    }

    pub(crate) fn deed(&mut self, prompt: &Prompt, deed: Deed, at: Millis) {
        if self.on {
            self.see(at, format!("{prompt:?} {deed:?}"));
        }
    }

    pub(crate) fn event(&mut self, event: &Event, at: Millis) {
        if self.on {
            self.see(at, format!("{event:?}"));
        }
    }

    pub(crate) fn bytes(&mut self, kind: DeviceKind, from_device: bool, bytes: &[u8], at: Millis) {
        if !self.on {
            return;
        }
        let place = self.masks.iter().position(|(known, from, _)| (*known, *from) == (kind, from_device));
        let place = place.unwrap_or_else(|| {
            self.masks.push((kind, from_device, TrafficMask::new(kind)));
            self.masks.len() - 1
        });
        let (_, _, mask) = &mut self.masks[place];
        for run in mask.handle_bytes(bytes, device_protocols::mask::Watching::InService) {
            self.see(at, format!("{kind} {from_device} {run}"));
        }
        self.see(at, format!("{kind} {from_device} {} bytes", bytes.len()));
    }
}
