//! What stands between rounds: all that a new round starts from. Plain data, kept in snapshots.

use crate::input::Packs;
use crate::seat::{Seat, SeatSet};

/// What stands between rounds: all that a new round starts from, and all that an undo rebuilds from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Between {
    /// Rounds begun at this table; the current one's number while it is played.
    pub(crate) round: u64,
    pub(crate) burns: Burns,
    /// Boxes that sat out a round of this shoe (6.C).
    pub(crate) sat_out: SeatSet,
    /// The cover card has appeared, or a void asks for it: reshuffle after this round.
    pub(crate) cover_seen: bool,
    /// Where the table stands while no round is played.
    pub(crate) rest: Rest,
    /// Who is offered the cut, and who has refused it (5.D).
    pub(crate) cut: CutState,
    /// Blackjack's two batches alternate (3.B(4)): which one is next.
    pub(crate) batch: u8,
    /// Minutes since some midnight, as far as anybody has told.
    pub(crate) clock: Option<u32>,
    /// When the decks in use came to the table (3.C; blackjack 3.D).
    pub(crate) decks_since: Option<u32>,
    /// The shuffler is covered or has its sign up (13.S; blackjack 14.N).
    pub(crate) shuffler_out: bool,
    /// The table has had no activity and is being brought back (5.H, 5.I).
    pub(crate) idle: bool,
    /// Sides of a double shoe whose cover card has appeared, one bit each (7.E(2)).
    pub(crate) covers: u8,
    /// Sides of a double shoe that wait for their cut and cover card, one bit each.
    pub(crate) sides_to_cut: u8,
    /// Sides of a double shoe that were shuffled last and go into the shoe together, one bit each.
    pub(crate) sides_shuffled: u8,
    /// The decks leave the table after this round (13.D).
    pub(crate) decks_out: bool,
    /// The reader failed and is not repaired yet (13.Q; blackjack 14.L).
    pub(crate) reader_out: bool,
    /// Whether the decks came with their tens (4.B).
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Packs::are_unsaid"))]
    pub(crate) packs: Packs,
    /// The decks in use have not been shuffled yet: all of them lie on the table (Chapter 4).
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "std::ops::Not::not"))]
    pub(crate) opening: bool,
    /// Cards that did not belong in the shoe, since the last shuffle (H20).
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Found::is_nothing"))]
    pub(crate) found: Found,
}

/// What was found in the shoe from one shuffle to the next (13.B, 13.D).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Found {
    pub(crate) face_up: u8,
    pub(crate) tens: u8,
}

#[cfg(feature = "serde")]
impl Found {
    fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

/// Where a table rests between rounds: the steps of Chapters 4 and 5.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Rest {
    Closed,
    Receive,
    DealerInspects,
    FloorVerifies,
    TensRemoved,
    /// Another number of tens was torn than the packs should have had.
    TensConfirmed,
    Spread,
    PlayerInspects,
    Wash,
    Shuffle,
    Cut,
    PlaceCover,
    Load,
    /// Open for wagers.
    Open,
}

/// The offer of the cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct CutState {
    /// The seat it is offered to first; `None`: the one farthest to the right.
    pub(crate) start: Option<Seat>,
    /// Seats with players.
    pub(crate) seated: SeatSet,
    pub(crate) refused: SeatSet,
    /// What led to the shuffle: it says by which part of 5.D the cut is offered.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "CutAfter::is_something_else"))]
    pub(crate) after: CutAfter,
    /// A floorperson has the stack cut once more (5.F).
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "std::ops::Not::not"))]
    pub(crate) again: bool,
}

/// What the cards were shuffled after, as far as it decides who is offered the cut (5.D).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum CutAfter {
    /// The game begins, or an idle table goes on: the first player (5.D(1)).
    Beginning,
    /// The cover card came out at a player's box (5.D(2)).
    CoverAtBox,
    /// It came out on the dealer's hand (5.D(3), 5.D(4)).
    CoverAtDealer,
    /// A floorperson ordered the reshuffle (5.D(5), 5.D(6)).
    FloorsWord,
    /// Something that 5.D does not name, a void round or an empty shoe; or it was not noted down yet.
    #[default]
    SomethingElse,
}

#[cfg(feature = "serde")]
impl CutAfter {
    fn is_something_else(&self) -> bool {
        *self == Self::SomethingElse
    }
}

impl CutState {
    /// 5.D(1): the game is just beginning; the first player is not known yet.
    pub(crate) const fn first_player() -> Self {
        let (seated, refused) = (SeatSet::EMPTY, SeatSet::EMPTY);
        Self { start: None, seated, refused, after: CutAfter::Beginning, again: false }
    }
}

/// The cards that have to be burnt before the next card to a player; each burn takes one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Burns {
    /// A table joined in mid-life: whether the batch's first card was burnt is not known.
    pub(crate) unknown: bool,
    pub(crate) batch: bool,
    pub(crate) each_round: bool,
    pub(crate) new_dealer: bool,
}

impl Burns {
    pub(crate) const NONE: Self = Self { unknown: false, batch: false, each_round: false, new_dealer: false };

    #[inline]
    pub(crate) const fn next(self) -> BurnDue {
        if self.batch {
            BurnDue::Batch
        } else if self.each_round {
            BurnDue::EachRound
        } else if self.new_dealer {
            BurnDue::NewDealer
        } else if self.unknown {
            BurnDue::MayBe
        } else {
            BurnDue::No
        }
    }

    /// Whether a card has to be burnt, and not only may be.
    #[inline]
    pub(crate) const fn are_required(self) -> bool {
        self.batch | self.each_round | self.new_dealer
    }

    /// This burn has to be done again.
    pub(crate) const fn once_more(self, due: BurnDue) -> Self {
        match due {
            BurnDue::Batch | BurnDue::MayBe => Self { batch: true, ..self },
            BurnDue::EachRound => Self { each_round: true, ..self },
            BurnDue::NewDealer => Self { new_dealer: true, ..self },
            BurnDue::No => self,
        }
    }

    /// What is left after one card was burnt.
    pub(crate) const fn one_less(self) -> Self {
        match self.next() {
            BurnDue::Batch => Self { batch: false, ..self },
            BurnDue::EachRound => Self { each_round: false, ..self },
            BurnDue::NewDealer => Self { new_dealer: false, ..self },
            BurnDue::MayBe => Self { unknown: false, ..self },
            BurnDue::No => self,
        }
    }
}

/// The next burn that is due before a card goes to a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BurnDue {
    No,
    /// A table joined in mid-life: whether the batch's first card was burnt is not known, so it may be.
    MayBe,
    /// A batch went into the shoe: its first card is burnt (7.B(3)).
    Batch,
    /// Dealt from the hand: one card before every round (blackjack 12.B(7)).
    EachRound,
    NewDealer,
}
