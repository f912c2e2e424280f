//! Free text: what people type in their own words, and what comes from files that others write. It is bounded, and it has
//! no sign that could draw a line of its own or turn one around; what was written before that rule is printed escaped.

use std::borrow::Cow;
use std::fmt::Write;

/// The longest reason, serial number or line of play.
pub const FREE_TEXT_CHARS_MAX: usize = 200;

/// A sign that is not seen for itself: control characters, ends of lines and paragraphs, changes of direction.
fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        )
}

/// Whether this may be said: not too long, and every sign can be seen.
pub fn is_plain(text: &str) -> bool {
    text.chars().count() <= FREE_TEXT_CHARS_MAX && !text.contains(is_hidden)
}

/// The text with every hidden sign written out, for everything that prints lines.
pub fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        if is_hidden(letter) {
            // Writing to a string cannot fail.
            let _written = write!(shown, "{}", letter.escape_unicode());
        } else {
            shown.push(letter);
        }
    }
    Cow::Owned(shown)
}

/// What somebody else wrote, made fit for the record: escaped, and cut off at `chars_max`.
pub fn bounded(text: &str, chars_max: usize) -> String {
    escaped(text).chars().take(chars_max).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_cannot_be_forged_and_plain_words_stay_as_they_are() {
        for plain in ["", "misread: $5 for $50", "Señor Müller's box", &"x".repeat(FREE_TEXT_CHARS_MAX)] {
            assert!(is_plain(plain), "{plain:?}");
            assert_eq!(escaped(plain), plain);
        }
        for hidden in ["a\n  4711  paid", "a\rb", "\u{1b}[2J", "tab\t", "\u{2028}", "\u{202e}evil", "\u{85}", "\0"] {
            assert!(!is_plain(hidden), "{hidden:?}");
            assert!(is_plain(&escaped(hidden)), "{hidden:?}");
        }
        assert!(!is_plain(&"x".repeat(FREE_TEXT_CHARS_MAX + 1)));
        assert_eq!(escaped("a\nb"), "a\\u{a}b");
        assert_eq!(bounded("a\nbcdef", 7), "a\\u{a}b");
    }
}
