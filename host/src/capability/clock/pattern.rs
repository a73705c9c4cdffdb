//! Dates by patterns of `strftime` and `strptime`.

use jiff::civil::DateTime;
use jiff::fmt::strtime::{self, BrokenDownTime};
use jiff::tz::Offset;

/// Longest pattern, bytes: a directive may be padded to 255 characters.
const MAX_PATTERN: usize = 256;

/// What an error tells of the directives.
const KNOWN: &str = "directives: %Y %y %m %B %b %d %e %j %A %a %u %w %H %I %k %l %M %S %f %.f %p %P %z %:z %s %F %T %D %R %G %V %C %q %n %t %%";

/// Directives that both sides have. `%Z`, `%q`, `%c`, `%r`, `%X`, `%x` can only be written; `%Q` names a time zone.
const DIRECTIVES: &str = "%AaBbhCcDdeFfGgHIjklMmNnPpqRrSsTtUuVWwXxYyz";

/// Says which directive is not known, before anything is read: jiff speaks of the first that it comes to.
fn check(pattern: &str) -> Result<(), String> {
    if pattern.len() > MAX_PATTERN {
        return Err(format!(
            "a pattern of {} bytes is longer than the {MAX_PATTERN} that are read",
            pattern.len()
        ));
    }
    let mut rest = pattern.chars();
    while let Some(character) = rest.next() {
        if character != '%' {
            continue;
        }
        // Flags, width, dots and colons stand between.
        let directive = rest
            .by_ref()
            .find(|character| !matches!(character, '-' | '_' | '0'..='9' | '^' | '#' | '.' | ':'));
        match directive {
            Some(known) if DIRECTIVES.contains(known) => {}
            Some(other) => return Err(format!("unknown directive `%{other}`; {KNOWN}")),
            None => return Err(format!("the pattern ends within a directive; {KNOWN}")),
        }
    }
    Ok(())
}

/// The time that a text stands for; in UTC if it says its offset.
pub(super) fn parse(text: &str, pattern: &str) -> Result<DateTime, String> {
    check(pattern)?;
    let failed = |error: jiff::Error| format!("`{text}` is not of the form `{pattern}`: {error}");
    let found = strtime::parse(pattern, text).map_err(failed)?;
    if found.offset().is_some() || found.timestamp().is_some() {
        let timestamp = found.to_timestamp().map_err(failed)?;
        return Ok(Offset::UTC.to_datetime(timestamp));
    }
    found.to_datetime().map_err(failed)
}

/// The time as text.
pub(super) fn format(when: DateTime, pattern: &str) -> Result<String, String> {
    check(pattern)?;
    let time = BrokenDownTime::from(when);
    time.to_string(pattern)
        .map_err(|error| format!("no text of the form `{pattern}`: {error}"))
}
