//! The play script: one input a line, as people write it in scenarios, documents and replays.
//!
//! `docs/play-script.md` is its manual. Parsing only reads words; whether an input is legal is the engine's business.

mod rest;
mod write;

use std::fmt;

use rest::{Rest, Words, check_quotes};

use crate::input::{Input, PaymentsAnswer, PeekAnswer, ShuffleDone, UpGroup};

/// No line of a script is longer; anything beyond is refused before it is looked at.
pub const LINE_BYTES_MAX: usize = 500;

/// Why a line could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ScriptError {
    TooLong {
        bytes: usize,
    },
    /// A character that no screen, console or log should be sent.
    Unprintable {
        letter: char,
    },
    UnknownWord(String),
    Missing {
        word: &'static str,
        usage: &'static str,
    },
    TooMuch {
        word: &'static str,
        usage: &'static str,
        extra: String,
    },
    Bad {
        what: &'static str,
        got: String,
        expected: String,
    },
    /// A reason or a name of nothing but spaces (H5: a correction carries its reason).
    BlankText {
        word: &'static str,
        usage: &'static str,
    },
    UnclosedQuote,
    QuoteInWord {
        got: String,
    },
    /// A word for scripts at the place of an input of a running table.
    OnlyInScripts {
        word: &'static str,
    },
}

/// A line of a script, read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    Input(Input),
    /// The table's power goes and comes back: whoever runs the script rebuilds the engine from its snapshot (H18).
    Restart,
}

const RESTART: &str = "restart";

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { bytes } => {
                write!(f, "the line has {bytes} bytes; a script line has at most {LINE_BYTES_MAX}")
            }
            Self::Unprintable { letter } => {
                write!(
                    f,
                    "the line has a character that cannot be shown, U+{:04X}: type the line again",
                    *letter as u32
                )
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
            Self::BlankText { word, usage } => write!(f, "`{word}` needs a text that is not blank: write `{usage}`"),
            Self::UnclosedQuote => f.write_str("a quote is not closed: write a text with spaces as \"two words\""),
            Self::QuoteInWord { got } => {
                write!(f, "`{got}` has a quote in it: quotes stand around a whole text, inside one write '")
            }
            Self::OnlyInScripts { word } => {
                write!(f, "`{word}` is a word for scripts: a running table comes back from its journal by itself")
            }
        }
    }
}

impl std::error::Error for ScriptError {}

/// Every word with how it is used, for help and error messages.
pub const WORDS: &[(&str, &str)] = &[
    ("open", "open"),
    ("close", "close"),
    ("decks", "decks 6 [48|52|preinspected]"),
    ("inspect", "inspect dealer|floor|tens 24|player 3"),
    ("spread", "spread"),
    ("wash", "wash"),
    ("shuffle", "shuffle [by-hand|device|jam]"),
    ("cut", "cut 6 45|dealer 45|refuse 6"),
    ("place", "place 80"),
    ("load", "load"),
    ("idle", "idle"),
    ("at", "at 14:05"),
    ("restart", "restart"),
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
    ("payments", "payments stand \"why\""),
    ("reject", "reject \"why\""),
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

/// Reads one input. `None` for an empty line or one that is only a comment.
pub fn parse_line(line: &str) -> Result<Option<Input>, ScriptError> {
    match parse_step(line)? {
        Some(Step::Input(input)) => Ok(Some(input)),
        Some(Step::Restart) => Err(ScriptError::OnlyInScripts { word: RESTART }),
        None => Ok(None),
    }
}

/// Reads one line of a script. `None` for an empty line or one that is only a comment.
pub fn parse_step(line: &str) -> Result<Option<Step>, ScriptError> {
    if line.len() > LINE_BYTES_MAX {
        return Err(ScriptError::TooLong { bytes: line.len() });
    }
    let line = line.trim();
    if let Some(letter) = line.chars().find(|letter| letter.is_control() && *letter != '\t') {
        return Err(ScriptError::Unprintable { letter });
    }
    let line = strip_comment(line);
    check_quotes(line)?;
    let mut words = Words::new(line);
    let Some(first) = words.next() else { return Ok(None) };
    let Some(&(word, usage)) = WORDS.iter().find(|(word, _)| *word == first) else {
        return Err(ScriptError::UnknownWord(first.to_owned()));
    };
    let mut rest = Rest { word, usage, words };
    let step = match word {
        RESTART => Step::Restart,
        word => Step::Input(parse_word(word, &mut rest)?),
    };
    rest.end()?;
    Ok(Some(step))
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
        "decks" => Input::Decks { count: rest.number("a number of decks")?, packs: rest.packs()? },
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
        "peek" => Input::Peek(rest.one_of(
            "an answer",
            &[("yes", PeekAnswer::Yes), ("no", PeekAnswer::No), ("unread", PeekAnswer::Unread)],
        )?),
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
        "payments" => {
            let answers = PaymentsAnswer::ALL.map(|answer| (answer.word(), answer));
            Input::Payments { answer: rest.one_of("what becomes of the payments", &answers)?, reason: rest.text()? }
        }
        "reject" => Input::Reject(rest.text()?),
        "undo" => Input::Undo,
        "correct" => Input::Correct(rest.text()?),
        other => return Err(ScriptError::UnknownWord(other.to_owned())),
    })
}

#[cfg(test)]
mod garbage;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Text;

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
                .replace(" [48|52|preinspected]", "")
                .replace("[returned]", "returned")
                .replace("dealer|floor|tens 24|player 3", "player 3")
                .replace(" [by-hand|device|jam]", "")
                .replace("6 45|dealer 45|refuse 6", "6 45")
                .replace(" [left|right]", " left");
            let parsed = parse_step(&example);
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

    /// H5: a correction carries its reason, and a dealer has a name.
    #[test]
    fn a_text_has_words_in_it_and_its_quotes_are_whole() {
        let text = |line: &str| parse_line(line).unwrap_err().to_string();
        for blank in ["correct \"\"", "correct \"   \"", "correct \"\" \" \""] {
            assert_eq!(text(blank), "`correct` needs a text that is not blank: write `correct \"why\"`");
        }
        assert_eq!(
            text("dealer-change \" \""),
            "`dealer-change` needs a text that is not blank: write `dealer-change NAME`"
        );
        for unclosed in ["correct \"x", "correct \"x # y", "dealer-change \"", "correct \"a b\" \"c"] {
            assert!(text(unclosed).starts_with("a quote is not closed"), "{unclosed}");
        }
        assert_eq!(
            text("correct a\"b c"),
            "`a\"b` has a quote in it: quotes stand around a whole text, inside one write '"
        );
        assert!(text("correct \"a\"b").contains("has a quote in it"));
        assert_eq!(parse_line("correct \" why \""), parse_line("correct why"));
    }

    #[test]
    fn a_restart_is_a_step_of_a_script_and_no_input_of_a_table() {
        assert_eq!(parse_step("restart # the power went"), Ok(Some(Step::Restart)));
        assert_eq!(parse_step("hit"), Ok(Some(Step::Input(Input::Hit))));
        assert_eq!(parse_line("restart"), Err(ScriptError::OnlyInScripts { word: "restart" }));
        assert!(parse_step("restart now").is_err());
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
        assert!(text("at 1405:00").contains("hours and minutes"));
        assert!(text(&"x".repeat(2_000_000)).contains("at most 500"));
        assert!(text("correct \"\u{1b}[2J\"").contains("U+001B"));
    }
}
