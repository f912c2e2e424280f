//! The blocks that every table of a game has: inscriptions, limits, the main wager, and the sister games' extra payouts.

use super::{Block, Figure, Part, PostedLine, Statement};
use crate::card::Suit;
use crate::game::Game;
use crate::money::{Cents, Pay, Ratio};
use crate::payouts;
use crate::source::{Point, Source};
use crate::table::{BlackjackPays, SevenCard21, Soft17, SwitchBlackjack, Table, UnswitchedAgainst22, Variation};

pub(super) fn blocks(table: &Table) -> Vec<Block> {
    let mut blocks = vec![inscriptions(table), table_rules(table), main_wager(table)];
    if table.game.is_sister_game() {
        blocks.extend([bonuses(table), additional_payouts(table.game), doubled_hands(table.game)]);
    }
    blocks
}

/// What the person who puts the sign up has to add or to know.
pub(super) fn remarks(table: &Table) -> Vec<Statement> {
    let mut remarks = Vec::new();
    if table.posted_payout_limit.is_none() {
        let text = "the submission names no posted_payout_limit, so the page says only that a posted limit applies; \
                    where this page is the table's only posting, name the limit in the submission";
        remarks.push(Statement::new(text, Point::PostedSign.source(table.game)));
    }
    if pays_switch_even_money(table) {
        let text = "the rules know a layout that says 3 to 2 or 6 to 5; this Switch table pays every blackjack 1 to 1, \
                    and the page says so";
        remarks.push(Statement::new(text, Source::new(table.game, "B8")));
    }
    remarks
}

fn pays_switch_even_money(table: &Table) -> bool {
    table.variation == Variation::Switch && table.switch_rules.blackjack == SwitchBlackjack::EvenMoney
}

/// The odds of a blackjack that nothing reduces.
fn blackjack_odds(table: &Table) -> (Ratio, Source) {
    if pays_switch_even_money(table) {
        (Ratio::EVEN, Point::SwitchAlwaysEven.source(table.game))
    } else {
        (table.blackjack_pays.ratio(), table.blackjack_pays.point().source(table.game))
    }
}

fn odds(ratio: Ratio) -> String {
    Pay::To(ratio).to_string()
}

// ---- 2.B(3) ----

fn inscriptions(table: &Table) -> Block {
    let game = table.game;
    let (ratio, even_source) = blackjack_odds(table);
    let source = if pays_switch_even_money(table) {
        even_source
    } else {
        match table.blackjack_pays {
            BlackjackPays::ThreeToTwo => Point::InscribedThreeToTwo,
            BlackjackPays::SixToFive => Point::InscribedSixToFive,
        }
        .source(game)
    };
    let mut statements = Vec::new();
    if table.variation == Variation::Switch {
        statements.push(Statement::new("Blackjack Switch", Point::InscribedSwitch.source(game)));
    }
    statements.push(Statement::new(format!("Blackjack pays {}", odds(ratio)), source));
    statements.push(Statement::new(insurance_inscription(game), Point::InscribedInsurance.source(game)));
    let source = Source::new(game, "2.B(3)");
    Block { part: Part::Inscriptions, title: "Inscriptions".to_owned(), source, lines: Vec::new(), statements }
}

fn insurance_inscription(game: Game) -> String {
    let pays = |suited| odds(payouts::insurance(game, suited).0);
    if payouts::insurance_asks_for_suit(game) {
        let (unsuited, suited) = (pays(false), pays(true));
        format!("Insurance pays {unsuited} for unsuited Blackjacks and pays {suited} for suited Blackjacks")
    } else {
        format!("Insurance pays {}", pays(false))
    }
}

// ---- limits ----

fn table_rules(table: &Table) -> Block {
    let game = table.game;
    let limits = Point::TableLimits.source(game);
    let payout_limit = match table.posted_payout_limit {
        Some(limit) => format!("Payout limit per hand {limit}"),
        None => "This game is subject to the posted payout limit".to_owned(),
    };
    let soft_17 = match table.soft_17 {
        Soft17::Stands => "Dealer stands on soft 17",
        Soft17::Hits => "Dealer hits soft 17",
    };
    let soft_17_source = match game {
        Game::Blackjack | Game::Spanish21 | Game::Pontoon21 => Point::DealerDraws.source(game),
        Game::PlayersEdge21 => Source::new(game, "P8"),
    };
    let statements = vec![
        Statement::new(format!("Minimum wager {}", table.limits.minimum), limits),
        Statement::new(format!("Maximum wager {}", table.limits.maximum), limits),
        Statement::new(payout_limit, Point::PostedLimit.source(game)),
        Statement::new(soft_17, soft_17_source),
    ];
    let source = Point::PostedLimit.source(game);
    Block { part: Part::TableRules, title: "Limits".to_owned(), source, lines: Vec::new(), statements }
}

// ---- the main wager and insurance ----

fn line(key: &'static str, words: impl Into<String>, pay: Pay, source: Source) -> PostedLine {
    PostedLine { key, words: words.into(), figure: Figure::Pay(pay), source }
}

fn main_wager(table: &Table) -> Block {
    let game = table.game;
    let to = Pay::To;
    let title = format!("{} Wager", game.title());
    let (ratio, source) = blackjack_odds(table);
    let winning = format!("Winning {title}");
    let mut lines = vec![
        line("even", winning, to(Ratio::EVEN), Point::PaysEven.source(game)),
        line("blackjack", "Blackjack", to(ratio), source),
    ];
    let mut statements = Vec::new();
    if table.variation == Variation::Switch {
        switch_rules(table, &mut lines, &mut statements);
    }
    let (ratio, point) = payouts::insurance(game, false);
    if payouts::insurance_asks_for_suit(game) {
        let (suited, suited_point) = payouts::insurance(game, true);
        let unsuited = "Insurance, unsuited dealer blackjack";
        lines.push(line("insurance", unsuited, to(ratio), point.source(game)));
        let words = "Insurance, suited dealer blackjack";
        lines.push(line("insurance-suited", words, to(suited), suited_point.source(game)));
    } else {
        lines.push(line("insurance", "Insurance", to(ratio), point.source(game)));
    }
    if table.even_money {
        let words = "Even money, a blackjack under a dealer ace";
        lines.push(line("even-money", words, to(Ratio::EVEN), Point::EvenMoneyPays.source(game)));
    }
    let source = Point::PostedOdds.source(game);
    Block { part: Part::Main, title, source, lines, statements }
}

/// 12.A(5): where Switch pays less than the usual game, the players must be able to read it.
fn switch_rules(table: &Table, lines: &mut Vec<PostedLine>, statements: &mut Vec<Statement>) {
    let game = table.game;
    if !pays_switch_even_money(table) {
        let words = "Blackjack against a dealer 21 in three or more cards";
        lines.push(line("blackjack", words, Pay::To(Ratio::EVEN), Point::SwitchEvenMoney.source(game)));
    }
    let against_22 = match table.switch_rules.unswitched_against_22 {
        UnswitchedAgainst22::Tie => "A dealer 22 ties every hand of 21 or less",
        UnswitchedAgainst22::Win => "A dealer 22 ties every hand of 21 or less but a blackjack that was not switched",
    };
    statements.push(Statement::new(against_22, Point::Against22.source(game)));
    let switched = "A blackjack made by switching counts as 21";
    statements.push(Statement::new(switched, Point::SwitchedTied.source(game)));
}

// ---- the sister games' extra payouts ----

fn bonuses(table: &Table) -> Block {
    let game = table.game;
    let each = payouts::BONUSES.iter();
    let lines = each
        .map(|bonus| line(bonus.name, bonus_words(table, bonus.point), Pay::To(bonus.ratio), bonus.point.source(game)));
    let best = "The best line alone is paid, on a hand that wins";
    Block {
        part: Part::Bonuses,
        title: "Bonus 21".to_owned(),
        source: Point::PostedOdds.source(game),
        lines: lines.collect(),
        statements: vec![Statement::new(best, Source::new(game, "S5"))],
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the other points are no bonuses, and a test holds all nine to words"
)]
fn bonus_words(table: &Table, point: Point) -> String {
    let top = match table.game.top_suit() {
        Some(Suit::Clubs) => "clubs",
        Some(Suit::Diamonds) => "diamonds",
        Some(Suit::Hearts) => "hearts",
        Some(Suit::Spades) => "spades",
        None => "",
    };
    match point {
        Point::Bonus678Mixed => "6-7-8, mixed suits".to_owned(),
        Point::Bonus678Suited => "6-7-8, one suit".to_owned(),
        Point::Bonus678Top => format!("6-7-8 of {top}"),
        Point::Bonus777Mixed => "7-7-7, mixed suits".to_owned(),
        Point::Bonus777Suited => "7-7-7, one suit".to_owned(),
        Point::Bonus777Top => format!("7-7-7 of {top}"),
        Point::BonusFiveCards => "21 in five cards".to_owned(),
        Point::BonusSixCards => "21 in six cards".to_owned(),
        Point::BonusSevenCards => match table.seven_card_21 {
            SevenCard21::OrMore => "21 in seven or more cards".to_owned(),
            SevenCard21::Exactly => "21 in seven cards".to_owned(),
        },
        _ => String::new(),
    }
}

fn additional_payouts(game: Game) -> Block {
    let mut lines = Vec::new();
    let mut below: Option<Cents> = None;
    for payout in payouts::ADDITIONAL_PAYOUTS {
        let from = payout.from;
        let words = match below {
            None => format!("Original wager of {from} or more"),
            Some(below) => format!("Original wager of {from} or more, below {below}"),
        };
        lines.push(line("7-7-7 suited against a 7", words, Pay::Amount(payout.amount), payout.point.source(game)));
        below = Some(from);
    }
    let (plain, plain_point) = payouts::additional_for_others(game, false);
    let (with_seven, seven_point) = payouts::additional_for_others(game, true);
    let key = "another player's 7-7-7 suited";
    if plain == with_seven {
        lines.push(line(key, "Every other player of the round", Pay::Amount(plain), plain_point.source(game)));
    } else {
        let words = "Every other player, first two cards without a 7";
        lines.push(line(key, words, Pay::Amount(plain), plain_point.source(game)));
        let words = "Every other player, a 7 among the first two cards";
        lines.push(line(key, words, Pay::Amount(with_seven), seven_point.source(game)));
    }
    Block {
        part: Part::AdditionalPayouts,
        title: "7-7-7 of one suit against a dealer 7".to_owned(),
        source: Point::PostedOdds.source(game),
        lines,
        statements: vec![Statement::new("Paid besides the odds of the hand", Source::new(game, "12.C"))],
    }
}

/// A sign of its own in Spanish 21 and Pontoon 21 (2.B(5)); Player's Edge 21 has the same rule (10.G) without the sign.
fn doubled_hands(game: Game) -> Block {
    let double =
        "Doubled hands do not get the bonus odds or the additional payouts: a winning doubled hand pays 1 to 1";
    let split = "Neither do split hands";
    Block {
        part: Part::DoubledHands,
        title: "Doubled hands".to_owned(),
        source: Point::DoubledHandsSign.source(game),
        lines: Vec::new(),
        statements: vec![
            Statement::new(double, Point::DoubledHandsSign.source(game)),
            Statement::new(split, Source::new(game, "11.F")),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bonus_has_words() {
        for game in Game::ALL.into_iter().filter(|game| game.is_sister_game()) {
            let block = bonuses(&Table::usual(game));
            assert_eq!(block.lines.len(), payouts::BONUSES.len());
            assert!(block.lines.iter().all(|line| !line.words.is_empty()), "{game}");
        }
    }
}
