//! `mon`: what the traffic of a line says about it. The first rung that fails names the part.
//!
//! A kernel counts misframed bytes on some ports and on others not; where it does not, the rhythm tells: our devices say
//! something every second, at any speed, and noise keeps no time.

use crate::text::count;

/// A second without a byte ends a burst long before the next heartbeat.
const BURST_GAP_MS: u64 = 300;
/// A device says something every second: before this nothing can be said about silence.
const SILENT_AFTER_MS: u64 = 3_000;
/// A byte takes ten bits; a line that carries so much of what it could is full.
const FULL_PER_CENT: u64 = 50;

/// What came while somebody watched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Watched {
    pub bytes: u64,
    pub sent: u64,
    pub runs: u64,
    pub frames: u64,
    pub events: u64,
    /// The kind of another device that speaks here, as frames number it.
    pub other_kind: Option<u8>,
    bursts: u64,
    last_ms: Option<u64>,
    pub watched_ms: u64,
}

/// One run of bytes from the device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Came {
    pub bytes: u64,
    /// The kind that its frame names; `None` where it is no frame.
    pub frame_of: Option<u8>,
    pub understood: bool,
}

/// What it says about the line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Too short a look.
    Unknown,
    Healthy,
    Silent,
    /// Bytes without end that make no frame.
    Full,
    /// Garbage in the rhythm of a heartbeat: a device at another speed.
    OtherSpeed,
    /// Garbage without rhythm.
    Noise,
    WrongKind(u8),
    NotUnderstood,
}

impl Verdict {
    /// The port fault that the book has for it.
    pub const fn number(self) -> Option<u16> {
        match self {
            Self::Unknown | Self::Healthy => None,
            Self::Silent => Some(10),
            Self::OtherSpeed | Self::Noise => Some(11),
            Self::Full => Some(14),
            Self::WrongKind(_) => Some(20),
            Self::NotUnderstood => Some(41),
        }
    }

    /// What the traffic adds to the book.
    pub fn hint(self, device: &str) -> Option<String> {
        match self {
            Self::Unknown | Self::Healthy | Self::Full | Self::NotUnderstood => None,
            Self::Silent => Some(format!(
                "Supply lamp lit? Then `loop {device}`, plug at the far end: back = crossed or device, not = broken"
            )),
            Self::OtherSpeed => {
                Some("a burst a second that makes no frame: our device at another baud rate".to_owned())
            }
            Self::Noise => Some("bytes without a device's rhythm: ground or noise on the cable".to_owned()),
            Self::WrongKind(kind) => {
                Some(format!("a {} is here: ports shows where the {device} answers", kind_word(kind)))
            }
        }
    }
}

/// As the frame's byte has it.
const fn kind_word(kind: u8) -> &'static str {
    match kind {
        1 => "reader",
        2 => "shuffler",
        3 => "shoe",
        _ => "device of another kind",
    }
}

impl Watched {
    pub fn came(&mut self, own_kind: u8, came: Came, at_ms: u64) {
        let Came { bytes, frame_of, understood } = came;
        self.bytes += bytes;
        self.runs += 1;
        match frame_of {
            Some(kind) if kind == own_kind => self.frames += 1,
            Some(kind) => self.other_kind = Some(kind),
            None => {}
        }
        self.events += u64::from(understood);
        if self.last_ms.is_none_or(|last| at_ms.saturating_sub(last) >= BURST_GAP_MS) {
            self.bursts += 1;
        }
        self.last_ms = Some(at_ms);
    }

    /// `baud` is 0 where the link is no tty.
    pub fn verdict(&self, baud: u32) -> Verdict {
        let Self { bytes, frames, events, bursts, watched_ms, .. } = *self;
        if let (Some(kind), 0) = (self.other_kind, frames) {
            return Verdict::WrongKind(kind);
        }
        if bytes == 0 {
            return if watched_ms >= SILENT_AFTER_MS { Verdict::Silent } else { Verdict::Unknown };
        }
        // Sound devices never fill half their line, whatever frames come through.
        if watched_ms >= SILENT_AFTER_MS && self.is_full(baud) {
            return Verdict::Full;
        }
        if frames == 0 {
            return if watched_ms < SILENT_AFTER_MS {
                Verdict::Unknown
            } else if bursts >= 2 && bursts * 2_000 >= watched_ms && bursts * 500 <= watched_ms {
                Verdict::OtherSpeed
            } else {
                Verdict::Noise
            };
        }
        if events == 0 { Verdict::NotUnderstood } else { Verdict::Healthy }
    }

    fn is_full(&self, baud: u32) -> bool {
        let most = u64::from(baud) / 10 * self.watched_ms / 1_000;
        baud > 0 && self.bytes * 100 >= most * FULL_PER_CENT
    }

    /// `ladder: raw ok 18 B, framing ? | frame ok 1 of 1 | event ok => healthy`.
    pub fn ladder(&self, own_kind: u8, baud: u32) -> String {
        let Self { bytes, sent, runs, frames, events, .. } = *self;
        let verdict = self.verdict(baud);
        let raw = match (bytes, sent, verdict) {
            (0, 0, _) => "raw FAIL 0 B".to_owned(),
            (0, sent, _) => format!("raw FAIL 0 B in, {} B out", count(sent)),
            (bytes, _, Verdict::Full) => {
                format!("raw FAIL {} B in {} s = the line is full", count(bytes), self.watched_ms / 1_000)
            }
            (bytes, _, Verdict::OtherSpeed | Verdict::Noise) => format!("raw warn {} B, framing ?", count(bytes)),
            (
                bytes,
                _,
                Verdict::Unknown | Verdict::Healthy | Verdict::Silent | Verdict::WrongKind(_) | Verdict::NotUnderstood,
            ) => format!("raw ok {} B", count(bytes)),
        };
        let frame = match (bytes, frames, self.other_kind) {
            (0, ..) => "frame -".to_owned(),
            (_, 0, Some(other)) => format!("frame FAIL kind {other:02X}, not {own_kind:02X}"),
            (_, 0, None) if verdict == Verdict::Full => "frame FAIL 0".to_owned(),
            (_, 0, None) => "frame FAIL 0 good".to_owned(),
            (_, frames, _) => format!("frame ok {} of {}", count(frames), count(runs)),
        };
        let event = match (frames, events) {
            (0, _) => "event -",
            (_, 0) => "event FAIL",
            (_, _) => "event ok",
        };
        let healthy = if verdict == Verdict::Healthy { " => healthy" } else { "" };
        format!("ladder: {raw} | {frame} | {event}{healthy}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: Came = Came { bytes: 16, frame_of: Some(1), understood: true };
    const GARBAGE: Came = Came { bytes: 16, frame_of: None, understood: false };

    fn watched(came: impl IntoIterator<Item = (Came, u64)>, watched_ms: u64) -> Watched {
        let mut watched = Watched::default();
        for (came, at_ms) in came {
            watched.came(1, came, at_ms);
        }
        watched.watched_ms = watched_ms;
        watched
    }

    #[test]
    fn each_case_fails_at_its_own_rung() {
        let every =
            |step: u64, came: Came| (0..5_000).step_by(usize::try_from(step).unwrap()).map(move |at| (came, at));
        let other = Came { frame_of: Some(2), ..FRAME };
        let strange = Came { understood: false, ..FRAME };
        let full = Came { bytes: 1_152, ..GARBAGE };
        let cases = [
            (watched([], 5_000), Verdict::Silent, "raw FAIL 0 B | frame - | event -"),
            (
                watched(every(1_000, FRAME), 5_000),
                Verdict::Healthy,
                "raw ok 80 B | frame ok 5 of 5 | event ok => healthy",
            ),
            (
                watched(every(1_000, GARBAGE), 5_000),
                Verdict::OtherSpeed,
                "raw warn 80 B, framing ? | frame FAIL 0 good",
            ),
            (watched(every(40, GARBAGE), 5_000), Verdict::Noise, "raw warn 2,000 B, framing ? | frame FAIL 0 good"),
            (
                watched(every(100, full), 5_000),
                Verdict::Full,
                "raw FAIL 57,600 B in 5 s = the line is full | frame FAIL",
            ),
            (
                watched(every(1_000, other), 5_000),
                Verdict::WrongKind(2),
                "raw ok 80 B | frame FAIL kind 02, not 01 | event -",
            ),
            (
                watched(every(1_000, strange), 5_000),
                Verdict::NotUnderstood,
                "raw ok 80 B | frame ok 5 of 5 | event FAIL",
            ),
        ];
        for (watched, verdict, ladder) in cases {
            assert_eq!(watched.verdict(115_200), verdict);
            let line = watched.ladder(1, 115_200);
            assert!(line.contains(ladder) && line.len() <= 80, "{line}");
            let hint = verdict.hint("reader");
            assert!(verdict != Verdict::Silent || hint.is_some_and(|hint| hint.contains("loop reader")));
        }
    }

    #[test]
    fn a_short_look_judges_nothing_that_takes_time() {
        assert_eq!(watched([], 2_000).verdict(115_200), Verdict::Unknown);
        assert_eq!(watched([(GARBAGE, 0)], 2_000).verdict(115_200), Verdict::Unknown);
        assert_eq!(watched([(FRAME, 0)], 100).verdict(115_200), Verdict::Healthy);
    }

    #[test]
    fn what_is_sent_is_told_beside_silence() {
        let watched = Watched { sent: 120, ..watched([], 5_000) };
        assert_eq!(watched.ladder(1, 115_200), "ladder: raw FAIL 0 B in, 120 B out | frame - | event -");
    }
}
