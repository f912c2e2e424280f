//! Side wagers in a file: order, places, echoes. What makes an offer legal is tested with the wagers themselves.

use super::*;
use crate::money::{Cents, MeterName};
use crate::side::{OfferedWager, RandomSource};
use crate::wager::WagerId;

/// A shipped file with this text after it.
fn with_wagers(game: Game, wagers: &str) -> (String, usize) {
    let text = shipped(game);
    (format!("{text}{wagers}"), text.lines().count())
}

/// The wagers are refused for one reason, `line` lines into them.
#[track_caller]
fn refused_wagers(game: Game, wagers: &str, line: usize, source: &str, says: &str) {
    let (text, before) = with_wagers(game, wagers);
    refused(&text, before + line, source, says);
}

#[track_caller]
fn offered(game: Game, wagers: &str) -> Table {
    table(&with_wagers(game, wagers).0)
}

const MONSTER: &str = "[wagers.monster-match]\npaytable = \"B\"\nstakes = [2]\n\
    [wagers.monster-match.meters.main]\ninitial = 5000\nreset = 5000\nrate = \"22 %\"\nreserve_rate = \"1 %\"\n";

#[test]
fn offers_keep_the_order_of_the_file() {
    let table = offered(
        Game::Blackjack,
        "[wagers.top-3]\npaytable = \"B\"\n[wagers.in-between]\n[wagers.lucky-aces]\npaytable = \"A\"\n",
    );
    let ids: Vec<WagerId> = table.wagers.iter().map(OfferedWager::id).collect();
    assert_eq!(ids, [WagerId::Top3, WagerId::InBetween, WagerId::LuckyAces]);
    let table = offered(
        Game::Blackjack,
        "[wagers.lucky-aces]\npaytable = \"A\"\n[wagers.in-between]\n[wagers.top-3]\npaytable = \"B\"\n",
    );
    let ids: Vec<WagerId> = table.wagers.iter().map(OfferedWager::id).collect();
    assert_eq!(ids, [WagerId::LuckyAces, WagerId::InBetween, WagerId::Top3]);
}

#[test]
fn every_answer_reaches_the_offer() {
    let table = table(shipped_with_wagers(Game::Blackjack));
    let offer = |wager| table.wagers.iter().find(|offer| offer.id() == wager).unwrap();
    let bad_beat = offer(WagerId::BadBeat);
    assert_eq!((bad_beat.every_n_rounds(), bad_beat.random_source()), (Some(50), Some(RandomSource::Device)));
    assert_eq!(bad_beat.jackpot_threshold(), Some(Cents::dollars(10_000)));
    assert_eq!(bad_beat.stakes(), [Cents::dollars(1)]);
    let ladies = offer(WagerId::LuckyLadies);
    assert_eq!(ladies.options().maximum_payout, Some(Cents::dollars(25_000)));
    assert_eq!(ladies.max_stake(), Some(Cents::dollars(25)));
    let spin = offer(WagerId::BonusSpin);
    assert_eq!(spin.tables().map(|table| table.table.id).collect::<Vec<_>>(), ["B", "C"]);
    assert_eq!(spin.spots(), 2);
    let must_hit = offer(WagerId::MustHit).meters()[0].terms.terms().must_hit;
    assert_eq!(must_hit, Some(Cents::dollars(1000)));
    let monster = offered(Game::PlayersEdge21, MONSTER);
    let [meter] = monster.wagers[0].meters() else { panic!("one meter") };
    let terms = meter.terms.terms();
    assert_eq!(meter.name, MeterName::Main);
    assert_eq!((terms.progression.millionths(), terms.reserve.millionths()), (220_000, 10_000));
}

#[test]
fn a_meter_below_the_rules_minimum_is_refused_at_its_own_line() {
    let text = MONSTER.replace("initial = 5000", "initial = 2500");
    refused_wagers(
        Game::PlayersEdge21,
        &text,
        5,
        "players-edge-21 12.D(6)(b)(ii)",
        "Monster Match Progressive paytable B starts at $2,500; 12.D(6)(b)(ii) requires at least $5,000",
    );
    let text = MONSTER.replace("rate = \"22 %\"\nreserve", "reserve");
    refused_wagers(Game::PlayersEdge21, &text, 4, "players-edge-21 12.D(6)(a)", "needs its rate of progression");
}

#[test]
fn a_rate_is_written_in_percent() {
    for rate in ["0.22", "22", "\"22\"", "\"122 %\"", "\"-1 %\""] {
        let text = MONSTER.replace("\"22 %\"", rate);
        refused_wagers(Game::PlayersEdge21, &text, 7, "players-edge-21 H7", "write a rate in percent");
    }
}

#[test]
fn required_options_are_asked_for_at_the_wager() {
    refused_wagers(
        Game::Blackjack,
        "[wagers.three-card-poker]\npaytable = \"A\"\n",
        1,
        "blackjack B5",
        "ace_high_straight",
    );
    refused_wagers(Game::Blackjack, "[wagers.royal-match-21]\npaytable = \"C\"\n", 1, "blackjack B6", "crown_treasure");
    refused_wagers(Game::Blackjack, "[wagers.lucky-lucky]\n", 1, "blackjack 13.E(1)", "needs its paytable");
}

#[test]
fn paytables_that_the_decks_do_not_allow_are_refused() {
    let wagers = "[wagers.royal-match-21]\ncrown_treasure = \"line\"\npaytable = \"A\"\n";
    refused_wagers(Game::Blackjack, wagers, 3, "blackjack 13.A(7)(a)", "this table has 6");
    refused_wagers(
        Game::Spanish21,
        "[wagers.match-the-dealer]\npaytable = \"8-deck\"\n",
        2,
        "spanish-21 12.A(4)(b)",
        "this table has 6",
    );
}

#[test]
fn wagers_of_other_games_and_no_side_wagers_are_refused() {
    refused_wagers(
        Game::Spanish21,
        "[wagers.lucky-ladies]\npaytable = \"A\"\n",
        1,
        "spanish-21 6.G",
        "does not authorise Lucky Ladies",
    );
    refused_wagers(Game::Blackjack, "[wagers.insurance]\n", 1, "blackjack 6.G", "not an optional wager");
    refused_wagers(Game::Blackjack, "[wagers.super-match]\n", 1, "blackjack 6.G(7)", "only with Blackjack Switch");
    refused_wagers(Game::Blackjack, "[wagers.luckyladies]\n", 1, "blackjack H7", "did you mean lucky-ladies?");
    refused_wagers(Game::Blackjack, "[wagers.roulette]\n", 1, "blackjack H7", "unknown wager \"roulette\"");
}

#[test]
fn super_match_goes_with_switch() {
    let (text, _) = with_wagers(Game::Blackjack, "[wagers.super-match]\n");
    let text = change(&change(&text, "variation", "\"switch\"").0, "even_money", "false").0;
    let text = change(&text, "main_wager_areas", "2").0;
    let table = table(&text);
    assert_eq!(table.wagers[0].id(), WagerId::SuperMatch);
}

#[test]
fn wager_tables_have_strict_keys_and_types() {
    let game = Game::Blackjack;
    refused_wagers(game, "[wagers.in-between]\nstake = [5]\n", 2, "blackjack H7", "did you mean stakes?");
    refused_wagers(game, "[wagers.in-between]\nstakes = 5\n", 2, "blackjack H7", "write a list of amounts");
    refused_wagers(game, "[wagers.in-between]\nstakes = [5, \"x\"]\n", 2, "blackjack H7", "\"x\" is not an amount");
    let many = format!("[wagers.in-between]\nstakes = {:?}\n", (1..=33).collect::<Vec<_>>());
    refused_wagers(game, &many, 2, "blackjack H7", "at most 32");
    refused_wagers(game, "[wagers.in-between]\nspots = 300\n", 2, "blackjack H7", "\"300\" is out of range");
    refused_wagers(game, "[wagers]\nin-between = true\n", 2, "blackjack H7", "must be a table");
    refused_wagers(game, "[[wagers]]\n", 1, "blackjack H7", "wagers must be a table, not a list");
    let meter = |key: &str| MONSTER.replace("reserve_rate = \"1 %\"", key);
    refused_wagers(Game::PlayersEdge21, &meter("reserve = \"1 %\""), 8, "players-edge-21 H7", "reserve_rate");
    let strange = format!("{MONSTER}[wagers.monster-match.meters.man]\n");
    refused_wagers(Game::PlayersEdge21, &strange, 9, "players-edge-21 H7", "did you mean main?");
    let second = "[wagers.bonus-spin]\npaytable = \"A\"\ncommunity_pay = \"A\"\ncommunity_pay_to_own_boxes = false\nstakes = [1, 5]\nspots = 2\nprize_value = 5000\n\
        [wagers.bonus-spin.second_table]\npaytable = \"C\"\ncommunity_pay = \"C\"\nprize_value = 10000\nprice = 1\n";
    refused_wagers(game, second, 12, "blackjack H7", "unknown key \"price\"");
}

#[test]
fn what_could_not_be_read_is_not_called_missing_too() {
    let game = Game::Blackjack;
    refused_wagers(
        game,
        "[wagers.three-card-poker]\npaytable = \"A\"\nace_high_straight = \"yes\"\n",
        3,
        "blackjack H7",
        "true or false",
    );
    refused_wagers(game, "[wagers.lucky-lucky]\npaytable = 1\n", 2, "blackjack H7", "paytable is a whole number");
    let text = MONSTER.replace("initial = 5000", "initial = \"lots\"");
    refused_wagers(Game::PlayersEdge21, &text, 5, "players-edge-21 H7", "not an amount");
    let text = MONSTER.replace("stakes = [2]", "stakes = \"two\"");
    refused_wagers(Game::PlayersEdge21, &text, 3, "players-edge-21 H7", "list of amounts");
    let text = "[wagers.monster-match]\npaytable = \"B\"\nstakes = [2]\nmeters = 5000\n";
    refused_wagers(Game::PlayersEdge21, text, 4, "players-edge-21 H7", "meters must be a table");
}

#[test]
fn problems_of_the_second_paytable_stand_at_the_second_paytable() {
    let wagers = "[wagers.bonus-spin]\npaytable = \"A\"\ncommunity_pay = \"A\"\ncommunity_pay_to_own_boxes = false\nstakes = [1, 5]\nspots = 2\nprize_value = 5000\n\
        [wagers.bonus-spin.second_table]\npaytable = \"C\"\ncommunity_pay = \"C\"\nprize_value = 1\n";
    refused_wagers(Game::Blackjack, wagers, 11, "blackjack 13.Q(5)(b)(iii)", "requires at least $10,000");
    let first =
        wagers.replace("5000", "1").replace("prize_value = 1\n", "prize_value = 10000\n").replacen("10000", "1", 1);
    refused_wagers(Game::Blackjack, &first, 7, "blackjack 13.Q(5)(b)(i)", "requires at least $5,000");
}

#[test]
fn two_stakes_on_one_spot_are_refused() {
    let text = MONSTER.replace("stakes = [2]", "stakes = [2, 5]");
    refused_wagers(Game::PlayersEdge21, &text, 3, "players-edge-21 X5", "a sensor spot is one wager and one stake");
}

#[test]
fn a_rider_needs_its_carrier_and_is_not_blamed_for_a_refused_one() {
    let bonus = "[wagers.buster-blackjack-free-bonus]\npaytable = \"A\"\n";
    refused_wagers(Game::Blackjack, bonus, 1, "blackjack 6.G(16)", "which is not offered");
    let both = format!("{bonus}[wagers.buster-blackjack]\npaytable = \"Z\"\n");
    refused_wagers(Game::Blackjack, &both, 4, "blackjack 6.G(15)", "has no paytable Z");
}

#[test]
fn chip_stakes_are_made_of_chips() {
    refused_wagers(
        Game::Blackjack,
        "[wagers.in-between]\nstakes = [1, 1.25]\n",
        2,
        "blackjack H3",
        "chips of $0.50 cannot make $1.25, a stake of In Between",
    );
    refused_wagers(
        Game::Blackjack,
        "[wagers.in-between]\nmax_stake = 10.20\n",
        2,
        "blackjack H3",
        "cannot make $10.20",
    );
    assert_eq!(
        offered(Game::Pontoon21, "[wagers.bonus-spin]\npaytable = \"A\"\ncommunity_pay = \"A\"\ncommunity_pay_to_own_boxes = false\nprize_value = 1000\nstakes = [1.10]\n")
            .wagers
            .len(),
        1
    );
}

#[test]
fn the_operating_systems_generator_is_accepted_with_a_warning() {
    let text = shipped_with_wagers(Game::Blackjack).replacen("random_source = \"device\"", "random_source = \"os\"", 1);
    let verdict = check(&text);
    assert!(verdict.table.is_ok());
    let warning = verdict.warnings.iter().find(|warning| warning.source.to_string() == "blackjack B10").unwrap();
    assert_eq!(warning.place.line as usize, line_of(&text, "random_source = \"os\""));
    assert!(warning.text.contains("laboratory approval for Bad Beat"));
}

#[test]
fn wagers_are_checked_even_when_decks_or_variation_are_refused() {
    let (text, _) = with_wagers(
        Game::Blackjack,
        "[wagers.lucky-lucky]\n[wagers.match-the-dealer]\n[wagers.royal-match-21]\npaytable = \"A\"\n",
    );
    let text = change(&change(&text, "decks", "0").0, "variation", "\"electronic\"").0;
    let found: Vec<String> = check(&text).table.unwrap_err().into_iter().map(|problem| problem.key).collect();
    assert_eq!(found, ["decks", "variation", "wagers.lucky-lucky.paytable", "wagers.royal-match-21.crown_treasure"]);
}

#[test]
fn several_bad_wagers_are_reported_together() {
    let wagers = "[wagers.lucky-ladies]\npaytable = \"C\"\nmaximum_payout = 1000\nmax_stake = 25\n\
        [wagers.hit-and-run]\nstakes = [1, 5]\nmin_stake = 1\n\
        [wagers.hit-and-run.meters.main]\ninitial = 10\nreset = 999.99\nrate = \"10 %\"\n\
        [wagers.trilux]\nstar_suit = \"stars\"\n";
    let (text, before) = with_wagers(Game::Blackjack, wagers);
    let problems = check(&text).table.unwrap_err();
    let found: Vec<(usize, &str, String)> = problems
        .iter()
        .map(|problem| (problem.place.line as usize - before, problem.key.as_str(), problem.source.to_string()))
        .collect();
    let expected = [
        (2, "wagers.lucky-ladies.paytable", "blackjack 6.G(1)"),
        (6, "wagers.hit-and-run.stakes", "blackjack X5"),
        (7, "wagers.hit-and-run.min_stake", "blackjack X5"),
        (9, "wagers.hit-and-run.meters.main.initial", "blackjack 13.G(2)"),
        (10, "wagers.hit-and-run.meters.main.reset", "blackjack 13.G(2)"),
        (13, "wagers.trilux.star_suit", "blackjack H7"),
    ];
    assert_eq!(found, expected.map(|(line, key, source)| (line, key, source.to_owned())), "{}", render(&problems));
}
