//! One test a refusal of the table's own options.

use super::*;
use crate::money::{Cents, Rounding};
use crate::table::*;

use Game::{Blackjack, PlayersEdge21, Pontoon21, Spanish21};

const SISTER_GAMES: [Game; 3] = [Spanish21, Pontoon21, PlayersEdge21];

#[test]
fn every_game_has_its_deck_counts() {
    for (game, legal) in [
        (Blackjack, &[1, 2, 3, 4, 5, 6, 7, 8][..]),
        (Spanish21, &[6, 8]),
        (Pontoon21, &[6, 8]),
        (PlayersEdge21, &[5, 6, 8]),
    ] {
        for decks in -1..=9_i64 {
            let (text, _) = changed(game, "decks", &decks.to_string());
            assert_eq!(check(&text).table.is_ok(), legal.contains(&decks), "{game} {decks}");
        }
    }
    refused_change(Blackjack, "decks", "0", "blackjack 3.A", "at least one deck");
    refused_change(Blackjack, "decks", "9", "blackjack H7", "up to 8 decks");
    refused_change(Spanish21, "decks", "5", "spanish-21 3.A", "six or eight decks, not 5");
    refused_change(Pontoon21, "decks", "7", "pontoon-21 3.A", "six or eight decks, not 7");
    refused_change(PlayersEdge21, "decks", "4", "players-edge-21 3.A", "five, six or eight decks, not 4");
}

#[test]
fn positions_stay_within_the_layout() {
    refused_change(Blackjack, "positions", "8", "blackjack 2.A", "1 to 7 betting positions, not 8");
    refused_change(Pontoon21, "positions", "9", "pontoon-21 2.A", "1 to 8 betting positions, not 9");
    for game in Game::ALL {
        let (text, line) = changed(game, "positions", "0");
        let text = change(&text, "adjacent_boxes", "1").0;
        refused(&text, line, &format!("{game} 2.A"), "not 0");
    }
}

#[test]
fn a_player_plays_at_most_the_boxes_there_are() {
    for (game, above) in [(Blackjack, 8), (Spanish21, 8), (Pontoon21, 9), (PlayersEdge21, 8)] {
        refused_change(game, "adjacent_boxes", &above.to_string(), &format!("{game} 6.H"), &format!("not {above}"));
        refused_change(game, "adjacent_boxes", "0", &format!("{game} 6.H"), "not 0");
    }
    let (text, _) = changed(Blackjack, "positions", "2");
    let line = line_of(&text, "adjacent_boxes");
    refused(&text, line, "blackjack 6.H", "all 2 positions");
}

#[test]
fn the_sister_games_dealers_have_no_choice_on_soft_17() {
    refused_change(Spanish21, "soft_17", "\"hits\"", "spanish-21 7.M", "always stands");
    refused_change(Pontoon21, "soft_17", "\"hits\"", "pontoon-21 7.M", "always stands");
    refused_change(PlayersEdge21, "soft_17", "\"stands\"", "players-edge-21 P8", "always hits");
    assert_eq!(table(&changed(PlayersEdge21, "soft_17", "\"hits\"").0).soft_17, Soft17::Hits);
    assert_eq!(table(&changed(Blackjack, "soft_17", "\"hits\"").0).soft_17, Soft17::Hits);
}

#[test]
fn only_blackjack_may_pay_six_to_five() {
    for game in SISTER_GAMES {
        refused_change(game, "blackjack_pays", "\"6 to 5\"", &format!("{game} 12.A(2)"), "pays 3 to 2");
        assert!(check(&changed(game, "blackjack_pays", "\"3 to 2\"").0).table.is_ok());
    }
    assert_eq!(table(&changed(Blackjack, "blackjack_pays", "\"6 to 5\"").0).blackjack_pays, BlackjackPays::SixToFive);
}

#[test]
fn only_blackjack_may_offer_even_money() {
    for game in SISTER_GAMES {
        refused_change(game, "even_money", "true", &format!("{game} 8.A"), "for Blackjack alone");
        assert!(!table(&changed(game, "even_money", "false").0).even_money);
    }
    assert!(!table(&without(Blackjack, "even_money")).even_money, "only if the submission says so (8.F)");
}

#[test]
fn only_players_edge_21_may_offer_double_double() {
    refused_change(Blackjack, "double_double", "true", "blackjack B1", "for Player's Edge 21 alone");
    refused_change(Spanish21, "double_double", "true", "spanish-21 10.A", "for Player's Edge 21 alone");
    refused_change(Pontoon21, "double_double", "true", "pontoon-21 10.A", "for Player's Edge 21 alone");
    assert!(!table(&without(PlayersEdge21, "double_double")).double_double, "only if the submission says so (10.I)");
}

#[test]
fn only_players_edge_21_may_ask_for_exactly_seven_cards() {
    refused_change(Blackjack, "seven_card_21", "\"exactly\"", "blackjack B1", "no bonus");
    refused_change(Spanish21, "seven_card_21", "\"exactly\"", "spanish-21 12.B(9)", "seven cards or more");
    refused_change(Pontoon21, "seven_card_21", "\"exactly\"", "pontoon-21 12.B(9)", "seven cards or more");
    assert_eq!(table(&changed(PlayersEdge21, "seven_card_21", "\"exactly\"").0).seven_card_21, SevenCard21::Exactly);
    assert_eq!(table(&without(PlayersEdge21, "seven_card_21")).seven_card_21, SevenCard21::OrMore);
}

#[test]
fn splits_are_counted_within_what_a_box_can_hold() {
    for game in Game::ALL {
        refused_change(game, "max_splits", "8", &format!("{game} 11.D"), "from 0 to 7, not 8");
        refused_change(game, "max_splits", "-1", &format!("{game} 11.D"), "from 0 to 7, not -1");
        refused_change(game, "max_ace_splits", "8", &format!("{game} 11.D"), "from 0 to 7, not 8");
        refused_change(game, "max_ace_splits", "4", &format!("{game} 11.D"), "aces may be split 4 times");
    }
    let no_splits = change(&changed(Blackjack, "max_splits", "0").0, "max_ace_splits", "0").0;
    assert_eq!(table(&no_splits).max_splits, 0);
}

#[test]
fn the_smallest_chip_must_be_worth_something() {
    refused_change(Blackjack, "smallest_chip", "0", "blackjack S7", "worth nothing");
    refused_change(Blackjack, "smallest_chip", "0.00", "blackjack S7", "worth nothing");
}

#[test]
fn limits_are_made_of_chips_and_in_order() {
    refused_change(Blackjack, "table_minimum", "0", "blackjack H3", "allows no wager");
    refused_change(
        Spanish21,
        "table_minimum",
        "1.25",
        "spanish-21 H3",
        "chips of $0.50 cannot make the table minimum of $1.25",
    );
    refused_change(
        Pontoon21,
        "table_maximum",
        "\"999.99\"",
        "pontoon-21 H3",
        "cannot make the table maximum of $999.99",
    );
    refused_change(PlayersEdge21, "table_minimum", "1000.50", "players-edge-21 H3", "above the maximum of $1,000");
    let equal = changed(Blackjack, "table_minimum", "1000").0;
    assert_eq!(table(&equal).limits, Limits { minimum: Cents::dollars(1000), maximum: Cents::dollars(1000) });
}

#[test]
fn a_posted_payout_limit_is_kept_for_the_sign() {
    assert_eq!(
        table(&changed(Blackjack, "posted_payout_limit", "25_000").0).posted_payout_limit,
        Some(Cents::dollars(25_000))
    );
    refused_change(Blackjack, "posted_payout_limit", "0", "blackjack 2.B(6)(b)", "nothing is paid");
    refused_change(PlayersEdge21, "posted_payout_limit", "0", "players-edge-21 2.B(5)(b)", "nothing is paid");
}

#[test]
fn required_answers_have_no_default() {
    for key in ["soft_17", "blackjack_pays"] {
        let source = if key == "soft_17" { "blackjack B1" } else { "blackjack 13.A(2)" };
        refused_without(Blackjack, key, source);
    }
    for game in Game::ALL {
        refused_without(game, "decks", &format!("{game} 3.A"));
        refused_without(game, "positions", &format!("{game} 2.A"));
        refused_without(game, "max_splits", &format!("{game} 11.D"));
        refused_without(game, "max_ace_splits", &format!("{game} 11.D"));
        refused_without(game, "adjacent_boxes", &format!("{game} 6.H"));
        refused_without(game, "smallest_chip", &format!("{game} S7"));
        refused_without(game, "table_minimum", &format!("{game} H3"));
        refused_without(game, "table_maximum", &format!("{game} H3"));
    }
    for (game, settlement, reader) in [
        (Blackjack, "B1", "14.K"),
        (Spanish21, "7.R", "13.P"),
        (Pontoon21, "7.R", "13.P"),
        (PlayersEdge21, "7.S", "13.P"),
    ] {
        refused_without(game, "settlement", &format!("{game} {settlement}"));
        refused_without(game, "reader", &format!("{game} {reader}"));
    }
}

#[test]
fn answers_with_a_default_may_be_left_out() {
    let shipped = table(shipped(Spanish21));
    for key in ["shuffler", "house_restrictions", "rounding", "no_mid_shoe_entry", "finish_after_peek"] {
        assert_eq!(table(&without(Spanish21, key)), shipped, "{key}");
    }
}

#[test]
fn every_other_answer_reaches_the_table() {
    let text = changed(Pontoon21, "settlement", "\"pay-and-collect-from-right\"").0;
    let text = change(&text, "rounding", "\"down\"").0;
    let text = change(&text, "no_mid_shoe_entry", "true").0;
    let text = change(&text, "reader", "\"visible-to-players\"").0;
    let text = change(&text, "finish_after_peek", "true").0;
    let text = change(&text, "shuffler", "\"continuous\"").0;
    let table = table(&text);
    assert_eq!(table.settlement, Settlement::PayAndCollectFromRight);
    assert_eq!(table.rounding, Rounding::Down);
    assert!(table.no_mid_shoe_entry && table.finish_after_peek);
    assert_eq!(table.reader, ReaderKind::VisibleToPlayers);
    assert_eq!(table.shuffler, Shuffler::Continuous);
}

#[test]
fn house_restrictions_are_accepted_with_a_warning_each() {
    let (text, line) = changed(Blackjack, "house_restrictions", r#"["no-surrender", "one-card-to-split-aces"]"#);
    let verdict = check(&text);
    let restrictions = verdict.table.expect("accepted").restrictions;
    assert!(restrictions.no_surrender && restrictions.one_card_to_split_aces);
    let about: Vec<_> =
        verdict.warnings.iter().filter(|warning| warning.source.to_string() == "blackjack S11").collect();
    assert_eq!(about.len(), 2);
    assert!(about.iter().all(|warning| warning.place.line as usize == line));
    assert!(about[0].render("t.toml").starts_with(&format!("t.toml:{line}:1: warning: surrender is the player's")));
}

/// Every answer that departs from the letter of a clause, with the clause that its warning names; the other answer of the
/// same key draws none.
#[test]
fn what_departs_from_the_letter_draws_a_warning_that_names_it() {
    let cases = [
        (Blackjack, "rounding", r#""down""#, r#""up""#, "blackjack S8"),
        (Blackjack, "finish_after_peek", "true", "false", "blackjack 14.L"),
        (PlayersEdge21, "seven_card_21", r#""or-more""#, r#""exactly""#, "players-edge-21 P1"),
    ];
    for (game, key, departs, letter, source) in cases {
        let about = |answer: &str| {
            let (text, _) = changed(game, key, answer);
            let warnings = check(&text).warnings;
            warnings.iter().filter(|warning| warning.key == key).map(|w| w.source.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(about(departs), [source], "{key} = {departs}");
        assert!(about(letter).is_empty(), "{key} = {letter}");
    }
}

#[test]
fn variations_are_blackjacks_alone() {
    for (word, clause) in [("switch", "12.A"), ("from-the-hand", "12.B"), ("double-shoe", "7.C"), ("electronic", "B9")]
    {
        for game in SISTER_GAMES {
            refused_change(game, "variation", &format!("\"{word}\""), &format!("blackjack {clause}"), "");
        }
    }
    refused_change(Blackjack, "variation", "\"electronic\"", "blackjack B9", "named by the rules but not described");
    assert!(check(&changed(Spanish21, "variation", "\"standard\"").0).table.is_ok());
}

#[test]
fn switch_has_its_two_readings_and_fewer_splits() {
    let alone = change(&changed(Blackjack, "variation", "\"switch\"").0, "even_money", "false").0;
    refused(&alone, line_of(&alone, "variation"), "blackjack 2.B(5)(a)", "main_wager_areas is missing");
    let (one, line) = change(&alone, "main_wager_areas", "1");
    refused(&one, line, "blackjack 2.B(5)(a)", "two equal wagers, not 1");
    refused_change(Blackjack, "main_wager_areas", "2", "blackjack 2.B(5)(a)", "only with variation = \"switch\"");
    let (switch, line) = change(&change(&alone, "main_wager_areas", "2").0, "even_money", "true");
    refused(&switch, line, "blackjack B8", "no even money to take");
    let switch = change(&switch, "even_money", "false").0;
    let (idle, _) = change(&switch, "house_restrictions", r#"["no-surrender"]"#);
    let warned = check(&idle).warnings;
    assert!(warned.iter().any(|warning| warning.source.to_string() == "blackjack 12.A(4)"), "{}", render(&warned));
    let plain = table(&switch);
    assert_eq!((plain.variation, plain.switch_rules), (Variation::Switch, SwitchRules::default()));
    let other =
        change(&change(&switch, "switch_blackjack", "\"even-money\"").0, "unswitched_blackjack_against_22", "\"win\"")
            .0;
    let rules = table(&other).switch_rules;
    assert_eq!((rules.blackjack, rules.unswitched_against_22), (SwitchBlackjack::EvenMoney, UnswitchedAgainst22::Win));
    let (text, line) = change(&switch, "max_splits", "4");
    refused(&text, line, "blackjack 11.D", "from 0 to 3, not 4");
    refused_change(Blackjack, "switch_blackjack", "\"as-printed\"", "blackjack B8", "only with variation = \"switch\"");
    refused_change(Blackjack, "unswitched_blackjack_against_22", "\"tie\"", "blackjack B8", "only with variation");
}

#[test]
fn from_the_hand_takes_two_decks_in_all_and_a_shuffler() {
    let text = change(&changed(Blackjack, "variation", "\"from-the-hand\"").0, "decks", "1").0;
    refused(&text, line_of(&text, "shuffler"), "blackjack 12.B(2)", "needs an automated shuffler");
    let with = |shuffler: &str, decks: &str| change(&change(&text, "shuffler", shuffler).0, "decks", decks).0;
    assert_eq!(table(&with("\"batch\"", "1")).variation, Variation::FromTheHand);
    assert_eq!(table(&with("\"continuous\"", "2")).decks, 2);
    for (shuffler, decks) in [("\"batch\"", "2"), ("\"continuous\"", "3"), ("\"continuous\"", "0")] {
        let text = with(shuffler, decks);
        refused(&text, line_of(&text, "decks"), "blackjack 12.B(1)", "at most two decks");
    }
}

#[test]
fn a_double_shoe_has_two_equal_sides_and_names_the_red_one() {
    let shoe = changed(Blackjack, "variation", "\"double-shoe\"").0;
    refused(&shoe, line_of(&shoe, "game ="), "blackjack 7.C(1)(b)", "red_suits_side is missing");
    let shoe = change(&shoe, "red_suits_side", "\"right\"").0;
    assert_eq!(table(&shoe).red_suits_side, ShoeSide::Right);
    assert_eq!(table(&change(&shoe, "decks", "16").0).decks, 16);
    for decks in ["1", "5", "18", "0"] {
        let (text, line) = change(&shoe, "decks", decks);
        refused(&text, line, "blackjack 3.C", "as many decks on one side as on the other");
    }
    refused_change(
        Blackjack,
        "red_suits_side",
        "\"left\"",
        "blackjack 7.C(1)(b)",
        "only with variation = \"double-shoe\"",
    );
}
