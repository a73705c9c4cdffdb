//! A key or table that stands twice: the TOML parser names the second place, the author needs both.

use crate::error::Fault;

/// The parser's fault at byte `at`, with the first place added where it can be found. The text is no valid TOML, so it
/// is read line by line, which finds what people write; what is not found stays as the parser said it.
pub(super) fn explain(fault: Fault, name: &str, source: &str, at: usize) -> Fault {
    if fault.message != "duplicate key" {
        return fault;
    }
    let mut header = String::new();
    let mut seen: Vec<(String, String, usize)> = Vec::new();
    let mut start = 0;
    for (index, line) in source.split_inclusive('\n').enumerate() {
        let end = start + line.len();
        let (table, key) = match table_of(line) {
            Some(table) => {
                header.clone_from(&table);
                (table, String::new())
            }
            None => (header.clone(), key_of(line)),
        };
        if (start..end).contains(&at) {
            let first = seen
                .iter()
                .find(|(other, word, _)| *other == table && *word == key);
            return match first {
                Some((_, _, line)) => named(fault, &table, &key, name, *line),
                None => fault,
            };
        }
        seen.push((table, key, index + 1));
        start = end;
    }
    fault
}

fn named(mut fault: Fault, table: &str, key: &str, name: &str, line: usize) -> Fault {
    if key.is_empty() {
        fault.message = format!("`[{table}]` stands twice");
    }
    let advice = match table.strip_prefix("models.") {
        Some(_) if key.is_empty() => "; give one of the two models another name",
        _ => "",
    };
    fault.hint(format!("it stands at {name}:{line} already{advice}"))
}

/// `models.fast` of `[ models . fast ]  # comment`.
fn table_of(line: &str) -> Option<String> {
    let inside = line.trim_start().strip_prefix('[')?;
    let (inside, _) = inside.split_once(']')?;
    Some(inside.split_whitespace().collect())
}

/// The key of `key = value`, without blanks; empty where there is none.
fn key_of(line: &str) -> String {
    let line = line.trim_start();
    match line.split_once('=') {
        Some((key, _)) if !line.starts_with('#') => key.split_whitespace().collect(),
        _ => String::from("#"),
    }
}
