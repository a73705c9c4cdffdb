//! Floats: no total order, no equality that a key could have, and how they are sorted and compared all the same.

use super::advice::quoted;
use super::diagnose::Context;
use super::finding::byte_of;
use crate::diagnostic::Diagnostic;

/// What takes the place of a float as the key of a map.
pub(super) const KEYS: &str =
    "floats are no keys: use `x.to_bits()`, a whole number made of it, or a text";

const NO_ORDER: &str = "floats have no total order of their own";

/// Heaps compare what is put into them.
const HEAP: &str = "floats have no total order, which a heap needs: put the float into a struct of your own with `impl Ord` by \
                    `total_cmp`, or push a whole number made of it";

/// What is called on a map or a set.
const OF_MAPS: [&str; 5] = ["insert", "entry", "get", "contains", "collect"];

/// Advice where a bound on a float does not hold.
pub(super) fn advise(context: &Context<'_>, diagnostic: &Diagnostic) -> Option<String> {
    let names = quoted(&diagnostic.message);
    let [bound] = names.as_slice() else {
        return None;
    };
    let (ty, wanted) = bound.split_once(": ")?;
    if !["f64", "f32", "{float}"].contains(&ty) {
        return None;
    }
    let at = context.primary_text(diagnostic).unwrap_or_default();
    let is_field = at.contains(": ") || ["f64", "f32"].contains(&at);
    match wanted {
        "Eq" | "Ord" | "Hash" if is_field => Some(
            "a float has neither `Eq`, `Ord` nor `Hash`: leave them out of the derive; where an order is needed, write \
             `impl Ord` by hand with `total_cmp`"
                .to_owned(),
        ),
        "Eq" | "Hash" => Some(KEYS.to_owned()),
        "Ord" if OF_MAPS.contains(&at) => Some(KEYS.to_owned()),
        "Ord" if at == "push" => Some(HEAP.to_owned()),
        "Ord" => Some(format!("{NO_ORDER}: {}", ordered(context, diagnostic, at))),
        _ => None,
    }
}

/// What takes the place of the method that compares.
fn ordered(context: &Context<'_>, diagnostic: &Diagnostic, method: &str) -> String {
    let by = match method {
        "sort" | "sort_by_key" | "sort_by_cached_key" => "sort_by",
        "sort_unstable" | "sort_unstable_by_key" => "sort_unstable_by",
        "max" | "max_by_key" => "max_by",
        "min" | "min_by_key" => "min_by",
        _ => return "compare with `total_cmp`, use `to_bits()` as a key".to_owned(),
    };
    if !method.ends_with("_key") {
        return format!("`{by}(|a, b| a.total_cmp(b))`");
    }
    let key = key_of_closure(context, diagnostic);
    match key {
        Some((name, key)) => {
            let (one, other) = (renamed(&key, &name, "a"), renamed(&key, &name, "b"));
            format!("`{by}(|a, b| {one}.total_cmp(&{other}))`")
        }
        None => format!("`{by}(|a, b| …)` with `total_cmp` of the two keys"),
    }
}

/// `|x| x.price` behind the primary place: the name, and a key that is a field or a method without arguments of it.
fn key_of_closure(context: &Context<'_>, diagnostic: &Diagnostic) -> Option<(String, String)> {
    let text = context.snippet.text.as_str();
    let at = byte_of(text, diagnostic.primary()?.end)?;
    let rest = text.get(at..)?.strip_prefix("(|")?;
    let (name, body) = rest.split_once('|')?;
    let body = body.trim_start();
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let end = body.find(|c| !is_part(c)).unwrap_or(body.len());
    let (key, behind) = body.split_at_checked(end)?;
    let plain = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    (plain && key.starts_with(&format!("{name}.")) && behind.starts_with(')'))
        .then(|| (name.to_owned(), key.to_owned()))
}

fn renamed(key: &str, name: &str, new: &str) -> String {
    key.strip_prefix(name)
        .map_or_else(|| key.to_owned(), |rest| format!("{new}{rest}"))
}

/// Whether `effect` is what a heap says that holds floats, where `cause` says it of what is put in.
pub(super) fn follows_from_heap(cause: &Diagnostic, effect: &Diagnostic) -> bool {
    cause.help.iter().any(|line| line == HEAP)
        && effect.message.starts_with("the method `")
        && effect.message.contains("struct `BinaryHeap<")
}

/// `a.price.cmp(&b.price)`, for which rustc looks for an iterator.
pub(super) fn compared(context: &Context<'_>, diagnostic: &Diagnostic) -> Option<String> {
    let is_float = ["`f64` is not an iterator", "`f32` is not an iterator"]
        .contains(&diagnostic.message.as_str());
    (is_float && context.primary_text(diagnostic) == Some("cmp"))
        .then(|| format!("{NO_ORDER}: `total_cmp` in place of `cmp`"))
}

/// Whether a list of bounds that a method misses tells of a float that is to be a key.
pub(super) fn are_missed(help: &[String]) -> bool {
    help.iter()
        .any(|line| line.contains("`f64: Eq`") || line.contains("`f64: Hash`"))
}
