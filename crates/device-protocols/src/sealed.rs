//! A card that nobody may know yet.
//!
//! A reading shoe sees every card as it leaves, the dealer's hole card too. Until a card lies face up its identity must
//! stay inside this type: it cannot be printed, serialised, compared or copied, and it is wiped from memory when dropped.
//! The only way in is [`SealedCard::open`], which asks for a [`FaceUp`] made for that very draw.
//!
//! ```
//! # use device_protocols::sealed::{Card, DrawNumber, SealedCard};
//! # let sealed = SealedCard::seal(DrawNumber(1), Card::new(1, 0).unwrap());
//! assert_eq!(format!("{sealed:?}"), "SealedCard(draw 1)");
//! ```
//!
//! Nothing of the following compiles:
//!
//! ```compile_fail
//! # use device_protocols::sealed::{Card, DrawNumber, SealedCard};
//! # let sealed = SealedCard::seal(DrawNumber(1), Card::new(1, 0).unwrap());
//! let copy = sealed.clone();
//! ```
//! ```compile_fail
//! # use device_protocols::sealed::{Card, DrawNumber, SealedCard};
//! # let sealed = SealedCard::seal(DrawNumber(1), Card::new(1, 0).unwrap());
//! let text = sealed.to_string();
//! ```
//! ```compile_fail
//! # use device_protocols::sealed::{Card, DrawNumber, SealedCard};
//! # let sealed = SealedCard::seal(DrawNumber(1), Card::new(1, 0).unwrap());
//! let same = sealed == sealed;
//! ```
//! ```compile_fail
//! # use device_protocols::sealed::{Card, DrawNumber, SealedCard};
//! # let sealed = SealedCard::seal(DrawNumber(1), Card::new(1, 0).unwrap());
//! let bytes = sealed.content;
//! ```
//! ```compile_fail
//! # use device_protocols::sealed::{DrawNumber, FaceUp};
//! let forged = FaceUp { draw: DrawNumber(1) };
//! ```

use std::fmt;

use thiserror::Error;
use zeroize::{Zeroize, Zeroizing};

/// A card that is known, as a plain pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Card {
    rank: u8,
    suit: u8,
}

impl Card {
    /// Rank 1 (ace) to 13 (king); suit 0 clubs, 1 diamonds, 2 hearts, 3 spades.
    pub fn new(rank: u8, suit: u8) -> Option<Self> {
        ((1..=13).contains(&rank) && suit <= 3).then_some(Self { rank, suit })
    }

    pub const fn rank(self) -> u8 {
        self.rank
    }

    pub const fn suit(self) -> u8 {
        self.suit
    }
}

/// Counts the cards that left the shoe since it was loaded, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DrawNumber(pub u16);

impl fmt::Display for DrawNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "draw {}", self.0)
    }
}

/// The controller's word that the card of one draw lies face up on the table. It opens that card and no other, once.
#[derive(Debug)]
pub struct FaceUp {
    draw: DrawNumber,
}

impl FaceUp {
    /// For the table controller alone, at the moment the procedure says the card is exposed. No other crate may call
    /// this; a test of this crate searches the workspace for callers.
    pub fn said_by_controller(draw: DrawNumber) -> Self {
        Self { draw }
    }
}

/// One drawn card, sealed. See the module's description for what it refuses to do.
pub struct SealedCard {
    draw: DrawNumber,
    /// On the heap, so that moving the seal moves a pointer and leaves no copy of the card on the stack.
    content: Box<[u8; 2]>,
}

impl SealedCard {
    /// For the device's end of the line: a simulated shoe, or a driver that has just decoded a draw.
    pub fn seal(draw: DrawNumber, card: Card) -> Self {
        Self { draw, content: Box::new([card.rank, card.suit]) }
    }

    pub fn draw(&self) -> DrawNumber {
        self.draw
    }

    /// Breaks the seal. A token made for another draw is refused and the card comes back as sealed as before.
    pub fn open(self, face_up: FaceUp) -> Result<Card, WrongDraw> {
        if self.draw != face_up.draw {
            return Err(WrongDraw { face_up: face_up.draw, sealed: self });
        }
        let [rank, suit] = *self.content;
        Ok(Card { rank, suit })
    }

    /// The bytes for the wire. Inside this crate only, and wiped by the caller's `Zeroizing`.
    ///
    /// Suits count from 1 there: a zero would be moved about by COBS, and a frame that was cut would then break in
    /// another way for clubs than for the rest.
    pub(crate) fn wire_bytes(&self) -> Zeroizing<[u8; 2]> {
        let [rank, suit] = *self.content;
        Zeroizing::new([rank, suit + 1])
    }

    /// The other way. `None` for bytes that are no card.
    pub(crate) fn from_wire(draw: DrawNumber, [rank, suit]: [u8; 2]) -> Option<Self> {
        Some(Self::seal(draw, Card::new(rank, suit.checked_sub(1)?)?))
    }
}

impl Drop for SealedCard {
    fn drop(&mut self) {
        self.content.zeroize();
    }
}

impl fmt::Debug for SealedCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SealedCard({})", self.draw)
    }
}

/// The token was for another card.
#[derive(Debug, Error)]
#[error("{face_up} was declared face up, but the sealed card is {}; open the card of that draw", sealed.draw())]
pub struct WrongDraw {
    pub face_up: DrawNumber,
    pub sealed: SealedCard,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sealed(rank: u8, suit: u8) -> SealedCard {
        SealedCard::seal(DrawNumber(4), Card::new(rank, suit).unwrap())
    }

    #[test]
    fn two_different_cards_print_alike() {
        assert_eq!(format!("{:?}", sealed(1, 0)), format!("{:?}", sealed(13, 3)));
        assert_eq!(format!("{:?}", sealed(1, 0)), "SealedCard(draw 4)");
    }

    #[test]
    fn only_the_token_of_the_same_draw_opens_it() {
        let refused = sealed(13, 3).open(FaceUp::said_by_controller(DrawNumber(3))).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "draw 3 was declared face up, but the sealed card is draw 4; open the card of that draw"
        );
        let card = refused.sealed.open(FaceUp::said_by_controller(DrawNumber(4))).unwrap();
        assert_eq!((card.rank(), card.suit()), (13, 3));
    }

    #[test]
    fn cards_outside_the_deck_do_not_exist() {
        for (rank, suit) in [(0, 0), (14, 0), (1, 4)] {
            assert_eq!(Card::new(rank, suit), None);
        }
    }
}
