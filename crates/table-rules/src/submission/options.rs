//! The table's own options, one check each. Side wagers are checked elsewhere.

use std::ops::RangeInclusive;

use crate::game::Game;
use crate::money::Cents;
use crate::table::{
    BlackjackPays, HouseRestrictions, Limits, SevenCard21, ShoeSide, Shuffler, Soft17, SwitchRules, Variation,
};

use super::check::Checker;
use super::clauses::{self, Clause, blackjack};
use super::document::RestrictionAsked;
use super::problem::Severity;
use super::section::Given;

/// The engine keeps eight hands a box.
const SPLITS_MAX: i64 = 7;
/// Switch deals two hands a box and counts the splits of each (B8), so each may become four.
const SPLITS_MAX_SWITCH: i64 = 3;
/// Shoes are made for up to eight decks; a double shoe has two such sides.
const DECKS_MAX: i64 = 8;
const DECKS_MAX_DOUBLE_SHOE: i64 = 16;

impl Checker<'_> {
    pub(super) fn shuffler(&mut self, variation: Option<Variation>) -> Option<Shuffler> {
        let file = self.file;
        let shuffler = self.optional(&file.shuffler, Shuffler::ByHand)?;
        match (variation, shuffler) {
            (Some(Variation::FromTheHand), Shuffler::ByHand) => {
                let text = "a table dealt from the hand needs an automated shuffler";
                let remedy = "write shuffler = \"batch\" or \"continuous\"";
                self.refuse_citing(&file.shuffler, "shuffler", blackjack("12.B(2)"), text, remedy);
                None
            }
            (Some(Variation::FromTheHand), Shuffler::Batch | Shuffler::Continuous)
            | (Some(Variation::Standard | Variation::Switch | Variation::DoubleShoe) | None, _) => Some(shuffler),
        }
    }

    pub(super) fn decks(&mut self, game: Game, variation: Option<Variation>, shuffler: Option<Shuffler>) -> Option<u8> {
        let file = self.file;
        let remedy = match game {
            Game::Blackjack => "write decks = 6, or what is in the shoe",
            Game::Spanish21 | Game::Pontoon21 => "write decks = 6 or decks = 8",
            Game::PlayersEdge21 => "write decks = 5, decks = 6 or decks = 8",
        };
        let decks = self.required(&file.decks, "decks", clauses::DECKS, remedy)?;
        let title = game.title();
        let (legal, text, source) = match (game, variation) {
            (Game::Spanish21 | Game::Pontoon21, _) => {
                let text = format!("{title} is played with six or eight decks, not {decks}");
                (matches!(decks, 6 | 8), text, clauses::DECKS.cite(Some(game)))
            }
            (Game::PlayersEdge21, _) => {
                let text = format!("{title} is played with five, six or eight decks, not {decks}");
                (matches!(decks, 5 | 6 | 8), text, clauses::DECKS.cite(Some(game)))
            }
            (Game::Blackjack, Some(Variation::Standard | Variation::Switch)) if decks > DECKS_MAX => {
                let text = format!("this table counts shoes of up to {DECKS_MAX} decks, not {decks}");
                (false, text, clauses::FILE_FORM.cite(Some(game)))
            }
            (Game::Blackjack, Some(Variation::Standard | Variation::Switch) | None) => {
                let text = format!("{title} is played with at least one deck, not {decks}");
                (decks >= 1, text, clauses::DECKS.cite(Some(game)))
            }
            (Game::Blackjack, Some(Variation::FromTheHand)) => {
                // 12.B(1) counts all decks of the game; a batch shuffler holds as many again (B13).
                let most = match shuffler {
                    Some(Shuffler::Batch) => 1,
                    Some(Shuffler::Continuous | Shuffler::ByHand) | None => 2,
                };
                let text = format!(
                    "from the hand at most two decks are in the game: {most} in the dealer's hand with this shuffler, not {decks}"
                );
                ((1..=most).contains(&decks), text, blackjack("12.B(1)"))
            }
            (Game::Blackjack, Some(Variation::DoubleShoe)) => {
                let text = format!(
                    "a double shoe holds as many decks on one side as on the other, at most {DECKS_MAX}: {decks} cannot be halved so"
                );
                ((2..=DECKS_MAX_DOUBLE_SHOE).contains(&decks) && decks % 2 == 0, text, blackjack("3.C"))
            }
        };
        let remedy = match (game, variation) {
            (Game::Blackjack, Some(Variation::FromTheHand)) => "write decks = 1, or 2 with shuffler = \"continuous\"",
            (Game::Blackjack, Some(Variation::DoubleShoe)) => {
                "write the decks of both sides together, such as decks = 8"
            }
            (Game::Blackjack, Some(Variation::Standard | Variation::Switch) | None)
            | (Game::Spanish21 | Game::Pontoon21 | Game::PlayersEdge21, _) => remedy,
        };
        if legal {
            u8::try_from(decks).ok()
        } else {
            self.refuse_citing(&file.decks, "decks", source, text, remedy);
            None
        }
    }

    pub(super) fn positions(&mut self, game: Game) -> Option<u8> {
        let most = game.positions_max();
        let text =
            |positions: i64| format!("a {} table has 1 to {most} betting positions, not {positions}", game.title());
        self.counted(&self.file.positions, "positions", 1..=i64::from(most), clauses::POSITIONS, text)
    }

    /// While it is not known how many positions the table has, it may have as many as its game allows.
    pub(super) fn adjacent_boxes(&mut self, game: Game, positions: Option<u8>) -> Option<u8> {
        let most = positions.unwrap_or(game.positions_max());
        let text =
            |boxes: i64| format!("one player may play from 1 box to all {most} positions of this table, not {boxes}");
        self.counted(&self.file.adjacent_boxes, "adjacent_boxes", 1..=i64::from(most), clauses::ADJACENT_BOXES, text)
    }

    /// Number of splits, and of splits of aces (D3).
    pub(super) fn splits(&mut self, variation: Option<Variation>) -> (Option<u8>, Option<u8>) {
        let file = self.file;
        let most = match variation {
            Some(Variation::Switch) => SPLITS_MAX_SWITCH,
            Some(Variation::Standard | Variation::FromTheHand | Variation::DoubleShoe) | None => SPLITS_MAX,
        };
        let text = |key: &'static str| move |n: i64| format!("{key} is a number of splits from 0 to {most}, not {n}");
        let splits = self.counted(&file.max_splits, "max_splits", 0..=most, clauses::SPLITS, text("max_splits"));
        let aces =
            self.counted(&file.max_ace_splits, "max_ace_splits", 0..=most, clauses::SPLITS, text("max_ace_splits"));
        if let (Some(splits), Some(aces)) = (splits, aces)
            && aces > splits
        {
            let text = format!("aces may be split {aces} times, but a box only {splits} times in all");
            let remedy = "lower max_ace_splits or raise max_splits";
            self.refuse(&file.max_ace_splits, "max_ace_splits", clauses::SPLITS, text, remedy);
        }
        (splits, aces)
    }

    pub(super) fn soft_17(&mut self, game: Game) -> Option<Soft17> {
        let given = &self.file.soft_17;
        let (fixed, does) = match game {
            Game::Blackjack => {
                return self.required(given, "soft_17", clauses::SOFT_17, "write \"stands\" or \"hits\"");
            }
            Game::Spanish21 | Game::Pontoon21 => (Soft17::Stands, "stands"),
            Game::PlayersEdge21 => (Soft17::Hits, "hits"),
        };
        let text = format!("the {} dealer always {does} on a soft 17", game.title());
        self.fixed(given, "soft_17", fixed, clauses::SOFT_17, text)
    }

    pub(super) fn blackjack_pays(&mut self, game: Game) -> Option<BlackjackPays> {
        let given = &self.file.blackjack_pays;
        match game {
            Game::Blackjack => {
                self.required(given, "blackjack_pays", clauses::BLACKJACK_PAYS, "write \"3 to 2\" or \"6 to 5\"")
            }
            Game::Spanish21 | Game::Pontoon21 | Game::PlayersEdge21 => {
                let text = format!("a blackjack pays 3 to 2 in {}", game.title());
                self.fixed(given, "blackjack_pays", BlackjackPays::ThreeToTwo, clauses::BLACKJACK_PAYS, text)
            }
        }
    }

    pub(super) fn seven_card_21(&mut self, game: Game) -> Option<SevenCard21> {
        let given = &self.file.seven_card_21;
        let text = match game {
            Game::PlayersEdge21 => return self.optional(given, SevenCard21::OrMore),
            Game::Spanish21 | Game::Pontoon21 => {
                format!("{} pays its last bonus for seven cards or more", game.title())
            }
            Game::Blackjack => "Blackjack has no bonus for a 21 of seven cards".to_owned(),
        };
        self.fixed(given, "seven_card_21", SevenCard21::OrMore, clauses::SEVEN_CARDS, text)
    }

    /// A feature that one game may offer and the others cannot.
    pub(super) fn only_for(
        &mut self,
        given: &Given<bool>,
        key: &str,
        game: Game,
        owner: Game,
        clause: Clause,
    ) -> Option<bool> {
        if game == owner {
            return self.optional(given, false);
        }
        let text = format!("{key} is for {} alone; {} has no such option", owner.title(), game.title());
        self.fixed(given, key, false, clause, text)
    }

    /// Blackjack alone offers even money, and not in Switch: a blackjack's pay there waits for the dealer's hand (B8).
    pub(super) fn even_money(&mut self, game: Game, variation: Option<Variation>) -> Option<bool> {
        let file = self.file;
        let even_money = self.only_for(&file.even_money, "even_money", game, Game::Blackjack, clauses::EVEN_MONEY)?;
        if even_money && variation == Some(Variation::Switch) {
            let text = "Switch pays no blackjack before the dealer's hand is known, so there is no even money to take";
            self.refuse_citing(&file.even_money, "even_money", blackjack("B8"), text, "write even_money = false");
            return None;
        }
        Some(even_money)
    }

    /// Switch's two readings and the double shoe's sides belong to their variation and to no other.
    pub(super) fn variation_options(
        &mut self,
        variation: Option<Variation>,
    ) -> (Option<SwitchRules>, Option<ShoeSide>) {
        let file = self.file;
        // While it is unclear which variation is meant, these answers may be right.
        let Some(variation) = variation else { return (None, None) };
        let (switch, double_shoe) = match variation {
            Variation::Switch => (true, false),
            Variation::DoubleShoe => (false, true),
            Variation::Standard | Variation::FromTheHand => (false, false),
        };
        if !switch {
            self.only_with(&file.switch_blackjack, "switch_blackjack", "switch", "B8");
            self.only_with(&file.unswitched_blackjack_against_22, "unswitched_blackjack_against_22", "switch", "B8");
            self.only_with(&file.main_wager_areas, "main_wager_areas", "switch", "2.B(5)(a)");
        } else {
            self.switch_areas();
        }
        let default = SwitchRules::default();
        let blackjack_pays = self.optional(&file.switch_blackjack, default.blackjack);
        let against_22 = self.optional(&file.unswitched_blackjack_against_22, default.unswitched_against_22);
        let switch_rules = blackjack_pays
            .zip(against_22)
            .map(|(blackjack, unswitched_against_22)| SwitchRules { blackjack, unswitched_against_22 });
        let side = if double_shoe {
            let remedy = "write \"left\" or \"right\": the side whose backs stand for hearts and diamonds";
            self.required(&file.red_suits_side, "red_suits_side", clauses::RED_SUITS, remedy)
        } else {
            self.only_with(&file.red_suits_side, "red_suits_side", "double-shoe", "7.C(1)(b)");
            self.optional(&file.red_suits_side, ShoeSide::Left)
        };
        (switch_rules, side)
    }

    /// A Switch layout has two separate areas for the two equal wagers of each player. Only the operator can see the felt,
    /// so the file has to say it.
    fn switch_areas(&mut self) {
        let file = self.file;
        let remedy = "write main_wager_areas = 2, once the layout has them";
        match &file.main_wager_areas {
            Given::Is(answer) if answer.value == 2 => {}
            Given::Is(answer) => {
                let text = format!(
                    "a Switch layout has two separate areas for each player's two equal wagers, not {}",
                    answer.value
                );
                self.refuse_citing(&file.main_wager_areas, "main_wager_areas", blackjack("2.B(5)(a)"), text, remedy);
            }
            Given::Absent if file.damaged_lines.is_empty() => {
                let text = "main_wager_areas is missing: a Switch layout has two separate areas for each player's two equal wagers";
                self.refuse_citing(&file.variation, "main_wager_areas", blackjack("2.B(5)(a)"), text, remedy);
            }
            Given::Absent | Given::Unreadable => {}
        }
    }

    fn only_with<T>(&mut self, given: &Given<T>, key: &str, variation: &str, id: &'static str) {
        if given.answer().is_some() {
            let text = format!("{key} has a meaning only with variation = \"{variation}\"");
            self.refuse_citing(given, key, blackjack(id), text, "leave it out");
        }
    }

    pub(super) fn restrictions(&mut self, variation: Option<Variation>) -> Option<HouseRestrictions> {
        let file = self.file;
        let asked = match &file.house_restrictions {
            Given::Is(answer) => answer,
            Given::Absent => return Some(HouseRestrictions::default()),
            Given::Unreadable => return None,
        };
        let mut restrictions = HouseRestrictions::default();
        for restriction in &asked.value {
            let text = match restriction {
                RestrictionAsked::NoSurrender => {
                    restrictions.no_surrender = true;
                    // Switch has none to take away (B8), so the entry is idle there.
                    if variation == Some(Variation::Switch) {
                        let text =
                            "\"no-surrender\" changes nothing here: 12.A(4) names all that a Switch player may do";
                        let (key, source) = ("house_restrictions", blackjack("12.A(4)"));
                        self.notes.add(Severity::Warning, asked.place, key, text, None, source);
                        continue;
                    }
                    "surrender is the player's by 9.A; this table takes it away"
                }
                RestrictionAsked::OneCardToSplitAces => {
                    restrictions.one_card_to_split_aces = true;
                    "split aces are played like any pair by 11.C; this table gives them one card each"
                }
            };
            self.warn(asked.place, "house_restrictions", clauses::RESTRICTIONS, text, None);
        }
        Some(restrictions)
    }

    /// Chips and limits: every wager lies between the limits in steps of the smallest chip (H3).
    pub(super) fn money(&mut self) -> (Option<Cents>, Option<Limits>) {
        let file = self.file;
        let chip_remedy = "write smallest_chip = 0.50, or the smallest chip in the rack";
        let chip = self.required(&file.smallest_chip, "smallest_chip", clauses::SMALLEST_CHIP, chip_remedy);
        let chip = chip.filter(|chip| {
            let some_value = *chip > Cents::ZERO;
            if !some_value {
                let text = "the smallest chip is worth nothing";
                self.refuse(&file.smallest_chip, "smallest_chip", clauses::SMALLEST_CHIP, text, chip_remedy);
            }
            some_value
        });
        let minimum = self.limit(&file.table_minimum, "table_minimum", chip);
        let maximum = self.limit(&file.table_maximum, "table_maximum", chip);
        let limits = minimum.zip(maximum).map(|(minimum, maximum)| Limits { minimum, maximum });
        if let Some(Limits { minimum, maximum }) = limits
            && minimum > maximum
        {
            let text = format!("the table minimum of {minimum} is above the maximum of {maximum}");
            self.refuse(&file.table_minimum, "table_minimum", clauses::LIMITS, text, "lower it or raise table_maximum");
        }
        (chip, limits)
    }

    fn limit(&mut self, given: &Given<Cents>, key: &str, chip: Option<Cents>) -> Option<Cents> {
        let limit = self.required(given, key, clauses::LIMITS, "give the amount on the table's limit sign")?;
        if limit <= Cents::ZERO {
            self.refuse(
                given,
                key,
                clauses::LIMITS,
                format!("a {} of {limit} allows no wager", key.replace('_', " ")),
                "give an amount above 0",
            );
            return None;
        }
        if let Some(chip) = chip
            && !limit.is_multiple_of(chip)
        {
            let text = format!("chips of {chip} cannot make the {} of {limit}", key.replace('_', " "));
            self.refuse(given, key, clauses::LIMITS, text, "give a multiple of smallest_chip");
        }
        Some(limit)
    }

    /// Posted on the layout or sign and never applied (S13).
    pub(super) fn posted_payout_limit(&mut self) -> Option<Option<Cents>> {
        let given = &self.file.posted_payout_limit;
        match given {
            Given::Absent => Some(None),
            Given::Unreadable => None,
            Given::Is(answer) if answer.value > Cents::ZERO => Some(Some(answer.value)),
            Given::Is(_) => {
                let text = "a posted payout limit of $0 would announce that nothing is paid";
                self.refuse(
                    given,
                    "posted_payout_limit",
                    clauses::POSTED_LIMIT,
                    text,
                    "leave it out or give the amount posted",
                );
                None
            }
        }
    }

    /// A whole number that must be answered, within a range.
    fn counted(
        &mut self,
        given: &Given<i64>,
        key: &str,
        range: RangeInclusive<i64>,
        clause: Clause,
        text: impl FnOnce(i64) -> String,
    ) -> Option<u8> {
        let remedy = format!("write a number from {} to {}", range.start(), range.end());
        let number = self.required(given, key, clause, &remedy)?;
        if range.contains(&number) {
            u8::try_from(number).ok()
        } else {
            self.refuse(given, key, clause, text(number), &remedy);
            None
        }
    }

    /// A key whose answer the rules fix: saying the same is harmless, anything else is refused.
    fn fixed<T: Copy + PartialEq>(
        &mut self,
        given: &Given<T>,
        key: &str,
        fixed: T,
        clause: Clause,
        text: String,
    ) -> Option<T> {
        let asked = self.optional(given, fixed)?;
        if asked != fixed {
            self.refuse(given, key, clause, text, "leave it out");
        }
        Some(fixed)
    }
}
