//! Lines from an untrusted source, one at a time.
//!
//! However long a line is, only as much of it is kept as a script line may have. A line that cannot be read is a value
//! like any other, so that reading goes on behind it.

use std::io::{self, BufRead};

use table_rules::script::LINE_BYTES_MAX;

/// A line beyond this is not a line: the source is no script, and may have no end.
const ENDLESS_BYTES: usize = 64 << 20;

/// Why a line is not text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum BadLine {
    #[error("the line has {bytes} bytes; a script line has at most {LINE_BYTES_MAX}: split it or shorten its comment")]
    TooLong { bytes: usize },
    #[error("the line is not UTF-8 text (byte {column} of it): save the script as UTF-8")]
    NotText { column: usize },
    #[error("character {column} of the line is the control character U+{code:04X}: remove it")]
    Control { column: usize, code: u32 },
    #[error("the line does not end within {} MiB: this is no play script", ENDLESS_BYTES >> 20)]
    Endless,
}

/// Reads lines and counts them from 1.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    source: R,
    number: usize,
    ended: bool,
}

/// A line with its number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ScriptLine {
    pub(crate) number: usize,
    pub(crate) text: Result<String, BadLine>,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(source: R) -> Self {
        Self { source, number: 0, ended: false }
    }

    /// How many lines have been read.
    pub(crate) fn number(&self) -> usize {
        self.number
    }

    /// The next line; none at the end.
    pub(crate) fn next(&mut self) -> io::Result<Option<ScriptLine>> {
        if self.ended {
            return Ok(None);
        }
        // Room for the longest legal line, its carriage return and a byte order mark.
        let keep = LINE_BYTES_MAX + 8;
        let mut kept = Vec::new();
        let mut length = 0;
        let mut found_end = false;
        while !found_end && length <= ENDLESS_BYTES {
            let chunk = match self.source.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if chunk.is_empty() {
                self.ended = true;
                break;
            }
            let end = chunk.iter().position(|byte| *byte == b'\n');
            let part = &chunk[..end.unwrap_or(chunk.len())];
            kept.extend_from_slice(&part[..part.len().min(keep - kept.len())]);
            length += part.len();
            found_end = end.is_some();
            let used = part.len() + usize::from(found_end);
            self.source.consume(used);
        }
        if length == 0 && !found_end {
            return Ok(None);
        }
        self.number += 1;
        if length > ENDLESS_BYTES {
            self.ended = true;
            return Ok(Some(ScriptLine { number: self.number, text: Err(BadLine::Endless) }));
        }
        Ok(Some(ScriptLine { number: self.number, text: text_of(&kept, length, self.number == 1) }))
    }
}

fn text_of(kept: &[u8], length: usize, is_first: bool) -> Result<String, BadLine> {
    let cut = length - kept.len();
    let mut bytes = kept;
    if is_first {
        bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    }
    if cut == 0 {
        bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    }
    if bytes.len() + cut > LINE_BYTES_MAX {
        return Err(BadLine::TooLong { bytes: bytes.len() + cut });
    }
    let text = std::str::from_utf8(bytes).map_err(|error| BadLine::NotText { column: error.valid_up_to() + 1 })?;
    match text.chars().enumerate().find(|(_, letter)| letter.is_control() && *letter != '\t') {
        Some((at, letter)) => Err(BadLine::Control { column: at + 1, code: u32::from(letter) }),
        None => Ok(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Vec<ScriptLine> {
        // A tiny buffer, so that lines arrive in pieces.
        let mut lines = Lines::new(io::BufReader::with_capacity(7, bytes));
        std::iter::from_fn(|| lines.next().unwrap()).collect()
    }

    fn texts(bytes: &[u8]) -> Vec<Result<String, BadLine>> {
        read(bytes).into_iter().map(|line| line.text).collect()
    }

    #[test]
    fn line_ends_and_a_byte_order_mark_are_no_part_of_a_line() {
        let want: Vec<Result<String, BadLine>> = ["lock", "", "hit"].map(|text| Ok(text.to_owned())).to_vec();
        assert_eq!(texts(b"\xef\xbb\xbflock\r\n\nhit"), want);
        assert_eq!(texts(b"lock\n\nhit\n"), want);
        assert_eq!(texts(b""), []);
    }

    #[test]
    fn a_huge_line_is_measured_but_not_kept_and_the_next_one_is_read() {
        let mut bytes = vec![b'x'; 2_000_000];
        bytes.extend_from_slice(b"\nlock\n");
        let lines = read(&bytes);
        assert_eq!(lines[0].text, Err(BadLine::TooLong { bytes: 2_000_000 }));
        assert_eq!(lines[1], ScriptLine { number: 2, text: Ok("lock".to_owned()) });
    }

    #[test]
    fn a_line_of_just_the_longest_length_is_read() {
        for (length, fits) in [(LINE_BYTES_MAX, true), (LINE_BYTES_MAX + 1, false)] {
            let mut bytes = vec![b'#'; length];
            bytes.extend_from_slice(b"\r\n");
            assert_eq!(texts(&bytes)[0].is_ok(), fits, "{length}");
        }
    }

    #[test]
    fn what_is_not_text_says_where() {
        assert_eq!(texts(b"hit\xff\n"), [Err(BadLine::NotText { column: 4 })]);
        assert_eq!(texts(b"h\0t\n"), [Err(BadLine::Control { column: 2, code: 0 })]);
        assert_eq!(texts(b"\x1b[31mhit\n"), [Err(BadLine::Control { column: 1, code: 0x1b })]);
        assert_eq!(texts(b"\thit\n"), [Ok("\thit".to_owned())]);
    }

    #[test]
    fn a_source_without_an_end_is_given_up() {
        let mut lines = Lines::new(io::BufReader::new(io::repeat(0)));
        assert_eq!(lines.next().unwrap().unwrap().text, Err(BadLine::Endless));
        assert!(lines.next().unwrap().is_none());
    }
}
