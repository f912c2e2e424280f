//! What a table is made of, as far as the controller has to know. Made by the daemon from its checked configuration.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use table_rules::money::Cents;
use table_rules::wager::WagerId;
use table_rules::{Table, Tracking};

use crate::test_cards::TestCard;

/// A place for a wager with a sensor and a lamp: seat 1 to 8, spot 1 to 3.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Spot {
    pub seat: u8,
    pub spot: u8,
}

/// What lies on a spot of every seat: the wager, and its amount where only one is possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SpotWager {
    pub spot: u8,
    pub wager: WagerId,
    pub stake: Option<Cents>,
}

/// Which spots have a sensor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sensors {
    EverySpot,
    Wired(BTreeSet<Spot>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    pub table_id: String,
    pub table: Table,
    pub tracking: Tracking,
    pub spots: Vec<SpotWager>,
    /// Devices that this table has.
    pub has_reader: bool,
    pub has_shuffler: bool,
    pub shoes: u8,
    pub has_layout: bool,
    pub sensors: Sensors,
    /// After the turn of the gaming day rounds go on this long without the new day's inspection: 0 to 60.
    pub inspection_grace_minutes: u16,
    /// The chips collected after the lock are counted and compared with the accepted wagers.
    pub count_chips: bool,
    /// What the test set of the daily inspection holds; the full one follows a replacement.
    pub daily_test_cards: Vec<TestCard>,
    pub full_test_cards: Vec<TestCard>,
    /// Rounds whose place in the journal is remembered.
    pub recall_rounds: usize,
}

impl Config {
    /// A table with every device and the usual options.
    pub fn with_all_devices(table_id: &str, table: Table, tracking: Tracking) -> Self {
        Self {
            table_id: table_id.to_owned(),
            spots: vec![SpotWager { spot: 1, wager: WagerId::Main, stake: None }],
            has_reader: true,
            has_shuffler: true,
            shoes: 1,
            has_layout: true,
            sensors: Sensors::EverySpot,
            inspection_grace_minutes: 0,
            count_chips: false,
            daily_test_cards: TestCard::daily(&table),
            full_test_cards: TestCard::full(&table),
            recall_rounds: 500,
            table,
            tracking,
        }
    }

    pub fn has_sensor(&self, spot: Spot) -> bool {
        match &self.sensors {
            Sensors::EverySpot => true,
            Sensors::Wired(wired) => wired.contains(&spot),
        }
    }

    pub(crate) fn wager_of(&self, spot: u8) -> Option<SpotWager> {
        self.spots.iter().copied().find(|each| each.spot == spot)
    }
}
