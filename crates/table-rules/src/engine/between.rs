//! What stands between rounds: all that a new round starts from. Plain data, kept in snapshots.

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
}

impl CutState {
    /// 5.D(1): the game is just beginning; the first player is not known yet.
    pub(crate) const fn first_player() -> Self {
        Self { start: None, seated: SeatSet::EMPTY, refused: SeatSet::EMPTY }
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

    /// One card was burnt.
    pub(crate) fn one_less(&mut self) {
        match self.next() {
            BurnDue::Batch => self.batch = false,
            BurnDue::EachRound => self.each_round = false,
            BurnDue::NewDealer => self.new_dealer = false,
            BurnDue::MayBe => self.unknown = false,
            BurnDue::No => {}
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
