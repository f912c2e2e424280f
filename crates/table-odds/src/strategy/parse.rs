//! Reads a strategy file. Strict: an unknown word, a row said twice or a situation without an answer is an error with
//! its line.

use std::fmt;
use std::ops::RangeInclusive;

use table_rules::card::Rank;
use table_rules::game::Game;
use table_rules::table::Soft17;

use super::{
    CARD_COUNTS, Cell, Cells, DOUBLE_COUNTS, Doubled, Strategy, SuitMatch, TOTALS, UP_CARDS, pair_towards_678,
};

/// The file is not a strategy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadStrategy {
    /// Counted from 1; 0 where something is missing from the whole file.
    pub line: usize,
    pub problem: Problem,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    UnknownWord(String),
    UnknownGame(String),
    /// Ten letters in two groups of five were expected.
    NotTenLetters,
    UnknownLetter(char),
    /// A total or count that no hand of this row can have.
    OutOfRange,
    /// Said before, or out of order: more cards come after fewer.
    SaidTwice,
    Missing(String),
}

impl fmt::Display for BadStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        match &self.problem {
            Problem::UnknownWord(word) => write!(f, "`{word}` means nothing here"),
            Problem::UnknownGame(word) => write!(f, "`{word}` is not one of the four games"),
            Problem::NotTenLetters => f.write_str("a row ends with ten letters in two groups of five"),
            Problem::UnknownLetter(letter) => write!(f, "the letter `{letter}` has no meaning in this section"),
            Problem::OutOfRange => f.write_str("no such hand: hard totals are 4 to 20, soft ones 12 to 20"),
            Problem::SaidTwice => f.write_str("this situation was answered before; each is answered once"),
            Problem::Missing(what) => write!(f, "{what} is missing"),
        }
    }
}

impl std::error::Error for BadStrategy {}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Head,
    Bonus,
    NoBonus,
    Pairs,
    Towards678,
    Surrender,
    AfterDouble,
}

/// Cells while they are being filled: `None` is not yet said.
struct Grid<T, const COUNTS: usize> {
    rows: Vec<[Option<[T; UP_CARDS]>; COUNTS]>,
}

impl<T: Copy, const COUNTS: usize> Grid<T, COUNTS> {
    fn new() -> Self {
        Self { rows: vec![[None; COUNTS]; 2 * TOTALS] }
    }

    /// Sets a row from count index `from` on; rows of one total come with rising counts.
    fn set(
        &mut self,
        soft: bool,
        total: usize,
        from: usize,
        letters: [T; UP_CARDS],
        last: &mut [usize],
    ) -> Result<(), Problem> {
        let at = usize::from(soft) * TOTALS + total;
        let in_order = if from == 0 { last[at] == 0 } else { last[at] > 0 && last[at] <= from };
        if !in_order {
            return Err(Problem::SaidTwice);
        }
        last[at] = from + 1;
        for each in &mut self.rows[at][from..] {
            *each = Some(letters);
        }
        Ok(())
    }

    fn finish(self, filler: T, section: &str) -> Result<Box<Cells<T, COUNTS>>, BadStrategy> {
        let mut block = Box::new([[[[filler; UP_CARDS]; COUNTS]; TOTALS]; 2]);
        for (soft, totals) in [(false, hard_totals()), (true, soft_totals())] {
            for total in totals {
                for count in 0..COUNTS {
                    let Some(row) = self.rows[usize::from(soft) * TOTALS + total][count] else {
                        let kind = if soft { "soft" } else { "hard" };
                        let what = format!("{kind} {total} in [{section}]");
                        return Err(BadStrategy { line: 0, problem: Problem::Missing(what) });
                    };
                    block[usize::from(soft)][total][count] = row;
                }
            }
        }
        Ok(block)
    }
}

fn hard_totals() -> RangeInclusive<usize> {
    4..=TOTALS - 1
}

fn soft_totals() -> RangeInclusive<usize> {
    12..=TOTALS - 1
}

struct Reader {
    games: Vec<Game>,
    soft_17: Option<Soft17>,
    seen: Vec<Section>,
    bonus: Grid<Cell, CARD_COUNTS>,
    no_bonus: Grid<Cell, CARD_COUNTS>,
    after_double: Grid<Doubled, DOUBLE_COUNTS>,
    pairs: [Option<[bool; UP_CARDS]>; 10],
    surrender: [Option<[bool; UP_CARDS]>; TOTALS],
    towards_678: [[Option<[bool; UP_CARDS]>; 3]; 3],
    /// How far each total of the current section has been said.
    last: Vec<usize>,
}

pub(super) fn strategy(text: &str) -> Result<Strategy, BadStrategy> {
    let mut reader = Reader {
        games: Vec::new(),
        soft_17: None,
        seen: vec![Section::Head],
        bonus: Grid::new(),
        no_bonus: Grid::new(),
        after_double: Grid::new(),
        pairs: [None; 10],
        surrender: [None; TOTALS],
        towards_678: [[None; 3]; 3],
        last: vec![0; 2 * TOTALS],
    };
    for (index, line) in text.lines().enumerate() {
        let content = line.split('#').next().unwrap_or_default();
        let words: Vec<&str> = content.split_whitespace().collect();
        reader.line(&words).map_err(|problem| BadStrategy { line: index + 1, problem })?;
    }
    reader.finish()
}

impl Reader {
    fn section(&self) -> Section {
        self.seen.last().copied().unwrap_or(Section::Head)
    }

    fn line(&mut self, words: &[&str]) -> Result<(), Problem> {
        match (self.section(), words) {
            (_, []) => Ok(()),
            (_, [name]) if name.starts_with('[') => self.open_section(name),
            (Section::Head, ["games", games @ ..]) => self.games(games),
            (Section::Head, ["soft-17", rule]) => self.soft_17(rule),
            (Section::Bonus, row) => {
                let (soft, totals, from, letters) = total_row(row, 2, CARD_COUNTS, cell_letter)?;
                totals.into_iter().try_for_each(|total| self.bonus.set(soft, total, from, letters, &mut self.last))
            }
            (Section::NoBonus, row) => {
                let (soft, totals, from, letters) = total_row(row, 2, CARD_COUNTS, cell_letter)?;
                totals.into_iter().try_for_each(|total| self.no_bonus.set(soft, total, from, letters, &mut self.last))
            }
            (Section::AfterDouble, row) => {
                let (soft, totals, from, letters) = total_row(row, 1, DOUBLE_COUNTS, doubled_letter)?;
                let last = &mut self.last;
                totals.into_iter().try_for_each(|total| self.after_double.set(soft, total, from, letters, last))
            }
            (Section::Surrender, row) => {
                let (soft, totals, from, letters) = total_row(row, 2, 1, |letter| mark_letter(letter, 'R'))?;
                if soft || from > 0 {
                    return Err(Problem::OutOfRange);
                }
                totals.into_iter().try_for_each(|total| say_once(&mut self.surrender[total], letters))
            }
            (Section::Pairs, ["pair", ranks, first, second]) => self.pairs(ranks, first, second),
            (Section::Towards678, ["draw", ranks, suits, first, second]) => {
                self.towards_678(ranks, suits, first, second)
            }
            (Section::Head | Section::Pairs | Section::Towards678, [word, ..]) => {
                Err(Problem::UnknownWord((*word).to_owned()))
            }
        }
    }

    fn open_section(&mut self, name: &str) -> Result<(), Problem> {
        let section = match name {
            "[bonus]" => Section::Bonus,
            "[no-bonus]" => Section::NoBonus,
            "[pairs]" => Section::Pairs,
            "[towards-678]" => Section::Towards678,
            "[surrender]" => Section::Surrender,
            "[after-double]" => Section::AfterDouble,
            other => return Err(Problem::UnknownWord(other.to_owned())),
        };
        if self.seen.contains(&section) {
            return Err(Problem::SaidTwice);
        }
        self.seen.push(section);
        self.last.fill(0);
        Ok(())
    }

    fn games(&mut self, names: &[&str]) -> Result<(), Problem> {
        for name in names {
            let game = name.parse().map_err(|_| Problem::UnknownGame((*name).to_owned()))?;
            if self.games.contains(&game) {
                return Err(Problem::SaidTwice);
            }
            self.games.push(game);
        }
        Ok(())
    }

    fn soft_17(&mut self, rule: &str) -> Result<(), Problem> {
        let rule = match rule {
            "stands" => Soft17::Stands,
            "hits" => Soft17::Hits,
            other => return Err(Problem::UnknownWord(other.to_owned())),
        };
        say_once(&mut self.soft_17, rule)
    }

    fn pairs(&mut self, ranks: &str, first: &str, second: &str) -> Result<(), Problem> {
        let letters = letters(first, second, |letter| mark_letter(letter, 'P'))?;
        for rank in ranks.split(',') {
            let value = match rank {
                "A" => 0,
                "T" => 9,
                digit => match digit.parse::<usize>() {
                    Ok(points @ 2..=9) => points - 1,
                    Ok(_) | Err(_) => return Err(Problem::UnknownWord(rank.to_owned())),
                },
            };
            say_once(&mut self.pairs[value], letters)?;
        }
        Ok(())
    }

    fn towards_678(&mut self, ranks: &str, suits: &str, first: &str, second: &str) -> Result<(), Problem> {
        let unknown = |word: &str| Problem::UnknownWord(word.to_owned());
        let pair = match ranks {
            "6,7" => pair_towards_678(Rank::Six, Rank::Seven),
            "6,8" => pair_towards_678(Rank::Six, Rank::Eight),
            "7,8" => pair_towards_678(Rank::Seven, Rank::Eight),
            _ => None,
        };
        let pair = pair.ok_or_else(|| unknown(ranks))?;
        let suited = match suits {
            "mixed" => SuitMatch::Mixed,
            "suited" => SuitMatch::Suited,
            "top" => SuitMatch::Top,
            other => return Err(unknown(other)),
        };
        let letters = letters(first, second, |letter| mark_letter(letter, 'H'))?;
        say_once(&mut self.towards_678[pair][suited as usize], letters)
    }

    fn finish(self) -> Result<Strategy, BadStrategy> {
        let missing = |what: &str| BadStrategy { line: 0, problem: Problem::Missing(what.to_owned()) };
        if self.games.is_empty() {
            return Err(missing("the line `games`"));
        }
        let soft_17 = self.soft_17.ok_or_else(|| missing("the line `soft-17`"))?;
        let bonus = self.bonus.finish(Cell::Stand, "bonus")?;
        // A file without the section plays every hand alike, or has no rescue.
        let no_bonus = match self.seen.contains(&Section::NoBonus) {
            true => self.no_bonus.finish(Cell::Stand, "no-bonus")?,
            false => bonus.clone(),
        };
        let after_double = match self.seen.contains(&Section::AfterDouble) {
            true => self.after_double.finish(Doubled::Stand, "after-double")?,
            false => Box::new([[[[Doubled::Stand; UP_CARDS]; DOUBLE_COUNTS]; TOTALS]; 2]),
        };
        let mut pairs = [[false; UP_CARDS]; 10];
        for (row, said) in pairs.iter_mut().zip(self.pairs) {
            *row = said.ok_or_else(|| missing("a row of [pairs]"))?;
        }
        let surrender = [self.surrender.map(Option::unwrap_or_default), [[false; UP_CARDS]; TOTALS]];
        let towards_678 = self.towards_678.map(|suits| suits.map(Option::unwrap_or_default));
        let knows_678 = towards_678.iter().flatten().flatten().any(|draws| *draws);
        let games = self.games;
        Ok(Strategy { games, soft_17, bonus, no_bonus, pairs, surrender, towards_678, knows_678, after_double })
    }
}

fn say_once<T>(place: &mut Option<T>, value: T) -> Result<(), Problem> {
    if place.is_some() {
        return Err(Problem::SaidTwice);
    }
    *place = Some(value);
    Ok(())
}

type Row<T> = (bool, RangeInclusive<usize>, usize, [T; UP_CARDS]);

/// `hard 5-7 4+ HHHHH HHHHH`: kind, totals, the least count (from `least` up) if any, letters.
fn total_row<T: Copy>(
    words: &[&str],
    least: usize,
    counts: usize,
    meaning: impl Fn(char) -> Result<T, Problem>,
) -> Result<Row<T>, Problem> {
    let (kind, totals, count, first, second) = match *words {
        [kind, totals, first, second] => (kind, totals, None, first, second),
        [kind, totals, count, first, second] => (kind, totals, Some(count), first, second),
        _ => return Err(Problem::NotTenLetters),
    };
    let (soft, possible) = match kind {
        "hard" => (false, hard_totals()),
        "soft" => (true, soft_totals()),
        other => return Err(Problem::UnknownWord(other.to_owned())),
    };
    let (low, high) = totals.split_once('-').unwrap_or((totals, totals));
    let number = |text: &str| text.parse::<usize>().map_err(|_| Problem::UnknownWord(text.to_owned()));
    let (low, high) = (number(low)?, number(high)?);
    if low > high || !possible.contains(&low) || !possible.contains(&high) {
        return Err(Problem::OutOfRange);
    }
    let from = match count {
        None => 0,
        Some(count) => {
            let digits = count.strip_suffix('+').ok_or_else(|| Problem::UnknownWord(count.to_owned()))?;
            let from = number(digits)?.checked_sub(least).ok_or(Problem::OutOfRange)?;
            if from == 0 || from >= counts {
                return Err(Problem::OutOfRange);
            }
            from
        }
    };
    Ok((soft, low..=high, from, letters(first, second, meaning)?))
}

fn letters<T: Copy>(
    first: &str,
    second: &str,
    meaning: impl Fn(char) -> Result<T, Problem>,
) -> Result<[T; UP_CARDS], Problem> {
    if first.chars().count() != 5 || second.chars().count() != 5 {
        return Err(Problem::NotTenLetters);
    }
    let read: Vec<T> = first.chars().chain(second.chars()).map(meaning).collect::<Result<_, _>>()?;
    read.try_into().map_err(|_| Problem::NotTenLetters)
}

fn cell_letter(letter: char) -> Result<Cell, Problem> {
    match letter {
        'S' => Ok(Cell::Stand),
        'H' => Ok(Cell::Hit),
        'D' => Ok(Cell::Double),
        other => Err(Problem::UnknownLetter(other)),
    }
}

fn doubled_letter(letter: char) -> Result<Doubled, Problem> {
    match letter {
        'S' => Ok(Doubled::Stand),
        'R' => Ok(Doubled::Rescue),
        'D' => Ok(Doubled::Redouble),
        other => Err(Problem::UnknownLetter(other)),
    }
}

fn mark_letter(letter: char, mark: char) -> Result<bool, Problem> {
    match letter {
        '-' => Ok(false),
        given if given == mark => Ok(true),
        other => Err(Problem::UnknownLetter(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SOUND: &str = include_str!("../../strategies/players-edge-h17.strategy");

    /// The problem of the shipped file with one piece of text changed.
    fn problem(from: &str, to: &str) -> Problem {
        assert!(SOUND.contains(from), "{from}");
        strategy(&SOUND.replacen(from, to, 1)).map(|_| ()).unwrap_err().problem
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        assert_eq!(problem("[pairs]", "[pears]"), Problem::UnknownWord("[pears]".to_owned()));
        assert_eq!(problem("players-edge-21", "pinochle"), Problem::UnknownGame("pinochle".to_owned()));
        assert_eq!(problem("soft-17  hits", "soft-17  runs"), Problem::UnknownWord("runs".to_owned()));
        assert_eq!(problem("HHHHD HHHHH", "HHHHX HHHHH"), Problem::UnknownLetter('X'));
        assert_eq!(problem("HHHHD HHHHH", "HHHHDHHHHH"), Problem::NotTenLetters);
        assert_eq!(problem("draw 7,8", "draw 7,9"), Problem::UnknownWord("7,9".to_owned()));
        assert_eq!(problem("hard 4  ", "hard 3  "), Problem::OutOfRange);
        assert_eq!(problem("hard 4     5+", "hard 4     7+"), Problem::OutOfRange);
    }

    #[test]
    fn every_situation_is_answered_once() {
        assert_eq!(problem("hard 5-7  ", "hard 4-7  "), Problem::SaidTwice);
        assert_eq!(problem("[pairs]", "[bonus]"), Problem::SaidTwice);
        assert_eq!(problem("pair 4,5,T", "pair 4,5,A"), Problem::SaidTwice);
        assert_eq!(problem("pair 4,5,T", "pair 4,5  "), Problem::Missing("a row of [pairs]".to_owned()));
        assert_eq!(problem("hard 18-20 ", "hard 18-19 "), Problem::Missing("hard 20 in [bonus]".to_owned()));
        assert_eq!(problem("soft-17  hits", ""), Problem::Missing("the line `soft-17`".to_owned()));
    }

    #[test]
    fn an_error_names_its_line() {
        let bad = strategy("games blackjack\nsoft-17 stands\n\nnonsense\n").map(|_| ()).unwrap_err();
        assert_eq!((bad.line, bad.to_string().as_str()), (4, "line 4: `nonsense` means nothing here"));
    }

    proptest! {
        #[test]
        fn garbage_is_refused_without_a_panic(text in "\\PC*", rows in prop::collection::vec("[a-z\\[\\]0-9+, SHDPR#-]{0,30}", 0..12)) {
            prop_assert!(strategy(&text).is_err());
            prop_assert!(strategy(&rows.join("\n")).is_err());
        }
    }
}
