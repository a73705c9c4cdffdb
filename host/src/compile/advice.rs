//! Advice: what an error asks for, said in a way that can be followed in a hole. rustc's own advice is missing at some
//! places, and at others it panics, changes the signature of the hole, or speaks of another crate.

use super::diagnose::Context;
use super::finding::{Edit, Finding};
use super::{
    borrows, conversions, handles, inference, methods, numbers, suggest, texts, traits, variants,
};
use crate::diagnostic::{Diagnostic, Position, Span};
use crate::scope::ScopeFunction;
use crate::snippet::Form;

/// Starts of rustc's advice that ours takes the place of.
const REPLACED: [(&str, &str); 7] = [
    // The arms that it means are left out, for they take several lines.
    ("E0004", "ensure that all possible cases are being handled"),
    // Of types that stand in another crate only for the compiler.
    ("E0116", "consider defining a trait and implementing it"),
    ("E0117", "define and implement a trait or new type instead"),
    (
        "E0277",
        "if you want to iterate between `start` until a value `end`",
    ),
    ("E0255", "you can use `as` to change"),
    (
        "E0277",
        "consider specifying an integer type that can be negative",
    ),
    ("E0308", "`for` loops evaluate to unit type"),
];

/// Methods that change what they are called on and return nothing.
const IN_PLACE: [&str; 12] = [
    "sort",
    "sort_by",
    "sort_by_key",
    "sort_unstable",
    "sort_unstable_by",
    "sort_unstable_by_key",
    "reverse",
    "dedup",
    "retain",
    "push",
    "push_str",
    "extend",
];

/// Adds advice to one finding, and takes out what it replaces.
pub(super) fn add(context: &Context<'_>, finding: &mut Finding) {
    let code = finding.diagnostic.code.clone().unwrap_or_default();
    handles::seal(&mut finding.diagnostic);
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
            && (line.starts_with("required for `")
                || line.contains("` is not implemented for `")
                || line.contains("must be a future or must implement"));
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
    let of_kept = expected_and_found(&diagnostic.spans)
        .is_some_and(|(expected, found)| numbers::is_kept(found, expected));
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
        } else if let Some((types, _)) =
            line.split_once(" and panic if the converted value doesn't fit")
        {
            let to = quoted(types).last().map_or("…", |to| *to).to_owned();
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
            *line = if of_kept {
                format!("convert it: `{shown}`")
            } else {
                format!(
                    "`{shown}` converts it and cuts what does not fit, `{to}::try_from(…)` gives a `Result`"
                )
            };
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

/// The two types of "expected `u32`, found `usize`".
pub(super) fn expected_and_found(spans: &[Span]) -> Option<(&str, &str)> {
    let primary = spans.iter().find(|span| span.primary)?;
    types_of(primary.label.as_deref()?)
}

/// The two types of a label.
pub(super) fn types_of(label: &str) -> Option<(&str, &str)> {
    let rest = label.strip_prefix("expected `")?;
    let (expected, rest) = rest.split_once("`, found `")?;
    Some((expected, rest.split_once('`')?.0))
}

fn of_code(context: &Context<'_>, code: &str, finding: &mut Finding) -> Vec<String> {
    let message = finding.diagnostic.message.clone();
    if message == "prefix `f` is unknown" {
        finding.diagnostic.help.clear();
        return vec!["text with values in it is `format!(\"… {x} …\")`".to_owned()];
    }
    if code.is_empty()
        && let Some(line) = texts::format_string(finding)
    {
        return vec![line];
    }
    match code {
        "E0116" | "E0117" => foreign_impl(context, &mut finding.diagnostic),
        "E0308" => without_value(context, &finding.diagnostic)
            .into_iter()
            .collect(),
        "E0282" | "E0283" | "E0284" => inference::advise(context, finding),
        "E0384" | "E0594" | "E0596" => borrows::shared_self(context, &finding.diagnostic)
            .or_else(|| parameter_is_not_mut(context, finding))
            .into_iter()
            .collect(),
        "E0599" => methods::advise(context, finding),
        "E0271" | "E0277" => traits::advise(context, &finding.diagnostic),
        _ => {
            let computed = computed(context, code, &finding.diagnostic);
            let has_static_mut = context.snippet.text.contains("static mut ");
            let fixed = || fixed(code, &finding.diagnostic, has_static_mut).map(str::to_owned);
            computed.or_else(fixed).into_iter().collect()
        }
    }
}

/// Advice with names of the scope or of the message in it.
fn computed(context: &Context<'_>, code: &str, diagnostic: &Diagnostic) -> Option<String> {
    let message = diagnostic.message.as_str();
    match code {
        "E0004" => missing_arms(message),
        "E0061" => signature_of(context, context.primary_text(diagnostic)?),
        "E0063" => (quoted(message).last())
            .and_then(|ty| variants::fields(context, ty))
            .map(|fields| format!("the whole of it is `{fields}`")),
        "E0255" => (quoted(message).first())
            .filter(|name| suggest::is_of_scope(context.scope, name))
            .map(|name| {
                format!("`{name}` is a type of the hole and in scope already: leave out its definition and the `use`")
            }),
        "E0369" => handles::without_trait(context.scope, diagnostic)
            .or_else(|| texts::operands(context, diagnostic))
            .or_else(|| traits::operands(message)),
        "E0425" => closure_calls_itself(context, message),
        "E0433" => handles::trait_path(context.scope, message),
        "E0499" => borrows::twice(context, diagnostic),
        "E0502" if !is_read_by_a_loop(diagnostic) => borrows::twice(context, diagnostic),
        "E0614" if message.starts_with("type `{integer}`") || message.starts_with("type `{float}`") => Some(
            "a power is written `base.pow(exponent)`, of floats `.powi(…)` or `.powf(…)`".to_owned(),
        ),
        "E0608" => texts::index(context, diagnostic),
        "E0618" => without_bound(context, message),
        "E0605" => (quoted(message).last())
            .and_then(|ty| variants::listed(context, ty))
            .map(|cases| format!("no value is cast into an enum, `match` on it: {cases}")),
        _ => None,
    }
}

/// `f(x)` where `f` is of a type parameter without a bound.
fn without_bound(context: &Context<'_>, message: &str) -> Option<String> {
    let ty = *quoted(message).first()?;
    let text = &context.snippet.text;
    let is_parameter = ["<", ", "].iter().any(|before| {
        [">", ",", ":"]
            .iter()
            .any(|behind| text.contains(&format!("{before}{ty}{behind}")))
    });
    (message.starts_with("expected function, found") && is_parameter).then(|| {
        format!(
            "say that `{ty}` can be called: `{ty}: Fn(…) -> …` with the types of the call, in `<…>` or `where`; `FnMut` if the \
             closure changes something"
        )
    })
}

/// Advice that depends on nothing but the finding.
fn fixed(code: &str, diagnostic: &Diagnostic, has_static_mut: bool) -> Option<&'static str> {
    let message = diagnostic.message.as_str();
    if message == "lifetime may not live long enough"
        && has_label(diagnostic, "return type of closure")
    {
        return Some(
            "what this closure returns cannot borrow from its argument: clone the part (`x.name.clone()`), or for \
             `sort_by_key` compare with `sort_by(|a, b| …)`",
        );
    }
    match code {
        "E0053" if has_label(diagnostic, "types differ in mutability") => {
            Some("keep what changes in a `Cell` or `RefCell`")
        }
        "E0133" if message.contains("mutable static") => Some(
            "state without `unsafe`: `thread_local!` with a `Cell` or `RefCell`, or a `static` with an atomic or a `Mutex`",
        ),
        "unsafe_code" if has_static_mut => Some(
            "`unsafe` is not allowed in a snippet: state stands in `thread_local!` with a `Cell` or `RefCell`, or in a `static` \
             with an atomic or a `Mutex`",
        ),
        "E0133" | "unsafe_code" => {
            Some("`unsafe` is not allowed in a snippet: use references, indices and `Option`")
        }
        "E0425" if message.starts_with("cannot find value `null`") => {
            Some("there is no null: an optional value is `None` or `Some(value)`")
        }
        "E0435" if diagnostic.help.is_empty() => Some(
            "the length of an array is a constant: `vec![value; length]` makes a list of any length",
        ),
        "E0502" if is_read_by_a_loop(diagnostic) => Some(
            "the loop still reads it: note in a `Vec` what is to change and do it after the loop, or loop over a \
             clone; `retain`, `retain_mut` and `iter_mut` change while they go through",
        ),
        "E0515" => Some(
            "what is made inside a function is given away whole: return `String` or `Vec<T>`, not a reference",
        ),
        "E0603" if has_label(diagnostic, "is defined here") => Some("put `pub` before it"),
        "E0658" => Some("this is not part of stable Rust: write it in another way"),
        "E0728" => {
            Some("granted functions block and return: leave out `async` and `.await` and call them")
        }
        _ => None,
    }
}

/// A trait or method for a type of the WIT or of std, which is another crate's to the compiler.
fn foreign_impl(context: &Context<'_>, diagnostic: &mut Diagnostic) -> Vec<String> {
    let header = context.primary_text(diagnostic).unwrap_or_default();
    let (joined, of) = match header.rsplit_once(" for ") {
        Some((joined, of)) => (Some(joined), of),
        None => (None, header.trim_start_matches("impl")),
    };
    let name = suggest::last_segment(of.trim().trim_end_matches('{').trim());
    let of_scope = suggest::is_of_scope(context.scope, name);
    if of_scope {
        // What rustc says of crates is said better below.
        diagnostic.help.clear();
    }
    let converts = joined.is_some_and(|joined| joined.contains("From<"));
    if let (true, Some(joined)) = (of_scope, joined)
        && let Some(line) = traits::instead_of_impl(context, joined, name)
    {
        return vec![line];
    }
    vec![match (of_scope, joined.is_some()) {
        (true, true) if converts => format!(
            "`{name}` is a type of the hole and `From` a trait of std, so no `impl` of this code can join them: convert \
             where the value is made, `.map_err(|error| …)?` for errors, or write a function"
        ),
        (true, true) => format!(
            "`{name}` is a type of the hole, so only traits of this code can be implemented for it: write a function that \
             takes a `&{name}`, a trait of your own, or a struct of your own around it"
        ),
        (true, false) => format!(
            "`{name}` is a type of the hole: write a function that takes a `&{name}`, or a trait of your own with the \
             method and `impl` it for `{name}`"
        ),
        (false, true) if converts => {
            "neither the trait nor a type of this `impl` is the snippet's own: convert where the value is made, \
             `.map_err(|error| …)?` for errors, or write a function"
                .to_owned()
        }
        (false, true) => {
            "neither the trait nor a type of this `impl` is the snippet's own: write a function that takes a reference, \
             or a struct of your own that holds the value"
                .to_owned()
        }
        (false, false) => {
            "types of std cannot be added to: write a function that takes a reference, or a trait of your own with the \
             method and `impl` it"
                .to_owned()
        }
    }]
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
pub(super) fn declared(function: &ScopeFunction, shown: &str) -> String {
    let signature = function.signature.trim_start_matches("fn ");
    signature.replacen(&function.rust, shown, 1)
}

/// A granted function by its Rust name and how it is called; where `path` names a module, one of that module.
pub(super) fn granted<'a>(
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

/// A place where a value is missing: what a loop or a change in place leaves is `()`.
fn without_value(context: &Context<'_>, diagnostic: &Diagnostic) -> Option<String> {
    let says = |start: &str| diagnostic.help.iter().any(|line| line.starts_with(start));
    if says("`for` loops evaluate to unit type") && !says("try adding an expression") {
        return Some(
            "a `for` loop has no value: write the result behind it, as last expression without `;`"
                .to_owned(),
        );
    }
    changed_in_place(context, diagnostic)
}

/// `let sorted = xs.sort();`: the name holds `()`.
fn changed_in_place(context: &Context<'_>, diagnostic: &Diagnostic) -> Option<String> {
    let name = context.primary_text(diagnostic)?;
    let mut labels = diagnostic
        .spans
        .iter()
        .filter_map(|span| span.label.as_deref());
    if name.is_empty() || !labels.any(|label| label.ends_with("found `()`")) {
        return None;
    }
    let start = format!("let {name} = ");
    let (_, bound) = context.snippet.text.split_once(start.as_str())?;
    let (list, call) = bound.split(';').next()?.split_once('.')?;
    let (method, _) = call.split_once('(')?;
    let is_name = list.chars().all(|c| c.is_alphanumeric() || c == '_');
    (is_name && IN_PLACE.contains(&method)).then(|| {
        format!("`{method}` changes `{list}` in place and returns nothing: use `{list}` behind it")
    })
}

/// `let fact = |n| … fact(n - 1)`: the name is there only behind the closure.
fn closure_calls_itself(context: &Context<'_>, message: &str) -> Option<String> {
    if !message.starts_with("cannot find function ") {
        return None;
    }
    let name = *quoted(message).first()?;
    let is_closure = ["|", "move |"].iter().any(|start| {
        context
            .snippet
            .text
            .contains(&format!("let {name} = {start}"))
    });
    is_closure.then(|| {
        format!(
            "a closure cannot call itself: write `fn {name}(…)` with what it needs as parameters"
        )
    })
}

/// The parameters of a body stand in a header that its author did not write.
fn parameter_is_not_mut(context: &Context<'_>, finding: &mut Finding) -> Option<String> {
    if context.snippet.form != Form::Body || !finding.edits.is_empty() {
        return None;
    }
    let name = (*quoted(&finding.diagnostic.message).last()?).to_owned();
    let is_parameter = |signature: &str| {
        syn::parse_str::<syn::Signature>(signature).is_ok_and(|signature| {
            signature.inputs.iter().any(|input| {
                matches!(input, syn::FnArg::Typed(typed)
                    if matches!(&*typed.pat, syn::Pat::Ident(pattern) if pattern.ident == name.as_str()))
            })
        })
    };
    let mut functions = (context.scope.exports.iter()).flat_map(|export| &export.functions);
    if !functions.any(|function| is_parameter(&function.signature)) {
        return None;
    }
    let line = format!("let mut {name} = {name};");
    let start = Position { line: 1, column: 1 };
    finding.set_edits(vec![Edit {
        start,
        end: start,
        replacement: format!("{line}\n"),
    }]);
    Some(format!("parameters are not `mut`: begin with `{line}`"))
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

pub(super) fn has_label(diagnostic: &Diagnostic, words: &str) -> bool {
    (diagnostic.spans.iter()).any(|span| {
        span.label
            .as_deref()
            .is_some_and(|label| label.contains(words))
    })
}

/// What stands between backticks.
pub(super) fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}
