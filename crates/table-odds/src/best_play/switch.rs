//! Blackjack Switch: what each hand of two cards is worth decides whether second cards change places (12.A(4)).
//!
//! A player compares the four hands by their worth in a shoe that only the up card and the hand's own cards have left. What
//! the box gains by that rule is worked out with the other two cards gone as well, each card's effect added to the other's.
#![expect(clippy::float_arithmetic, reason = "chances and expected values; no money passes through them")]

use table_rules::table::{SwitchBlackjack, SwitchRules, UnswitchedAgainst22};

use super::column::{Column, split_families};
use super::dealer_tree::TWENTY_TWO;
use super::family::{Family, without};
use super::sweep;
use crate::shoe::VALUES;
use crate::strategy::{PairPlay, SwitchWorth};

/// Worths are compared as whole millionths of the wager, so that every machine compares alike.
const MILLION: f64 = 1e6;

/// By the two values of a hand.
type OfTwo = [[f64; VALUES]; VALUES];

/// What hands of two cards gain from one shoe, the dealer without blackjack.
struct Gains {
    /// An ace and a ten-value card as a 21.
    hands: OfTwo,
    /// The same two as a blackjack.
    blackjack: f64,
}

#[derive(Debug)]
pub(super) struct Switched {
    pub(super) worth: SwitchWorth,
    /// What a box's two wagers gain, given the up card.
    pub(super) gain: f64,
}

pub(super) fn solve(column: &Column<'_>, rules: SwitchRules) -> Switched {
    let plain = gains(column, rules, &column.dealt, &column.left);
    let less: Vec<Option<Gains>> = (0..VALUES)
        .map(|value| {
            let mut left = column.left;
            left[value] = left[value].checked_sub(1)?;
            let mut dealt = Family::new(column.terms, column.hands, &column.tree, &left, None);
            sweep::value(column.terms, column.hands, &mut dealt, &column.policy);
            Some(gains(column, rules, &dealt, &left))
        })
        .collect();
    let worth =
        SwitchWorth { hands: plain.hands.map(|row| row.map(millionths)), blackjack: millionths(plain.blackjack) };
    let gain = gain_of_box(column, &plain, &less, &worth);
    Switched { worth, gain }
}

#[expect(clippy::cast_possible_truncation, reason = "a hand gains or loses a few wagers")]
fn millionths(gain: f64) -> i32 {
    (gain * MILLION).round() as i32
}

/// For how many further cards of a pair split hands are worked out here, in a dozen shoes instead of one.
const WORKED_OUT: usize = 2;

/// Every hand of two cards from this shoe.
fn gains(column: &Column<'_>, rules: SwitchRules, dealt: &Family, left: &[u32; VALUES]) -> Gains {
    let splits: [Option<f64>; VALUES] = std::array::from_fn(|value| {
        if column.policy.pairs[value] != PairPlay::Split {
            return None;
        }
        let mut families = split_families(column.terms, column.hands, &column.tree, left, value, WORKED_OUT);
        for family in &mut families {
            sweep::value(column.terms, column.hands, family, &column.policy);
        }
        column.gain_of_split(value, &families, left)
    });
    let hands = std::array::from_fn(|first| {
        std::array::from_fn(|second| match splits[first] {
            Some(gain) if first == second => gain,
            Some(_) | None => dealt.value[column.hands.pair_of(first, second)],
        })
    });
    Gains { hands, blackjack: blackjack(column, rules, left) }
}

/// What a blackjack as dealt gains (12.A(5)(a), (e), B8).
fn blackjack(column: &Column<'_>, rules: SwitchRules, left: &[u32; VALUES]) -> f64 {
    let mut cards = [0; VALUES];
    (cards[0], cards[9]) = (1, 1);
    let Some(rest) = without(left, &cards) else { return 0.0 };
    let endings = column.tree.endings(&rest, &mut Vec::new());
    let pays = match rules.blackjack {
        SwitchBlackjack::AsPrinted => column.terms.blackjack_pays,
        SwitchBlackjack::EvenMoney => 1.0,
    };
    let against_22 = match rules.unswitched_against_22 {
        UnswitchedAgainst22::Tie => 0.0,
        UnswitchedAgainst22::Win => pays,
    };
    let (twenty_one, twenty_two) = (endings[TWENTY_TWO - 1], endings[TWENTY_TWO]);
    twenty_one + twenty_two * against_22 + (1.0 - twenty_one - twenty_two) * pays
}

fn gain_of_box(column: &Column<'_>, plain: &Gains, less: &[Option<Gains>], worth: &SwitchWorth) -> f64 {
    let gain_of = |gains: &Gains, [first, second]: [usize; 2], natural: bool| {
        if natural && is_blackjack(first, second) { gains.blackjack } else { gains.hands[first][second] }
    };
    let mut sum = 0.0;
    for four in every_four() {
        let [a, b, c, d] = four;
        let mut seen = [0_u8; VALUES];
        let mut chance = 1.0;
        let mut all = f64::from(column.left.iter().sum::<u32>());
        for value in four {
            chance *= (f64::from(column.left[value]) - f64::from(seen[value])) / all;
            seen[value] += 1;
            all -= 1.0;
        }
        if chance <= 0.0 {
            continue;
        }
        let switches = worth.switches([a, b], [c, d]);
        let hands = if switches { [[a, d], [c, b]] } else { [[a, b], [c, d]] };
        let mut gain = 0.0;
        for (hand, others) in [(hands[0], hands[1]), (hands[1], hands[0])] {
            let base = gain_of(plain, hand, !switches);
            gain += base;
            for other in others {
                gain += less[other].as_ref().map_or(0.0, |less| gain_of(less, hand, !switches) - base);
            }
        }
        let blackjack = column.blackjack_chance(&seen);
        let loses = [[a, b], [c, d]].iter().filter(|hand| !is_blackjack(hand[0], hand[1])).count();
        let loses = f64::from(u8::try_from(loses).unwrap_or(2));
        sum += chance * ((1.0 - blackjack) * gain - blackjack * loses);
    }
    sum
}

fn is_blackjack(first: usize, second: usize) -> bool {
    first.min(second) == 0 && first.max(second) == 9
}

fn every_four() -> impl Iterator<Item = [usize; 4]> {
    (0..VALUES.pow(4)).map(|all| [all / 1000, all / 100 % 10, all / 10 % 10, all % 10])
}
