//! Where in the file something stands.

/// A line and a column, both from 1; the column counts characters, as editors do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FilePlace {
    pub line: u32,
    pub column: u32,
}

impl FilePlace {
    pub const START: Self = Self { line: 1, column: 1 };
}

/// Turns byte offsets into places, without walking the whole text each time.
#[derive(Debug)]
pub(super) struct Lines<'t> {
    text: &'t str,
    /// The offset at which each line starts.
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let after_breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Self { text, starts: std::iter::once(0).chain(after_breaks).collect() }
    }

    /// Offsets past the end, or inside a character, give the nearest place before them.
    pub(super) fn place(&self, offset: usize) -> FilePlace {
        let offset = self.text.floor_char_boundary(offset.min(self.text.len()));
        let line = self.starts.partition_point(|start| *start <= offset).max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or(0);
        let column = self.text.get(start..offset).map_or(0, |before| before.chars().count()) + 1;
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        FilePlace { line: count(line), column: count(column) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_lines_count_breaks() {
        let lines = Lines::new("ab\nçd\r\n\nx");
        let at = |offset| {
            let place = lines.place(offset);
            (place.line, place.column)
        };
        assert_eq!(at(0), (1, 1));
        assert_eq!(at(2), (1, 3));
        assert_eq!(at(3), (2, 1));
        assert_eq!(at(4), (2, 1), "inside the ç");
        assert_eq!(at(5), (2, 2));
        assert_eq!(at(8), (3, 1));
        assert_eq!(at(9), (4, 1));
        assert_eq!(at(1_000), (4, 2));
        assert_eq!(Lines::new("").place(5), FilePlace::START);
    }
}
