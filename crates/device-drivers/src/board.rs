//! The board that everything runs on: under-voltage, throttling, storage wear and room, where the kernel tells.
//!
//! Read from sysfs below a root that tests replace. A file that is not there means that this board does not tell, which
//! is no fault. A file that holds something else than it should is treated as not there.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::fault::{BoardFault, FaultChange, FaultSignal, Part};

/// Supply dips are short but the firmware latches them; wear takes months. A look costs a few small reads.
pub const LOOK_EVERY: Duration = Duration::from_secs(10);

/// Bits of the Pi firmware's `get_throttled`: now in the low half, since the start in the high half.
mod throttled {
    pub(super) const UNDER_VOLTAGE: u32 = 1 << 0;
    /// Frequency capped, throttled, or soft temperature limit.
    pub(super) const SLOWED: u32 = 1 << 1 | 1 << 2 | 1 << 3;
    pub(super) const UNDER_VOLTAGE_BEFORE: u32 = 1 << 16;
}

/// JEDEC eMMC 5.0: life time is told in tenths, 0x01 for up to 10 %, 0x0A for up to 100 %, 0x0B for more.
const WORN_FROM: u8 = 0x09;
const AT_END_FROM: u8 = 0x0B;
/// PRE_EOL_INFO: 0x02 when 80 % of the reserved blocks are used, 0x03 when 90 % are.
const PRE_EOL_WARNING: u8 = 0x02;
const PRE_EOL_URGENT: u8 = 0x03;

/// The counters of wrong PINs are replaced as a whole, and that file grows to a hundred kilobytes at most.
const STATE_BYTES_MIN: u64 = 256 * 1024;

/// What a file system has left for a daemon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Room {
    bytes: u64,
    files: u64,
}

/// Says how much room a directory's file system has.
type AskRoom = fn(&Path) -> Option<Room>;

/// Where to look.
#[derive(Clone, Debug)]
pub struct BoardHealth {
    root: PathBuf,
    /// Where the daemon keeps its state, and who says how much room is there.
    state: Option<(PathBuf, AskRoom)>,
}

impl Default for BoardHealth {
    fn default() -> Self {
        Self::below("/sys")
    }
}

impl BoardHealth {
    pub fn below(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), state: None }
    }

    /// Looks at the room for the daemon's state as well.
    #[must_use]
    pub fn with_state(self, directory: impl Into<PathBuf>) -> Self {
        Self { state: Some((directory.into(), room)), ..self }
    }

    /// What stands now.
    pub fn look(&self) -> BTreeSet<BoardFault> {
        let mut faults = BTreeSet::new();
        self.look_at_supply(&mut faults);
        self.look_at_storage(&mut faults);
        self.look_at_state(&mut faults);
        faults
    }

    fn look_at_state(&self, faults: &mut BTreeSet<BoardFault>) {
        let Some((directory, room)) = &self.state else { return };
        if room(directory).is_some_and(|left| left.bytes < STATE_BYTES_MIN || left.files == 0) {
            faults.insert(BoardFault::StateFull);
        }
    }

    fn look_at_supply(&self, faults: &mut BTreeSet<BoardFault>) {
        let firmware = self.root.join("devices/platform/soc/soc:firmware/get_throttled");
        if let Some(bits) = number(&firmware, 16) {
            let mut note = |mask: u32, fault| {
                if bits & mask != 0 {
                    faults.insert(fault);
                }
            };
            note(throttled::UNDER_VOLTAGE, BoardFault::UnderVoltage);
            note(throttled::UNDER_VOLTAGE_BEFORE, BoardFault::UnderVoltageBefore);
            note(throttled::SLOWED, BoardFault::Throttled);
        }
        for monitor in children(&self.root.join("class/hwmon")) {
            let is_pi = text(&monitor.join("name")).is_some_and(|name| name == "rpi_volt");
            if is_pi && number(&monitor.join("in0_lcrit_alarm"), 10) == Some(1) {
                faults.insert(BoardFault::UnderVoltage);
            }
        }
    }

    fn look_at_storage(&self, faults: &mut BTreeSet<BoardFault>) {
        for card in children(&self.root.join("bus/mmc/devices")) {
            let life = text(&card.join("life_time")).and_then(|text| worst_life_time(&text)).unwrap_or(0);
            let reserve = number(&card.join("pre_eol_info"), 16).unwrap_or(0);
            if life >= AT_END_FROM || reserve >= u32::from(PRE_EOL_URGENT) {
                faults.insert(BoardFault::StorageAtEnd);
            } else if life >= WORN_FROM || reserve >= u32::from(PRE_EOL_WARNING) {
                faults.insert(BoardFault::StorageWorn);
            }
        }
    }
}

/// Looks every [`LOOK_EVERY`] and tells changes.
pub fn watch_board(health: BoardHealth, cancel: CancellationToken) -> (mpsc::Receiver<FaultSignal>, JoinHandle<()>) {
    let (sender, signals) = mpsc::channel(8);
    let task = tokio::spawn(async move {
        tokio::select! {
            () = cancel.cancelled() => {}
            () = watch(health, sender) => {}
        }
    });
    (signals, task)
}

async fn watch(health: BoardHealth, signals: mpsc::Sender<FaultSignal>) {
    let mut told = BTreeSet::new();
    loop {
        let looking = health.clone();
        // A card that is dying may hold up even a read from sysfs.
        let Ok(found) = tokio::task::spawn_blocking(move || looking.look()).await else { return };
        for fault in told.symmetric_difference(&found) {
            let change = if found.contains(fault) { FaultChange::Raised } else { FaultChange::Cleared };
            if signals.send(FaultSignal::new(fault.on(Part::Board), change)).await.is_err() {
                return;
            }
        }
        told = found;
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

fn room(directory: &Path) -> Option<Room> {
    let told = rustix::fs::statvfs(directory).ok()?;
    // Some file systems count no files: they say that there are none and none are left.
    let files = if told.f_files == 0 { u64::MAX } else { told.f_favail };
    Some(Room { bytes: told.f_bavail.saturating_mul(told.f_frsize), files })
}

fn worst_life_time(text: &str) -> Option<u8> {
    text.split_whitespace().filter_map(|part| u8::from_str_radix(part.trim_start_matches("0x"), 16).ok()).max()
}

fn text(path: &Path) -> Option<String> {
    fs::read_to_string(path).ok().map(|text| text.trim().to_owned())
}

fn number(path: &Path, radix: u32) -> Option<u32> {
    u32::from_str_radix(text(path)?.trim_start_matches("0x"), radix).ok()
}

fn children(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Sysfs(tempfile::TempDir);

    impl Sysfs {
        fn new() -> Self {
            Self(tempfile::tempdir().unwrap())
        }

        fn put(&self, path: &str, text: &str) {
            let path = self.0.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }

        fn faults(&self) -> Vec<BoardFault> {
            BoardHealth::below(self.0.path()).look().into_iter().collect()
        }
    }

    const FIRMWARE: &str = "devices/platform/soc/soc:firmware/get_throttled";
    const CARD: &str = "bus/mmc/devices/mmc0:0001";

    #[test]
    fn a_board_that_tells_nothing_has_no_faults() {
        assert_eq!(Sysfs::new().faults(), []);
        let sysfs = Sysfs::new();
        sysfs.put(FIRMWARE, "what?\n");
        sysfs.put(&format!("{CARD}/life_time"), "\n");
        assert_eq!(sysfs.faults(), []);
    }

    #[test]
    fn the_firmware_tells_of_the_supply_now_and_before() {
        let sysfs = Sysfs::new();
        for (word, faults) in [
            ("0\n", &[][..]),
            ("50005\n", &[BoardFault::UnderVoltage, BoardFault::UnderVoltageBefore, BoardFault::Throttled]),
            ("50000\n", &[BoardFault::UnderVoltageBefore]),
            ("0x8\n", &[BoardFault::Throttled]),
        ] {
            sysfs.put(FIRMWARE, word);
            assert_eq!(sysfs.faults(), faults, "{word}");
        }
    }

    #[test]
    fn the_voltage_monitor_is_found_by_its_name_and_not_by_its_number() {
        let sysfs = Sysfs::new();
        sysfs.put("class/hwmon/hwmon0/name", "cpu_thermal\n");
        sysfs.put("class/hwmon/hwmon0/in0_lcrit_alarm", "1\n");
        assert_eq!(sysfs.faults(), []);
        sysfs.put("class/hwmon/hwmon3/name", "rpi_volt\n");
        sysfs.put("class/hwmon/hwmon3/in0_lcrit_alarm", "1\n");
        assert_eq!(sysfs.faults(), [BoardFault::UnderVoltage]);
    }

    #[test]
    fn storage_is_worn_before_it_is_at_its_end() {
        let sysfs = Sysfs::new();
        for (life, reserve, faults) in [
            ("0x01 0x02", "0x01", &[][..]),
            ("0x08 0x01", "0x01", &[]),
            ("0x01 0x09", "0x01", &[BoardFault::StorageWorn]),
            ("0x01 0x01", "0x02", &[BoardFault::StorageWorn]),
            ("0x0b 0x01", "0x01", &[BoardFault::StorageAtEnd]),
            ("0x01 0x01", "0x03", &[BoardFault::StorageAtEnd]),
        ] {
            sysfs.put(&format!("{CARD}/life_time"), life);
            sysfs.put(&format!("{CARD}/pre_eol_info"), reserve);
            assert_eq!(sysfs.faults(), faults, "{life} {reserve}");
        }
    }

    #[test]
    fn a_state_partition_without_room_for_bytes_or_files_is_a_fault_before_a_pin_is_refused() {
        let sysfs = Sysfs::new();
        let with = |room: fn(&Path) -> Option<Room>| {
            let state = Some((sysfs.0.path().to_owned(), room));
            BoardHealth { state, ..BoardHealth::below(sysfs.0.path()) }.look().into_iter().collect::<Vec<_>>()
        };
        assert_eq!(with(|_| Some(Room { bytes: STATE_BYTES_MIN, files: 1 })), []);
        assert_eq!(with(|_| Some(Room { bytes: STATE_BYTES_MIN - 1, files: 9 })), [BoardFault::StateFull]);
        assert_eq!(with(|_| Some(Room { bytes: u64::MAX, files: 0 })), [BoardFault::StateFull]);
        assert_eq!(with(|_| None), [], "a directory that is not there yet is not full");
        // Where the kernel is asked, it answers of a real directory.
        assert!(room(sysfs.0.path()).is_some_and(|left| left.bytes > 0 && left.files > 0));
        let full = BoardHealth::below(sysfs.0.path()).with_state(sysfs.0.path().join("none"));
        assert!(full.look().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn changes_are_told_once() {
        let sysfs = Sysfs::new();
        sysfs.put(FIRMWARE, "1");
        let cancel = CancellationToken::new();
        let (mut signals, task) = watch_board(BoardHealth::below(sysfs.0.path()), cancel.clone());
        let raised = signals.recv().await.unwrap();
        assert_eq!((raised.code.to_string(), raised.change), ("HB-101".to_owned(), FaultChange::Raised));
        sysfs.put(FIRMWARE, "0");
        assert_eq!(signals.recv().await.unwrap().change, FaultChange::Cleared);
        cancel.cancel();
        task.await.unwrap();
        assert!(signals.recv().await.is_none());
    }
}
