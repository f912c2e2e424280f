//! Tables with every option drawn at random, within what a checked submission can say.

use table_rules::Game;
use table_rules::money::{Cents, Rounding};
use table_rules::table::{BlackjackPays, HouseRestrictions, Limits, Settlement, SevenCard21, Soft17, Table, Tracking};

use crate::random::Random;

pub(crate) fn any_table(random: &mut Random) -> Table {
    let game = random.pick(&Game::ALL);
    any_table_of(game, random)
}

pub(crate) fn any_table_of(game: Game, random: &mut Random) -> Table {
    let mut table = Table::usual(game);
    let blackjack = game == Game::Blackjack;
    table.decks = match game {
        Game::Blackjack => random.pick(&[1, 2, 4, 6, 8]),
        Game::Spanish21 | Game::Pontoon21 => random.pick(&[6, 8]),
        Game::PlayersEdge21 => random.pick(&[5, 6, 8]),
    };
    table.positions = if random.chance(50) { game.positions_max() } else { random.between(1, game.positions_max()) };
    if blackjack {
        table.soft_17 = random.pick(&[Soft17::Stands, Soft17::Hits]);
        table.blackjack_pays = random.pick(&[BlackjackPays::ThreeToTwo, BlackjackPays::SixToFive]);
        table.even_money = random.chance(60);
    }
    table.max_splits = random.between(0, 7);
    table.max_ace_splits = random.between(0, table.max_splits);
    table.restrictions =
        HouseRestrictions { no_surrender: random.chance(15), one_card_to_split_aces: random.chance(25) };
    table.double_double = game == Game::PlayersEdge21 && random.chance(75);
    table.settlement = random.pick(&[Settlement::CollectThenPay, Settlement::PayAndCollectFromRight]);
    table.adjacent_boxes = random.between(1, 4);
    table.smallest_chip = random.pick(&[Cents(1), Cents(25), Cents(50), Cents(100), Cents(250), Cents(500)]);
    table.rounding = random.pick(&[Rounding::Up, Rounding::Down]);
    // A checked submission has limits that its chips can make (H3).
    let in_chips = |amount: Cents| amount.rounded_to(table.smallest_chip, Rounding::Up);
    table.limits = Limits {
        minimum: in_chips(random.pick(&[Cents(1), Cents(100), Cents(500), Cents(1001), Cents::dollars(25)])),
        maximum: in_chips(random.pick(&[Cents::dollars(30), Cents::dollars(100), Cents(20_050), Cents::dollars(5000)])),
    };
    table.no_mid_shoe_entry = random.chance(20);
    if game == Game::PlayersEdge21 {
        table.seven_card_21 = random.pick(&[SevenCard21::OrMore, SevenCard21::Exactly]);
    }
    table
}

pub(crate) fn any_tracking(random: &mut Random) -> Tracking {
    if random.chance(80) { Tracking::Cards } else { Tracking::Procedure }
}
