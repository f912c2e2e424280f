//! The play script: one input a line, as people write it in scenarios, documents and replays.
//!
//! `docs/play-script.md` is its manual. Parsing only reads words; whether an input is legal is the engine's business.

mod write;

use std::fmt;

use crate::card::Card;
use crate::input::{Answer, Cutter, Draw, Drawn, Input, Inspection, ShuffleDone, Text, UpGroup};
use crate::money::Cents;
use crate::seat::{Seat, SeatSet};
use crate::table::ShoeSide;
use crate::wager::WagerId;

/// No line of a script is longer; anything beyond is refused before it is looked at.
pub const LINE_BYTES_MAX: usize = 500;

/// Why a line could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ScriptError {
    TooLong { bytes: usize },
    UnknownWord(String),
    Missing { word: &'static str, usage: &'static str },
    TooMuch { word: &'static str, usage: &'static str, extra: String },
    Bad { what: &'static str, got: String, expected: String },
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { bytes } => {
                write!(f, "the line has {bytes} bytes; a script line has at most {LINE_BYTES_MAX}")
            }
            Self::UnknownWord(word) => match nearest(word) {
                Some(known) => write!(f, "unknown word `{word}`; did you mean `{known}`?"),
                None => write!(f, "unknown word `{word}`; the words are: {}", all_words()),
            },
            Self::Missing { word, usage } => write!(f, "`{word}` needs more: write `{usage}`"),
            Self::TooMuch { word, usage, extra } => {
                write!(f, "`{extra}` is too much after `{word}`: write `{usage}`")
            }
            Self::Bad { what, got, expected } => write!(f, "`{got}` is not {what}: {expected}"),
        }
    }
}

impl std::error::Error for ScriptError {}

/// Every word with how it is used, for help and error messages.
pub const WORDS: &[(&str, &str)] = &[
    ("open", "open"),
    ("close", "close"),
    ("decks", "decks 6 [preinspected]"),
    ("inspect", "inspect dealer|floor|tens 24|player 3"),
    ("spread", "spread"),
    ("wash", "wash"),
    ("shuffle", "shuffle [by-hand|device|jam]"),
    ("cut", "cut 6 45|dealer 45|refuse 6"),
    ("place", "place 80"),
    ("load", "load"),
    ("idle", "idle"),
    ("at", "at 14:05"),
    ("permit", "permit 4"),
    ("shuffler-repaired", "shuffler-repaired"),
    ("irregularity", "irregularity 13.F 4 8h"),
    ("accept", "accept 5"),
    ("refuse", "refuse 4"),
    ("switch", "switch"),
    ("player", "player 2 3"),
    ("wager", "wager 1 main 25"),
    ("unwager", "unwager 1 main"),
    ("cash", "cash 3 [returned]"),
    ("lock", "lock"),
    ("late", "late 5 monster-match"),
    ("dealer-change", "dealer-change NAME"),
    ("burn", "burn"),
    ("cover", "cover [left|right]"),
    ("card", "card 7d [left|right]"),
    ("insure", "insure 1 12.50"),
    ("even-money", "even-money 1"),
    ("insurance-closed", "insurance-closed"),
    ("peek", "peek yes|no|unread"),
    ("reader-repaired", "reader-repaired"),
    ("hit", "hit"),
    ("stand", "stand"),
    ("double", "double [amount]"),
    ("redouble", "redouble"),
    ("split", "split"),
    ("surrender", "surrender [seat]"),
    ("rescue", "rescue"),
    ("seat", "seat 4"),
    ("reveal", "reveal Kc"),
    ("turn", "turn 3 7d"),
    ("amount", "amount 3 main 25"),
    ("wheel", "wheel 3 bonus-spin 1000"),
    ("draw", "draw magic Kh|player 4|must-hit 4|none"),
    ("up", "up ace|ten|low"),
    ("next", "next"),
    ("blackjack", "blackjack 2"),
    ("claim", "claim 4 monster-match B(c)"),
    ("paid", "paid"),
    ("collected", "collected"),
    ("settled", "settled"),
    ("floor", "floor approve|void|reshuffle|recut"),
    ("manager", "manager approve"),
    ("undo", "undo"),
    ("correct", "correct \"why\""),
];

fn all_words() -> String {
    WORDS.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(" ")
}

/// A known word within two edits.
fn nearest(word: &str) -> Option<&'static str> {
    if word.len() > 20 {
        return None;
    }
    WORDS.iter().map(|(known, _)| (edits(word, known), *known)).filter(|(n, _)| *n <= 2).min().map(|(_, known)| known)
}

fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substitution = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = substitution.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// Reads one line. `None` for an empty line or one that is only a comment.
pub fn parse_line(line: &str) -> Result<Option<Input>, ScriptError> {
    if line.len() > LINE_BYTES_MAX {
        return Err(ScriptError::TooLong { bytes: line.len() });
    }
    let mut words = Words::new(strip_comment(line));
    let Some(first) = words.next() else { return Ok(None) };
    let Some(&(word, usage)) = WORDS.iter().find(|(word, _)| *word == first) else {
        return Err(ScriptError::UnknownWord(first.to_owned()));
    };
    let mut rest = Rest { word, usage, words };
    let input = parse_word(word, &mut rest)?;
    rest.end()?;
    Ok(Some(input))
}

/// Cuts a `#` comment that is not inside quotes.
fn strip_comment(line: &str) -> &str {
    let mut quoted = false;
    for (at, letter) in line.char_indices() {
        match letter {
            '"' => quoted = !quoted,
            '#' if !quoted => return &line[..at],
            _ => {}
        }
    }
    line
}

fn parse_word(word: &str, rest: &mut Rest<'_>) -> Result<Input, ScriptError> {
    Ok(match word {
        "player" => Input::Link(rest.seats()?),
        "wager" => Input::Wager { seat: rest.seat()?, wager: rest.wager()?, amount: rest.optional_amount()? },
        "unwager" => Input::Unwager { seat: rest.seat()?, wager: rest.wager()? },
        "cash" => Input::Cash { seat: rest.seat()?, returned: rest.flag("returned")? },
        "lock" => Input::Lock,
        "late" => Input::Late { seat: rest.seat()?, wager: rest.wager()? },
        "dealer-change" => Input::DealerChange(rest.text()?),
        "burn" => Input::Burn,
        "cover" => match rest.optional_side()? {
            None => Input::Cover,
            Some(side) => Input::CoverFrom(side),
        },
        "open" => Input::Open,
        "close" => Input::Close,
        "decks" => Input::Decks { count: rest.number("a number of decks")?, preinspected: rest.flag("preinspected")? },
        "inspect" => Input::Inspect(rest.inspection()?),
        "spread" => Input::Spread,
        "wash" => Input::Wash,
        "shuffle" => Input::Shuffle(rest.optional_one_of(
            "a way to shuffle",
            ShuffleDone::ByHand,
            &[("by-hand", ShuffleDone::ByHand), ("device", ShuffleDone::Device), ("jam", ShuffleDone::Jam)],
        )?),
        "cut" => rest.cut()?,
        "place" => Input::PlaceCover(rest.number("a number of cards")?),
        "load" => Input::Load,
        "idle" => Input::Idle,
        "at" => Input::At(rest.minute_of_day()?),
        "permit" => Input::Permit(rest.seat()?),
        "shuffler-repaired" => Input::ShufflerRepaired,
        "irregularity" => rest.irregularity()?,
        "accept" => Input::Accept(rest.seat()?),
        "refuse" => Input::Refuse(rest.seat()?),
        "switch" => Input::Switch,
        "card" => {
            let drawn = rest.drawn()?;
            match rest.optional_side()? {
                None => Input::Card(drawn),
                Some(side) => Input::CardFrom { drawn, side },
            }
        }
        "insure" => Input::Insure { seat: rest.seat()?, amount: rest.optional_amount()? },
        "even-money" => Input::EvenMoney { seat: rest.seat()? },
        "insurance-closed" => Input::InsuranceClosed,
        "peek" => Input::Peek(
            rest.one_of("an answer", &[("yes", Answer::Yes), ("no", Answer::No), ("unread", Answer::Unread)])?,
        ),
        "reader-repaired" => Input::ReaderRepaired,
        "hit" => Input::Hit,
        "stand" => Input::Stand,
        "double" => Input::Double(rest.optional_amount()?),
        "redouble" => Input::Redouble,
        "split" => Input::Split,
        "surrender" => match rest.optional_seat()? {
            None => Input::Surrender,
            Some(seat) => Input::SeatSurrender(seat),
        },
        "rescue" => Input::Rescue,
        "seat" => Input::Seat(rest.seat()?),
        "reveal" => Input::Reveal(rest.card()?),
        "turn" => Input::Turn { seat: rest.seat()?, card: rest.card()? },
        "amount" => Input::Amount { seat: rest.seat()?, wager: rest.wager()?, amount: rest.amount()? },
        "up" => Input::Up(
            rest.one_of("an up card group", &[("ace", UpGroup::Ace), ("ten", UpGroup::Ten), ("low", UpGroup::Low)])?,
        ),
        "wheel" => Input::Wheel { seat: rest.seat()?, wager: rest.wager()?, symbol: rest.text()? },
        "draw" => Input::Draw(rest.draw()?),
        "claim" => Input::Claim { seat: rest.seat()?, wager: rest.wager()?, line: rest.text()? },
        "next" => Input::Next,
        "blackjack" => Input::SeatBlackjack(rest.seat()?),
        "paid" => Input::Paid,
        "collected" => Input::Collected,
        "settled" => Input::Settled,
        "floor" => rest.one_of(
            "a floorperson's word",
            &[
                ("approve", Input::FloorApprove),
                ("void", Input::FloorVoid),
                ("reshuffle", Input::FloorReshuffle),
                ("recut", Input::FloorRecut),
            ],
        )?,
        "manager" => rest.one_of("a manager's word", &[("approve", Input::ManagerApprove)])?,
        "undo" => Input::Undo,
        "correct" => Input::Correct(rest.text()?),
        other => return Err(ScriptError::UnknownWord(other.to_owned())),
    })
}

/// Splits a line into words; a quoted text is one word.
struct Words<'a> {
    left: &'a str,
}

impl<'a> Words<'a> {
    fn new(line: &'a str) -> Self {
        Self { left: line }
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let left = self.left.trim_start();
        if left.is_empty() {
            self.left = left;
            return None;
        }
        if let Some(quoted) = left.strip_prefix('"') {
            let end = quoted.find('"').unwrap_or(quoted.len());
            self.left = quoted.get(end + 1..).unwrap_or("");
            return Some(&quoted[..end]);
        }
        let end = left.find(char::is_whitespace).unwrap_or(left.len());
        let (word, rest) = left.split_at(end);
        self.left = rest;
        Some(word)
    }
}

/// What follows the first word.
struct Rest<'a> {
    word: &'static str,
    usage: &'static str,
    words: Words<'a>,
}

impl Rest<'_> {
    fn need(&mut self) -> Result<&str, ScriptError> {
        self.words.next().ok_or(ScriptError::Missing { word: self.word, usage: self.usage })
    }

    fn end(&mut self) -> Result<(), ScriptError> {
        match self.words.next() {
            None => Ok(()),
            Some(extra) => Err(ScriptError::TooMuch { word: self.word, usage: self.usage, extra: shortened(extra) }),
        }
    }

    fn seat(&mut self) -> Result<Seat, ScriptError> {
        parse_seat(self.need()?)
    }

    fn optional_seat(&mut self) -> Result<Option<Seat>, ScriptError> {
        self.words.next().map(parse_seat).transpose()
    }

    fn seats(&mut self) -> Result<SeatSet, ScriptError> {
        let mut seats = SeatSet::EMPTY.with(parse_seat(self.need()?)?);
        for word in self.words.by_ref() {
            seats = seats.with(parse_seat(word)?);
        }
        Ok(seats)
    }

    fn wager(&mut self) -> Result<WagerId, ScriptError> {
        let word = self.need()?;
        word.parse().map_err(|_| ScriptError::Bad {
            what: "a wager",
            got: shortened(word),
            expected: "the ids are main and those of the side wagers, such as match-the-dealer".to_owned(),
        })
    }

    fn amount(&mut self) -> Result<Cents, ScriptError> {
        parse_amount(self.need()?)
    }

    fn optional_amount(&mut self) -> Result<Option<Cents>, ScriptError> {
        self.words.next().map(parse_amount).transpose()
    }

    fn card(&mut self) -> Result<Card, ScriptError> {
        parse_card(self.need()?)
    }

    fn drawn(&mut self) -> Result<Drawn, ScriptError> {
        match self.need()? {
            "?" => Ok(Drawn::FaceDown),
            word => parse_card(word).map(Drawn::FaceUp),
        }
    }

    fn number<T: std::str::FromStr>(&mut self, what: &'static str) -> Result<T, ScriptError> {
        let word = self.need()?;
        word.parse().map_err(|_| ScriptError::Bad {
            what,
            got: shortened(word),
            expected: "write a whole number".to_owned(),
        })
    }

    /// An optional word that may follow.
    fn flag(&mut self, flag: &'static str) -> Result<bool, ScriptError> {
        self.optional_one_of("a word for this place", false, &[(flag, true)])
    }

    fn optional_one_of<T: Copy>(
        &mut self,
        what: &'static str,
        otherwise: T,
        choices: &[(&str, T)],
    ) -> Result<T, ScriptError> {
        match self.words.next() {
            None => Ok(otherwise),
            Some(word) => choose(what, word, choices),
        }
    }

    fn optional_side(&mut self) -> Result<Option<ShoeSide>, ScriptError> {
        self.optional_one_of(
            "a side of the shoe",
            None,
            &[("left", Some(ShoeSide::Left)), ("right", Some(ShoeSide::Right))],
        )
    }

    fn inspection(&mut self) -> Result<Inspection, ScriptError> {
        Ok(match self.need()? {
            "dealer" => Inspection::Dealer,
            "floor" => Inspection::Floor,
            "tens" => Inspection::Tens(self.number("a number of tens")?),
            "player" => Inspection::Player(self.seat()?),
            other => {
                return Err(ScriptError::Bad {
                    what: "an inspection",
                    got: shortened(other),
                    expected: "it is one of dealer, floor, tens N, player SEAT".to_owned(),
                });
            }
        })
    }

    fn cut(&mut self) -> Result<Input, ScriptError> {
        Ok(match self.need()? {
            "refuse" => Input::CutRefused(self.seat()?),
            "dealer" => Input::Cut { by: Cutter::Dealer, depth: self.number("a number of cards")? },
            seat => {
                let by = Cutter::Seat(parse_seat(seat)?);
                Input::Cut { by, depth: self.number("a number of cards")? }
            }
        })
    }

    fn minute_of_day(&mut self) -> Result<u16, ScriptError> {
        let word = self.need()?;
        let time = word.split_once(':').and_then(|(hours, minutes)| {
            let (hours, minutes): (u16, u16) = (hours.parse().ok()?, minutes.parse().ok()?);
            (hours < 24 && minutes < 60).then_some(hours * 60 + minutes)
        });
        time.ok_or_else(|| ScriptError::Bad {
            what: "a time",
            got: shortened(word),
            expected: "write hours and minutes, for example 14:05".to_owned(),
        })
    }

    /// The clause, then what it asks for in any order: a seat, a card, `covered` or `sign`.
    fn irregularity(&mut self) -> Result<Input, ScriptError> {
        let clause = self.need()?;
        let clause = Text::new(clause).ok_or_else(|| ScriptError::Bad {
            what: "a clause",
            got: shortened(clause),
            expected: "write its id, for example 13.F".to_owned(),
        })?;
        let (mut seat, mut card, mut attested) = (None, None, false);
        for word in self.words.by_ref() {
            match word {
                "covered" | "sign" => attested = true,
                _ if word.bytes().all(|byte| byte.is_ascii_digit()) => seat = Some(parse_seat(word)?),
                _ => card = Some(parse_card(word)?),
            }
        }
        Ok(Input::Irregularity { clause, seat, card, attested })
    }

    fn draw(&mut self) -> Result<Draw, ScriptError> {
        #[derive(Clone, Copy)]
        enum Kind {
            Magic,
            Player,
            MustHit,
            None,
        }
        let kinds =
            [("magic", Kind::Magic), ("player", Kind::Player), ("must-hit", Kind::MustHit), ("none", Kind::None)];
        Ok(match self.one_of("a draw", &kinds)? {
            Kind::Magic => Draw::Magic(self.card()?),
            Kind::Player => Draw::Player(self.seat()?),
            Kind::MustHit => Draw::MustHit(self.seat()?),
            Kind::None => Draw::None,
        })
    }

    /// The rest of the line as one text.
    fn text(&mut self) -> Result<Text, ScriptError> {
        let mut text = self.need()?.to_owned();
        for word in self.words.by_ref() {
            text.push(' ');
            text.push_str(word);
        }
        Text::new(&text).ok_or_else(|| ScriptError::Bad {
            what: "a text",
            got: shortened(&text),
            expected: format!("at most {} bytes, no control characters", Text::BYTES_MAX),
        })
    }

    fn one_of<T: Copy>(&mut self, what: &'static str, choices: &[(&str, T)]) -> Result<T, ScriptError> {
        choose(what, self.need()?, choices)
    }
}

fn choose<T: Copy>(what: &'static str, word: &str, choices: &[(&str, T)]) -> Result<T, ScriptError> {
    choices.iter().find(|(name, _)| *name == word).map(|&(_, value)| value).ok_or_else(|| ScriptError::Bad {
        what,
        got: shortened(word),
        expected: format!("it is one of {}", choices.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")),
    })
}

fn parse_seat(word: &str) -> Result<Seat, ScriptError> {
    word.parse().ok().and_then(Seat::new).ok_or_else(|| ScriptError::Bad {
        what: "a seat",
        got: shortened(word),
        expected: "seats are numbered 1 to 8 from the dealer's left".to_owned(),
    })
}

fn parse_amount(word: &str) -> Result<Cents, ScriptError> {
    Cents::parse(word).map_err(|expected| ScriptError::Bad {
        what: "an amount",
        got: shortened(word),
        expected: expected.to_string().trim_start_matches("not an amount: ").to_owned(),
    })
}

fn parse_card(word: &str) -> Result<Card, ScriptError> {
    word.parse().map_err(|_| ScriptError::Bad {
        what: "a card",
        got: shortened(word),
        expected: if word.starts_with("10") {
            "write a ten as T, for example Th".to_owned()
        } else {
            "write rank (A 2 … 9 T J Q K) and suit (c d h s), for example 7d".to_owned()
        },
    })
}

/// Long garbage is shown only by its beginning.
fn shortened(word: &str) -> String {
    match word.char_indices().nth(24) {
        None => word.to_owned(),
        Some((end, _)) => format!("{}…", &word[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_reads_its_own_usage() {
        for (word, usage) in WORDS {
            let example = usage
                .replace("yes|no|unread", "no")
                .replace("ace|ten|low", "ace")
                .replace("approve|void|reshuffle|recut", "void");
            let example =
                example.replace("[amount]", "5").replace("[seat]", "3").replace("Kh|player 4|must-hit 4|none", "Kh");
            let example = example
                .replace(" [preinspected]", "")
                .replace("[returned]", "returned")
                .replace("dealer|floor|tens 24|player 3", "player 3")
                .replace(" [by-hand|device|jam]", "")
                .replace("6 45|dealer 45|refuse 6", "6 45")
                .replace(" [left|right]", " left");
            let parsed = parse_line(&example);
            assert!(matches!(parsed, Ok(Some(_))), "{word}: {example}: {parsed:?}");
        }
    }

    #[test]
    fn comments_and_empty_lines_are_nothing() {
        for line in ["", "   ", "# lock", "\t#"] {
            assert_eq!(parse_line(line), Ok(None));
        }
        assert_eq!(parse_line("hit # a word"), Ok(Some(Input::Hit)));
        let why = Text::new("seat #2 was right").unwrap();
        assert_eq!(parse_line("correct \"seat #2 was right\" # yes"), Ok(Some(Input::Correct(why))));
    }

    #[test]
    fn errors_say_what_is_wrong_and_what_would_be_right() {
        let text = |line: &str| parse_line(line).unwrap_err().to_string();
        assert_eq!(text("wagr 1 main 5"), "unknown word `wagr`; did you mean `wager`?");
        assert_eq!(text("wager 1"), "`wager` needs more: write `wager 1 main 25`");
        assert_eq!(text("wager 9 main 5"), "`9` is not a seat: seats are numbered 1 to 8 from the dealer's left");
        assert_eq!(text("card 10h"), "`10h` is not a card: write a ten as T, for example Th");
        assert_eq!(text("peek maybe"), "`maybe` is not an answer: it is one of yes, no, unread");
        assert_eq!(text("lock now"), "`now` is too much after `lock`: write `lock`");
        assert!(text("wager 1 main -5").contains("not an amount"));
        assert!(text(&"x".repeat(2_000_000)).contains("at most 500"));
    }
}
