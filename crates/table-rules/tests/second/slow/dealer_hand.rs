//! Wagers on the dealer's hand, alone or beside the player's: insurance, Bad Beat, Hit and Run, Buster and its Free
//! Bonus, and what sets the wheels of Bonus Spin and Xtreme turning.

use table_rules::card::{Card, Rank};
use table_rules::game::Game;
use table_rules::money::Cents;

use super::hands::{counts_ten, is_blackjack};
use super::{Deal, NUMBERS, SlowOptions, lost, printed, row, row_of};

/// 8.B (blackjack), 8.A (the sister games): an ace up and a ten-value hole card.
pub(crate) fn insurance(game: Game, deal: &Deal) -> Vec<String> {
    if deal.up().rank() != Rank::Ace || !counts_ten(deal.hole()) {
        return lost();
    }
    match game {
        Game::Blackjack => row("13.A(3)"),
        Game::Spanish21 | Game::Pontoon21 => row("12.A(3)"),
        Game::PlayersEdge21 if deal.up().suit() == deal.hole().suit() => row("12.A(4)"),
        Game::PlayersEdge21 => row("12.A(3)"),
    }
}

/// 13.B(1)-(2), with W13: the player's final total is 20; the even-money line pays when no other does.
pub(crate) fn bad_beat(deal: &Deal) -> Vec<String> {
    if deal.final_total != 20 {
        return lost();
    }
    if deal.dealer_has_blackjack() {
        return row("13.B(1)(f)");
    }
    if deal.dealer_total() == 21 {
        return match deal.dealer.len() {
            3 => row("13.B(1)(e)"),
            4 => row("13.B(1)(d)"),
            5 => row("13.B(1)(c)"),
            6 => row("13.B(1)(b)"),
            _ => row("13.B(1)(a)"),
        };
    }
    row("13.B(2)")
}

/// 13.B(3)-(4), with 1.B(11)-(12): paid besides the rest, each once, whatever the hand does.
pub(crate) fn bad_beat_bonuses(deal: &Deal, magic_card: Option<Card>, is_lucky_player: bool) -> Vec<String> {
    let mut lines = Vec::new();
    if magic_card.is_some_and(|magic| deal.player.contains(&magic)) {
        lines.extend(row("13.B(3)"));
    }
    if is_lucky_player {
        lines.extend(row("13.B(4)"));
    }
    lines
}

/// 13.F, with W10.
pub(crate) fn hit_and_run(deal: &Deal, options: &SlowOptions) -> Vec<String> {
    if deal.dealer_has_blackjack() {
        return row("13.F(5)");
    }
    if deal.dealer_total() > 21 && !options.busted_hands_count {
        return lost();
    }
    match deal.dealer.len() {
        0..=4 => lost(),
        5 => row("13.F(4)"),
        6 => row("13.F(3)"),
        7 => row("13.F(2)"),
        _ => row("13.F(1)"),
    }
}

/// 13.O, with 6.G(15).
pub(crate) fn buster(paytable: &str, deal: &Deal) -> Vec<String> {
    let number = printed(paytable, &NUMBERS[..6]);
    if deal.dealer_total() <= 21 {
        return lost();
    }
    let line = match deal.dealer.len() {
        3 => "(f)",
        4 => "(e)",
        5 => "(d)",
        6 => "(c)",
        7 => "(b)",
        _ => "(a)",
    };
    row_of("13.O", number, line)
}

/// 13.P, with 6.G(16) and W13: besides the Buster line.
pub(crate) fn buster_free_bonus(paytable: &str, deal: &Deal) -> Vec<String> {
    let number = printed(paytable, &NUMBERS[..2]);
    let qualifies = is_blackjack(&deal.player) && deal.stake >= Cents::dollars(5) && deal.dealer_total() > 21;
    match deal.dealer.len() {
        0..=6 => lost(),
        7 if qualifies => row_of("13.P", number, "(b)"),
        _ if qualifies => row_of("13.P", number, "(a)"),
        _ => lost(),
    }
}

/// blackjack 6.G(17), pontoon-21 6.G(2), with O2 and W13: whether the player spins.
pub(crate) fn bonus_spin(game: Game, paytable: &str, deal: &Deal) -> Vec<String> {
    let number = printed(paytable, &NUMBERS[..4]);
    let blackjack = is_blackjack(&deal.player);
    let has_an_ace = deal.player.iter().any(|card| card.rank() == Rank::Ace);
    match game {
        Game::Blackjack if blackjack || (has_an_ace && deal.stake >= Cents::dollars(5)) => row_of("13.Q", number, ""),
        Game::Pontoon21 if blackjack && [Cents(110), Cents::dollars(5)].contains(&deal.stake) => {
            row_of("12.D", number, "")
        }
        Game::Blackjack | Game::Pontoon21 => lost(),
        Game::Spanish21 | Game::PlayersEdge21 => panic!("{game} has no Bonus Spin"),
    }
}

/// pontoon-21 6.G(3), with O2: the dealer's first two cards are a six and a ten-value card, and the stake is $5.
pub(crate) fn bonus_spin_xtreme(deal: &Deal) -> Vec<String> {
    let two = deal.dealer_first_two();
    let sixes = two.iter().filter(|card| card.rank() == Rank::Six).count();
    let tens = two.iter().filter(|card| counts_ten(**card)).count();
    if sixes == 1 && tens == 1 && deal.stake == Cents::dollars(5) { row("12.E(1)") } else { lost() }
}
