//! Devices that misbehave: lines that drop and garble, readers that lie, machines that restart.

use device_protocols::link::Millis;
use device_protocols::reader::ReaderFault;

use super::RobotTable;
use crate::bench::RESTART_MS;
use crate::line::LineFaults;
use crate::reader::ReaderMistakes;
use crate::shuffler::ShufflerMistakes;
use crate::twin::{Firmware, Simulated};

/// How badly the devices behave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mischief {
    pub line: LineFaults,
    pub reader: ReaderMistakes,
    pub shuffler: ShufflerMistakes,
    pub shoe_misread_per_mille: u16,
    /// Chance at each deed that some device restarts, in mid-message or between.
    pub restart_per_mille: u16,
    /// Chance at each deed that a reader fault comes, to be mended a little later.
    pub reader_fault_per_mille: u16,
}

impl Mischief {
    pub const NONE: Self = Self {
        line: LineFaults::NONE,
        reader: ReaderMistakes { misread_per_mille: 0, wrong_answer_per_mille: 0, double_event_per_mille: 0 },
        shuffler: ShufflerMistakes {
            jam_per_mille: 0,
            stuck_per_mille: 0,
            miscount_per_mille: 0,
            wrong_colour_per_mille: 0,
        },
        shoe_misread_per_mille: 0,
        restart_per_mille: 0,
        reader_fault_per_mille: 0,
    };
    /// Everything that can go wrong does, now and then.
    pub const PLENTY: Self = Self {
        line: LineFaults {
            drop_per_mille: 30,
            duplicate_per_mille: 30,
            garble_per_mille: 30,
            delay_per_mille: 50,
            delay_ms_max: 300,
        },
        reader: ReaderMistakes { misread_per_mille: 60, wrong_answer_per_mille: 30, double_event_per_mille: 60 },
        shuffler: ShufflerMistakes {
            jam_per_mille: 5,
            stuck_per_mille: 200,
            miscount_per_mille: 100,
            wrong_colour_per_mille: 50,
        },
        shoe_misread_per_mille: 10,
        restart_per_mille: 5,
        reader_fault_per_mille: 3,
    };
}

impl RobotTable {
    pub(super) fn misbehave(&mut self) {
        let (now, mischief) = (self.now, self.mischief);
        fn spoil<F: Firmware>(twin: &mut Simulated<F>, line: LineFaults, now: Millis) {
            twin.act_on_link(now, |link, _| link.adjust_line(|faults| *faults = line));
        }
        spoil(&mut self.reader, mischief.line, now);
        spoil(&mut self.shoe, mischief.line, now);
        spoil(&mut self.shuffler, mischief.line, now);
        self.reader.act(now, |reader, _, _| reader.mistakes = mischief.reader);
        self.shoe.act(now, |shoe, _, _| shoe.misread_per_mille = mischief.shoe_misread_per_mille);
        self.shuffler.act(now, |shuffler, _, _| shuffler.mistakes = mischief.shuffler);
    }

    pub(super) fn make_mischief(&mut self) {
        let now = self.now;
        if self.mend_at.take_if(|at| *at <= now).is_some() {
            self.reader.act(now, |reader, _, out| {
                reader.set_fault(ReaderFault::SensorStuck, false, out);
            });
        }
        if self.dice.per_mille(self.mischief.reader_fault_per_mille) && self.mend_at.is_none() {
            self.mend_at = Some(now + 2_000 + self.dice.below(8_000));
            self.reader.act(now, |reader, _, out| {
                reader.set_fault(ReaderFault::SensorStuck, true, out);
            });
        }
        if !self.dice.per_mille(self.mischief.restart_per_mille) {
            return;
        }
        self.tally.restarts += 1;
        fn restart<F: Firmware>(twin: &mut Simulated<F>, cut: bool, now: Millis) {
            twin.act_on_link(
                now,
                |link, now| {
                    if cut { link.reboot_mid_message(RESTART_MS) } else { link.reboot(RESTART_MS, now) }
                },
            );
        }
        let cut = self.dice.per_mille(500);
        match self.dice.below(3) {
            0 => restart(&mut self.reader, cut, now),
            1 => restart(&mut self.shoe, cut, now),
            _ => restart(&mut self.shuffler, cut, now),
        }
    }
}
