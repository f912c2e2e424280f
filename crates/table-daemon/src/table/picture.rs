//! The picture of the table for the technician's console: a file of plain facts, written by the loop's own clock.
//!
//! Made from durable state only, like a screen: while a record waits for the disk, the table's part stays as it was last
//! shown and only ports and storage are looked at again. The file lies on no disk, so that a stalled one stalls nobody.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use device_drivers::config::{DeviceProtection, Devices, SerialLink};
use device_drivers::serial::PortStatus;
use device_protocols::link::LinkState;
use jiff::Timestamp;
use operator_api::{
    AlertPicture, CountsPicture, DaemonPicture, DevicePicture, LayoutPicture, PICTURE_VERSION, Picture, StoragePicture,
    TablePicture,
};
use sha2::{Digest, Sha256};
use table_controller::{Controller, ShoeSide};

use super::devices::{Port, Ports};
use super::disks::Disks;
use super::lines::Lines;
use crate::config::{Config, Day};
use crate::secret::hex;

/// Also when nothing happens: its age shows that the daemon lives.
const EVERY: Duration = Duration::from_secs(1);

/// Everything about the picture that does not change while the daemon runs.
pub(super) struct PictureFile {
    path: PathBuf,
    daemon: DaemonPicture,
    links: Vec<(Port, String, u32, DeviceProtection)>,
    day: Day,
    journal_directory: String,
    disks: Disks,
    bytes_max: u64,
    sensors: u32,
    lamps: u32,
    table: TablePicture,
    /// What each device says of itself, as last shown.
    states: Vec<(&'static str, String)>,
    written: Option<(Instant, u64)>,
    /// When an alert, or a device's link as it is, was first seen.
    since: BTreeMap<String, i64>,
    worst_save_ms: u64,
    complained: bool,
}

/// What the loop knows beside the controller.
pub(super) struct Beside<'a> {
    pub(super) ports: &'a Ports,
    pub(super) lines: Option<&'a Lines>,
    pub(super) storage: StoragePicture,
    pub(super) trusted: bool,
    /// Nothing waits for the disk: the controller's state is durable.
    pub(super) at_rest: bool,
    pub(super) sequence: u64,
}

impl PictureFile {
    pub(super) fn new(config: &Config, software: [u8; 32], rules: [u8; 32], epoch: u32) -> Self {
        let devices = &config.devices;
        let file = config.file_text().map(|text| hex(&Sha256::digest(text))).unwrap_or_default();
        Self {
            path: config.console.picture_file.clone(),
            daemon: DaemonPicture {
                pid: std::process::id(),
                started_ms: Timestamp::now().as_millisecond(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                software: hex(&software),
                rules: hex(&rules),
                configuration: file,
                epoch,
            },
            links: links(devices),
            day: config.day.clone(),
            journal_directory: config.journal.directory.display().to_string(),
            disks: Disks::watch(vec![config.journal.directory.clone(), config.state_directory.clone()]),
            bytes_max: config.journal.settings.retention.bytes_max,
            sensors: u32::try_from(devices.sensor.len()).unwrap_or(u32::MAX),
            lamps: u32::try_from(devices.lamp.len()).unwrap_or(u32::MAX),
            table: TablePicture { id: config.table_id.clone(), ..TablePicture::default() },
            states: Vec::new(),
            written: None,
            since: BTreeMap::new(),
            worst_save_ms: 0,
            complained: false,
        }
    }

    /// What runs, in the words of `holecard ver`: these are the hashes that an approval names.
    pub(super) fn identity(&self) -> serde_json::Value {
        let DaemonPicture { version, software, rules, configuration, epoch, .. } = &self.daemon;
        serde_json::json!({
            "version": version, "software": software, "rules": rules, "configuration": configuration, "epoch": epoch,
        })
    }

    /// Looks, and writes what has changed or has grown old.
    pub(super) fn show(&mut self, controller: &Controller, beside: Beside<'_>) {
        let now = Instant::now();
        let Beside { ports, lines, mut storage, trusted, at_rest, sequence } = beside;
        // Before the first durable look nothing is known of the table, and nothing would read as "open".
        if !at_rest && self.written.is_none() {
            return;
        }
        let due =
            self.written.is_none_or(|(at, shown)| now.duration_since(at) >= EVERY || (at_rest && shown != sequence));
        if !due {
            return;
        }
        self.written = Some((now, if at_rest { sequence } else { self.written.map_or(0, |(_, shown)| shown) }));
        let wall = Timestamp::now();
        let at_ms = wall.as_millisecond();
        if at_rest {
            self.table = self.table_part(controller, at_ms);
        }
        if let Some(layout) = &mut self.table.layout {
            layout.lines = lines.map(Lines::pictures).unwrap_or_default();
        }
        let devices = self.devices(ports, at_ms);
        self.worst_save_ms = self.worst_save_ms.max(storage.last_save_ms).max(storage.saving_ms.unwrap_or(0));
        storage.worst_save_ms = self.worst_save_ms;
        storage.journal_directory.clone_from(&self.journal_directory);
        storage.bytes_max = self.bytes_max;
        storage.disks = self.disks.found();
        let picture = Picture {
            version: PICTURE_VERSION,
            at_ms,
            offset_s: wall.to_zoned(self.day.zone.clone()).offset().seconds(),
            clock_trusted: trusted,
            daemon: self.daemon.clone(),
            table: self.table.clone(),
            devices,
            storage,
        };
        let written = replace_picture(&self.path, &picture);
        if let Err(error) = written
            && !std::mem::replace(&mut self.complained, true)
        {
            tracing::warn!(%error, file = %self.path.display(), "the console's picture of the table cannot be written");
        }
    }

    fn table_part(&mut self, controller: &Controller, at_ms: i64) -> TablePicture {
        let screen = controller.screen();
        self.states = screen.devices.iter().map(|device| (device.part, device.state.clone())).collect();
        let alerts: Vec<AlertPicture> = screen
            .alerts
            .into_iter()
            .map(|alert| {
                let seen = format!("alert {} {}", alert.alert, alert.raised_sequence);
                let first_seen = *self.since.entry(seen).or_insert(at_ms);
                let (code, place, errno) = match alert.fault {
                    Some(fault) => (Some(fault.explained.code.to_string()), fault.place, fault.errno),
                    None => (None, None, None),
                };
                AlertPicture {
                    alert: alert.alert,
                    source: alert.source,
                    text: alert.text,
                    severity: alert.severity,
                    since_ms: alert.since_ms.unwrap_or(first_seen),
                    ended: alert.ended,
                    code,
                    place,
                    errno,
                }
            })
            .collect();
        let layout = screen.devices.iter().find(|device| device.part == "sensor" && device.present);
        let layout = layout.map(|layout| LayoutPicture {
            locked: layout.state == "locked",
            faults: layout.faults.clone(),
            sensors: self.sensors,
            lamps: self.lamps,
            lines: Vec::new(),
        });
        TablePicture {
            id: screen.table,
            game: screen.game.to_owned(),
            stage: screen.stage.to_owned(),
            round: screen.round,
            round_open: controller.in_round(),
            faulted: controller.has_foreign_round(),
            closed: None,
            inspecting: screen.inspection.is_some(),
            service: controller.in_service(),
            dealer: screen.signed_in,
            inspected: screen.day.inspected,
            rounds_today: screen.day.counts.rounds,
            stops: screen.stops,
            alerts,
            bench: controller.bench(),
            layout,
        }
    }

    fn devices(&mut self, ports: &Ports, at_ms: i64) -> Vec<DevicePicture> {
        let links = std::mem::take(&mut self.links);
        let mut pictures = Vec::new();
        for (port, path, baud, protection) in &links {
            let Some(status) = status_of(ports, *port) else { continue };
            let PortStatus { open, link, faults, counts, times_opened, last_open_error, identity, .. } = status;
            let up = link.is_live();
            let name = port.word();
            let since = *self.since.entry(format!("link {name} {up}")).or_insert(at_ms);
            self.since.remove(&format!("link {name} {}", !up));
            let text = |of: &dyn Fn(&device_protocols::message::DeviceIdentity) -> String| {
                identity.as_ref().map(of).unwrap_or_default()
            };
            pictures.push(DevicePicture {
                name: name.to_owned(),
                path: path.clone(),
                baud: *baud,
                open,
                up,
                wrong_device: link == LinkState::WrongDevice,
                faults: faults.iter().map(ToString::to_string).collect(),
                model: text(&|identity| identity.model.as_str().to_owned()),
                serial: text(&|identity| identity.serial.as_str().to_owned()),
                firmware: text(&|identity| hex(&identity.firmware_hash)),
                protection: protection.word().to_owned(),
                times_opened,
                last_open_error,
                counts: CountsPicture {
                    bytes: counts.line.bytes,
                    frames: counts.line.frames,
                    events: counts.events,
                    damaged: counts.line.faults(),
                    not_understood: counts.not_understood,
                    resends: counts.resends,
                    duplicates: counts.duplicates,
                },
                state: self
                    .states
                    .iter()
                    .find(|(part, _)| *part == name)
                    .map(|(_, state)| state.clone())
                    .unwrap_or_default(),
                since_ms: since,
            });
        }
        self.links = links;
        pictures
    }
}

fn status_of(ports: &Ports, port: Port) -> Option<PortStatus> {
    let of_shoe = |side| ports.shoe(side).map(|shoe| shoe.port().status());
    match port {
        Port::Reader => ports.reader.as_ref().map(|(control, _)| control.status()),
        Port::Shuffler => ports.shuffler.as_ref().map(|(control, _)| control.status()),
        Port::LeftShoe => of_shoe(ShoeSide::Left),
        Port::RightShoe => of_shoe(ShoeSide::Right),
    }
}

fn links(devices: &Devices) -> Vec<(Port, String, u32, DeviceProtection)> {
    let of = |port: Port, link: &SerialLink, protection: DeviceProtection| match link {
        SerialLink::Tty { path, baud } => (port, path.display().to_string(), *baud, protection),
        SerialLink::Tcp { address } => (port, address.clone(), 0, protection),
    };
    let single = [(Port::Reader, &devices.reader), (Port::Shuffler, &devices.shuffler)];
    let single = single
        .into_iter()
        .filter_map(|(port, device)| device.as_ref().map(|device| of(port, &device.link, device.protection)));
    let shoes = [Port::LeftShoe, Port::RightShoe].into_iter().zip(&devices.shoe);
    single.chain(shoes.map(|(port, shoe)| of(port, &shoe.link, shoe.protection))).collect()
}

pub(crate) fn replace_picture(path: &Path, picture: &Picture) -> io::Result<()> {
    serde_json::to_vec(picture).map_err(io::Error::other).and_then(|text| replace(path, &text))
}

/// Readable by everybody on the board: there is nothing in it that the table does not show.
fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    let fresh = path.with_extension("new");
    fs::write(&fresh, text)?;
    fs::set_permissions(&fresh, fs::Permissions::from_mode(0o644))?;
    fs::rename(&fresh, path)
}
