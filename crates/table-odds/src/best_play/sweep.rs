//! One pass from the highest hands down: what each choice is worth, and the best choice of every row.
#![expect(clippy::float_arithmetic, reason = "expected values; no money passes through them")]

use super::family::Family;
use super::hands::{HandOf, Hands};
use super::policy::{Policy, group};
use super::terms::{COUNTED_CARDS, DOUBLES_MAX, Terms};
use super::weights::Weights;
use crate::strategy::{CARD_COUNTS, Cell, Doubled};

/// How much a hand counts that the policy never comes to, beside those it does.
const HARDLY: f64 = 1e-9;

/// A family and how often its hands are held, by the policy and in any way at all.
#[derive(Debug)]
pub(super) struct Weighed<'a> {
    pub(super) family: &'a mut Family,
    pub(super) by_policy: &'a Weights,
    pub(super) anyhow: &'a Weights,
}

impl Weighed<'_> {
    fn rows(&self, place: usize) -> f64 {
        self.by_policy.rows[place] + HARDLY * self.anyhow.rows[place]
    }

    fn doubled(&self, doubles: usize, place: usize) -> f64 {
        self.by_policy.doubled[doubles][place] + HARDLY * self.anyhow.doubled[doubles][place]
    }
}

/// The three choices of a row added up, each hand as often as it comes.
type Sums = [f64; 3];

/// Chooses the best policy for the totals, given how often hands are held.
pub(super) fn choose(terms: &Terms, hands: &Hands, families: &mut [Weighed<'_>], policy: &mut Policy) {
    for hard in (2..=21).rev() {
        for doubles in (0..terms.doubles).rev() {
            let mut sums = [[0.0; 3]; 2];
            for each in families.iter_mut() {
                for place in hands.of_hard(hard) {
                    let hand = hands.get(place);
                    if each.family.held[place] && hand.total < 21 && hand.cards > 2 {
                        let choices = doubled_choices(terms, hands, each.family, doubles, place);
                        each.family.doubled_choices[doubles][place] = choices;
                        add(&mut sums[usize::from(hand.soft)], choices, each.doubled(doubles, place));
                    }
                }
            }
            choose_after_double(terms, hard, doubles, &sums, policy);
            for each in families.iter_mut() {
                set_doubled(terms, hands, each.family, hard, doubles, policy);
            }
        }
        for block in 0..2 {
            let mut sums = [[[0.0; 3]; CARD_COUNTS]; 2];
            for each in families.iter_mut().filter(|each| usize::from(each.family.pair.is_some()) == block) {
                for place in hands.of_hard(hard) {
                    let hand = hands.get(place);
                    if each.family.held[place] && hand.total < 21 && hand.cards >= 2 {
                        let choices = choices(terms, hands, each.family, place);
                        each.family.choices[place] = choices;
                        if !each.family.stands {
                            add(&mut sums[usize::from(hand.soft)][group(hand.cards)], choices, each.rows(place));
                        }
                    }
                }
            }
            for (soft, groups) in sums.iter().enumerate() {
                let total = hard + if soft == 1 { 10 } else { 0 };
                if total < 21 {
                    for (group, sums) in groups.iter().enumerate() {
                        policy.blocks[block][soft][total][group] = best_cell(terms, group, sums);
                    }
                }
            }
            for each in families.iter_mut().filter(|each| usize::from(each.family.pair.is_some()) == block) {
                set_values(terms, hands, each.family, hard, policy);
            }
        }
    }
}

/// What the hands of a family gain when they are played by a policy that stands already.
pub(super) fn value(terms: &Terms, hands: &Hands, family: &mut Family, policy: &Policy) {
    for hard in (2..=21).rev() {
        for doubles in (0..terms.doubles).rev() {
            for place in hands.of_hard(hard) {
                let hand = hands.get(place);
                if family.held[place] && hand.total < 21 && hand.cards > 2 {
                    family.doubled_choices[doubles][place] = doubled_choices(terms, hands, family, doubles, place);
                }
            }
            set_doubled(terms, hands, family, hard, doubles, policy);
        }
        for place in hands.of_hard(hard) {
            let hand = hands.get(place);
            if family.held[place] && hand.total < 21 && hand.cards >= 2 {
                family.choices[place] = choices(terms, hands, family, place);
            }
        }
        set_values(terms, hands, family, hard, policy);
    }
}

fn add(sums: &mut Sums, choices: [f64; 3], weight: f64) {
    for (sum, value) in sums.iter_mut().zip(choices) {
        *sum += weight * value;
    }
}

/// Stand, hit, double.
fn choices(terms: &Terms, hands: &Hands, family: &Family, place: usize) -> [f64; 3] {
    [
        family.stand[place],
        family.after_a_card(hands, place, &family.value, -1.0),
        family.after_a_card(hands, place, &family.doubled[0], -terms.wager[1]),
    ]
}

/// Stand, rescue, redouble, after one more than `doubles` doubles.
fn doubled_choices(terms: &Terms, hands: &Hands, family: &Family, doubles: usize, place: usize) -> [f64; 3] {
    let wager = terms.wager[doubles + 1];
    let again = match family.doubled.get(doubles + 1) {
        Some(next) if doubles + 1 < terms.doubles => family.after_a_card(hands, place, next, -terms.wager[doubles + 2]),
        Some(_) | None => f64::NEG_INFINITY,
    };
    [wager * family.stand[place], -terms.rescue_loses[doubles + 1], again]
}

fn best_cell(terms: &Terms, group: usize, [stand, hit, double]: &Sums) -> Cell {
    if terms.may_double(group + 2) && double > stand && double > hit {
        Cell::Double
    } else if hit > stand {
        Cell::Hit
    } else {
        Cell::Stand
    }
}

/// The row after `doubles` + 1 doubles. Where a hand is doubled once only, the row of the last double serves it, as it does
/// at every table that a redouble is not open at.
fn after_double_row(terms: &Terms, doubles: usize) -> usize {
    if terms.doubles == DOUBLES_MAX { doubles } else { DOUBLES_MAX - 1 }
}

fn choose_after_double(terms: &Terms, hard: usize, doubles: usize, sums: &[Sums; 2], policy: &mut Policy) {
    for (soft, [stand, rescue, redouble]) in sums.iter().enumerate() {
        let total = hard + if soft == 1 { 10 } else { 0 };
        if total >= 21 {
            continue;
        }
        let best = if doubles + 1 < terms.doubles && redouble > stand && redouble > rescue {
            Doubled::Redouble
        } else if terms.is_sister_game && rescue > stand {
            Doubled::Rescue
        } else {
            Doubled::Stand
        };
        policy.after_double[soft][total][after_double_row(terms, doubles)] = best;
    }
}

fn set_doubled(terms: &Terms, hands: &Hands, family: &mut Family, hard: usize, doubles: usize, policy: &Policy) {
    for place in hands.of_hard(hard) {
        let hand = hands.get(place);
        if !family.held[place] || hand.cards < 3 {
            continue;
        }
        family.doubled[doubles][place] = if hand.total == 21 {
            terms.wager[doubles + 1] * family.stand[place]
        } else {
            let [stand, rescue, redouble] = family.doubled_choices[doubles][place];
            let row = after_double_row(terms, doubles);
            match policy.after_double[usize::from(hand.soft)][usize::from(hand.total)][row] {
                Doubled::Stand => stand,
                Doubled::Rescue => rescue,
                Doubled::Redouble => redouble,
            }
        };
    }
}

fn set_values(terms: &Terms, hands: &Hands, family: &mut Family, hard: usize, policy: &Policy) {
    let block = usize::from(family.pair.is_some());
    for place in hands.of_hard(hard) {
        let hand = hands.get(place);
        if !family.held[place] || hand.cards < 2 {
            continue;
        }
        let [stand, hit, double] = family.choices[place];
        family.value[place] = if hand.total == 21 {
            pays_21(terms, hand, family, place)
        } else if family.stands {
            family.stand[place]
        } else {
            match policy.cell(block, hand) {
                Cell::Stand => stand,
                Cell::Double if terms.may_double(usize::from(hand.cards)) => double,
                Cell::Hit | Cell::Double => hit,
            }
        };
    }
}

/// What a hand of 21 that was not doubled gains. A 6-7-8 and a 7-7-7 count even money here: what they pay besides is added
/// where their first two cards are looked at.
fn pays_21(terms: &Terms, hand: &HandOf, family: &Family, place: usize) -> f64 {
    if !terms.player_21_wins {
        return family.stand[place];
    }
    if family.pair.is_some() {
        return 1.0;
    }
    terms.pays_21[usize::from(hand.cards).min(COUNTED_CARDS)]
}
