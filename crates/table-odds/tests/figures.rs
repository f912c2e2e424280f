//! Figures from outside: published, or reckoned by hand from the clause. If one of these fails, the code is wrong.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use table_odds::catalogue::jobs;
use table_odds::fraction::Fraction;
use table_odds::table::OddsTable;
use table_odds::verdicts::Counted;
use table_odds::wager::WagerOdds;
use table_rules::game::Game;
use table_rules::wager::WagerId;

/// The exact tables of one wager and paytable with so many decks.
fn tables(game: Game, wager: WagerId, paytable: &str, decks: u8) -> Vec<OddsTable> {
    let jobs = jobs().into_iter().filter(|job| job.game() == game && job.wager() == wager);
    let exact = |odds| match odds {
        WagerOdds::Exact(table) => Some(table),
        WagerOdds::NeedsSimulation(_) | WagerOdds::NotFromCards(_) => None,
    };
    let mut counted = Counted::new();
    let all = jobs.flat_map(|job| job.run(&mut counted)).filter_map(exact);
    all.filter(|table| table.identity.paytable == paytable && table.identity.decks == decks).collect()
}

fn table(game: Game, wager: WagerId, paytable: &str, decks: u8) -> OddsTable {
    tables(game, wager, paytable, decks).swap_remove(0)
}

fn edge(game: Game, wager: WagerId, paytable: &str, decks: u8) -> Fraction {
    table(game, wager, paytable, decks).edge().unwrap()
}

fn line(table: &OddsTable, name: &str) -> Fraction {
    table.probability(table.lines.iter().find(|line| line.name == name).unwrap())
}

#[test]
fn match_the_dealer_in_spanish_21() {
    let edge = edge(Game::Spanish21, WagerId::MatchTheDealer, "6-deck", 6);
    assert_eq!(edge, Fraction::new(114, 3731_u32));
    assert_eq!(edge.percent(4), "3.0555");
}

#[test]
fn lucky_ladies_b() {
    assert_eq!(edge(Game::Blackjack, WagerId::LuckyLadies, "B", 6).percent(4), "24.7089");
}

#[test]
fn bet_the_set_a() {
    assert_eq!(edge(Game::Blackjack, WagerId::BetTheSet21, "A", 1).percent(4), "5.8824");
}

#[test]
fn insurance() {
    assert_eq!(edge(Game::Blackjack, WagerId::Insurance, "-", 6).percent(4), "7.3955");
}

#[test]
fn kings_bounty() {
    assert_eq!(edge(Game::Blackjack, WagerId::KingsBounty, "-", 2).percent(4), "24.7335");
}

#[test]
fn three_cards_of_six_decks_make_the_published_numbers_of_poker_hands() {
    // 5,013,320 ways to choose three of 312 cards; twelve sequences, the ace both low and high.
    let table = table(Game::Blackjack, WagerId::TwentyOnePlusThree, "A", 6);
    for (name, hands) in [
        ("suited-aces", 80),
        ("suited-three-of-a-kind", 960),
        ("straight-flush", 10_368),
        ("three-of-a-kind", 25_272),
        ("straight", 155_520),
        ("flush", 292_896),
    ] {
        assert_eq!(line(&table, name), Fraction::new(hands, 5_013_320_u32), "{name}");
    }
}

#[test]
fn without_the_ace_high_straight_one_sequence_in_twelve_is_gone() {
    let [low, both] = tables(Game::Blackjack, WagerId::ThreeCardPoker, "B", 6).try_into().unwrap();
    assert_eq!(low.identity.options, [("ace_high_straight", "false".to_owned())]);
    let of_twelve = |sequences: i64| Fraction::new(155_520 * sequences / 12, 5_013_320_u32);
    assert_eq!(line(&low, "straight"), of_twelve(11));
    assert_eq!(line(&both, "straight"), of_twelve(12));
}

#[test]
fn monster_match_four_suited_of_six_decks() {
    // 48 faces, four of six copies, of all choices of four from 288 cards.
    let table = table(Game::PlayersEdge21, WagerId::MonsterMatch, "A", 6);
    assert_eq!(line(&table, "four-of-a-kind-suited"), Fraction::new(48 * 15, 288_u64 * 287 * 286 * 285 / 24));
    assert_eq!(table.edge(), None);
    let shares: Vec<u8> = table.meter_lines().map(|share| share.percent).collect();
    assert_eq!(shares, [100, 10]);
}

#[test]
fn super_match_four_of_a_kind_of_six_decks() {
    // Thirteen ranks of 24 cards each.
    let table = table(Game::Blackjack, WagerId::SuperMatch, "6-deck", 6);
    let choices = 312_u64 * 311 * 310 * 309 / 24;
    assert_eq!(line(&table, "four-of-a-kind"), Fraction::new(13 * (24 * 23 * 22 * 21 / 24), choices));
}

#[test]
fn crown_treasure_takes_nothing_from_the_royal_matches_when_it_is_additional() {
    let [as_line, additional] = tables(Game::Blackjack, WagerId::RoyalMatch21, "C", 6).try_into().unwrap();
    // A suited king-queen for the player, then another for the dealer, in either order each.
    let royal = Fraction::new(2 * 4 * 6 * 6, 312_u32 * 311);
    // Same suit: five kings and five queens are left; another suit: six and six.
    let crown_after = Fraction::new(2 * (5 * 5 + 3 * 6 * 6), 310_u32 * 309);
    let crown = &royal * &crown_after;
    assert_eq!(line(&as_line, "crown-treasure"), crown);
    assert_eq!(line(&additional, "royal-match + crown-treasure"), crown);
    assert_eq!(&line(&as_line, "royal-match") + &crown, royal);
    // As a line it pays 999 beyond the stake in place of 30; additional, 1,000 on top of the 30.
    let difference = &as_line.edge().unwrap() - &additional.edge().unwrap();
    assert_eq!(difference, &crown * &Fraction::whole(1030 - 999));
}

#[test]
fn a_dealer_blackjack_is_the_same_in_hit_and_run_as_by_hand() {
    for table in tables(Game::Blackjack, WagerId::HitAndRun, "-", 6) {
        assert_eq!(line(&table, "blackjack"), Fraction::new(2 * 24 * 96, 312_u32 * 311));
    }
}

#[test]
fn bonus_spin_turns_for_an_ace_at_five_dollars_and_for_a_blackjack_below() {
    let at_one = table(Game::Blackjack, WagerId::BonusSpin, "A", 6);
    assert_eq!(line(&at_one, "wheel"), Fraction::new(2 * 24 * 96, 312_u32 * 311));
    let at_five = table(Game::Blackjack, WagerId::BonusSpin, "C", 6);
    assert_eq!(line(&at_five, "wheel"), &Fraction::one() - &Fraction::new(288 * 287, 312_u32 * 311));
    assert_eq!((at_five.edge(), at_five.edge_fixed()), (None, None));
}

#[test]
fn xtreme_turns_for_a_six_with_a_ten_value_card() {
    let table = table(Game::Pontoon21, WagerId::BonusSpinXtreme, "A", 6);
    assert_eq!(line(&table, "wheel"), Fraction::new(2 * 24 * 72, 288_u32 * 287));
}
