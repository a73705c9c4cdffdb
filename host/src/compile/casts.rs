//! Casts: values of another form where only one conversion can be meant. They are fixes: `names.len()` where a `u32` is
//! asked for, `names[at]` by a `u32`, `total / n` of a float and a number, a sorted list of floats.
//!
//! Between integers no value comes out differently: a `usize` has 32 bits here, always, and is a `u32` by another name. A
//! whole number beside a float becomes the nearest float, since nobody can mean another one.

use super::advice;
use super::diagnose::Context;
use super::finding::{Edit, Finding, byte_of};
use super::{numbers, operands};
use crate::diagnostic::{Position, Span};

/// Gives a finding the fix that its types leave no choice about.
pub(super) fn fix(context: &Context<'_>, finding: &mut Finding) {
    let edits = match finding.diagnostic.code.as_deref() {
        Some("E0308") => mismatch(context, finding),
        Some("E0277") => index(context, finding)
            .or_else(|| operator(context, finding))
            .or_else(|| order(context, finding)),
        _ => None,
    };
    let Some(edits) = edits else { return };
    // What is there panics, or takes something away: it would not be applied.
    let adds = |edits: &[Edit]| {
        !edits.is_empty()
            && (edits.iter())
                .all(|edit| edit.start == edit.end && !edit.replacement.contains("unwrap"))
    };
    if !adds(&finding.edits) {
        finding.edits.clear();
        finding.diagnostic.fix = None;
        finding.set_edits(edits);
    }
}

/// An argument, a field or a result of another type.
fn mismatch(context: &Context<'_>, finding: &Finding) -> Option<Vec<Edit>> {
    let diagnostic = &finding.diagnostic;
    let (expected, found) = advice::expected_and_found(&diagnostic.spans)?;
    // In a pattern it is the other side that is to change.
    if advice::has_label(diagnostic, "this expression has type") {
        return None;
    }
    let span = diagnostic.primary()?;
    let value = context.text_at(span)?;
    let literal = value.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '"' | '\''));
    if numbers::is_kept(found, expected) || (found, expected) == ("f64", "f32") {
        return (!literal).then(|| cast(context, finding, span, value, expected));
    }
    match (expected, found) {
        ("Option<String>", "&str" | "&String") if value != "\"\"" => Some(around(
            context,
            finding,
            span,
            value,
            "Some(",
            ".to_string())",
        )),
        ("&str", "char") if !literal && operands::is_one(value) => {
            Some(around(context, finding, span, value, "&", ".to_string()"))
        }
        _ => None,
    }
}

/// `value as ty`, in brackets where the value is more than one operand.
fn cast(context: &Context<'_>, finding: &Finding, span: &Span, value: &str, ty: &str) -> Vec<Edit> {
    if operands::is_one(value) {
        // `n as u32 < m` would be read as the start of `u32<…>`.
        let text = context.snippet.text.as_str();
        let behind = byte_of(text, span.end).and_then(|at| text.get(at..));
        if !behind.is_some_and(|rest| rest.trim_start().starts_with('<')) {
            return around(context, finding, span, value, "", &format!(" as {ty}"));
        }
    }
    around(context, finding, span, value, "(", &format!(") as {ty}"))
}

fn around(
    context: &Context<'_>,
    finding: &Finding,
    span: &Span,
    value: &str,
    before: &str,
    behind: &str,
) -> Vec<Edit> {
    let name = if super::conversions::is_shorthand(context, &finding.diagnostic) {
        format!("{value}: ")
    } else {
        String::new()
    };
    let start = insertion(span.start, format!("{name}{before}"));
    let end = insertion(span.end, behind.to_owned());
    [start, end]
        .into_iter()
        .filter(|edit| !edit.replacement.is_empty())
        .collect()
}

/// `names[at]` with a number that a `usize` holds.
fn index(context: &Context<'_>, finding: &Finding) -> Option<Vec<Edit>> {
    let names = advice::quoted(&finding.diagnostic.message);
    let [ty, index] = names.as_slice() else {
        return None;
    };
    // A negative index is out of bounds either way.
    let fits = numbers::is_kept(index, "usize") || ["i32", "i16", "i8"].contains(index);
    let of_list =
        finding.diagnostic.message.contains("cannot be indexed by") && ty.starts_with('[');
    let span = finding.diagnostic.primary()?;
    let value = context.text_at(span)?;
    (of_list && fits).then(|| cast(context, finding, span, value, "usize"))
}

/// Numbers of two types on both sides of an operator, of which one holds every value of the other.
fn operator(context: &Context<'_>, finding: &Finding) -> Option<Vec<Edit>> {
    let message = finding.diagnostic.message.as_str();
    let names = advice::quoted(message);
    let [one, other] = names.as_slice() else {
        return None;
    };
    let right_first = ["cannot add", "cannot subtract"]
        .iter()
        .any(|start| message.starts_with(start));
    let (left, right) = if right_first {
        (other, one)
    } else {
        (one, other)
    };
    let known = [
        "cannot add",
        "cannot subtract",
        "cannot multiply",
        "cannot divide",
        "cannot calculate the remainder",
    ]
    .iter()
    .any(|start| message.starts_with(start));
    let text = context.snippet.text.as_str();
    let span = finding.diagnostic.primary()?;
    let operator = context.text_at(span)?;
    if !known || operator.len() > 2 {
        return None;
    }
    let bare = |ty: &str| ty.trim_start_matches('&').to_owned();
    let (from_left, from_right) = (bare(left), bare(right));
    let assigns = operator.ends_with('=');
    let to_float =
        |from: &str, to: &str| numbers::is_integer(from) && matches!(to, "f64" | "{float}");
    let becomes = |from: &str, to: &str| to_float(from, to) || numbers::is_kept(from, to);
    let (range, ty, into) = if becomes(&from_right, &from_left) {
        let start = byte_of(text, span.end)?;
        (operands::right(text, start)?, *right, from_left)
    } else if !assigns && becomes(&from_left, &from_right) {
        let end = byte_of(text, span.start)?;
        (operands::left(text, end)?, *left, from_right)
    } else {
        return None;
    };
    let value = text.get(range.clone())?;
    if value.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let into = if into == "{float}" { "f64" } else { &into };
    let stars = "*".repeat(ty.len() - ty.trim_start_matches('&').len());
    let at = |byte| Position::of_byte(text, byte);
    let (before, behind) = (format!("({stars}"), format!(" as {into})"));
    Some(vec![
        insertion(at(range.start), before),
        insertion(at(range.end), behind),
    ])
}

/// `floats.sort()`, `floats.iter().max()`: by their total order.
fn order(context: &Context<'_>, finding: &Finding) -> Option<Vec<Edit>> {
    let bound = [
        "the trait bound `f64: Ord` is not satisfied",
        "the trait bound `f32: Ord` is not satisfied",
    ];
    if !bound.contains(&finding.diagnostic.message.as_str()) {
        return None;
    }
    let span = finding.diagnostic.primary()?;
    let method = context.text_at(span)?;
    let text = context.snippet.text.as_str();
    let behind = byte_of(text, span.end)?;
    let plain = ["sort", "sort_unstable", "max", "min"].contains(&method);
    if !plain || !text.get(behind..)?.starts_with("()") {
        return None;
    }
    Some(vec![
        insertion(span.end, "_by".to_owned()),
        insertion(
            Position::of_byte(text, behind + 1),
            "|a, b| a.total_cmp(b)".to_owned(),
        ),
    ])
}

fn insertion(at: Position, text: String) -> Edit {
    Edit {
        start: at,
        end: at,
        replacement: text,
    }
}
