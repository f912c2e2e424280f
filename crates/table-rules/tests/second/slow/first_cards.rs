//! Wagers on the first cards by rank, suit and total: the Match wagers, Lucky Ladies, In Between, Royal Match 21, Bet
//! the Set 21, King's Bounty, House Money, Lucky Lucky, Upcard Luck 21, Blazing 7s and Lucky Aces.

use table_rules::card::{Card, Rank, Suit};
use table_rules::game::Game;
use table_rules::wager::WagerId;

use super::hands::{
    counts_ten, every_total, is_blackjack, is_royal_match, same_color, same_rank, same_suit, sorted_ranks, total,
};
use super::{
    CrownTreasure, Deal, LETTERS, NUMBERS, ONE_OR_MORE_DECKS, SIX_OR_EIGHT_DECKS, SlowOptions, lost, printed, row,
    row_of,
};

/// Match-the-Dealer (blackjack 13.A(5), spanish-21 12.A(4)) and Match Super Bonus (pontoon-21 12.A(4)): every one of
/// the two cards that has the up card's rank is paid by itself, a jack matching only a jack (S4).
pub(crate) fn each_match(game: Game, wager: WagerId, paytable: &str, deal: &Deal) -> Vec<String> {
    let section = match (game, wager) {
        (Game::Blackjack, WagerId::MatchTheDealer) => "13.A(5)",
        (Game::Spanish21, WagerId::MatchTheDealer) | (Game::Pontoon21, WagerId::MatchSuperBonus) => "12.A(4)",
        (_, _) => panic!("{game} has no {wager}"),
    };
    let decks = printed(paytable, &SIX_OR_EIGHT_DECKS);
    let mut lines = Vec::new();
    for card in deal.player {
        if card == deal.up() {
            lines.extend(row_of(section, decks, "(i)"));
        } else if card.rank() == deal.up().rank() {
            lines.extend(row_of(section, decks, "(ii)"));
        }
    }
    lines.sort();
    lines
}

/// Match-Up and Match-Down, players-edge-21 12.A(5): one row for what the two cards match together.
pub(crate) fn match_count(paytable: &str, player: [Card; 2], against: Card) -> Vec<String> {
    let suited = player.iter().filter(|card| **card == against).count();
    let of_rank = player.iter().filter(|card| card.rank() == against.rank()).count();
    let unsuited = of_rank - suited;
    let line = match (suited, unsuited) {
        (2, 0) => "(i)",
        (1, 1) => "(ii)",
        (1, 0) => "(iii)",
        (0, 2) => "(iv)",
        (0, 1) => "(v)",
        _ => return lost(),
    };
    row_of("12.A(5)", printed(paytable, &LETTERS[..3]), line)
}

/// 13.A(4), with 1.B(1), (13) and (21), and W2.
pub(crate) fn lucky_ladies(paytable: &str, deal: &Deal) -> Vec<String> {
    if total(&deal.player) != 20 {
        return lost();
    }
    let [first, second] = deal.player;
    let queen_of_hearts = Card::new(Rank::Queen, Suit::Hearts);
    let line = if first == queen_of_hearts && second == queen_of_hearts {
        if deal.dealer_has_blackjack() { "(i)" } else { "(ii)" }
    } else if first == second {
        "(iii)"
    } else if first.suit() == second.suit() {
        "(iv)"
    } else {
        "(v)"
    };
    row_of("13.A(4)", printed(paytable, &LETTERS[..2]), line)
}

/// 13.A(6), with 1.B(23) and W1: the ace is high, and only an up card strictly between the two cards wins, apart from
/// three of one rank.
pub(crate) fn in_between(deal: &Deal) -> Vec<String> {
    if same_rank(&deal.three_cards()) {
        return row("13.A(6)(a)");
    }
    let mut places = [place_ace_high(deal.player[0]), place_ace_high(deal.player[1])];
    places.sort();
    let [low, high] = places;
    let up = place_ace_high(deal.up());
    if !(low < up && up < high) {
        return lost();
    }
    match high - low - 1 {
        1 => row("13.A(6)(b)"),
        2 => row("13.A(6)(c)"),
        3 => row("13.A(6)(d)"),
        _ => row("13.A(6)(e)"),
    }
}

fn place_ace_high(card: Card) -> usize {
    let order = [
        Rank::Two,
        Rank::Three,
        Rank::Four,
        Rank::Five,
        Rank::Six,
        Rank::Seven,
        Rank::Eight,
        Rank::Nine,
        Rank::Ten,
        Rank::Jack,
        Rank::Queen,
        Rank::King,
        Rank::Ace,
    ];
    order.into_iter().position(|rank| rank == card.rank()).expect("every rank is in the order")
}

/// 13.A(7), with 1.B(4), (15) and (19), and B6.
pub(crate) fn royal_match(paytable: &str, deal: &Deal, options: &SlowOptions) -> Vec<String> {
    let letter = printed(paytable, &LETTERS[..5]);
    let line = |line: &str| row_of("13.A(7)", letter, line);
    let player_royal = is_royal_match(deal.player);
    let dealer_royal = is_royal_match(deal.dealer_first_two());
    if player_royal && dealer_royal {
        match options.crown_treasure {
            CrownTreasure::Line => line("(iii)"),
            CrownTreasure::Additional => [line("(i)"), line("(iii)")].concat(),
        }
    } else if player_royal {
        line("(i)")
    } else if same_suit(&deal.player) {
        line("(ii)")
    } else {
        lost()
    }
}

/// 13.A(8), with 1.B(14) and (20). Paytable A is one row by itself: one deck holds no suited pair.
pub(crate) fn bet_the_set(paytable: &str, deal: &Deal) -> Vec<String> {
    if !same_rank(&deal.player) {
        return lost();
    }
    let suited = same_suit(&deal.player);
    match paytable {
        "A" => row("13.A(8)(a)"),
        _ => row_of("13.A(8)", printed(paytable, &LETTERS[1..4]), if suited { "(i)" } else { "(ii)" }),
    }
}

/// 13.A(9), with W2.
pub(crate) fn kings_bounty(deal: &Deal) -> Vec<String> {
    if total(&deal.player) != 20 {
        return lost();
    }
    let [first, second] = deal.player;
    let king_of_spades = Card::new(Rank::King, Suit::Spades);
    let pair_of_kings = first.rank() == Rank::King && second.rank() == Rank::King;
    if first == king_of_spades && second == king_of_spades {
        if deal.dealer_has_blackjack() { row("13.A(9)(a)") } else { row("13.A(9)(b)") }
    } else if first == second && pair_of_kings {
        row("13.A(9)(c)")
    } else if first == second {
        // Two identical cards of 20 points that are not kings: queens, jacks or tens.
        row("13.A(9)(d)")
    } else if same_suit(&deal.player) {
        row("13.A(9)(e)")
    } else if pair_of_kings {
        row("13.A(9)(f)")
    } else {
        row("13.A(9)(g)")
    }
}

/// 13.A(11), with W3: an ace goes with a 2 and with a king.
pub(crate) fn house_money(paytable: &str, deal: &Deal) -> Vec<String> {
    let ranks = sorted_ranks(&deal.player);
    let suited = same_suit(&deal.player);
    let straight = is_two_card_straight(&ranks);
    let line = if suited && ranks == [Rank::Ace, Rank::King] {
        "(i)"
    } else if suited && straight {
        "(ii)"
    } else if same_rank(&deal.player) {
        "(iii)"
    } else if straight {
        "(iv)"
    } else {
        return lost();
    };
    row_of("13.A(11)", printed(paytable, &ONE_OR_MORE_DECKS), line)
}

fn is_two_card_straight(sorted: &[Rank]) -> bool {
    use Rank::{Ace, Eight, Five, Four, Jack, King, Nine, Queen, Seven, Six, Ten, Three, Two};
    let straights = [
        [Ace, Two],
        [Two, Three],
        [Three, Four],
        [Four, Five],
        [Five, Six],
        [Six, Seven],
        [Seven, Eight],
        [Eight, Nine],
        [Nine, Ten],
        [Ten, Jack],
        [Jack, Queen],
        [Queen, King],
        [Ace, King],
    ];
    straights.iter().any(|straight| straight == sorted)
}

/// 13.E, with W5.
pub(crate) fn lucky_lucky(paytable: &str, deal: &Deal) -> Vec<String> {
    let cards = deal.three_cards();
    let ranks = sorted_ranks(&cards);
    let suited = same_suit(&cards);
    let sums = every_total(&cards);
    let line = if ranks == [Rank::Seven, Rank::Seven, Rank::Seven] {
        if suited { "(a)" } else { "(c)" }
    } else if ranks == [Rank::Six, Rank::Seven, Rank::Eight] {
        if suited { "(b)" } else { "(d)" }
    } else if sums.contains(&21) {
        if suited { "(e)" } else { "(f)" }
    } else if sums.contains(&20) {
        "(g)"
    } else if sums.contains(&19) {
        "(h)"
    } else {
        return lost();
    };
    row_of("13.E", printed(paytable, &NUMBERS[..3]), line)
}

/// 13.N, with 6.G(14) and W9.
pub(crate) fn upcard_luck(deal: &Deal) -> Vec<String> {
    let low = [Rank::Two, Rank::Three, Rank::Four, Rank::Five, Rank::Six, Rank::Seven];
    if !low.contains(&deal.up().rank()) {
        return lost();
    }
    let ace_of_spades = Card::new(Rank::Ace, Suit::Spades);
    let jack_of_spades = Card::new(Rank::Jack, Suit::Spades);
    if deal.player.contains(&ace_of_spades) && deal.player.contains(&jack_of_spades) {
        return row("13.N(1)(a)");
    }
    if is_blackjack(&deal.player) {
        return row("13.N(1)(b)");
    }
    match total(&deal.player) {
        9..=11 => row("13.N(1)(c)"),
        18..=20 => row("13.N(1)(d)"),
        _ => lost(),
    }
}

/// 13.R, with W8.
pub(crate) fn blazing_7s(deal: &Deal) -> Vec<String> {
    let sevens: Vec<Card> = deal.three_cards().into_iter().filter(|card| card.rank() == Rank::Seven).collect();
    match sevens.len() {
        3 if same_suit(&sevens) && sevens[0].suit() == Suit::Diamonds => row("13.R(1)(a)"),
        3 if same_suit(&sevens) => row("13.R(1)(b)"),
        3 if same_color(&sevens) => row("13.R(1)(c)"),
        3 => row("13.R(1)(d)"),
        2 => row("13.R(1)(e)"),
        1 => row("13.R(1)(f)"),
        _ => lost(),
    }
}

/// 13.A(12), with W6.
pub(crate) fn lucky_aces(paytable: &str, deal: &Deal) -> Vec<String> {
    let aces: Vec<Card> = deal.four_cards().into_iter().filter(|card| card.rank() == Rank::Ace).collect();
    let line = match aces.len() {
        4 => "(i)",
        3 if same_suit(&aces) => "(ii)",
        3 => "(iii)",
        2 if same_suit(&aces) => "(iv)",
        2 => "(v)",
        1 if aces[0].suit() == Suit::Diamonds => "(vi)",
        1 => "(vii)",
        _ => return lost(),
    };
    row_of("13.A(12)", printed(paytable, &LETTERS[..2]), line)
}

/// Whether the up card may give the dealer a blackjack.
pub(crate) fn is_ace_or_ten(card: Card) -> bool {
    card.rank() == Rank::Ace || counts_ten(card)
}
