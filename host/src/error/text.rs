//! Text from outside (a server's message, a program's last words) made fit for one line of an error.

/// Characters of foreign text that an error shows: enough for a server's sentence, too little for a page of HTML.
const SHOWN: usize = 400;

/// One line: blanks and line ends become one space, other control and bidirectional characters are escaped (a terminal
/// must not obey a server), and what is too long is cut.
pub(crate) fn one_line(text: &str) -> String {
    shorten(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The last part of `text`, its lines kept apart by ` | `, escaped the same way: the end of a program's stderr is where
/// the reason stands.
pub(crate) fn tail(text: &str) -> String {
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let joined = lines.join(" | ");
    let length = joined.chars().count();
    let kept: String = joined.chars().skip(length.saturating_sub(SHOWN)).collect();
    let escaped = escape(&kept);
    if length > SHOWN {
        format!("…{escaped}")
    } else {
        escaped
    }
}

/// The innermost reason, which says `Connection refused` where the outer ones say `error sending request`.
pub(crate) fn innermost(error: &dyn std::error::Error) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}

fn shorten(text: &str) -> String {
    let mut kept: String = text.chars().take(SHOWN).collect();
    if kept.len() < text.len() {
        kept.push('…');
    }
    escape(&kept)
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        let steers = matches!(
            character,
            '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'
        );
        if character.is_control() || steers {
            escaped.extend(character.escape_unicode());
        } else {
            escaped.push(character);
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_lines_joined() {
        assert_eq!(one_line("a\r\n b\tc"), "a b c");
        assert_eq!(one_line("a\u{1b}[31m\u{202e}"), "a\\u{1b}[31m\\u{202e}");
    }

    #[test]
    fn long_text_is_cut_at_a_character() {
        let cut = one_line(&"é".repeat(1000));
        assert_eq!(cut.chars().count(), SHOWN + 1);
        assert!(cut.ends_with('…'));
        let end = tail(&format!("{}\nreason", "é".repeat(1000)));
        assert!(end.starts_with('…') && end.ends_with("| reason"));
    }
}
