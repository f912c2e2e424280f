//! What a submission changes for the player, as figures: every amount in units of the opening wager.
#![expect(clippy::float_arithmetic, reason = "amounts that the engine would pay, as shares of one wager")]

use table_rules::game::Game;
use table_rules::money::{Cents, Ratio};
use table_rules::payouts::{
    ADDITIONAL_PAYOUTS, FIVE_CARDS, SEVEN_CARDS, SIX_CARDS, SIX_SEVEN_EIGHT_MIXED, SIX_SEVEN_EIGHT_SUITED,
    SIX_SEVEN_EIGHT_TOP, THREE_SEVENS_MIXED, THREE_SEVENS_SUITED, THREE_SEVENS_TOP,
};
use table_rules::table::{SevenCard21, Soft17, SwitchRules, Table, Variation};

use crate::shoe::{VALUES, value_of};

/// The most doubles of one hand (players-edge-21 10.I).
pub(super) const DOUBLES_MAX: usize = 3;
/// Hands of this many cards and more earn what this many cards earn.
pub(super) const COUNTED_CARDS: usize = 9;

#[derive(Clone, Debug)]
pub(super) struct Terms {
    pub(super) decks: u32,
    /// Cards of each point value in a fresh shoe.
    pub(super) shoe: [u32; VALUES],
    pub(super) soft_17: Soft17,
    /// A player's 21 wins whatever the dealer has but a blackjack (the sister games).
    pub(super) player_21_wins: bool,
    /// A double is open on any number of cards, and a doubled hand may be rescued.
    pub(super) is_sister_game: bool,
    /// How often a hand may be doubled.
    pub(super) doubles: usize,
    /// The hand's wager after so many doubles.
    pub(super) wager: [f64; DOUBLES_MAX + 1],
    /// What a rescue after so many doubles loses (P4).
    pub(super) rescue_loses: [f64; DOUBLES_MAX + 1],
    pub(super) surrender_loses: Option<f64>,
    pub(super) splits: u8,
    pub(super) ace_splits: u8,
    pub(super) one_card_to_split_aces: bool,
    pub(super) blackjack_pays: f64,
    pub(super) blackjack_beats_blackjack: bool,
    pub(super) even_money: bool,
    /// Mixed, suited, top suit.
    pub(super) pays_678: [f64; 3],
    pub(super) pays_777: [f64; 3],
    /// What a 21 pays by its number of cards.
    pub(super) pays_21: [f64; COUNTED_CARDS + 1],
    /// The winner's fixed payout of 12.C.
    pub(super) additional: f64,
    pub(super) switch: Option<SwitchRules>,
}

impl Terms {
    pub(super) fn of(table: &Table, stake: Cents) -> Self {
        let share = |amount: Cents| units(amount, stake);
        let pays = |ratio: Ratio| share(ratio.of(stake, table.smallest_chip, table.rounding));
        let is_sister_game = table.game.is_sister_game();
        let doubles = if table.game == Game::PlayersEdge21 && table.double_double { DOUBLES_MAX } else { 1 };
        let (wager, rescue_loses) = doubled_wagers(table, stake);
        let is_switch = table.variation == Variation::Switch;
        let may_surrender = !is_switch && !table.restrictions.no_surrender;
        let half = Ratio::new(1, 2).of(stake, table.smallest_chip, table.rounding);
        let decks = table.variation.decks_dealt_from(table.decks);
        let mut shoe = [0; VALUES];
        for card in table.game.deck() {
            shoe[value_of(card)] += u32::from(decks);
        }
        let additional = ADDITIONAL_PAYOUTS.iter().find(|payout| stake >= payout.from);
        Self {
            decks: u32::from(decks),
            shoe,
            soft_17: table.soft_17,
            player_21_wins: table.game.player_21_wins(),
            is_sister_game,
            doubles,
            wager,
            rescue_loses,
            surrender_loses: may_surrender.then(|| share(stake - half)),
            splits: table.max_splits,
            ace_splits: table.max_ace_splits.min(table.max_splits),
            one_card_to_split_aces: table.restrictions.one_card_to_split_aces,
            blackjack_pays: pays(table.blackjack_pays.ratio()),
            blackjack_beats_blackjack: table.game.player_21_wins(),
            even_money: table.even_money && !is_switch,
            pays_678: [&SIX_SEVEN_EIGHT_MIXED, &SIX_SEVEN_EIGHT_SUITED, &SIX_SEVEN_EIGHT_TOP]
                .map(|line| pays(line.ratio)),
            pays_777: [&THREE_SEVENS_MIXED, &THREE_SEVENS_SUITED, &THREE_SEVENS_TOP].map(|line| pays(line.ratio)),
            pays_21: std::array::from_fn(|cards| match cards {
                5 if is_sister_game => pays(FIVE_CARDS.ratio),
                6 if is_sister_game => pays(SIX_CARDS.ratio),
                7 if is_sister_game => pays(SEVEN_CARDS.ratio),
                8.. if is_sister_game && table.seven_card_21 == SevenCard21::OrMore => pays(SEVEN_CARDS.ratio),
                _ => 1.0,
            }),
            additional: if is_sister_game { additional.map_or(0.0, |payout| share(payout.amount)) } else { 0.0 },
            switch: is_switch.then_some(table.switch_rules),
        }
    }

    /// How often a pair of this value may be split.
    pub(super) fn splits_of(&self, value: usize) -> usize {
        usize::from(if value == 0 { self.ace_splits } else { self.splits })
    }

    /// Whether a hand of so many cards may be doubled.
    pub(super) fn may_double(&self, cards: usize) -> bool {
        self.is_sister_game || cards == 2
    }
}

/// The wager and what a rescue loses after 0 to 3 doubles; an added wager is cut to the table maximum (10.L, D4).
fn doubled_wagers(table: &Table, stake: Cents) -> ([f64; DOUBLES_MAX + 1], [f64; DOUBLES_MAX + 1]) {
    let (mut wagers, mut losses) = ([1.0; DOUBLES_MAX + 1], [0.0; DOUBLES_MAX + 1]);
    let mut wager = stake;
    for doubles in 1..=DOUBLES_MAX {
        losses[doubles] = units(wager, stake);
        wager += wager.min(table.limits.maximum);
        wagers[doubles] = units(wager, stake);
    }
    (wagers, losses)
}

/// Amounts of a table are far below the 2^53 cents that a float counts exactly.
#[expect(clippy::cast_precision_loss, reason = "amounts of a table are far below 2^53 cents")]
fn units(amount: Cents, stake: Cents) -> f64 {
    amount.0 as f64 / stake.0.max(1) as f64
}
