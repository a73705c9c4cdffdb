//! dep-info: the compiler's own list of the files it opened, read before a word of what it says.

/// Name of the dep-info file in the work folder.
pub(super) const FILE: &str = "o.d";

/// The whole text for a run that opened `snippet.rs` and nothing else (the root comes from standard input and has no
/// file). The comparison is of bytes: a file name may hold a newline and forge lines.
const EXPECTED: &str = "o.d: snippet.rs\n\no.o: snippet.rs\n\nsnippet.rs:\n";

/// What the compiler opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opened {
    /// The snippet alone: what the compiler says can be about nothing else.
    SnippetAlone,
    /// There is no list: the compiler stopped while it was still reading.
    Unknown,
    /// Something else.
    More,
}

/// Judges the text of the dep-info file, `None` when there is none.
pub(super) fn opened(text: Option<&[u8]>) -> Opened {
    match text {
        Some(text) if text == EXPECTED.as_bytes() => Opened::SnippetAlone,
        Some(_) => Opened::More,
        None => Opened::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_exact_text_counts() {
        assert_eq!(opened(Some(EXPECTED.as_bytes())), Opened::SnippetAlone);
        assert_eq!(opened(None), Opened::Unknown);
        for other in [
            "",
            "o.d: snippet.rs /etc/passwd\n\no.o: snippet.rs\n\nsnippet.rs:\n",
            "o.d: snippet.rs\n\no.o: snippet.rs\n\nsnippet.rs:\n/etc/passwd:\n",
            "o.d: snippet.rs\n\no.o: snippet.rs\n\nsnippet.rs:",
        ] {
            assert_eq!(opened(Some(other.as_bytes())), Opened::More, "{other:?}");
        }
    }
}
