//! The side wagers of a submission: `[wagers.<id>]` tables in, offers out, in the order of the file (D12).
//!
//! What makes an offer legal is known to [`crate::side`]; this module only reads its answers, and finds for each
//! problem the line of the key that it is about.

use crate::card::Suit;
use crate::game::Game;
use crate::money::{Cents, MeterName};
use crate::side::{
    Answers, CrownTreasure, MeterAnswers, OfferContext, OfferProblem, OfferedWager, Placement, RandomSource,
    TableAnswers, check_offer, check_together, side_wager,
};
use crate::table::Variation;
use crate::wager::WagerId;

use super::check::Checker;
use super::clauses;
use super::place::FilePlace;
use super::problem::{Citation, Severity, quoted};
use super::section::{Entry, Given, Section};
use super::spelling::nearest;

/// One side wager as the file asks for it.
#[derive(Clone, Debug)]
pub struct WagerAsked {
    pub wager: WagerId,
    /// Where its table starts.
    pub place: FilePlace,
    pub answers: Answers,
    /// Every key it gives, by its path below the wager (`meters.main.rate`).
    keys: Vec<(String, FilePlace)>,
    /// Keys that have their problem already.
    unreadable: Vec<String>,
}

pub(super) const WAGER_KEYS: &[&str] = &[
    "paytable",
    "community_pay",
    "prize_name",
    "prize_value",
    "second_table",
    "stakes",
    "min_stake",
    "max_stake",
    "spots",
    "ace_high_straight",
    "crown_treasure",
    "star_suit",
    "busted_hands_count",
    "community_pay_to_own_boxes",
    "every_n_rounds",
    "maximum_payout",
    "random_source",
    "jackpot_threshold",
    "meters",
];
pub(super) const SECOND_TABLE_KEYS: &[&str] = &["paytable", "community_pay", "prize_name", "prize_value"];
pub(super) const METER_KEYS: &[&str] = &["initial", "reset", "rate", "reserve_rate", "limit", "must_hit_ceiling"];

const SUITS: &[(&str, Suit)] =
    &[("clubs", Suit::Clubs), ("diamonds", Suit::Diamonds), ("hearts", Suit::Hearts), ("spades", Suit::Spades)];

/// Reads the `[wagers]` table; nothing but an empty list where there is none.
pub(super) fn read_wagers(top: &mut Section<'_, '_>) -> Vec<WagerAsked> {
    let Given::Is(Entry { value: mut wagers, .. }) = top.child("wagers") else { return Vec::new() };
    let mut asked = Vec::new();
    for (id, place) in wagers.keys() {
        let Ok(wager) = id.parse::<WagerId>() else {
            let ids = WagerId::ALL.map(WagerId::id);
            let remedy = match nearest(id, ids) {
                Some(meant) => format!("did you mean {meant}?"),
                None => "see the list of wager ids in the documentation".to_owned(),
            };
            let path = wagers.path(id);
            wagers.notes.bad_form(place, &path, format!("unknown wager {}", quoted(id)), Some(remedy));
            continue;
        };
        if let Given::Is(Entry { value: section, .. }) = wagers.child(id) {
            asked.push(read_wager(wager, place, section));
        }
    }
    asked
}

fn read_wager(wager: WagerId, place: FilePlace, mut section: Section<'_, '_>) -> WagerAsked {
    section.refuse_unknown_keys(WAGER_KEYS);
    let mut asked = WagerAsked { wager, place, answers: Answers::default(), keys: Vec::new(), unreadable: Vec::new() };
    let mut answers = Answers { table: asked.table(&mut section, ""), ..Answers::default() };
    let s = &mut section;
    answers.stakes = asked.take("stakes", s.amounts("stakes")).unwrap_or_default();
    answers.min_stake = asked.take("min_stake", s.amount("min_stake"));
    answers.max_stake = asked.take("max_stake", s.amount("max_stake"));
    answers.spots = asked.take("spots", s.small("spots"));
    answers.ace_high_straight = asked.take("ace_high_straight", s.flag("ace_high_straight"));
    let treasures = [("line", CrownTreasure::Line), ("additional", CrownTreasure::Additional)];
    answers.crown_treasure = asked.take("crown_treasure", s.choice("crown_treasure", &treasures));
    answers.star_suit = asked.take("star_suit", s.choice("star_suit", SUITS));
    answers.busted_hands_count = asked.take("busted_hands_count", s.flag("busted_hands_count"));
    let own_boxes = s.flag("community_pay_to_own_boxes");
    answers.community_pay_to_own_boxes = asked.take("community_pay_to_own_boxes", own_boxes);
    answers.every_n_rounds = asked.take("every_n_rounds", s.small("every_n_rounds"));
    answers.maximum_payout = asked.take("maximum_payout", s.amount("maximum_payout"));
    let random_sources = [("device", RandomSource::Device), ("os", RandomSource::Os)];
    answers.random_source = asked.take("random_source", s.choice("random_source", &random_sources));
    answers.jackpot_threshold = asked.take("jackpot_threshold", s.amount("jackpot_threshold"));
    if let Some((place, mut second)) = asked.open("second_table", section.child("second_table")) {
        second.refuse_unknown_keys(SECOND_TABLE_KEYS);
        asked.keys.push(("second_table".to_owned(), place));
        answers.second_table = Some(asked.table(&mut second, "second_table."));
    }
    if let Some((place, mut meters)) = asked.open("meters", section.child("meters")) {
        asked.keys.push(("meters".to_owned(), place));
        let names = MeterName::ALL.map(MeterName::name);
        meters.refuse_unknown_keys(&names);
        for (key, place) in meters.keys() {
            let Some(name) = MeterName::ALL.into_iter().find(|meter| meter.name() == key) else { continue };
            let path = format!("meters.{key}");
            if let Some((_, meter)) = asked.open(&path, meters.child(key)) {
                asked.keys.push((path.clone(), place));
                answers.meters.push(asked.meter(name, &path, meter));
            }
        }
    }
    asked.answers = answers;
    asked
}

impl WagerAsked {
    fn table(&mut self, section: &mut Section<'_, '_>, prefix: &str) -> TableAnswers {
        TableAnswers {
            paytable: self.take(&format!("{prefix}paytable"), section.text("paytable")),
            community_pay: self.take(&format!("{prefix}community_pay"), section.text("community_pay")),
            prize_name: self.take(&format!("{prefix}prize_name"), section.text("prize_name")),
            prize_value: self.take(&format!("{prefix}prize_value"), section.amount("prize_value")),
        }
    }

    fn meter(&mut self, name: MeterName, path: &str, mut section: Section<'_, '_>) -> MeterAnswers {
        section.refuse_unknown_keys(METER_KEYS);
        let mut amount = |key: &str| self.take(&format!("{path}.{key}"), section.amount(key));
        let (initial, reset) = (amount("initial"), amount("reset"));
        let (limit, must_hit_ceiling) = (amount("limit"), amount("must_hit_ceiling"));
        let mut rate = |key: &str| self.take(&format!("{path}.{key}"), section.percent_millionths(key));
        let (rate_millionths, reserve_rate_millionths) = (rate("rate"), rate("reserve_rate"));
        MeterAnswers { name, initial, reset, rate_millionths, reserve_rate_millionths, limit, must_hit_ceiling }
    }

    /// Notes where a key stands, or that it could not be read.
    fn take<T>(&mut self, key: &str, given: Given<T>) -> Option<T> {
        match given {
            Given::Is(Entry { value, place }) => {
                self.keys.push((key.to_owned(), place));
                Some(value)
            }
            Given::Unreadable => {
                self.unreadable.push(key.to_owned());
                None
            }
            Given::Absent => None,
        }
    }

    /// Like [`Self::take`], for a table within the wager's own.
    fn open<T>(&mut self, key: &str, given: Given<T>) -> Option<(FilePlace, T)> {
        match given {
            Given::Is(Entry { value, place }) => Some((place, value)),
            Given::Unreadable => {
                self.unreadable.push(key.to_owned());
                None
            }
            Given::Absent => None,
        }
    }

    fn place_of(&self, key: &str) -> Option<FilePlace> {
        self.keys.iter().find(|(known, _)| known == key).map(|(_, place)| *place)
    }

    /// The key that a problem is about, in the words of the file.
    fn key_of(&self, problem: &OfferProblem, second_table: bool) -> String {
        let key = match problem.answer {
            "rate_millionths" => "rate",
            "reserve_rate_millionths" => "reserve_rate",
            other => other,
        };
        match (problem.meter, key) {
            (Some(meter), "meters") => format!("meters.{}", meter.name()),
            (Some(meter), key) => format!("meters.{}.{key}", meter.name()),
            (None, key) if second_table => format!("second_table.{key}"),
            (None, key) => key.to_owned(),
        }
    }

    /// The nearest thing to a key that stands in the file: itself, the tables around it, or the wager.
    pub(super) fn nearest_place(&self, key: &str) -> FilePlace {
        let mut key = key;
        loop {
            if let Some(place) = self.place_of(key) {
                return place;
            }
            match key.rsplit_once('.') {
                Some((around, _)) => key = around,
                None => return self.place,
            }
        }
    }

    /// Whether a problem is only the echo of a key that could not be read.
    fn is_echo(&self, key: &str) -> bool {
        self.unreadable.iter().any(|unreadable| {
            key == unreadable
                || key.strip_prefix(unreadable.as_str()).is_some_and(|below| below.starts_with('.'))
                || (key == "spots" && unreadable == "stakes")
        })
    }
}

impl Checker<'_> {
    /// All offers in the order of the file, or nothing where one is refused.
    pub(super) fn wagers(
        &mut self,
        game: Game,
        decks: Option<u8>,
        variation: Option<Variation>,
        adjacent_boxes: Option<u8>,
        chip: Option<Cents>,
    ) -> Option<Vec<OfferedWager>> {
        let contexts = contexts(game, decks, variation);
        let file = self.file;
        let mut offers = Vec::new();
        for asked in &file.wagers {
            self.random_source(asked);
            self.own_boxes(asked, adjacent_boxes);
            match offer(&contexts, asked) {
                Ok(offer) => {
                    self.stakes_in_chips(asked, &offer, chip);
                    offers.push(offer);
                }
                Err(problems) if variation == Some(Variation::DoubleShoe) => {
                    let problems: Vec<OfferProblem> = problems.into_iter().map(of_one_side).collect();
                    self.report(asked, &problems);
                }
                Err(problems) => self.report(asked, &problems),
            }
        }
        let complete = offers.len() == file.wagers.len();
        for problem in contexts.first().map(|context| check_together(*context, &mut offers)).unwrap_or_default() {
            if let Some(asked) = file.wagers.iter().find(|asked| asked.wager == problem.wager)
                && !self.carrier_is_refused(asked, &offers)
            {
                self.report(asked, &[problem]);
            }
        }
        complete.then_some(offers)
    }

    fn report(&mut self, asked: &WagerAsked, problems: &[OfferProblem]) {
        let damaged = !self.file.damaged_lines.is_empty();
        for problem in problems {
            let in_second = asked.answers.second_table.is_some()
                && SECOND_TABLE_KEYS.contains(&problem.answer)
                && !is_about_the_first_table(problem, asked);
            let key = asked.key_of(problem, in_second);
            // What looks missing in a damaged file may stand in the part that could not be read.
            let may_be_damage = damaged && problem.answer != "wager" && asked.place_of(&key).is_none();
            if asked.is_echo(&key) || may_be_damage {
                continue;
            }
            let path = match key.as_str() {
                "wager" => format!("wagers.{}", asked.wager),
                key => format!("wagers.{}.{key}", asked.wager),
            };
            let source = Citation { game: Some(problem.game), id: problem.id };
            let sentence = problem.sentence.clone();
            self.notes.add(Severity::Refused, asked.nearest_place(&key), &path, sentence, None, source);
        }
    }

    /// A wager that rides on another is not to blame when that other one is offered and refused.
    fn carrier_is_refused(&self, asked: &WagerAsked, offers: &[OfferedWager]) -> bool {
        match side_wager(asked.wager).map(|side| side.placement) {
            Some(Placement::RidesOn(carrier)) => {
                self.file.wagers.iter().any(|other| other.wager == carrier)
                    && offers.iter().all(|offer| offer.id() != carrier)
            }
            Some(Placement::Chips | Placement::Sensor) | None => false,
        }
    }

    fn random_source(&mut self, asked: &WagerAsked) {
        if matches!(asked.answers.random_source, Some(RandomSource::Os)) {
            let key = format!("wagers.{}.random_source", asked.wager);
            let text =
                format!("the operating system's generator needs laboratory approval for {}", asked.wager.title());
            self.warn(asked.nearest_place("random_source"), &key, clauses::RANDOM_SOURCE, text, None);
        }
    }

    /// H15: 12.D(8)(a) does not settle whether a spinner's second box is paid as one of the community.
    fn own_boxes(&mut self, asked: &WagerAsked, adjacent_boxes: Option<u8>) {
        let key = "community_pay_to_own_boxes";
        let is_wheel = matches!(asked.wager, WagerId::BonusSpin | WagerId::BonusSpinXtreme);
        let several = adjacent_boxes.is_some_and(|boxes| boxes > 1);
        let unsaid = asked.answers.community_pay_to_own_boxes.is_none() && !asked.is_echo(key);
        if is_wheel && several && unsaid && self.file.damaged_lines.is_empty() {
            let title = asked.wager.title();
            let text = format!(
                "{title} needs an answer to {key}: a player may have several boxes here, and the rules do not say \
                 whether the community's pay goes to the spinner's other box as well"
            );
            let remedy = Some(format!("write {key} = false, or true"));
            let source = Citation { game: self.notes.game, id: "H15" };
            let path = format!("wagers.{}.{key}", asked.wager);
            self.notes.add(Severity::Refused, asked.place, &path, text, remedy, source);
        }
    }

    /// Wagers made with chips are made of the table's chips (H3). A sensor's stake is what its paytable prints.
    fn stakes_in_chips(&mut self, asked: &WagerAsked, offer: &OfferedWager, chip: Option<Cents>) {
        let (Some(chip), Placement::Chips) = (chip, offer.placement()) else { return };
        let listed = offer.stakes().iter().map(|stake| ("stakes", *stake));
        let bounds = [("min_stake", offer.min_stake()), ("max_stake", offer.max_stake())];
        let bounds = bounds.into_iter().filter_map(|(key, stake)| Some((key, stake?)));
        for (key, stake) in listed.chain(bounds).filter(|(_, stake)| !stake.is_multiple_of(chip)) {
            let text = format!("chips of {chip} cannot make {stake}, a stake of {}", asked.wager.title());
            let path = format!("wagers.{}.{key}", asked.wager);
            let remedy = Some("give multiples of smallest_chip".to_owned());
            let source = clauses::LIMITS.cite(self.notes.game);
            self.notes.add(Severity::Refused, asked.nearest_place(key), &path, text, remedy, source);
        }
    }
}

/// What a table has too few or too many of is what lies on one side of its double shoe (H19).
fn of_one_side(mut problem: OfferProblem) -> OfferProblem {
    let counts_decks = problem.sentence.rsplit_once("; this table has ").is_some_and(|(_, n)| n.parse::<u8>().is_ok());
    if counts_decks {
        problem.sentence.push_str(" on either side of its double shoe");
    }
    problem
}

/// The table as far as it is known. While decks or variation are not, every possibility is tried.
fn contexts(game: Game, decks: Option<u8>, variation: Option<Variation>) -> Vec<OfferContext> {
    let dealt_from = decks.zip(variation).map(|(decks, variation)| variation.decks_dealt_from(decks));
    let decks: &[u8] = match (&dealt_from, &decks) {
        (Some(decks), _) | (None, Some(decks)) => std::slice::from_ref(decks),
        (None, None) => &[6, 8, 5, 1, 2, 3, 4, 7],
    };
    let switch: &[bool] = match variation {
        Some(Variation::Switch) => &[true],
        Some(Variation::Standard | Variation::FromTheHand | Variation::DoubleShoe) => &[false],
        None => &[false, true],
    };
    let each = |decks: &u8| {
        switch.iter().map(|switch| OfferContext { game, decks: *decks, switch: *switch }).collect::<Vec<_>>()
    };
    decks.iter().flat_map(each).collect()
}

/// An offer that some possible table may make; else the problems that it has at every one of them, or at the first.
fn offer(contexts: &[OfferContext], asked: &WagerAsked) -> Result<OfferedWager, Vec<OfferProblem>> {
    let mut everywhere: Option<Vec<OfferProblem>> = None;
    for context in contexts {
        match check_offer(*context, asked.wager, &asked.answers) {
            Ok(offer) => return Ok(offer),
            Err(found) => {
                everywhere = Some(match everywhere {
                    None => found,
                    Some(before) => before.into_iter().filter(|problem| found.contains(problem)).collect(),
                });
            }
        }
    }
    Err(everywhere.unwrap_or_default())
}

/// With two paytables, a problem that remains without the second one is the first one's.
fn is_about_the_first_table(problem: &OfferProblem, asked: &WagerAsked) -> bool {
    let alone = Answers { second_table: None, ..asked.answers.clone() };
    let context = OfferContext { game: problem.game, decks: 6, switch: false };
    check_offer(context, asked.wager, &alone).is_err_and(|found| found.contains(problem))
}
