//! Late words: said after the card, they come to the same as said before it.

use std::sync::mpsc;
use std::time::Duration;

use table_rules::card::Card;
use table_rules::event::{Event, Events};
use table_rules::input::{Drawn, Input, InputKind};
use table_rules::prompt::Order;
use table_rules::seat::Seat;
use table_rules::table::{Table, Tracking};
use table_rules::wager::WagerId;
use table_rules::{Engine, Game};

use crate::finish::plain_answer;
use crate::random::{Random, seeds, single_seed};
use crate::session::{Session, in_round};

fn took_card_back(events: &Events) -> bool {
    events.iter().any(|event| matches!(event, Event::LastCardTakenBack { .. }))
}

/// Says `words` after the card on one table and before it on the other, then plays both to the end alike.
/// False when the word was not a late one: it went to another hand that could use it.
fn compare(engine: &Engine, card: Card, late: Input, words: &[Input]) -> bool {
    let drawn = Input::Card(Drawn::FaceUp(card));
    let (mut after, mut before) = (engine.clone(), engine.clone());
    let mut out = Events::new();
    after.apply(&drawn, &mut out).unwrap();
    if !after.offers_input(&late) {
        return false;
    }
    out.clear();
    after.apply(&late, &mut out).unwrap();
    if !took_card_back(&out) {
        return false;
    }
    for word in words {
        before.apply(word, &mut Events::new()).unwrap();
    }
    before.apply(&drawn, &mut Events::new()).unwrap();
    assert_eq!(after.view(), before.view(), "{late:?} after {card}");
    assert_eq!(after.prompt().order, before.prompt().order, "{late:?} after {card}");
    while in_round(&before) {
        let input = plain_answer(&before, card);
        let (mut here, mut there) = (Events::new(), Events::new());
        before.apply(&input, &mut here).unwrap();
        after.apply(&input, &mut there).unwrap();
        assert_eq!(here.as_slice(), there.as_slice(), "{input:?} after {late:?}");
        assert_eq!(after.view(), before.view(), "{input:?} after {late:?}");
    }
    true
}

#[test]
fn late_words_come_to_the_same_as_words_in_time() {
    let (mut seats, mut doubles, mut splits) = (0, 0, 0);
    for seed in seeds("late", 300) {
        let mut random = Random::new(seed);
        let game = random.pick(&Game::ALL);
        let mut session = Session::of("late", seed, game, Tracking::Cards);
        for _ in 0..2 {
            session.round(&mut |session| {
                let engine = &session.engine;
                let prompt = engine.prompt();
                let deciding = matches!(prompt.order, Order::AskDecision { .. } | Order::AskAfterDouble { .. });
                let card = session.table.game.deck().nth(random.below(48)).unwrap();
                if !deciding || !engine.offers_input(&Input::Card(Drawn::FaceUp(card))) {
                    return;
                }
                // A late word that is due already belongs to another card.
                let plain = session.record.last().is_some_and(|(input, _)| !matches!(input, Input::Card(_)));
                for seat in prompt.offers.seats.iter(game.decision_order()).filter(|_| plain) {
                    let mut stands = Vec::new();
                    let mut standing = engine.clone();
                    while standing.turn().is_some_and(|turn| turn.seat != seat) {
                        standing.apply(&Input::Stand, &mut Events::new()).unwrap();
                        stands.push(Input::Stand);
                    }
                    seats += usize::from(compare(engine, card, Input::Seat(seat), &stands));
                }
                let after_double = matches!(prompt.order, Order::AskAfterDouble { .. });
                let mut on_time = engine.clone();
                let mut words = Vec::new();
                if after_double {
                    on_time.apply(&Input::Stand, &mut Events::new()).unwrap();
                    words.push(Input::Stand);
                }
                if !matches!(on_time.prompt().order, Order::AskDecision { .. }) {
                    return;
                }
                let late_double = plain && on_time.prompt().offers.offers(InputKind::Double);
                if late_double && on_time.offers_input(&Input::Double(None)) {
                    let words = [words.as_slice(), &[Input::Double(None)]].concat();
                    doubles += usize::from(compare(engine, card, Input::Double(None), &words));
                }
                if plain && on_time.offers_input(&Input::Split) {
                    let words = [words.as_slice(), &[Input::Split]].concat();
                    splits += usize::from(compare(engine, card, Input::Split, &words));
                }
            });
        }
    }
    assert!(
        single_seed() || (seats > 100 && doubles > 50 && splits > 50),
        "{seats} seats, {doubles} doubles, {splits} splits"
    );
}

/// A talkative table: every split and double of a full table comes late. The cost of a late word must not grow with
/// the number of late words before it, or a lively round would stop the table.
#[test]
fn a_round_full_of_late_words_does_not_stop_the_table() {
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || play_a_talkative_round(&tell));
    // Not a benchmark: the whole round takes milliseconds, and hours if a replay replays replays.
    let patience = Duration::from_secs(20);
    let mut late_words = 0;
    while late_words < 49 {
        match told.recv_timeout(patience) {
            Ok(()) => late_words += 1,
            Err(why) => panic!("after {late_words} late words of one round: {why}"),
        }
    }
}

/// Seven boxes of twos, each split three times and each hand doubled, every word after its card.
fn play_a_talkative_round(tell: &mpsc::Sender<()>) {
    let mut engine = Engine::new(Table::usual(Game::Blackjack), Tracking::Cards);
    let mut out = Events::new();
    let mut say = |input: Input| {
        out.clear();
        engine.apply(&input, &mut out).unwrap_or_else(|refusal| panic!("{input:?}: {refusal}"));
    };
    let card = |text: &str| Input::Card(Drawn::FaceUp(text.parse().unwrap()));
    for seat in (1..=7).filter_map(Seat::new) {
        say(Input::Wager { seat, wager: WagerId::Main, amount: None });
    }
    for text in ["2c"; 7].into_iter().chain(["6d"]).chain(["2d"; 7]) {
        say(card(text));
    }
    say(Input::Card(Drawn::FaceDown));
    for _ in 1..=7 {
        for _ in 1..=3 {
            say(card("2h"));
            say(Input::Split);
            tell.send(()).unwrap();
        }
        for hand in 1..=4 {
            if hand > 1 {
                say(card("3h"));
            }
            say(card("2h"));
            say(Input::Double(None));
            tell.send(()).unwrap();
        }
    }
}
