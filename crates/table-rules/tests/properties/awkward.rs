//! The rounds that go wrong at real tables, each played through all the checks at once.

use table_rules::event::{Event, Events};
use table_rules::input::{Drawn, Input, InputKind};
use table_rules::line::{Line, Outcome};
use table_rules::money::Cents;
use table_rules::prompt::Order;
use table_rules::seat::{Seat, SeatSet};
use table_rules::table::{Table, Tracking};
use table_rules::wager::WagerId;
use table_rules::{Engine, Game};

use crate::driver::Temper;
use crate::finish::finish;
use crate::money::assert_books_balance;
use crate::offered::try_all;
use crate::random::{Random, seeds, single_seed};
use crate::replay::assert_events_tell_the_lines;
use crate::session::Session;
use crate::shoe::{Rig, Shoe};
use crate::undo::assert_undo_takes_back_the_last_input;
use crate::universe::universe;

/// Plays rounds of one awkward kind with every check on. `seen` counts what the kind is about.
fn play_awkward(
    property: &'static str,
    count: u64,
    table: &Table,
    rig: Rig,
    temper: Temper,
    boxes: u8,
    seen: fn(&Session) -> bool,
) {
    let mut times_seen = 0;
    let inputs = universe(table, false);
    for seed in seeds(property, count) {
        let mut random = Random::new(seed ^ 0x77);
        let mut session = Session::with(property, seed, table.clone(), Tracking::Cards, Random::new(seed));
        session.driver.shoe = Shoe::new(table.game, rig, &mut random);
        session.driver.temper = temper;
        session.driver.messy = seed % 2 == 0;
        session.driver.always_boxes = Some(boxes);
        let mut session = session.rounds_only();
        session.round(&mut |session| {
            assert_events_tell_the_lines(session);
            times_seen += usize::from(seen(session));
            if session.record.len().is_multiple_of(7) {
                assert_undo_takes_back_the_last_input(session);
                try_all(&session.engine, &inputs);
            }
        });
        assert_books_balance(&session);
    }
    assert!(times_seen > 0 || single_seed(), "{property}: what it is about never came up");
}

fn with_action(session: &Session, kind: InputKind) -> bool {
    session.record.last().is_some_and(|(input, _)| input.kind() == kind)
}

#[test]
fn a_full_pontoon_table_splits_everything_seven_times() {
    let mut table = Table::usual(Game::Pontoon21);
    (table.max_splits, table.max_ace_splits) = (7, 7);
    play_awkward("all-splits", 12, &table, Rig::Pairs, Temper::Splits, 8, |session| {
        session.engine.view().boxes.iter().any(|each| each.hands.len() == 8)
    });
}

#[test]
fn three_doubles_and_then_a_rescue() {
    let table = Table::usual(Game::PlayersEdge21);
    play_awkward("three-doubles", 60, &table, Rig::Small, Temper::Doubles, 3, |session| {
        let view = session.engine.view();
        let thrice = view.boxes.iter().flat_map(|each| &each.hands).any(|hand| hand.doubles == 3);
        thrice && with_action(session, InputKind::Rescue)
    });
}

#[test]
fn two_hands_of_three_suited_sevens_in_one_round() {
    let table = Table::usual(Game::Spanish21);
    play_awkward("two-sevens", 120, &table, Rig::Sevens, Temper::Hits, 4, |session| {
        let winner = |line: &&Line| line.wager == WagerId::AdditionalPayout && line.name.contains("against");
        session.engine.view().lines.iter().filter(winner).count() >= 2
    });
}

#[test]
fn missed_blackjacks_against_splits_and_doubles() {
    for game in Game::ALL {
        let table = Table::usual(game);
        play_awkward("missed", 250, &table, Rig::AcesAndTens, Temper::Splits, 4, |session| {
            let events = session.last_events();
            let missed = events.iter().any(|event| matches!(event, Event::ReaderWrong { .. }));
            missed && session.engine.view().boxes.iter().any(|each| each.hands.len() > 1)
        });
    }
}

/// 12.C: two winners are each other's "other", each win pays every other person once, and nobody their own.
#[test]
fn each_win_of_three_sevens_pays_every_other_person_once() {
    for game in [Game::Spanish21, Game::Pontoon21, Game::PlayersEdge21] {
        for (boxes, linked, persons) in [(3u8, None, 3), (4, Some([2u8, 3]), 3), (2, Some([1, 2]), 1)] {
            let mut engine = Engine::new(Table::usual(game), Tracking::Cards);
            let mut out = Events::new();
            let mut say = |engine: &mut Engine, input: Input| {
                engine.apply(&input, &mut out).unwrap_or_else(|refusal| panic!("{input:?}: {refusal}"));
            };
            if let Some(seats) = linked {
                say(&mut engine, Input::Link(seats.into_iter().filter_map(Seat::new).collect::<SeatSet>()));
            }
            for seat in (1..=boxes).filter_map(Seat::new) {
                say(&mut engine, Input::Wager { seat, wager: WagerId::Main, amount: Some(Cents::dollars(5)) });
            }
            let seven = Input::Card(Drawn::FaceUp("7h".parse().unwrap()));
            while !matches!(engine.prompt().order, Order::TurnHoleCard { .. }) {
                let down = matches!(engine.prompt().order, Order::DealHoleCard);
                say(&mut engine, if down { Input::Card(Drawn::FaceDown) } else { seven });
            }
            let events = finish(&mut engine, "Kd".parse().unwrap());
            let lines: Vec<Line> = lines_of(&events).filter(|line| line.wager == WagerId::AdditionalPayout).collect();
            let winners = lines.iter().filter(|line| line.pays.amount() == Some(Cents::dollars(1000))).count();
            assert_eq!(winners, usize::from(boxes), "{game}: every box holds three sevens");
            assert_eq!(lines.len() - winners, usize::from(boxes) * (persons - 1), "{game}: others paid once a win");
            let each = Cents::dollars(if game == Game::PlayersEdge21 { 100 } else { 50 });
            let others = lines.iter().filter(|line| line.pays.amount() == Some(each)).count();
            assert_eq!(others, lines.len() - winners, "{game}: the others' amount (P3)");
        }
    }
}

/// The cover card may come out before any card; it changes nothing but the reshuffle that follows.
#[test]
fn a_cover_card_before_any_card_changes_nothing_else() {
    for seed in seeds("cover", 60) {
        let mut session = Session::new("cover", seed).rounds_only();
        session.driver.messy = false;
        session.round(&mut |_| ());
        let inputs: Vec<Input> =
            session.effective.iter().copied().filter(|input| !matches!(input, Input::Cover)).collect();
        if inputs.iter().any(|input| matches!(input, Input::Decks { .. })) {
            // Other decks came: what had appeared in the old ones is over.
            continue;
        }
        let plain = events_of(&session, &inputs);
        let mut covers = 0;
        for at in 0..inputs.len() {
            let mut engine = session.fresh();
            let mut out = Events::new();
            for input in &inputs[..at] {
                engine.apply(input, &mut out).unwrap();
            }
            // A late word has to follow its card at once.
            let late_word_next = matches!(inputs[at], Input::Seat(_) | Input::Double(_) | Input::Split);
            if late_word_next || !engine.offers_input(&Input::Cover) {
                continue;
            }
            covers += 1;
            engine.apply(&Input::Cover, &mut out).unwrap();
            for input in &inputs[at..] {
                assert!(engine.view().cover_seen, "the cover card is forgotten before {input:?} (7.C)");
                engine.apply(input, &mut out).unwrap();
            }
            let rest: Vec<Event> =
                out.iter().filter(|event| !matches!(event, Event::CoverCardAppeared { .. })).copied().collect();
            assert_eq!(rest, plain, "cover before {:?}", inputs[at]);
            let order = engine.prompt().order;
            assert!(
                matches!(order, Order::Shuffle(_) | Order::SwapBatches | Order::IntoShuffler | Order::ShuffleSide(_)),
                "reshuffle next: {order:?}"
            );
        }
        assert!(covers > 0 || single_seed());
    }
}

fn lines_of(events: &[Event]) -> impl Iterator<Item = Line> {
    events.iter().filter_map(|event| if let Event::Settled(line) = event { Some(*line) } else { None })
}

fn events_of(session: &Session, inputs: &[Input]) -> Vec<Event> {
    let mut engine = session.fresh();
    let mut out = Events::new();
    for input in inputs {
        engine.apply(input, &mut out).unwrap();
    }
    out.as_slice().to_vec()
}

/// What the chips are worth decides no card and no outcome: the same round with amounts nobody told comes out alike.
#[test]
fn unknown_amounts_change_the_money_and_nothing_else() {
    let essence = |events: &[Event]| -> Vec<(Seat, u8, WagerId, Outcome, &'static str)> {
        lines_of(events).map(|line| (line.seat, line.hand, line.wager, line.outcome, *line.name)).collect()
    };
    let mut compared = 0;
    for seed in seeds("unknown", 250) {
        let mut session = Session::new("unknown", seed).rounds_only();
        session.driver.unknown_amounts = false;
        session.round(&mut |_| ());
        let known = events_of(&session, &session.effective);
        // 12.C asks for amounts where three sevens meet a seven, and a missed blackjack splits them up: there they do decide.
        let decides = known.iter().any(|event| {
            matches!(event, Event::ReaderWrong { .. })
                || matches!(event, Event::Settled(line) if line.name.starts_with("7-7-7"))
        });
        if decides || known.iter().any(|event| matches!(event, Event::StepDone { .. })) {
            continue;
        }
        let untold: Vec<Input> = session
            .effective
            .iter()
            .map(|&input| {
                // Side wagers keep their stakes: some lines of theirs go by the amount (X5).
                if let Input::Wager { seat, wager: WagerId::Main, .. } = input {
                    Input::Wager { seat, wager: WagerId::Main, amount: None }
                } else if let Input::Insure { seat, .. } = input {
                    Input::Insure { seat, amount: None }
                } else if let Input::Double(_) = input {
                    Input::Double(None)
                } else {
                    input
                }
            })
            .collect();
        let unknown = events_of(&session, &untold);
        assert_eq!(essence(&known), essence(&unknown));
        for line in lines_of(&unknown).filter(|line| matches!(line.wager, WagerId::Main | WagerId::Insurance)) {
            assert!(line.stake.is_unknown(), "{line:?}");
        }
        compared += 1;
    }
    assert!(compared > 120 || single_seed(), "only {compared} rounds compared");
}
