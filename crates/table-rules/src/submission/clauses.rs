//! The clauses and readings that a submission is checked against, by game. Points of play have their own list in
//! [`crate::source`]; here are those that only an operator's file can break.

use crate::game::Game;

use super::problem::Citation;

/// One requirement's id in each document, in the order of [`Game::ALL`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Clause([&'static str; 4]);

impl Clause {
    const fn everywhere(id: &'static str) -> Self {
        Self([id; 4])
    }

    pub(super) const fn id(self, game: Game) -> &'static str {
        self.0[game as usize]
    }

    /// While the game is unknown, only the form of the file can be cited.
    pub(super) fn cite(self, game: Option<Game>) -> Citation {
        match game {
            Some(game) => Citation { game: Some(game), id: self.id(game) },
            None => FILE_FORM.of_no_game(),
        }
    }

    const fn of_no_game(self) -> Citation {
        Citation { game: None, id: self.0[0] }
    }
}

/// A clause of the blackjack document that other games are measured against.
pub(super) const fn blackjack(id: &'static str) -> Citation {
    Citation { game: Some(Game::Blackjack), id }
}

/// How the file is written: keys, types, forms, the readings version. A reading, because no document speaks of files.
pub(super) const FILE_FORM: Clause = Clause::everywhere("H7");

pub(super) const POSITIONS: Clause = Clause::everywhere("2.A");
pub(super) const POSTED_LIMIT: Clause = Clause(["2.B(6)(b)", "2.B(6)(b)", "2.B(6)(b)", "2.B(5)(b)"]);
pub(super) const DECKS: Clause = Clause::everywhere("3.A");
pub(super) const ADJACENT_BOXES: Clause = Clause::everywhere("6.H");
pub(super) const LIMITS: Clause = Clause::everywhere("H3");
/// The dealer's drawing rule; Player's Edge 21 needs a reading to be plain.
pub(super) const SOFT_17: Clause = Clause(["B1", "7.M", "7.M", "P8"]);
/// Double shoe; no other game has one.
pub(super) const RED_SUITS: Clause = Clause(["7.C(1)(b)", "H7", "H7", "H7"]);
pub(super) const SETTLEMENT: Clause = Clause(["B1", "7.R", "7.R", "7.S"]);
pub(super) const EVEN_MONEY: Clause = Clause(["8.F", "8.A", "8.A", "8.A"]);
pub(super) const REDOUBLE: Clause = Clause(["B1", "10.A", "10.A", "10.I"]);
pub(super) const SPLITS: Clause = Clause::everywhere("11.D");
pub(super) const BLACKJACK_PAYS: Clause = Clause(["13.A(2)", "12.A(2)", "12.A(2)", "12.A(2)"]);
pub(super) const SEVEN_CARDS: Clause = Clause(["B1", "12.B(9)", "12.B(9)", "P1"]);
pub(super) const READER: Clause = Clause(["14.K", "13.P", "13.P", "13.P"]);
pub(super) const READER_STOPS: Clause = Clause(["14.L", "13.Q", "13.Q", "13.Q"]);
pub(super) const ROUNDING: Clause = Clause::everywhere("S8");
pub(super) const RANDOM_SOURCE: Clause = Clause::everywhere("B10");
pub(super) const RESTRICTIONS: Clause = Clause::everywhere("S11");
pub(super) const SMALLEST_CHIP: Clause = Clause::everywhere("S7");

#[cfg(test)]
pub(super) const ALL: &[Clause] = &[
    FILE_FORM,
    POSITIONS,
    POSTED_LIMIT,
    DECKS,
    ADJACENT_BOXES,
    LIMITS,
    SOFT_17,
    RED_SUITS,
    SETTLEMENT,
    EVEN_MONEY,
    REDOUBLE,
    SPLITS,
    BLACKJACK_PAYS,
    SEVEN_CARDS,
    READER,
    READER_STOPS,
    ROUNDING,
    RANDOM_SOURCE,
    RESTRICTIONS,
    SMALLEST_CHIP,
];
