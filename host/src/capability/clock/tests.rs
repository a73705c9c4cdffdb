//! The calendar against an arithmetic of its own, and what it refuses.

use proptest::prelude::*;

use super::calendar::{
    add, days_between, details, parse_date, parse_instant, period_between, to_date_time, to_instant,
};
use super::types::{Date, DateTime, Instant, Weekday};
use super::{Readings, duration, pattern};
use crate::capability::call::Bounds;
use crate::capability::compute::{Answer, Refusal};

fn bounds() -> Bounds {
    Bounds::new(0, 1 << 20)
}

fn date(year: i32, month: u8, day: u8) -> Date {
    Date { year, month, day }
}

fn error<R: std::fmt::Debug>(answer: Answer<R>) -> String {
    match answer {
        Err(Refusal::Error(text)) => text,
        other => panic!("{other:?}"),
    }
}

fn days(day: Date, count: i32) -> Answer<Date> {
    add(day, count, "days", |count| {
        jiff::Span::new().try_days(count)
    })
}

fn months(day: Date, count: i32) -> Answer<Date> {
    add(day, count, "months", |count| {
        jiff::Span::new().try_months(count)
    })
}

fn years(day: Date, count: i32) -> Answer<Date> {
    add(day, count, "years", |count| {
        jiff::Span::new().try_years(count)
    })
}

/// Days since 0000-03-01, by the lengths of months alone.
fn day_number(day: Date) -> i64 {
    let (year, month) = match day.month {
        month @ 3.. => (i64::from(day.year), i64::from(month) - 3),
        month => (i64::from(day.year) - 1, i64::from(month) + 9),
    };
    let lengths = [31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 31];
    let before: i64 = lengths.iter().take(month as usize).sum();
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leap_days + before + i64::from(day.day) - 1
}

#[test]
fn months_end_where_the_month_ends() {
    for (day, count, expected) in [
        (date(2023, 1, 31), 1, date(2023, 2, 28)),
        (date(2024, 1, 31), 1, date(2024, 2, 29)),
        (date(2024, 3, 31), -1, date(2024, 2, 29)),
        (date(2024, 12, 31), 2, date(2025, 2, 28)),
        (date(2024, 5, 15), -17, date(2022, 12, 15)),
        (date(1900, 1, 31), 1, date(1900, 2, 28)),
    ] {
        assert_eq!(months(day, count), Ok(expected), "{day:?} {count}");
    }
    assert_eq!(years(date(2024, 2, 29), 1), Ok(date(2025, 2, 28)));
    assert_eq!(years(date(2024, 2, 29), 4), Ok(date(2028, 2, 29)));
    assert_eq!(days(date(2023, 12, 31), 60), Ok(date(2024, 2, 29)));
}

#[test]
fn what_no_calendar_has_is_refused() {
    for (day, words) in [
        (date(2023, 2, 29), "there is no day 2023-02-29"),
        (date(2023, 0, 1), "there is no day 2023-00-01"),
        (date(2023, 13, 1), "there is no day 2023-13-01"),
        (date(2023, 255, 255), "there is no day 2023-255-255"),
        (date(i32::MAX, 1, 1), "there is no day 2147483647-01-01"),
    ] {
        assert_eq!(error(details(day)), words);
        assert_eq!(error(days(day, 1)), words);
        assert_eq!(error(days_between(&(day, day), &bounds())), words);
    }
    assert_eq!(
        error(days(date(9999, 12, 31), 1)),
        "9999-12-31 and 1 days is outside the years -9999 to 9999"
    );
    assert!(error(years(date(2000, 1, 1), i32::MIN)).contains("outside the years"));
    let when = DateTime {
        date: date(2023, 1, 1),
        hour: 24,
        minute: 0,
        second: 0,
        nanosecond: 0,
    };
    assert!(error(to_instant(&(when, 0), &bounds())).starts_with("there is no time 24:00:00"));
    let zero = Instant {
        seconds: 0,
        nanoseconds: 0,
    };
    assert!(error(to_date_time(&(zero, 1560), &bounds())).contains("no offset"));
    assert!(error(to_date_time(&(zero, i32::MAX), &bounds())).contains("no offset"));
    let late = Instant {
        seconds: i64::MAX,
        nanoseconds: 0,
    };
    assert!(error(to_date_time(&(late, 0), &bounds())).contains("outside the years"));
}

#[test]
fn times_before_1970_count_up() {
    let instant = |text| parse_instant(text).unwrap();
    assert_eq!(
        instant("1969-12-31T23:59:59.25Z"),
        Instant {
            seconds: -1,
            nanoseconds: 250_000_000
        }
    );
    assert_eq!(
        instant("1969-12-31T23:59:59.25Z")
            .timestamp()
            .unwrap()
            .to_string(),
        "1969-12-31T23:59:59.25Z"
    );
    assert_eq!(instant("2026-01-02 03:04:05+01:00").seconds, 1_767_319_445);
    for text in [
        "",
        "2026-01-02",
        "2026-01-02T03:04:05",
        "x",
        "2026-02-30T00:00:00Z",
    ] {
        assert!(
            error(parse_instant(text)).starts_with(&format!("`{text}` is no time with an offset"))
        );
    }
    for text in [
        "",
        "2026-02-30",
        "2026-01-02T03:04:05",
        "01.02.2026",
        "2026-1-2",
    ] {
        assert!(parse_date(text).is_err(), "{text}");
    }
    assert!(error(parse_date(&"1".repeat(2000))).contains("longer than the 1024"));
}

#[test]
fn patterns() {
    let read = |text, form| pattern::parse(text, form).map(|when| when.to_string());
    assert_eq!(
        read("31.01.2026", "%d.%m.%Y"),
        Ok("2026-01-31T00:00:00".to_owned())
    );
    assert_eq!(
        read("Jan 2, 2026 3:04 PM", "%b %d, %Y %I:%M %p"),
        Ok("2026-01-02T15:04:00".to_owned())
    );
    // An offset is taken off.
    assert_eq!(
        read("02/Jan/2026:03:04:05 +0130", "%d/%b/%Y:%H:%M:%S %z"),
        Ok("2026-01-02T01:34:05".to_owned())
    );
    assert_eq!(read("86400", "%s"), Ok("1970-01-02T00:00:00".to_owned()));
    assert!(
        read("2026-02-30", "%Y-%m-%d")
            .unwrap_err()
            .starts_with("`2026-02-30` is not of the form `%Y-%m-%d`")
    );
    assert!(
        read("x", "%L")
            .unwrap_err()
            .starts_with("unknown directive `%L`; directives: %Y")
    );
    assert!(
        read("x", "%")
            .unwrap_err()
            .starts_with("the pattern ends within a directive")
    );
    assert!(
        read("x", "%-")
            .unwrap_err()
            .starts_with("the pattern ends within a directive")
    );
    let when = jiff::civil::date(2026, 3, 5).at(14, 7, 9, 5_000_000);
    let written = |form: &str| pattern::format(when, form);
    assert_eq!(
        written("%Y-%m-%d %H:%M:%S%.3f %e %B %A %j %G-W%V %q %I%p %y %%"),
        Ok("2026-03-05 14:07:09.005  5 March Thursday 064 2026-W10 1 02PM 26 %".to_owned())
    );
    assert!(
        written("%z")
            .unwrap_err()
            .starts_with("no text of the form `%z`")
    );
    assert!(
        written(&"%255d".repeat(52))
            .unwrap_err()
            .contains("longer than the 256")
    );
    assert_eq!(
        written("%Ω").unwrap_err().split(';').next(),
        Some("unknown directive `%Ω`")
    );
}

#[test]
fn durations() {
    for (text, millis) in [
        ("1h 30m", 5_400_000),
        ("PT1H30M", 5_400_000),
        ("01:30:00", 5_400_000),
        ("2 days 4 hours", 187_200_000),
        ("P1W", 604_800_000),
        ("1.5s", 1500),
        ("-5m", -300_000),
        ("5m ago", -300_000),
        ("0s", 0),
    ] {
        assert_eq!(duration::parse(text), Ok(millis), "{text}");
    }
    for text in [
        "",
        "1",
        "1 fortnight",
        "1 month",
        "P1Y",
        "1h 30",
        "999999999999999999h",
    ] {
        assert!(duration::parse(text).is_err(), "{text}");
    }
    for (millis, text) in [
        (0, "0s"),
        (93_784_005, "1d 2h 3m 4.005s"),
        (-300_000, "-5m"),
        (100, "0.1s"),
        (86_400_000, "1d"),
        (i64::MIN, "-106751991167d 7h 12m 55.808s"),
    ] {
        assert_eq!(duration::format(millis), text);
    }
}

#[test]
fn a_fixed_monotonic_clock_counts_its_readings() {
    let mut readings = Readings::default();
    assert_eq!(
        [
            readings.next(true),
            readings.next(true),
            readings.next(true)
        ],
        [0, 1_000_000, 2_000_000]
    );
    let mut readings = Readings::default();
    let before = readings.next(false);
    assert!(before < 60_000_000_000, "its zero is its own: {before}");
    assert!(readings.next(false) >= before);
}

fn any_date() -> impl Strategy<Value = Date> {
    (-9999..=9999_i32, 1..=12_u8, 1..=28_u8).prop_map(|(year, month, day)| date(year, month, day))
}

proptest! {
    #[test]
    fn days_are_counted_as_the_months_are_long(start in any_date(), end in any_date()) {
        let expected = (day_number(end) - day_number(start)) as i32;
        prop_assert_eq!(days_between(&(start, end), &bounds()), Ok(expected));
        prop_assert_eq!(days(start, expected), Ok(end));
    }

    #[test]
    fn weekdays_follow_each_other(day in any_date()) {
        // 0000-03-01 was a Wednesday.
        let expected = match (day_number(day) + 2).rem_euclid(7) {
            0 => Weekday::Monday,
            1 => Weekday::Tuesday,
            2 => Weekday::Wednesday,
            3 => Weekday::Thursday,
            4 => Weekday::Friday,
            5 => Weekday::Saturday,
            _ => Weekday::Sunday,
        };
        let found = details(day).unwrap();
        prop_assert_eq!(found.weekday, expected);
        let leap = day.year % 4 == 0 && (day.year % 100 != 0 || day.year % 400 == 0);
        prop_assert_eq!(found.leap_year, leap);
        prop_assert_eq!(found.month_end.day, found.days_in_month);
    }

    #[test]
    fn a_period_leads_to_its_end(start in any_date(), end in any_date()) {
        let (start, end) = if day_number(start) <= day_number(end) { (start, end) } else { (end, start) };
        let period = period_between(&(start, end), &bounds()).unwrap();
        let there = years(start, period.years).and_then(|day| months(day, period.months)).and_then(|day| days(day, period.days));
        prop_assert_eq!(there, Ok(end));
    }

    #[test]
    fn instants_are_read_as_they_are_written(seconds in -377_000_000_000..=253_000_000_000_i64, nanoseconds in 0..1_000_000_000_u32, offset in -1500..=1500_i32) {
        let instant = Instant { seconds, nanoseconds };
        let text = instant.timestamp().unwrap().to_string();
        prop_assert_eq!(parse_instant(&text), Ok(instant));
        let there = to_date_time(&(instant, offset), &bounds()).unwrap();
        prop_assert_eq!(to_instant(&(there, offset), &bounds()), Ok(instant));
    }

    #[test]
    fn durations_are_read_as_they_are_written(millis in -400_000_000_000_000..=400_000_000_000_000_i64) {
        let text = duration::format(millis);
        // A sign stands for the whole: `-1d 2h` is less than a day before.
        prop_assert_eq!(duration::parse(&text), Ok(millis), "{}", text);
    }

    #[test]
    fn nothing_panics(text in "\\PC{0,40}", form in "(%[-_0^#]?[0-9]{0,3}[.:]{0,3}\\PC|\\PC){0,12}", year in any::<i32>(), month in any::<u8>(), day in any::<u8>(), count in any::<i32>(), seconds in any::<i64>(), nanoseconds in any::<u32>(), small in any::<u8>()) {
        let _ = parse_date(&text);
        let _ = parse_instant(&text);
        let _ = duration::parse(&text);
        let _ = duration::format(seconds);
        let _ = pattern::parse(&text, &form);
        let day = date(year, month, day);
        let when = DateTime { date: Date { year: year % 20000, ..day }, hour: small, minute: month, second: small, nanosecond: nanoseconds };
        if let Ok(when) = when.civil() {
            let _ = pattern::format(when, &form);
        }
        let _ = pattern::format(jiff::civil::DateTime::MIN, &form);
        let _ = pattern::format(jiff::civil::DateTime::MAX, &form);
        let _ = (details(day), days(day, count), months(day, count), years(day, count));
        let instant = Instant { seconds, nanoseconds };
        let _ = to_date_time(&(instant, count), &bounds());
        let _ = to_instant(&(when, count), &bounds());
        let _ = period_between(&(day, date(2000, 1, 1)), &bounds());
    }
}
