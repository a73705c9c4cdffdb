//! Reads Rust text just well enough to look for names in it: comments and literals are blanked out first.

/// The same text with every comment and every string and character literal replaced by spaces. Line breaks stay, so
/// line numbers do too.
pub(crate) fn code_only(source: &str) -> String {
    let text: Vec<char> = source.chars().collect();
    let mut code = String::with_capacity(source.len());
    let mut at = 0;
    while at < text.len() {
        let end = skipped(&text, at);
        if end == at {
            code.push(text[at]);
            at += 1;
        } else {
            code.extend(
                text[at..end]
                    .iter()
                    .map(|c| if *c == '\n' { '\n' } else { ' ' }),
            );
            at = end;
        }
    }
    code
}

/// The end of the comment or literal that starts at `at`; `at` itself if none does.
fn skipped(text: &[char], at: usize) -> usize {
    match (text[at], text.get(at + 1)) {
        ('/', Some('/')) => find(text, at, &['\n']).unwrap_or(text.len()),
        ('/', Some('*')) => block_comment(text, at),
        ('"', _) => string(text, at + 1),
        ('\'', _) => character(text, at),
        ('r', _) if !in_word(text, at) || text[at - 1] == 'b' || text[at - 1] == 'c' => {
            raw_string(text, at)
        }
        _ => at,
    }
}

fn block_comment(text: &[char], at: usize) -> usize {
    let mut depth = 0;
    let mut end = at;
    while end + 1 < text.len() {
        match (text[end], text[end + 1]) {
            ('/', '*') => depth += 1,
            ('*', '/') => depth -= 1,
            _ => {
                end += 1;
                continue;
            }
        }
        end += 2;
        if depth == 0 {
            return end;
        }
    }
    text.len()
}

fn string(text: &[char], mut at: usize) -> usize {
    while at < text.len() {
        match text[at] {
            '\\' => at += 2,
            '"' => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

/// A character literal, or `at` itself when the quote starts a lifetime.
fn character(text: &[char], at: usize) -> usize {
    match (text.get(at + 1), text.get(at + 2)) {
        (Some('\\'), _) => find(text, at + 3, &['\'']).map_or(text.len(), |end| end + 1),
        (Some(_), Some('\'')) => at + 3,
        _ => at,
    }
}

fn raw_string(text: &[char], at: usize) -> usize {
    let hashes = text[at + 1..].iter().take_while(|c| **c == '#').count();
    let start = at + 1 + hashes;
    if text.get(start) != Some(&'"') {
        return at;
    }
    let mut closing = vec!['"'];
    closing.resize(1 + hashes, '#');
    find(text, start + 1, &closing).map_or(text.len(), |end| end + closing.len())
}

fn in_word(text: &[char], at: usize) -> bool {
    at > 0 && (text[at - 1].is_alphanumeric() || text[at - 1] == '_')
}

fn find(text: &[char], from: usize, wanted: &[char]) -> Option<usize> {
    let rest = text.get(from..)?;
    let found = rest
        .windows(wanted.len())
        .position(|window| window == wanted)?;
    Some(from + found)
}

/// Modules of the own crate that a file names, each with its line: by `crate::name`, by `crate::{a, b::c}`, and by as
/// many `super::` as lead from the file to the crate (`depth`: 1 for `src/plan.rs`, 2 for `src/plan/manifest.rs`).
pub(crate) fn modules_named(source: &str, depth: usize) -> Vec<(usize, String)> {
    let code = code_only(source);
    let supers = "super::".repeat(depth);
    let mut found = Vec::new();
    for start in ["crate::", supers.as_str()] {
        for (at, _) in code.match_indices(start) {
            let before = &code[..at];
            let continued = before.ends_with("::")
                || before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
            if continued || before.ends_with('$') {
                continue;
            }
            let line = before.matches('\n').count() + 1;
            let rest = &code[at + start.len()..];
            found.extend(first_names(rest).into_iter().map(|name| (line, name)));
        }
    }
    found.sort();
    found
}

/// The first name of a path, or of each path of a group.
fn first_names(rest: &str) -> Vec<String> {
    let rest = rest.trim_start();
    let word = |text: &str| -> String {
        let text = text.trim_start();
        text.chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect()
    };
    let Some(group) = rest.strip_prefix('{') else {
        return vec![word(rest)];
    };
    let mut names = Vec::new();
    let mut depth = 0;
    let mut start = 0;
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                names.push(word(&group[start..at]));
                start = at + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    names.retain(|name| !name.is_empty());
    names
}
