//! Decisions that another program found, in `tests/published`: the same here, or a difference that is worth less than one
//! in 100,000 of the opening wager and stands in `tests/published/differences.txt`.

use std::fmt::Write as _;

use super::{BestPlay, Choices};
use crate::chart::UP_CARD_NAMES;
use crate::strategy::{Cell, Doubled, PairPlay, Play, UP_CARDS};
use table_rules::game::Game;
use table_rules::money::Cents;
use table_rules::table::{HouseRestrictions, Soft17, Table};

/// What a difference may cost, in opening wagers a round.
const WORTH: f64 = 1e-5;

fn tables() -> [(&'static str, &'static str, Table); 5] {
    let blackjack = |soft_17| Table {
        soft_17,
        max_ace_splits: 1,
        restrictions: HouseRestrictions { one_card_to_split_aces: true, ..HouseRestrictions::default() },
        ..Table::usual(Game::Blackjack)
    };
    let usual = Table::usual;
    [
        ("blackjack-s17", include_str!("../../tests/published/blackjack-s17.txt"), blackjack(Soft17::Stands)),
        ("blackjack-h17", include_str!("../../tests/published/blackjack-h17.txt"), blackjack(Soft17::Hits)),
        ("spanish-21-s17", include_str!("../../tests/published/spanish-21-s17.txt"), usual(Game::Spanish21)),
        (
            "spanish-21-h17",
            include_str!("../../tests/published/spanish-21-h17.txt"),
            Table { soft_17: Soft17::Hits, ..usual(Game::Spanish21) },
        ),
        (
            "players-edge-21-h17",
            include_str!("../../tests/published/players-edge-21-h17.txt"),
            usual(Game::PlayersEdge21),
        ),
    ]
}

#[test]
fn decisions_are_the_published_ones_or_worth_next_to_nothing() {
    let mut listed = String::new();
    let mut dear = String::new();
    for (name, text, table) in tables() {
        let best = BestPlay::of(&table, Cents::dollars(1), &|_| {});
        let mut compared = 0;
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            for difference in differences(&best, line, &mut compared) {
                let _ = writeln!(listed, "{name}: {}", difference.what);
                if difference.costs >= WORTH {
                    let _ = writeln!(dear, "{name}: {} costs {:.7}", difference.what, difference.costs);
                }
            }
        }
        assert!(compared > 1000, "{name}: only {compared} decisions compared");
    }
    assert!(dear.is_empty(), "{dear}");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/published/differences.txt");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(file, &listed).unwrap();
    }
    assert_eq!(listed, std::fs::read_to_string(file).unwrap());
}

struct Difference {
    what: String,
    costs: f64,
}

/// One line of a published table beside the best play.
fn differences(best: &BestPlay, line: &str, compared: &mut usize) -> Vec<Difference> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut found = Vec::new();
    match *words.as_slice() {
        [block @ ("dealt" | "split"), kind, total, ref groups @ ..] => {
            let (block_at, soft) = (usize::from(block == "split"), kind == "soft");
            let total: usize = total.parse().unwrap();
            let cells = if block_at == 0 { &best.strategy.bonus } else { &best.strategy.no_bonus };
            for (group, letters) in groups.iter().enumerate() {
                let ours: [Play; UP_CARDS] =
                    std::array::from_fn(|up| of_cell(cells[usize::from(soft)][total][group][up]));
                let theirs = |letter| match letter {
                    'S' => Play::Stand,
                    'H' => Play::Hit,
                    'D' => Play::Double,
                    other => panic!("{other} in {line}"),
                };
                let what = format!("{block} {kind} {total}, {} cards", group + 2);
                let choices = best.values.total(block_at, soft, total, group);
                compare(&what, letters, theirs, &ours, choices, &mut found, compared);
            }
        }
        ["pair", points, letters] => {
            let value = points.parse::<usize>().unwrap() - 1;
            let choices = best.values.pair(value);
            // Two sevens on the way to three have rows of their own.
            if value == 6 && best.strategy.on_the_way.is_some() {
                return found;
            }
            let other = |up: usize| best_but(&choices[up], Play::Split);
            let ours: [Play; UP_CARDS] = std::array::from_fn(|up| match best.strategy.pairs[value][up] {
                PairPlay::Split => Play::Split,
                PairPlay::Surrender => Play::Surrender,
                PairPlay::AsTotal => other(up),
            });
            for (up, letter) in letters.chars().enumerate() {
                *compared += 1;
                let theirs = if letter == 'P' { Play::Split } else { other(up) };
                if (ours[up] == Play::Split) != (theirs == Play::Split) {
                    push(&format!("pair of {points}"), up, ours[up], theirs, &choices[up], &mut found);
                }
            }
        }
        ["surrender", total, letters] => {
            let total: usize = total.parse().unwrap();
            let choices = best.values.total(0, false, total, 0);
            for (up, letter) in letters.chars().enumerate() {
                *compared += 1;
                let (ours, theirs) = (best.strategy.surrender[0][total][up], letter == 'R');
                if ours != theirs {
                    let play = best_but(&choices[up], Play::Surrender);
                    let (ours, theirs) = if ours { (Play::Surrender, play) } else { (play, Play::Surrender) };
                    push(&format!("hard {total}"), up, ours, theirs, &choices[up], &mut found);
                }
            }
        }
        // Blackjack has no rescue, whatever the table says.
        ["rescue", total, letters] if best.strategy.on_the_way.is_some() => {
            let total: usize = total.parse().unwrap();
            let choices = best.values.doubled(false, total, 2);
            let ours = best.strategy.after_double[0][total][2].map(|doubled| match doubled {
                Doubled::Rescue => Play::Rescue,
                Doubled::Stand | Doubled::Redouble => Play::Stand,
            });
            let theirs = |letter| if letter == 'R' { Play::Rescue } else { Play::Stand };
            compare(&format!("doubled {total}"), letters, theirs, &ours, choices, &mut found, compared);
        }
        ["rescue", ..] => {}
        _ => panic!("{line}"),
    }
    found
}

fn compare(
    what: &str,
    letters: &str,
    theirs: impl Fn(char) -> Play,
    ours: &[Play; UP_CARDS],
    choices: &[Choices],
    found: &mut Vec<Difference>,
    compared: &mut usize,
) {
    assert_eq!(letters.len(), UP_CARDS, "{what}");
    for (up, letter) in letters.chars().enumerate() {
        *compared += 1;
        if theirs(letter) != ours[up] {
            push(what, up, ours[up], theirs(letter), &choices[up], found);
        }
    }
}

/// A hand that nobody comes to makes no difference.
#[expect(clippy::float_arithmetic, reason = "statistics of a test; no money passes through them")]
fn push(what: &str, up: usize, ours: Play, theirs: Play, choices: &Choices, found: &mut Vec<Difference>) {
    if choices.reach <= 0.0 {
        return;
    }
    let costs = match (choices.of(ours), choices.of(theirs)) {
        (Some(ours), Some(theirs)) => (ours - theirs) * choices.reach,
        (None, _) | (_, None) => f64::INFINITY,
    };
    let what = format!("{what} under {}: {ours:?}, published {theirs:?}", UP_CARD_NAMES[up]);
    found.push(Difference { what, costs });
}

fn best_but(choices: &Choices, but: Play) -> Play {
    let gain = |play: &Play| choices.of(*play).unwrap_or(f64::NEG_INFINITY);
    let others = Play::ALL.into_iter().filter(|play| *play != but);
    others.max_by(|a, b| gain(a).total_cmp(&gain(b))).unwrap_or(Play::Stand)
}

fn of_cell(cell: Cell) -> Play {
    match cell {
        Cell::Stand => Play::Stand,
        Cell::Hit => Play::Hit,
        Cell::Double => Play::Double,
    }
}
