//! The text of a statement: one, and not too long.

use super::types::SqlError;

/// Longest text of a statement, bytes. Values do not stand in it.
const LONGEST: usize = 64 << 10;

/// Calls of one function that [`single_argument`] looks at.
const MOST_CALLS: usize = 50;

/// The one statement of a text, without what is behind it. A text with a second one is refused here, before SQLite sees it.
pub(super) fn single(text: &str) -> Result<&str, SqlError> {
    if text.len() > LONGEST {
        return Err(SqlError::TooLarge(format!(
            "the statement has {} bytes, at most {LONGEST} are allowed; give values as parameters",
            text.len()
        )));
    }
    if text.contains('\0') {
        return Err(SqlError::Invalid("a zero byte in the statement".to_owned()));
    }
    let mut rest = text;
    while let Some((word, behind)) = next(rest) {
        if word == Word::End {
            let end = text.len() - rest.len();
            return if blank(behind) {
                Ok(&text[..end])
            } else {
                Err(SqlError::Invalid(
                    "one statement a call: there is more behind the first `;`".to_owned(),
                ))
            };
        }
        rest = behind;
    }
    Ok(text)
}

/// A piece of the text, as SQLite cuts it; all that matters here is where a `;` is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Blank,
    End,
    Other,
}

/// The first piece and what is behind it.
fn next(text: &str) -> Option<(Word, &str)> {
    let first = text.chars().next()?;
    let behind = &text[first.len_utf8()..];
    let until = |end: char| behind.split_once(end).map_or("", |(_, behind)| behind);
    Some(match first {
        // A quote within such a name or text is doubled: two names side by side for us, which is as good.
        '\'' | '"' | '`' => (Word::Other, until(first)),
        '[' => (Word::Other, until(']')),
        '-' if behind.starts_with('-') => (Word::Blank, until('\n')),
        '/' if behind.len() > 1 && behind.starts_with('*') => {
            let behind = behind[1..].split_once("*/");
            (Word::Blank, behind.map_or("", |(_, behind)| behind))
        }
        ';' => (Word::End, behind),
        ' ' | '\t' | '\n' | '\r' | '\x0c' | '\u{feff}' => (Word::Blank, behind),
        _ => (Word::Other, behind),
    })
}

/// Whether there is nothing but blanks, comments and `;`.
fn blank(mut text: &str) -> bool {
    while let Some((word, behind)) = next(text) {
        if word == Word::Other {
            return false;
        }
        text = behind;
    }
    true
}

/// Whether each call of a function in the text has one argument, as far as that can be seen at once: any doubt is a no.
/// `name` is in lower case, and the end of other names (`rtrim` of `trim`) counts too.
pub(super) fn single_argument(text: &str, name: &str) -> bool {
    if text.len() > LONGEST {
        // It will be refused.
        return false;
    }
    let text = text.to_ascii_lowercase();
    // Each call is read to its end, and calls nest.
    if text.matches(name).count() > MOST_CALLS {
        return false;
    }
    text.match_indices(name).all(|(start, _)| {
        let behind = text[start + name.len()..].trim_start();
        behind.strip_prefix('(').is_some_and(one_argument)
    })
}

/// Whether there is no comma before the parenthesis that closes.
fn one_argument(text: &str) -> bool {
    let mut depth = 1;
    let mut rest = text;
    while let Some((word, behind)) = next(rest) {
        let piece = &rest[..rest.len() - behind.len()];
        match piece {
            "(" => depth += 1,
            ")" if depth == 1 => return true,
            ")" => depth -= 1,
            "," if depth == 1 => return false,
            // A comment.
            _ if word == Word::Blank && piece.len() > 3 => return false,
            _ => {}
        }
        rest = behind;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_statement() {
        for (text, statement) in [
            ("SELECT 1", "SELECT 1"),
            ("SELECT 1;", "SELECT 1"),
            ("SELECT 1 ; ; -- that's all\n/* ; */ ", "SELECT 1 "),
            (
                "SELECT ';', \"a;b\", `;`, [;] FROM t;",
                "SELECT ';', \"a;b\", `;`, [;] FROM t",
            ),
            (
                "SELECT 'it''s; so' -- ;\n, 2;",
                "SELECT 'it''s; so' -- ;\n, 2",
            ),
            ("SELECT 1 /* ; -- */", "SELECT 1 /* ; -- */"),
            ("SELECT 1 /*/ ; */", "SELECT 1 /*/ ; */"),
            ("SELECT 4 / 2 - 1 -> '$'", "SELECT 4 / 2 - 1 -> '$'"),
            ("SELECT ';", "SELECT ';"),
            ("", ""),
            (";", ""),
        ] {
            assert_eq!(single(text), Ok(statement), "{text}");
        }
        for text in [
            "SELECT 1; SELECT 2",
            "SELECT 1;;DROP TABLE t",
            "SELECT 1; -- x\n DELETE FROM t",
            "SELECT 'a''';';DROP TABLE t",
            "; SELECT 1",
            "SELECT 1 /* */; /**/ x",
            "SELECT 1\0; SELECT 2",
        ] {
            assert!(matches!(single(text), Err(SqlError::Invalid(_))), "{text}");
        }
    }

    #[test]
    fn a_second_argument_is_seen() {
        for text in [
            "SELECT 1",
            "SELECT trim(name) FROM t",
            "SELECT TRIM ( name ), max(1, 2)",
            "SELECT trim(coalesce(a, ',', b)), trim('x, y' || \"a,b\" || [c,d])",
            "SELECT a, trim(trim(b))",
        ] {
            assert!(single_argument(text, "trim"), "{text}");
        }
        for text in [
            "SELECT trim(name, 'x')",
            "SELECT trim(max(1, 2), 'x')",
            "SELECT trim(trim(a, 'x'))",
            "SELECT \"trim\"(name)",
            "SELECT trim/* */(name)",
            "SELECT trim(name /* ( */, 'x')",
            "SELECT trim(name -- )\n, 'x')",
            "SELECT trim(name",
            "SELECT 'trim'",
            "trim(".repeat(MOST_CALLS + 1).as_str(),
            format!("SELECT trim(name) {}", " ".repeat(LONGEST)).as_str(),
        ] {
            assert!(!single_argument(text, "trim"), "{text}");
        }
    }

    #[test]
    fn the_longest_is_its_number() {
        let text = format!("SELECT 1{}", " ".repeat(LONGEST - 8));
        assert_eq!(single(&text), Ok(text.as_str()));
        assert!(matches!(
            single(&format!("{text} ")),
            Err(SqlError::TooLarge(_))
        ));
    }
}
