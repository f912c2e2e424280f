//! Bad Beat through the engine against figures from outside it: an exact recursion, and a bare table dealt in the test.
//!
//! Neither side shares a line of code with the engine. Seeds are fixed, so a failure is a change and never bad luck.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]
#![expect(clippy::float_arithmetic, reason = "statistics of a test; no money passes through them")]

#[path = "played_support/mod.rs"]
mod support;

use support::{bare, exact};
use table_odds::played::{PlayedOdds, PlayedTally, play, play_stack};
use table_odds::simulate::{CHUNK_ROUNDS, Player, Settings, ShoeUse, Stack};
use table_odds::strategy::{Open, Play, Strategy, UpCard};
use table_rules::card::Card;
use table_rules::game::Game;
use table_rules::hand::Hand;
use table_rules::money::Cents;
use table_rules::side::{Answers, MeterAnswers, OfferContext, OfferedWager, RandomSource, check_offer};
use table_rules::table::{Soft17, Table};
use table_rules::wager::WagerId;

/// Stands on this total or more, else draws; never splits, doubles or surrenders.
struct DrawsTo(u8);

impl Player for DrawsTo {
    fn decide(&self, hand: &Hand, _: UpCard, _: bool, _: Open) -> Play {
        if hand.total() >= self.0 { Play::Stand } else { Play::Hit }
    }

    fn decide_doubled(&self, _: &Hand, _: UpCard, _: u8, _: bool) -> Play {
        Play::Stand
    }
}

fn bad_beat(every_n_rounds: Option<u32>) -> OfferedWager {
    let meter = MeterAnswers {
        name: table_rules::money::MeterName::Main,
        initial: Some(Cents::dollars(5000)),
        reset: Some(Cents::dollars(5000)),
        rate_millionths: Some(200_000),
        reserve_rate_millionths: None,
        limit: None,
        must_hit_ceiling: None,
    };
    let answers = Answers {
        stakes: vec![Cents::dollars(1)],
        every_n_rounds,
        random_source: every_n_rounds.map(|_| RandomSource::Device),
        jackpot_threshold: Some(Cents::dollars(5000)),
        meters: vec![meter],
        ..Answers::default()
    };
    check_offer(OfferContext { game: Game::Blackjack, decks: 6, switch: false }, WagerId::BadBeat, &answers).unwrap()
}

fn settings(rounds: u64, threads: usize) -> Settings {
    Settings { rounds, seed: 11, seats: 1, stake: Cents::dollars(10), threads, shoe_use: ShoeUse::EveryRound }
}

fn table(soft_17: Soft17) -> Table {
    Table { soft_17, ..Table::usual(Game::Blackjack) }
}

fn sigmas(count: u64, rounds: u64, chance: f64, other_error: f64) -> f64 {
    let rounds = rounds as f64;
    let spread = (chance * (1.0 - chance) / rounds + other_error * other_error).sqrt();
    (count as f64 / rounds - chance).abs() / spread.max(f64::MIN_POSITIVE)
}

const LINES: [&str; 8] = [
    "dealer-21-seven-cards",
    "dealer-21-six-cards",
    "dealer-21-five-cards",
    "dealer-21-four-cards",
    "dealer-21-three-cards",
    "dealer-blackjack",
    "player-20",
    "lost",
];

#[test]
fn a_player_who_never_draws_has_the_exact_chances() {
    for soft_17 in [Soft17::Stands, Soft17::Hits] {
        let rounds = 200_000;
        let tally = play(&table(soft_17), &bad_beat(None), &DrawsTo(0), &settings(rounds, 2), &|_| ()).unwrap();
        let exact = exact::chances(6, soft_17 == Soft17::Hits);
        assert!((exact.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{exact:?}");
        for (line, chance) in LINES.into_iter().zip(exact) {
            let count = tally.count_of(line);
            let off = sigmas(count, rounds, chance, 0.0);
            assert!(off < 4.0, "{soft_17:?} {line}: {count} of {rounds}, chance {chance} ({off:.1} sigmas)");
        }
        assert_eq!(LINES.map(|line| tally.count_of(line)).iter().sum::<u64>(), rounds);
        assert_eq!(tally.rounds_won, rounds - tally.count_of("lost"));
    }
}

#[test]
fn a_player_who_draws_to_17_wins_as_often_as_at_a_bare_table() {
    let (rounds, bare_rounds) = (200_000_u64, 600_000_u64);
    let tally = play(&table(Soft17::Stands), &bad_beat(None), &DrawsTo(17), &settings(rounds, 2), &|_| ()).unwrap();
    let bare = bare::counts(6, 17, bare_rounds);
    for (line, bare_count) in LINES.into_iter().zip(bare) {
        let chance = bare_count as f64 / bare_rounds as f64;
        let error = (chance * (1.0 - chance) / bare_rounds as f64).sqrt();
        let off = sigmas(tally.count_of(line), rounds, chance, error);
        assert!(off < 4.0, "{line}: {} of {rounds}, bare {chance} ({off:.1} sigmas)", tally.count_of(line));
    }
}

/// Small cards only: 21 in seven of them is rare in a real shoe, and must walk its four steps all the same.
#[test]
fn a_jackpot_is_verified_approved_and_left_out_of_the_fixed_edge() {
    let few: Vec<Card> = ["2c", "2d", "2h", "3c", "3d", "3h", "4c", "5c"].map(|card| card.parse().unwrap()).to_vec();
    let cards: Vec<Card> = few.iter().copied().cycle().take(80).collect();
    let (table, offer) = (table(Soft17::Stands), bad_beat(None));
    let table = Table { wagers: vec![offer.clone()], ..table };
    let settings = settings(20_000, 1);
    let stack = Stack::of(cards, ShoeUse::EveryRound);
    let tally = play_stack(&table, &offer, &DrawsTo(20), &settings, stack, (0, settings.rounds)).unwrap();
    let jackpots = tally.count_of("dealer-21-seven-cards");
    assert!(jackpots > 20, "{tally:?}");
    assert_eq!(LINES.map(|line| tally.count_of(line)).iter().sum::<u64>(), settings.rounds);
    // Every line pays what it prints; the meter's line counts as the loss of the stake.
    let units = |line: &str, units: i128| i128::from(tally.count_of(line)) * units;
    let gained = units("dealer-21-six-cards", 999)
        + units("dealer-21-five-cards", 99)
        + units("dealer-21-four-cards", 49)
        + units("dealer-21-three-cards", 24)
        + units("dealer-blackjack", 9)
        + units("player-20", 1)
        - units("lost", 1)
        - units("dealer-21-seven-cards", 1);
    assert_eq!(tally.net_cents, gained * 100);
    let odds = PlayedOdds::new(&table, &offer, &settings, &tally);
    assert_eq!(odds.edge, None);
    assert_eq!((odds.meter_lines[0].line, odds.meter_lines[0].percent), ("dealer-21-seven-cards", 100));
}

#[test]
fn random_bonuses_come_in_their_rounds_and_besides() {
    let (table, rounds) = (table(Soft17::Stands), 200_000_u64);
    let offer = bad_beat(Some(4));
    let strategy = Strategy::best(&table, Cents::dollars(10));
    let tally = play(&table, &offer, &strategy, &settings(rounds, 1), &|_| ()).unwrap();
    // One card of 52 is drawn: it is among two cards of six decks unless both are others. One position of seven.
    let magic = 1.0 - (306.0 / 312.0) * (305.0 / 311.0);
    for (line, chance) in [("magic-card", magic / 4.0), ("lucky-player", 1.0 / 28.0)] {
        let off = sigmas(tally.count_of(line), rounds, chance, 0.0);
        assert!(off < 4.0, "{line}: {} ({off:.1} sigmas)", tally.count_of(line));
    }
    assert_eq!(LINES.map(|line| tally.count_of(line)).iter().sum::<u64>(), rounds, "bonuses come besides");
    let odds = PlayedOdds::new(&table, &offer, &settings(rounds, 1), &tally);
    let besides: Vec<&str> = odds.lines.iter().filter(|line| line.besides).map(|line| line.line).collect();
    assert_eq!(besides, ["magic-card", "lucky-player"]);
    assert!(odds.hit_frequency > 1.0 - odds.lines.last().unwrap().probability, "a bonus is a hit too");
}

#[test]
fn figures_do_not_depend_on_the_number_of_threads() {
    let table = table(Soft17::Stands);
    let strategy = Strategy::best(&table, Cents::dollars(10));
    let run = |threads| -> PlayedTally {
        play(&table, &bad_beat(Some(7)), &strategy, &settings(CHUNK_ROUNDS + 500, threads), &|_| ()).unwrap()
    };
    let counts = |tally: &PlayedTally| LINES.map(|line| tally.count_of(line));
    let (one, three) = (run(1), run(3));
    assert_eq!(counts(&one), counts(&three));
    assert_eq!(
        (one.net_cents, one.net_squares, one.rounds_won),
        (three.net_cents, three.net_squares, three.rounds_won)
    );
}
