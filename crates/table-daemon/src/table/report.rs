//! What ports report, as inputs: faults with their place and in pairs, everything in its order.

use device_drivers::config::ShoeDialect;
use table_controller::{FaultInput, Input};

use super::devices::{DeviceReport, Port};
use super::places;
use super::running::Loop;
use crate::config::Config;

impl Loop {
    pub(super) fn take_fault(&mut self, fault: FaultInput) {
        self.log_fault(&fault);
        self.take(Input::Fault(fault), None, None);
    }

    /// A device that tells its state again repeats its faults: only what changes is worth a line.
    fn log_fault(&self, fault: &FaultInput) {
        if self.controller.knows_fault(fault) == fault.raised {
            return;
        }
        if fault.raised {
            tracing::warn!("{}", places::log_line(fault));
        } else {
            tracing::info!("{}", places::log_line(fault));
        }
    }

    /// The device's number goes with the last record: a cut before it makes the device say all of it again.
    pub(super) fn on_device_report(&mut self, port: Port, report: DeviceReport) {
        let DeviceReport { faults, inputs, id } = report;
        let place = self.places.of_port(port);
        let told = faults.map(|news| self.controller.fault_inputs(port.part(), place, &news)).unwrap_or_default();
        let of_port = inputs.into_iter().map(|input| {
            if let Input::Fault(fault) = input { Input::Fault(self.places.at_port(port, fault)) } else { input }
        });
        let inputs: Vec<Input> = told.into_iter().map(Input::Fault).chain(of_port).collect();
        let last = inputs.len().saturating_sub(1);
        if inputs.is_empty()
            && let Some(id) = id
        {
            self.ports.durable(port, id);
        }
        for (at, input) in inputs.into_iter().enumerate() {
            if let Input::Fault(fault) = &input {
                self.log_fault(fault);
            }
            let device = id.filter(|_| at == last).map(|id| (port, id));
            self.take(input, None, device);
        }
    }

    /// What a device said of itself waits for that device to take it back. One that was taken out of the configuration,
    /// or whose dialect never tells its state, cannot.
    pub(super) fn forget_absent_devices(&mut self, config: &Config) {
        let devices = &config.devices;
        let shoes = [Port::LeftShoe, Port::RightShoe].into_iter().zip(&devices.shoe);
        let telling = shoes.filter(|(_, shoe)| match shoe.dialect {
            ShoeDialect::Reference => true,
            ShoeDialect::AngelEyeWithStx | ShoeDialect::AngelEyeWithoutStx => false,
        });
        let ports = telling.map(|(port, _)| port).chain([Port::Reader, Port::Shuffler]);
        let places: Vec<String> = ports.filter_map(|port| self.places.of_port(port).map(str::to_owned)).collect();
        for fault in self.controller.faults_of_absent_devices(&places) {
            self.take_fault(fault);
        }
    }
}
