//! Short storms, a few hundred of them: no promise is broken, and together they meet every situation of the list.
//!
//! A seed that once broke something is kept in `storm_seeds.txt`. `HOLECARD_SEED=<number>` plays that seed alone.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use table_controller::Config;
use table_rules::game::Game;
use table_rules::submission::RulesSubmission;
use table_rules::table::{Shuffler, Table};
use table_simulator::storm::{self, Reached};

fn config(game: Game) -> Config {
    let path = format!("{}/../../firmware-config/submissions/{game}-all-wagers.toml", env!("CARGO_MANIFEST_DIR"));
    let table = RulesSubmission::parse(&std::fs::read_to_string(path).unwrap()).check().table.unwrap();
    storm::config(game, Table { shuffler: Shuffler::Batch, ..table })
}

/// Plays these seeds for some hours each and gives back what they met.
fn storms(game: Game, seeds: std::ops::Range<u64>, hours: u32) -> Reached {
    let config = config(game);
    let only = std::env::var("HOLECARD_SEED").ok().and_then(|seed| seed.parse().ok());
    let seeds = only.map_or(seeds, |seed| seed..seed + 1);
    let mut reached = Reached::default();
    let (mut cuts, mut rounds) = (0, 0);
    for seed in seeds {
        let tally = storm::run(config.clone(), seed, hours)
            .unwrap_or_else(|broken| panic!("{game}, seed {seed}, {hours} hours: {broken}"));
        reached.add(&tally.reached);
        cuts += tally.power_cuts;
        rounds += tally.rounds;
    }
    if only.is_none() {
        assert!(cuts > 80 && rounds > 800, "{game}: {cuts} cuts in {rounds} rounds say little");
        let missed = reached.missed(config.spots.len() > 1);
        assert!(missed.is_empty(), "{game}: never met: {missed:?}");
    }
    reached
}

#[test]
fn blackjack_stands_in_the_storm() {
    storms(Game::Blackjack, 1..76, 3);
}

#[test]
fn spanish_21_stands_in_the_storm() {
    storms(Game::Spanish21, 1..76, 3);
}

#[test]
fn pontoon_21_stands_in_the_storm() {
    storms(Game::Pontoon21, 1..76, 3);
}

#[test]
fn players_edge_21_stands_in_the_storm() {
    storms(Game::PlayersEdge21, 1..76, 3);
}

#[test]
fn seeds_that_once_broke_something_stand() {
    for line in include_str!("storm_seeds.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split_whitespace();
        let mut word = || words.next().unwrap_or_else(|| panic!("a game, a seed and hours: {line}"));
        let (game, seed, hours) = (word().parse().unwrap(), word().parse().unwrap(), word().parse().unwrap());
        storm::run(config(game), seed, hours).unwrap_or_else(|broken| panic!("{line}: {broken}"));
    }
}

#[test]
fn storms_that_differ_in_a_hole_card_alone_store_and_show_the_same_bytes() {
    for game in Game::ALL {
        let config = config(game);
        let (mut pairs, mut long) = (0, 0);
        for seed in 1..21 {
            let inputs = storm::silent_pair(&config, seed, 1 + seed % 6)
                .unwrap_or_else(|broken| panic!("{game}, seed {seed}: {broken}"));
            pairs += usize::from(inputs > 0);
            long += usize::from(inputs > 8);
        }
        assert!(pairs > 14 && long > 6, "{game}: {pairs} pairs, {long} of them with play in between, say little");
    }
}

#[test]
fn the_same_seed_is_the_same_storm() {
    let run = || storm::run(config(Game::PlayersEdge21), 5, 6).unwrap();
    let (one, two) = (run(), run());
    assert_eq!((one.inputs, one.refused, one.power_cuts), (two.inputs, two.refused, two.power_cuts));
    assert_eq!(one.reached.counts().collect::<Vec<_>>(), two.reached.counts().collect::<Vec<_>>());
}
