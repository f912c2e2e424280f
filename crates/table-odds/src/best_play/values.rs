//! What each choice of the chart is worth: averages over the hands of a row, each as often as the best play comes to it.
#![expect(clippy::float_arithmetic, reason = "expected values; no money passes through them")]

use super::column::Column;
use super::family::Family;
use super::policy::{ON_THE_WAY, group};
use super::suits;
use super::terms::DOUBLES_MAX;
use super::weights::Weights;
use crate::strategy::{CARD_COUNTS, DOUBLE_COUNTS, Play, TOTALS, UP_CARDS};

/// The choices of one cell.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Choices {
    /// How many times a round the cell is come to.
    pub reach: f64,
    /// What each play gains in units of the opening wager, by [`Play`]; none where it is not open.
    gains: [Option<f64>; Play::ALL.len()],
}

impl Choices {
    pub fn of(&self, play: Play) -> Option<f64> {
        self.gains[play as usize]
    }

    fn set(&mut self, play: Play, gain: Option<f64>) {
        self.gains[play as usize] = gain;
    }
}

/// The choices of every cell of the chart: lists, because there are thousands of them.
#[derive(Clone, PartialEq, Debug)]
pub struct Values {
    totals: Vec<Choices>,
    after_double: Vec<Choices>,
    pairs: Vec<Choices>,
    on_the_way: Vec<Choices>,
}

impl Default for Values {
    fn default() -> Self {
        let none = |rows: usize| vec![Choices::default(); rows * UP_CARDS];
        Self {
            totals: none(2 * TOTAL_ROWS * CARD_COUNTS),
            after_double: none(TOTAL_ROWS * DOUBLE_COUNTS),
            pairs: none(10),
            on_the_way: none(ON_THE_WAY.len() * 3),
        }
    }
}

/// Hard and soft totals.
const TOTAL_ROWS: usize = 2 * TOTALS;

/// The place of a total, hard or soft.
const fn total_row(soft: bool, total: usize) -> usize {
    if soft { TOTALS + total } else { total }
}

fn row(cells: &[Choices], row: usize) -> &[Choices] {
    &cells[row * UP_CARDS..][..UP_CARDS]
}

/// By up card everywhere.
impl Values {
    /// Of a block (hands that can still earn a bonus, split hands) and a row for a number of cards.
    pub(crate) fn total(&self, block: usize, soft: bool, total: usize, group: usize) -> &[Choices] {
        row(&self.totals, (block * TOTAL_ROWS + total_row(soft, total)) * CARD_COUNTS + group)
    }

    pub(crate) fn doubled(&self, soft: bool, total: usize, doubles: usize) -> &[Choices] {
        row(&self.after_double, total_row(soft, total) * DOUBLE_COUNTS + doubles)
    }

    /// By point value, the ace as 0.
    pub(crate) fn pair(&self, value: usize) -> &[Choices] {
        row(&self.pairs, value)
    }

    pub(crate) fn on_the_way(&self, cards: usize, suit: usize) -> &[Choices] {
        row(&self.on_the_way, cards * 3 + suit)
    }
}

/// A weighted average while it is added up.
#[derive(Clone, Copy, Default)]
struct Mean {
    weight: f64,
    sums: [f64; 3],
}

impl Mean {
    fn add(&mut self, weight: f64, values: [f64; 3]) {
        if weight > 0.0 {
            self.weight += weight;
            for (sum, value) in self.sums.iter_mut().zip(values) {
                *sum += weight * value;
            }
        }
    }

    /// As the choices of a cell; nothing where it is never come to.
    fn choices(&self, chance: f64, plays: [Option<Play>; 3]) -> Choices {
        let mut choices = Choices { reach: chance * self.weight, ..Choices::default() };
        if self.weight > 0.0 {
            for (play, sum) in plays.into_iter().zip(self.sums) {
                if let Some(play) = play {
                    choices.set(play, Some(sum / self.weight));
                }
            }
        }
        choices
    }
}

impl Values {
    /// `chance` is that of the up card.
    pub(super) fn take(&mut self, at: usize, chance: f64, column: &Column<'_>) {
        self.take_totals(at, chance, column);
        self.take_doubled(at, chance, column);
        self.take_openings(at, chance, column);
    }

    fn take_totals(&mut self, at: usize, chance: f64, column: &Column<'_>) {
        for block in 0..2 {
            let mut means = vec![Mean::default(); TOTAL_ROWS * CARD_COUNTS];
            for (family, weights) in families(column).filter(|each| usize::from(each.0.pair.is_some()) == block) {
                for (place, hand) in column.hands.iter() {
                    if hand.total < 21 && hand.cards >= 2 && !family.stands {
                        let row = total_row(hand.soft, usize::from(hand.total)) * CARD_COUNTS + group(hand.cards);
                        means[row].add(weights.rows[place], family.choices[place]);
                    }
                }
            }
            for (place, mean) in means.iter().enumerate() {
                let group = place % CARD_COUNTS;
                let double = column.terms.may_double(group + 2).then_some(Play::Double);
                let mut choices = mean.choices(chance, [Some(Play::Stand), Some(Play::Hit), double]);
                if block == 0 && group == 0 && mean.weight > 0.0 {
                    choices.set(Play::Surrender, column.terms.surrender_loses.map(|loses| -loses));
                }
                self.totals[(block * TOTAL_ROWS * CARD_COUNTS + place) * UP_CARDS + at] = choices;
            }
        }
    }

    fn take_doubled(&mut self, at: usize, chance: f64, column: &Column<'_>) {
        for doubles in 0..column.terms.doubles {
            let mut means = vec![Mean::default(); TOTAL_ROWS];
            for (family, weights) in families(column) {
                for (place, hand) in column.hands.iter() {
                    if hand.total < 21 {
                        means[total_row(hand.soft, usize::from(hand.total))]
                            .add(weights.doubled[doubles][place], family.doubled_choices[doubles][place]);
                    }
                }
            }
            let row = if column.terms.doubles == DOUBLES_MAX { doubles } else { DOUBLES_MAX - 1 };
            let rescue = column.terms.is_sister_game.then_some(Play::Rescue);
            let redouble = (doubles + 1 < column.terms.doubles).then_some(Play::Redouble);
            for (place, mean) in means.iter().enumerate() {
                self.after_double[(place * DOUBLE_COUNTS + row) * UP_CARDS + at] =
                    mean.choices(chance, [Some(Play::Stand), rescue, redouble]);
            }
        }
    }

    fn take_openings(&mut self, at: usize, chance: f64, column: &Column<'_>) {
        let surrender = column.terms.surrender_loses.map(|loses| -loses);
        for value in 0..10 {
            let place = column.hands.pair_of(value, value);
            let [stand, hit, double] = column.dealt.choices[place];
            let mut choices = Choices { reach: chance * column.dealt_chance(place), ..Choices::default() };
            choices.set(Play::Stand, Some(stand));
            choices.set(Play::Hit, Some(hit));
            choices.set(Play::Double, Some(double));
            choices.set(Play::Split, column.split_gain[value]);
            choices.set(Play::Surrender, surrender);
            self.pairs[value * UP_CARDS + at] = choices;
        }
        if !column.terms.is_sister_game {
            return;
        }
        for (cards, (first, second)) in ON_THE_WAY.into_iter().enumerate() {
            let dealt = column.dealt_chance(column.hands.pair_of(first, second));
            let shares = suits::shares(column.terms, cards, column.up);
            for (suit, share) in shares.into_iter().enumerate() {
                let mut choices = Choices { reach: chance * dealt * share, ..Choices::default() };
                for (play, gain) in column.on_the_way_choices(cards, suit) {
                    choices.set(play, gain);
                }
                self.on_the_way[(cards * 3 + suit) * UP_CARDS + at] = choices;
            }
        }
    }
}

/// The families that the chart was chosen for, each with how often its hands come.
fn families<'a>(column: &'a Column<'_>) -> impl Iterator<Item = (&'a Family, &'a Weights)> {
    let split = column.split.iter().zip(&column.split_weights);
    let split = split.filter_map(|(families, weights)| Some((families.first()?, weights.as_ref()?)));
    std::iter::once((&column.dealt, &column.dealt_weights)).chain(split)
}
