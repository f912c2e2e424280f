//! The gaming day: when it turns, and in which time zone.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::layers::{Problems, Section, flag, whole};
use super::required;

#[derive(Clone, Debug)]
pub struct Day {
    /// Minutes since local midnight.
    pub starts_minute: u16,
    pub zone: TimeZone,
    /// How long after the turn rounds go on without the new day's inspection: 0 to 60.
    pub grace_minutes: u16,
    /// A battery keeps the clock while the board is off.
    pub battery_clock: bool,
}

/// An instant as the table counts it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocalTime {
    /// The gaming day, in days since 1970-01-01 by its turn.
    pub day: i64,
    /// Minutes since local midnight.
    pub minute: u16,
}

impl Day {
    /// What the zone adds to UTC at a moment, in seconds.
    pub fn offset_s(&self, unix_ms: i64) -> i32 {
        Timestamp::from_millisecond(unix_ms).map_or(0, |instant| self.zone.to_offset(instant).seconds())
    }

    /// The turn goes by the wall clock, so a day is 23 or 25 hours long when the clocks change.
    pub fn local(&self, instant: Timestamp) -> LocalTime {
        let there = instant.to_zoned(self.zone.clone());
        let minute = u16::try_from(i32::from(there.hour()) * 60 + i32::from(there.minute())).unwrap_or(0);
        let epoch = jiff::civil::date(1970, 1, 1);
        let hours = there.date().duration_since(epoch).as_hours();
        let date = hours / SignedDuration::from_hours(24).as_hours();
        LocalTime { day: if minute < self.starts_minute { date - 1 } else { date }, minute }
    }
}

pub(super) fn read(root: &mut Section<'_, '_>, problems: &mut Problems, missing: &mut Problems) -> Option<Day> {
    let mut section = root.section("day", problems);
    let starts_minute = required(&mut section, "starts", "a time such as \"06:00\"", problems, missing, |value| {
        minutes(value.as_str()?)
    });
    let wanted = "a time zone such as \"America/New_York\"";
    let zone =
        required(&mut section, "time_zone", wanted, problems, missing, |value| TimeZone::get(value.as_str()?).ok());
    let grace = required(&mut section, "grace_minutes", "0 to 60", problems, missing, whole(0..=60));
    let battery_clock = required(&mut section, "battery_clock", "true or false", problems, missing, flag);
    section.finish(problems);
    Some(Day {
        starts_minute: starts_minute?,
        zone: zone?,
        grace_minutes: u16::try_from(grace?).ok()?,
        battery_clock: battery_clock?,
    })
}

/// `06:00` as 360.
fn minutes(text: &str) -> Option<u16> {
    let (hour, minute) = text.split_once(':')?;
    let two = |part: &str| (part.len() == 2 && part.bytes().all(|b| b.is_ascii_digit())).then(|| part.parse().ok())?;
    let (hour, minute): (u16, u16) = (two(hour)?, two(minute)?);
    (hour < 24 && minute < 60).then_some(hour * 60 + minute)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(starts_minute: u16) -> Day {
        let zone = TimeZone::get("America/New_York").unwrap();
        Day { starts_minute, zone, grace_minutes: 0, battery_clock: true }
    }

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn the_day_turns_at_its_hour_and_not_at_midnight() {
        let day = day(360);
        // 2026-11-16 is day 20773; New York is five hours behind UTC then.
        assert_eq!(day.local(at("2026-11-16T10:59:59Z")), LocalTime { day: 20772, minute: 359 });
        assert_eq!(day.local(at("2026-11-16T11:00:00Z")), LocalTime { day: 20773, minute: 360 });
        assert_eq!(day.local(at("2026-11-17T04:30:00Z")), LocalTime { day: 20773, minute: 23 * 60 + 30 });
        assert_eq!(day.local(at("2026-11-17T05:30:00Z")), LocalTime { day: 20773, minute: 30 });
    }

    #[test]
    fn the_turn_follows_the_wall_clock_when_the_clocks_change() {
        let day = day(360);
        // Summer time ends on 2026-11-01: six in the morning is 10:00 UTC the day before and 11:00 UTC then.
        assert_eq!(day.local(at("2026-10-31T10:00:00Z")).minute, 360);
        assert_eq!(day.local(at("2026-11-01T10:30:00Z")).minute, 330);
        assert_eq!(day.local(at("2026-11-01T10:30:00Z")).day + 1, day.local(at("2026-11-01T11:00:00Z")).day);
        // Summer time begins on 2026-03-08: one o'clock is followed by three.
        assert_eq!(day.local(at("2026-03-08T06:59:00Z")).minute, 119);
        assert_eq!(day.local(at("2026-03-08T07:00:00Z")).minute, 180);
    }

    #[test]
    fn days_before_1970_count_down() {
        assert_eq!(day(0).local(at("1969-12-31T12:00:00Z")).day, -1);
    }

    #[test]
    fn a_time_of_day_has_two_digits_and_two_digits() {
        assert_eq!(minutes("06:00"), Some(360));
        assert_eq!(minutes("23:59"), Some(1439));
        for bad in ["6:00", "24:00", "06:60", "0600", "", "06:0x", "+6:00"] {
            assert_eq!(minutes(bad), None, "{bad}");
        }
    }
}
