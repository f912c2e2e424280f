//! Listens to how the line sounds: when something was last heard, and how much of it was damaged.

use super::{DEGRADED_AFTER_MS, Degradation, LOST_AFTER_MS, Loss, Millis};

/// So many damaged frames within [`LOST_AFTER_MS`] make a line degraded. One alone is a spark.
const DAMAGE_LIMIT: usize = 3;
/// Sendings without an answer before the line is called degraded.
const TRIES_DEGRADED: u8 = 3;

#[derive(Debug)]
pub(super) struct Monitor {
    heard_at: Millis,
    byte_at: Option<Millis>,
    /// The last damaged frames, oldest first.
    damage: [Option<Millis>; DAMAGE_LIMIT],
}

impl Monitor {
    pub(super) fn new(now: Millis) -> Self {
        Self { heard_at: now, byte_at: None, damage: [None; DAMAGE_LIMIT] }
    }

    pub(super) fn handle_byte(&mut self, now: Millis) {
        self.byte_at = Some(now);
    }

    pub(super) fn handle_frame(&mut self, now: Millis) {
        self.heard_at = now;
    }

    pub(super) fn handle_damage(&mut self, now: Millis) {
        self.damage.rotate_left(1);
        self.damage[DAMAGE_LIMIT - 1] = Some(now);
    }

    /// Lost, if nothing valid was heard for too long.
    pub(super) fn loss(&self, now: Millis) -> Option<Loss> {
        if now.since(self.heard_at) < LOST_AFTER_MS {
            return None;
        }
        let bytes_arrive = self.byte_at.is_some_and(|at| now.since(at) < LOST_AFTER_MS);
        Some(if bytes_arrive { Loss::Garbage } else { Loss::Silence })
    }

    pub(super) fn degradation(&self, tries: u8, now: Millis) -> Option<Degradation> {
        if now.since(self.heard_at) >= DEGRADED_AFTER_MS {
            Some(Degradation::Quiet)
        } else if tries >= TRIES_DEGRADED {
            Some(Degradation::Unanswered)
        } else if self.damage[0].is_some_and(|oldest| now.since(oldest) < LOST_AFTER_MS) {
            Some(Degradation::Damaged)
        } else {
            None
        }
    }

    /// The next moment at which one of the answers above changes by itself.
    pub(super) fn deadline(&self, now: Millis) -> Millis {
        let quiet = self.heard_at + DEGRADED_AFTER_MS;
        let lost = self.heard_at + LOST_AFTER_MS;
        let silence = if quiet > now { quiet } else { lost };
        match self.damage[0].map(|oldest| oldest + LOST_AFTER_MS).filter(|mended| *mended > now) {
            Some(mended) => silence.min(mended),
            None => silence,
        }
    }
}
