//! What the loop looks after when nothing arrives: room on the disk, the witness, signatures, checkpoints, the picture for
//! the console, and what the console has said.

use std::time::{Duration, Instant};

use operator_api::StoragePicture;
use table_controller::{CONTENT_VERSION, Clock, Input, JournalInput, PinsInput};
use table_journal::{Fullness, OwnedEntry, PersonId};

use super::picture::Beside;
use super::running::{Loop, WAITING_MAX};

impl Loop {
    pub(super) fn on_tick(&mut self) {
        if self.waiting.is_empty() {
            self.stall_told = false;
        }
        let status = self.writer.status();
        let full = status.space.is_some_and(|space| space.fullness != Fullness::Ample);
        if full != self.nearly_full && self.waiting.len() < WAITING_MAX {
            self.nearly_full = full;
            let event = if full { JournalInput::NearlyFull } else { JournalInput::RoomAgain };
            self.take(Input::Journal(event), None, None);
        }
        self.tell_lost_witness();
        if let Some(what) = self.scrub.poll(status.durable) {
            self.take(Input::Journal(JournalInput::Damaged { what }), None, None);
        }
        // Between rounds and with nothing on the way: then the state is what the records before it say.
        let at_rest = self.waiting.is_empty() && !self.controller.in_round();
        if self.signing.is_due(status.unsigned, Instant::now()) {
            self.sign_head();
        }
        if status.checkpoint_due && at_rest && self.checkpoints.try_now(Instant::now()) {
            self.write_checkpoint();
        }
        self.set_watching();
        self.show_picture();
        // Left where it is while the disk is slow.
        let at_rest = self.waiting.is_empty();
        for said in self.spool.poll(at_rest) {
            self.take(Input::Console(said), None, None);
        }
    }

    fn tell_lost_witness(&mut self) {
        let lost = self.signing.lost();
        if lost.is_some() != self.controller.lost_witness_told() && self.waiting.len() < WAITING_MAX {
            let event = lost.map_or(JournalInput::WitnessKept, |why| JournalInput::WitnessLost { why });
            self.take(Input::Journal(event), None, None);
        }
    }

    pub(super) fn tell_wrong_pins(&mut self, too_many: bool) {
        if too_many != self.controller.wrong_pins_told() && self.waiting.len() < WAITING_MAX {
            let event = if too_many { PinsInput::TooManyWrong } else { PinsInput::Quiet };
            self.take(Input::Pins(event), None, None);
        }
    }

    pub(super) fn show_picture(&mut self) {
        let status = self.writer.status();
        let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let storage = StoragePicture {
            record: status.durable.sequence.0,
            head: status.durable.hash.to_string(),
            records_free: status.space.map(|space| space.records_free),
            last_save_ms: self.last_save_ms,
            saving_ms: self.waiting.front().map(|oldest| milliseconds(oldest.since.elapsed())),
            ..StoragePicture::default()
        };
        let beside = Beside {
            ports: &self.ports,
            lines: self.lines.as_ref(),
            storage,
            trusted: self.clock.now().trusted,
            at_rest: self.waiting.is_empty(),
            sequence: self.controller.sequence(),
        };
        self.picture.show(&self.controller, beside);
    }

    pub(super) fn write_checkpoint(&mut self) {
        let (wall, monotonic) = self.clock.stamps();
        let entry = OwnedEntry {
            content_version: CONTENT_VERSION,
            wall,
            monotonic,
            person: PersonId::NOBODY,
            input: Vec::new(),
            events: self.ledger.beside(&self.controller.checkpoint()),
        };
        if self.writer.checkpoint(entry, Box::new(self.checkpoints.outcome())).is_err() {
            self.checkpoints.was_not_taken();
        } else {
            // It is signed by itself; this takes its head to the witness.
            self.sign_head();
        }
    }
}

/// A new minute, or a clock that was moved: also by whole days, which no minute shows.
pub(super) fn clock_is_due(told: Clock, now: Clock) -> bool {
    told.wall_ms.div_euclid(60_000) != now.wall_ms.div_euclid(60_000) || now.steps_from(told)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_days_are_told_at_once_and_a_minute_when_it_turns() {
        let at = |wall_ms, monotonic_ms| Clock { wall_ms, monotonic_ms, minute: 0, day: 0, trusted: true };
        let (start, day) = (1_800_000_000_000, 86_400_000);
        let told = at(start, 1_000);
        assert!(!clock_is_due(told, at(start + 250, 1_250)));
        assert!(clock_is_due(told, at(start + 60_000, 61_000)));
        for days in [-400, -1, 1, 3650] {
            let moved = at(start + days * day + 250, 1_250);
            assert!(clock_is_due(told, moved), "{days} days");
            assert!(moved.steps_from(told));
        }
    }
}
