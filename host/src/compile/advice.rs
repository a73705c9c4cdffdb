//! Advice: what an error asks for, said in a way that can be followed in a hole. rustc's own advice is missing at some
//! places, and at others it panics, changes the signature of the hole, or speaks of another crate.

use super::diagnose::Context;
use super::finding::{Edit, Finding};
use super::{conversions, habits, numbers, variants};
use crate::diagnostic::{Diagnostic, Span};
use crate::scope::ScopeFunction;

/// Starts of rustc's advice that ours takes the place of.
const REPLACED: [(&str, &str); 6] = [
    // The arms that it means are left out, for they take several lines.
    ("E0004", "ensure that all possible cases are being handled"),
    // Of types that stand in another crate only for the compiler.
    ("E0116", "consider defining a trait and implementing it"),
    ("E0117", "define and implement a trait or new type instead"),
    ("E0117", "impl doesn't have any local type"),
    (
        "E0277",
        "if you want to iterate between `start` until a value `end`",
    ),
    ("E0308", "`for` loops evaluate to unit type"),
];

/// Adds advice to one finding, and takes out what it replaces.
pub(super) fn add(context: &Context<'_>, finding: &mut Finding) {
    let code = finding.diagnostic.code.clone().unwrap_or_default();
    without_panics(context, finding);
    let mut lines = of_code(context, &code, finding);
    lines.extend(conversions::advise(context, finding));
    let unknown_type = unknown_type(&finding.diagnostic)
        .unwrap_or_default()
        .to_owned();
    let help = &mut finding.diagnostic.help;
    help.retain(|line| {
        let replaced = REPLACED
            .iter()
            .any(|(of, start)| *of == code && line.starts_with(start));
        // What the compiler looked for on its way says nothing beside what is to be done.
        let way = code == "E0277"
            && !lines.is_empty()
            && (line.starts_with("required for `") || line.contains("` is not implemented for `"));
        // `T` may be missing as a parameter, `Finding` is not.
        let parameter = line.starts_with("you might be missing a type parameter")
            && unknown_type.chars().count() > 1;
        !replaced && !way && !parameter
    });
    help.extend(lines);
}

fn unknown_type(diagnostic: &Diagnostic) -> Option<&str> {
    let rest = diagnostic.message.strip_prefix("cannot find type `")?;
    rest.split('`').next()
}

/// rustc's way out of an `Option`, a `Result` or a number that may not fit is to panic, and that ends the call.
fn without_panics(context: &Context<'_>, finding: &mut Finding) {
    let text = &context.snippet.text;
    let diagnostic = &mut finding.diagnostic;
    for line in &mut diagnostic.help {
        // `else { todo!() }`: a way out that panics as well.
        *line = line.replace("todo!()", "…");
        if line.starts_with("consider using `Option::expect`") {
            *line = "the value may be missing: give another one with `.unwrap_or(…)`, change the one inside with \
                     `.map(|value| …)`, or handle `None` with `match`, `let … else` or `.ok_or(…)?`"
                .to_owned();
        } else if line.starts_with("consider using `Result::expect`") {
            *line = "it may have failed: hand the error on with `?`, give another value with `.unwrap_or(…)`, or \
                     handle both with `match`"
                .to_owned();
        } else if line.contains("and panic if the converted value doesn't fit") {
            let to = expected_type(&diagnostic.spans).unwrap_or("…").to_owned();
            let cast: Vec<Edit> = (finding.edits.iter())
                .map(|edit| Edit {
                    replacement: edit
                        .replacement
                        .replace(".try_into().unwrap()", &format!(" as {to}")),
                    ..edit.clone()
                })
                .collect();
            let shown =
                super::suggestion::edited_line(text, &cast).unwrap_or_else(|| format!("… as {to}"));
            *line = format!(
                "`{shown}` converts it and cuts what does not fit, `{to}::try_from(…)` gives a `Result`"
            );
        }
    }
    let private = diagnostic.code.as_deref() == Some("E0624");
    let of_option =
        (diagnostic.help.iter()).any(|line| line.starts_with("the value may be missing"));
    if private
        && of_option
        && let Some(name) = quoted(&diagnostic.message).first()
    {
        // `Option` has a private `len`, of which nobody outside std knows.
        diagnostic.message = format!("no method `{name}` on `Option`");
        for span in diagnostic.spans.iter_mut().filter(|span| span.primary) {
            span.label = Some("this is an `Option`".to_owned());
        }
    }
}

/// `u32` of "expected `u32`, found `usize`".
fn expected_type(spans: &[Span]) -> Option<&str> {
    expected_and_found(spans).map(|(expected, _)| expected)
}

/// The two types of "expected `u32`, found `usize`".
pub(super) fn expected_and_found(spans: &[Span]) -> Option<(&str, &str)> {
    let primary = spans.iter().position(|span| span.primary)?;
    types_of_label(spans.get(primary..=primary)?)
}

/// The two types of the first label that names two.
pub(super) fn types_of_label(spans: &[Span]) -> Option<(&str, &str)> {
    let label = spans.iter().find_map(|span| span.label.as_deref())?;
    let rest = label.strip_prefix("expected `")?;
    let (expected, rest) = rest.split_once("`, found `")?;
    Some((expected, rest.split_once('`')?.0))
}

fn of_code(context: &Context<'_>, code: &str, finding: &mut Finding) -> Vec<String> {
    let diagnostic = &finding.diagnostic;
    let message = diagnostic.message.as_str();
    let at = primary_text(context, diagnostic).unwrap_or_default();
    let one = |line: &str| vec![line.to_owned()];
    if message == "lifetime may not live long enough"
        && has_label(diagnostic, "return type of closure")
    {
        return one(
            "what this closure returns cannot borrow from its argument: clone the part (`x.name.clone()`), or for \
             `sort_by_key` compare with `sort_by(|a, b| …)`",
        );
    }
    if message == "prefix `f` is unknown" {
        finding.diagnostic.help.clear();
        return one("text with values in it is `format!(\"… {x} …\")`");
    }
    match code {
        "E0004" => missing_arms(message).into_iter().collect(),
        "E0063" => (quoted(message).last())
            .and_then(|ty| variants::fields(context, ty))
            .map(|fields| format!("the whole of it is `{fields}`"))
            .into_iter()
            .collect(),
        "E0061" => signature_of(context, at).into_iter().collect(),
        "E0116" => one(
            "types of the hole and of `std` cannot be added to: write a function that takes a reference, or a trait of \
             your own and implement that",
        ),
        "E0117" => one(
            "types and traits of the hole and of `std` cannot be brought together: write a function that takes a \
             reference, or a struct of your own that holds the value",
        ),
        "E0133" | "unsafe_code" => {
            one("`unsafe` is not allowed in a snippet: use references, indices and `Option`")
        }
        "E0271" | "E0277" => of_missing_trait(context, diagnostic, at),
        "E0308" => of_mismatch(context, finding),
        "E0425" if message.starts_with("cannot find value `null`") => {
            one("there is no null: an optional value is `None` or `Some(value)`")
        }
        "E0435" if diagnostic.help.is_empty() => one(
            "the length of an array is a constant: `vec![value; length]` makes a list of any length",
        ),
        "E0502" if is_read_by_a_loop(diagnostic) => one(
            "the loop still reads it: note in a `Vec` what is to change and do it after the loop, or loop over a \
             clone; `retain`, `retain_mut` and `iter_mut` change while they go through",
        ),
        "E0515" => one(
            "what is made inside a function is given away whole: return `String` or `Vec<T>`, not a reference",
        ),
        "E0599" => of_unknown_method(context, finding),
        "E0603" if has_label(diagnostic, "is defined here") => one("put `pub` before it"),
        "E0658" => one("only stable Rust is compiled: write it in another way"),
        "E0728" => {
            one("granted functions block and return: leave out `async` and `.await` and call them")
        }
        _ => Vec::new(),
    }
}

/// The arms that a `match` lacks.
fn missing_arms(message: &str) -> Option<String> {
    if !message.starts_with("non-exhaustive patterns: ") {
        return None;
    }
    let arms: Vec<String> = quoted(message)
        .iter()
        .map(|pattern| format!("`{pattern} => …`"))
        .collect();
    Some(format!(
        "add {}, or `_ => …` for all that is left",
        arms.join(" and ")
    ))
}

/// The signature of the granted function that is called: rustc points at its definition, which nobody sees.
fn signature_of(context: &Context<'_>, call: &str) -> Option<String> {
    let (function, shown) = granted(context, call.rsplit("::").next()?.trim(), call)?;
    Some(format!(
        "it is declared as `{}`",
        declared(function, &shown)
    ))
}

/// `repo::read_text(path: &str) -> …`.
fn declared(function: &ScopeFunction, shown: &str) -> String {
    let signature = function.signature.trim_start_matches("fn ");
    signature.replacen(&function.rust, shown, 1)
}

/// A granted function by its Rust name and how it is called; where `path` names a module, one of that module.
fn granted<'a>(
    context: &'a Context<'_>,
    name: &str,
    path: &str,
) -> Option<(&'a ScopeFunction, String)> {
    let module = path.rsplit("::").nth(1).map(str::trim);
    context.scope.imports.iter().find_map(|import| {
        let function = (import.functions.iter()).find(|function| function.rust == name)?;
        let of_resource = function.wit.starts_with('[');
        let here = of_resource || module.is_none() || module == import.module.as_deref();
        let shown = match &import.module {
            Some(module) if !of_resource => format!("{module}::{name}"),
            _ => name.to_owned(),
        };
        (here && !import.implicit).then_some((function, shown))
    })
}

/// Missing traits: error conversions, numbers of two types, indices, floats, what is no iterator.
fn of_missing_trait(context: &Context<'_>, diagnostic: &Diagnostic, at: &str) -> Vec<String> {
    let message = diagnostic.message.as_str();
    let one = |line: String| vec![line];
    let names = quoted(message);
    if let Some(target) = converted_error(message) {
        if target == "String" {
            return one("convert it first: `.map_err(|error| error.to_string())?`".to_owned());
        }
        return variants::cases(context, target).map_or_else(Vec::new, |cases| {
            let line =
                format!("convert it first, into a case of `{target}`: `.map_err(|error| …)?`");
            vec![line, cases]
        });
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
            "`?` leaves the closure only: leave it out there and hand it on behind the collection, \
             `.collect::<Result<Vec<_>, _>>()?`"
                .to_owned(),
        );
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
        return one(match at {
            _ if at.starts_with("sort") => {
                "floats have no total order of their own: `sort_by(|a, b| a.total_cmp(b))`".to_owned()
            }
            "max" | "min" => format!(
                "floats have no total order of their own: `{at}_by(|a, b| a.total_cmp(b))`"
            ),
            _ => "floats have no total order and no hash: compare with `total_cmp`, use `to_bits()` as a key"
                .to_owned(),
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
    numbers::advice(message).into_iter().collect()
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

/// Mismatched types: text in patterns, floats for integers.
fn of_mismatch(context: &Context<'_>, finding: &mut Finding) -> Vec<String> {
    if let Some((line, edit)) = text_in_pattern(context, &finding.diagnostic) {
        finding.set_edits(vec![edit]);
        return vec![line];
    }
    let diagnostic = &finding.diagnostic;
    let mut help = diagnostic.help.iter();
    let of_loop = help.any(|line| line.starts_with("`for` loops evaluate to unit type"));
    let told = (diagnostic.help.iter()).any(|line| line.starts_with("try adding an expression"));
    if of_loop && !told {
        return vec![
            "a `for` loop has no value: write the result behind it, as last expression without `;`"
                .to_owned(),
        ];
    }
    Vec::new()
}

/// A `String` that is matched with literals, or an `Option<String>` with `Some("…")`.
fn text_in_pattern(context: &Context<'_>, diagnostic: &Diagnostic) -> Option<(String, Edit)> {
    let (expected, found) = expected_and_found(&diagnostic.spans)?;
    if expected != "String" || found != "&str" {
        return None;
    }
    let (span, ty) = diagnostic.spans.iter().find_map(|span| {
        let ty = span
            .label
            .as_deref()?
            .strip_prefix("this expression has type `")?;
        Some((span, ty.strip_suffix('`')?))
    })?;
    let method = match ty.trim_start_matches('&') {
        "String" => ".as_str()",
        "Option<String>" => ".as_deref()",
        _ => return None,
    };
    let edit = Edit {
        start: span.end,
        end: span.end,
        replacement: method.to_owned(),
    };
    let line = super::suggestion::edited_line(&context.snippet.text, std::slice::from_ref(&edit))?;
    Some((format!("literals are `&str`: `{line}`"), edit))
}

/// Whether the value that is changed is the one that a loop goes through.
fn is_read_by_a_loop(diagnostic: &Diagnostic) -> bool {
    let at = |words: &str| {
        (diagnostic.spans.iter())
            .filter(|span| span.label.as_deref() == Some(words))
            .map(|span| (span.start, span.end))
            .next()
    };
    let first = at("immutable borrow occurs here");
    first.is_some() && first == at("immutable borrow later used here")
}

/// Methods that a type does not have.
fn of_unknown_method(context: &Context<'_>, finding: &mut Finding) -> Vec<String> {
    let diagnostic = &finding.diagnostic;
    let message = diagnostic.message.clone();
    let one = |line: String| vec![line];
    if message.starts_with("cannot write into `") {
        let import = if message.contains("Vec<u8>") {
            "std::io::Write"
        } else {
            "std::fmt::Write"
        };
        finding.import(import);
        return one(format!("consider importing: `use {import};`"));
    }
    let names = quoted(&message);
    let (Some(name), Some(ty)) = (names.first(), names.get(1)) else {
        return Vec::new();
    };
    let of_float = ["{float}", "f64", "f32"].contains(&ty.trim_start_matches('&'));
    if message.starts_with("the method `cmp` exists") && of_float {
        finding
            .diagnostic
            .help
            .retain(|line| !line.starts_with("the following trait bounds"));
        return one(
            "floats have no total order of their own: `total_cmp` in place of `cmp`".to_owned(),
        );
    }
    if message.starts_with("no function or associated item named") {
        return (variants::fields(context, ty).into_iter())
            .map(|fields| format!("a record is written with its fields: `{fields}`"))
            .collect();
    }
    let handle = format!(
        "pub struct {}; // a handle",
        ty.rsplit("::").next().unwrap_or(ty)
    );
    let surface = &context.scope.surface;
    let is_handle = surface.imports.contains(&handle) || surface.types.contains(&handle);
    if *name == "clone" && is_handle {
        return one("a handle exists once: pass it on as a reference".to_owned());
    }
    if *name == "clone" && has_label(diagnostic, "not found for this") {
        finding
            .diagnostic
            .help
            .retain(|line| !line.contains("perhaps you need to implement it"));
        return one(format!("put `#[derive(Clone)]` above `{ty}`"));
    }
    if !message.starts_with("no method named") {
        return Vec::new();
    }
    if let Some((function, shown)) = granted(context, name, name)
        && !function.wit.starts_with('[')
    {
        return one(format!(
            "it is a function, no method: `{}`",
            declared(function, &shown)
        ));
    }
    let plain = ["Option<", "Result<"]
        .iter()
        .all(|start| !ty.starts_with(start));
    let unwraps = [
        "unwrap",
        "expect",
        "unwrap_or",
        "unwrap_or_default",
        "unwrap_or_else",
        "ok_or",
    ];
    if plain && unwraps.contains(name) {
        return one(format!(
            "a `{ty}` is always there, it is no `Option` and no `Result`: leave `.{name}(…)` out"
        ));
    }
    let of_map = ["HashMap<", "HashSet<", "BTreeMap<", "BTreeSet<"]
        .iter()
        .any(|start| ty.starts_with(start));
    let collection = ["Vec<", "String", "&str", "&[", "["]
        .iter()
        .any(|start| ty.starts_with(start));
    if let (false, Some(instead)) = (collection, habits::instead_of_itertools(name)) {
        return one(format!("iterators of std have no `{name}`: {instead}"));
    }
    if let (true, Some(instead)) = (
        diagnostic.help.is_empty() && (collection || of_map),
        habits::instead_of_method(name),
    ) {
        return one(format!("Rust has no method `{name}` here: {instead}"));
    }
    Vec::new()
}

fn has_label(diagnostic: &Diagnostic, words: &str) -> bool {
    (diagnostic.spans.iter()).any(|span| {
        span.label
            .as_deref()
            .is_some_and(|label| label.contains(words))
    })
}

fn primary_text<'a>(context: &Context<'a>, diagnostic: &Diagnostic) -> Option<&'a str> {
    context.text_at(diagnostic.primary()?)
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// What stands between backticks.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}
