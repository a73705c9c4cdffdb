//! `lacuna:text/regex`, by the crate `regex`.
//!
//! Its searches never backtrack, but a step costs as much as there are places of the pattern where the search may stand. A
//! search can't be interrupted, so pattern and text are weighed against each other before it begins; between two matches
//! it is asked whether anybody still waits.

use std::sync::{Arc, Mutex, PoisonError};

use regex::{Captures, Regex, RegexBuilder};
use regex_syntax::hir::{Hir, HirKind};
use serde_json::{Value as Json, json};
use wasmtime::component::{ComponentType, Lift, LinkerInstance, Lower};

use crate::capability::CapabilityError;
use crate::capability::call::{Bounds, Crossing, Site};
use crate::capability::compute::{self, Answer, Refusal, Size, fallible_with, infallible};
use crate::capability::host::Host;

/// Longest pattern, bytes.
const MAX_PATTERN: usize = 8 * 1024;

/// Most bytes of a compiled pattern, and of the tables that searching with it makes.
const MAX_COMPILED: usize = 1 << 20;

/// Groups that a pattern may have without being held to less. A search keeps the ends of every group for each state of the
/// compiled pattern, so with more groups there may be fewer states.
const FEW_GROUPS: usize = 8;

/// Places of a pattern times bytes of a text: a second or two of searching at the worst.
const MAX_STEPS: u64 = 1 << 29;

/// Compiled patterns that an instance keeps.
const KEPT: usize = 8;

/// `match`.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub(super) struct Match {
    pub(super) text: String,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) groups: Vec<Option<String>>,
}

impl Crossing for Match {
    fn bytes(&self) -> u64 {
        (size_of::<Self>() + self.text.len()) as u64 + self.groups.bytes()
    }

    fn report(&self) -> Json {
        json!({
            "text": self.text.report(), "start": self.start, "end": self.end, "groups": self.groups.report(),
        })
    }
}

impl Crossing for Vec<Match> {
    fn bytes(&self) -> u64 {
        self.iter().map(Crossing::bytes).sum()
    }

    fn report(&self) -> Json {
        self.iter().map(Crossing::report).collect()
    }
}

/// A compiled pattern with what it costs.
#[derive(Clone, Debug)]
struct Compiled {
    regex: Regex,
    /// Places where a search may stand.
    places: u64,
}

/// The patterns that an instance used last.
#[derive(Debug, Default)]
pub(crate) struct Patterns {
    kept: Mutex<Vec<(String, Compiled)>>,
}

impl Patterns {
    /// The pattern, if it can be read and if searching `bytes` with it ends soon.
    fn get(&self, pattern: &str, bytes: usize) -> Answer<Regex> {
        let compiled = self.compiled(pattern)?;
        let steps = compiled.places.saturating_mul(bytes as u64);
        if steps > MAX_STEPS {
            return Err(format!(
                "the pattern unrolls to {} places, which is too much for a text of {bytes} bytes: search parts of the text, or \
                 use smaller repetitions",
                compiled.places
            )
            .into());
        }
        Ok(compiled.regex)
    }

    #[cfg(test)]
    pub(super) fn count(&self) -> usize {
        self.kept.lock().unwrap().len()
    }

    fn compiled(&self, pattern: &str) -> Answer<Compiled> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = kept.iter().position(|(known, _)| known == pattern) {
            let found = kept.remove(at);
            let compiled = found.1.clone();
            kept.push(found);
            return Ok(compiled);
        }
        let compiled = compile(pattern)?;
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        kept.push((pattern.to_owned(), compiled.clone()));
        Ok(compiled)
    }
}

fn compile(pattern: &str) -> Answer<Compiled> {
    if pattern.len() > MAX_PATTERN {
        return Err(format!(
            "a pattern of {} bytes is longer than the {MAX_PATTERN} that are read",
            pattern.len()
        )
        .into());
    }
    let hir = regex_syntax::parse(pattern).map_err(|error| match error {
        regex_syntax::Error::Parse(error) => {
            Refusal::Error(described(pattern, error.span(), &error.kind().to_string()))
        }
        regex_syntax::Error::Translate(error) => {
            Refusal::Error(described(pattern, error.span(), &error.kind().to_string()))
        }
        other => Refusal::Error(other.to_string()),
    })?;
    let places = places(&hir);
    let groups = hir.properties().explicit_captures_len().max(FEW_GROUPS);
    let most = MAX_COMPILED * FEW_GROUPS / groups;
    let regex = RegexBuilder::new(pattern)
        .size_limit(most)
        .dfa_size_limit(MAX_COMPILED)
        .build()
        .map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => Refusal::Error(format!(
                "the pattern stands for too much: it needs more than {most} bytes; use smaller repetitions"
            )),
            other => Refusal::Error(other.to_string()),
        })?;
    Ok(Compiled { regex, places })
}

/// In one line, with the part of the pattern that is meant.
fn described(pattern: &str, span: &regex_syntax::ast::Span, what: &str) -> String {
    let part = pattern
        .get(span.start.offset..span.end.offset)
        .filter(|part| !part.is_empty())
        .map(|part| format!(" (`{part}`)"))
        .unwrap_or_default();
    format!(
        "the pattern is not valid at column {}: {what}{part}",
        span.start.column
    )
}

/// In how many places of the pattern a search can stand at once, at most; a class of characters is some bytes.
fn places(hir: &Hir) -> u64 {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => 1,
        HirKind::Literal(literal) => literal.0.len() as u64,
        HirKind::Class(_) => 2,
        HirKind::Capture(capture) => places(&capture.sub),
        HirKind::Repetition(repetition) => {
            let times = repetition.max.unwrap_or(repetition.min.saturating_add(1));
            places(&repetition.sub).saturating_mul(times.max(1).into())
        }
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().map(places).fold(0, u64::saturating_add)
        }
    }
}

pub(super) fn define(
    target: &mut LinkerInstance<'_, Host>,
    site: Arc<Site>,
    function: &str,
) -> Result<(), CapabilityError> {
    let patterns = |host: &Host| Arc::clone(&host.patterns);
    match function {
        "is-match" => fallible_with(target, site, patterns, is_match),
        "find" => fallible_with(target, site, patterns, find),
        "find-all" => fallible_with(target, site, patterns, find_all),
        "replace-all" => fallible_with(target, site, patterns, replace_all),
        "split" => fallible_with(target, site, patterns, split),
        "escape" => infallible(target, site, |(text,): &(String,)| regex::escape(text)),
        _ => Err(compute::unknown(&site)),
    }
}

/// Pattern and text.
type Search = (String, String);

pub(super) fn is_match(
    patterns: &Arc<Patterns>,
    (pattern, text): &Search,
    _: &Bounds,
) -> Answer<bool> {
    Ok(patterns.get(pattern, text.len())?.is_match(text))
}

pub(super) fn find(
    patterns: &Arc<Patterns>,
    (pattern, text): &Search,
    bounds: &Bounds,
) -> Answer<Option<Match>> {
    let regex = patterns.get(pattern, text.len())?;
    let found = regex.captures(text);
    found
        .map(|captures| taken(&captures, &mut Size::new(bounds)))
        .transpose()
}

pub(super) fn find_all(
    patterns: &Arc<Patterns>,
    (pattern, text): &Search,
    bounds: &Bounds,
) -> Answer<Vec<Match>> {
    let regex = patterns.get(pattern, text.len())?;
    let mut size = Size::new(bounds);
    regex
        .captures_iter(text)
        .map(|captures| taken(&captures, &mut size))
        .collect()
}

/// A match with its groups, weighed before they are copied.
fn taken(captures: &Captures<'_>, size: &mut Size<'_>) -> Answer<Match> {
    let whole = captures.get_match();
    let parts: usize = captures
        .iter()
        .map(|group| size_of::<Option<String>>() + group.map_or(0, |group| group.len()))
        .sum();
    size.add(size_of::<Match>() + whole.len() + parts)?;
    let index = |at: usize| u32::try_from(at).map_err(|_| "the text is longer than 4 GiB");
    Ok(Match {
        text: whole.as_str().to_owned(),
        start: index(whole.start())?,
        end: index(whole.end())?,
        groups: captures
            .iter()
            .map(|group| group.map(|group| group.as_str().to_owned()))
            .collect(),
    })
}

pub(super) fn replace_all(
    patterns: &Arc<Patterns>,
    (pattern, text, replacement): &(String, String, String),
    bounds: &Bounds,
) -> Answer<String> {
    let regex = patterns.get(pattern, text.len())?;
    let references = replacement
        .as_bytes()
        .iter()
        .filter(|byte| **byte == b'$')
        .count() as u64;
    let size = Size::new(bounds);
    let mut replaced = String::new();
    let mut end = 0;
    for captures in regex.captures_iter(text) {
        let whole = captures.get_match();
        replaced.push_str(&text[end..whole.start()]);
        end = whole.end();
        // No group is longer than the match.
        let most = references
            .saturating_mul(whole.len() as u64)
            .saturating_add((replaced.len() + replacement.len()) as u64);
        size.fits(most)?;
        captures.expand(replacement, &mut replaced);
    }
    replaced.push_str(&text[end..]);
    Ok(replaced)
}

pub(super) fn split(
    patterns: &Arc<Patterns>,
    (pattern, text): &Search,
    bounds: &Bounds,
) -> Answer<Vec<String>> {
    let regex = patterns.get(pattern, text.len())?;
    let mut size = Size::new(bounds);
    regex
        .split(text)
        .map(|part| {
            size.add(size_of::<String>() + part.len())?;
            Ok(part.to_owned())
        })
        .collect()
}
