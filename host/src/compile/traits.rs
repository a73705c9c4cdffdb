//! Traits: a bound that does not hold, and what to write so that none is asked for.

use super::advice::quoted;
use super::diagnose::Context;
use super::{handles, numbers, suggest, variants};
use crate::diagnostic::Diagnostic;

/// What takes the place of a float as the key of a map.
pub(super) const FLOAT_KEYS: &str =
    "floats are no keys: use `x.to_bits()`, a whole number made of it, or a text";

/// Texts, owned and borrowed.
const TEXTS: [&str; 4] = ["&str", "String", "&String", "&&str"];

/// What is called on a map or a set.
const OF_MAPS: [&str; 4] = ["insert", "entry", "get", "contains"];

/// Missing traits: error conversions, numbers of two types, indices, floats, what is no iterator.
pub(super) fn advise(context: &Context<'_>, diagnostic: &Diagnostic) -> Vec<String> {
    let message = diagnostic.message.as_str();
    let one = |line: String| vec![line];
    let names = quoted(message);
    let at = context.primary_text(diagnostic).unwrap_or_default();
    if let Some(target) = converted_error(message) {
        return error_conversion(context, target);
    }
    if let Some(line) = handles::without_trait(context.scope, diagnostic) {
        return one(line);
    }
    if message.starts_with("the `?` operator can only be used in a function") {
        return one(if is_in_exported(context, diagnostic) {
            "the signature of the hole stays as it is: handle the failure here, with `match`, `let … else` or \
             `.unwrap_or_default()`, or put this part into a function of your own that returns a `Result`"
                .to_owned()
        } else {
            "let the function return `Result<…, String>` and end with `Ok(…)`".to_owned()
        });
    }
    if message.starts_with("the `?` operator can only be used in a closure") {
        return one(
            "`?` leaves only the closure: leave it out there and collect the results, \
             `.collect::<Result<Vec<_>, _>>()?`"
                .to_owned(),
        );
    }
    if message.ends_with("cannot be shared between threads safely") {
        return one(
            "a `static` holds an atomic, a `Mutex` or a `OnceLock`; a `Cell` or `RefCell` stands in `thread_local!`"
                .to_owned(),
        );
    }
    if let [bound] = names.as_slice()
        && let Some(ty) = bound.strip_suffix(": Default")
        && suggest::is_of_scope(context.scope, ty)
    {
        let ty = suggest::last_segment(ty);
        return one(format!(
            "write every field: `{ty}` has no default value, nor has any enum, variant or result in it"
        ));
    }
    if message.contains("cannot be indexed by `std::ops::Range") {
        return one("the ends of a range are `usize`: convert them with `as usize`".to_owned());
    }
    if message.starts_with("the type `str` cannot be indexed by") {
        return one(
            "text has no index: `.chars().nth(i)` gives an `Option<char>`, `.get(a..b)` a part by bytes".to_owned(),
        );
    }
    if let Some(index) = names.get(1)
        && message.contains("cannot be indexed by")
        && numbers::is_integer(index)
    {
        let place = if is_name(at) { at } else { "i" };
        return one(format!("an index is a `usize`: `{place} as usize`"));
    }
    if let ["f64: Ord" | "f32: Ord" | "f64: Eq" | "f64: Hash"] = names.as_slice() {
        let of_order = "floats have no total order of their own";
        return one(match at {
            _ if !message.contains(": Ord") || OF_MAPS.contains(&at) => FLOAT_KEYS.to_owned(),
            _ if at.starts_with("sort") => {
                format!("{of_order}: `sort_by(|a, b| a.total_cmp(b))`")
            }
            "max" | "min" => format!("{of_order}: `{at}_by(|a, b| a.total_cmp(b))`"),
            _ => format!("{of_order}: compare with `total_cmp`, use `to_bits()` as a key"),
        });
    }
    if let [ty, ..] = names.as_slice()
        && message.ends_with("is not an iterator")
        && numbers::is_integer(ty)
    {
        return one(match at {
            "" => "to count, take a range: `0..n`".to_owned(),
            _ if at.contains('\n') => "to count, take a range: `0..n`".to_owned(),
            _ => format!("to count, take a range: `0..{at}`"),
        });
    }
    operands(message).into_iter().collect()
}

/// Operands of two types: numbers that do not mix, a text and a value of another type.
pub(super) fn operands(message: &str) -> Option<String> {
    if let ([one, other], true) = (
        quoted(message).as_slice(),
        message.starts_with("cannot add "),
    ) && TEXTS.contains(one) != TEXTS.contains(other)
    {
        return Some(
            "a text and a value of another type are put together by `format!(\"{}{}\", …, …)`"
                .to_owned(),
        );
    }
    numbers::advice(message)
}

/// An error that `?` does not turn into the one that is given back.
fn error_conversion(context: &Context<'_>, target: &str) -> Vec<String> {
    if target == "String" {
        return vec!["convert it first: `.map_err(|error| error.to_string())?`".to_owned()];
    }
    let last = suggest::last_segment(target);
    match variants::listed(context, target) {
        Some(cases) => vec![
            format!("convert it first: `.map_err(|error| {last}::…)?`"),
            cases,
        ],
        None => vec![format!(
            "convert it first: `.map_err(|error| …)?`, with a `{last}`"
        )],
    }
}

/// What the error of a `?` must become.
fn converted_error(message: &str) -> Option<&str> {
    if let Some(rest) = message.strip_prefix("`?` couldn't convert the error to `") {
        return rest.strip_suffix('`');
    }
    // `parse()?` whose error type is taken from what `?` must become.
    let rest = message.strip_prefix("type mismatch resolving `<")?;
    let (_, target) = rest.strip_suffix('`')?.split_once("as FromStr>::Err == ")?;
    Some(target)
}

/// Whether a message about a `?` points at the function that the hole exports, whose signature is given.
fn is_in_exported(context: &Context<'_>, diagnostic: &Diagnostic) -> bool {
    let header = (diagnostic.spans.iter())
        .find(|span| {
            (span.label.as_deref()).is_some_and(|label| label.starts_with("this function should"))
        })
        .and_then(|span| context.text_at(span));
    let Some(header) = header else {
        return true;
    };
    (context
        .scope
        .exports
        .iter()
        .flat_map(|export| &export.functions))
    .any(|function| header.contains(&format!("fn {}(", function.rust)))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}
