//! Another version of the software or the rules takes over: nothing is recomputed, nothing is lost.

use operator_api::Action;
use table_controller::{Carried, Controller, ForeignRound, Input, Started};
use table_rules::game::Game;

use crate::desk::{Desk, FLOOR, config, main_spot, side_spot};

/// What a new version reads of an old one's journal: a checkpoint, then the records after it.
fn carried(desk: &Desk, checkpoint: Option<(&[u8], usize)>) -> Carried {
    let before = desk.controller.sequence() - u64::try_from(desk.records.len()).unwrap();
    let (mut carried, from) = match checkpoint {
        Some((bytes, records)) => (Carried::from_checkpoint(bytes, before + u64::try_from(records).unwrap()), records),
        None => (Carried::default(), 0),
    };
    for (sequence, (_, events)) in (before + 1..).zip(&desk.records).skip(from) {
        carried.follow(sequence, events);
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
        next.say("open").unwrap_err();
        next.inspect(false);
        next.staff(FLOOR, Action::SettledByHand { reason: "from the record".to_owned() }).unwrap();
        assert_eq!(next.controller.meter_views(), desk.controller.meter_views(), "stakes stay where they went");
        next.say_as(crate::desk::DEALER, "open").unwrap();
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
        next.say_as(crate::desk::DEALER, "open").unwrap_err();
    }
}

#[test]
fn a_checkpoint_of_another_table_is_refused() {
    let desk = Desk::dealing(config(Game::PlayersEdge21));
    let other = config(Game::Blackjack);
    assert!(Controller::resumed(other, &desk.controller.checkpoint()).is_err());
    assert!(Controller::resumed(config(Game::PlayersEdge21), b"{}").is_err());
}
