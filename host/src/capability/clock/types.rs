//! The types of `lacuna:clock/types`, as the engine copies them, and what they are in jiff.
//!
//! A guest can write any numbers into a record, so everything that takes one may refuse it.

use jiff::civil::{self, Time};
use jiff::{Timestamp, civil::Weekday as JiffWeekday};
use serde_json::{Value as Json, json};
use wasmtime::component::{ComponentType, Lift, Lower};

use crate::capability::call::Crossing;

/// `instant`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub(crate) struct Instant {
    pub(crate) seconds: i64,
    pub(crate) nanoseconds: u32,
}

impl Instant {
    /// jiff gives both parts the same sign; here the rest is never negative.
    pub(crate) fn of(timestamp: Timestamp) -> Self {
        let nanoseconds = timestamp.subsec_nanosecond();
        if nanoseconds < 0 {
            return Self {
                seconds: timestamp.as_second() - 1,
                nanoseconds: (nanoseconds + 1_000_000_000).unsigned_abs(),
            };
        }
        Self {
            seconds: timestamp.as_second(),
            nanoseconds: nanoseconds.unsigned_abs(),
        }
    }

    pub(crate) fn timestamp(self) -> Result<Timestamp, String> {
        let rest = i32::try_from(self.nanoseconds)
            .ok()
            .filter(|rest| *rest < 1_000_000_000)
            .ok_or_else(|| {
                format!(
                    "{} is no number of nanoseconds below a second",
                    self.nanoseconds
                )
            })?;
        Timestamp::new(self.seconds, rest).map_err(|_| {
            format!(
                "{} seconds are outside the years -9999 to 9999",
                self.seconds
            )
        })
    }
}

/// `date`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub(crate) struct Date {
    pub(crate) year: i32,
    pub(crate) month: u8,
    pub(crate) day: u8,
}

impl Date {
    pub(crate) fn of(date: civil::Date) -> Self {
        Self {
            year: date.year().into(),
            month: date.month().unsigned_abs(),
            day: date.day().unsigned_abs(),
        }
    }

    pub(crate) fn civil(self) -> Result<civil::Date, String> {
        let Self { year, month, day } = self;
        let narrow = || {
            civil::Date::new(
                year.try_into().ok()?,
                month.try_into().ok()?,
                day.try_into().ok()?,
            )
            .ok()
        };
        narrow().ok_or_else(|| format!("there is no day {year:04}-{month:02}-{day:02}"))
    }
}

/// `date-time`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub(crate) struct DateTime {
    pub(crate) date: Date,
    pub(crate) hour: u8,
    pub(crate) minute: u8,
    pub(crate) second: u8,
    pub(crate) nanosecond: u32,
}

impl DateTime {
    pub(crate) fn of(when: civil::DateTime) -> Self {
        Self {
            date: Date::of(when.date()),
            hour: when.hour().unsigned_abs(),
            minute: when.minute().unsigned_abs(),
            second: when.second().unsigned_abs(),
            nanosecond: when.subsec_nanosecond().unsigned_abs(),
        }
    }

    pub(crate) fn civil(self) -> Result<civil::DateTime, String> {
        let Self {
            hour,
            minute,
            second,
            nanosecond,
            ..
        } = self;
        let date = self.date.civil()?;
        let narrow = || {
            Time::new(
                hour.try_into().ok()?,
                minute.try_into().ok()?,
                second.try_into().ok()?,
                nanosecond.try_into().ok()?,
            )
            .ok()
        };
        let time = narrow().ok_or_else(|| {
            format!(
                "there is no time {hour:02}:{minute:02}:{second:02} with {nanosecond} nanoseconds"
            )
        })?;
        Ok(date.to_datetime(time))
    }
}

/// `weekday`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(enum)]
#[repr(u8)]
pub(crate) enum Weekday {
    #[component(name = "monday")]
    Monday,
    #[component(name = "tuesday")]
    Tuesday,
    #[component(name = "wednesday")]
    Wednesday,
    #[component(name = "thursday")]
    Thursday,
    #[component(name = "friday")]
    Friday,
    #[component(name = "saturday")]
    Saturday,
    #[component(name = "sunday")]
    Sunday,
}

impl Weekday {
    pub(crate) fn of(day: JiffWeekday) -> Self {
        match day {
            JiffWeekday::Monday => Self::Monday,
            JiffWeekday::Tuesday => Self::Tuesday,
            JiffWeekday::Wednesday => Self::Wednesday,
            JiffWeekday::Thursday => Self::Thursday,
            JiffWeekday::Friday => Self::Friday,
            JiffWeekday::Saturday => Self::Saturday,
            JiffWeekday::Sunday => Self::Sunday,
        }
    }
}

/// `day-details`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub(crate) struct DayDetails {
    pub(crate) weekday: Weekday,
    #[component(name = "day-of-year")]
    pub(crate) day_of_year: u16,
    #[component(name = "iso-year")]
    pub(crate) iso_year: i32,
    #[component(name = "iso-week")]
    pub(crate) iso_week: u8,
    #[component(name = "days-in-month")]
    pub(crate) days_in_month: u8,
    #[component(name = "leap-year")]
    pub(crate) leap_year: bool,
    #[component(name = "month-start")]
    pub(crate) month_start: Date,
    #[component(name = "month-end")]
    pub(crate) month_end: Date,
}

/// `period`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub(crate) struct Period {
    pub(crate) years: i32,
    pub(crate) months: i32,
    pub(crate) days: i32,
}

/// Records of one size, with the JSON of their fields.
macro_rules! records {
    ($($ty:ty { $($name:literal: $field:ident),+ $(,)? })+) => {
        $(impl Crossing for $ty {
            fn bytes(&self) -> u64 {
                size_of::<Self>() as u64
            }
            fn report(&self) -> Json {
                json!({ $($name: self.$field.report()),+ })
            }
        })+
    };
}

records! {
    Instant { "seconds": seconds, "nanoseconds": nanoseconds }
    Date { "year": year, "month": month, "day": day }
    DateTime { "date": date, "hour": hour, "minute": minute, "second": second, "nanosecond": nanosecond }
    DayDetails {
        "weekday": weekday, "day-of-year": day_of_year, "iso-year": iso_year, "iso-week": iso_week,
        "days-in-month": days_in_month, "leap-year": leap_year, "month-start": month_start, "month-end": month_end,
    }
    Period { "years": years, "months": months, "days": days }
}

impl Crossing for Weekday {
    fn bytes(&self) -> u64 {
        size_of::<Self>() as u64
    }

    fn report(&self) -> Json {
        json!(format!("{self:?}").to_lowercase())
    }
}
