//! One code on a page of 80 columns, as `why CODE` prints it.

use std::fmt::Write;

use super::Explained;

/// The console's terminals have 80 columns.
const COLUMNS: usize = 80;
const LABEL: usize = 9;

/// Where and since when a fault stands. All in words: who knows them knows the clock and the place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Occurrence {
    /// `since 14:01:02`, `over since 14:12:40`.
    pub since: Option<String>,
    /// `/dev/holecard/reader`, `seat 3, spot 1`, `0x21 on /dev/i2c-1`.
    pub place: Option<String>,
    /// As [`errno_words`] writes it.
    pub errno: Option<String>,
}

/// The fault's page; with where it stands, if it does.
pub fn page(fault: &Explained, stands: Option<&Occurrence>) -> String {
    let title = format!("{} {}: {}", fault.code, fault.part.word(), fault.name);
    let since = stands.and_then(|stands| stands.since.as_deref()).unwrap_or_default();
    let gap = COLUMNS.saturating_sub(title.len() + since.len()).max(1);
    let mut page = if since.is_empty() { title } else { format!("{title}{:gap$}{since}", "") };
    page.push('\n');
    for (label, words) in
        [("means", fault.meaning), ("cause", fault.cause), ("table", fault.table), ("do", fault.remedy)]
    {
        put(&mut page, label, words);
    }
    if let Some(stands) = stands {
        let place = stands.place.as_deref().unwrap_or("nowhere in particular");
        let errno = stands.errno.as_deref().unwrap_or("none");
        put(&mut page, "where", &format!("{place}; errno {errno}"));
    }
    page
}

fn put(page: &mut String, label: &str, words: &str) {
    let mut line = format!(" {label:<width$}", width = LABEL - 1);
    let mut filled = false;
    for word in words.split_whitespace() {
        if filled && line.len() + 1 + word.len() > COLUMNS {
            // Writing into a string cannot fail.
            let _ = writeln!(page, "{line}");
            line = " ".repeat(LABEL);
            filled = false;
        }
        if filled {
            line.push(' ');
        }
        line.push_str(word);
        filled = true;
    }
    let _ = writeln!(page, "{line}");
}

/// An error number of the Linux kernel by its name: `EREMOTEIO (121)`. The same on every board that we run on.
pub fn errno_words(number: i32) -> String {
    let name = match number {
        1 => "EPERM",
        2 => "ENOENT",
        5 => "EIO",
        6 => "ENXIO",
        11 => "EAGAIN",
        13 => "EACCES",
        16 => "EBUSY",
        19 => "ENODEV",
        22 => "EINVAL",
        25 => "ENOTTY",
        28 => "ENOSPC",
        30 => "EROFS",
        32 => "EPIPE",
        71 => "EPROTO",
        95 => "EOPNOTSUPP",
        104 => "ECONNRESET",
        110 => "ETIMEDOUT",
        111 => "ECONNREFUSED",
        113 => "EHOSTUNREACH",
        121 => "EREMOTEIO",
        _ => return format!("{number}"),
    };
    format!("{name} ({number})")
}

#[cfg(test)]
mod tests {
    use super::super::{codes, explain};
    use super::*;

    #[test]
    fn every_page_fits_the_consoles_columns() {
        let long = Occurrence {
            since: Some("since 2026-11-17 14:01:02".to_owned()),
            place: Some("/dev/holecard/reader".to_owned()),
            errno: Some("ENOENT (2)".to_owned()),
        };
        for code in codes() {
            let fault = explain(code).expect("listed by the book itself");
            for stands in [None, Some(&long)] {
                for line in page(&fault, stands).lines() {
                    assert!(line.is_ascii() && line.len() <= COLUMNS, "{code}: {line}");
                }
            }
        }
    }

    #[test]
    fn a_page_says_what_where_and_since_when() {
        let fault = explain("RD-010".parse().expect("a code")).expect("in the book");
        let stands = Occurrence {
            since: Some("since 14:01:02".to_owned()),
            place: Some("/dev/holecard/reader".to_owned()),
            errno: None,
        };
        let expected = "\
RD-010 reader: silent                                             since 14:01:02
 means   the port is open but no byte has come for three seconds
 cause   device without power, transmit wire broken, crossed cable where a
         straight one belongs
 table   the round on the table is finished; no next one is dealt until the
         reader is back
 do      check the device's supply lamp, then the cable; `err` must show RXRAW
         rising
 where   /dev/holecard/reader; errno none
";
        assert_eq!(page(&fault, Some(&stands)), expected);
    }
}
