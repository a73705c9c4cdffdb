//! Traits: a bound that does not hold, and what to write so that none is asked for.

use super::advice::quoted;
use super::diagnose::Context;
use super::{floats, handles, inference, numbers, suggest, texts, variants};
use crate::diagnostic::Diagnostic;

/// Texts, owned and borrowed.
const TEXTS: [&str; 4] = ["&str", "String", "&String", "&&str"];

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
    if let Some(line) = floats::advise(context, diagnostic)
        .or_else(|| handles::no_iterator(context, diagnostic))
        .or_else(|| texts::operands(context, diagnostic))
        .or_else(|| inference::of_never(message).map(str::to_owned))
        .or_else(|| unprintable(context, message))
        .or_else(|| unparsed(context, &names))
        .or_else(|| negative(message))
        .or_else(|| awaited(message))
    {
        return one(line);
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
    let first = *quoted(message).first()?;
    let ty = *quoted(message).last()?;
    if message.starts_with("binary operation ")
        && [first, ty]
            .iter()
            .any(|ty| ty.starts_with("Result<") || ty.starts_with("Option<"))
    {
        return Some(format!(
            "a `{ty}` may hold no value: take it out first, with `match`, `let … else`, `.unwrap_or(…)` or `.is_ok_and(|n| …)`"
        ));
    }
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

/// A type of the hole in `{}` or before `.to_string()`.
pub(super) fn unprintable(context: &Context<'_>, message: &str) -> Option<String> {
    let ty = message
        .strip_suffix("` doesn't implement `std::fmt::Display`")?
        .strip_prefix('`')?
        .trim_start_matches('&');
    if !suggest::is_of_scope(context.scope, ty) {
        return None;
    }
    let last = suggest::last_segment(ty);
    Some(match variants::first_case(context, last) {
        Some(case) => format!(
            "`{last}` has no text of its own: `match` gives each case its words, `{{:?}}` writes its name (`{case}`)"
        ),
        None => {
            format!("`{last}` has no text of its own: write its fields, or `{{:?}}` for all of it")
        }
    })
}

/// `text.parse::<Level>()` of a type of the hole.
fn unparsed(context: &Context<'_>, names: &[&str]) -> Option<String> {
    let [bound] = names else { return None };
    let ty = bound.strip_suffix(": FromStr")?;
    let last = suggest::last_segment(ty);
    if !suggest::is_of_scope(context.scope, last) {
        return None;
    }
    Some(match variants::first_case(context, last) {
        Some(case) => format!(
            "no text is parsed into `{last}`: `match text {{ \"{}\" => {last}::{case}, … }}`",
            case.to_lowercase()
        ),
        None => format!("no text is parsed into `{last}`: take it apart and write its fields"),
    })
}

/// `-3` where a number without a sign is asked for. What rustc suggests is a literal of another type.
fn negative(message: &str) -> Option<String> {
    let ty = message
        .strip_prefix("the trait bound `")?
        .strip_suffix(": Neg` is not satisfied")?;
    ty.starts_with('u').then(|| {
        format!("`{ty}` has no negative values: compute with `i64`, or subtract instead of adding what is negative")
    })
}

/// `.await` on what a granted function gives.
fn awaited(message: &str) -> Option<String> {
    message.ends_with("is not a future").then(|| {
        "granted functions block and return: leave out `async` and `.await`, in every function"
            .to_owned()
    })
}

/// What takes the place of an `impl` of a trait of std for a type of the hole.
pub(super) fn instead_of_impl(context: &Context<'_>, joined: &str, ty: &str) -> Option<String> {
    let name = joined.trim_start_matches("impl").trim();
    let name = suggest::last_segment(name.split('<').next().unwrap_or(name));
    let value = snake(ty);
    let here =
        format!("`{ty}` is a type of the hole, so no trait of std can be implemented for it");
    let has = |wanted: &str| {
        variants::derives(context, ty)
            .iter()
            .any(|own| own == wanted)
    };
    Some(match name {
        "Display" => format!(
            "{here}: write a function, `fn {value}_text({value}: &{ty}) -> String {{ … }}` and call it where the text is made"
        ),
        "FromStr" => format!(
            "{here}: write a function, `fn parse_{value}(text: &str) -> Result<{ty}, String> {{ … }}` and call it in place of `.parse()`"
        ),
        "Default" => format!("{here}: write a function, `fn empty_{value}() -> {ty} {{ … }}`"),
        "Ord" | "PartialOrd" if has(name) => format!(
            "`{ty}` has an order already, that of its fields or cases: for another one sort with `sort_by(|a, b| …)`"
        ),
        "Ord" | "PartialOrd" => {
            format!("{here}: sort with `sort_by(|a, b| …)`, compare floats in it with `total_cmp`")
        }
        _ if has(name) => format!("`{ty}` has `{name}` already: leave this `impl` out"),
        _ => return None,
    })
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

/// `WordCount` as the name of a value.
fn snake(ty: &str) -> String {
    let mut name = String::new();
    for c in ty.chars() {
        if c.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(c.to_lowercase());
    }
    name
}
