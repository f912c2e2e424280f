//! The best play for a table, worked out from its submission: which choice gains most with every hand under every up card,
//! what each choice is worth, and the house edge that remains.
//!
//! Expected values come from a recursion over the shoe less the cards seen: every hand of a player by its cards, every final
//! hand of the dealer. A player decides by what a chart can say (the total, hard or soft, and the number of cards), so a
//! row is chosen by the average of its hands; the edge is that of the chart, not of a player who remembers every card.
//! Nobody insures. The stake matters: 12.C pays fixed amounts, and chips decide what half a wager is (S8).
//!
//! | file | holds |
//! |---|---|
//! | `terms` | what the submission changes for the player |
//! | `hands`, `dealer_tree` | every hand of a player; every final hand of the dealer |
//! | `family`, `splits` | hands drawn from one shoe; what a split pair gains |
//! | `policy`, `weights`, `sweep` | a column of the chart; how often its hands come; the best choice of each row |
//! | `column`, `suits`, `switch` | all of one up card; 6-7-8 and 7-7-7; Blackjack Switch |
//! | `values` | the worth of every choice, for people |
//!
//! Nothing here is ever shown on a table's screen.
#![expect(clippy::float_arithmetic, reason = "chances and expected values; no money passes through them")]

mod column;
mod dealer_tree;
mod family;
mod hands;
mod policy;
#[cfg(test)]
mod published;
mod splits;
mod suits;
mod sweep;
mod switch;
mod terms;
mod values;
mod weights;

use table_rules::money::Cents;
use table_rules::table::Table;

use crate::strategy::{
    Block, CARD_COUNTS, Cell, Cells, DOUBLE_COUNTS, Doubled, PairPlay, Play, Strategy, SwitchWorth, TOTALS, UP_CARDS,
};
use column::Column;
use hands::Hands;
use policy::Policy;
use splits::WORKED_OUT;
use terms::Terms;

pub use values::{Choices, Values};

/// Up cards: one step of the work each.
pub const STEPS: usize = UP_CARDS;

/// The best play, and what it is worth.
#[derive(Clone, PartialEq, Debug)]
pub struct BestPlay {
    pub strategy: Strategy,
    /// What a player by this chart loses for each opening wager, from a fresh shoe.
    pub edge: f64,
    pub values: Values,
}

impl BestPlay {
    /// Works it out for opening wagers of this amount; `progress` hears how many of the [`STEPS`] are done.
    pub fn of(table: &Table, stake: Cents, progress: &dyn Fn(usize)) -> Self {
        Self::with_splits_worked_out(table, stake, WORKED_OUT, progress)
    }

    fn with_splits_worked_out(table: &Table, stake: Cents, depth: usize, progress: &dyn Fn(usize)) -> Self {
        let terms = Terms::of(table, stake);
        let hands = Hands::new();
        let mut whole = Whole::new(table, &terms);
        for column in 0..UP_CARDS {
            if let Some(solved) = Column::solve(&terms, &hands, value_of_column(column), depth) {
                whole.take(column, &solved);
            }
            progress(column + 1);
        }
        whole.finish()
    }
}

impl Strategy {
    /// The best play at this table with opening wagers of this amount.
    pub fn best(table: &Table, stake: Cents) -> Self {
        BestPlay::of(table, stake, &|_| {}).strategy
    }
}

/// The columns put together.
struct Whole {
    strategy: Strategy,
    values: Values,
    gain: f64,
    /// Wagers of a box.
    wagers: f64,
}

impl Whole {
    fn new(table: &Table, terms: &Terms) -> Self {
        let block: Box<Block> = Box::new([[[[Cell::Stand; UP_CARDS]; CARD_COUNTS]; TOTALS]; 2]);
        let after_double: Box<Cells<Doubled, DOUBLE_COUNTS>> =
            Box::new([[[[Doubled::Stand; UP_CARDS]; DOUBLE_COUNTS]; TOTALS]; 2]);
        let no_worth = SwitchWorth { hands: [[0; 10]; 10], blackjack: 0 };
        let strategy = Strategy {
            bonus: block.clone(),
            no_bonus: block,
            pairs: [[PairPlay::AsTotal; UP_CARDS]; 10],
            surrender: [[[false; UP_CARDS]; TOTALS]; 2],
            on_the_way: terms.is_sister_game.then(|| Box::new([[[Play::Stand; UP_CARDS]; 3]; 4])),
            top_suit: table.game.top_suit(),
            after_double,
            even_money: false,
            switch: terms.switch.map(|_| Box::new([no_worth; UP_CARDS])),
        };
        let wagers = if terms.switch.is_some() { 2.0 } else { 1.0 };
        Self { strategy, values: Values::default(), gain: 0.0, wagers }
    }

    fn take(&mut self, at: usize, column: &Column<'_>) {
        self.take_policy(at, &column.policy);
        let all = f64::from(column.terms.shoe.iter().sum::<u32>());
        let chance = f64::from(column.terms.shoe[column.up]) / all;
        self.gain += chance
            * match (column.terms.switch, &mut self.strategy.switch) {
                (Some(rules), Some(worth)) => {
                    let switched = switch::solve(column, rules);
                    worth[at] = switched.worth;
                    switched.gain
                }
                (_, _) => column.gain(),
            };
        if column.up == 0 && column.terms.even_money {
            let (plain, even) = column.blackjack_gains();
            self.strategy.even_money = even > plain;
        }
        self.values.take(at, chance, column);
    }

    fn take_policy(&mut self, at: usize, policy: &Policy) {
        let Strategy { bonus, no_bonus, pairs, surrender, on_the_way, after_double, .. } = &mut self.strategy;
        for soft in 0..2 {
            for total in 0..TOTALS {
                for group in 0..CARD_COUNTS {
                    bonus[soft][total][group][at] = policy.blocks[0][soft][total][group];
                    no_bonus[soft][total][group][at] = policy.blocks[1][soft][total][group];
                }
                for doubles in 0..DOUBLE_COUNTS {
                    after_double[soft][total][doubles][at] = policy.after_double[soft][total][doubles];
                }
                surrender[soft][total][at] = policy.surrender[soft][total];
            }
        }
        for (row, play) in pairs.iter_mut().zip(policy.pairs) {
            row[at] = play;
        }
        for (cards, plays) in on_the_way.iter_mut().flat_map(|all| all.iter_mut()).zip(policy.on_the_way) {
            for (row, play) in cards.iter_mut().zip(plays) {
                row[at] = play;
            }
        }
    }

    fn finish(self) -> BestPlay {
        BestPlay { strategy: self.strategy, edge: -self.gain / self.wagers, values: self.values }
    }
}

/// The point value of a column's up card: 2 to 9, ten-value, ace.
pub(crate) const fn value_of_column(column: usize) -> usize {
    (column + 1) % UP_CARDS
}

#[cfg(test)]
mod tests {
    use super::*;
    use table_rules::game::Game;

    /// What the straight line costs: as many hands worked out as four hands of a box can ask for.
    #[test]
    fn carrying_split_hands_on_in_a_straight_line_costs_next_to_nothing() {
        for table in [Table::usual(Game::Spanish21), Table { decks: 2, ..Table::usual(Game::Blackjack) }] {
            let edge = |depth| BestPlay::with_splits_worked_out(&table, Cents::dollars(1), depth, &|_| {}).edge;
            let (line, exact) = (edge(WORKED_OUT), edge(6));
            assert!((line - exact).abs() < 1e-7, "{}: {line} {exact}", table.game);
        }
    }
}
