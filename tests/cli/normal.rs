//! What differs from run to run and from machine to machine, replaced by a word.

use std::path::Path;

/// Rewrites texts.
#[derive(Default)]
pub(crate) struct Normal {
    names: Vec<(String, String)>,
}

impl Normal {
    /// A path that stands for itself only on this machine.
    pub(crate) fn name(&mut self, path: &Path, word: &str) {
        self.text(&path.display().to_string(), word);
    }

    /// Any other text of this kind.
    pub(crate) fn text(&mut self, text: &str, word: &str) {
        self.names.push((text.to_owned(), word.to_owned()));
        // A folder stands before the folder that holds it.
        self.names
            .sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));
    }

    /// The text in its normal form.
    pub(crate) fn apply(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (from, to) in &self.names {
            text = text.replace(from, to);
        }
        for (before, what) in [
            ("blake3:", "0123456789abcdef"),
            ("blake3-keyed:", "0123456789abcdef"),
            ("127.0.0.1:", "0123456789"),
            ("accepted in ", "0123456789"),
            ("answered in ", "0123456789."),
            (" times) retry in ", "0123456789."),
            ("\"compile\":", "0123456789"),
            ("\"link\":", "0123456789"),
            ("rustc 1.95.0 (", "0123456789abcdef -"),
            (" of 4 in ", "0123456789."),
            (" of 1 in ", "0123456789."),
            ("it asks to wait ", "0123456789"),
        ] {
            text = blanked(&text, before, what);
        }
        text = text
            .split('\n')
            .map(|line| without_time(line).unwrap_or_else(|| line.to_owned()))
            .collect::<Vec<_>>()
            .join("\n");
        // A quick answer is not spoken of, and how quick it is depends on the machine.
        let lines = text
            .lines()
            .filter(|line| !line.ends_with("answered in … s"));
        let mut kept: String = lines.flat_map(|line| [line, "\n"]).collect();
        if !text.ends_with('\n') {
            kept.pop();
        }
        kept
    }
}

/// The line that sums up a run, `audit: 2 attempts, 0.3 s`, without how long it took.
fn without_time(line: &str) -> Option<String> {
    let (head, seconds) = line.strip_suffix(" s")?.rsplit_once(", ")?;
    let (_, attempts) = head.split_once(": ")?;
    let is_summary =
        attempts.starts_with(|c: char| c.is_ascii_digit()) && attempts.contains(" attempt");
    let is_time = seconds.chars().all(|c| c.is_ascii_digit() || c == '.');
    (is_summary && is_time).then(|| format!("{}, … s", without_charge(head)))
}

/// The same without the tokens that are charged for failed requests: they come from the prompt's length.
fn without_charge(head: &str) -> String {
    let Some((before, behind)) = head.split_once(" tokens charged ") else {
        return head.to_owned();
    };
    let before = before.trim_end_matches(|c: char| c.is_ascii_digit());
    format!("{before}… tokens charged {behind}")
}

/// Replaces the run of characters of `what` behind each `before` by `…`.
fn blanked(text: &str, before: &str, what: &str) -> String {
    let mut parts = text.split(before);
    let mut new = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|c| what.contains(c));
        new.push_str(before);
        if rest.len() < part.len() {
            new.push('…');
        }
        new.push_str(rest);
    }
    new
}
