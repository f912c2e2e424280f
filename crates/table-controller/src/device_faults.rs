//! What a serial device says of its own faults: one at a time as events, or all at once in its STATE.
//!
//! STATE is the whole truth after a restart of either side. It is turned into the raises and clears that were missed, so
//! that the record has them in pairs, for every device alike. What a device said of itself counts until the device itself
//! says otherwise: neither a lost link nor our own restart ends it.

use device_protocols::fault_code::FaultCode;
use device_protocols::faults::{DeviceFault, FaultSet};
use device_protocols::frame::DeviceKind;

use crate::controller::Controller;
use crate::devices::{StandingFault, is_of_the_part};
use crate::input::{FaultInput, Part};

/// News of a device's own faults.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FaultNews {
    Raised(FaultCode),
    Cleared(FaultCode),
    /// All that stand, from STATE.
    Standing(Vec<FaultCode>),
}

impl FaultNews {
    pub fn raised<F: DeviceFault>(kind: DeviceKind, fault: F) -> Self {
        Self::Raised(FaultCode::of_device(kind, fault))
    }

    pub fn cleared<F: DeviceFault>(kind: DeviceKind, fault: F) -> Self {
        Self::Cleared(FaultCode::of_device(kind, fault))
    }

    pub fn standing<F: DeviceFault>(kind: DeviceKind, faults: FaultSet<F>) -> Self {
        Self::Standing(faults.iter().map(|fault| FaultCode::of_device(kind, fault)).collect())
    }
}

impl StandingFault {
    /// Said by a serial device about itself.
    pub(crate) fn is_told_by_device(&self) -> bool {
        is_told_by_device(self.part, &self.code)
    }

    fn cleared(&self) -> FaultInput {
        FaultInput { place: self.place.clone(), ..FaultInput::of(self.part, &self.code, false) }
    }
}

pub(crate) fn is_told_by_device(part: Part, code: &str) -> bool {
    let serial = match part {
        Part::Reader | Part::Shuffler | Part::Shoe => true,
        Part::LockOut | Part::Sensor | Part::Lamp | Part::Expander | Part::Board | Part::Controller => false,
    };
    serial && is_of_the_part(code)
}

impl Controller {
    /// The inputs that the news of a device at `place` leads to. An event is recorded as it came; of a STATE what
    /// differs from what is known here.
    pub fn fault_inputs(&self, part: Part, place: Option<&str>, news: &FaultNews) -> Vec<FaultInput> {
        let at = |code: &FaultCode, raised| FaultInput {
            place: place.map(str::to_owned),
            ..FaultInput::of(part, &code.to_string(), raised)
        };
        match news {
            FaultNews::Raised(code) => vec![at(code, true)],
            FaultNews::Cleared(code) => vec![at(code, false)],
            FaultNews::Standing(told) => {
                let raised = told.iter().map(|code| at(code, true)).filter(|fault| !self.knows_fault(fault));
                let known = self.state.faults.iter().filter(|fault| fault.part == part && fault.is_told_by_device());
                let here = known.filter(|fault| fault.place.as_deref() == place);
                let gone = here.filter(|fault| !told.iter().any(|code| code.to_string() == fault.code));
                raised.chain(gone.map(StandingFault::cleared)).collect()
            }
        }
    }

    /// Ends what was said by devices that no longer are at any of `places`: nobody else would ever take it back.
    pub fn faults_of_absent_devices(&self, places: &[String]) -> Vec<FaultInput> {
        let absent = |fault: &&StandingFault| !fault.place.as_ref().is_some_and(|place| places.contains(place));
        let told = self.state.faults.iter().filter(|fault| fault.is_told_by_device());
        told.filter(absent).map(StandingFault::cleared).collect()
    }
}
