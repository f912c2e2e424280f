//! For every symbol of every wheel, every draw and every community row: a whole round through the engine.
#![expect(clippy::wildcard_enum_match_arm, reason = "a figure that no wheel can have stops the test")]

use std::collections::BTreeSet;

use table_rules::card::Card;
use table_rules::game::Game;
use table_rules::line::{Line, Outcome};
use table_rules::money::{Cents, MeterName};
use table_rules::side::{self, Answers, OfferContext, OfferedWager, Paytable, RandomSource};
use table_rules::wager::WagerId;

use super::table::{Box, Played, Script, engine, play, shows};
use crate::figures::{Figure, figures};

fn cards(text: &str) -> Vec<Card> {
    text.split(' ').map(|card| card.parse().expect("a card")).collect()
}

fn two(text: &str) -> [Card; 2] {
    let cards = cards(text);
    [cards[0], cards[1]]
}

fn table(game: Game, wager: WagerId, id: &str) -> &'static Paytable {
    let tables = side::tables(wager).and_then(|tables| tables.in_game(game));
    tables.and_then(|tables| tables.table(id)).expect("a printed paytable")
}

fn offer(table: &Paytable, answers: &Answers) -> OfferedWager {
    let context = OfferContext { game: table.game, decks: 6, switch: false };
    side::check_offer(context, table.wager, answers).expect("a legal offer")
}

/// The printed rows below a clause, with their figures.
fn rows(game: Game, clause: &str) -> Vec<(String, Figure)> {
    let below = |at: &str| at.strip_prefix(clause).is_some_and(|rest| rest.starts_with('('));
    let rows = figures().into_iter().filter(|((of, at), _)| of == game.id() && below(at));
    rows.map(|((_, at), row)| (at, row.figure)).collect()
}

fn lines_of(played: &Played, wager: WagerId) -> Vec<Line> {
    played.lines(wager).map(|each| each.line).collect()
}

const PRIZE: Cents = Cents::dollars(12_345);

/// Community tables of Bonus Spin, as the documents letter them.
const BONUS_SPIN: &[(Game, &str, &str, &str)] = &[
    (Game::Blackjack, "A", "13.Q(1)", "13.Q(6)(a)"),
    (Game::Blackjack, "B", "13.Q(2)", "13.Q(6)(b)"),
    (Game::Blackjack, "C", "13.Q(3)", "13.Q(7)(a)"),
    (Game::Blackjack, "D", "13.Q(4)", "13.Q(8)"),
    (Game::Pontoon21, "A", "12.D(1)", "12.D(9)(a)"),
    (Game::Pontoon21, "B", "12.D(2)", "12.D(9)(b)"),
    (Game::Pontoon21, "C", "12.D(3)", "12.D(10)(a)"),
    (Game::Pontoon21, "D", "12.D(4)", "12.D(10)(b)"),
];

/// Seat 2 spins with a blackjack; seats 1 and 3 have the wager and no spin.
#[test]
fn every_symbol_of_bonus_spin_pays_in_a_round() {
    for &(game, id, clause, community) in BONUS_SPIN {
        let table = table(game, WagerId::BonusSpin, id);
        let mut answers = Answers::least(table);
        answers.table.prize_value = answers.table.prize_value.map(|_| PRIZE);
        let stake = answers.stakes[0];
        let mut seen = BTreeSet::new();
        for (row, figure) in rows(game, clause).into_iter().chain(rows(game, community)) {
            let dollars = |cents: u32| (cents / 100).to_string();
            let symbol = match &figure {
                Figure::Prize | Figure::Meter(..) => "jackpot".to_owned(),
                Figure::Amount(cents) => dollars(*cents),
                Figure::Community(spinner, others) => format!("{}+{}", dollars(*spinner), dollars(*others)),
                other => panic!("{row} is {other:?}"),
            };
            let boxes: Vec<Box> = [(1, "9c 8d"), (2, "As Kd"), (3, "9h 7d")]
                .map(|(seat, cards)| Box { seat, cards: two(cards), wagers: vec![(WagerId::BonusSpin, stake)] })
                .into();
            let script = Script { boxes: &boxes, dealer: &cards("9d 8h"), symbols: &[&symbol], draws: &[] };
            let played = play(engine(game, 6, vec![offer(table, &answers)]), &script);
            let lines = lines_of(&played, WagerId::BonusSpin);
            let spinner = lines.iter().find(|line| line.seat.number() == 2).expect("a line for the spin");
            let fed = stake.0 * 3 / 10;
            let (pays, others) = match figure {
                Figure::Prize => (PRIZE, None),
                Figure::Meter(100, _) => (answers.meters[0].initial.expect("an initial amount") + Cents(fed), None),
                Figure::Amount(cents) => (Cents(i64::from(cents)), None),
                Figure::Community(spinner, others) => (Cents(i64::from(spinner)), Some(Cents(i64::from(others)))),
                other => panic!("{row} is {other:?}"),
            };
            let what = format!("{game} {id} {symbol}: {lines:?}");
            assert_eq!((spinner.outcome, spinner.to_player()), (Outcome::Won, Some(pays)), "{what}");
            // A symbol that is printed twice is cited by its first row (B4).
            seen.insert((spinner.source.id(), pays.0));
            for line in lines.iter().filter(|line| line.seat.number() != 2) {
                let expected =
                    (if others.is_some() { Outcome::Won } else { Outcome::Lost }, others.or(Some(Cents::ZERO)));
                assert_eq!((line.outcome, line.to_player()), expected, "{what}");
                if others.is_some() {
                    assert_eq!(line.source.id(), row, "{what}");
                }
            }
            assert_eq!(lines.len(), 3, "{what}");
            // At the box's turn: after the dealer's hand, and before that box's main wager where that is still open.
            let last = played.stages.len() - 1;
            assert!(played.lines(WagerId::BonusSpin).all(|each| each.stage == last), "{what}");
        }
        let printed: BTreeSet<String> =
            rows(game, clause).into_iter().chain(rows(game, community)).map(|(row, _)| row).collect();
        let cited: BTreeSet<String> = seen.iter().map(|(row, _)| (*row).to_owned()).collect();
        let twice: Vec<&String> = printed.difference(&cited).collect();
        let known: &[&str] = if clause == "13.Q(3)" { &["13.Q(3)(j)"] } else { &[] };
        assert_eq!(twice, known, "{game} {id}: rows that no symbol cites");
    }
}

/// The hot spot is seat 3, the first from the right; the other wagers get the community's amount, or lose.
#[test]
fn every_symbol_of_xtreme_pays_in_a_round() {
    let table = table(Game::Pontoon21, WagerId::BonusSpinXtreme, "A");
    let answers = Answers::least(table);
    let hot: Vec<(String, Figure)> = rows(Game::Pontoon21, "12.E(1)");
    let community: Vec<(String, Figure)> = rows(Game::Pontoon21, "12.F(1)");
    assert_eq!((hot.len(), community.len()), (10, 8));
    for (place, (row, figure)) in hot.iter().enumerate() {
        let symbol = match figure {
            Figure::Meter(_, name) => format!("{name}-jackpot"),
            Figure::Amount(cents) => (cents / 100).to_string(),
            other => panic!("{row} is {other:?}"),
        };
        let (other_row, other_figure) = &community[place % community.len()];
        let Figure::Amount(others) = *other_figure else { panic!("{other_row}") };
        for with_community in [false, true] {
            let symbol = if with_community { format!("{symbol}+{}", others / 100) } else { symbol.clone() };
            let boxes: Vec<Box> = [(1, "9c 8d"), (2, "9s Kd"), (3, "9h 7d")]
                .map(|(seat, cards)| Box {
                    seat,
                    cards: two(cards),
                    wagers: vec![(WagerId::BonusSpinXtreme, Cents(500))],
                })
                .into();
            let wheel = [symbol.as_str()];
            let script = Script { boxes: &boxes, dealer: &cards("6d Jh 5c"), symbols: &wheel, draws: &[] };
            let played = play(engine(Game::Pontoon21, 6, vec![offer(table, &answers)]), &script);
            let lines = lines_of(&played, WagerId::BonusSpinXtreme);
            let order: Vec<u8> = lines.iter().map(|line| line.seat.number()).collect();
            assert_eq!(order, [3, 2, 1], "from the right: {lines:?}");
            for line in &lines {
                if line.seat.number() == 3 {
                    let pays = match figure {
                        Figure::Meter(_, name) => {
                            let meter = answers.meters.iter().find(|meter| meter.name.name() == name);
                            meter.and_then(|meter| meter.initial).expect("a meter") + Cents(150)
                        }
                        Figure::Amount(cents) => Cents(i64::from(*cents)),
                        other => panic!("{other:?}"),
                    };
                    assert_eq!((line.source.id(), line.to_player()), (row.as_str(), Some(pays)), "{symbol}");
                } else if with_community {
                    let pays = Cents(i64::from(others));
                    assert_eq!((line.source.id(), line.to_player()), (other_row.as_str(), Some(pays)), "{symbol}");
                } else {
                    assert_eq!((line.outcome, line.to_player()), (Outcome::Lost, Some(Cents::ZERO)), "{symbol}");
                }
            }
            let reveal = played.stages.iter().position(|kind| *kind == table_rules::input::InputKind::Reveal);
            assert!(played.lines(WagerId::BonusSpinXtreme).all(|each| Some(each.stage) == reveal), "at the reveal");
        }
    }
}

#[test]
fn magic_card_and_lucky_player_pay_besides_the_wager() {
    let table = table(Game::Blackjack, WagerId::BadBeat, "-");
    let mut answers = Answers::least(table);
    answers.every_n_rounds = Some(1);
    answers.random_source = Some(RandomSource::Device);
    answers.stakes = vec![Cents(200)];
    let boxes: Vec<Box> = [(1, "Kh 9d"), (2, "9c 8d"), (3, "Kh Kh")]
        .map(|(seat, cards)| Box { seat, cards: two(cards), wagers: vec![(WagerId::BadBeat, Cents(200))] })
        .into();
    let script = Script { boxes: &boxes, dealer: &cards("9d 8h"), symbols: &[], draws: &["magic Kh", "player 2"] };
    let played = play(engine(Game::Blackjack, 6, vec![offer(table, &answers)]), &script);
    let mut got: Vec<(u8, &str, i64)> = lines_of(&played, WagerId::BadBeat)
        .iter()
        .filter(|line| line.outcome == Outcome::Won)
        .map(|line| (line.seat.number(), line.source.id(), line.to_player().expect("a known amount").0))
        .collect();
    got.sort_unstable();
    // 20 for 1, 5 for 1, and seat 3's own 20: 1 to 1 with its stake.
    assert_eq!(got, [(1, "13.B(3)", 4_000), (2, "13.B(4)", 1_000), (3, "13.B(2)", 400), (3, "13.B(3)", 4_000)]);
}

#[test]
fn the_must_hit_meter_pays_the_seat_that_was_drawn() {
    let super_4 = table(Game::Blackjack, WagerId::Super4, "A");
    let must_hit = table(Game::Blackjack, WagerId::MustHit, "A");
    let offers = vec![offer(super_4, &Answers::least(super_4)), offer(must_hit, &Answers::least(must_hit))];
    let boxes: Vec<Box> = [(1, "Kh 9d"), (3, "9c 8d")]
        .map(|(seat, cards)| Box { seat, cards: two(cards), wagers: vec![(WagerId::Super4, Cents(100))] })
        .into();
    let script = Script { boxes: &boxes, dealer: &cards("9d 8h"), symbols: &[], draws: &["must-hit 1"] };
    let played = play(engine(Game::Blackjack, 6, offers), &script);
    let lines = lines_of(&played, WagerId::MustHit);
    assert_eq!(lines.len(), 1, "{lines:?}");
    // $100 and a tenth of two stakes of $1.
    let line = lines[0];
    assert_eq!((line.seat.number(), line.source.id(), line.to_player()), (1, "13.T(1)(a)", Some(Cents(10_020))));
    assert_eq!(shows(&played.engine, WagerId::MustHit, MeterName::MustHit), Cents::dollars(100), "reset");
}
