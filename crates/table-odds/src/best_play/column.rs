//! The best play under one up card.
#![expect(clippy::float_arithmetic, reason = "chances and expected values; no money passes through them")]

use super::dealer_tree::DealerTree;
use super::family::{Family, next_card, without};
use super::hands::Hands;
use super::policy::{ON_THE_WAY, Policy};
use super::splits::{OneHand, Splits};
use super::suits;
use super::sweep::{self, Weighed};
use super::terms::Terms;
use super::weights::{Start, Weights};
use crate::shoe::VALUES;
use crate::strategy::{Cell, PairPlay, Play, TOTALS};

/// Rows change how often others are come to; after a few rounds nothing moves any more.
const PASSES_MAX: usize = 12;

#[derive(Debug)]
pub(super) struct Column<'a> {
    pub(super) terms: &'a Terms,
    pub(super) hands: &'a Hands,
    pub(super) up: usize,
    pub(super) tree: DealerTree,
    /// The shoe without the up card.
    pub(super) left: [u32; VALUES],
    /// The hands as they are dealt.
    pub(super) dealt: Family,
    /// By pair: the hands of a split, with none, one, two … further cards of the pair gone. Empty where the shoe has no such
    /// pair or it may not be split.
    pub(super) split: [Vec<Family>; VALUES],
    pub(super) policy: Policy,
    pub(super) dealt_weights: Weights,
    pub(super) split_weights: [Option<Weights>; VALUES],
    /// What splitting a pair gains.
    pub(super) split_gain: [Option<f64>; VALUES],
}

impl<'a> Column<'a> {
    /// None where the shoe has no such up card. Split hands are worked out for so many further cards of the pair's value that
    /// are gone, [`WORKED_OUT`](super::splits::WORKED_OUT) of them as a rule.
    pub(super) fn solve(terms: &'a Terms, hands: &'a Hands, up: usize, worked_out: usize) -> Option<Self> {
        let tree = DealerTree::new(up, terms.soft_17);
        let mut left = terms.shoe;
        left[up] = left[up].checked_sub(1)?;
        let dealt = Family::new(terms, hands, &tree, &left, None);
        let split = std::array::from_fn(|value| split_families(terms, hands, &tree, &left, value, worked_out));
        let anyhow = |family: &Family, start: &dyn Fn(usize) -> f64| Weights::of_anything(terms, hands, family, start);
        let mut column = Self {
            dealt_weights: anyhow(&dealt, &|_| 0.0),
            split_weights: [const { None }; VALUES],
            split_gain: [None; VALUES],
            policy: Policy::START,
            terms,
            hands,
            up,
            tree,
            left,
            dealt,
            split,
        };
        column.improve();
        Some(column)
    }

    fn improve(&mut self) {
        let (terms, hands) = (self.terms, self.hands);
        let dealt_anyhow = Weights::of_anything(terms, hands, &self.dealt, |place| self.dealt_chance(place));
        let split_anyhow: [Option<Weights>; VALUES] = std::array::from_fn(|value| {
            let family = self.split[value].first()?;
            Some(Weights::of_anything(terms, hands, family, |place| self.split_chance(value, place)))
        });
        self.dealt_weights.clone_from(&dealt_anyhow);
        self.split_weights.clone_from(&split_anyhow);
        for _ in 0..PASSES_MAX {
            let before = self.policy.clone();
            let mut families =
                vec![Weighed { family: &mut self.dealt, by_policy: &self.dealt_weights, anyhow: &dealt_anyhow }];
            for ((families_of, by_policy), anyhow) in self.split.iter_mut().zip(&self.split_weights).zip(&split_anyhow)
            {
                if let (Some(family), Some(by_policy), Some(anyhow)) = (families_of.first_mut(), by_policy, anyhow) {
                    families.push(Weighed { family, by_policy, anyhow });
                }
            }
            sweep::choose(terms, hands, &mut families, &mut self.policy);
            self.value_splits();
            self.choose_openings();
            self.weigh();
            if self.policy == before {
                break;
            }
        }
    }

    /// The chance that these two cards are dealt and the dealer has no blackjack.
    pub(super) fn dealt_chance(&self, place: usize) -> f64 {
        let counts = &self.hands.get(place).counts;
        two_cards(counts)
            .map_or(0.0, |(first, second)| self.chance_of_two(first, second) * (1.0 - self.blackjack_chance(counts)))
    }

    /// The chance that these two cards are dealt, whatever the dealer has.
    fn chance_of_two(&self, first: usize, second: usize) -> f64 {
        let all = f64::from(self.left.iter().sum::<u32>());
        let seconds = f64::from(self.left[second]) - f64::from(u8::from(first == second));
        let orders = if first == second { 1.0 } else { 2.0 };
        orders * f64::from(self.left[first]) * seconds.max(0.0) / (all * (all - 1.0))
    }

    /// What a blackjack gains under this up card: paid as it is, and paid even money at once.
    pub(super) fn blackjack_gains(&self) -> (f64, f64) {
        let dealer_too = self.blackjack_chance(&self.hands.get(self.hands.pair_of(0, 9)).counts);
        let pays = self.terms.blackjack_pays;
        (if self.terms.blackjack_beats_blackjack { pays } else { (1.0 - dealer_too) * pays }, 1.0)
    }

    /// What the opening wager gains under this up card.
    pub(super) fn gain(&self) -> f64 {
        let mut gain = 0.0;
        for (first, second) in every_two_cards() {
            let chance = self.chance_of_two(first, second);
            if chance <= 0.0 {
                continue;
            }
            let dealer = self.blackjack_chance(&self.hands.get(self.hands.pair_of(first, second)).counts);
            gain += chance
                * if (first, second) == (0, 9) {
                    let (plain, even) = self.blackjack_gains();
                    if self.up == 0 && self.terms.even_money { plain.max(even) } else { plain }
                } else {
                    (1.0 - dealer) * self.opening_value(first, second) - dealer
                };
        }
        gain
    }

    /// The chance of a dealer blackjack once these cards are seen too.
    pub(super) fn blackjack_chance(&self, seen: &[u8; VALUES]) -> f64 {
        match (self.tree.blackjack_with, without(&self.left, seen)) {
            (Some(value), Some(rest)) => f64::from(rest[value]) / f64::from(rest.iter().sum::<u32>()),
            (None, _) | (_, None) => 0.0,
        }
    }

    /// How often a split of this pair leads to a hand of these two cards.
    fn split_chance(&self, value: usize, place: usize) -> f64 {
        let hand = self.hands.get(place);
        let mut second = hand.counts;
        second[value] -= 1;
        let Some(second) = second.iter().position(|count| *count > 0) else { return 0.0 };
        let Some(family) = self.split[value].first() else { return 0.0 };
        let pair = self.dealt_chance(self.hands.pair_of(value, value));
        // A pair that is split again goes on as other hands.
        let resplit = second == value && self.terms.splits_of(value) > 1;
        let played = if resplit { RESPLIT_PLAYED } else { 1.0 };
        2.0 * pair * family.chances[self.hands.single(value)][second] * played
    }

    fn value_splits(&mut self) {
        for value in 0..VALUES {
            for family in self.split[value].iter_mut().skip(1) {
                sweep::value(self.terms, self.hands, family, &self.policy);
            }
            self.split_gain[value] = self.gain_of_split(value, &self.split[value], &self.left);
        }
    }

    /// What a split gains whose families are these, from this shoe.
    pub(super) fn gain_of_split(&self, value: usize, families: &[Family], left: &[u32; VALUES]) -> Option<f64> {
        let (single, pair) = (self.hands.single(value), self.hands.pair_of(value, value));
        let one = |family: &Family| OneHand {
            any: family.after_a_card(self.hands, single, &family.value, 0.0),
            pair: if family.held[pair] { family.value[pair] } else { 0.0 },
        };
        let hands: Vec<OneHand> = families.iter().map(one).collect();
        if hands.is_empty() {
            return None;
        }
        let mut rest = *left;
        rest[value] = rest[value].checked_sub(2)?;
        let mut chances = Vec::new();
        loop {
            chances.push(next_card(&rest, self.tree.blackjack_with)[value]);
            match rest[value].checked_sub(1) {
                Some(fewer) => rest[value] = fewer,
                None => break,
            }
        }
        Splits::new(hands, chances).gain(self.terms.splits_of(value))
    }

    /// Pairs, surrenders, and the hands on the way to a bonus.
    fn choose_openings(&mut self) {
        let mut plays = [[0.0; TOTALS]; 2];
        let mut gives_up = [[0.0; TOTALS]; 2];
        if let Some(loses) = self.terms.surrender_loses {
            for (first, second) in every_two_cards() {
                let place = self.hands.pair_of(first, second);
                let hand = self.hands.get(place);
                let splits = first == second && self.policy.pairs[first] == PairPlay::Split;
                if hand.total == 21 || splits || self.on_the_way(first, second).is_some() || !self.dealt.held[place] {
                    continue;
                }
                let chance = self.dealt_chance(place);
                plays[usize::from(hand.soft)][usize::from(hand.total)] += chance * self.dealt.value[place];
                gives_up[usize::from(hand.soft)][usize::from(hand.total)] -= chance * loses;
            }
        }
        for ((rows, plays), gives_up) in self.policy.surrender.iter_mut().zip(&plays).zip(&gives_up) {
            for ((row, plays), gives_up) in rows.iter_mut().zip(plays).zip(gives_up) {
                *row = gives_up > plays;
            }
        }
        for value in 0..VALUES {
            let as_total = self.value_by_total(self.hands.pair_of(value, value));
            let split = self.split_gain[value].unwrap_or(f64::NEG_INFINITY);
            let surrender = self.terms.surrender_loses.map_or(f64::NEG_INFINITY, |loses| -loses);
            self.policy.pairs[value] = if split > as_total && split > surrender {
                PairPlay::Split
            } else if surrender > as_total {
                PairPlay::Surrender
            } else {
                PairPlay::AsTotal
            };
        }
        for at in 0..ON_THE_WAY.len() {
            for suit in 0..3 {
                self.policy.on_the_way[at][suit] = best_of(&self.on_the_way_choices(at, suit));
            }
        }
    }

    /// What two cards gain that go by the rows for totals.
    pub(super) fn value_by_total(&self, place: usize) -> f64 {
        let hand = self.hands.get(place);
        if self.policy.surrender[usize::from(hand.soft)][usize::from(hand.total)]
            && let Some(loses) = self.terms.surrender_loses
        {
            return -loses;
        }
        self.dealt.value[place]
    }

    /// Which of [`ON_THE_WAY`] these are, at a table that pays for it.
    pub(super) fn on_the_way(&self, first: usize, second: usize) -> Option<usize> {
        let cards = (first.min(second), first.max(second));
        ON_THE_WAY.iter().position(|each| *each == cards).filter(|_| self.terms.is_sister_game)
    }

    /// Each play of two cards on the way to a bonus, where their suits match like this.
    pub(super) fn on_the_way_choices(&self, at: usize, suit: usize) -> [(Play, Option<f64>); 5] {
        let (first, second) = ON_THE_WAY[at];
        let place = self.hands.pair_of(first, second);
        let [stand, hit, double] = self.dealt.choices[place];
        let third = suits::third(at);
        let pays = suits::third_pays(self.terms, at, suit, self.up);
        let hit = hit + self.dealt.chances[place][third] * (pays - 1.0);
        let split = if first == second { self.split_gain[first] } else { None };
        [
            (Play::Stand, Some(stand)),
            (Play::Hit, Some(hit)),
            (Play::Double, Some(double)),
            (Play::Split, split),
            (Play::Surrender, self.terms.surrender_loses.map(|loses| -loses)),
        ]
    }

    /// What two cards gain that are not a blackjack, when the dealer has none either.
    pub(super) fn opening_value(&self, first: usize, second: usize) -> f64 {
        let place = self.hands.pair_of(first, second);
        if let Some(at) = self.on_the_way(first, second) {
            let shares = suits::shares(self.terms, at, self.up);
            return (0..3)
                .map(|suit| {
                    shares[suit] * value_of(&self.on_the_way_choices(at, suit), self.policy.on_the_way[at][suit])
                })
                .sum();
        }
        if first == second {
            match (self.policy.pairs[first], self.split_gain[first], self.terms.surrender_loses) {
                (PairPlay::Split, Some(gain), _) => return gain,
                (PairPlay::Surrender, _, Some(loses)) => return -loses,
                (PairPlay::Split | PairPlay::Surrender | PairPlay::AsTotal, _, _) => {}
            }
        }
        self.value_by_total(place)
    }

    /// How often each hand is held by the policy as it is now.
    fn weigh(&mut self) {
        let (terms, hands) = (self.terms, self.hands);
        self.dealt_weights = Weights::by_policy(terms, hands, &self.dealt, &self.policy, |place| self.start_of(place));
        self.split_weights = std::array::from_fn(|value| {
            let family = self.split[value].first()?;
            let is_split = if value == 6 && terms.is_sister_game {
                let shares = suits::shares(terms, 3, self.up);
                (0..3).map(|suit| if self.policy.on_the_way[3][suit] == Play::Split { shares[suit] } else { 0.0 }).sum()
            } else if self.policy.pairs[value] == PairPlay::Split {
                1.0
            } else {
                0.0
            };
            Some(Weights::by_policy(terms, hands, family, &self.policy, |place| {
                let weight = is_split * self.split_chance(value, place);
                start(self.policy.cell(1, hands.get(place)), weight)
            }))
        });
    }

    fn start_of(&self, place: usize) -> Start {
        let hand = self.hands.get(place);
        let chance = self.dealt_chance(place);
        let Some((first, second)) = two_cards(&hand.counts) else { return Start::default() };
        if let Some(at) = self.on_the_way(first, second) {
            let shares = suits::shares(self.terms, at, self.up);
            let of = |play| {
                (0..3).filter(|suit| self.policy.on_the_way[at][*suit] == play).map(|suit| shares[suit]).sum::<f64>()
            };
            return Start { rows: 0.0, hits: chance * of(Play::Hit), doubles: chance * of(Play::Double) };
        }
        if first == second && self.policy.pairs[first] != PairPlay::AsTotal {
            return Start::default();
        }
        if self.policy.surrender[usize::from(hand.soft)][usize::from(hand.total)] {
            return Start { rows: chance, hits: 0.0, doubles: 0.0 };
        }
        start(self.policy.cell(0, hand), chance)
    }
}

/// How much of the pairs among split hands is played on, where most are split again: only an order of size is needed.
const RESPLIT_PLAYED: f64 = 0.05;

fn start(cell: Cell, chance: f64) -> Start {
    let start = Start { rows: chance, hits: 0.0, doubles: 0.0 };
    match cell {
        Cell::Stand => start,
        Cell::Hit => Start { hits: chance, ..start },
        Cell::Double => Start { doubles: chance, ..start },
    }
}

/// The families of a pair's split hands, `depth` of them.
pub(super) fn split_families(
    terms: &Terms,
    hands: &Hands,
    tree: &DealerTree,
    left: &[u32; VALUES],
    value: usize,
    depth: usize,
) -> Vec<Family> {
    let mut families = Vec::new();
    if terms.splits_of(value) == 0 || left[value] < 2 {
        return families;
    }
    // One split alone never looks at a further card of the pair.
    let depth = if terms.splits_of(value) == 1 { 1 } else { depth };
    let mut rest = *left;
    while families.len() < depth && rest[value] >= 2 {
        rest[value] -= 1;
        families.push(Family::new(terms, hands, tree, &rest, Some(value)));
    }
    families
}

/// Every two cards, each once.
pub(super) fn every_two_cards() -> impl Iterator<Item = (usize, usize)> {
    (0..VALUES).flat_map(|first| (first..VALUES).map(move |second| (first, second)))
}

/// The two values of a hand of two cards.
pub(super) fn two_cards(counts: &[u8; VALUES]) -> Option<(usize, usize)> {
    let first = counts.iter().position(|count| *count > 0)?;
    let second = counts.iter().rposition(|count| *count > 0)?;
    (counts.iter().sum::<u8>() == 2).then_some((first, second))
}

fn best_of(choices: &[(Play, Option<f64>); 5]) -> Play {
    let mut best = (Play::Stand, f64::NEG_INFINITY);
    for (play, value) in choices {
        if let Some(value) = value
            && *value > best.1
        {
            best = (*play, *value);
        }
    }
    best.0
}

fn value_of(choices: &[(Play, Option<f64>); 5], play: Play) -> f64 {
    choices.iter().find(|(each, _)| *each == play).and_then(|(_, value)| *value).unwrap_or(0.0)
}
