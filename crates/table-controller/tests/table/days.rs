//! Whole days at the four tables, through devices and taps alone.

use operator_api::{Action, Mode};
use table_controller::{Clock, Input, LampState, LayoutInput, Sensors};
use table_rules::game::Game;

use crate::desk::{DEALER, Desk, FLOOR, MANAGER, clock_at, config, main_spot};

#[test]
fn a_day_at_each_table_goes_through_its_devices() {
    for game in Game::ALL {
        let mut desk = Desk::started(config(game));
        assert_eq!(desk.controller.mode(), Mode::Closed, "{game}");
        desk.inspect(false);
        assert_eq!(desk.stops(), Vec::<String>::new(), "{game}");
        desk.open_table();
        assert_eq!(desk.controller.mode(), Mode::Dealing, "{game}");
        for round in 0..12_u8 {
            desk.pass(90_000);
            desk.play_round(&[1 + round % 3, 5]);
            if !desk.controller.engine().is_wagering() {
                break;
            }
        }
        let day = desk.controller.day_view();
        assert!(day.inspected && day.counts.rounds >= 8, "{game}: {day:?}");
        assert_eq!(desk.controller.rounds().count(), usize::try_from(day.counts.rounds).unwrap());
        desk.check_replay();
    }
}

#[test]
fn the_day_ends_with_a_summary_and_the_next_one_counts_anew() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.play_round(&[1, 2]);
    desk.play_round(&[3]);
    desk.say_as(FLOOR, "close").unwrap();
    let summary = desk.said("day-summary").unwrap();
    assert_eq!(summary["day"]["rounds"], 2);
    desk.pass(18 * 3_600_000);
    assert_eq!(desk.said("day-turned").unwrap()["ended"]["rounds"], 2);
    assert_eq!(desk.controller.day_view().counts.rounds, 0);
    assert!(!desk.controller.day_view().inspected);
}

#[test]
fn every_step_of_the_inspection_is_gone_through_and_survives_a_restart() {
    let mut desk = Desk::started(config(Game::PlayersEdge21));
    desk.staff(FLOOR, Action::BeginInspection { full: false }).unwrap();
    let mut steps = vec![desk.step()];
    loop {
        assert_eq!(desk.controller.mode(), Mode::Inspection);
        desk.staff(FLOOR, Action::PauseInspection).unwrap();
        assert_eq!(desk.controller.mode(), Mode::Closed);
        desk.restart();
        desk.links_up();
        assert_eq!(desk.step(), *steps.last().unwrap(), "a restart loses no step");
        desk.staff(FLOOR, Action::BeginInspection { full: false }).unwrap();
        if !desk.inspection_step() {
            break;
        }
        steps.push(desk.step());
    }
    let all = [
        "seals",
        "housing",
        "identity",
        "test cards",
        "lamps",
        "view",
        "lock-out",
        "positions",
        "shuffler",
        "counters",
        "signature",
    ];
    assert_eq!(steps, all);
    let finished = desk.said("inspection-finished").unwrap();
    assert_eq!((finished["passed"].as_bool(), finished["by"].as_u64()), (Some(true), Some(200)));
    desk.check_replay();
}

#[test]
fn the_inspection_asks_for_the_positions_that_are_wired_and_for_no_others() {
    let wired = |seats: &[u8]| {
        let sensors = Sensors::Wired(seats.iter().map(|seat| main_spot(*seat)).collect());
        let mut desk = Desk::started(table_controller::Config { sensors, ..config(Game::Blackjack) });
        desk.staff(FLOOR, Action::BeginInspection { full: false }).unwrap();
        while desk.step() != "positions" && desk.step() != "shuffler" {
            desk.inspection_step();
        }
        desk
    };
    let mut desk = wired(&[2, 5]);
    for (seat, after) in [(2, "positions"), (5, "shuffler")] {
        assert!(desk.screen().inspection.unwrap().text.contains(&format!("seat {seat}")), "{seat}");
        desk.layout_says(LayoutInput::Placed(main_spot(seat)));
        desk.layout_says(LayoutInput::Removed(main_spot(seat)));
        assert_eq!(desk.step(), after);
    }
    desk.finish_inspection();
    assert!(desk.stops().is_empty());
    // Nothing is wired: nothing is asked for.
    let mut bare = wired(&[]);
    assert_eq!(bare.step(), "shuffler");
    bare.finish_inspection();
    assert!(bare.stops().is_empty());
}

#[test]
fn the_daily_test_set_is_eight_insertions_and_the_full_set_asks_for_all() {
    let config = config(Game::Blackjack);
    assert_eq!(config.daily_test_cards.len(), 8);
    assert!(config.full_test_cards.len() > 40);
    let mut desk = Desk::started(config);
    desk.staff(FLOOR, Action::BeginInspection { full: true }).unwrap();
    desk.finish_inspection();
    assert!(desk.stops().is_empty());
}

#[test]
fn a_restart_at_every_moment_of_a_round_comes_back_to_the_same_prompt() {
    for game in Game::ALL {
        let mut plain = Desk::dealing(config(game));
        plain.wager_and_lock(&[2, 4]);
        let mut deeds = 0;
        while plain.controller.in_round() {
            deeds += 1;
            plain.deed();
        }
        for stop in (0..deeds).step_by(if game == Game::Blackjack { 1 } else { 3 }) {
            let mut desk = Desk::dealing(config(game));
            desk.wager_and_lock(&[2, 4]);
            for _ in 0..stop {
                desk.deed();
            }
            let before = desk.screen();
            let lamps = desk.lamps.clone();
            desk.lamps.clear();
            desk.restart();
            let after = desk.screen();
            assert_eq!(after.prompt.text, before.prompt.text, "{game} {stop}");
            assert_eq!((after.seats, after.lines, after.meters), (before.seats, before.lines, before.meters));
            assert_eq!(desk.lamps, lamps, "{game} {stop}: lamps are restored");
            desk.links_up();
            desk.finish_round();
            assert!(desk.controller.engine().is_wagering() || desk.prompt().contains("huffle"), "{}", desk.prompt());
        }
    }
}

#[test]
fn lamps_invite_before_the_lock_and_are_evidence_after_it() {
    let mut desk = Desk::dealing(config(Game::PlayersEdge21));
    let spot = main_spot(3);
    assert_eq!(desk.lamps[&spot], LampState::Invited);
    desk.chip(spot);
    assert_eq!(desk.lamps[&spot], LampState::Placed);
    desk.say("wager 3 main 20").unwrap();
    desk.press_lock();
    assert_eq!((desk.lamps[&spot], desk.lamps[&main_spot(2)]), (LampState::Accepted, LampState::Dark));
    assert!(desk.lock_lamp);
    desk.layout_says(LayoutInput::Collected(spot));
    assert_eq!(desk.lamps[&spot], LampState::Accepted, "the chip is gone, the evidence is not");
    desk.finish_round();
    assert_eq!(desk.lamps[&spot], LampState::Invited);
    assert!(!desk.lock_lamp);
}

#[test]
fn the_dealer_signs_in_before_the_keys_work() {
    let mut desk = Desk::started(config(Game::Blackjack));
    desk.inspect(false);
    desk.staff(DEALER, Action::SignOut).unwrap();
    desk.say_as(FLOOR, "open").unwrap();
    assert_eq!(desk.say("decks 12").unwrap_err().source, "TC-007");
    desk.staff(DEALER, Action::SignIn).unwrap();
    desk.say("decks 12").unwrap();
}

#[test]
fn decks_age_by_the_time_that_passes_and_not_by_a_clock_that_goes_back() {
    let mut desk = Desk::dealing(config(Game::Blackjack));
    desk.pass(30 * 60_000);
    // The end of summer time: the wall goes on, the hour of the day comes once more.
    for _ in 0..3 {
        let (minute, wall_ms) = (desk.clock.minute, desk.clock.wall_ms + 60_000);
        let monotonic_ms = desk.clock.monotonic_ms + 60_000;
        desk.clock = Clock { minute: minute.saturating_sub(40), monotonic_ms, ..clock_at(wall_ms) };
        desk.device(Input::Clock(desk.clock));
    }
    // A clock that somebody set back by two minutes, and two people who confirm it.
    desk.clock = Clock { monotonic_ms: desk.clock.monotonic_ms + 1_000, ..clock_at(desk.clock.wall_ms - 120_000) };
    desk.device(Input::Clock(desk.clock));
    desk.ask(Some(FLOOR), Some(MANAGER), Action::ConfirmClock).unwrap();
    for _ in 0..5 {
        desk.pass(60_000);
    }
    assert_eq!(desk.said("decks-ageing"), None, "half an hour is no day");
    desk.play_round(&[1]);
    // The decks of yesterday are not dealt, however the day went by; the day has turned as well.
    desk.clock = clock_at(desk.clock.wall_ms + 25 * 3_600_000);
    desk.restart();
    assert!(desk.said("decks-ageing").is_some());
    desk.links_up();
    desk.inspect(false);
    let prompt = desk.screen().prompt;
    assert!(prompt.long.starts_with("The decks have to be changed before the next round: receive"), "{}", prompt.long);
    assert_eq!((prompt.clause.as_str(), prompt.wanted), ("blackjack 3.D", Some("decks")));
    desk.check_replay();
}
