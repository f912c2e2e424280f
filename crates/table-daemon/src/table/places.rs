//! Where each part of this table is, in words, and which spots hang on it: what a fault says beside its code.

use std::collections::BTreeMap;

use device_drivers::config::{Devices, SerialLink, Wiring};
use device_drivers::fault::{FaultChange, FaultSignal, Part};
use device_drivers::gpio::LineId;
use device_drivers::gpio::watch::InputReport;
use device_drivers::inputs::SpotSet;
use device_drivers::lamps::LampSignal;
use device_drivers::mcp23017::{BusSignal, ChipAddress, Lamp};
use operator_api::fault_book::{errno_words, explain_source};
use table_controller::{FaultInput, Spot};

use super::devices::Port;
use super::layout::{controller_spot, spots};

#[derive(Debug, Default)]
pub(super) struct Places {
    ports: BTreeMap<Port, String>,
    lines: BTreeMap<LineId, String>,
    lamps: BTreeMap<Lamp, String>,
    chips: BTreeMap<ChipAddress, SpotSet>,
    bus: String,
    on_expander: SpotSet,
}

impl Places {
    pub(super) fn of(devices: &Devices, wiring: &Wiring) -> Self {
        let mut ports = BTreeMap::new();
        let mut port = |port: Port, link: &SerialLink| {
            let words = match link {
                SerialLink::Tty { path, .. } => path.display().to_string(),
                SerialLink::Tcp { address } => address.clone(),
            };
            ports.insert(port, words);
        };
        if let Some(reader) = &devices.reader {
            port(Port::Reader, &reader.link);
        }
        if let Some(shuffler) = &devices.shuffler {
            port(Port::Shuffler, &shuffler.link);
        }
        for (side, shoe) in [Port::LeftShoe, Port::RightShoe].into_iter().zip(&devices.shoe) {
            port(side, &shoe.link);
        }
        Self {
            ports,
            lines: wiring.inputs.iter().map(|(line, spec)| (*line, spec.name.clone())).collect(),
            lamps: wiring.lamps.iter().map(|(lamp, spec)| (*lamp, spec.name.clone())).collect(),
            chips: wiring.bus.chips.iter().map(|chip| (chip.address, chip.spots())).collect(),
            bus: devices.expanders.as_ref().map(|expanders| expanders.bus.display().to_string()).unwrap_or_default(),
            on_expander: wiring.split.on_expander,
        }
    }

    /// Where a serial device is.
    pub(super) fn of_port(&self, port: Port) -> Option<&str> {
        self.ports.get(&port).map(String::as_str)
    }

    /// A fault of a serial device.
    pub(super) fn at_port(&self, port: Port, fault: FaultInput) -> FaultInput {
        FaultInput { place: self.ports.get(&port).cloned(), ..fault }
    }

    /// A fault of the lock-out button, a sensor, or the expanders' interrupt.
    pub(super) fn at_line(&self, spot: Option<device_drivers::inputs::Spot>, signal: FaultSignal) -> FaultInput {
        let fault = fault_input(signal);
        let line = match (spot, signal.code.part) {
            (Some(spot), _) => LineId::Sensor(spot),
            (None, Part::Expander) => LineId::ExpanderInterrupt,
            (None, _) => LineId::LockOut,
        };
        let name = self.lines.get(&line);
        match spot {
            Some(spot) => {
                let at = controller_spot(spot);
                let name = name.map_or_else(String::new, |name| format!(", {name}"));
                let place = format!("seat {}, spot {}{name}", at.seat, at.spot);
                FaultInput { place: Some(place), spots: vec![at], ..fault }
            }
            None if signal.code.part == Part::Expander => {
                FaultInput { place: name.cloned(), spots: spots(self.on_expander), ..fault }
            }
            None => FaultInput { place: name.cloned(), ..fault },
        }
    }

    /// A lamp whose line is missing is named by its line, the same when it is back: a fault ends where it began.
    pub(super) fn at_lamps(&self, LampSignal { signal, lamp, spots: at }: LampSignal) -> FaultInput {
        let place = lamp.map(|lamp| {
            let name = self.lamps.get(&lamp).map_or("", String::as_str);
            match lamp {
                Lamp::Main(spot) | Lamp::Late(spot) => {
                    let spot = controller_spot(spot);
                    format!("seat {}, spot {}, {name}", spot.seat, spot.spot)
                }
                Lamp::LockOut => format!("lock-out lamp, {name}"),
            }
        });
        FaultInput { place, spots: spots(at), ..fault_input(signal) }
    }

    pub(super) fn at_chip(&self, BusSignal { address, signal }: BusSignal) -> FaultInput {
        let on_it = self.chips.get(&address).map_or_else(Vec::new, |on_it| spots(*on_it));
        let place = format!("{:#04x} on {}", address.value(), self.bus);
        FaultInput { place: Some(place), spots: on_it, ..fault_input(signal) }
    }

    pub(super) fn of_report(&self, report: InputReport) -> Option<FaultInput> {
        match report {
            InputReport::Fault { spot, signal } => Some(self.at_line(spot, signal)),
            InputReport::Split(_) | InputReport::Snapshot { .. } => None,
        }
    }
}

/// Whether a report of the lines tells something that happened and does not last: edges were lost, and all levels were read
/// again.
pub(super) fn only_happened(report: InputReport) -> bool {
    match report {
        InputReport::Fault { signal, .. } => signal.change == FaultChange::Occurred,
        InputReport::Split(_) | InputReport::Snapshot { .. } => false,
    }
}

/// A fault that cannot be taken back stays raised until somebody clears it.
pub(super) fn fault_input(signal: FaultSignal) -> FaultInput {
    let raised = match signal.change {
        FaultChange::Raised | FaultChange::Occurred => true,
        FaultChange::Cleared => false,
    };
    FaultInput { errno: signal.errno, ..FaultInput::of(signal.code.part, &signal.code.to_string(), raised) }
}

/// The line of the log: it reads by itself, without its fields.
pub(super) fn log_line(fault: &FaultInput) -> String {
    let what = if fault.raised { "raised" } else { "cleared" };
    let name = explain_source(&fault.code).map_or_else(String::new, |text| format!(", {}", text.name));
    let place = fault.place.as_ref().map_or_else(String::new, |place| format!(", {place}"));
    let spots = match (&fault.place, fault.spots.as_slice()) {
        (None, [_, ..]) => format!(", spots {}", listed(&fault.spots)),
        (None | Some(_), _) => String::new(),
    };
    let errno = fault.errno.map_or_else(String::new, |errno| format!(", {}", errno_words(errno)));
    let remedy = explain_source(&fault.code).filter(|_| fault.raised);
    let remedy = remedy.map_or_else(String::new, |text| format!("; {}", text.remedy));
    format!("fault {} {what}: {}{name}{place}{spots}{errno}{remedy}", fault.code, fault.part.word())
}

fn listed(spots: &[Spot]) -> String {
    spots.iter().map(|spot| format!("{}.{}", spot.seat, spot.spot)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use device_drivers::fault::LampFault;

    #[test]
    fn a_line_of_the_log_says_code_part_place_cause_and_errno() {
        let raised = FaultInput {
            place: Some("0x21 on /dev/i2c-1".to_owned()),
            spots: vec![Spot { seat: 4, spot: 1 }],
            errno: Some(121),
            ..FaultInput::of(Part::Expander, "EX-001", true)
        };
        let line = log_line(&raised);
        let expected = "fault EX-001 raised: expander, expander does not answer, 0x21 on /dev/i2c-1, EREMOTEIO (121); ";
        assert!(line.starts_with(expected), "{line}");
        let cleared = FaultInput { raised: false, errno: None, ..raised };
        let expected = "fault EX-001 cleared: expander, expander does not answer, 0x21 on /dev/i2c-1";
        assert_eq!(log_line(&cleared), expected);
        let lamps =
            FaultInput { spots: vec![Spot { seat: 4, spot: 1 }], ..FaultInput::of(Part::Lamp, "LP-002", false) };
        assert_eq!(log_line(&lamps), "fault LP-002 cleared: lamp, lamps cannot be written, spots 4.1");
    }

    #[test]
    fn a_missing_lamp_is_named_by_its_spot_and_line_and_ends_where_it_began() {
        let devices: Devices = toml::from_str(
            "[gpio]\nlock_out = { button = \"GPIO17\", lamp = \"GPIO27\" }\n\
             [[lamp]]\nseat = 4\nspot = 1\nat = { line = \"GPIO6\" }\n",
        )
        .unwrap();
        let wiring = devices.wiring().unwrap();
        let places = Places::of(&devices, &wiring);
        let told = |lamp: Lamp, change| {
            let signal = FaultSignal::new(LampFault::LineMissing.on(Part::Lamp), change).with_errno(Some(2));
            places.at_lamps(LampSignal { signal, lamp: Some(lamp), spots: SpotSet::EMPTY })
        };
        let mut named = Vec::new();
        for (lamp, _) in &wiring.lamps {
            let (raised, cleared) = (told(*lamp, FaultChange::Raised), told(*lamp, FaultChange::Cleared));
            assert_eq!(raised.place, cleared.place);
            assert!(log_line(&raised).contains("ENOENT (2)"), "{}", log_line(&raised));
            named.extend(raised.place);
        }
        named.sort();
        assert_eq!(named, ["lock-out lamp, GPIO27", "seat 4, spot 1, GPIO6"]);
        let unwritten = FaultSignal::new(LampFault::CannotWrite.on(Part::Lamp), FaultChange::Raised);
        assert_eq!(places.at_lamps(LampSignal { signal: unwritten, lamp: None, spots: SpotSet::EMPTY }).place, None);
    }
}
