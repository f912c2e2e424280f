//! What anybody was told during the night, held against the record.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;
use table_rules::card::Card;
use table_rules::game::Game;
use table_simulator::floor::client::Answer;

use crate::meters;
use crate::night::journal;

/// The last screen before a death and the first one after it.
#[derive(Debug)]
pub(crate) struct Death {
    pub(crate) last: Value,
    pub(crate) first: Value,
}

/// What the table says of itself at the end.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) day: Value,
    pub(crate) meters: Value,
    pub(crate) head: Value,
    pub(crate) rounds: Vec<Value>,
    /// Every card that left the shoe, in its order: what hands did, whatever the table says.
    pub(crate) drawn: Vec<Card>,
}

#[derive(Debug, Default)]
pub(crate) struct Evidence {
    /// Every request that was answered, with its answer.
    told: Vec<(Value, Answer)>,
    deaths: Vec<Death>,
    last_shown: Value,
}

/// The journal's inputs in their order: the first is number one at the table.
struct Record {
    inputs: Vec<Value>,
}

impl Record {
    fn events<'r>(&'r self, outer: &'r str) -> impl Iterator<Item = &'r Value> {
        let events = self.inputs.iter().flat_map(|record| record["events"].as_array().into_iter().flatten());
        events.filter_map(move |event| event.get(outer))
    }

    fn events_of<'r>(&'r self, kind: &'r str) -> impl Iterator<Item = &'r Value> {
        self.events("event").filter(move |event| event["kind"] == kind)
    }

    fn count(&self, kind: &str) -> u64 {
        u64::try_from(self.events_of(kind).count()).unwrap()
    }
}

fn sequence(screen: &Value) -> u64 {
    screen["sequence"].as_u64().unwrap_or(0)
}

impl Evidence {
    pub(crate) fn told(&mut self, request: &Value, answer: &Answer) {
        self.told.push((request.clone(), answer.clone()));
    }

    pub(crate) fn saw(&mut self, screen: &Value) {
        if screen.is_object() {
            let before = sequence(&self.last_shown);
            assert!(sequence(screen) >= before, "the table went back from {before} to {}", sequence(screen));
            self.last_shown = screen.clone();
        }
    }

    pub(crate) fn died(&mut self, death: Death) {
        self.deaths.push(death);
    }

    pub(crate) fn compare(&self, game: Game, rules: &str, directory: &Path, told: &Told) {
        let config = directory.with_file_name("table.toml").display().to_string();
        let verified = journal(directory, &["verify", "--replay", "--config", &config]);
        let verified = &verified[0]["verified"];
        assert!(verified["head_sequence"].as_u64() >= told.head["sequence"].as_u64(), "{verified} {}", told.head);
        let all = journal(directory, &["show"]);
        let head = all.iter().find(|record| record["sequence"] == told.head["sequence"]).unwrap();
        assert_eq!(head["hash"], told.head["hash"], "the head that was told is in the record");
        let record = Record { inputs: all.into_iter().filter(|record| record["kind"] == "input").collect() };
        assert!(usize::try_from(sequence(&self.last_shown)).unwrap() <= record.inputs.len(), "shown and not recorded");
        self.every_answer_is_recorded_once(&record);
        self.every_death_left_the_table_as_it_was(&record);
        nothing_of_a_device_is_taken_twice(&record);
        every_card_is_where_hands_put_it(&record, &told.drawn);
        assert_eq!(self.last_shown["day"], told.day);
        assert_eq!(self.last_shown["meters"], told.meters);
        the_day_adds_up(&record, told);
        meters::follow_from(&record.inputs, rules, &told.meters);
        every_fault_left_its_trace(game, &record);
    }

    fn every_answer_is_recorded_once(&self, record: &Record) {
        let mut by_key = BTreeMap::new();
        for (at, each) in record.inputs.iter().enumerate() {
            if let Some(key) = each["input"]["person"]["key"].as_str() {
                let before = by_key.insert(key, (at + 1, each));
                assert!(before.is_none(), "{key} was done twice");
            }
        }
        let accepted = self.told.iter().filter(|(_, answer)| answer.status == 200);
        let yes: BTreeSet<&str> = accepted.clone().filter_map(|(request, _)| request["key"].as_str()).collect();
        for (request, answer) in accepted {
            let key = request["key"].as_str().unwrap();
            let (number, found) =
                by_key.get(key).unwrap_or_else(|| panic!("{request} was answered {answer:?} and lost"));
            assert_eq!(
                answer.json()["accepted"]["sequence"].as_u64().unwrap(),
                u64::try_from(*number).unwrap(),
                "{request}"
            );
            assert_eq!(answer.json()["accepted"]["record"], found["sequence"], "{request}: named another record");
            assert_eq!(answer.json()["accepted"]["events"], found["events"], "{request}");
            assert_eq!(found["input"]["person"]["action"], request["action"]);
        }
        for (request, answer) in self.told.iter().filter(|(_, answer)| answer.status != 200) {
            let key = request["key"].as_str().unwrap();
            assert!(yes.contains(key) || !by_key.contains_key(key), "{request} was done and answered {answer:?}");
        }
    }

    /// Where nothing but the start itself was recorded in between, everybody sees what they saw before.
    fn every_death_left_the_table_as_it_was(&self, record: &Record) {
        let mut compared = 0;
        for Death { last, first } in &self.deaths {
            let (from, to) = (usize::try_from(sequence(last)).unwrap(), usize::try_from(sequence(first)).unwrap());
            assert!(from <= to, "after a death the table shows {to} where it had shown {from}");
            if !record.inputs[from..to].iter().all(|record| is_quiet(&record["input"])) {
                continue;
            }
            compared += 1;
            for part in ["round", "stage", "seats", "dealer", "lines", "meters", "day", "signed_in"] {
                assert_eq!(last[part], first[part], "{part} after a death at {from}");
            }
            let ((before, paused), (after, marked)) = (inspection(last), inspection(first));
            assert_eq!(before, after, "the inspection after a death at {from}");
            assert!(marked.starts_with(&paused), "the pauses of an inspection stay: {paused:?}, then {marked:?}");
            // A death in the middle of a step is marked in its record.
            assert!(
                before.is_null() || before["paused"] == true || from == to || marked.len() > paused.len(),
                "{from}: {marked:?}"
            );
            // Between rounds the order may be that a device is not reached yet.
            if !["closed", "preparing", "wagering"].contains(&last["stage"].as_str().unwrap()) {
                for part in ["text", "clause"] {
                    assert_eq!(last["prompt"][part], first["prompt"][part], "the order after a death at {from}");
                }
                assert_eq!(offers(last), offers(first), "what may answer the order after a death at {from}");
            }
        }
        assert!(compared * 2 >= self.deaths.len(), "only {compared} of {} deaths could be compared", self.deaths.len());
    }
}

/// What is offered, but for the time of day.
/// The inspection on a screen, and apart from it the steps at which it was interrupted.
fn inspection(screen: &Value) -> (Value, Vec<Value>) {
    let mut inspection = screen["inspection"].clone();
    let pauses = inspection.as_object_mut().and_then(|fields| fields.remove("paused_before"));
    (inspection, pauses.and_then(|pauses| pauses.as_array().cloned()).unwrap_or_default())
}

fn offers(screen: &Value) -> Vec<&Value> {
    screen["prompt"]["offers"].as_array().unwrap().iter().filter(|offer| offer["word"] != "at").collect()
}

/// A start, a link, a state: nothing that moves a table.
fn is_quiet(input: &Value) -> bool {
    let link = |event: &Value| event.get("up").is_some() || event.get("state").is_some();
    input.get("started").is_some()
        || input.get("clock").is_some()
        || input.get("reader").is_some_and(link)
        || input.get("shuffler").is_some_and(link)
        || input["shoe"].get("event").is_some_and(link)
}

fn nothing_of_a_device_is_taken_twice(record: &Record) {
    let mut taken = BTreeSet::new();
    for link in record.events("link") {
        let id = format!("{} {} {}", link["port"], link["boot"], link["number"]);
        assert!(taken.insert(id), "taken twice: {link}");
    }
    assert!(!taken.is_empty());
}

/// Every card that left the shoe is recorded once, in its order, and none besides.
fn every_card_is_where_hands_put_it(record: &Record, drawn: &[Card]) {
    let (mut at, mut hole) = (0, None);
    for event in record.events("event") {
        let card = drawn.get(at).map(ToString::to_string);
        match event["kind"].as_str().unwrap() {
            "burnt" => at += 1,
            "card-dealt" => {
                at += 1;
                if event["card"] != "?" {
                    assert_eq!(event["card"].as_str(), card.as_deref(), "card {at} of the night");
                } else if event["to"]["position"].is_null() {
                    hole = card;
                }
            }
            "hole-card-revealed" => assert_eq!(event["card"].as_str(), hole.take().as_deref(), "after card {at}"),
            _ => {}
        }
    }
    assert_eq!(at, drawn.len(), "cards recorded, cards drawn");
}

/// The day's summary from the lines and events of the record, and from the rounds that the table recalls.
fn the_day_adds_up(record: &Record, told: &Told) {
    let day = &told.day;
    let cents = |line: &Value, part: &str| line[part].as_i64().unwrap_or(0);
    let sums = |lines: &[&Value]| {
        let paid = lines.iter().filter(|line| line["basis"] != "meter").map(|line| cents(line, "pays_cents"));
        let kept = lines.iter().map(|line| cents(line, "stake_cents") - cents(line, "returned_cents"));
        (paid.sum::<i64>(), kept.sum::<i64>())
    };
    let expected = (day["paid_cents"].as_i64().unwrap(), day["collected_cents"].as_i64().unwrap());
    assert_eq!(sums(&record.events("settled").collect::<Vec<_>>()), expected, "paid and collected");
    for (kind, part) in [("round-ended", "rounds"), ("late-wager", "late_wagers"), ("meter-paid", "jackpots")] {
        assert_eq!(record.count(kind), day[part].as_u64().unwrap(), "{part}");
    }
    let jackpots: i64 = record.events_of("meter-paid").map(|event| cents(event, "paid_cents")).sum();
    assert_eq!(jackpots, day["jackpot_cents"].as_i64().unwrap());
    let recalled: Vec<&Value> = told
        .rounds
        .iter()
        .inspect(|round| assert_eq!(round["finished"], true, "round {}", round["round"]))
        .flat_map(|round| round["records"].as_array().unwrap())
        .flat_map(|record| record["events"].as_array().unwrap())
        .filter_map(|event| event.get("settled"))
        .collect();
    assert_eq!(sums(&recalled), expected, "the rounds that are recalled make up the day");
}

fn every_fault_left_its_trace(game: Game, record: &Record) {
    assert!(record.count("shuffle-failed") > 0, "the jam");
    assert!(record.events_of("reader-answered").any(|event| event["answer"] == "unread"), "the unread card");
    assert_eq!(record.count("late-wager"), 1, "the late chip");
    let cited = |code: &str| record.events("table").any(|event| event["clause"].as_str().unwrap().starts_with(code));
    assert!(cited("RD-"), "the reader's fault");
    assert_eq!(record.count("meter-paid") > 0, game == Game::PlayersEdge21, "the jackpot");
}
