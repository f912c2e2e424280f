//! The file as it was written: every key with its place, nothing decided yet.

use crate::game::Game;
use crate::money::{Cents, Rounding};
use crate::table::{
    ApprovalDate, BlackjackPays, ReaderKind, Settlement, SevenCard21, ShoeSide, Shuffler, Soft17, SwitchBlackjack,
    UnswitchedAgainst22,
};

use super::place::{FilePlace, Lines};
use super::problem::{Problem, quoted};
use super::section::{Entry, Given, Notes, Section, parse_document, syntax_place};
use super::spelling::nearest;
use super::wagers::{WagerAsked, read_wagers};

/// A submission is a few kilobytes. A larger text is something else, and is refused before it costs time.
pub const TEXT_BYTES_MAX: usize = 256 * 1024;

/// Syntax errors shown at most: after a broken quote the rest is noise.
const SYNTAX_ERRORS_MAX: usize = 20;

/// A variation as a file may ask for it, the one that cannot be played included.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VariationAsked {
    Standard,
    Switch,
    FromTheHand,
    DoubleShoe,
    /// blackjack 12.C, refused by reading B9.
    Electronic,
}

/// One entry of `house_restrictions`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RestrictionAsked {
    NoSurrender,
    OneCardToSplitAces,
}

/// An operator's rules submission, read and not yet checked.
#[derive(Clone, Debug, Default)]
pub struct RulesSubmission {
    pub readings: Given<String>,
    pub game: Given<Game>,
    pub approved_title: Given<String>,
    pub approved_date: Given<ApprovalDate>,
    pub approved_sha256: Given<String>,
    pub variation: Given<VariationAsked>,
    pub switch_blackjack: Given<SwitchBlackjack>,
    pub unswitched_blackjack_against_22: Given<UnswitchedAgainst22>,
    pub main_wager_areas: Given<i64>,
    pub red_suits_side: Given<ShoeSide>,
    pub shuffler: Given<Shuffler>,
    pub decks: Given<i64>,
    pub positions: Given<i64>,
    pub soft_17: Given<Soft17>,
    pub blackjack_pays: Given<BlackjackPays>,
    pub even_money: Given<bool>,
    pub max_splits: Given<i64>,
    pub max_ace_splits: Given<i64>,
    pub house_restrictions: Given<Vec<RestrictionAsked>>,
    pub double_double: Given<bool>,
    pub settlement: Given<Settlement>,
    pub adjacent_boxes: Given<i64>,
    pub smallest_chip: Given<Cents>,
    pub rounding: Given<Rounding>,
    pub table_minimum: Given<Cents>,
    pub table_maximum: Given<Cents>,
    pub no_mid_shoe_entry: Given<bool>,
    pub reader: Given<ReaderKind>,
    pub posted_payout_limit: Given<Cents>,
    pub seven_card_21: Given<SevenCard21>,
    pub finish_after_peek: Given<bool>,
    /// In the order of the file, which is the order of settlement within a box (D12).
    pub wagers: Vec<WagerAsked>,
    /// Where `[approved]` stands, to point at when it lacks something.
    pub(super) approved_place: Option<FilePlace>,
    /// What reading the file found.
    pub(super) problems: Vec<Problem>,
    /// Lines whose syntax is broken: what was read there is not what was meant, and a key that seems missing may stand
    /// on one of them. Sorted.
    pub(super) damaged_lines: Vec<u32>,
}

/// Every key of the top level, for the reader and for the documentation's test.
pub(super) const KEYS: &[&str] = &[
    "readings",
    "game",
    "approved",
    "variation",
    "switch_blackjack",
    "unswitched_blackjack_against_22",
    "main_wager_areas",
    "red_suits_side",
    "shuffler",
    "decks",
    "positions",
    "soft_17",
    "blackjack_pays",
    "even_money",
    "max_splits",
    "max_ace_splits",
    "house_restrictions",
    "double_double",
    "settlement",
    "adjacent_boxes",
    "smallest_chip",
    "rounding",
    "table_minimum",
    "table_maximum",
    "no_mid_shoe_entry",
    "reader",
    "posted_payout_limit",
    "seven_card_21",
    "finish_after_peek",
    "wagers",
];

pub(super) const APPROVED_KEYS: &[&str] = &["title", "date", "sha256"];

const VARIATIONS: &[(&str, VariationAsked)] = &[
    ("standard", VariationAsked::Standard),
    ("switch", VariationAsked::Switch),
    ("from-the-hand", VariationAsked::FromTheHand),
    ("double-shoe", VariationAsked::DoubleShoe),
    ("electronic", VariationAsked::Electronic),
];

const RESTRICTIONS: &[(&str, RestrictionAsked)] = &[
    ("no-surrender", RestrictionAsked::NoSurrender),
    ("one-card-to-split-aces", RestrictionAsked::OneCardToSplitAces),
];

impl RulesSubmission {
    /// Reads a file's text. Always succeeds: [`check`](Self::check) reports what could not be read.
    pub fn parse(text: &str) -> Self {
        let mut notes = Notes::default();
        if text.len() > TEXT_BYTES_MAX {
            let kib = TEXT_BYTES_MAX / 1024;
            let text = format!("the file has {} bytes; a rules submission has at most {kib} KiB", text.len());
            notes.bad_form(FilePlace::START, "", text, Some("check that this is the right file".to_owned()));
            return Self { problems: notes.problems, damaged_lines: vec![1], ..Self::default() };
        }
        let lines = Lines::new(text);
        let (document, syntax_errors) = parse_document(text);
        let mut submission = Self::read(Section::top(document.get_ref(), &lines, &mut notes));
        for error in syntax_errors.iter().take(SYNTAX_ERRORS_MAX) {
            let text = format!("this is not TOML: {}", error.message().replace(char::is_control, " "));
            notes.bad_form(syntax_place(&lines, error), "", text, None);
        }
        submission.damaged_lines = syntax_errors.iter().map(|error| syntax_place(&lines, error).line).collect();
        submission.damaged_lines.sort_unstable();
        submission.problems = notes.problems;
        submission
    }

    fn read(mut top: Section<'_, '_>) -> Self {
        // The game first: problems are cited for it.
        let game = read_game(&mut top);
        top.notes.game = game.answer().map(|answer| answer.value);
        top.refuse_unknown_keys(KEYS);
        let mut submission = Self {
            game,
            readings: top.text("readings"),
            variation: top.choice("variation", VARIATIONS),
            switch_blackjack: top.choice(
                "switch_blackjack",
                &[("as-printed", SwitchBlackjack::AsPrinted), ("even-money", SwitchBlackjack::EvenMoney)],
            ),
            unswitched_blackjack_against_22: top.choice(
                "unswitched_blackjack_against_22",
                &[("tie", UnswitchedAgainst22::Tie), ("win", UnswitchedAgainst22::Win)],
            ),
            main_wager_areas: top.whole("main_wager_areas"),
            red_suits_side: top.choice("red_suits_side", &[("left", ShoeSide::Left), ("right", ShoeSide::Right)]),
            shuffler: top.choice(
                "shuffler",
                &[("by-hand", Shuffler::ByHand), ("batch", Shuffler::Batch), ("continuous", Shuffler::Continuous)],
            ),
            decks: top.whole("decks"),
            positions: top.whole("positions"),
            soft_17: top.choice("soft_17", &[("stands", Soft17::Stands), ("hits", Soft17::Hits)]),
            blackjack_pays: top.choice(
                "blackjack_pays",
                &[("3 to 2", BlackjackPays::ThreeToTwo), ("6 to 5", BlackjackPays::SixToFive)],
            ),
            even_money: top.flag("even_money"),
            max_splits: top.whole("max_splits"),
            max_ace_splits: top.whole("max_ace_splits"),
            house_restrictions: top.choices("house_restrictions", RESTRICTIONS),
            double_double: top.flag("double_double"),
            settlement: top.choice(
                "settlement",
                &[
                    ("collect-then-pay", Settlement::CollectThenPay),
                    ("pay-and-collect-from-right", Settlement::PayAndCollectFromRight),
                ],
            ),
            adjacent_boxes: top.whole("adjacent_boxes"),
            smallest_chip: top.amount("smallest_chip"),
            rounding: top.choice("rounding", &[("up", Rounding::Up), ("down", Rounding::Down)]),
            table_minimum: top.amount("table_minimum"),
            table_maximum: top.amount("table_maximum"),
            no_mid_shoe_entry: top.flag("no_mid_shoe_entry"),
            reader: top.choice(
                "reader",
                &[
                    ("hidden-from-players", ReaderKind::HiddenFromPlayers),
                    ("visible-to-players", ReaderKind::VisibleToPlayers),
                ],
            ),
            posted_payout_limit: top.amount("posted_payout_limit"),
            seven_card_21: top
                .choice("seven_card_21", &[("or-more", SevenCard21::OrMore), ("exactly", SevenCard21::Exactly)]),
            finish_after_peek: top.flag("finish_after_peek"),
            ..Self::default()
        };
        submission.read_approved(&mut top);
        submission.wagers = read_wagers(&mut top);
        submission
    }

    fn read_approved(&mut self, top: &mut Section<'_, '_>) {
        match top.child("approved") {
            Given::Is(Entry { value: mut approved, place }) => {
                approved.refuse_unknown_keys(APPROVED_KEYS);
                self.approved_place = Some(place);
                self.approved_title = approved.text("title");
                self.approved_date = approved.date("date");
                self.approved_sha256 = approved.text("sha256");
            }
            Given::Unreadable => {
                self.approved_title = Given::Unreadable;
                self.approved_date = Given::Unreadable;
                self.approved_sha256 = Given::Unreadable;
            }
            Given::Absent => {}
        }
    }
}

fn read_game(top: &mut Section<'_, '_>) -> Given<Game> {
    match top.text("game") {
        Given::Is(Entry { value, place }) => match value.parse::<Game>() {
            Ok(game) => Given::Is(Entry { value: game, place }),
            Err(_) => {
                let ids = Game::ALL.map(Game::id);
                let remedy = match nearest(&value, ids) {
                    Some(meant) => format!("did you mean \"{meant}\"?"),
                    None => format!("write one of {}", ids.map(|id| format!("\"{id}\"")).join(", ")),
                };
                top.notes.bad_form(
                    place,
                    "game",
                    format!("{} is not one of the four games", quoted(&value)),
                    Some(remedy),
                );
                Given::Unreadable
            }
        },
        Given::Unreadable => Given::Unreadable,
        Given::Absent => Given::Absent,
    }
}
