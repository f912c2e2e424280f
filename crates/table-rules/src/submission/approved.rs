//! The forms of a date and of a SHA-256 sum, and the sums of the texts that the readings were made for.

use std::fmt;

use crate::game::Game;
use crate::table::{ApprovalDate, ApprovedText};

impl fmt::Display for ApprovalDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { year, month, day } = self;
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

impl ApprovedText {
    /// The sum as `sha256sum` prints it.
    pub fn sha256_hex(&self) -> String {
        self.sha256.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// A day that the calendar has.
pub(super) fn calendar_day(year: u16, month: u8, day: u8) -> Result<ApprovalDate, String> {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 0,
    };
    if (1..=days).contains(&day) {
        Ok(ApprovalDate { year, month, day })
    } else {
        Err(format!("the calendar has no {year:04}-{month:02}-{day:02}"))
    }
}

/// `2026-03-01`, all digits in place.
pub(super) fn date_from_text(text: &str) -> Result<ApprovalDate, String> {
    let not_a_date = || "the text is not a date".to_owned();
    let parts: Vec<&str> = text.splitn(4, '-').collect();
    let [year, month, day] = parts[..] else { return Err(not_a_date()) };
    let digits = |part: &str, count: usize| part.len() == count && part.bytes().all(|b| b.is_ascii_digit());
    if !digits(year, 4) || !digits(month, 2) || !digits(day, 2) {
        return Err(not_a_date());
    }
    let number = |part: &str| part.parse::<u16>().map_err(|_| not_a_date());
    let small = |part: &str| part.parse::<u8>().map_err(|_| not_a_date());
    calendar_day(number(year)?, small(month)?, small(day)?)
}

/// 64 hexadecimal digits, in either case.
pub(super) fn sha256(text: &str) -> Option<[u8; 32]> {
    let digits = text.as_bytes();
    if digits.len() != 64 {
        return None;
    }
    let mut sum = [0; 32];
    for (byte, pair) in sum.iter_mut().zip(digits.chunks_exact(2)) {
        let mut value = 0;
        for digit in pair {
            value = value * 16 + char::from(*digit).to_digit(16)?;
        }
        *byte = u8::try_from(value).ok()?;
    }
    Some(sum)
}

/// The SHA-256 of the text that the readings were made for.
pub(super) const fn sum_of_the_text_read(game: Game) -> &'static str {
    match game {
        Game::Blackjack => "052931c1f77324a2153e19140e4e0f551684d07cd5c6610f80e94557e42bff4a",
        Game::Spanish21 => "cb8a36ccf9c2ee332b192af98effac8a3eea22e99c8338bd73261ca2e026f2b8",
        Game::Pontoon21 => "c2fbfdddd263361acd848849976eb30875b9f498f18156c58ef905c393d03871",
        Game::PlayersEdge21 => "51f0cdddaabe55f2efd63c13ae9ba2a936e7dd66119713ca5e539bfcdca8ea22",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_days_of_the_calendar_are_dates() {
        for good in ["2024-02-29", "2000-02-29", "2026-12-31", "2026-04-30"] {
            assert_eq!(date_from_text(good).map(|date| date.to_string()), Ok(good.to_owned()));
        }
        for bad in [
            "2023-02-29",
            "1900-02-29",
            "2026-13-01",
            "2026-00-10",
            "2026-04-31",
            "2026-1-1",
            "26-01-01",
            "",
            "2026-01-01-01",
            "+026-01-01",
            "２026-01-01",
        ] {
            assert!(date_from_text(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_sum_is_sixty_four_hexadecimal_digits() {
        for game in Game::ALL {
            assert!(sha256(sum_of_the_text_read(game)).is_some());
        }
        assert_eq!(sha256(&"aF".repeat(32)), Some([0xaf; 32]));
        for bad in [
            String::new(),
            "a".repeat(63),
            "a".repeat(65),
            "g".repeat(64),
            "é".repeat(32),
            format!("{}+1", "0".repeat(62)),
        ] {
            assert_eq!(sha256(&bad), None, "{bad}");
        }
    }
}
