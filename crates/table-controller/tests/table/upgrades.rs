//! Another version of the software or the rules takes over: nothing is recomputed, nothing is lost.

use operator_api::Action;
use table_controller::{Carried, Controller, ForeignRound, Input, JournalInput, Started};
use table_rules::game::Game;

use crate::desk::{Desk, FLOOR, MANAGER, config, main_spot, side_spot};

/// What a new version reads of an old one's journal: a checkpoint, then the records after it.
fn carried(desk: &Desk, checkpoint: Option<(&[u8], usize)>) -> Carried {
    let before = desk.controller.sequence() - u64::try_from(desk.records.len()).unwrap();
    let (mut carried, from) = match checkpoint {
        Some((bytes, records)) => {
            (Carried::from_checkpoint(bytes, before + u64::try_from(records).unwrap()).unwrap(), records)
        }
        None => (Carried::default(), 0),
    };
    for (sequence, (_, events)) in (before + 1..).zip(&desk.records).skip(from) {
        carried.follow(sequence, events).unwrap();
    }
    carried
}

fn upgraded(desk: &Desk, carried: &Carried) -> Desk {
    let mut next = Desk::with(Controller::continued(desk.config.clone(), carried));
    next.clock = desk.clock;
    let foreign_round = carried.open_round.map(|round| ForeignRound { round, told: carried.told.clone() });
    let started = Started { clock: next.clock, last_record_ms: None, foreign_round };
    next.device(Input::Started(started));
    next.links_up();
    next
}

fn progressive_table() -> Desk {
    let mut desk = Desk::dealing(config(Game::PlayersEdge21));
    for _ in 0..3 {
        desk.chip(side_spot(2));
        desk.chip(side_spot(4));
        desk.wager_and_lock(&[2, 4]);
        desk.finish_round();
    }
    desk
}

#[test]
fn meters_and_round_numbers_go_on_exactly_from_events_or_from_a_checkpoint() {
    let mut desk = progressive_table();
    let checkpoint = desk.controller.checkpoint();
    let at = desk.records.len();
    desk.chip(side_spot(2));
    desk.play_round(&[2]);
    for from in [None, Some((checkpoint.as_slice(), at))] {
        let carried = carried(&desk, from);
        assert_eq!(carried.open_round, None);
        let next = upgraded(&desk, &carried);
        assert_eq!(next.controller.meter_views(), desk.controller.meter_views());
        assert!(next.controller.meter_views().iter().all(|meter| meter.balanced));
        assert_eq!(next.controller.engine().round(), 4);
        assert!(next.controller.sequence() > desk.controller.sequence());
    }
}

#[test]
fn an_open_round_is_shown_for_settlement_by_hand_and_nothing_is_dealt() {
    let mut desk = progressive_table();
    let checkpoint = desk.controller.checkpoint();
    let at = desk.records.len();
    desk.chip(side_spot(2));
    desk.wager_and_lock(&[2, 4]);
    desk.draws(3);
    for from in [None, Some((checkpoint.as_slice(), at))] {
        let carried = carried(&desk, from);
        assert_eq!(carried.open_round, Some(4));
        assert!(!carried.told.is_empty());
        let mut next = upgraded(&desk, &carried);
        assert!(next.prompt().contains("Settle round 4 by hand"), "{}", next.prompt());
        next.say_as(FLOOR, "open").unwrap_err();
        next.inspect(false);
        next.staff(FLOOR, Action::SettledByHand { reason: "from the record".to_owned() }).unwrap();
        assert_eq!(next.controller.meter_views(), desk.controller.meter_views(), "stakes stay where they went");
        next.say_as(FLOOR, "open").unwrap();
    }
}

#[test]
fn a_checkpoint_in_mid_round_carries_the_open_round_too() {
    let mut desk = progressive_table();
    desk.chip(main_spot(1));
    desk.wager_and_lock(&[2, 4]);
    desk.draws(2);
    let checkpoint = desk.controller.checkpoint();
    let at = desk.records.len();
    let carried = carried(&desk, Some((&checkpoint, at)));
    assert_eq!(carried.open_round, Some(4));
    assert!(!carried.told.is_empty(), "the floorperson sees what lies on the table");
}

#[test]
fn a_round_that_was_opened_again_is_carried_as_open() {
    let mut desk = progressive_table();
    let checkpoint = desk.controller.checkpoint();
    let at = desk.records.len();
    desk.say("undo").unwrap();
    for from in [None, Some((checkpoint.as_slice(), at))] {
        let carried = carried(&desk, from);
        assert_eq!((carried.open_round, carried.round), (Some(3), 3));
        assert!(!carried.told.is_empty(), "the floorperson sees what lies on the table");
    }
    desk.finish_round();
    assert_eq!(carried(&desk, None).open_round, None);
}

#[test]
fn a_round_that_waits_for_settlement_by_hand_outlives_a_second_upgrade() {
    let mut desk = progressive_table();
    desk.wager_and_lock(&[2]);
    let first = upgraded(&desk, &carried(&desk, None));
    let (checkpoint, at) = (first.controller.checkpoint(), first.records.len());
    let again = carried(&first, Some((&checkpoint, at)));
    assert_eq!(again.open_round, Some(4));
    let mut second = upgraded(&first, &again);
    assert!(second.prompt().contains("Settle round 4 by hand"), "{}", second.prompt());
    second.staff(FLOOR, Action::SettledByHand { reason: "from the record".to_owned() }).unwrap();
}

#[test]
fn a_reader_out_of_service_stays_out_across_an_upgrade() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.load("2c Tc Ad 9d 7s 9h 9s 2h 3h 4h 5h");
    desk.wager_and_lock(&[1]);
    desk.draws(5);
    let wrong = desk.wrong_answer();
    desk.insert(wrong);
    desk.finish_round();
    let checkpoint = desk.controller.checkpoint();
    let at = desk.records.len();
    for from in [None, Some((checkpoint.as_slice(), at))] {
        let mut next = upgraded(&desk, &carried(&desk, from));
        assert!(next.alert("out of service").is_some());
        next.inspect(false);
        next.say_as(FLOOR, "open").unwrap_err();
    }
}

/// An exchange of the software must not be a way around the two people who accept a journal or confirm a clock.
#[test]
fn a_doubted_journal_and_a_doubted_clock_stay_doubted_across_an_upgrade() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.device(Input::Journal(JournalInput::Doubtful { why: "record 9 is missing".to_owned() }));
    desk.clock.wall_ms += 86_400_000;
    desk.device(Input::Clock(desk.clock));
    let sources =
        |desk: &Desk| -> Vec<String> { desk.controller.stops().into_iter().map(|stop| stop.source).collect() };
    assert!(sources(&desk).contains(&"TC-040".to_owned()) && sources(&desk).contains(&"TC-001".to_owned()));
    let (checkpoint, at) = (desk.controller.checkpoint(), desk.records.len());
    for from in [None, Some((checkpoint.as_slice(), at))] {
        let mut next = upgraded(&desk, &carried(&desk, from));
        assert!(next.controller.journal_is_doubted());
        assert!(sources(&next).contains(&"TC-040".to_owned()) && sources(&next).contains(&"TC-001".to_owned()));
        assert_eq!(next.alert("Record 9 is missing").unwrap().text, desk.alert("Record 9 is missing").unwrap().text);
        next.staff(FLOOR, Action::ConfirmClock).expect_err("the step is confirmed by two");
        next.ask(Some(MANAGER), Some(FLOOR), Action::ConfirmClock).unwrap();
        let accept = Action::AcceptJournal { reason: "the card was exchanged".to_owned() };
        next.staff(MANAGER, accept.clone()).expect_err("two people accept it");
        next.ask(Some(MANAGER), Some(FLOOR), accept).unwrap();
        let last = carried(&next, None);
        let after = Desk::with(Controller::continued(desk.config.clone(), &last));
        assert!(!after.controller.journal_is_doubted());
        assert!(sources(&after).iter().all(|source| !source.starts_with("TC-")), "{:?}", sources(&after));
    }
    // A checkpoint of an older version knows neither.
    let mut old: serde_json::Value = serde_json::from_slice(&checkpoint).unwrap();
    let carry = old["carry"].as_object_mut().unwrap();
    assert!(carry.remove("journal_doubt").is_some() && carry.remove("clock_doubt").is_some());
    let old = Carried::from_checkpoint(old.to_string().as_bytes(), 9).unwrap();
    assert!(!Controller::continued(desk.config.clone(), &old).journal_is_doubted());
}

#[test]
fn what_was_kept_and_cannot_be_read_is_no_empty_table() {
    let desk = Desk::dealing(config(Game::PlayersEdge21));
    let mut kept: serde_json::Value = serde_json::from_slice(&desk.controller.checkpoint()).unwrap();
    let read = |kept: &serde_json::Value| Carried::from_checkpoint(kept.to_string().as_bytes(), 9);
    read(&kept).unwrap();
    kept["carry"]["meters"][0]["state"] = "lost".into();
    read(&kept).expect_err("a meter that cannot be read does not begin again at its seed");
    kept["carry"]["meters"] = serde_json::json!([]);
    kept["carry"]["clock_doubt"] = "never heard of".into();
    read(&kept).expect_err("nor does a doubt of the clock go away");
    Carried::from_checkpoint(b"torn", 9).expect_err("no checkpoint");
    for torn in [&b"torn"[..], b"{}", b"[{\"table\":{\"kind\":\"meter-states\",\"meters\":\"none\"}}]"] {
        Carried::default().follow(9, torn).expect_err("no events");
    }
}

#[test]
fn a_checkpoint_of_another_table_is_refused() {
    let desk = Desk::dealing(config(Game::PlayersEdge21));
    let other = config(Game::Blackjack);
    assert!(Controller::resumed(other, &desk.controller.checkpoint()).is_err());
    assert!(Controller::resumed(config(Game::PlayersEdge21), b"{}").is_err());
}

#[test]
fn open_work_orders_go_on_from_events_or_from_a_checkpoint() {
    let mut desk = Desk::started(config(Game::Blackjack));
    let ask = |what: &str| Action::OpenWorkOrder { place: "lamps".to_owned(), what: what.to_owned() };
    desk.staff(FLOOR, ask("seat 4 stays dark")).unwrap();
    let checkpoint = desk.controller.checkpoint();
    let at = desk.records.len();
    desk.staff(FLOOR, ask("seat 5 stays dark")).unwrap();
    desk.staff(crate::desk::TECHNICIAN, Action::CloseWorkOrder { order: 1, done: "replaced".to_owned() }).unwrap();
    for from in [None, Some((checkpoint.as_slice(), at))] {
        let mut next = upgraded(&desk, &carried(&desk, from));
        let orders = next.screen().work_orders;
        assert_eq!(orders.iter().map(|each| each.what.as_str()).collect::<Vec<_>>(), ["seat 5 stays dark"]);
        assert_eq!((orders[0].order, orders[0].opened_by), (2, FLOOR.id));
        next.staff(FLOOR, ask("seat 6 stays dark")).unwrap();
        assert_eq!(next.screen().work_orders[1].order, 3);
    }
}
