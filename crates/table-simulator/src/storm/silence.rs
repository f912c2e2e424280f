//! Two storms that differ in one hole card alone, with the same answer of the reader. Until it is turned, every byte that
//! the journal has stored, and everything the screen shows, must be the same.

use table_controller::{Config, encode_screen};
use table_rules::card::{Card, Rank, Suit};

use super::{Broken, NOON_MS, Storm};

/// Watches one hole card of a storm.
#[derive(Debug, Default)]
pub(super) struct Onlooker {
    /// Which hole card of the storm, counted from 1; 0 for none.
    watched: u64,
    /// Whether that card is another one than the shoe would have given.
    exchange: bool,
    dealt: u64,
    lay: bool,
    over: bool,
    stored: Vec<(String, Vec<u8>)>,
    screens: Vec<String>,
}

impl Storm {
    /// The card that becomes the hole card now.
    pub(super) fn exchanged(&mut self, card: Card) -> Card {
        self.onlooker.dealt += 1;
        if self.onlooker.dealt != self.onlooker.watched || !self.onlooker.exchange {
            return card;
        }
        let suit = if card.suit() == Suit::Hearts { Suit::Clubs } else { Suit::Hearts };
        let up = self.controller.engine().dealer().cards().first().copied();
        match up.map(|up| self.makes_blackjack(up, card)) {
            // The reader says yes: only the suit may be another one, or a ten-count of another name.
            Some(true) => Card::new(if card.rank() == Rank::King { Rank::Queen } else { card.rank() }, suit),
            Some(false) | None => Card::new(if card.rank() == Rank::Five { Rank::Nine } else { Rank::Five }, suit),
        }
    }

    fn makes_blackjack(&self, up: Card, hole: Card) -> bool {
        let ten = |card: Card| matches!(card.rank(), Rank::Ten | Rank::Jack | Rank::Queen | Rank::King);
        (up.rank() == Rank::Ace && ten(hole)) || (ten(up) && hole.rank() == Rank::Ace)
    }

    /// Before every input: what an onlooker could have read so far.
    pub(super) fn look_on(&mut self) {
        if self.onlooker.watched == 0 || self.onlooker.over || self.onlooker.dealt < self.onlooker.watched {
            return;
        }
        let lies = self.controller.engine().hole_card_lies_down();
        if lies {
            self.onlooker.stored = self.disk.stored();
            // Two screens that could not be written would be equal.
            let screen = encode_screen(&self.screen());
            self.onlooker.screens.push(screen);
        }
        self.onlooker.over = self.onlooker.lay && !lies;
        self.onlooker.lay |= lies;
    }
}

/// Plays a storm twice up to its `watched`th hole card's reveal and compares what was stored and shown. How many inputs the
/// card lay there for; 0 where the storm ended before.
pub fn silent_pair(config: &Config, seed: u64, watched: u64) -> Result<usize, Broken> {
    let play = |exchange| {
        let mut storm = Storm::new(config.clone(), seed);
        storm.onlooker = Onlooker { watched, exchange, ..Onlooker::default() };
        let until = NOON_MS + 6 * 3_600_000;
        let result = storm.begin().and_then(|()| {
            while storm.clock.wall_ms < until && !storm.onlooker.over {
                storm.go_on()?;
            }
            Ok(())
        });
        let last = || storm.last.iter().cloned().collect::<Vec<_>>().join("\n");
        result.map_err(|what| Broken { what, last: last() })?;
        Ok((storm.onlooker, last()))
    };
    let ((one, _), (other, last)) = (play(false)?, play(true)?);
    let differs = |what: String| Err(Broken { what, last: last.clone() });
    for (number, (one, other)) in one.screens.iter().zip(&other.screens).enumerate() {
        if one != other {
            return differs(format!("screen {number} tells the hole card\n{one}\n{other}"));
        }
    }
    if one.screens.len() != other.screens.len() {
        return differs("the hole card changed how long it lay there".to_owned());
    }
    for ((name, one), (_, other)) in one.stored.iter().zip(&other.stored) {
        let at = one.iter().zip(other).position(|(one, other)| one != other);
        if let Some(at) = at.or((one.len() != other.len()).then_some(one.len().min(other.len()))) {
            return differs(format!("{name} tells the hole card at byte {at}"));
        }
    }
    if one.stored.len() != other.stored.len() {
        return differs("the hole card changed how many files there are".to_owned());
    }
    Ok(one.screens.len())
}
