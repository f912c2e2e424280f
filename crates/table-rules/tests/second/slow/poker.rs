//! Wagers on three or four cards as a poker hand: Three Card Poker, 21+3, Top 3, Trilux, Super Match, Super 4 and
//! Monster Match.

use table_rules::card::{Card, Rank, Suit};

use super::hands::{all_black, all_red, groups, largest_group, same_color, same_rank, same_suit, sorted_ranks};
use super::{Deal, NUMBERS, SIX_OR_EIGHT_DECKS, SlowOptions, lost, printed, row, row_of};

/// Three cards in sequence. A-2-3 always is one; A-Q-K where the wager allows it; no sequence goes round the ace.
fn is_straight(cards: &[Card; 3], ace_high: bool) -> bool {
    use Rank::{Ace, Eight, Five, Four, Jack, King, Nine, Queen, Seven, Six, Ten, Three, Two};
    let ranks = sorted_ranks(cards);
    let always = [
        [Ace, Two, Three],
        [Two, Three, Four],
        [Three, Four, Five],
        [Four, Five, Six],
        [Five, Six, Seven],
        [Six, Seven, Eight],
        [Seven, Eight, Nine],
        [Eight, Nine, Ten],
        [Nine, Ten, Jack],
        [Ten, Jack, Queen],
        [Jack, Queen, King],
    ];
    always.iter().any(|straight| ranks == straight) || (ace_high && ranks == [Ace, Queen, King])
}

/// The highest of straight flush, three of a kind, straight, flush (W15), by its place in that order.
fn four_line_poker(cards: &[Card; 3], ace_high: bool) -> Option<usize> {
    let straight = is_straight(cards, ace_high);
    let flush = same_suit(cards);
    [straight && flush, same_rank(cards), straight, flush].into_iter().position(|holds| holds)
}

/// 13.D, with B5.
pub(crate) fn three_card_poker(paytable: &str, deal: &Deal, options: &SlowOptions) -> Vec<String> {
    match four_line_poker(&deal.three_cards(), options.ace_high_straight) {
        Some(place) => row_of("13.D", printed(paytable, &NUMBERS[..2]), ["(a)", "(b)", "(c)", "(d)"][place]),
        None => lost(),
    }
}

/// 13.A(13), with 6.G(22): the ace is low and high.
pub(crate) fn trilux(deal: &Deal) -> Vec<String> {
    match four_line_poker(&deal.three_cards(), true) {
        Some(place) => row_of("13.A(13)", ["(a)", "(b)", "(c)", "(d)"][place], ""),
        None => lost(),
    }
}

/// 13.V, with 6.G(20): the ace is low and high.
pub(crate) fn twenty_one_plus_three(deal: &Deal) -> Vec<String> {
    let cards = deal.three_cards();
    let straight = is_straight(&cards, true);
    let suited = same_suit(&cards);
    let three_of_a_kind = same_rank(&cards);
    if three_of_a_kind && suited && cards[0].rank() == Rank::Ace {
        row("13.V(1)(a)")
    } else if three_of_a_kind && suited {
        row("13.V(1)(b)")
    } else if straight && suited {
        row("13.V(1)(c)")
    } else if three_of_a_kind {
        row("13.V(1)(d)")
    } else if straight {
        row("13.V(1)(e)")
    } else if suited {
        row("13.V(1)(f)")
    } else {
        lost()
    }
}

/// 13.X, with W4.
pub(crate) fn top_3(paytable: &str, deal: &Deal) -> Vec<String> {
    let cards = deal.three_cards();
    let line = if same_rank(&cards) && same_suit(&cards) {
        "(a)"
    } else if is_straight(&cards, true) && same_suit(&cards) {
        "(b)"
    } else if same_rank(&cards) {
        "(c)"
    } else {
        return lost();
    };
    row_of("13.X", printed(paytable, &NUMBERS[..2]), line)
}

/// 13.A(10): the first four cards of a Switch box.
pub(crate) fn super_match(paytable: &str, deal: &Deal) -> Vec<String> {
    let second = deal.second_hand.expect("Super Match is a wager of Switch: the box has two hands");
    let cards = [deal.player[0], deal.player[1], second[0], second[1]];
    let line = match groups(&cards)[..] {
        [4] => "(i)",
        [2, 2] => "(ii)",
        [3, 1] => "(iii)",
        [2, 1, 1] => "(iv)",
        _ => return lost(),
    };
    row_of("13.A(10)", printed(paytable, &SIX_OR_EIGHT_DECKS), line)
}

/// 13.H, with B11 and W7. Paytable D has no (c) and names black before red (B3).
pub(crate) fn super_4(paytable: &str, deal: &Deal, options: &SlowOptions) -> Vec<String> {
    let number = printed(paytable, &NUMBERS[..4]);
    let is_d = paytable == "D";
    let line = |a_to_c: &str, d: &str| row_of("13.H", number, if is_d { d } else { a_to_c });
    if !deal.dealer_has_blackjack() {
        return if deal.up().rank() == Rank::Ace { line("(k)", "(l)") } else { lost() };
    }
    let cards = deal.four_cards();
    let suited = same_suit(&cards);
    let straight = sorted_ranks(&cards) == [Rank::Ace, Rank::Jack, Rank::Queen, Rank::King];
    let sizes = groups(&cards);
    if straight && suited {
        let top_suit = if is_d { options.star_suit } else { Suit::Diamonds };
        if cards[0].suit() == top_suit { line("(a)", "(a)") } else { line("(b)", "(b)") }
    } else if sizes[0] == 3 {
        line("(c)", "(d)")
    } else if straight {
        line("(d)", "(e)")
    } else if suited {
        line("(e)", "(f)")
    } else if sizes == [2, 2] {
        line("(f)", "(g)")
    } else if all_red(&cards) {
        line("(g)", "(i)")
    } else if all_black(&cards) {
        line("(h)", "(h)")
    } else if sizes[0] == 2 {
        line("(i)", "(j)")
    } else {
        line("(j)", "(k)")
    }
}

/// players-edge-21 12.D, with W12.
pub(crate) fn monster_match(paytable: &str, deal: &Deal) -> Vec<String> {
    let cards = deal.four_cards();
    let matching = largest_group(&cards);
    let line = match matching.len() {
        4 if same_suit(&matching) => "(a)",
        4 if same_color(&matching) => "(b)",
        4 => "(c)",
        3 if same_color(&matching) => "(d)",
        3 => "(e)",
        _ if has_suited_pair(&cards) => "(f)",
        _ => return lost(),
    };
    row_of("12.D", printed(paytable, &NUMBERS[..5]), line)
}

/// Two cards of the same rank and suit anywhere among the four.
fn has_suited_pair(cards: &[Card; 4]) -> bool {
    (0..4).any(|one| (0..one).any(|other| cards[one] == cards[other]))
}
