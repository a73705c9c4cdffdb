//! `lacuna:clock/calendar`: arithmetic and texts of dates. Reads no clock and knows no time zone but offsets.

use std::sync::Arc;

use jiff::civil;
use jiff::tz::Offset;
use jiff::{Timestamp, Unit};
use wasmtime::component::LinkerInstance;

use super::types::{Date, DateTime, DayDetails, Instant, Period, Weekday};
use super::{duration, pattern};
use crate::capability::call::{Bounds, Site};
use crate::capability::compute::{self, Answer, fallible, infallible};
use crate::capability::handles::ResourceKinds;
use crate::capability::host::Host;
use crate::capability::{CapabilityError, Provide};
use crate::scope::ScopeFunction;

/// Longest text of a date or a duration, bytes. No honest one has a hundred.
const MAX_TEXT: usize = 1024;

/// The calendar has no state.
pub(crate) struct Calendar;

impl Provide for Calendar {
    fn define(
        &self,
        target: &mut LinkerInstance<'_, Host>,
        site: Arc<Site>,
        function: &ScopeFunction,
        _kinds: &Arc<ResourceKinds>,
    ) -> Result<(), CapabilityError> {
        match function.wit.as_str() {
            "parse-instant" => fallible(target, site, |(text,): &(String,), _| parse_instant(text)),
            "parse-date" => fallible(target, site, |(text,): &(String,), _| parse_date(text)),
            "parse" => fallible(target, site, |(text, pattern): &(String, String), _| {
                Ok(DateTime::of(pattern::parse(short(text)?, short(pattern)?)?))
            }),
            "format" => fallible(target, site, |(when, pattern): &(DateTime, String), _| {
                Ok(pattern::format(when.civil()?, short(pattern)?)?)
            }),
            "to-rfc3339" => fallible(target, site, |(when,): &(Instant,), _| {
                Ok(when.timestamp()?.to_string())
            }),
            "to-date-time" => fallible(target, site, to_date_time),
            "to-instant" => fallible(target, site, to_instant),
            "details" => fallible(target, site, |(day,): &(Date,), _| details(*day)),
            "days-between" => fallible(target, site, days_between),
            "period-between" => fallible(target, site, period_between),
            "add-days" => fallible(target, site, |(day, days): &(Date, i32), _| {
                add(*day, *days, "days", |count| {
                    jiff::Span::new().try_days(count)
                })
            }),
            "add-months" => fallible(target, site, |(day, months): &(Date, i32), _| {
                add(*day, *months, "months", |count| {
                    jiff::Span::new().try_months(count)
                })
            }),
            "add-years" => fallible(target, site, |(day, years): &(Date, i32), _| {
                add(*day, *years, "years", |count| {
                    jiff::Span::new().try_years(count)
                })
            }),
            "parse-duration" => fallible(target, site, |(text,): &(String,), _| {
                Ok(duration::parse(short(text)?)?)
            }),
            "format-duration" => {
                infallible(target, site, |(millis,): &(i64,)| duration::format(*millis))
            }
            _ => Err(compute::unknown(&site)),
        }
    }
}

fn short(text: &str) -> Result<&str, String> {
    if text.len() > MAX_TEXT {
        return Err(format!(
            "a text of {} bytes is longer than the {MAX_TEXT} that are read",
            text.len()
        ));
    }
    Ok(text)
}

pub(super) fn parse_instant(text: &str) -> Answer<Instant> {
    let timestamp: Timestamp = short(text)?
        .parse()
        .map_err(|error| format!("`{text}` is no time with an offset: {error}"))?;
    Ok(Instant::of(timestamp))
}

pub(super) fn parse_date(text: &str) -> Answer<Date> {
    let text = short(text)?;
    // jiff takes the date of a time as well; who asks for a date and gives more has mistaken something.
    let date: civil::Date = text
        .parse()
        .map_err(|error| format!("`{text}` is no date such as 2026-01-31: {error}"))?;
    if text.contains([':', 'T', 't', ' ']) {
        return Err(format!("`{text}` is more than a date").into());
    }
    Ok(Date::of(date))
}

fn offset(minutes: i32) -> Result<Offset, String> {
    minutes
        .checked_mul(60)
        .and_then(|seconds| Offset::from_seconds(seconds).ok())
        .ok_or_else(|| {
            format!("{minutes} minutes are no offset from UTC: it is less than 26 hours")
        })
}

pub(super) fn to_date_time((when, minutes): &(Instant, i32), _: &Bounds) -> Answer<DateTime> {
    Ok(DateTime::of(
        offset(*minutes)?.to_datetime(when.timestamp()?),
    ))
}

pub(super) fn to_instant((when, minutes): &(DateTime, i32), _: &Bounds) -> Answer<Instant> {
    let timestamp = offset(*minutes)?
        .to_timestamp(when.civil()?)
        .map_err(|_| "the time is outside the years -9999 to 9999".to_owned())?;
    Ok(Instant::of(timestamp))
}

pub(super) fn details(day: Date) -> Answer<DayDetails> {
    let date = day.civil()?;
    let week = date.iso_week_date();
    Ok(DayDetails {
        weekday: Weekday::of(date.weekday()),
        day_of_year: date.day_of_year().unsigned_abs(),
        iso_year: week.year().into(),
        iso_week: week.week().unsigned_abs(),
        days_in_month: date.days_in_month().unsigned_abs(),
        leap_year: date.in_leap_year(),
        month_start: Date::of(date.first_of_month()),
        month_end: Date::of(date.last_of_month()),
    })
}

pub(super) fn days_between((start, end): &(Date, Date), _: &Bounds) -> Answer<i32> {
    let span = start
        .civil()?
        .until(end.civil()?)
        .map_err(|error| error.to_string())?;
    Ok(span.get_days())
}

pub(super) fn period_between((start, end): &(Date, Date), _: &Bounds) -> Answer<Period> {
    let span = start
        .civil()?
        .until((Unit::Year, end.civil()?))
        .map_err(|error| error.to_string())?;
    Ok(Period {
        years: span.get_years().into(),
        months: span.get_months(),
        days: span.get_days(),
    })
}

pub(super) fn add(
    day: Date,
    count: i32,
    unit: &str,
    span: fn(i64) -> Result<jiff::Span, jiff::Error>,
) -> Answer<Date> {
    let date = day.civil()?;
    let later = span(count.into()).and_then(|span| date.checked_add(span));
    later
        .map(Date::of)
        .map_err(|_| format!("{date} and {count} {unit} is outside the years -9999 to 9999").into())
}
