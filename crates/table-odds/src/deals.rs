//! Every deal of the first cards, sorted by what it wins, for all numbers of decks at once.
//!
//! What a deal wins depends on the faces of its cards alone; how often it comes depends on the decks, and only through
//! which faces repeat. So the deals are walked once, by faces, and each outcome keeps how many of its deals repeat no
//! face, one face twice, and so on. The number of decks is put in afterwards.

use num_bigint::BigUint;
use table_rules::card::Card;
use table_rules::game::Game;

use crate::shoe::{Shoe, falling};

/// The cards of a deal: the player's two, whose order never matters, and what is asked for beyond them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Deal {
    pub first: [Card; 2],
    pub up: Card,
    /// Left out until the answer is [`Judgement::NeedsHole`]: most wagers never look.
    pub hole: Option<Card>,
}

/// What a judge says of a deal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Judgement<Outcome> {
    Settled(Outcome),
    /// Only with the hole card can this be told.
    NeedsHole,
    /// The wager cannot be made on this deal (insurance without an ace).
    NotOffered,
}

/// How the faces of a deal repeat, told by how many pairs of its cards have the same face: no two shapes of three or of
/// four cards share this number.
const SHAPES: usize = 7;

/// How many ordered deals of each shape there are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
struct Shapes([u64; SHAPES]);

impl Shapes {
    /// Ordered ways to deal these from so many decks.
    fn ways(&self, cards: usize, decks: u8) -> BigUint {
        let of_shape = |(equal_pairs, deals): (usize, &u64)| {
            let repeats = repeats(cards, equal_pairs).iter();
            BigUint::from(*deals) * repeats.map(|times| falling(usize::from(decks), *times)).product::<BigUint>()
        };
        self.0.iter().enumerate().filter(|(_, deals)| **deals > 0).map(of_shape).sum()
    }
}

/// How often each face of a shape appears.
fn repeats(cards: usize, equal_pairs: usize) -> &'static [usize] {
    match (cards, equal_pairs) {
        (3, 0) => &[1, 1, 1],
        (3, 1) => &[2, 1],
        (3, 3) => &[3],
        (4, 0) => &[1, 1, 1, 1],
        (4, 1) => &[2, 1, 1],
        (4, 2) => &[2, 2],
        (4, 3) => &[3, 1],
        (4, 6) => &[4],
        (cards, equal_pairs) => unreachable!("{cards} cards cannot have {equal_pairs} equal pairs"),
    }
}

/// The deals of one outcome: those that three cards decided, and those that took four.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Deals {
    three: Shapes,
    four: Shapes,
}

impl Deals {
    /// Ordered ways to deal these, as four cards each.
    pub fn ways(&self, shoe: Shoe) -> BigUint {
        let any_fourth = BigUint::from(shoe.cards() - 3);
        self.three.ways(3, shoe.decks()) * any_fourth + self.four.ways(4, shoe.decks())
    }
}

/// The outcomes of all deals.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally<Outcome> {
    outcomes: Vec<(Outcome, Deals)>,
    last: usize,
}

impl<Outcome: PartialEq> Tally<Outcome> {
    /// Walks every deal of `game`, the hole card only where the judge asks for it.
    ///
    /// The judge must not tell the player's two cards apart by their order.
    pub fn of(game: Game, mut judge: impl FnMut(Deal) -> Judgement<Outcome>) -> Self {
        let faces: Vec<Card> = game.deck().collect();
        let mut tally = Self { outcomes: Vec::new(), last: 0 };
        for (a, b, orders) in pairs(&faces) {
            for up in &faces {
                let up = *up;
                let equal = usize::from(a == b) + usize::from(a == up) + usize::from(b == up);
                let deal = Deal { first: [a, b], up, hole: None };
                match judge(deal) {
                    Judgement::Settled(outcome) => tally.of_outcome(outcome).three.0[equal] += orders,
                    Judgement::NotOffered => {}
                    Judgement::NeedsHole => {
                        for hole in &faces {
                            let equal = equal + [a, b, up].iter().filter(|card| *card == hole).count();
                            match judge(Deal { hole: Some(*hole), ..deal }) {
                                Judgement::Settled(outcome) => tally.of_outcome(outcome).four.0[equal] += orders,
                                Judgement::NotOffered => {}
                                Judgement::NeedsHole => unreachable!("the judge has the hole card of {deal:?}"),
                            }
                        }
                    }
                }
            }
        }
        tally
    }

    /// Walks every deal of two hands of two cards, as Switch deals them; neither hand's order matters.
    pub fn of_two_hands(game: Game, mut judge: impl FnMut([Card; 2], [Card; 2]) -> Outcome) -> Self {
        let faces: Vec<Card> = game.deck().collect();
        let mut tally = Self { outcomes: Vec::new(), last: 0 };
        for (a, b, orders) in pairs(&faces) {
            for (c, d, more_orders) in pairs(&faces) {
                let pairs = [a == b, a == c, a == d, b == c, b == d, c == d];
                let equal = pairs.iter().filter(|equal| **equal).count();
                tally.of_outcome(judge([a, b], [c, d])).four.0[equal] += orders * more_orders;
            }
        }
        tally
    }

    /// Each outcome that can happen with this shoe, and its ordered ways, as four cards each.
    pub fn ways(&self, shoe: Shoe) -> impl Iterator<Item = (&Outcome, BigUint)> {
        self.outcomes
            .iter()
            .map(move |(outcome, deals)| (outcome, deals.ways(shoe)))
            .filter(|(_, ways)| *ways != BigUint::ZERO)
    }

    fn of_outcome(&mut self, outcome: Outcome) -> &mut Deals {
        // Neighbouring deals mostly end alike.
        if self.outcomes.get(self.last).is_none_or(|(known, _)| *known != outcome) {
            self.last = self.outcomes.iter().position(|(known, _)| *known == outcome).unwrap_or(self.outcomes.len());
            if self.last == self.outcomes.len() {
                self.outcomes.push((outcome, Deals::default()));
            }
        }
        &mut self.outcomes[self.last].1
    }
}

/// Two faces and in how many orders they come.
fn pairs(faces: &[Card]) -> impl Iterator<Item = (Card, Card, u64)> + '_ {
    faces.iter().enumerate().flat_map(move |(at, first)| {
        faces[at..].iter().map(move |second| (*first, *second, if first == second { 1 } else { 2 }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ways of each outcome from walking the physical cards one by one.
    fn slow<const N: usize>(decks: usize, judge: impl Fn([Card; 4]) -> usize) -> [u64; N] {
        let physical: Vec<Card> = (0..decks).flat_map(|_| Game::Spanish21.deck()).collect();
        let mut found = [0; N];
        for (a, first) in physical.iter().enumerate() {
            for (b, second) in physical.iter().enumerate().filter(|(b, _)| *b != a) {
                for (c, third) in physical.iter().enumerate().filter(|(c, _)| *c != a && *c != b) {
                    for (_, fourth) in physical.iter().enumerate().filter(|(d, _)| *d != a && *d != b && *d != c) {
                        found[judge([*first, *second, *third, *fourth])] += 1;
                    }
                }
            }
        }
        found
    }

    /// Something that looks at all four cards: how many pairs of equal faces, and whether all ranks agree.
    fn four_cards(four: [Card; 4]) -> usize {
        let [a, b, c, d] = four;
        let equal = [a == b, a == c, a == d, b == c, b == d, c == d].iter().filter(|equal| **equal).count();
        2 * equal + usize::from(four.iter().all(|card| card.rank() == a.rank()))
    }

    fn assert_agrees<const N: usize>(tally: &Tally<usize>, decks: u8, expected: [u64; N]) {
        let shoe = Shoe::new(Game::Spanish21, decks).unwrap();
        let mut found = [const { BigUint::ZERO }; N];
        for (outcome, ways) in tally.ways(shoe) {
            found[*outcome] += ways;
        }
        assert_eq!(found, expected.map(BigUint::from), "{decks} decks");
        assert_eq!(found.iter().sum::<BigUint>(), shoe.orders(4));
    }

    #[test]
    fn four_cards_agree_with_walking_the_physical_cards() {
        let dealt = Tally::of(Game::Spanish21, |deal| match deal.hole {
            None => Judgement::NeedsHole,
            Some(hole) => Judgement::Settled(four_cards([deal.first[0], deal.first[1], deal.up, hole])),
        });
        let switched = Tally::of_two_hands(Game::Spanish21, |[a, b], [c, d]| four_cards([a, b, c, d]));
        for decks in [1, 2] {
            let expected: [u64; 14] = slow(decks, four_cards);
            let decks = u8::try_from(decks).unwrap();
            assert_agrees(&dealt, decks, expected);
            assert_agrees(&switched, decks, expected);
        }
    }

    #[test]
    fn deals_that_three_cards_decide_mix_with_those_that_take_four() {
        // With an ace up the hole card counts, else the up card's suit.
        let judge = |up: Card, hole: Option<Card>| match (up.rank().is_ace(), hole) {
            (true, None) => None,
            (true, Some(hole)) => Some(4 + hole.suit() as usize),
            (false, _) => Some(up.suit() as usize),
        };
        let tally = Tally::of(Game::Spanish21, |deal| match judge(deal.up, deal.hole) {
            Some(outcome) => Judgement::Settled(outcome),
            None => Judgement::NeedsHole,
        });
        let expected: [u64; 8] = slow(2, |four| judge(four[2], Some(four[3])).unwrap());
        assert_agrees(&tally, 2, expected);
    }
}
