//! Figures and texts of a trace as people read them.

use std::borrow::Cow;

use serde_json::Value as Json;

use crate::diagnostic::escape_controls;

/// US dollars, with enough digits to see cents of a cent: `0.0123 USD`.
pub fn usd(amount: f64) -> String {
    let small = amount != 0.0 && amount.abs() < 0.001;
    match small {
        true => format!("{amount:.6} USD"),
        false => format!("{amount:.4} USD"),
    }
}

/// A time: `35 ms`, `4.2 s`, `2 min 5 s`.
pub fn time(millis: u64) -> String {
    match millis {
        0..1000 => format!("{millis} ms"),
        1000..100_000 => format!("{:.1} s", millis as f64 / 1000.0),
        _ => format!("{} min {} s", millis / 60_000, millis / 1000 % 60),
    }
}

/// Three digits and a unit.
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["B", "KiB", "MiB", "GiB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1000.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    match unit {
        0 => format!("{bytes} B"),
        _ if value < 10.0 => format!("{value:.1} {}", UNITS[unit]),
        _ => format!("{value:.0} {}", UNITS[unit]),
    }
}

/// `1 attempt`, `2 attempts`.
pub fn count(number: u64, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}

/// A text in one line of at most `most` characters, harmless on a terminal; what is cut is marked by `…`.
pub fn short(text: &str, most: usize) -> String {
    // Only the beginning can be seen, so no more of a long text is looked at.
    let start: String = text.trim().chars().take(most + 1).collect();
    let line = start.replace('\n', "\\n").replace('\t', "\\t");
    cut(&escape_controls(&line), most).into_owned()
}

/// The first `most` characters; one of them is `…` when something was cut.
pub fn cut(text: &str, most: usize) -> Cow<'_, str> {
    if text.chars().nth(most).is_none() {
        return Cow::Borrowed(text);
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    Cow::Owned(kept + if most == 0 { "" } else { "…" })
}

/// A hash, short enough to be compared by eye: `blake3:3fa21c77`.
pub(super) fn hash(hash: &str) -> String {
    let end = hash.find(':').map_or(0, |at| at + 1);
    let kept = hash.chars().take(end + 8).collect::<String>();
    short(&kept, 20)
}

/// A value of a trace in one line: itself, or the start of one that was cut with its size.
pub(super) fn value(json: &Json, most: usize) -> String {
    if let Some(start) = json.get("cut") {
        let size = json.get("size").and_then(Json::as_u64).unwrap_or(0);
        return format!("{} ({})", value(start, most), self::size(size));
    }
    if json.get("masked").and_then(Json::as_bool) == Some(true) {
        let size = json.get("size").and_then(Json::as_u64).unwrap_or(0);
        let labels = json.get("labels").and_then(Json::as_array);
        let labels = labels.into_iter().flatten().filter_map(Json::as_str);
        let labels: Vec<&str> = labels.take(2).collect();
        let error = match json.get("err").and_then(Json::as_bool) {
            Some(true) => ", an error",
            _ => "",
        };
        let text = format!("({}, {}{error})", labels.join(" and "), self::size(size));
        return short(&text, most);
    }
    match json.get("value") {
        Some(inner) if json.get("labels").is_some() => value(inner, most),
        _ => short(&json.to_string(), most),
    }
}

/// The bytes of a text of a trace, whole or cut.
pub(super) fn text_size(json: &Json) -> u64 {
    match json {
        Json::String(text) => text.len() as u64,
        cut => cut.get("size").and_then(Json::as_u64).unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn figures_read_well() {
        assert_eq!(usd(0.0), "0.0000 USD");
        assert_eq!(usd(0.01234), "0.0123 USD");
        assert_eq!(usd(0.000_012), "0.000012 USD");
        assert_eq!(time(999), "999 ms");
        assert_eq!(time(4200), "4.2 s");
        assert_eq!(time(125_000), "2 min 5 s");
        assert_eq!(size(0), "0 B");
        assert_eq!(size(999), "999 B");
        assert_eq!(size(1000), "1.0 KiB");
        assert_eq!(size(60 << 20), "60 MiB");
        assert_eq!(size(u64::MAX), "17179869184 GiB");
        assert_eq!(count(1, "attempt"), "1 attempt");
        assert_eq!(count(0, "attempt"), "0 attempts");
    }

    #[test]
    fn a_short_text_is_one_harmless_line() {
        assert_eq!(short(" a\nb\tc ", 20), "a\\nb\\tc");
        assert_eq!(short("\u{1b}[31mé", 40), "\\u{1b}[31mé");
        assert_eq!(short("abcdef", 4), "abc…");
        assert_eq!(short("\u{1b}\u{1b}", 4), "\\u{…");
        assert_eq!(cut("ab", 0), "");
        assert_eq!(cut("ééé", 3), "ééé");
        assert_eq!(cut("éééé", 3), "éé…");
    }

    #[test]
    fn values_are_shown_without_their_labels() {
        assert_eq!(value(&json!({ "value": "a", "labels": [] }), 9), "\"a\"");
        assert_eq!(
            value(
                &json!({ "cut": "ab", "size": 70_000, "hash": "blake3:1", "labels": [] }),
                9
            ),
            "\"ab\" (68 KiB)"
        );
        assert_eq!(value(&json!({ "value": 1 }), 20), "{\"value\":1}");
        assert_eq!(hash("blake3:0123456789abcdef"), "blake3:01234567");
        assert_eq!(hash("x"), "x");
    }
}
