//! Where the table's layout and its wiring differ, and what this board does not have. None of it is an error: a table
//! runs with what is wired, and `check` says what it will not do.

use std::collections::BTreeMap;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

use device_drivers::config::{DeviceProtection, SerialLink};
use table_rules::Table;
use table_rules::wager::WagerId;

use super::Config;

impl Config {
    /// Layout against wiring.
    pub fn wiring_warnings(&self, table: &Table) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.devices.gpio.lock_out.is_none() {
            return warnings;
        }
        let sensor = |seat: u8, spot: u8| self.devices.sensor.iter().any(|each| (each.seat, each.spot) == (seat, spot));
        let lamp = |seat: u8, spot: u8| self.devices.lamp.iter().any(|each| (each.seat, each.spot) == (seat, spot));
        for each in &self.spots {
            let seats = || 1..=table.positions;
            let bare: Vec<u8> = seats().filter(|seat| !sensor(*seat, each.spot)).collect();
            if !bare.is_empty() {
                let what = if each.wager == WagerId::Main { "is told by hand" } else { "is never taken" };
                warnings.push(format!(
                    "no sensor at spot {} of {}: {} {what} there",
                    each.spot,
                    seats_of(&bare),
                    each.wager
                ));
            }
            let dark: Vec<u8> = seats().filter(|seat| sensor(*seat, each.spot) && !lamp(*seat, each.spot)).collect();
            if !dark.is_empty() && each.wager != WagerId::Main {
                warnings.push(format!(
                    "no lamp at spot {} of {}: nothing shows there that {} was accepted",
                    each.spot,
                    seats_of(&dark),
                    each.wager
                ));
            }
        }
        let mut idle: BTreeMap<u8, Vec<u8>> = BTreeMap::new();
        for each in &self.devices.sensor {
            if !self.spots.iter().any(|spot| spot.spot == each.spot) {
                idle.entry(each.spot).or_default().push(each.seat);
            }
        }
        for (spot, seats) in idle {
            warnings.push(format!("a sensor at spot {spot} of {} and no wager in [spots.{spot}]", seats_of(&seats)));
        }
        warnings
    }

    /// Every device whose line is in the clear, by name.
    pub fn protection_warnings(&self) -> Vec<String> {
        let reader = self.devices.reader.iter().map(|reader| ("reader", reader.protection));
        let shuffler = self.devices.shuffler.iter().map(|shuffler| ("shuffler", shuffler.protection));
        let shoes = ["shoe", "right shoe"].into_iter().zip(self.devices.shoe.iter().map(|shoe| shoe.protection));
        let all = reader.chain(shuffler).chain(shoes);
        all.filter(|(_, protection)| *protection == DeviceProtection::None)
            .map(|(name, _)| {
                format!("{name}: protection = \"none\": whoever holds its cable can read and change what it says")
            })
            .collect()
    }

    /// What the configuration names and this machine does not have, or does not give to the daemon's group. The group is
    /// told by its number, because who checks need not be in it.
    pub fn board_warnings(&self, daemon_group: Option<u32>) -> Vec<String> {
        let mut warnings = Vec::new();
        let shoes = self.devices.shoe.iter().map(|shoe| ("shoe", &shoe.link));
        let reader = self.devices.reader.iter().map(|reader| ("reader", &reader.link));
        let shuffler = self.devices.shuffler.iter().map(|shuffler| ("shuffler", &shuffler.link));
        for (part, link) in reader.chain(shuffler).chain(shoes) {
            if let SerialLink::Tty { path, .. } = link {
                warnings.extend(device_warning(part, path, daemon_group));
            }
        }
        if let Some(expanders) = &self.devices.expanders {
            warnings.extend(device_warning("expanders", &expanders.bus, daemon_group));
        }
        let inputs = self.wiring.inputs.iter().map(|(_, spec)| &spec.name);
        for name in inputs.chain(self.wiring.lamps.iter().map(|(_, spec)| &spec.name)) {
            if !device_drivers::gpio::cdev::is_named(name) {
                warnings.push(format!("no GPIO line is named {name}: compare with the overlay and the header"));
            }
        }
        warnings
    }
}

fn device_warning(part: &str, path: &Path, daemon_group: Option<u32>) -> Option<String> {
    let at = path.display();
    match std::fs::metadata(path) {
        Err(error) => Some(format!("{part}: {at} is not there ({error}): look at the socket and the udev rule")),
        Ok(found) if !found.file_type().is_char_device() => Some(format!("{part}: {at} is no device")),
        Ok(found) if daemon_group.is_some_and(|group| found.gid() != group) => Some(format!(
            "{part}: {at} belongs to group {}, not to the daemon's: the udev rule does not name it",
            found.gid()
        )),
        Ok(_) => None,
    }
}

fn seats_of(seats: &[u8]) -> String {
    let list = seats.iter().map(u8::to_string).collect::<Vec<_>>().join(", ");
    if seats.len() == 1 { format!("seat {list}") } else { format!("seats {list}") }
}
