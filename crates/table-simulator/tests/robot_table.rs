//! Whole tables played by robots through the devices: rounds end, money balances, cards are conserved, and nobody can
//! tell the hole card before it is turned.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use device_protocols::sealed::{Card as DeviceCard, FaceUp, SealedCard};
use table_rules::card::Card;
use table_rules::event::Event;
use table_rules::game::Game;
use table_rules::table::Table;
use table_simulator::line::LineFaults;
use table_simulator::robot::Habits;
use table_simulator::robot_table::{Mischief, RobotTable, Sighting, Tally};

/// The controller's word, which the simulator may not give itself.
fn open(sealed: SealedCard) -> Option<DeviceCard> {
    let draw = sealed.draw();
    sealed.open(FaceUp::said_by_controller(draw)).ok()
}

fn robot_table(game: Game, seed: u64, habits: Habits, mischief: Mischief) -> RobotTable {
    RobotTable::new(&Table::usual(game), seed, habits, mischief, Box::new(open))
}

fn play(game: Game, seed: u64, rounds: u64, habits: Habits, mischief: Mischief) -> Tally {
    let mut table = robot_table(game, seed, habits, mischief);
    for round in 0..rounds {
        let events = table.play_round().unwrap_or_else(|stopped| {
            panic!("{game:?}, seed {seed}, round {round}: {stopped}");
        });
        let ended = events.iter().filter(|event| matches!(event, Event::RoundEnded { .. } | Event::RoundVoid { .. }));
        assert!(ended.count() >= 1, "{game:?}, seed {seed}, round {round}: no end in {events:?}");
    }
    table.tally()
}

#[test]
fn perfect_people_with_perfect_devices_play_every_game() {
    for game in Game::ALL {
        let tally = play(game, 1, 500, Habits::PERFECT, Mischief::NONE);
        assert_eq!((tally.rounds, tally.late_words, tally.cards_told_by_hand), (500, 0, 0), "{game:?}");
        assert!(tally.shuffles > 10 && tally.reader_answers > 50, "{game:?}: {tally:?}");
    }
}

#[test]
fn people_as_they_are_play_every_game() {
    for game in Game::ALL {
        let tally = play(game, 2, 1_000, Habits::USUAL, Mischief::NONE);
        assert!(tally.late_words > 20 && tally.late_chips > 5, "{game:?}: {tally:?}");
        assert_eq!((tally.reader_lies, tally.cards_told_by_hand), (0, 0), "{game:?}: {tally:?}");
    }
}

#[test]
fn thousands_of_rounds_end_though_everything_fails_now_and_then() {
    for game in Game::ALL {
        let mut all = Tally::default();
        for seed in 10..14 {
            let tally = play(game, seed, 500, Habits::USUAL, Mischief::PLENTY);
            all.rounds += tally.rounds;
            all.restarts += tally.restarts;
            all.reader_lies += tally.reader_lies;
            all.reader_stops += tally.reader_stops;
            all.cards_told_by_hand += tally.cards_told_by_hand;
            all.late_words += tally.late_words;
        }
        assert_eq!(all.rounds, 2_000);
        assert!(
            all.restarts > 50 && all.reader_lies > 0 && all.reader_stops > 0 && all.cards_told_by_hand > 20,
            "the faults were on: {game:?} {all:?}"
        );
        assert!(all.late_words > 20, "{game:?} {all:?}");
    }
}

#[test]
fn the_same_seed_plays_the_same_rounds() {
    let run = |seed| {
        let mut table = robot_table(Game::Spanish21, seed, Habits::USUAL, Mischief::PLENTY);
        table.watch().turn_on();
        for _ in 0..20 {
            table.play_round().unwrap();
        }
        table.watch().take()
    };
    let once = run(3);
    assert!(once == run(3), "the same to the last byte");
    assert!(once != run(4));
}

/// Plays the first round with this stack and gives what an onlooker saw before the hole card was turned.
fn seen_before_reveal(game: Game, seed: u64, stack: &[Card], line: LineFaults) -> Vec<Sighting> {
    let mischief = Mischief { line, ..Mischief::NONE };
    let mut table = robot_table(game, seed, Habits::USUAL, mischief);
    table.open_table().unwrap();
    table.rig_shoe(stack);
    table.watch().turn_on();
    table.play_round().unwrap();
    let seen = table.watch().take();
    let reveal =
        seen.iter().position(|sighting| sighting.what.contains("Revealed") || sighting.what.contains("TurnHoleCard"));
    seen[..reveal.unwrap_or(seen.len())].to_vec()
}

/// Rounds in pairs that differ in the hole card alone, with the same answer from the reader: everything up to the reveal
/// is the same, to the byte and to the millisecond.
#[test]
fn nobody_can_tell_the_hole_card_before_it_is_turned() {
    let weather = LineFaults {
        drop_per_mille: 40,
        duplicate_per_mille: 0,
        garble_per_mille: 0,
        delay_per_mille: 100,
        delay_ms_max: 300,
    };
    let mut compared = 0;
    for game in Game::ALL {
        for seed in 0..40 {
            let deck: Vec<Card> = game.deck().collect();
            let mut stack: Vec<Card> = (0..6).flat_map(|_| deck.iter().copied()).collect();
            table_simulator::dice::Dice::new(seed).shuffle(&mut stack);
            for line in [LineFaults::NONE, weather] {
                // Where the hole card lies depends on how many boxes play: find it by playing once.
                let mut table = robot_table(game, seed, Habits::USUAL, Mischief { line, ..Mischief::NONE });
                table.open_table().unwrap();
                table.rig_shoe(&stack);
                let events = table.play_round().unwrap();
                let Some(place) = hole_card_place(&events) else { continue };
                let hole = stack[place];
                let others = deck.iter().filter(|other| **other != hole && same_answers(**other, hole));
                let base = seen_before_reveal(game, seed, &stack, line);
                for other in others.take(3) {
                    let mut changed = stack.clone();
                    changed[place] = *other;
                    let seen = seen_before_reveal(game, seed, &changed, line);
                    let differs = base.iter().zip(&seen).find(|(one, two)| one != two);
                    assert!(
                        differs.is_none() && base.len() == seen.len(),
                        "{game:?} {seed} {hole} {other}: {differs:?}"
                    );
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 500, "{compared}");
}

/// How many cards were dealt before the hole card; burns take one too.
fn hole_card_place(events: &[Event]) -> Option<usize> {
    use table_rules::event::Place;
    let mut place = 0;
    for event in events {
        if matches!(event, Event::CardDealt { to: Place::HoleCard, .. }) {
            return Some(place);
        }
        place += usize::from(matches!(event, Event::CardDealt { .. } | Event::Burnt { .. }));
    }
    None
}

/// The reader says the same about both under any up card.
fn same_answers(one: Card, two: Card) -> bool {
    let class = |card: Card| (card.rank().is_ace(), card.rank().is_ten_value());
    class(one) == class(two)
}
