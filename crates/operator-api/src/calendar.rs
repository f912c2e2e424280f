//! Dates and times as people write them, from the numbers that are kept.

const WEEKDAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// `Thu 14 May 2026` of days since 1970-01-01. They are counted in eras of 400 years that begin with March, so that leap
/// days come last.
pub fn date(day: i64) -> String {
    let since_march_0 = day + 719_468;
    let era = since_march_0.div_euclid(146_097);
    let day_of_era = since_march_0.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let name = |names: &[&'static str], at: i64| usize::try_from(at).ok().and_then(|at| names.get(at).copied());
    // The first of January 1970 was a Thursday.
    let weekday = name(&WEEKDAYS, (day + 4).rem_euclid(7)).unwrap_or("");
    let of_month = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    format!("{weekday} {of_month} {} {year}", name(&MONTHS, month - 1).unwrap_or(""))
}

/// `08:44` of a minute of the day; a dash where no clock was told.
pub fn time(minute: Option<u16>) -> String {
    minute.map_or_else(|| "-".to_owned(), |minute| format!("{:02}:{:02}", minute / 60, minute % 60))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_their_dates_over_leap_years_and_centuries() {
        for (day, written) in [
            (0, "Thu 1 Jan 1970"),
            (-1, "Wed 31 Dec 1969"),
            (11_016, "Tue 29 Feb 2000"),
            (20_587, "Thu 14 May 2026"),
            (47_540, "Sun 28 Feb 2100"),
            (47_541, "Mon 1 Mar 2100"),
        ] {
            assert_eq!(date(day), written);
        }
        assert_eq!((time(Some(524)), time(None)), ("08:44".to_owned(), "-".to_owned()));
    }
}
