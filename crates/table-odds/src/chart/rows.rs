//! The rows of a chart. Rows of more cards are written down only where they differ from the row of fewer.

use table_rules::table::{Table, Variation};

use super::{Choice, Row, Section, Worth};
use crate::best_play::{BestPlay, Choices};
use crate::strategy::{CARD_COUNTS, Cell, DOUBLE_COUNTS, Doubled, PairPlay, Play, Strategy, TOTALS, UP_CARDS, cell};

const RANKS: [&str; 10] = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T"];

pub(super) fn sections(table: &Table, best: &BestPlay) -> Vec<Section> {
    let strategy = &best.strategy;
    let opening = |soft| totals(best, 0, soft);
    let mut sections = vec![
        Section { title: "Pairs", note: None, rows: pairs(best) },
        Section { title: "Hard totals", note: None, rows: opening(false) },
        Section { title: "Soft totals", note: None, rows: opening(true) },
    ];
    if strategy.on_the_way.is_some() {
        let note = Some("These two cards before any row above; top is the suit that 12.B pays most for.");
        sections.push(Section { title: "Towards 6-7-8 and 7-7-7", note, rows: on_the_way(best) });
    }
    let split = [false, true].into_iter().flat_map(|soft| differing(strategy, totals(best, 1, soft), soft));
    let rows: Vec<Row> = split.collect();
    if !rows.is_empty() && table.max_splits > 0 {
        let note = Some(if table.variation == Variation::Switch {
            "Rows that are not listed are played as above."
        } else {
            "Rows that are not listed are played as above, without surrender."
        });
        sections.push(Section { title: "Split hands", note, rows });
    }
    if table.game.is_sister_game() {
        sections.push(Section { title: "After a double", note: None, rows: after_double(table, best) });
    }
    sections
}

/// Every hand of two cards, best seen in the order of a player's fingers: aces first.
pub(super) fn switch_worth(best: &BestPlay) -> Vec<Worth> {
    let Some(worth) = &best.strategy.switch else { return Vec::new() };
    let mut rows =
        vec![Worth { hand: "blackjack as dealt".to_owned(), millionths: worth.map(|column| column.blackjack) }];
    for (first, one) in RANKS.iter().enumerate() {
        for (second, other) in RANKS.iter().enumerate().skip(first) {
            let hand = format!("{one}-{other}");
            rows.push(Worth { hand, millionths: worth.map(|column| column.hands[first][second]) });
        }
    }
    rows
}

fn row(hand: String, plays: [char; UP_CARDS], cells: &[Choices]) -> Row {
    let gains = |play: Play| cells.iter().map(|cell| cell.of(play)).collect();
    let all = Play::ALL.into_iter().map(|play| Choice { play: word(play), gains: gains(play) });
    Row {
        hand,
        plays,
        reach: cells.iter().map(|cell| cell.reach).collect(),
        choices: all.filter(|choice| choice.gains.iter().any(Option::is_some)).collect(),
    }
}

const fn word(play: Play) -> &'static str {
    match play {
        Play::Stand => "stand",
        Play::Hit => "hit",
        Play::Double => "double",
        Play::Redouble => "redouble",
        Play::Split => "split",
        Play::Surrender => "surrender",
        Play::Rescue => "rescue",
    }
}

const fn letter(play: Play) -> char {
    match play {
        Play::Stand => 'S',
        Play::Hit => 'H',
        Play::Double | Play::Redouble => 'D',
        Play::Split => 'P',
        Play::Surrender | Play::Rescue => 'R',
    }
}

const fn cell_letter(cell: Cell) -> char {
    match cell {
        Cell::Stand => 'S',
        Cell::Hit => 'H',
        Cell::Double => 'D',
    }
}

fn pairs(best: &BestPlay) -> Vec<Row> {
    let strategy = &best.strategy;
    (0..RANKS.len())
        .map(|value| {
            let (total, soft) = if value == 0 { (12, true) } else { (2 * (value + 1), false) };
            let plays = std::array::from_fn(|up| match strategy.pairs[value][up] {
                PairPlay::Split => 'P',
                PairPlay::Surrender => 'R',
                PairPlay::AsTotal => opening_letter(strategy, total, soft, up),
            });
            row(format!("{0}-{0}", RANKS[value]), plays, best.values.pair(value))
        })
        .collect()
}

/// Two cards of a total: surrender comes before the rest.
fn opening_letter(strategy: &Strategy, total: usize, soft: bool, up: usize) -> char {
    if strategy.surrender[usize::from(soft)][total.min(TOTALS - 1)][up] {
        return 'R';
    }
    cell_letter(cell(&strategy.bonus, total, soft, 2, up))
}

/// Whether a hand of so many cards can have this total.
fn is_possible(total: usize, soft: bool, cards: usize) -> bool {
    if soft { total >= cards + 10 } else { total >= 2 * cards || (total >= 12 && total > cards) }
}

fn totals(best: &BestPlay, block: usize, soft: bool) -> Vec<Row> {
    let strategy = &best.strategy;
    let cells = if block == 0 { &strategy.bonus } else { &strategy.no_bonus };
    let (word, least) = if soft { ("soft", 12) } else { ("hard", 4) };
    let mut rows = Vec::new();
    for total in (least..TOTALS).rev() {
        let mut before = None;
        for group in 0..CARD_COUNTS {
            let cards = group + 2;
            if !is_possible(total, soft, cards) {
                break;
            }
            let plays = std::array::from_fn(|up| {
                if block == 0 && group == 0 {
                    opening_letter(strategy, total, soft, up)
                } else {
                    cell_letter(cells[usize::from(soft)][total][group][up])
                }
            });
            if before == Some(plays) {
                continue;
            }
            before = Some(plays);
            let hand = if group == 0 { format!("{word} {total}") } else { format!("{word} {total}, {cards}+ cards") };
            rows.push(row(hand, plays, best.values.total(block, soft, total, group)));
        }
    }
    rows
}

/// The rows of split hands that a player could not guess from the others.
fn differing(strategy: &Strategy, rows: Vec<Row>, soft: bool) -> Vec<Row> {
    let differs = |total: usize| {
        (0..CARD_COUNTS).filter(|group| is_possible(total, soft, group + 2)).any(|group| {
            let at = (usize::from(soft), total, group);
            strategy.bonus[at.0][at.1][at.2] != strategy.no_bonus[at.0][at.1][at.2]
        })
    };
    rows.into_iter().filter(|row| total_in(&row.hand).is_some_and(differs)).collect()
}

/// The total that a row's name begins with, after its first word.
fn total_in(hand: &str) -> Option<usize> {
    hand.split([' ', ',']).nth(1)?.parse().ok()
}

fn on_the_way(best: &BestPlay) -> Vec<Row> {
    let Some(plays) = &best.strategy.on_the_way else { return Vec::new() };
    let mut rows = Vec::new();
    for (cards, name) in ["6-7", "6-8", "7-8", "7-7"].into_iter().enumerate() {
        for (suit, suited) in ["mixed", "suited", "top suit"].into_iter().enumerate() {
            let letters = plays[cards][suit].map(letter);
            rows.push(row(format!("{name} {suited}"), letters, best.values.on_the_way(cards, suit)));
        }
    }
    rows
}

fn after_double(table: &Table, best: &BestPlay) -> Vec<Row> {
    let rows_of: &[(usize, &str)] = if table.double_double {
        &[(0, ""), (1, ", 2nd double"), (2, ", 3rd double")]
    } else {
        &[(DOUBLE_COUNTS - 1, "")]
    };
    let mut rows = Vec::new();
    for (soft, word, least) in [(false, "hard", 6), (true, "soft", 13)] {
        for total in (least..TOTALS).rev() {
            let mut before = None;
            for (place, times) in rows_of {
                let plays = best.strategy.after_double[usize::from(soft)][total][*place].map(|doubled| match doubled {
                    Doubled::Stand => 'S',
                    Doubled::Rescue => 'R',
                    Doubled::Redouble => 'D',
                });
                if before == Some(plays) {
                    continue;
                }
                before = Some(plays);
                rows.push(row(format!("{word} {total}{times}"), plays, best.values.doubled(soft, total, *place)));
            }
        }
    }
    rows
}
