//! Walks through the rounds of five tables, written down: what was fed, and what the engine said to it.
//!
//! `walks/<table>.txt` has a line for each walk: how many inputs were accepted and how many rounds ended, and a digest of
//! all answers (the refusal or the events to the cent and the clause, the next order, what is offered, the table's view).
//! Below them stands the beginning of the first walk in words.
//!
//! A rule that changes on purpose changes some of the digests:
//! `HOLECARD_BLESS=1 cargo test -p table-rules --test walks` writes them anew; read the change, and say in the commit
//! which rule it was. A change of anything else than a rule must not move one of them.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod numbers;

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use numbers::Numbers;
use sha2::{Digest, Sha256};
use table_rules::input::{Input, InputKind, KindSet, Placing};
use table_rules::money::Cents;
use table_rules::prompt::Offers;
use table_rules::side::{Answers, OfferContext, check_offer, tables};
use table_rules::table::{HouseRestrictions, Settlement};
use table_rules::wager::WagerId;
use table_rules::{Engine, Event, Events, Game, Table, Tracking};

const WALKS: u64 = 48;
/// Cards that were found wrong may end the day of these decks: a walk is short.
const STEPS: usize = 250;
const STEPS_IN_WORDS: usize = 100;

fn tables_to_play() -> Vec<(String, Table)> {
    let mut all: Vec<(String, Table)> =
        Game::ALL.into_iter().map(|game| (game.to_string(), Table::usual(game))).collect();
    for (_, table) in &mut all {
        let context = OfferContext { game: table.game, decks: table.decks, switch: false };
        let printed = tables(WagerId::MatchTheDealer).unwrap().in_game(table.game);
        let answers = printed.and_then(|printed| printed.table("6-deck")).map(Answers::least);
        table.wagers.extend(answers.and_then(|answers| check_offer(context, WagerId::MatchTheDealer, &answers).ok()));
    }
    let restrictions = HouseRestrictions { no_surrender: true, one_card_to_split_aces: true };
    let settlement = Settlement::PayAndCollectFromRight;
    all.push((format!("{}-restricted", all[0].0), Table { restrictions, settlement, ..all[0].1.clone() }));
    all
}

/// Everything that is offered, field by field: a kind by its word.
fn spell_offers(offers: &Offers) -> String {
    let kinds: Vec<&str> = offers.kinds.iter().map(InputKind::word).collect();
    let Offers { double, card, .. } = offers;
    let seats = [
        offers.wager_seats,
        offers.link_seats,
        offers.insure_seats,
        offers.even_money_seats,
        offers.seats,
        offers.turn_seats,
        offers.surrender_seats,
        offers.amount_seats,
    ];
    format!("{kinds:?} {seats:?} {card:?} {double:?}")
}

#[derive(Default)]
struct Walk {
    accepted: u32,
    rounds: u32,
    kinds: KindSet,
    digest: Sha256,
    words: String,
}

impl Walk {
    fn take(table: &Table, seed: u64) -> Self {
        let mut walk = Self::default();
        let mut numbers = Numbers::new(seed);
        let mut engine = Engine::new(table.clone(), Tracking::Cards);
        let mut events = Events::new();
        for step in 0..STEPS {
            let input = numbers.next_input(&engine, step);
            events.clear();
            let answer = engine.apply(&input, &mut events);
            walk.write(&engine, &input, &events, step);
            match answer {
                Err(refusal) => {
                    walk.digest.update(format!("refused {refusal:?}\n"));
                    walk.say(step, &format!("  refused: {refusal}"));
                }
                Ok(()) => {
                    walk.accepted += 1;
                    walk.kinds = walk.kinds.with(input.kind());
                }
            }
            let ended = |event: &Event| matches!(event, Event::RoundEnded { .. });
            walk.rounds += u32::from(events.iter().any(ended));
        }
        walk
    }

    fn write(&mut self, engine: &Engine, input: &Input, events: &Events, step: usize) {
        let (view, (order, source)) = (engine.view(), engine.order());
        self.digest.update(format!("{input}\n{order:?} {source}\n{}\n", spell_offers(&engine.offers())));
        self.say(step, &format!("{input}"));
        for event in events {
            self.digest.update(format!("{event:?}\n"));
            self.say(step, &format!("  {event}"));
        }
        let open = (view.boxes, view.dealer, view.lines_confirmed);
        self.digest.update(format!("{} {:?} {open:?} {}\n", view.round, view.stage, view.cover_seen));
    }

    fn say(&mut self, step: usize, line: &str) {
        if step < STEPS_IN_WORDS {
            writeln!(self.words, "{line}").unwrap();
        }
    }
}

fn page(table: &Table, seed: u64) -> String {
    let mut page = String::new();
    let mut words = String::new();
    let (mut rounds, mut kinds) = (0, KindSet::EMPTY);
    for walk in 0..WALKS {
        let taken = Walk::take(table, seed * 1000 + walk);
        let digest: String = taken.digest.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        writeln!(page, "walk {walk}: {} accepted, {} rounds, {digest}", taken.accepted, taken.rounds).unwrap();
        rounds += taken.rounds;
        kinds = taken.kinds.iter().fold(kinds, KindSet::with);
        if walk == 0 {
            words = taken.words;
        }
    }
    assert!(rounds > 200, "{}: only {rounds} rounds", table.game);
    let ordinary = [
        InputKind::Wager,
        InputKind::Lock,
        InputKind::Card,
        InputKind::Peek,
        InputKind::Stand,
        InputKind::Double,
        InputKind::Split,
        InputKind::Reveal,
        InputKind::Settled,
        InputKind::Undo,
        InputKind::Seat,
    ];
    for kind in ordinary {
        assert!(kinds.contains(kind), "{}: no {} was ever accepted", table.game, kind.word());
    }
    format!("{page}\nThe first {STEPS_IN_WORDS} inputs of walk 0:\n\n{words}")
}

#[test]
fn every_walk_is_answered_as_it_was_written_down() {
    let bless = std::env::var_os("HOLECARD_BLESS").is_some();
    let mut stale = Vec::new();
    for (seed, (name, table)) in (1..).zip(tables_to_play()) {
        let page = page(&table, seed);
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/walks/{name}.txt"));
        if bless {
            fs::write(&path, &page).unwrap();
            continue;
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        let differs = kept.lines().zip(page.lines()).find(|(kept, found)| kept != found);
        if kept != page {
            stale.push(format!("{name}: {differs:?}"));
        }
    }
    assert!(stale.is_empty(), "other answers than were written down, first of all: {stale:#?}");
}

#[test]
fn wagers_that_are_placed_together_lie_as_if_they_had_come_one_by_one() {
    for (name, table) in tables_to_play() {
        let mut numbers = Numbers::new(u64::from(table.decks) * 3 + table.game as u64);
        let (mut placed, mut refused) = (0, 0);
        for _ in 0..400 {
            let mut together = Engine::new(table.clone(), Tracking::Cards);
            let mut one_by_one = together.clone();
            let (mut events, mut expected) = (Events::new(), Events::new());
            for _ in 0..4 {
                let wagers: Vec<Placing> = (0..numbers.below(9))
                    .map(|_| {
                        let wager = if numbers.below(3) == 0 { WagerId::MatchTheDealer } else { WagerId::Main };
                        // Amounts that nobody may stake would end most of it at once.
                        let amount = if numbers.below(6) == 0 { numbers.amount() } else { Cents::dollars(10) };
                        Placing { seat: numbers.seat(), wager, amount }
                    })
                    .collect();
                let answer = together.place(&wagers, &mut events);
                let first_refused = wagers.iter().find_map(|&wager| {
                    one_by_one.apply(&wager.into(), &mut expected).err().map(|refusal| (wager, refusal))
                });
                assert_eq!(answer.err(), first_refused, "{wagers:?}");
                assert_eq!(events.as_slice(), expected.as_slice(), "{wagers:?}");
                assert_eq!(together.view(), one_by_one.view(), "after {wagers:?}");
                assert_eq!(together.snapshot(), one_by_one.snapshot(), "after {wagers:?}");
                refused += usize::from(first_refused.is_some());
            }
            placed += events.as_slice().len();
        }
        assert!(placed > 1_500 && refused > 100, "{name}: {placed} placed, {refused} refused");
    }
}
