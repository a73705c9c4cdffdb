//! Comments of a WIT text. Only `///` and `/** … */` are documentation, which models are shown; the parser takes every
//! comment for it.

/// The text with blanks in place of its plain comments, so that nothing else moves. Text that is no WIT stays what it is.
pub(super) fn without_plain_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['/', '"']) {
        let (before, from) = rest.split_at(at);
        kept.push_str(before);
        let length = if from.starts_with("//") {
            from.find('\n').unwrap_or(from.len())
        } else if from.starts_with("/*") {
            block(from)
        } else if let Some(inner) = from.strip_prefix('"') {
            // A text: what stands in it is no comment. It ends on its line.
            let end = inner.find(['"', '\n']).map(|end| end + 2);
            end.unwrap_or(from.len())
        } else {
            1
        };
        let (piece, behind) = from.split_at(length);
        if is_plain(piece) {
            kept.extend(piece.chars().flat_map(blank));
        } else {
            kept.push_str(piece);
        }
        rest = behind;
    }
    kept.push_str(rest);
    kept
}

/// Length of the block comment at the start, comments within it included; an open one goes to the end.
fn block(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// Whether a piece of the text is a comment, and no documentation: Rust's rule, whose signs these are.
fn is_plain(piece: &str) -> bool {
    if piece.starts_with("//") {
        return !piece.starts_with("///") || piece.starts_with("////");
    }
    piece.starts_with("/*")
        && (!piece.starts_with("/**") || piece.starts_with("/***") || piece == "/**/")
}

/// As many blanks as the character has bytes: places are counted in bytes. Line ends stay.
fn blank(character: char) -> impl Iterator<Item = char> {
    let (with, count) = match character {
        '\n' | '\r' => (character, 1),
        _ => (' ', character.len_utf8()),
    };
    std::iter::repeat_n(with, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_comments_are_blanks_and_documentation_stays() {
        for (text, expected) in [
            ("// a\nworld w {}", "    \nworld w {}"),
            ("/// a // b\nworld w {}", "/// a // b\nworld w {}"),
            ("//// a\n", "      \n"),
            ("import a; // é b\r\n", "import a;        \r\n"),
            ("/* a\n b */ x", "    \n      x"),
            ("/** a */ x", "/** a */ x"),
            ("/**/ x", "     x"),
            ("/* a /* b */ c */ x", "                  x"),
            ("/// src/**/*.rs\n// b", "/// src/**/*.rs\n    "),
            ("a/b@1.0 // c", "a/b@1.0     "),
            ("\"// no\" // yes", "\"// no\"       "),
            ("/* open", "       "),
            ("\"open\n// c", "\"open\n    "),
        ] {
            let found = without_plain_comments(text);
            assert_eq!(found, expected, "{text:?}");
            assert_eq!(found.len(), text.len(), "{text:?}");
        }
    }
}
