//! What the screen asks for, whoever sits there: preparing cards, confirming lines, answering questions, alerts.

use operator_api::Action;
use serde_json::Value;

use super::{Deed, Visible, Who, dollars, numbers, offered};
use crate::dice::Dice;
use crate::floor::world::Goes;

/// Opening, shuffling, cutting: each word as it is offered.
pub(super) fn prepare(screen: &Value, visible: &Visible) -> Deed {
    let play = |who, words: String| Deed::Act(who, Action::Play { words });
    let first = |word: &str| -> Option<String> {
        let values = offered(screen, word).next()?["values"].as_array()?;
        Some(values.first()?.as_str()?.to_owned())
    };
    let has = |word: &str| offered(screen, word).next().is_some();
    if let Some(count) = first("decks") {
        return play(Who::Screen, format!("decks {count}"));
    }
    if let Some(inspection) = first("inspect") {
        let who = if inspection == "floor" { Who::Floorperson } else { Who::Screen };
        return play(who, format!("inspect {inspection}"));
    }
    for word in ["spread", "wash"] {
        if has(word) {
            return play(Who::Screen, word.to_owned());
        }
    }
    if let Some(offer) = offered(screen, "shuffle").next() {
        let device = offer["values"].as_array().is_some_and(|ways| ways.iter().any(|way| way == "device"));
        if device {
            return if visible.shuffler_is_empty || visible.shuffler_is_stopped {
                Deed::LoadShuffler
            } else {
                Deed::Wait
            };
        }
        return Deed::ShuffleByHand;
    }
    if let Some(cut) = first("cut") {
        let depth = cut.rsplit(' ').next().and_then(|depth| depth.parse().ok()).unwrap_or(50);
        return Deed::Cut { words: format!("cut {cut}"), depth };
    }
    if let Some(least) = first("place").and_then(|least| least.parse::<usize>().ok()) {
        return Deed::PlaceCover { words: format!("place {least}"), from_bottom: least };
    }
    if has("load") {
        return Deed::FillShoe;
    }
    if has("burn") {
        return Deed::Draw(Goes::Up);
    }
    Deed::Wait
}

/// Old decks: what lies on the layout goes back, then others come to the table.
pub(super) fn change_decks(screen: &Value, visible: &Visible) -> Deed {
    if let Some(&(seat, spot)) = visible.chips.first() {
        return Deed::TakeChip { seat, spot };
    }
    let mut seats = screen["seats"].as_array().into_iter().flatten();
    match seats.find(|seat| seat["in_play"] == true) {
        Some(lies) => {
            let wager = lies["side"][0]["wager"].as_str().unwrap_or("main");
            Deed::Act(Who::Screen, Action::Play { words: format!("unwager {} {wager}", lies["seat"]) })
        }
        None => prepare(screen, visible),
    }
}

/// Lines that are due, and the walk before a jackpot.
pub(super) fn settle(screen: &Value) -> Option<Deed> {
    let has = |word: &str| offered(screen, word).next().is_some();
    let open = screen["lines"].as_array()?.iter().any(|line| line["confirmed"] == false);
    if !open {
        return None;
    }
    for (word, who) in [
        ("settled", Who::Screen),
        ("paid", Who::Screen),
        ("collected", Who::Screen),
        ("next", Who::Screen),
        ("floor approve", Who::Floorperson),
        ("manager approve", Who::Manager),
    ] {
        if has(word) {
            return Some(Deed::Act(who, Action::Play { words: word.to_owned() }));
        }
    }
    None
}

/// What is asked before the round can go on: a wheel, a draw, an amount, a link of boxes.
pub(super) fn answer_needed(screen: &Value, dice: &mut Dice) -> Option<Deed> {
    let play = |words: String| Some(Deed::Act(Who::Screen, Action::Play { words }));
    if let Some(offer) = offered(screen, "wheel").next() {
        let values = offer["values"].as_array()?;
        let symbol = values.get(dice.index(values.len()))?.as_str()?;
        let seat = numbers(&offer["seats"]).first().copied()?;
        return play(format!("wheel {seat} {} \"{symbol}\"", offer["wager"].as_str()?));
    }
    let text = screen["prompt"]["text"].as_str().unwrap_or_default().to_lowercase();
    if text.contains("draw") || text.contains("random") {
        let draws: Vec<&Value> = offered(screen, "draw").collect();
        if let Some(none) = draws.iter().find(|offer| offer["values"][0] == "none") {
            return play(format!("draw {}", none["values"][0].as_str()?));
        }
        if let Some(offer) = draws.first() {
            let kind = offer["values"][0].as_str()?;
            let rest = match numbers(&offer["seats"]).first() {
                Some(seat) => seat.to_string(),
                None => "Kh".to_owned(),
            };
            return play(format!("draw {kind} {rest}"));
        }
    }
    if text.contains("amount") || text.contains("how much") {
        let offer = offered(screen, "amount").next()?;
        let seat = numbers(&offer["seats"]).first().copied()?;
        let cents = offer["one_of_cents"][0].as_i64().or_else(|| offer["min_cents"].as_i64())?;
        return play(format!("amount {seat} {} {}", offer["wager"].as_str()?, dollars(cents)));
    }
    None
}

/// The floorperson sees what wants attention, and clears what has ended.
pub(super) fn look_after_alerts(screen: &Value) -> Option<Deed> {
    for alert in screen["alerts"].as_array()? {
        let id = alert["alert"].as_u64()?;
        if alert["acknowledged_by"].is_null() {
            return Some(Deed::Act(Who::Floorperson, Action::Acknowledge { alert: id }));
        }
        if alert["severity"] == "stop" && alert["text"].as_str().is_some_and(|text| text.contains("differ")) {
            let resting = ["wagering", "preparing", "closed"].contains(&screen["stage"].as_str()?);
            if resting {
                let action = Action::ReplaceReader { serial: "R-2".to_owned() };
                return Some(Deed::Act(Who::TechnicianAndFloor, action));
            }
        } else if alert["severity"] == "stop" && alert["ended"] == true {
            return Some(Deed::Act(Who::Floorperson, Action::Clear { alert: id }));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn words(deed: Deed) -> String {
        if let Deed::Act(_, Action::Play { words }) = deed { words } else { format!("{deed:?}") }
    }

    #[test]
    fn old_decks_are_changed_when_nothing_lies_on_the_layout() {
        let screen = |seats: Value| {
            let offers = json!([{ "word": "decks", "values": ["6"] }]);
            json!({ "prompt": { "text": "", "offers": offers }, "seats": seats })
        };
        let boxed = json!([{ "seat": 1, "in_play": false }, { "seat": 2, "in_play": true, "side": [{ "wager": "royal-match-21" }] }]);
        let main = json!([{ "seat": 2, "in_play": true, "side": [] }]);
        let mut visible = Visible { chips: vec![(3, 1)], ..Visible::default() };
        assert_eq!(change_decks(&screen(boxed.clone()), &visible), Deed::TakeChip { seat: 3, spot: 1 });
        visible.chips.clear();
        assert_eq!(words(change_decks(&screen(boxed), &visible)), "unwager 2 royal-match-21");
        assert_eq!(words(change_decks(&screen(main), &visible)), "unwager 2 main");
        assert_eq!(words(change_decks(&screen(json!([])), &visible)), "decks 6");
    }
}
