//! The meters counted a second time: from the chips that lay when the wagers were locked, and the rates that the rules
//! file says. Nothing of the engine's own counting is used.

use std::collections::BTreeMap;

use serde_json::Value;

/// In hundredths of a cent, so that a percentage of whole cents is a whole number.
#[derive(Clone, Debug, Default)]
struct Meter {
    amount: i64,
    reserve: i64,
    reset: i64,
    rate: i64,
    reserve_rate: i64,
    wins_cents: i64,
}

type Meters = BTreeMap<(String, String), Meter>;

/// Sections `[wagers.NAME.meters.NAME]` of a rules file.
fn read(rules: &str) -> Meters {
    let mut meters = Meters::new();
    let mut section = None;
    for line in rules.lines() {
        let line = line.trim();
        if let Some(name) = line.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
            let parts: Vec<&str> = name.split('.').collect();
            section = match parts.as_slice() {
                ["wagers", wager, "meters", meter] => Some(((*wager).to_owned(), (*meter).to_owned())),
                _ => None,
            };
        } else if let (Some(section), Some((key, value))) = (&section, line.split_once(" = ")) {
            let meter = meters.entry(section.clone()).or_default();
            let percent = || value.trim_matches('"').trim_end_matches(" %").parse::<i64>().unwrap();
            match key {
                "initial" => meter.amount = value.parse::<i64>().unwrap() * 10_000,
                "reset" => meter.reset = value.parse::<i64>().unwrap() * 10_000,
                "rate" => meter.rate = percent(),
                "reserve_rate" => meter.reserve_rate = percent(),
                _ => {}
            }
        }
    }
    meters
}

/// Fails unless the table's meters are what the record's chips make of the rules' meters.
pub(crate) fn follow_from(inputs: &[Value], rules: &str, told: &Value) {
    let mut meters = read(rules);
    let mut chips: BTreeMap<(String, String), i64> = BTreeMap::new();
    let events = inputs.iter().flat_map(|record| record["events"].as_array().into_iter().flatten());
    for event in events.filter_map(|event| event.get("event")) {
        let word = |part: &str| event[part].as_str().unwrap_or_default().to_owned();
        let place = (event["position"].to_string(), word("wager"));
        match event["kind"].as_str().unwrap() {
            "wager-placed" => drop(chips.insert(place, event["amount_cents"].as_i64().unwrap_or(0))),
            "wager-removed" => drop(chips.remove(&place)),
            "wagers-locked" => {
                for ((_, wager), stake) in std::mem::take(&mut chips) {
                    // The Must Hit rides on the Super 4 and has no stake of its own.
                    let feeds = |each: &str| each == wager || (each == "must-hit" && wager == "super-4");
                    for (_, meter) in meters.iter_mut().filter(|((each, _), _)| feeds(each)) {
                        meter.amount += stake * meter.rate;
                        meter.reserve += stake * meter.reserve_rate;
                    }
                }
            }
            "meter-paid" => {
                let meter = meters.get_mut(&(word("wager"), word("meter"))).unwrap();
                let paid = event["paid_cents"].as_i64().unwrap();
                meter.wins_cents += paid;
                meter.amount -= paid * 100;
                if event["seed_cents"].as_i64().is_some() {
                    meter.amount += meter.reset.max(meter.reserve);
                    meter.reserve = 0;
                }
            }
            _ => {}
        }
    }
    for each in told.as_array().unwrap() {
        let name = (each["wager"].as_str().unwrap().to_owned(), each["meter"].as_str().unwrap().to_owned());
        let meter = meters.get(&name).unwrap_or_else(|| panic!("{name:?} is not in the rules"));
        let counted = (meter.amount / 100, meter.reserve / 100, meter.wins_cents);
        let cents = |part: &str| each[part].as_i64().unwrap();
        assert_eq!(counted, (cents("amount_cents"), cents("reserve_cents"), cents("wins_cents")), "{name:?} {meter:?}");
        assert_eq!(each["balanced"], true, "{name:?}");
    }
}
