//! What the house sets for its dealer screens: the panel, the chips, how far one hold may go.

use serde::{Deserialize, Serialize};

use super::layers::{Problems, Section, amount, flag, whole};
use super::required;

/// Sent to the page as it is.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ScreenSettings {
    /// Of the panel, measured. `None`: the page assumes the usual panel of its size.
    pub px_per_mm: Option<f64>,
    /// The action bar the other way round, for a screen at the dealer's right hand.
    pub mirror: bool,
    /// Whether a number pad is connected; then keys show their numbers.
    pub number_pad: bool,
    /// A line that pays more is confirmed by itself, never with all others.
    pub all_lines_limit_cents: i64,
    pub chips: Vec<Chip>,
    /// Whether the players' display names the seat of a jackpot that is being verified.
    pub jackpot_seat: bool,
    /// The reader's answer is taken this long after the insertion, whatever it is; 0: as it comes.
    pub reader_answer_ms: u16,
    /// When the gaming day turns, in minutes since local midnight; from `[day]`.
    pub day_starts_minute: u16,
}

/// One kind of chip of the house's set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Chip {
    pub cents: i64,
    /// `#rrggbb`.
    pub colour: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenChip {
    /// In cents.
    cents: i64,
    colour: String,
}

/// A millimetre of any panel that is sold has this many pixels.
const PX_PER_MM: std::ops::RangeInclusive<f64> = 2.0..=20.0;

pub(super) fn read(
    root: &mut Section<'_, '_>,
    problems: &mut Problems,
    missing: &mut Problems,
) -> Option<ScreenSettings> {
    let mut section = root.section("screen", problems);
    let px_per_mm: Option<f64> = section.typed("px_per_mm", problems);
    if px_per_mm.is_some_and(|measured| !PX_PER_MM.contains(&measured)) {
        let text = "no panel has so many pixels in a millimetre".to_owned();
        section.refuse("px_per_mm", text, "measure the picture's width and divide its pixels by it", problems);
    }
    let mirror = required(&mut section, "mirror", "true or false", problems, missing, flag);
    let number_pad = required(&mut section, "number_pad", "true or false", problems, missing, flag);
    let jackpot_seat = required(&mut section, "jackpot_seat", "true or false", problems, missing, flag);
    let limit = required(&mut section, "all_lines_limit", "an amount in dollars", problems, missing, amount);
    let answer = required(&mut section, "reader_answer_ms", "0 to 2000", problems, missing, whole(0..=2000));
    let written: Vec<WrittenChip> = section.typed_list("chips", problems);
    let is_colour = |text: &str| {
        text.strip_prefix('#')
            .is_some_and(|digits| digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    if written.is_empty()
        || written.len() > 12
        || written.iter().any(|chip| chip.cents <= 0 || !is_colour(&chip.colour))
    {
        let remedy = "write 1 to 12 chips such as { cents = 2500, colour = \"#1f6f43\" }";
        section.refuse("chips", "these are no chips".to_owned(), remedy, problems);
    }
    section.finish(problems);
    let chips =
        written.into_iter().map(|chip| Chip { cents: chip.cents, colour: chip.colour.to_lowercase() }).collect();
    let all_lines_limit_cents = limit?.0;
    let (mirror, number_pad, jackpot_seat) = (mirror?, number_pad?, jackpot_seat?);
    let reader_answer_ms = u16::try_from(answer?).ok()?;
    // The day's own section says it; whoever reads both puts it here.
    let day_starts_minute = 0;
    Some(ScreenSettings {
        px_per_mm,
        mirror,
        number_pad,
        all_lines_limit_cents,
        chips,
        jackpot_seat,
        reader_answer_ms,
        day_starts_minute,
    })
}
