//! The side wagers of the comparison, one on every box: Match-the-Dealer on odd seats, Three Card Poker on even ones.
//! Both are settled by the first cards, one card by card and one by three cards together.
//!
//! The bare loop evaluates them here by its own arithmetic, on card indices (rank times four plus suit); nothing is
//! shared with the evaluators of the engine, so that each checks the other.

use table_rules::game::Game;
use table_rules::input::Placing;
use table_rules::money::Cents;
use table_rules::seat::Seat;
use table_rules::side::{Answers, OfferContext, OfferedWager, check_offer, tables};
use table_rules::table::Table;
use table_rules::wager::WagerId;

use super::SEATS;

/// The usual blackjack table with both wagers on offer. None only if the rules no longer allowed that.
pub fn table() -> Option<Table> {
    let wagers = vec![offer(WagerId::MatchTheDealer, "6-deck")?, offer(WagerId::ThreeCardPoker, "B")?];
    Some(Table { wagers, ..Table::usual(Game::Blackjack) })
}

fn offer(wager: WagerId, paytable: &str) -> Option<OfferedWager> {
    let context = OfferContext { game: Game::Blackjack, decks: 6, switch: false };
    let mut answers = Answers::least(tables(wager)?.in_game(context.game)?.table(paytable)?);
    // Only Three Card Poker asks.
    answers.ace_high_straight = answers.ace_high_straight.map(|_| true);
    check_offer(context, wager, &answers).ok()
}

/// One of the wagers on each of the seven boxes, in turns.
pub fn side_bets(stake: Cents) -> Vec<Placing> {
    let seats = (1..=SEATS).filter_map(|number| Seat::new(u8::try_from(number).ok()?));
    let wager = |seat: Seat| match seat.number() % 2 {
        1 => WagerId::MatchTheDealer,
        _ => WagerId::ThreeCardPoker,
    };
    seats.map(|seat| Placing { seat, wager: wager(seat), amount: stake }).collect()
}

/// What one unit on Match-the-Dealer wins or loses: 11 to 1 for each card of the up card's rank and suit, 4 to 1 for
/// each of its rank alone (blackjack 13.A(5)(a)).
#[inline]
pub(super) fn match_the_dealer(first: u8, second: u8, up: u8) -> i64 {
    let pays = |card: u8| if card ^ up < 4 { if card == up { 11 } else { 4 } } else { 0 };
    let won = pays(first) + pays(second);
    if won == 0 { -1 } else { won }
}

/// What one unit on Three Card Poker wins or loses, by paytable B, with the ace high or low in a straight (blackjack
/// 13.D(2)).
#[inline]
pub(super) fn three_card_poker(first: u8, second: u8, up: u8) -> i64 {
    let ranks = 1_u16 << (first >> 2) | 1 << (second >> 2) | 1 << (up >> 2);
    let suited = (first ^ second | first ^ up) & 3 == 0;
    // Ace, queen and king, or three in a row.
    let straight = ranks == 1 | 3 << 11 || ranks >> ranks.trailing_zeros() == 0b111;
    let three_of_a_kind = ranks & (ranks - 1) == 0;
    match (straight, three_of_a_kind, suited) {
        (true, _, true) => 30,
        (_, true, _) => 20,
        (true, ..) => 10,
        (.., true) => 5,
        (false, false, false) => -1,
    }
}

#[cfg(test)]
mod tests {
    use table_rules::card::Card;

    use super::*;

    fn units(evaluate: fn(u8, u8, u8) -> i64, cards: &str) -> i64 {
        let cards: Vec<u8> = cards.split_whitespace().map(|card| card.parse::<Card>().unwrap().index()).collect();
        evaluate(cards[0], cards[1], cards[2])
    }

    #[test]
    fn both_wagers_pay_what_their_paytables_print() {
        let rows = [("7d 9c 7d", 11), ("7d 9c 7h", 4), ("7d 7h 7d", 15), ("7d 7d 7d", 22), ("7d 9c 8d", -1)];
        for (cards, pays) in rows {
            assert_eq!(units(match_the_dealer, cards), pays, "{cards}");
        }
        let rows =
            [("Ad 2d 3d", 30), ("Ad Kd Qd", 30), ("9d 9d 9d", 20), ("Kc Qd Ah", 10), ("2c 9c Kc", 5), ("Kc Ad 2h", -1)];
        for (cards, pays) in rows {
            assert_eq!(units(three_card_poker, cards), pays, "{cards}");
        }
    }
}
