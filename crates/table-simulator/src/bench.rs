//! The words a technician types at a simulated device.
//!
//! Every twin takes the words of its line and power; each firmware adds its own buttons and faults.

use std::str::FromStr;

use device_protocols::link::Millis;
use device_protocols::message::DeviceProtocol;
use thiserror::Error;

use crate::twin::TwinLink;

/// One bench word and what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    pub usage: &'static str,
    pub meaning: &'static str,
}

pub(crate) const fn word(usage: &'static str, meaning: &'static str) -> Word {
    Word { usage, meaning }
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BenchError {
    #[error("{word:?} is no word of this device; `help` lists them")]
    UnknownWord { word: String },
    #[error("{given:?} does not fit; write {usage}")]
    Usage { given: String, usage: &'static str },
    #[error("not now: {reason}")]
    NotNow { reason: &'static str },
}

impl BenchError {
    pub(crate) fn usage(words: &[&str], usage: &'static str) -> Self {
        Self::Usage { given: words.join(" "), usage }
    }
}

/// Reads the word at this place.
pub(crate) fn argument<T: FromStr>(words: &[&str], place: usize, usage: &'static str) -> Result<T, BenchError> {
    words.get(place).and_then(|word| word.parse().ok()).ok_or_else(|| BenchError::usage(words, usage))
}

pub(crate) fn on_or_off(words: &[&str], place: usize, usage: &'static str) -> Result<bool, BenchError> {
    match words.get(place) {
        Some(&"on") | None => Ok(true),
        Some(&"off") => Ok(false),
        Some(_) => Err(BenchError::usage(words, usage)),
    }
}

pub const LINE_WORDS: &[Word] = &[
    word("drop N", "lose N of a thousand messages, or a byte of them"),
    word("duplicate N", "repeat N of a thousand messages, or a byte of them"),
    word("garble N", "flip a bit in N of a thousand messages"),
    word("delay N MS", "hold back N of a thousand messages for up to MS"),
    word("silent [off]", "say nothing any more, though alive"),
    word("babble [off]", "pour out noise"),
    word("reboot", "restart: new boot id, what was not delivered is gone"),
    word("cut", "restart in the middle of the next message"),
    word("power off|on", "take the supply away, give it back"),
    word("clock N", "run the device's clock at N thousandths of the true speed"),
    word("state", "what the device would report"),
    word("pair", "press the button behind the service door: pair with the table that asks"),
    word("code", "what the device's display shows of a pairing"),
];

/// How long a restart takes.
pub(crate) const RESTART_MS: u64 = 800;

/// Words that every serial twin knows. `None`: not one of them.
pub(crate) fn obey_line_word<P: DeviceProtocol>(
    link: &mut TwinLink<P>,
    words: &[&str],
    now: Millis,
) -> Option<Result<(), BenchError>> {
    let rate = |usage| argument::<u16>(words, 1, usage);
    Some(match words.first().copied()? {
        "drop" => rate("drop N").map(|rate| link.adjust_line(|faults| faults.drop_per_mille = rate)),
        "duplicate" => rate("duplicate N").map(|rate| link.adjust_line(|faults| faults.duplicate_per_mille = rate)),
        "garble" => rate("garble N").map(|rate| link.adjust_line(|faults| faults.garble_per_mille = rate)),
        "delay" => rate("delay N MS").and_then(|rate| {
            let longest = argument(words, 2, "delay N MS")?;
            link.adjust_line(|faults| {
                faults.delay_per_mille = rate;
                faults.delay_ms_max = longest;
            });
            Ok(())
        }),
        "silent" => on_or_off(words, 1, "silent [off]").map(|on| link.silence(on)),
        "babble" => on_or_off(words, 1, "babble [off]").map(|on| link.babble(on, now)),
        "pair" => {
            link.press_pairing(now);
            Ok(())
        }
        "reboot" => {
            link.reboot(RESTART_MS, now);
            Ok(())
        }
        "cut" => {
            link.reboot_mid_message(RESTART_MS);
            Ok(())
        }
        "power" => match words.get(1) {
            Some(&"off") => {
                link.power_off();
                Ok(())
            }
            Some(&"on") => {
                link.power_on(now);
                Ok(())
            }
            Some(_) | None => Err(BenchError::usage(words, "power off|on")),
        },
        "clock" => rate("clock N").map(|rate| link.set_clock_rate(rate)),
        _ => return None,
    })
}
