//! What decides how a table behaves: the program, the rules submission and the table's own options. Inputs are replayed
//! only where all of them are the same; a change of any begins a new epoch.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde_json::json;
use sha2::{Digest, Sha256};
use table_controller::{Config as ControllerConfig, Sensors, SpotWager};
use table_rules::{Table, Tracking};

use super::layout::spots;
use super::opening::NotOpened;
use crate::config::Config;

/// SHA-256 over the running program.
pub fn software_hash() -> Result<[u8; 32], NotOpened> {
    file_hash(Path::new("/proc/self/exe")).map_err(NotOpened::Software)
}

/// SHA-256 over a file of any size.
pub fn file_hash(path: &Path) -> io::Result<[u8; 32]> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok(hasher.finalize().into());
        }
        hasher.update(&buffer[..read]);
    }
}

/// The table as the controller has to know it. `has_layout`: lock-out button, sensors and lamps are connected.
pub fn controller_config(config: &Config, table: Table, has_layout: bool) -> ControllerConfig {
    ControllerConfig {
        spots: config.spots.clone(),
        has_reader: config.devices.reader.is_some(),
        has_shuffler: config.devices.shuffler.is_some(),
        shoes: u8::try_from(config.devices.shoe.len()).unwrap_or(2),
        has_layout,
        sensors: sensors(config),
        inspection_grace_minutes: config.day.grace_minutes,
        count_chips: config.chip_count,
        ..ControllerConfig::with_all_devices(&config.table_id, table, config.tracking)
    }
}

/// The spots that are wired; a table whose felt is not on lines of its own (a simulated one) has all.
fn sensors(config: &Config) -> Sensors {
    if config.devices.gpio.lock_out.is_none() {
        return Sensors::EverySpot;
    }
    Sensors::Wired(spots(config.wiring.split.wired).into_iter().collect())
}

/// SHA-256 over the digest of the submission's bytes and the table's options as JSON. The options count because a
/// table with other devices or spots does other things with the same inputs.
pub fn rules_pack(rules: &[u8], config: &ControllerConfig) -> [u8; 32] {
    let tracking = match config.tracking {
        Tracking::Cards => "cards",
        Tracking::Procedure => "procedure",
    };
    let spot = |each: &SpotWager| json!([each.spot, each.wager.id(), each.stake.map(|stake| stake.0)]);
    let options = json!({
        "chip_count": config.count_chips,
        "felt": config.has_layout,
        "grace_minutes": config.inspection_grace_minutes,
        "reader": config.has_reader,
        "sensors": match &config.sensors {
            Sensors::EverySpot => None,
            Sensors::Wired(wired) => Some(wired.iter().map(|spot| (spot.seat, spot.spot)).collect::<Vec<_>>()),
        },
        "shoes": config.shoes,
        "shuffler": config.has_shuffler,
        "spots": config.spots.iter().map(spot).collect::<Vec<_>>(),
        "tracking": tracking,
    });
    let mut hasher = Sha256::new();
    hasher.update(Sha256::digest(rules));
    hasher.update(options.to_string().as_bytes());
    hasher.finalize().into()
}
