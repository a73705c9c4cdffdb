//! A command line split into words the way a POSIX shell does (XCU 2.2 Quoting), without any expansion.

/// Why a text has no words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum WordsError {
    /// `'` or `"` without its partner.
    #[error("a quote is not closed")]
    OpenQuote,
    /// `\` as the last character.
    #[error("a backslash at the end quotes nothing")]
    OpenBackslash,
    /// Blanks only.
    #[error("no program is named")]
    Nothing,
}

/// The words. `$`, `*`, `|`, `>` and the like stand for themselves: no shell is involved.
pub(crate) fn split(text: &str) -> Result<Vec<String>, WordsError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            ' ' | '\t' | '\n' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next().ok_or(WordsError::OpenQuote)? {
                        '\'' => break,
                        quoted => word.push(quoted),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next().ok_or(WordsError::OpenQuote)? {
                        '"' => break,
                        '\\' => match characters.next().ok_or(WordsError::OpenQuote)? {
                            '\n' => {}
                            escaped @ ('$' | '`' | '"' | '\\') => word.push(escaped),
                            other => word.extend(['\\', other]),
                        },
                        quoted => word.push(quoted),
                    }
                }
            }
            '\\' => match characters.next().ok_or(WordsError::OpenBackslash)? {
                '\n' => {}
                escaped => word.get_or_insert_default().push(escaped),
            },
            plain => word.get_or_insert_default().push(plain),
        }
    }
    words.extend(word);
    if words.is_empty() {
        return Err(WordsError::Nothing);
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        split(text).unwrap()
    }

    #[test]
    fn words_are_split_as_a_shell_does() {
        assert_eq!(words("cat answer.md"), ["cat", "answer.md"]);
        assert_eq!(words("  a\t b\n"), ["a", "b"]);
        assert_eq!(words(r#"a'b c'"d e"f\ g"#), ["ab cd ef g"]);
        assert_eq!(words(r#"x '' """#), ["x", "", ""]);
        assert_eq!(words(r#""a\"b\\c\d\$e""#), [r#"a"b\c\d$e"#]);
        assert_eq!(words(r"'a\b'"), [r"a\b"]);
        assert_eq!(words("a\\\nb"), ["ab"]);
    }

    #[test]
    fn nothing_is_expanded() {
        assert_eq!(
            words("echo $HOME *.md | x > y"),
            ["echo", "$HOME", "*.md", "|", "x", ">", "y"]
        );
    }

    #[test]
    fn what_is_open_is_an_error() {
        assert_eq!(split("a 'b"), Err(WordsError::OpenQuote));
        assert_eq!(split("a \"b"), Err(WordsError::OpenQuote));
        assert_eq!(split("a \"b\\"), Err(WordsError::OpenQuote));
        assert_eq!(split("a \\"), Err(WordsError::OpenBackslash));
        assert_eq!(split(" \t"), Err(WordsError::Nothing));
    }
}
