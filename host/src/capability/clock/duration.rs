//! Durations as text. A day is 24 hours: without a time zone there is no other.

use std::fmt::Write;

use jiff::{Span, SpanRelativeTo};

/// Milliseconds of a text such as `1h 30m` or `PT1H30M`.
pub(super) fn parse(text: &str) -> Result<i64, String> {
    let failed = |error: jiff::Error| {
        format!("`{text}` is no duration such as `1d 2h 30m 4.5s` or `PT1H30M`: {error}")
    };
    let span: Span = text.trim().parse().map_err(failed)?;
    if span.get_years() != 0 || span.get_months() != 0 {
        return Err(format!(
            "`{text}` has years or months, which have no fixed length"
        ));
    }
    let duration = span
        .to_duration(SpanRelativeTo::days_are_24_hours())
        .map_err(failed)?;
    i64::try_from(duration.as_millis()).map_err(|_| format!("`{text}` is too long"))
}

/// Days, hours, minutes and seconds, without those that are 0.
pub(super) fn format(milliseconds: i64) -> String {
    let total = milliseconds.unsigned_abs();
    let (seconds, millis) = (total / 1000, total % 1000);
    let mut parts = Vec::new();
    for (count, unit) in [
        (seconds / 86_400, "d"),
        (seconds / 3600 % 24, "h"),
        (seconds / 60 % 60, "m"),
    ] {
        if count > 0 {
            parts.push(format!("{count}{unit}"));
        }
    }
    let seconds = seconds % 60;
    if seconds > 0 || millis > 0 || parts.is_empty() {
        let mut part = seconds.to_string();
        if millis > 0 {
            let _ = write!(part, ".{millis:03}");
            part.truncate(part.trim_end_matches('0').len());
        }
        parts.push(part + "s");
    }
    let sign = if milliseconds < 0 { "-" } else { "" };
    sign.to_owned() + &parts.join(" ")
}
