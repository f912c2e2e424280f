//! The words after the first one: seats, amounts, cards and the rest, each read with an error that says what would be
//! right.

use super::ScriptError;
use crate::card::Card;
use crate::input::{Cutter, Draw, Drawn, Input, Inspection, Packs, Text};
use crate::money::Cents;
use crate::seat::{Seat, SeatSet};
use crate::table::ShoeSide;
use crate::wager::WagerId;

/// Splits a line into words; a quoted text is one word.
pub(super) struct Words<'a> {
    left: &'a str,
}

impl<'a> Words<'a> {
    pub(super) fn new(line: &'a str) -> Self {
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

/// A quote stands before a whole text or behind it and nowhere else, so that what is kept of a text reads back.
pub(super) fn check_quotes(line: &str) -> Result<(), ScriptError> {
    let mut left = line.trim_start();
    while !left.is_empty() {
        let after = match left.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').ok_or(ScriptError::UnclosedQuote)?.1,
            None => left,
        };
        let end = after.find(char::is_whitespace).unwrap_or(after.len());
        let (bare, rest) = after.split_at(end);
        let joined = after.len() != left.len() && !bare.is_empty();
        if joined || bare.contains('"') {
            let word = &left[..left.len() - rest.len()];
            return Err(ScriptError::QuoteInWord { got: shortened(word) });
        }
        left = rest.trim_start();
    }
    Ok(())
}

/// What follows the first word.
pub(super) struct Rest<'a> {
    pub(super) word: &'static str,
    pub(super) usage: &'static str,
    pub(super) words: Words<'a>,
}

impl Rest<'_> {
    pub(super) fn need(&mut self) -> Result<&str, ScriptError> {
        self.words.next().ok_or(ScriptError::Missing { word: self.word, usage: self.usage })
    }

    pub(super) fn end(&mut self) -> Result<(), ScriptError> {
        match self.words.next() {
            None => Ok(()),
            Some(extra) => Err(ScriptError::TooMuch { word: self.word, usage: self.usage, extra: shortened(extra) }),
        }
    }

    pub(super) fn seat(&mut self) -> Result<Seat, ScriptError> {
        parse_seat(self.need()?)
    }

    pub(super) fn optional_seat(&mut self) -> Result<Option<Seat>, ScriptError> {
        self.words.next().map(parse_seat).transpose()
    }

    pub(super) fn seats(&mut self) -> Result<SeatSet, ScriptError> {
        let mut seats = SeatSet::EMPTY.with(parse_seat(self.need()?)?);
        for word in self.words.by_ref() {
            seats = seats.with(parse_seat(word)?);
        }
        Ok(seats)
    }

    pub(super) fn wager(&mut self) -> Result<WagerId, ScriptError> {
        let word = self.need()?;
        word.parse().map_err(|_| ScriptError::Bad {
            what: "a wager",
            got: shortened(word),
            expected: "the ids are main and those of the side wagers, such as match-the-dealer".to_owned(),
        })
    }

    pub(super) fn amount(&mut self) -> Result<Cents, ScriptError> {
        parse_amount(self.need()?)
    }

    pub(super) fn optional_amount(&mut self) -> Result<Option<Cents>, ScriptError> {
        self.words.next().map(parse_amount).transpose()
    }

    pub(super) fn card(&mut self) -> Result<Card, ScriptError> {
        parse_card(self.need()?)
    }

    pub(super) fn drawn(&mut self) -> Result<Drawn, ScriptError> {
        match self.need()? {
            "?" => Ok(Drawn::FaceDown),
            word => parse_card(word).map(Drawn::FaceUp),
        }
    }

    pub(super) fn number<T: std::str::FromStr>(&mut self, what: &'static str) -> Result<T, ScriptError> {
        let word = self.need()?;
        word.parse().map_err(|_| ScriptError::Bad {
            what,
            got: shortened(word),
            expected: "write a whole number".to_owned(),
        })
    }

    /// An optional word that may follow.
    pub(super) fn flag(&mut self, flag: &'static str) -> Result<bool, ScriptError> {
        self.optional_one_of("a word for this place", false, &[(flag, true)])
    }

    pub(super) fn optional_one_of<T: Copy>(
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

    pub(super) fn packs(&mut self) -> Result<Packs, ScriptError> {
        let packs = [("48", Packs::WithoutTens), ("52", Packs::WithTens), ("preinspected", Packs::Preinspected)];
        self.optional_one_of("a kind of packs", Packs::Unsaid, &packs)
    }

    pub(super) fn optional_side(&mut self) -> Result<Option<ShoeSide>, ScriptError> {
        self.optional_one_of(
            "a side of the shoe",
            None,
            &[("left", Some(ShoeSide::Left)), ("right", Some(ShoeSide::Right))],
        )
    }

    pub(super) fn inspection(&mut self) -> Result<Inspection, ScriptError> {
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

    pub(super) fn cut(&mut self) -> Result<Input, ScriptError> {
        Ok(match self.need()? {
            "refuse" => Input::CutRefused(self.seat()?),
            "dealer" => Input::Cut { by: Cutter::Dealer, depth: self.number("a number of cards")? },
            seat => {
                let by = Cutter::Seat(parse_seat(seat)?);
                Input::Cut { by, depth: self.number("a number of cards")? }
            }
        })
    }

    pub(super) fn minute_of_day(&mut self) -> Result<u16, ScriptError> {
        let word = self.need()?;
        let time = word.split_once(':').and_then(|(hours, minutes)| {
            let (hours, minutes): (u16, u16) = (hours.parse().ok()?, minutes.parse().ok()?);
            (hours < 24 && minutes < 60).then(|| hours * 60 + minutes)
        });
        time.ok_or_else(|| ScriptError::Bad {
            what: "a time",
            got: shortened(word),
            expected: "write hours and minutes, for example 14:05".to_owned(),
        })
    }

    /// The clause, then what it asks for in any order: a seat, a card, `covered` or `sign`.
    pub(super) fn irregularity(&mut self) -> Result<Input, ScriptError> {
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

    pub(super) fn draw(&mut self) -> Result<Draw, ScriptError> {
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
    pub(super) fn text(&mut self) -> Result<Text, ScriptError> {
        let mut text = self.need()?.to_owned();
        for word in self.words.by_ref() {
            text.push(' ');
            text.push_str(word);
        }
        let text = text.trim();
        if text.is_empty() {
            return Err(ScriptError::BlankText { word: self.word, usage: self.usage });
        }
        Text::new(text).ok_or_else(|| ScriptError::Bad {
            what: "a text",
            got: shortened(text),
            expected: format!("at most {} bytes, no control characters", Text::BYTES_MAX),
        })
    }

    pub(super) fn one_of<T: Copy>(&mut self, what: &'static str, choices: &[(&str, T)]) -> Result<T, ScriptError> {
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
