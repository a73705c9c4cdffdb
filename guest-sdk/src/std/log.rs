//! What printing comes down to.

use std::fmt::Arguments;

/// Appends text to the log. The text is formatted first, because a `Display` may print too.
pub fn print(text: Arguments<'_>) {
    match text.as_str() {
        Some(text) => lacuna_rt::log(text),
        None => lacuna_rt::log(&std::fmt::format(text)),
    }
}

/// The same, and ends the line.
pub fn print_line(text: Arguments<'_>) {
    match text.as_str() {
        Some(text) => lacuna_rt::log_line(text),
        None => {
            let mut text = std::fmt::format(text);
            text.push('\n');
            lacuna_rt::log(&text);
        }
    }
}
