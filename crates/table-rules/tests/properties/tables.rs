//! Tables with every option drawn at random, within what a checked submission can say.

use std::sync::OnceLock;

use table_rules::Game;
use table_rules::money::{Cents, Rounding};
use table_rules::submission::RulesSubmission;
use table_rules::table::{
    BlackjackPays, HouseRestrictions, Limits, ReaderKind, Settlement, SevenCard21, ShoeSide, Shuffler, Soft17,
    SwitchBlackjack, Table, Tracking, UnswitchedAgainst22, Variation,
};
use table_rules::wager::WagerId;

use crate::random::Random;

/// The shipped submissions with every side wager that a game may offer. Each comes three times: as it is, with meters
/// that take nothing, and with meters that take much and a must-hit meter just below its ceiling.
fn shipped_with_wagers() -> &'static [Table] {
    static SHIPPED: OnceLock<Vec<Table>> = OnceLock::new();
    SHIPPED.get_or_init(|| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../firmware-config/submissions");
        let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        let mut tables = Vec::new();
        for path in files.iter().filter(|path| path.extension().is_some_and(|end| end == "toml")) {
            let text = std::fs::read_to_string(path).unwrap();
            let full = "initial = 999\nreset = 250\nmust_hit_ceiling";
            let greedy = text.replace("initial = 250\nreset = 250\nmust_hit_ceiling", full);
            for text in [text.clone(), with_rates(&text, "0 %"), with_rates(&greedy, "20 %")] {
                let verdict = RulesSubmission::parse(&text).check();
                tables.push(verdict.table.unwrap_or_else(|why| panic!("{}: {why:#?}", path.display())));
            }
        }
        tables.retain(|table| !table.wagers.is_empty());
        tables
    })
}

fn with_rates(text: &str, rate: &str) -> String {
    let line = |line: &str| if line.starts_with("rate = ") { format!("rate = \"{rate}\"") } else { line.to_owned() };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// A shipped table with every side wager of its game, its other options as chance has them.
pub(crate) fn any_table_with_wagers(random: &mut Random) -> Table {
    let tables: Vec<&Table> = shipped_with_wagers().iter().collect();
    let mut table = random.pick(&tables).clone();
    table.settlement = random.pick(&[Settlement::CollectThenPay, Settlement::PayAndCollectFromRight]);
    table.reader = random.pick(&[ReaderKind::HiddenFromPlayers, ReaderKind::VisibleToPlayers]);
    table.finish_after_peek = random.chance(30);
    if table.game == Game::Blackjack && table.variation == Variation::Standard && random.chance(25) {
        deal_from_the_hand(&mut table, random);
    } else if table.variation == Variation::Standard {
        table.shuffler = random.pick(&[Shuffler::ByHand, Shuffler::Batch, Shuffler::Continuous]);
    }
    table
}

/// 12.B with side wagers, but for those that need six decks (W11).
fn deal_from_the_hand(table: &mut Table, random: &mut Random) {
    table.variation = Variation::FromTheHand;
    table.shuffler = random.pick(&[Shuffler::Batch, Shuffler::Continuous]);
    table.decks = 1;
    table.wagers.retain(|offered| !matches!(offered.id(), WagerId::MatchTheDealer | WagerId::SuperMatch));
}

pub(crate) fn any_table(random: &mut Random) -> Table {
    if random.chance(20) {
        return any_table_with_wagers(random);
    }
    let game = random.pick(&Game::ALL);
    any_table_of(game, random)
}

/// Chapter 12 and 7.C: what a submission of each variation can say.
fn vary(table: &mut Table, random: &mut Random) {
    table.variation = random.pick(&[
        Variation::Standard,
        Variation::Standard,
        Variation::Switch,
        Variation::FromTheHand,
        Variation::DoubleShoe,
    ]);
    match table.variation {
        Variation::Standard => {}
        Variation::Switch => {
            table.max_splits = table.max_splits.min(3);
            table.max_ace_splits = table.max_ace_splits.min(3);
            table.switch_rules.blackjack = random.pick(&[SwitchBlackjack::AsPrinted, SwitchBlackjack::EvenMoney]);
            table.switch_rules.unswitched_against_22 =
                random.pick(&[UnswitchedAgainst22::Tie, UnswitchedAgainst22::Win]);
        }
        Variation::FromTheHand => {
            table.shuffler = random.pick(&[Shuffler::Batch, Shuffler::Continuous]);
            table.decks = if table.shuffler == Shuffler::Batch { 1 } else { random.between(1, 2) };
        }
        Variation::DoubleShoe => {
            table.decks = random.pick(&[2, 8, 16]);
            table.red_suits_side = random.pick(&[ShoeSide::Left, ShoeSide::Right]);
        }
    }
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
    table.adjacent_boxes = random.between(1, table.positions.min(4));
    table.smallest_chip = random.pick(&[Cents(1), Cents(25), Cents(50), Cents(100), Cents(250), Cents(500)]);
    table.rounding = random.pick(&[Rounding::Up, Rounding::Down]);
    // A checked submission has limits that its chips can make (H3).
    let in_chips = |amount: Cents| amount.rounded_to(table.smallest_chip, Rounding::Up);
    table.limits = Limits {
        minimum: in_chips(random.pick(&[Cents(1), Cents(100), Cents(500), Cents(1001), Cents::dollars(25)])),
        maximum: in_chips(random.pick(&[Cents::dollars(30), Cents::dollars(100), Cents(20_050), Cents::dollars(5000)])),
    };
    table.no_mid_shoe_entry = random.chance(20);
    table.shuffler = random.pick(&[Shuffler::ByHand, Shuffler::ByHand, Shuffler::Batch, Shuffler::Continuous]);
    table.reader = random.pick(&[ReaderKind::HiddenFromPlayers, ReaderKind::VisibleToPlayers]);
    table.finish_after_peek = random.chance(30);
    if blackjack {
        vary(&mut table, random);
    }
    if game == Game::PlayersEdge21 {
        table.seven_card_21 = random.pick(&[SevenCard21::OrMore, SevenCard21::Exactly]);
    }
    table
}

/// A level that the table can be played at (H14).
pub(crate) fn any_tracking(table: &Table, random: &mut Random) -> Tracking {
    let tracking = if random.chance(80) { Tracking::Cards } else { Tracking::Procedure };
    if table.check_tracking(tracking).is_ok() { tracking } else { Tracking::Cards }
}
