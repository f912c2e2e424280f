//! Where drawn cards wait, sealed, until they lie face up.
//!
//! Memory only: after a restart the slot is empty and a reveal asks for a tap. It holds numbers and seals, it cannot be
//! printed beyond a count, and what it drops is wiped by the seal itself. It never guesses which card a number means: a
//! number that came twice opens nothing.

use std::collections::BTreeMap;
use std::fmt;

use device_protocols::sealed::{Card, DrawNumber, FaceUp, SealedCard};
use thiserror::Error;

/// More than eight decks; beyond it the oldest draw is forgotten.
pub const SLOT_CAPACITY: usize = 512;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NotOpenable {
    #[error("{0} is not in the slot: it was opened or discarded, or the controller restarted; ask for a tap")]
    NotHere(DrawNumber),
    #[error("{0} came twice, so nobody can say which card it means; ask for a tap")]
    CameTwice(DrawNumber),
    #[error("the word that a card lies face up was given for another draw than {0}")]
    WrongWord(DrawNumber),
}

enum Entry {
    Sealed(SealedCard),
    CameTwice,
}

/// The cards of one shoe that are out and not yet known.
#[derive(Default)]
pub struct SealedSlot {
    entries: BTreeMap<DrawNumber, Entry>,
}

impl fmt::Debug for SealedSlot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SealedSlot({} draws)", self.entries.len())
    }
}

/// What keeping a card did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    Once,
    Twice,
}

impl SealedSlot {
    pub fn keep(&mut self, card: SealedCard) -> Kept {
        let draw = card.draw();
        if let Some(entry) = self.entries.get_mut(&draw) {
            *entry = Entry::CameTwice;
            return Kept::Twice;
        }
        if self.entries.len() >= SLOT_CAPACITY {
            self.entries.pop_first();
        }
        self.entries.insert(draw, Entry::Sealed(card));
        Kept::Once
    }

    pub fn open(&mut self, draw: DrawNumber, face_up: FaceUp) -> Result<Card, NotOpenable> {
        match self.entries.remove(&draw) {
            None => Err(NotOpenable::NotHere(draw)),
            Some(Entry::CameTwice) => {
                self.entries.insert(draw, Entry::CameTwice);
                Err(NotOpenable::CameTwice(draw))
            }
            Some(Entry::Sealed(card)) => card.open(face_up).map_err(|wrong| {
                self.entries.insert(draw, Entry::Sealed(wrong.sealed));
                NotOpenable::WrongWord(draw)
            }),
        }
    }

    pub fn discard(&mut self, draw: DrawNumber) {
        self.entries.remove(&draw);
    }

    pub fn discard_all(&mut self) {
        self.entries.clear();
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}
