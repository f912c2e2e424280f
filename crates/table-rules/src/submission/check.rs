//! From an unchecked submission to a [`Table`], or every reason why not.

use crate::game::Game;
use crate::money::Rounding;
use crate::table::{ApprovedText, Table, Variation};

use super::approved::{sha256, sum_of_the_text_read};
use super::clauses::{self, Clause, blackjack};
use super::document::{RulesSubmission, VariationAsked};
use super::place::FilePlace;
use super::problem::{Citation, Problem, Severity, quoted};
use super::readings::{CHANGED_SINCE_1, READINGS_VERSION, Reading, touching};
use super::section::{Given, Notes};

/// Everything there is to say about a submission.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The table, or all reasons against it in the order of the file; never an empty list.
    pub table: Result<Table, Vec<Problem>>,
    /// In the order of the file; given for refused submissions too.
    pub warnings: Vec<Problem>,
    /// The readings in force at the table; none where the submission is refused.
    pub readings: Vec<Reading>,
}

impl RulesSubmission {
    /// The one way from a file to a playable table.
    pub fn check(&self) -> Verdict {
        let game = self.game.answer().map(|answer| answer.value);
        let notes = Notes { game, problems: self.problems.clone() };
        let mut checker = Checker { file: self, notes };
        let approved = checker.identity();
        let variation = checker.variation(game);
        let table = game.and_then(|game| checker.table(game, variation, approved));
        checker.departures();
        let readings = game.map_or_else(Vec::new, |game| {
            let wagers: Vec<_> = self.wagers.iter().map(|asked| asked.wager).collect();
            touching(game, variation.unwrap_or(Variation::Standard), &wagers)
        });

        let mut found = checker.notes.problems;
        // A value on a broken line is a leftover of the parser's recovery; the broken line is the whole problem.
        found
            .retain(|problem| problem.key.is_empty() || self.damaged_lines.binary_search(&problem.place.line).is_err());
        found.sort_by_key(|problem| problem.place);
        let (refused, warnings): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|problem| matches!(problem.severity, Severity::Refused));
        let table = match table {
            Some(table) if refused.is_empty() => Ok(table),
            Some(_) | None => {
                assert!(!refused.is_empty(), "an answer is missing without a problem that says so");
                Err(refused)
            }
        };
        let readings = if table.is_ok() { readings } else { Vec::new() };
        Verdict { table, warnings, readings }
    }
}

/// Walks the answers; each check reports what it finds and gives the value where there is one.
pub(super) struct Checker<'s> {
    pub(super) file: &'s RulesSubmission,
    pub(super) notes: Notes,
}

impl Checker<'_> {
    /// Readings version and approved text: what every submission carries, whatever its game.
    fn identity(&mut self) -> Option<ApprovedText> {
        let file = self.file;
        if self.notes.game.is_none() {
            let ids = Game::ALL.map(|game| format!("\"{game}\"")).join(", ");
            self.required(&file.game, "game", clauses::FILE_FORM, &format!("write one of {ids}"));
        }
        let version = format!("write readings = \"{READINGS_VERSION}\"");
        if let Some(asked) = self.required(&file.readings, "readings", clauses::FILE_FORM, &version)
            && asked != READINGS_VERSION
        {
            let text =
                format!("this engine plays by version {READINGS_VERSION} of the readings, not {}", quoted(&asked));
            if asked == "1" {
                let changes: Vec<_> = CHANGED_SINCE_1.iter().map(|(id, what)| format!("{id}: {what}")).collect();
                let text = format!("{text}. Since version 1: {}", changes.join("; "));
                let remedy = format!("read what changed, answer it in the file, then {version}");
                self.refuse(&file.readings, "readings", clauses::FILE_FORM, text, &remedy);
            } else {
                self.refuse(&file.readings, "readings", clauses::FILE_FORM, text, &version);
            }
        }
        self.approved()
    }

    fn approved(&mut self) -> Option<ApprovedText> {
        let file = self.file;
        let clause = clauses::FILE_FORM;
        let title =
            self.required(&file.approved_title, "approved.title", clause, "give the title of the approved rules");
        if title.as_ref().is_some_and(|title| title.trim().is_empty()) {
            self.refuse(
                &file.approved_title,
                "approved.title",
                clause,
                "the title is empty",
                "give the title of the approved rules",
            );
        }
        if let Some((game, other)) =
            self.notes.game.and_then(|game| Some((game, other_game_named(game, title.as_ref()?)?)))
        {
            let text = format!("the title names {}, and the game is {}", other.title(), game.title());
            let remedy = format!("give the title of the approved {} rules", game.title());
            self.refuse(&file.approved_title, "approved.title", clause, text, &remedy);
        }
        let how = "give the 64 hexadecimal digits that sha256sum prints for the approved text";
        let written = self.required(&file.approved_sha256, "approved.sha256", clause, how)?;
        let Some(sum) = sha256(&written) else {
            let text = format!("{} is not a SHA-256 sum", quoted(&written));
            self.refuse(&file.approved_sha256, "approved.sha256", clause, text, how);
            return None;
        };
        if let Some((game, other)) = self.notes.game.and_then(|game| Some((game, other_text(game, sum)?))) {
            let text = format!("this is the sum of the {} rules, and the game is {}", other.title(), game.title());
            let remedy = format!("give the sum of the approved {} text", game.title());
            self.refuse(&file.approved_sha256, "approved.sha256", clause, text, &remedy);
        } else if let Some(game) = self.notes.game
            && sha256(sum_of_the_text_read(game)) != Some(sum)
        {
            let place = file.approved_sha256.place_or(FilePlace::START);
            let text = "the approved text is not the one that the readings were made for: clause ids may have moved";
            let remedy = format!("compare it with the text of SHA-256 {}", sum_of_the_text_read(game));
            self.warn(place, "approved.sha256", clause, text, Some(remedy));
        }
        if matches!(file.approved_date, Given::Absent) {
            let place = file.approved_place.unwrap_or(FilePlace::START);
            let remedy = "write date = 2026-03-01, or whichever day it was".to_owned();
            self.warn(place, "approved.date", clause, "the day of approval is not given", Some(remedy));
        }
        let date = file.approved_date.answer().map(|answer| answer.value);
        Some(ApprovedText { title: title?, date, sha256: sum })
    }

    /// The variation, if it can be played in this game; nothing if it is unclear what the other answers belong to.
    fn variation(&mut self, game: Option<Game>) -> Option<Variation> {
        let file = self.file;
        let (variation, clause) = match self.optional(&file.variation, VariationAsked::Standard)? {
            VariationAsked::Standard => return Some(Variation::Standard),
            VariationAsked::Switch => (Variation::Switch, "12.A"),
            VariationAsked::FromTheHand => (Variation::FromTheHand, "12.B"),
            VariationAsked::DoubleShoe => (Variation::DoubleShoe, "7.C"),
            VariationAsked::Electronic => {
                let text = format!(
                    "the electronic game with community cards is named by the rules but not described, so it cannot be \
                     played; a submission would have to answer: {}",
                    ELECTRONIC_QUESTIONS.join(" ")
                );
                self.refuse_citing(&file.variation, "variation", blackjack("B9"), text, "leave variation out");
                return None;
            }
        };
        match game {
            Some(Game::Blackjack) => Some(variation),
            Some(other @ (Game::Spanish21 | Game::Pontoon21 | Game::PlayersEdge21)) => {
                let text = format!("{} has no variations: this one belongs to blackjack", other.title());
                self.refuse_citing(&file.variation, "variation", blackjack(clause), text, "leave variation out");
                Some(Variation::Standard)
            }
            None => None,
        }
    }

    /// Looks at every answer before it gives up on any.
    fn table(&mut self, game: Game, variation: Option<Variation>, approved: Option<ApprovedText>) -> Option<Table> {
        let file = self.file;
        let shuffler = self.shuffler(variation);
        let decks = self.decks(game, variation, shuffler);
        let positions = self.positions(game);
        let (switch_rules, red_suits_side) = self.variation_options(variation);
        let soft_17 = self.soft_17(game);
        let blackjack_pays = self.blackjack_pays(game);
        let even_money = self.even_money(game, variation);
        let double_double =
            self.only_for(&file.double_double, "double_double", game, Game::PlayersEdge21, clauses::REDOUBLE);
        let (max_splits, max_ace_splits) = self.splits(variation);
        let restrictions = self.restrictions(variation);
        let settlement = self.required(
            &file.settlement,
            "settlement",
            clauses::SETTLEMENT,
            "write \"collect-then-pay\" or \"pay-and-collect-from-right\"",
        );
        let adjacent_boxes = self.adjacent_boxes(game, positions);
        let (smallest_chip, limits) = self.money();
        let reader = self.required(
            &file.reader,
            "reader",
            clauses::READER,
            "write \"hidden-from-players\" or, if a player could see the card in it, \"visible-to-players\"",
        );
        let seven_card_21 = self.seven_card_21(game);
        let wagers = self.wagers(game, decks, variation, adjacent_boxes, smallest_chip);
        Some(Table {
            game,
            approved: Some(approved?),
            variation: variation?,
            switch_rules: switch_rules?,
            red_suits_side: red_suits_side?,
            shuffler: shuffler?,
            decks: decks?,
            positions: positions?,
            soft_17: soft_17?,
            blackjack_pays: blackjack_pays?,
            even_money: even_money?,
            max_splits: max_splits?,
            max_ace_splits: max_ace_splits?,
            restrictions: restrictions?,
            double_double: double_double?,
            settlement: settlement?,
            adjacent_boxes: adjacent_boxes?,
            smallest_chip: smallest_chip?,
            rounding: self.optional(&file.rounding, Rounding::Up)?,
            limits: limits?,
            no_mid_shoe_entry: self.optional(&file.no_mid_shoe_entry, false)?,
            reader: reader?,
            posted_payout_limit: self.posted_payout_limit()?,
            seven_card_21: seven_card_21?,
            finish_after_peek: self.optional(&file.finish_after_peek, false)?,
            wagers: wagers?,
        })
    }

    /// The answer to a key that has no default; its absence is a problem.
    pub(super) fn required<T: Clone>(
        &mut self,
        given: &Given<T>,
        key: &str,
        clause: Clause,
        remedy: &str,
    ) -> Option<T> {
        match given {
            Given::Is(answer) => Some(answer.value.clone()),
            Given::Unreadable => None,
            // What looks missing in a damaged file may stand in the part that could not be read.
            Given::Absent if !self.file.damaged_lines.is_empty() => None,
            Given::Absent => {
                let place = match key.split_once('.') {
                    Some(("approved", _)) => self.file.approved_place,
                    Some(_) | None => None,
                };
                let place = place.unwrap_or_else(|| self.file.game.place_or(FilePlace::START));
                let source = clause.cite(self.notes.game);
                let text = format!("{key} is missing, and has no default");
                self.notes.add(Severity::Refused, place, key, text, Some(remedy.to_owned()), source);
                None
            }
        }
    }

    /// The answer to a key that has a default. Nothing only where the file's answer was unreadable.
    pub(super) fn optional<T: Copy>(&self, given: &Given<T>, default: T) -> Option<T> {
        match given {
            Given::Is(answer) => Some(answer.value),
            Given::Absent => Some(default),
            Given::Unreadable => None,
        }
    }

    pub(super) fn refuse<T>(
        &mut self,
        given: &Given<T>,
        key: &str,
        clause: Clause,
        text: impl Into<String>,
        remedy: &str,
    ) {
        let source = clause.cite(self.notes.game);
        self.refuse_citing(given, key, source, text, remedy);
    }

    pub(super) fn refuse_citing<T>(
        &mut self,
        given: &Given<T>,
        key: &str,
        source: Citation,
        text: impl Into<String>,
        remedy: &str,
    ) {
        let place = given.place_or(self.file.game.place_or(FilePlace::START));
        self.notes.add(Severity::Refused, place, key, text, Some(remedy.to_owned()), source);
    }

    pub(super) fn warn(
        &mut self,
        place: FilePlace,
        key: &str,
        clause: Clause,
        text: impl Into<String>,
        remedy: Option<String>,
    ) {
        let source = clause.cite(self.notes.game);
        self.notes.add(Severity::Warning, place, key, text, remedy, source);
    }
}

/// What 12.C leaves open, as a regulator would ask it (B9).
const ELECTRONIC_QUESTIONS: [&str; 6] = [
    "(1) Which cards are shared, how many, and when is each dealt and shown?",
    "(2) Without a peek, are insurance and surrender offered, and when are they decided?",
    "(3) May a player double, and may a pair be split where one of its cards is shared?",
    "(4) How long may a player take to decide, and what is done for one who does not answer?",
    "(5) What voids a round, and what becomes of wagers settled before?",
    "(6) Which approved text and laboratory report cover the game?",
];

/// Whose text this is the sum of, where it is another game's.
fn other_text(game: Game, sum: [u8; 32]) -> Option<Game> {
    Game::ALL.into_iter().find(|&other| other != game && sha256(sum_of_the_text_read(other)) == Some(sum))
}

/// The game that a title names, where it names another one and not its own.
fn other_game_named(game: Game, title: &str) -> Option<Game> {
    let letters =
        |text: &str| -> String { text.to_lowercase().chars().filter(|sign| sign.is_alphanumeric()).collect() };
    let title = letters(title);
    let names = |game: Game| title.contains(&letters(game.title()));
    if names(game) { None } else { Game::ALL.into_iter().find(|&other| names(other)) }
}
