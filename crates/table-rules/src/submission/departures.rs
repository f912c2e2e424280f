//! Answers that are legal here and depart from the letter of a clause: each draws a warning that names it, so that nobody
//! approves one unseen.

use crate::game::Game;
use crate::money::Rounding;
use crate::side::Answers;
use crate::table::{SevenCard21, SwitchBlackjack, UnswitchedAgainst22};

use super::check::Checker;
use super::clauses::{self, blackjack};
use super::document::RulesSubmission;
use super::problem::{Citation, Severity};
use super::section::{Entry, Given};

impl Checker<'_> {
    /// The table's own options. Side wagers have theirs. An option that is added has to be put on one side or the other.
    pub(super) fn departures(&mut self) {
        let RulesSubmission {
            // Which text, which game, which form of it.
            readings: _,
            game: _,
            approved_title: _,
            approved_date: _,
            approved_sha256: _,
            variation: _,
            // What a clause names and leaves to the operator: every answer that passes is within its letter.
            main_wager_areas: _,
            red_suits_side: _,
            shuffler: _,
            decks: _,
            positions: _,
            soft_17: _,
            blackjack_pays: _,
            even_money: _,
            max_splits: _,
            max_ace_splits: _,
            double_double: _,
            settlement: _,
            adjacent_boxes: _,
            smallest_chip: _,
            table_minimum: _,
            table_maximum: _,
            no_mid_shoe_entry: _,
            reader: _,
            posted_payout_limit: _,
            // Warned of where they are read (S11).
            house_restrictions: _,
            // What departs, below.
            rounding,
            finish_after_peek,
            switch_blackjack,
            unswitched_blackjack_against_22,
            seven_card_21,
            wagers: _,
            approved_place: _,
            problems: _,
            damaged_lines: _,
        } = self.file;
        if let Given::Is(Entry { value, place }) = rounding {
            match value {
                Rounding::Up => {}
                Rounding::Down => {
                    let text = "rounding = \"down\": odds that chips cannot form are rounded against the player, so less is \
                                paid than the odds say";
                    self.warn(*place, "rounding", clauses::ROUNDING, text, None);
                }
            }
        }
        if let Given::Is(Entry { value: true, place }) = finish_after_peek {
            let text = "finish_after_peek = true: a round whose peek is done goes on with a reader that has failed";
            self.warn(*place, "finish_after_peek", clauses::READER_STOPS, text, None);
        }
        if let Given::Is(Entry { value, place }) = switch_blackjack {
            match value {
                SwitchBlackjack::AsPrinted => {}
                SwitchBlackjack::EvenMoney => {
                    let text = "switch_blackjack = \"even-money\": an unswitched blackjack is paid 1 to 1 always, not only \
                                against a dealer 21";
                    let source = blackjack("12.A(5)(a)");
                    self.notes.add(Severity::Warning, *place, "switch_blackjack", text, None, source);
                }
            }
        }
        if let Given::Is(Entry { value, place }) = unswitched_blackjack_against_22 {
            match value {
                UnswitchedAgainst22::Tie => {}
                UnswitchedAgainst22::Win => {
                    let key = "unswitched_blackjack_against_22";
                    let text = format!("{key} = \"win\": a blackjack that was not switched wins against a dealer 22");
                    self.notes.add(Severity::Warning, *place, key, text, None, blackjack("12.A(5)(e)"));
                }
            }
        }
        if let (Given::Is(Entry { value, place }), Some(Game::PlayersEdge21)) = (seven_card_21, self.notes.game) {
            match value {
                SevenCard21::Exactly => {}
                SevenCard21::OrMore => {
                    let text =
                        "seven_card_21 = \"or-more\": 12.B(9) prints seven cards, and more than seven are paid too";
                    self.warn(*place, "seven_card_21", clauses::SEVEN_CARDS, text, None);
                }
            }
        }
        self.wager_departures();
    }

    fn wager_departures(&mut self) {
        let file = self.file;
        for asked in &file.wagers {
            let title = asked.wager.title();
            let Answers {
                // Choices among what a clause prints, stakes within its limits, and what a reading requires an answer to.
                table: _,
                second_table: _,
                stakes: _,
                min_stake: _,
                max_stake: _,
                spots: _,
                ace_high_straight: _,
                crown_treasure: _,
                star_suit: _,
                community_pay_to_own_boxes: _,
                every_n_rounds: _,
                maximum_payout: _,
                jackpot_threshold: _,
                // Warned of where it is read (B10).
                random_source: _,
                // What departs, below.
                busted_hands_count,
                meters,
            } = &asked.answers;
            if *busted_hands_count == Some(false) {
                let text = format!("busted_hands_count = false: {title} does not count a dealer hand that is over 21");
                let source = Citation { game: self.notes.game, id: "W10" };
                let path = format!("wagers.{}.busted_hands_count", asked.wager);
                let place = asked.nearest_place("busted_hands_count");
                self.notes.add(Severity::Warning, place, &path, text, None, source);
            }
            for meter in meters.iter().filter(|meter| meter.rate_millionths == Some(0)) {
                let key = format!("meters.{}.rate", meter.name.name());
                let text = format!("{key} = 0 %: the {} meter of {title} never grows", meter.name.name());
                let source = Citation { game: self.notes.game, id: "X4" };
                let path = format!("wagers.{}.{key}", asked.wager);
                self.notes.add(Severity::Warning, asked.nearest_place(&key), &path, text, None, source);
            }
        }
    }
}
