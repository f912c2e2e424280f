//! Text for 80 columns of plain ASCII: wrapping, tables, counts, sizes, durations and times.

/// No line is longer.
pub const COLUMNS: usize = 80;

/// What a terminal can show: everything else becomes its nearest sign.
pub fn ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            ' '..='~' => out.push(sign),
            '\t' | '\u{a0}' => out.push(' '),
            '\u{2018}' | '\u{2019}' => out.push('\''),
            '\u{201c}' | '\u{201d}' => out.push('"'),
            '\u{2013}' | '\u{2014}' => out.push('-'),
            '\u{2026}' => out.push_str("..."),
            '\u{a7}' => out.push_str("section "),
            '\u{b0}' => {}
            '\u{d7}' => out.push('x'),
            _ => out.push('?'),
        }
    }
    out
}

/// Wraps at blanks: the first line begins with `first`, the others with as many blanks as `indent`.
pub fn wrap(first: &str, indent: usize, text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = first.to_owned();
    let mut empty = true;
    for word in ascii(text).split(' ').filter(|word| !word.is_empty()) {
        let gap = usize::from(!empty);
        if !empty && line.len() + gap + word.len() > COLUMNS - 1 {
            lines.push(std::mem::replace(&mut line, " ".repeat(indent)));
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        empty = false;
        // A word that no line can hold is cut where the line ends.
        let mut rest = word;
        while line.len() + rest.len() > COLUMNS {
            let room = COLUMNS - line.len();
            let (now, later) = rest.split_at(room);
            line.push_str(now);
            lines.push(std::mem::replace(&mut line, " ".repeat(indent)));
            rest = later;
        }
        line.push_str(rest);
    }
    lines.push(line);
    lines
}

/// One field of a screen: ` stops   text`, wrapped below itself.
pub fn field(name: &str, text: &str) -> Vec<String> {
    wrap(&format!(" {name:<7} "), 9, text)
}

/// `left` and `right` on one line that ends at column 79; two where they do not fit.
pub fn ends(left: &str, right: &str) -> Vec<String> {
    if left.len() + 2 + right.len() < COLUMNS {
        let gap = COLUMNS - 1 - left.len() - right.len();
        return vec![format!("{left}{}{right}", " ".repeat(gap))];
    }
    vec![left.to_owned(), format!("{right:>width$}", width = COLUMNS - 1)]
}

/// A table: each column as wide as its widest cell, two blanks between; numbers to the right. Cells that do not fit are cut.
pub fn table(header: &[&str], rows: &[Vec<String>]) -> Vec<String> {
    let cells = |row: &[String]| row.iter().map(|cell| ascii(cell)).collect::<Vec<_>>();
    let header: Vec<String> = header.iter().map(|cell| (*cell).to_owned()).collect();
    let rows: Vec<Vec<String>> = rows.iter().map(|row| cells(row)).collect();
    let widths: Vec<usize> = (0..header.len())
        .map(|at| rows.iter().chain([&header]).filter_map(|row| row.get(at)).map(String::len).max().unwrap_or(0))
        .collect();
    let is_number = |cell: &String| cell.starts_with(|c: char| c.is_ascii_digit()) && cell.bytes().all(number_sign);
    let right: Vec<bool> = (0..header.len())
        .map(|at| {
            let column: Vec<&String> = rows.iter().filter_map(|row| row.get(at)).collect();
            column.iter().any(|cell| is_number(cell)) && column.iter().all(|cell| is_number(cell) || *cell == "?")
        })
        .collect();
    let line = |row: &Vec<String>| {
        let mut text = String::new();
        for (at, cell) in row.iter().enumerate() {
            let width = widths.get(at).copied().unwrap_or(0);
            if at > 0 {
                text.push_str("  ");
            }
            if right.get(at).copied().unwrap_or(false) {
                text.push_str(&format!("{cell:>width$}"));
            } else {
                text.push_str(&format!("{cell:<width$}"));
            }
        }
        let mut text = text.trim_end().to_owned();
        text.truncate(COLUMNS);
        text
    };
    std::iter::once(line(&header)).chain(rows.iter().map(line)).collect()
}

fn number_sign(byte: u8) -> bool {
    byte.is_ascii_digit() || byte == b','
}

/// Entries with a few words each, as many on a line as fit.
pub fn choices(entries: &[(String, String)]) -> Vec<String> {
    let width = entries.iter().map(|(word, _)| word.len()).max().unwrap_or(0) + 2;
    let mut lines: Vec<String> = Vec::new();
    for (word, about) in entries {
        let entry = if about.is_empty() { word.clone() } else { format!("{word:<width$}{about}") };
        match lines.last_mut() {
            Some(line) if line.len() + 4 + entry.len() < COLUMNS => {
                line.push_str("    ");
                line.push_str(&entry);
            }
            Some(_) | None => lines.push(entry),
        }
    }
    lines
}

/// `4,512,147`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `2.1 GiB`, `196 MiB`, `0 B`.
pub fn size(bytes: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    for (unit, name) in UNITS {
        if bytes >= unit {
            let tenths = (u128::from(bytes) * 10 + u128::from(unit) / 2) / u128::from(unit);
            return if name == "GiB" || tenths < 100 {
                format!("{}.{} {name}", tenths / 10, tenths % 10)
            } else {
                format!("{} {name}", tenths / 10)
            };
        }
    }
    format!("{bytes} B")
}

/// `41 s`, `3 min`, `7 h 16 min`, `3 d 4 h`.
pub fn duration(seconds: u64) -> String {
    let (minutes, hours, days) = (seconds / 60, seconds / 3_600, seconds / 86_400);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, _) => format!("{minutes} min"),
        (0, _, _) => format!("{hours} h {} min", minutes % 60),
        (_, _, _) => format!("{days} d {} h", hours % 24),
    }
}

/// `$2,286.40`; whole dollars without their cents.
pub fn money(cents: i64) -> String {
    let (sign, cents) = (if cents < 0 { "-" } else { "" }, cents.unsigned_abs());
    let dollars = count(cents / 100);
    if cents.is_multiple_of(100) { format!("{sign}${dollars}") } else { format!("{sign}${dollars}.{:02}", cents % 100) }
}

/// A moment on the table's own clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Moment {
    /// Milliseconds since 1970, UTC.
    pub unix_ms: i64,
    /// What the table's time zone adds at that moment.
    pub offset_s: i32,
    /// Nothing stands behind the clock: times get a `~`.
    pub doubtful: bool,
}

struct Civil {
    year: i64,
    month: i64,
    day: i64,
    weekday: usize,
    second: i64,
    millis: i64,
}

impl Moment {
    /// Days are counted in eras of 400 years that begin with March, so that leap days come last.
    fn civil(self, offset_s: i64) -> Civil {
        let seconds = self.unix_ms.div_euclid(1_000) + offset_s;
        let days = seconds.div_euclid(86_400);
        let since_march_0 = days + 719_468;
        let era = since_march_0.div_euclid(146_097);
        let day_of_era = since_march_0.rem_euclid(146_097);
        let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        Civil {
            year: year_of_era + era * 400 + i64::from(month <= 2),
            month,
            day: day_of_year - (153 * month_from_march + 2) / 5 + 1,
            // The first of January 1970 was a Thursday.
            weekday: usize::try_from((days + 4).rem_euclid(7)).unwrap_or(0),
            second: seconds.rem_euclid(86_400),
            millis: self.unix_ms.rem_euclid(1_000),
        }
    }

    fn local(self) -> Civil {
        self.civil(i64::from(self.offset_s))
    }

    fn mark(self) -> &'static str {
        if self.doubtful { "~" } else { "" }
    }

    /// `2026-11-17`.
    pub fn date(self) -> String {
        let Civil { year, month, day, .. } = self.local();
        format!("{}{year:04}-{month:02}-{day:02}", self.mark())
    }

    /// `14:02:11`.
    pub fn time(self) -> String {
        let second = self.local().second;
        format!("{}{:02}:{:02}:{:02}", self.mark(), second / 3_600, second / 60 % 60, second % 60)
    }

    /// `14:02:11.120`, for streams.
    pub fn time_ms(self) -> String {
        format!("{}.{:03}", self.time(), self.local().millis)
    }

    /// `2026-11-17 14:02:11`.
    pub fn date_time(self) -> String {
        format!("{} {}", self.date(), Self { doubtful: false, ..self }.time())
    }

    /// `Tue 2026-11-17 13:58:01`.
    pub fn with_weekday(self) -> String {
        const NAMES: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
        format!("{} {}", NAMES.get(self.local().weekday).copied().unwrap_or(""), self.date_time())
    }

    /// `2026-11-17T19:02:11Z`.
    pub fn utc(self) -> String {
        let Civil { year, month, day, second, .. } = self.civil(0);
        let (hours, minutes, seconds) = (second / 3_600, second / 60 % 60, second % 60);
        format!("{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}Z")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_sizes_durations_and_money_have_their_units() {
        assert_eq!([0, 999, 1_000, 4_512_147].map(count), ["0", "999", "1,000", "4,512,147"]);
        assert_eq!([0, 1_024, 205_520_896, 2_254_857_830].map(size), ["0 B", "1.0 KiB", "196 MiB", "2.1 GiB"]);
        assert_eq!([41, 180, 26_160, 273_600].map(duration), ["41 s", "3 min", "7 h 16 min", "3 d 4 h"]);
        assert_eq!([0, 228_640, -150].map(money), ["$0", "$2,286.40", "-$1.50"]);
    }

    #[test]
    fn times_are_local_and_doubt_is_marked() {
        let moment = Moment { unix_ms: 1_794_942_131_120, offset_s: -5 * 3_600, doubtful: false };
        assert_eq!(moment.with_weekday(), "Tue 2026-11-17 14:02:11");
        assert_eq!(moment.time_ms(), "14:02:11.120");
        assert_eq!(moment.utc(), "2026-11-17T19:02:11Z");
        assert_eq!(Moment { doubtful: true, ..moment }.date_time(), "~2026-11-17 14:02:11");
        let leap = Moment { unix_ms: 1_709_164_800_000, ..Moment::default() };
        assert_eq!(leap.date(), "2024-02-29");
        assert_eq!(Moment::default().with_weekday(), "Thu 1970-01-01 00:00:00");
        assert_eq!(Moment { unix_ms: -1, ..Moment::default() }.date_time(), "1969-12-31 23:59:59");
    }

    #[test]
    fn text_wraps_below_itself_and_never_beyond_80_columns() {
        let lines =
            field("cause", "device without power, transmit wire broken, crossed cable where a straight one belongs");
        assert_eq!(
            lines,
            [
                " cause   device without power, transmit wire broken, crossed cable where a",
                "         straight one belongs"
            ]
        );
        let long = wrap("", 2, &"x".repeat(300));
        assert!(long.iter().all(|line| line.len() <= COLUMNS), "{long:?}");
        assert_eq!(long.concat().replace(' ', "").len(), 300);
    }

    #[test]
    fn tables_line_up_and_numbers_stand_to_the_right() {
        let rows = vec![vec!["reader".to_owned(), "475,578".to_owned()], vec!["shoe".to_owned(), "40".to_owned()]];
        assert_eq!(table(&["DEVICE", "RXRAW"], &rows), ["DEVICE    RXRAW", "reader  475,578", "shoe         40"]);
    }

    #[test]
    fn what_is_not_ascii_becomes_its_nearest_sign() {
        assert_eq!(ascii("one\u{2019}s \u{2014} \u{20ac} \u{1b}[2J"), "one's - ? ?[2J");
    }
}
