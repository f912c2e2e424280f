//! Hand-made deals, each with the row that the clause text gives it. These keep the second implementation honest.

use table_rules::card::{Card, Rank, Suit};
use table_rules::game::Game;
use table_rules::money::Cents;
use table_rules::wager::WagerId;

use crate::slow::dealer_hand::bad_beat_bonuses;
use crate::slow::hands::{every_total, total};
use crate::slow::when::{Moment, settles_when};
use crate::slow::{CrownTreasure, Deal, SlowOptions, winning_lines};

/// Options as most of the cases want them.
pub(crate) fn usual() -> SlowOptions {
    SlowOptions {
        ace_high_straight: true,
        crown_treasure: CrownTreasure::Line,
        busted_hands_count: true,
        star_suit: Suit::Diamonds,
    }
}

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().expect("a card")).collect()
}

fn two(text: &str) -> [Card; 2] {
    cards(text).try_into().expect("two cards")
}

/// A deal whose player stands on the first two cards, with $5 on the wager.
fn deal(player: &str, dealer: &str) -> Deal {
    let player = two(player);
    let dealer = cards(dealer);
    Deal { player, second_hand: None, dealer, final_total: total(&player), stake: Cents::dollars(5) }
}

/// Checks one wager of one table over many deals: `player / dealer -> rows`, rows by their ending, `-` for lost.
fn check(game: Game, wager: WagerId, paytable: &str, options: &SlowOptions, section: &str, table: &str) {
    for line in table.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (hands, rows) = line.split_once(" -> ").expect("an arrow");
        let (player, dealer) = hands.split_once(" / ").expect("a slash");
        let expected: Vec<String> = match rows {
            "-" => Vec::new(),
            rows => rows.split(' ').map(|row| format!("{section}{row}")).collect(),
        };
        let found = winning_lines(game, wager, paytable, &deal(player, dealer), options);
        assert_eq!(found, expected, "{game} {wager} {paytable}: {line}");
    }
}

fn blackjack(wager: WagerId, paytable: &str, section: &str, table: &str) {
    check(Game::Blackjack, wager, paytable, &usual(), section, table);
}

#[test]
fn totals_count_aces_as_well_as_they_can() {
    for (hand, points) in [("As 9d", 20), ("As Ad", 12), ("As Ad 9c", 21), ("Kh Qd As", 21), ("Kh Qd 2s", 22)] {
        assert_eq!(total(&cards(hand)), points, "{hand}");
    }
    assert_eq!(every_total(&cards("As Ad")), [2, 12, 12, 22]);
}

#[test]
fn match_wagers_pay_each_card_of_the_rank() {
    let both = "
        7d 7h / 7d 9c -> (a)(i) (a)(ii)
        7h 7c / 7d 9c -> (a)(ii) (a)(ii)
        7d 7d / 7d 9c -> (a)(i) (a)(i)
        Jd 3c / Jd 9c -> (a)(i)
        Jd Qd / Kd Jd -> -
        7d 3c / 9c 7d -> -";
    check(Game::Spanish21, WagerId::MatchTheDealer, "6-deck", &usual(), "12.A(4)", both);
    check(Game::Pontoon21, WagerId::MatchSuperBonus, "6-deck", &usual(), "12.A(4)", both);
    blackjack(WagerId::MatchTheDealer, "6-deck", "13.A(5)", both);
    blackjack(WagerId::MatchTheDealer, "8-deck", "13.A(5)", "Td Kd / Th 9c -> (b)(ii)");
}

#[test]
fn match_up_and_match_down_look_at_different_cards() {
    let up = "
        7d 7d / 7d 2c -> (i)
        7d 7h / 7d 2c -> (ii)
        7d 8h / 7d 2c -> (iii)
        7h 7c / 7d 2c -> (iv)
        7h 8c / 7d 2c -> (v)
        Qh Kc / Jd 2c -> -
        2c 8c / 7d 2c -> -";
    check(Game::PlayersEdge21, WagerId::MatchUp, "B", &usual(), "12.A(5)(b)", up);
    let down = "
        2c 8c / 7d 2c -> (iii)
        7d 8c / 7d 2c -> -";
    check(Game::PlayersEdge21, WagerId::MatchDown, "C", &usual(), "12.A(5)(c)", down);
}

#[test]
fn monster_match_takes_the_best_of_the_four_cards() {
    let table = "
        7d 7d / 7d 7d -> (a)
        7d 7h / 7d 7h -> (b)
        7d 7h / 7s 7h -> (c)
        7d 7h / 7d 9c -> (d)
        7c 9s / 7s 7c -> (d)
        7d 7h / 7s 9c -> (e)
        7d 9d / 9d 2c -> (f)
        7d 9d / 9d 7d -> (f)
        7d 7h / 9s 9c -> -
        7d 8d / 9d Kd -> -";
    check(Game::PlayersEdge21, WagerId::MonsterMatch, "E", &usual(), "12.D(5)", table);
}

#[test]
fn lucky_ladies_and_kings_bounty_ask_for_twenty() {
    let ladies = "
        Qh Qh / As Kd -> (i)
        Qh Qh / Kd As -> (i)
        Qh Qh / As 9d -> (ii)
        Qs Qs / As Kd -> (iii)
        Td Td / 2c 3c -> (iii)
        Td Kd / 2c 3c -> (iv)
        Ad 9d / 2c 3c -> (iv)
        Ad 9c / 2c 3c -> (v)
        Qh Qd / As Kd -> (v)
        As Ks / 2c 3c -> -
        Ah Ah / 2c 3c -> -";
    blackjack(WagerId::LuckyLadies, "A", "13.A(4)(a)", ladies);
    blackjack(WagerId::LuckyLadies, "B", "13.A(4)(b)", ladies);
    let bounty = "
        Ks Ks / Td Ac -> (a)
        Ks Ks / Td 9c -> (b)
        Kh Kh / Td Ac -> (c)
        Qd Qd / 2c 3c -> (d)
        Td Td / 2c 3c -> (d)
        Kd Td / 2c 3c -> (e)
        Ad 9d / 2c 3c -> (e)
        Kd Kc / 2c 3c -> (f)
        Qd Qc / 2c 3c -> (g)
        Kd Qc / 2c 3c -> (g)
        Kd 9d / 2c 3c -> -";
    blackjack(WagerId::KingsBounty, "-", "13.A(9)", bounty);
}

#[test]
fn in_between_wins_only_strictly_between() {
    let table = "
        9d 9h / 9c 2c -> (a)
        5d 7h / 6c 2c -> (b)
        Kd 7h / Qc 2c -> (e)
        Ad Qh / Kc 2c -> (b)
        4d 7h / 5c 2c -> (c)
        3d 7h / 4c 2c -> (d)
        2d 7h / 6c 2c -> (e)
        2d Ah / Tc 2c -> (e)
        2d Ah / Ac 2c -> -
        2d Ah / 2c 2c -> -
        5d 6h / 5c 2c -> -
        9d 9h / 8c 2c -> -
        5d 7h / 9c 6c -> -";
    blackjack(WagerId::InBetween, "-", "13.A(6)", table);
}

#[test]
fn crown_treasure_is_a_line_or_an_addition() {
    let common = "
        Kd Qd / 2c 3c -> (i)
        Qd Kd / Kh Qc -> (i)
        Kd Jd / Kh Qh -> (ii)
        Kd Kd / 2c 3c -> (ii)
        Kd Qc / Kh Qh -> -";
    for (paytable, letter) in [("A", "(a)"), ("B", "(b)"), ("C", "(c)"), ("D", "(d)"), ("E", "(e)")] {
        blackjack(WagerId::RoyalMatch21, paytable, &format!("13.A(7){letter}"), common);
    }
    blackjack(WagerId::RoyalMatch21, "C", "13.A(7)(c)", "Kd Qd / Qh Kh -> (iii)");
    let additional = SlowOptions { crown_treasure: CrownTreasure::Additional, ..usual() };
    let table = "Kd Qd / Qh Kh -> (i) (iii)";
    check(Game::Blackjack, WagerId::RoyalMatch21, "C", &additional, "13.A(7)(c)", table);
}

#[test]
fn pairs_and_two_card_straights() {
    blackjack(WagerId::BetTheSet21, "A", "13.A(8)", "7d 7h / 2c 3c -> (a)\n7d 8h / 2c 3c -> -");
    let set = "
        7d 7d / 2c 3c -> (i)
        7d 7h / 2c 3c -> (ii)
        Kd Qd / 2c 3c -> -";
    blackjack(WagerId::BetTheSet21, "B", "13.A(8)(b)", set);
    blackjack(WagerId::BetTheSet21, "D", "13.A(8)(d)", set);
    let house = "
        Ad Kd / 2c 3c -> (i)
        Ad 2d / 2c 3c -> (ii)
        Kd Qd / 2c 3c -> (ii)
        7d 7d / 2c 3c -> (iii)
        7d 7h / 2c 3c -> (iii)
        Ad Kc / 2c 3c -> (iv)
        2d Ac / 2c 3c -> (iv)
        9d Tc / 2c 3c -> (iv)
        Ad Qd / 2c 3c -> -
        Kd 2d / 2c 3c -> -";
    blackjack(WagerId::HouseMoney, "single", "13.A(11)(a)", house);
    blackjack(WagerId::HouseMoney, "multiple", "13.A(11)(b)", house);
}

#[test]
fn super_match_reads_both_hands_of_a_switch_box() {
    let lines = |first: &str, second: &str| {
        let four = Deal { second_hand: Some(two(second)), ..deal(first, "2c 3c") };
        winning_lines(Game::Blackjack, WagerId::SuperMatch, "8-deck", &four, &usual())
    };
    assert_eq!(lines("7d 7h", "7c 7d"), ["13.A(10)(b)(i)"]);
    assert_eq!(lines("7d 9h", "9c 7d"), ["13.A(10)(b)(ii)"]);
    assert_eq!(lines("7d 9h", "7c 7h"), ["13.A(10)(b)(iii)"]);
    assert_eq!(lines("7d 9h", "7c 8h"), ["13.A(10)(b)(iv)"]);
    assert!(lines("Td Jh", "Qc Kh").is_empty());
}

#[test]
fn three_cards_as_a_poker_hand() {
    let common = "
        2d 4d / 3d 9c -> (a)
        3d Ad / 2d 9c -> (a)
        9d 9d / 9d 9c -> (b)
        9d 9h / 9c 9c -> (b)
        2d 4h / 3d 9c -> (c)
        Jd Kh / Qd 9c -> (c)
        2d Kd / 7d 9c -> (d)
        2d 2d / 7d 9c -> (d)
        2d 2h / 7d 9c -> -
        Kd 2h / Ad 9c -> -";
    let ace_high = "
        Kd Qd / Ad 9c -> (a)
        Kd Qh / Ad 9c -> (c)";
    let ace_low_only = "
        Kd Qd / Ad 9c -> (d)
        Kd Qh / Ad 9c -> -";
    for (paytable, section) in [("A", "13.D(1)"), ("B", "13.D(2)")] {
        blackjack(WagerId::ThreeCardPoker, paytable, section, common);
        blackjack(WagerId::ThreeCardPoker, paytable, section, ace_high);
        let low = SlowOptions { ace_high_straight: false, ..usual() };
        check(Game::Blackjack, WagerId::ThreeCardPoker, paytable, &low, section, common);
        check(Game::Blackjack, WagerId::ThreeCardPoker, paytable, &low, section, ace_low_only);
        check(Game::Blackjack, WagerId::Trilux, "-", &low, "13.A(13)", ace_high);
    }
    blackjack(WagerId::Trilux, "-", "13.A(13)", common);
    let plus_three = "
        Ad Ad / Ad 9c -> (a)
        9d 9d / 9d 9c -> (b)
        Ad Kd / Qd 9c -> (c)
        Ad 2d / 3d 9c -> (c)
        Ad Ah / Ac 9c -> (d)
        Ad Kd / Qh 9c -> (e)
        Ad Kd / 9d 9c -> (f)
        Kd 2d / Ah 9c -> -";
    blackjack(WagerId::TwentyOnePlusThree, "A", "13.V(1)", plus_three);
    let top = "
        9d 9d / 9d 9c -> (a)
        Ad Kd / Qd 9c -> (b)
        Ad 2d / 3d 9c -> (b)
        9d 9h / 9d 9c -> (c)
        2d 3h / 4d 9c -> -
        2d 3d / 9d 9c -> -";
    blackjack(WagerId::Top3, "A", "13.X(1)", top);
    blackjack(WagerId::Top3, "B", "13.X(2)", top);
}

#[test]
fn lucky_lucky_counts_an_ace_either_way() {
    let table = "
        7d 7d / 7d 2c -> (a)
        8d 7d / 6d 2c -> (b)
        7d 7h / 7d 2c -> (c)
        6d 7h / 8d 2c -> (d)
        Ad Kd / Kd 2c -> (e)
        5d 6d / Td 2c -> (e)
        Ad 5h / 5d 2c -> (f)
        Ah Ad / 9d 2c -> (f)
        Ad Kd / 9h 2c -> (g)
        Kd 9h / Ad 2c -> (g)
        As 6d / 3d 2c -> (g)
        As 6d / 2d 2c -> (h)
        Td 7h / 2d 2c -> (h)
        Td 8h / 4d 2c -> -
        Td 6h / 2d 2c -> -";
    blackjack(WagerId::LuckyLucky, "A", "13.E(1)", table);
    blackjack(WagerId::LuckyLucky, "C", "13.E(3)", table);
}

#[test]
fn super_4_asks_for_a_dealer_blackjack_or_an_ace_up() {
    let table_a = "
        Kd Qd / Ad Jd -> (a)
        Kd Qd / Jd Ad -> (a)
        Ks Qs / As Js -> (b)
        Ks Kd / Ah Kh -> (c)
        As As / As Ks -> (c)
        Kd Qs / Ad Jd -> (d)
        2d 9d / Ad Jd -> (e)
        Ad Jd / Ad Jd -> (e)
        Ad Jh / Ac Jd -> (f)
        2d 9h / Ad Jd -> (g)
        Ah 9h / Ad Jd -> (g)
        2c 9s / Ac Jc -> (h)
        2c 2h / Ac Jc -> (i)
        2c 9h / Ac Jc -> (j)
        2c 9h / Jc Ac -> (j)
        2c 9h / Ac 9c -> (k)
        Kd Qd / Ad 9d -> (k)
        Kd Qd / Jd 9d -> -
        Kd Qd / 9d Ad -> -";
    blackjack(WagerId::Super4, "A", "13.H(1)", table_a);
    blackjack(WagerId::Super4, "C", "13.H(3)", table_a);
    let table_d = "
        Ks Qs / As Js -> (a)
        Kd Qd / Ad Jd -> (b)
        Ks Kd / Ah Kh -> (d)
        Kd Qs / Ad Jd -> (e)
        2d 9d / Ad Jd -> (f)
        Ad Jh / Ac Jd -> (g)
        2c 9s / Ac Jc -> (h)
        2d 9h / Ad Jd -> (i)
        2c 2h / Ac Jc -> (j)
        2c 9h / Ac Jc -> (k)
        2c 9h / Ac 9c -> (l)
        2c 9h / 9c 9c -> -";
    let spade_star = SlowOptions { star_suit: Suit::Spades, ..usual() };
    check(Game::Blackjack, WagerId::Super4, "D", &spade_star, "13.H(4)", table_d);
}

#[test]
fn upcard_luck_blazing_sevens_and_lucky_aces() {
    let upcard = "
        As Js / 2c 3c -> (a)
        As Jd / 7c 3c -> (b)
        As Ts / 7c 3c -> (b)
        5d 4d / 7c 3c -> (c)
        9d 2d / 7c 3c -> (c)
        Ad 7d / 7c 3c -> (d)
        Td Kd / 7c 3c -> (d)
        Ad Ah / 7c 3c -> -
        Td 7d / 7c 3c -> -
        5d 3d / 7c 3c -> -
        As Js / 8c 3c -> -
        As Js / Ac 3c -> -";
    blackjack(WagerId::UpcardLuck21, "A", "13.N(1)", upcard);
    let sevens = "
        7d 7d / 7d 3c -> (a)
        7h 7h / 7h 3c -> (b)
        7c 7c / 7c 3c -> (b)
        7d 7h / 7d 3c -> (c)
        7c 7s / 7c 3c -> (c)
        7c 7h / 7c 3c -> (d)
        7c 2h / 7c 3c -> (e)
        7c 2h / 8c 7c -> (f)
        2c 2h / 7c 3c -> (f)
        2c 2h / 8c 7c -> -";
    blackjack(WagerId::Blazing7s, "A", "13.R(1)", sevens);
    let aces = "
        Ad Ad / Ad Ad -> (i)
        Ad Ah / Ac As -> (i)
        Ad 2h / Ad Ad -> (ii)
        Ad 2h / Ad Ac -> (iii)
        Ad Ad / 2c 2c -> (iv)
        9d Ad / 2c Ac -> (v)
        9d 3d / Ad 2c -> (vi)
        9d 3d / 2c As -> (vii)
        9d 3d / 2c 2c -> -";
    blackjack(WagerId::LuckyAces, "A", "13.A(12)(a)", aces);
    blackjack(WagerId::LuckyAces, "B", "13.A(12)(b)", aces);
}

#[test]
fn insurance_in_each_game() {
    blackjack(WagerId::Insurance, "-", "13.A", "2c 3c / Ad Tc -> (3)\n2c 3c / Td Ac -> -\n2c 3c / Ad 9c -> -");
    let plain = "2c 3c / Ad Kd -> (3)\n2c 3c / Ad 9c -> -";
    check(Game::Spanish21, WagerId::Insurance, "-", &usual(), "12.A", plain);
    check(Game::Pontoon21, WagerId::Insurance, "-", &usual(), "12.A", plain);
    let suited = "2c 3c / Ad Kd -> (4)\n2c 3c / Ad Kh -> (3)\n2c 3c / Ad 9d -> -";
    check(Game::PlayersEdge21, WagerId::Insurance, "-", &usual(), "12.A", suited);
}

#[test]
fn the_dealers_hand_is_counted() {
    let bad_beat = "
        Td Kd / Ac Kc -> (1)(f)
        Td Kd / 9c 9d 3d -> (1)(e)
        Td Kd / 9c 2d 2c 8d -> (1)(d)
        Td Kd / 5c 2d 2c 3d 9d -> (1)(c)
        Td Kd / 2c 2d 2c 3d 3h 9d -> (1)(b)
        Td Kd / 2c 2d 2c 2d 3h 3d 7c -> (1)(a)
        Td Kd / 2c 2d 2c 2d 2h 2d Ac 8c -> (1)(a)
        Td Kd / 9c 9d -> (2)
        Td Kd / 9c 6d Tc -> (2)
        Td 9d / Ac Kc -> -
        Ad Kd / Ac Kc -> -";
    blackjack(WagerId::BadBeat, "-", "13.B", bad_beat);
    let run = "
        2c 3c / Ac Kc -> (5)
        2c 3c / 9c 9d 3d -> -
        2c 3c / 9c 2d 2c 8d -> -
        2c 3c / 5c 2d 2c 3d 9d -> (4)
        2c 3c / 2c 2d 2c 3d 3h 9d -> (3)
        2c 3c / 2c 2d 2c 2d 3h 3d 7c -> (2)
        2c 3c / 2c 2d 2c 2d 2h 2d 3c 5c -> (1)
        2c 3c / 2c 2d 2c 2d 2h 2d Ac Ac 5c -> (1)";
    blackjack(WagerId::HitAndRun, "-", "13.F", run);
    blackjack(WagerId::HitAndRun, "-", "13.F", "2c 3c / 5c 2d 2c 3d Td -> (4)");
    let standing_only = SlowOptions { busted_hands_count: false, ..usual() };
    check(Game::Blackjack, WagerId::HitAndRun, "-", &standing_only, "13.F", run);
    check(Game::Blackjack, WagerId::HitAndRun, "-", &standing_only, "13.F", "2c 3c / 5c 2d 2c 3d Td -> -");
    let bust = "
        2c 3c / 9c 6d Tc -> (f)
        2c 3c / 9c 2d 2c Td -> (e)
        2c 3c / 5c 2d 2c 3d Td -> (d)
        2c 3c / 2c 2d 2c 3d 3h Td -> (c)
        2c 3c / 2c 2d 2c 2d 3h 3d 8c -> (b)
        2c 3c / 2c 2d 2c 2d 2h 2d 4c 8c -> (a)
        2c 3c / 9c 9d 3d -> -
        2c 3c / Ac Kc -> -";
    blackjack(WagerId::BusterBlackjack, "A", "13.O(1)", bust);
    blackjack(WagerId::BusterBlackjack, "F", "13.O(6)", bust);
    let free = "
        Ac Kd / 2c 2d 2c 2d 2h 2d 4c 8c -> (a)
        Ac Kd / 2c 2d 2c 2d 3h 3d 8c -> (b)
        Ac Kd / 2c 2d 2c 3d 3h Td -> -
        Ac 9d / 2c 2d 2c 2d 3h 3d 8c -> -
        Ac Kd / 2c 2d 2c 2d 3h 3d 7c -> -";
    blackjack(WagerId::BusterBlackjackFreeBonus, "B", "13.P(2)", free);
    let too_small = Deal { stake: Cents(499), ..deal("Ac Kd", "2c 2d 2c 2d 3h 3d 8c") };
    let lines = winning_lines(Game::Blackjack, WagerId::BusterBlackjackFreeBonus, "B", &too_small, &usual());
    assert!(lines.is_empty());
}

#[test]
fn bad_beat_follows_the_final_total_and_pays_its_bonuses_besides() {
    let drawn = Deal { final_total: 20, ..deal("5d 7d", "Ac Kc") };
    assert_eq!(winning_lines(Game::Blackjack, WagerId::BadBeat, "-", &drawn, &usual()), ["13.B(1)(f)"]);
    let bust = Deal { final_total: 25, ..deal("Td 5d", "Ac Kc") };
    assert!(winning_lines(Game::Blackjack, WagerId::BadBeat, "-", &bust, &usual()).is_empty());
    let magic = Card::new(Rank::Five, Suit::Diamonds);
    assert_eq!(bad_beat_bonuses(&drawn, Some(magic), true), ["13.B(3)", "13.B(4)"]);
    assert!(bad_beat_bonuses(&drawn, Some(Card::new(Rank::Five, Suit::Clubs)), false).is_empty());
}

#[test]
fn what_turns_the_wheels() {
    let spins = |game, paytable: &str, player: &str, cents| {
        let deal = Deal { stake: Cents(cents), ..deal(player, "2c 3c") };
        winning_lines(game, WagerId::BonusSpin, paytable, &deal, &usual())
    };
    assert_eq!(spins(Game::Blackjack, "B", "Ac Kd", 100), ["13.Q(2)"]);
    assert_eq!(spins(Game::Blackjack, "D", "Ac Ad", 500), ["13.Q(4)"]);
    assert!(spins(Game::Blackjack, "B", "Ac Ad", 100).is_empty());
    assert!(spins(Game::Blackjack, "D", "Kc Kd", 500).is_empty());
    assert_eq!(spins(Game::Pontoon21, "A", "Ac Kd", 110), ["12.D(1)"]);
    assert_eq!(spins(Game::Pontoon21, "C", "Kd Ac", 500), ["12.D(3)"]);
    assert!(spins(Game::Pontoon21, "C", "Ac 9d", 500).is_empty());
    assert!(spins(Game::Pontoon21, "A", "Ac Kd", 100).is_empty());
    let xtreme = "
        2c 3c / 6d Kc 2c -> (1)
        2c 3c / Jd 6c 2c -> (1)
        2c 3c / 6d 9c 2c -> -
        2c 3c / 6d 2c Kc -> -
        6c Kc / 7d Kc 2c -> -";
    check(Game::Pontoon21, WagerId::BonusSpinXtreme, "A", &usual(), "12.E", xtreme);
}

#[test]
fn each_wager_settles_at_its_moment() {
    use Moment::{AfterReader, BeforeInsurance, DealerComplete, Reveal, TurnToBePaid};
    let table = [
        (WagerId::LuckyLadies, "Qh Qh", "Ad 9c 2d", AfterReader),
        (WagerId::LuckyLadies, "Qh Qh", "Td Ac", AfterReader),
        (WagerId::LuckyLadies, "Qh Qh", "9d Tc", BeforeInsurance),
        (WagerId::LuckyLadies, "Qh Qd", "Ad Tc", BeforeInsurance),
        (WagerId::KingsBounty, "Ks Ks", "Ad Tc", AfterReader),
        (WagerId::KingsBounty, "Qh Qh", "Ad Tc", BeforeInsurance),
        (WagerId::RoyalMatch21, "Ks Qs", "Kd Qd", Reveal),
        (WagerId::RoyalMatch21, "Ks Qs", "Qd Tc", Reveal),
        (WagerId::RoyalMatch21, "Ks Qs", "Jd Tc", BeforeInsurance),
        (WagerId::RoyalMatch21, "Ks Js", "Kd Qd", BeforeInsurance),
        (WagerId::Super4, "Ks Qs", "9d Ac", BeforeInsurance),
        (WagerId::Super4, "Ks Qs", "Ad 9c", AfterReader),
        (WagerId::Super4, "Ks Qs", "Td 9c", AfterReader),
        (WagerId::Super4, "Ks Qs", "Ad Tc", Reveal),
        (WagerId::LuckyAces, "Ks Qs", "9d 8c", Reveal),
        (WagerId::BonusSpinXtreme, "Ks Qs", "6d Kc", Reveal),
        (WagerId::MatchUp, "Ks Qs", "Kd Qc", BeforeInsurance),
        (WagerId::MatchDown, "Ks Qs", "Kd Qc", DealerComplete),
        (WagerId::MonsterMatch, "Ks Qs", "Kd Ac", DealerComplete),
        (WagerId::BadBeat, "Ks Qs", "Kd Ac", DealerComplete),
        (WagerId::HitAndRun, "Ks Qs", "Kd Ac", DealerComplete),
        (WagerId::BusterBlackjack, "Ks Qs", "Kd 9c", DealerComplete),
        (WagerId::BonusSpin, "Ks As", "Kd 9c", TurnToBePaid),
        (WagerId::Insurance, "Ks As", "Ad 9c", AfterReader),
    ];
    for (wager, player, dealer, moment) in table {
        assert_eq!(settles_when(wager, &deal(player, dealer)), moment, "{wager}: {player} / {dealer}");
    }
}
