//! Which part of an answer is the code.
//!
//! In this order, blocks marked `rust` first, blocks without a language if there are none, others only if nothing else
//! is left:
//! 1. the last block that defines everything that is asked for, alone;
//! 2. the blocks that define it together, a later definition winning over an earlier one;
//! 3. where a bare body is allowed, the last block that parses as one and does not call the function itself;
//! 4. the last block that names the function, else the last block: its errors go back to the model.
//!
//! Blocks of items that the chosen ones use and do not define are put in front of them.

use std::collections::BTreeSet;

use crate::budget::CompileLimits;
use crate::diagnostic::Diagnostic;
use crate::layer::{self, Layer};
use crate::scope::Scope;

use super::fences::{Block, Language, blocks};
use super::outline::Outline;
use super::reading::Reading;
use super::shape::Wanted;

/// The code of an answer.
pub(super) struct Found {
    pub(super) text: String,
    /// Whether its last block had a closing fence.
    pub(super) closed: bool,
}

/// Finds the code; the error says that there is none.
pub(super) fn find(
    answer: &str,
    scope: &Scope,
    limits: &CompileLimits,
) -> Result<Found, Diagnostic> {
    if !layer::stands(Layer::Extract) {
        return Ok(Found {
            text: answer.to_owned(),
            closed: true,
        });
    }
    let wanted = Wanted::of(scope);
    if answer.len() as u64 > limits.answer {
        let message = format!(
            "the answer has {} bytes, the limit `answer` is {}",
            answer.len(),
            limits.answer
        );
        return Err(Diagnostic::error("compiler-limit", message).help("answer with the code alone"));
    }
    let whole = answer;
    let answer = without_thoughts(answer);
    if answer.trim().is_empty() {
        let message = if whole.trim().is_empty() {
            "the answer is empty"
        } else {
            "the answer holds thoughts and nothing behind them"
        };
        return Err(no_code(message, &wanted));
    }
    let blocks = blocks(answer);
    // Code that quotes a fence in a comment or a string is still code.
    if blocks.is_empty() || answer_is_code(answer, &wanted, limits) {
        return plain(answer, &wanted, limits);
    }
    let best = blocks
        .iter()
        .map(|block| block.language)
        .max()
        .unwrap_or(Language::Other);
    let mut words: Vec<String> = blocks.iter().map(|block| block.word.clone()).collect();
    let candidates: Vec<Candidate> = blocks
        .into_iter()
        .filter(|block| block.language == best)
        .map(|block| Candidate::of(block, limits))
        // What stands as another language is code when it has items of Rust; `42` is the answer of someone who computed it.
        .filter(|candidate| best != Language::Other || candidate.has_functions())
        .collect();
    if candidates.is_empty() {
        words.dedup();
        return Err(other_languages(&words, &wanted));
    }
    Ok(choose(&candidates, &wanted))
}

struct Candidate {
    reading: Reading,
    closed: bool,
}

impl Candidate {
    fn of(block: Block, limits: &CompileLimits) -> Self {
        Self {
            reading: Reading::of(block.text, limits),
            closed: block.closed,
        }
    }

    fn outline(&self) -> Option<&Outline> {
        self.reading.outline.as_ref().ok()
    }

    fn has_functions(&self) -> bool {
        self.items()
            .is_some_and(|outline| !outline.functions.is_empty())
    }

    fn items(&self) -> Option<&Outline> {
        self.outline().filter(|outline| outline.items)
    }
}

fn choose(candidates: &[Candidate], wanted: &Wanted<'_>) -> Found {
    // 1. One block with everything.
    let complete = candidates.iter().rposition(|candidate| {
        candidate
            .items()
            .is_some_and(|outline| wanted.missing(outline).is_empty())
    });
    if let Some(main) = complete {
        return join(candidates, vec![main], wanted);
    }
    // 2. Several blocks with everything, the later one of two definitions.
    let mut needed: BTreeSet<String> = wanted.keys().into_iter().collect();
    let mut parts = Vec::new();
    for (index, candidate) in candidates.iter().enumerate().rev() {
        let Some(outline) = candidate.items() else {
            continue;
        };
        let defined: Vec<String> = wanted
            .keys()
            .into_iter()
            .filter(|key| wanted.defines(outline, key))
            .collect();
        if !defined.is_empty() && defined.iter().all(|key| needed.contains(key)) {
            defined.iter().for_each(|key| {
                needed.remove(key);
            });
            parts.insert(0, index);
        }
    }
    if needed.is_empty() && !parts.is_empty() {
        return join(candidates, parts, wanted);
    }
    // 3. A body.
    if let Some(function) = wanted.body {
        let is_body = |candidate: &Candidate| {
            candidate.outline().is_some_and(|outline| {
                outline.body && (!outline.only_items || function.result.is_none())
            })
        };
        let calls = format!("{}(", function.rust);
        let body = candidates
            .iter()
            .rposition(|candidate| is_body(candidate) && !candidate.reading.text.contains(&calls))
            .or_else(|| candidates.iter().rposition(is_body));
        if let Some(body) = body {
            return join(candidates, vec![body], wanted);
        }
    }
    // 4. Something that is not right yet.
    let named = candidates.iter().rposition(|candidate| {
        wanted
            .functions
            .iter()
            .any(|(_, function)| candidate.reading.mentions_function(&function.rust))
    });
    let index = named.unwrap_or(candidates.len() - 1);
    Found {
        text: candidates[index].reading.text.clone(),
        closed: candidates[index].closed,
    }
}

/// The chosen blocks, and before them the blocks of items that they need.
fn join(candidates: &[Candidate], mut parts: Vec<usize>, wanted: &Wanted<'_>) -> Found {
    let mut defined: BTreeSet<&str> = BTreeSet::new();
    for part in &parts {
        defined.extend(names(&candidates[*part]));
    }
    loop {
        let helper = (0..candidates.len()).rev().find(|index| {
            !parts.contains(index)
                && candidates[*index].outline().is_some_and(|outline| {
                    outline.items
                        && outline.only_items
                        && wanted
                            .keys()
                            .iter()
                            .all(|key| !wanted.defines(outline, key))
                        && !outline
                            .names
                            .iter()
                            .any(|name| defined.contains(name.as_str()))
                        && outline.names.iter().any(|name| {
                            parts.iter().any(|part| {
                                let tokens = &candidates[*part].reading.tokens;
                                tokens.iter().any(|token| token.is_word(name))
                            })
                        })
                })
        });
        let Some(helper) = helper else { break };
        defined.extend(names(&candidates[helper]));
        parts.push(helper);
    }
    parts.sort_unstable();
    let texts: Vec<&str> = parts
        .iter()
        .map(|part| candidates[*part].reading.text.as_str())
        .collect();
    Found {
        text: texts.join("\n"),
        closed: parts.last().is_none_or(|part| candidates[*part].closed),
    }
}

fn names(candidate: &Candidate) -> impl Iterator<Item = &str> {
    candidate
        .outline()
        .into_iter()
        .flat_map(|outline| outline.names.iter().map(String::as_str))
}

/// Whether the whole answer is Rust, in spite of something in it that looks like a fence.
fn answer_is_code(answer: &str, wanted: &Wanted<'_>, limits: &CompileLimits) -> bool {
    let named = wanted
        .functions
        .iter()
        .all(|(_, function)| answer.contains(&function.rust));
    named && answer.len() as u64 <= limits.snippet && {
        let reading = Reading::of(answer.to_owned(), limits);
        reading
            .outline
            .is_ok_and(|outline| outline.items && wanted.missing(&outline).is_empty())
    }
}

/// An answer without a code block.
fn plain(answer: &str, wanted: &Wanted<'_>, limits: &CompileLimits) -> Result<Found, Diagnostic> {
    let reading = Reading::of(answer.to_owned(), limits);
    let whole = |text: String| Found { text, closed: true };
    if reading.is_rust() {
        return Ok(whole(reading.text));
    }
    let wrapped = wrapping(answer);
    for text in [between_prose(answer), indented(answer)]
        .into_iter()
        .flatten()
    {
        let inner = Reading::of(text, limits);
        if inner
            .outline
            .as_ref()
            .is_ok_and(|outline| outline.items && wanted.missing(outline).is_empty())
        {
            return Ok(whole(inner.text));
        }
    }
    if let Some(message) = wrapped {
        return Err(no_code(message, wanted));
    }
    let is_attempt = wanted
        .functions
        .iter()
        .any(|(_, function)| reading.mentions_function(&function.rust));
    if is_attempt || (reading.text.len() as u64 > limits.snippet && !reading.text.contains(". ")) {
        return Ok(whole(between_prose(answer).unwrap_or(reading.text)));
    }
    Err(no_code("the answer holds no Rust code", wanted))
}

/// From the first line that starts an item to the last one that ends one.
fn between_prose(answer: &str) -> Option<String> {
    const STARTS: [&str; 14] = [
        "pub ",
        "fn ",
        "use ",
        "struct ",
        "enum ",
        "impl ",
        "const ",
        "static ",
        "type ",
        "trait ",
        "mod ",
        "macro_rules!",
        "#[",
        "//",
    ];
    let lines: Vec<&str> = answer.split('\n').collect();
    let first = lines
        .iter()
        .position(|line| STARTS.iter().any(|start| line.starts_with(start)))?;
    let last = lines
        .iter()
        .rposition(|line| line.trim_end().ends_with(['}', ';']))?;
    (first <= last).then(|| lines[first..=last].join("\n"))
}

/// Code that is indented as Markdown has it without fences, with prose around it.
fn indented(answer: &str) -> Option<String> {
    let inner = |line: &str| {
        let code = line.strip_prefix("    ").or(line.strip_prefix('\t'));
        code.map(str::to_owned)
    };
    let lines: Vec<&str> = answer.split('\n').collect();
    let first = lines.iter().position(|line| inner(line).is_some())?;
    let rest = lines[first..].iter().map(|line| {
        if line.trim().is_empty() {
            Some(String::new())
        } else {
            inner(line)
        }
    });
    let code: Vec<String> = rest.map_while(|line| line).collect();
    Some(code.join("\n"))
}

/// The answer behind a `<think>` part, which may hold drafts of code.
fn without_thoughts(answer: &str) -> &str {
    let trimmed = answer.trim_start();
    for (open, close) in [("<think>", "</think>"), ("<thinking>", "</thinking>")] {
        if let Some(inner) = trimmed.strip_prefix(open) {
            return inner
                .find(close)
                .map_or("", |end| &inner[end + close.len()..]);
        }
    }
    answer
}

/// What an answer without a fence is instead of Rust, when its first characters tell. Code may stand in it; what quotes
/// it (`\n`, `&lt;`) is no Rust, and undoing that would be a guess.
fn wrapping(answer: &str) -> Option<&'static str> {
    let start = answer.trim_start();
    let first_key = |open: char| {
        let inner = start.strip_prefix(open)?.trim_start();
        inner.starts_with(['"', '{']).then_some(())
    };
    if first_key('{').or(first_key('[')).is_some() && start.contains("\":") {
        return Some("the answer is JSON and not Rust code");
    }
    let tag = start.strip_prefix('<')?;
    let name = tag
        .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'))
        .next()?;
    if name.is_empty() || !start.contains("</") {
        return None;
    }
    let calls = ["tool", "function", "invoke"];
    Some(if calls.iter().any(|call| name.starts_with(call)) {
        "the answer calls a tool, and there are none"
    } else {
        "the answer is HTML or XML and not Rust code"
    })
}

fn other_languages(words: &[String], wanted: &Wanted<'_>) -> Diagnostic {
    const SHOWN: usize = 4;
    let named: Vec<String> = words
        .iter()
        .filter(|word| !word.is_empty())
        .take(SHOWN)
        .map(|word| format!("`{word}`"))
        .collect();
    let mut message = "the answer has code blocks, but none of them is Rust".to_owned();
    if !named.is_empty() {
        message.push_str(&format!(": {}", named.join(", ")));
    }
    let diagnostic = no_code(&message, wanted);
    let is = |kinds: &[&str]| words.iter().any(|word| kinds.contains(&word.as_str()));
    if is(&["diff", "patch"]) {
        diagnostic.help("write the whole code, not a patch")
    } else if is(&["json"]) {
        diagnostic.help("write the code itself, not JSON")
    } else {
        diagnostic
    }
}

fn no_code(message: &str, wanted: &Wanted<'_>) -> Diagnostic {
    let mut diagnostic = Diagnostic::error("no-code", message)
        .help("answer with one fenced block: ```rust, the code, ```");
    for line in wanted.signatures() {
        diagnostic = diagnostic.help(format!("it must define `{line}`"));
    }
    diagnostic
}
