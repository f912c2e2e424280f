//! A round that was over and is in play again, because the dealer took back the word that ended it (H5).

use operator_api::{Action, MeterPool};
use table_controller::LayoutInput;
use table_rules::game::Game;
use table_rules::input::InputKind;

use crate::desk::{Desk, FLOOR, MANAGER, config, main_spot};

/// Plays a round whose last line nobody had to approve.
fn round_ended_by_word(game: Game) -> Desk {
    let mut desk = Desk::dealing(config(game));
    desk.play_round(&[1, 2]);
    assert!(desk.controller.engine().offers().offers(InputKind::Undo), "{game}");
    desk
}

fn meters(desk: &Desk) -> Vec<(i64, i64)> {
    desk.screen().meters.iter().map(|meter| (meter.amount_cents, meter.reserve_cents)).collect()
}

#[test]
fn a_round_that_is_opened_again_is_counted_and_recalled_once() {
    for game in Game::ALL {
        let mut desk = round_ended_by_word(game);
        let (before, shown) = (desk.controller.day_view().counts, meters(&desk));
        let ended = *desk.controller.rounds().next().unwrap();
        assert!(before.rounds == 1 && ended.last_sequence.is_some(), "{game}: {ended:?}");

        // The table is told of chips, the power goes, and the word can still be taken back.
        desk.say("wager 3 main 20").unwrap();
        desk.restart();
        desk.links_up();
        desk.say("undo").unwrap();
        assert!(desk.said("round-reopened").is_none(), "{game}: the chips come first");
        desk.say("undo").unwrap();
        assert!(desk.said("round-reopened").is_some(), "{game}: {:?}", desk.said);
        assert!(desk.controller.in_round(), "{game}");
        let open = *desk.controller.rounds().next().unwrap();
        assert_eq!((open.round, open.first_sequence, open.last_sequence), (ended.round, ended.first_sequence, None));
        assert_eq!(desk.controller.day_view().counts.rounds, 0, "{game}");
        assert_eq!(meters(&desk), shown, "{game}");

        // As often as the power goes.
        desk.restart();
        desk.links_up();
        assert!(desk.controller.in_round(), "{game}");
        desk.finish_round();
        assert_eq!(desk.controller.day_view().counts, before, "{game}: the same round, the same money");
        let again = *desk.controller.rounds().next().unwrap();
        assert_eq!((again.round, again.first_sequence), (ended.round, ended.first_sequence));
        assert!(again.last_sequence > ended.last_sequence, "{game}: {again:?}");
        assert_eq!((desk.controller.rounds().count(), meters(&desk)), (1, shown), "{game}");
        desk.check_replay();
    }
}

#[test]
fn chips_for_the_next_round_are_not_late_in_one_that_was_opened_again() {
    for game in Game::ALL {
        let mut desk = round_ended_by_word(game);
        desk.layout_says(LayoutInput::Reopened { occupied: vec![] });
        desk.say("undo").unwrap();
        assert!(desk.controller.in_round(), "{game}");
        desk.chip(main_spot(4));
        assert!(desk.alert("after the lock").is_none(), "{game}: {:?}", desk.said);
        desk.finish_round();
        desk.layout_says(LayoutInput::Reopened { occupied: vec![main_spot(4)] });
        let seat = |desk: &Desk| desk.screen().seats[3].in_play;
        assert!(seat(&desk), "{game}: the chip counts for the next round");
        desk.check_replay();
    }
}

#[test]
fn a_corrected_meter_is_not_lost_with_the_round_before_it() {
    let mut desk = round_ended_by_word(Game::PlayersEdge21);
    let correct = Action::CorrectMeter {
        wager: "monster-match".to_owned(),
        meter: "main".to_owned(),
        pool: MeterPool::Meter,
        cents: 500,
        reason: "counted".to_owned(),
    };
    desk.ask(Some(MANAGER), Some(FLOOR), correct).unwrap();
    let shown = meters(&desk);
    assert!(desk.say("undo").is_err(), "the round before was played without the correction");
    assert_eq!(meters(&desk), shown);
}
