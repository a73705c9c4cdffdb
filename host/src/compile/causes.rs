//! Causes: of several findings that follow from one mistake, only the one that names it is told, and one mistake that
//! is made at several places is told once.

use super::advice;
use super::diagnose::Context;
use super::finding::Finding;
use super::{floats, inference, numbers, spelling, suggest};
use crate::diagnostic::{Diagnostic, Span};

/// Most further places that one finding points at.
const MOST_PLACES: usize = 4;

/// Takes out what only follows from something else.
pub(super) fn only(context: &Context<'_>, findings: &mut Vec<Finding>) {
    without_effects_of_unknown_names(findings);
    once_per_place(findings);
    let about: Vec<Diagnostic> = (findings.iter())
        .map(|finding| finding.diagnostic.clone())
        .collect();
    findings.retain(|finding| {
        let effect = &finding.diagnostic;
        !about.iter().any(|cause| follows(context, cause, effect))
    });
    merge(findings);
}

/// A name that does not resolve has no type, and what is made from it has none either. That is no fault of its own where
/// it is told at or behind the name; before it (the `let` around a call over several lines) it is told last.
fn without_effects_of_unknown_names(findings: &mut Vec<Finding>) {
    let Some(first) = findings
        .iter()
        .filter(|finding| suggest::is_unresolved(&finding.diagnostic))
        .filter_map(|finding| line(&finding.diagnostic))
        .min()
    else {
        return;
    };
    findings.retain(|finding| {
        let diagnostic = &finding.diagnostic;
        !is_about_unknown_type(diagnostic) || line(diagnostic).is_some_and(|at| at < first)
    });
}

fn line(diagnostic: &Diagnostic) -> Option<u32> {
    let primary = diagnostic.spans.iter().find(|span| span.primary)?;
    Some(primary.start.line)
}

/// Whether an error is one that a value of unknown type brings with it.
fn is_about_unknown_type(diagnostic: &Diagnostic) -> bool {
    match diagnostic.code.as_deref() {
        Some("E0282" | "E0283") => true,
        // `path` in `read_text(&path)`, if nothing else is known of it.
        Some("E0599") => {
            let mut help = diagnostic.help.iter();
            let mut labels = diagnostic
                .spans
                .iter()
                .filter_map(|span| span.label.as_ref());
            help.any(|line| line.contains("`str: Sized`"))
                || labels.any(|label| label.contains("<str>") || label.contains("<str,"))
        }
        Some("E0277") => {
            let size = ["`str`", "`[_]`"].map(|ty| format!("the size for values of type {ty}"));
            size.iter()
                .any(|start| diagnostic.message.starts_with(start.as_str()))
        }
        _ => false,
    }
}

/// `vec![…]` in a constant is several calls that no constant may make, and its author wrote one thing. Bounds are told
/// each, unless one advice is for both: two missing traits are two derives.
fn once_per_place(findings: &mut Vec<Finding>) {
    let mut seen = std::collections::HashSet::new();
    findings.retain(|finding| {
        let diagnostic = &finding.diagnostic;
        let advice = match diagnostic.code.as_deref() {
            Some("E0015") => Vec::new(),
            Some("E0277") if !diagnostic.help.is_empty() => diagnostic.help.clone(),
            _ => return true,
        };
        let primary = diagnostic.spans.iter().find(|span| span.primary);
        let place = primary.map(|span| (span.start, span.end));
        place.is_none() || seen.insert((place, advice))
    });
}

/// Whether `effect` only says again, or in other words, what `cause` says.
fn follows(context: &Context<'_>, cause: &Diagnostic, effect: &Diagnostic) -> bool {
    match (cause.code.as_deref(), effect.code.as_deref()) {
        // `f"{n}"`: a literal behind a name that is no prefix.
        (None, None) => {
            let end = cause.primary().map(|span| span.end);
            cause.message.starts_with("prefix `") && end == effect.primary().map(|span| span.start)
        }
        // A type that holds itself sends the compiler in circles.
        (Some("E0072"), Some("E0391")) => true,
        // Where a signature is right in its words and a name in it is hidden, the number of generic arguments is no fault
        // of the words: "remove the argument" would lead away from the signature that is asked for.
        (Some("lacuna::signature"), Some("E0107")) => {
            let range =
                |diagnostic: &Diagnostic| diagnostic.primary().map(|span| (span.start, span.end));
            matches!((range(cause), range(effect)), (Some((from, to)), Some((start, end)))
                if from <= start && end <= to)
        }
        // A function that does not fit an adapter of an iterator leaves the adapter without its methods.
        (Some("E0631"), Some("E0599")) => {
            let bounds = "its trait bounds were not satisfied";
            let of_function = effect.help.iter().any(|line| line.contains("as FnOnce<"));
            let places = (line(cause), line(effect));
            effect.message.contains(bounds)
                && of_function
                && matches!(places, (Some(misfit), Some(at)) if misfit <= at)
        }
        // Taken in and defined again: then it is another type in the signature too.
        (Some("E0255"), Some("lacuna::signature")) => {
            let hidden = name(cause).map(|name| format!("`{name}` is here what this code defines"));
            hidden.is_some_and(|hidden| effect.help.iter().any(|line| line.starts_with(&hidden)))
        }
        (Some("E0277"), Some("E0277")) if inference::follows_from_never(cause, effect) => true,
        (Some("E0277"), Some("E0599")) if floats::follows_from_heap(cause, effect) => true,
        // What is called has no bound that would give the closure's parameters their types.
        (Some("E0618"), Some("E0282" | "E0284")) => {
            cause.help.iter().any(|line| line.starts_with("say that `"))
        }
        // `lazy_static! { static ref NAMES … }` of a crate that there is not.
        (Some("E0432" | "E0433") | None, Some("E0425" | "E0433")) => {
            cause != effect && is_defined_by_macro_of(context, cause, effect)
        }
        // `total += size`: of two types, and `size` is not of the first.
        (Some("E0277"), Some("E0308")) => {
            let types = numbers::mixed(&cause.message);
            let label = advice::expected_and_found(&effect.spans);
            line(cause) == line(effect)
                && matches!((types, label), (Some((one, other)), Some((expected, found)))
                    if (expected, found) == (one, other) || (found, expected) == (one, other))
        }
        // `read-text(…)`: what stands behind the hyphen is the rest of one name.
        (_, Some("E0425")) => {
            let rest = effect.primary().map(|span| span.start);
            let whole = cause.primary().map(|span| span.start);
            cause != effect
                && rest.is_some()
                && effect
                    .primary()
                    .and_then(|span| spelling::hyphenated(context, span))
                    .is_some_and(|name| Some(name.start) == whole && whole != rest)
        }
        _ => false,
    }
}

/// Whether an unknown name stands in the call of a macro that another finding says is not there.
fn is_defined_by_macro_of(context: &Context<'_>, cause: &Diagnostic, effect: &Diagnostic) -> bool {
    let text = context.snippet.text.as_str();
    let (Some(crate_name), Some(unknown)) = (name(cause), name(effect)) else {
        return false;
    };
    let Some((_, call)) = text.split_once(&format!("{crate_name}! {{")) else {
        return false;
    };
    let end = call.find("\n}").unwrap_or(call.len());
    let words = |text: &str| {
        text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .any(|word| word == unknown)
    };
    crate_name != unknown && call.get(..end).is_some_and(words)
}

/// The same unknown name, the same missing derive or attribute, or the same text among the patterns of one `match`: the first place is told, the others are
/// pointed at.
fn merge(findings: &mut Vec<Finding>) {
    findings.sort_by_key(|finding| finding.diagnostic.primary().map(|span| span.start));
    let mut kept: Vec<Finding> = Vec::new();
    for finding in findings.drain(..) {
        let first = kept
            .iter_mut()
            .find(|known| is_same(&known.diagnostic, &finding.diagnostic));
        let Some(first) = first else {
            kept.push(finding);
            continue;
        };
        let places = first.diagnostic.spans.len();
        if let Some(primary) = finding.diagnostic.primary()
            && places <= MOST_PLACES
        {
            first.diagnostic.spans.push(Span {
                label: Some("here too".to_owned()),
                primary: false,
                ..primary.clone()
            });
        }
    }
    *findings = kept;
}

fn is_same(one: &Diagnostic, other: &Diagnostic) -> bool {
    if one.help.is_empty() || one.help != other.help || one.level != other.level {
        return false;
    }
    let both = |test: fn(&Diagnostic) -> bool| test(one) && test(other);
    let of_pattern = |diagnostic: &Diagnostic| {
        diagnostic
            .help
            .iter()
            .any(|line| line.starts_with("literals are `&str`"))
    };
    let of_crates = |diagnostic: &Diagnostic| {
        ["cannot find derive macro", "cannot find attribute"]
            .iter()
            .any(|start| diagnostic.message.starts_with(start))
    };
    let borrowed_twice = |diagnostic: &Diagnostic| {
        matches!(
            diagnostic.code.as_deref(),
            Some("E0499" | "E0594" | "E0596")
        )
    };
    both(suggest::is_unresolved) && name(one) == name(other)
        || both(of_pattern)
        || both(of_crates)
        || both(borrowed_twice)
}

/// The name that a message is about: `rand` of `rand::Rng`.
fn name(diagnostic: &Diagnostic) -> Option<&str> {
    let quoted = diagnostic.message.split('`').nth(1)?;
    quoted.split("::").next()
}
