//! Advice: what rustc cannot know, how a thing is done in a hole and in Rust without other crates.

use super::finding::{Edit, Finding, byte_of};
use super::{suggest, variants};
use crate::diagnostic::{Diagnostic, Position};
use crate::scope::Scope;
use crate::snippet::{Form, Snippet};

/// Numbers of Rust.
const NUMBERS: [&str; 14] = [
    "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32",
    "f64",
];

/// Texts, owned and borrowed.
const TEXTS: [&str; 4] = ["&str", "String", "&String", "&&str"];

/// From borrowed texts to owned ones.
const OWNED_TEXTS: &str = "own each text: `.map(str::to_owned)` before `.collect()`";

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

/// Methods of other languages and crates, and what is written instead.
const FOREIGN_METHODS: [(&[&str], &str); 6] = [
    (
        &["sorted", "sorted_by", "sorted_by_key", "sorted_unstable"],
        "iterators cannot be sorted: `collect` into a `Vec` that is `mut`, then call `sort`, `sort_by` or `sort_by_key` on it",
    ),
    (
        &["unique", "distinct"],
        "for one of each: collect into a `BTreeSet`, or `sort` a `Vec` and call `dedup` on it",
    ),
    (
        &["join"],
        "only slices and `Vec`s of texts are joined: `.collect::<Vec<String>>().join(\", \")`",
    ),
    (
        &["substring", "substr"],
        "part of a text: `s.chars().skip(from).take(count).collect::<String>()`, or `s.get(from..to)` by bytes",
    ),
    (
        &["slice"],
        "part of a list: `&list[from..to]`; of a text: `s.chars().skip(from).take(count).collect::<String>()`",
    ),
    (
        &["char_at", "charAt", "charCodeAt"],
        "one character of a text: `s.chars().nth(index)`, which is an `Option<char>`",
    ),
];

/// Adds what is known of one finding.
pub(super) fn give(scope: &Scope, snippet: &Snippet, finding: &mut Finding) {
    if let Some(line) = fixed(&finding.diagnostic) {
        finding.diagnostic.help.push(line.to_owned());
    }
    let text = primary_text(snippet, &finding.diagnostic).unwrap_or_default();
    match finding.diagnostic.code.as_deref() {
        Some("E0116" | "E0117") => impl_for_type_of_hole(scope, text, &mut finding.diagnostic),
        Some("E0271" | "E0277") => {
            let lines = missing_trait(scope, snippet, &finding.diagnostic);
            finding.diagnostic.help.extend(lines);
        }
        Some("E0308") => {
            let line = changed_in_place(snippet, text, &finding.diagnostic);
            finding.diagnostic.help.extend(line);
        }
        Some("E0605") => {
            let quoted = suggest::quoted(&finding.diagnostic.message);
            let cases = quoted
                .last()
                .and_then(|ty| variants::listed(scope, snippet, ty));
            let line =
                cases.map(|cases| format!("no value is cast into an enum, `match` on it: {cases}"));
            finding.diagnostic.help.extend(line);
        }
        Some("E0384" | "E0594" | "E0596") => parameter_is_not_mut(scope, snippet, finding),
        Some("E0423" | "E0425") => {
            name_with_hyphens(scope, snippet, &mut finding.diagnostic);
            closure_calls_itself(snippet, &mut finding.diagnostic);
        }
        Some("E0599") => foreign_method(snippet, &mut finding.diagnostic),
        _ => {}
    }
}

/// Advice that depends on nothing but the finding.
fn fixed(diagnostic: &Diagnostic) -> Option<&'static str> {
    let mut labels = diagnostic
        .spans
        .iter()
        .filter_map(|span| span.label.as_deref());
    let message = diagnostic.message.as_str();
    if message == "lifetime may not live long enough"
        && labels.any(|label| label.contains("return type of closure"))
    {
        return Some(
            "what this closure returns cannot borrow from its argument: clone the part (`x.name.clone()`), or for \
             `sort_by_key` compare with `sort_by(|a, b| …)`",
        );
    }
    if message.starts_with("cannot find derive macro ") {
        return Some(
            "there are no crates in a hole; what can be derived: `Debug`, `Clone`, `Copy`, `PartialEq`, `Eq`, \
             `PartialOrd`, `Ord`, `Hash`, `Default`",
        );
    }
    if message.starts_with("cannot find attribute ") {
        return Some("remove it: there are no attributes in a hole but those of the language");
    }
    match diagnostic.code.as_deref()? {
        "E0277" if message.contains("can only be used in a closure that returns") => Some(
            "`?` leaves only the closure: leave it out there and collect the results, `.collect::<Result<Vec<_>, _>>()?`",
        ),
        "E0277" if message.ends_with("cannot be shared between threads safely") => Some(
            "a `static` holds an atomic, a `Mutex` or a `OnceLock`; a `Cell` or `RefCell` stands in `thread_local!`",
        ),
        "E0277" | "E0599"
            if message.contains("f64: Eq")
                || message.contains("f64: Hash")
                || message.contains("f64: Ord") && in_map(diagnostic) =>
        {
            Some("floats are no keys: use `x.to_bits()`, a whole number made of it, or a text")
        }
        "E0277" if message.contains("f64: Ord") && is_extreme(diagnostic) => Some(
            "floats have no total order of their own: `max_by(|a, b| a.total_cmp(b))` or `min_by(…)`",
        ),
        "E0277" | "E0369" => of_operands(message),
        "E0308" if labels.clone().any(is_reference_for_number) => {
            Some("the other side is a reference to a number: put a `*` before it for each `&`")
        }
        "E0308"
            if labels
                .clone()
                .any(|label| label == "expected `Vec<String>`, found `Vec<&str>`") =>
        {
            Some(OWNED_TEXTS)
        }
        "E0308" => {
            let scrutinee = "this expression has type `String`";
            let says = |wanted: &str| labels.clone().any(|label| label == wanted);
            (says(scrutinee) && says("expected `String`, found `&str`"))
                .then_some("a `String` is matched as a borrowed text: `match ….as_str() { … }`")
        }
        "E0133" if message.contains("mutable static") => Some(
            "state without `unsafe`: `thread_local!` with a `Cell` or `RefCell`, or a `static` with an atomic or a `Mutex`",
        ),
        "E0133" | "unsafe_code" => {
            Some("`unsafe` is not allowed in a snippet: use references, indices and `Option`")
        }
        "E0599" if suggest::asks_the_file_system(message) => Some(
            "a path is only text in a hole: files are reached only through functions that are granted",
        ),
        "E0599" if message.starts_with("cannot write into `String`") => {
            Some("consider importing: `use std::fmt::Write;`")
        }
        "E0425" if message.starts_with("cannot find value `null`") => {
            Some("there is no null: an optional value is `None` or `Some(value)`")
        }
        "E0658" => Some("this is not part of stable Rust: write it in another way"),
        "E0728" => {
            Some("granted functions block and return: leave out `async` and `.await` and call them")
        }
        _ => None,
    }
}

/// `expected \`&&u32\`, found integer`, as in `filter(|x| x > 3)`.
fn is_reference_for_number(label: &str) -> bool {
    let expected = ["found integer", "found floating-point number"]
        .iter()
        .find_map(|found| label.strip_suffix(found)?.strip_prefix("expected `&"));
    let ty = expected.and_then(|expected| expected.strip_suffix("`, "));
    ty.is_some_and(|ty| NUMBERS.contains(&ty.trim_start_matches('&')))
}

/// Whether a bound is asked for by a greatest or least element.
fn is_extreme(diagnostic: &Diagnostic) -> bool {
    let bounds = ["Iterator::max`", "Iterator::min`"];
    diagnostic
        .help
        .iter()
        .any(|line| bounds.iter().any(|bound| line.contains(bound)))
}

/// Whether a bound is asked for by a map or a set.
fn in_map(diagnostic: &Diagnostic) -> bool {
    let bounds = ["BTreeMap", "BTreeSet", "HashMap", "HashSet"];
    diagnostic
        .help
        .iter()
        .any(|line| bounds.iter().any(|bound| line.contains(bound)))
}

/// Operands of two types: numbers that do not mix, a text and a number.
fn of_operands(message: &str) -> Option<&'static str> {
    let quoted = suggest::quoted(message);
    if let ["f64: Ord" | "f32: Ord"] = quoted.as_slice() {
        return Some("floats have no total order of their own: `sort_by(|a, b| a.total_cmp(b))`");
    }
    let into_smaller = quoted.first().and_then(|bound| {
        let (to, from) = bound.split_once(": From<")?;
        Some((to, from.strip_suffix('>')?))
    });
    if into_smaller.is_some_and(|(to, from)| NUMBERS.contains(&to) && NUMBERS.contains(&from)) {
        return Some("the value may not fit: `try_into()` gives a `Result`, `as` cuts silently");
    }
    let [one, other] = quoted.as_slice() else {
        return None;
    };
    if !message.starts_with("cannot ") {
        return None;
    }
    if NUMBERS.contains(one) && NUMBERS.contains(other) {
        return Some(
            "numbers of two types do not mix: convert one of them, with `as` or `try_from`",
        );
    }
    let adds_to_text =
        message.starts_with("cannot add ") && TEXTS.contains(one) != TEXTS.contains(other);
    adds_to_text.then_some(
        "a text and a value of another type are put together by `format!(\"{}{}\", …, …)`",
    )
}

/// A trait that something lacks: error conversions, default values, lists of references.
fn missing_trait(scope: &Scope, snippet: &Snippet, diagnostic: &Diagnostic) -> Vec<String> {
    let message = diagnostic.message.as_str();
    let quoted = suggest::quoted(message);
    let into = if message.starts_with("`?` couldn't convert the error to `") {
        quoted.get(1).copied()
    } else if message.starts_with("type mismatch resolving `<") {
        // `parse::<T>()?` where the error of `T` is looked for.
        quoted
            .first()
            .and_then(|types| types.split_once(">::Err == "))
            .map(|(_, into)| into)
    } else {
        None
    };
    if let Some(into) = into {
        if into == "String" {
            return vec!["convert it first: `.map_err(|error| error.to_string())?`".to_owned()];
        }
        if let Some(cases) = variants::listed(scope, snippet, into) {
            let last = suggest::last_segment(into);
            return vec![
                format!("convert it first: `.map_err(|error| {last}::…)?`"),
                cases,
            ];
        }
        return Vec::new();
    }
    if let [bound] = quoted.as_slice()
        && let Some(ty) = bound.strip_suffix(": Default")
        && is_of_scope(scope, ty)
    {
        let ty = suggest::last_segment(ty);
        return vec![format!(
            "write every field: `{ty}` has no default value, nor has any enum, variant or result in it"
        )];
    }
    if message
        == "a value of type `Vec<String>` cannot be built from an iterator over elements of type `&str`"
    {
        return vec![OWNED_TEXTS.to_owned()];
    }
    if message.contains("cannot be built from an iterator over elements of type")
        && let [collection, item] = quoted.as_slice()
        && let Some(value) = item.strip_prefix('&')
        && collection.contains(&format!("<{value}>"))
    {
        return vec![
            "the iterator gives references: `into_iter()` in place of `iter()`, or `.cloned()` before `.collect()`"
                .to_owned(),
        ];
    }
    Vec::new()
}

/// A trait or method for a type of the WIT, which is another crate's to the compiler.
fn impl_for_type_of_hole(scope: &Scope, header: &str, diagnostic: &mut Diagnostic) {
    let of = header
        .rsplit_once(" for ")
        .map_or_else(|| header.trim_start_matches("impl").trim(), |(_, of)| of);
    let name = suggest::last_segment(of.trim().trim_end_matches('{').trim());
    if !is_of_scope(scope, name) {
        return;
    }
    // What rustc says of crates is said better below.
    diagnostic.help.clear();
    diagnostic.help.push(if header.contains("From<") {
        format!(
            "`{name}` is a type of the hole and `From` a trait of std, so no `impl` of this code can join them: convert \
             where the value is made, `.map_err(|error| …)?` for errors, or write a function"
        )
    } else if header.contains(" for ") {
        format!(
            "`{name}` is a type of the hole, so only traits of this code can be implemented for it: write a function that \
             takes a `&{name}`, a trait of your own, or a struct of your own around it"
        )
    } else {
        format!(
            "`{name}` is a type of the hole: write a function that takes a `&{name}`, or a trait of your own with the \
             method and `impl` it for `{name}`"
        )
    });
}

/// The parameters of a body stand in a header that its author did not write.
fn parameter_is_not_mut(scope: &Scope, snippet: &Snippet, finding: &mut Finding) {
    if snippet.form != Form::Body || !finding.edits.is_empty() {
        return;
    }
    let quoted = suggest::quoted(&finding.diagnostic.message);
    let Some(name) = quoted.last().map(|name| (*name).to_owned()) else {
        return;
    };
    let is_parameter = |signature: &str| {
        syn::parse_str::<syn::Signature>(signature).is_ok_and(|signature| {
            signature.inputs.iter().any(|input| {
                matches!(input, syn::FnArg::Typed(typed)
                    if matches!(&*typed.pat, syn::Pat::Ident(pattern) if pattern.ident == name.as_str()))
            })
        })
    };
    let mut functions = scope.exports.iter().flat_map(|export| &export.functions);
    if !functions.any(|function| is_parameter(&function.signature)) {
        return;
    }
    let line = format!("let mut {name} = {name};");
    finding
        .diagnostic
        .help
        .push(format!("parameters are not `mut`: begin with `{line}`"));
    let start = Position { line: 1, column: 1 };
    finding.set_edits(vec![Edit {
        start,
        end: start,
        replacement: format!("{line}\n"),
    }]);
}

/// `line-item` is a subtraction in Rust. It is told at one of its words.
fn name_with_hyphens(scope: &Scope, snippet: &Snippet, diagnostic: &mut Diagnostic) {
    let Some(primary) = diagnostic.spans.iter().find(|span| span.primary) else {
        return;
    };
    let Some(at) = byte_of(&snippet.text, primary.start) else {
        return;
    };
    let belongs = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let (before, behind) = snippet.text.split_at(at);
    // Of a field (`.unit-price`) only what stands behind the hyphen is unknown by itself.
    let of_field = before.ends_with('-').then(|| {
        let first = before.trim_end_matches(belongs).len();
        before[..first]
            .ends_with('.')
            .then(|| &snippet.text[first..])
    });
    let start = of_field.unwrap_or(Some(behind));
    if let Some(name) = start.and_then(|start| written(scope, start, belongs)) {
        diagnostic.help.push(format!(
            "names of the WIT have underscores in Rust: `{name}`"
        ));
    }
}

/// The name of the scope that a text starts with in the spelling of the WIT.
fn written(scope: &Scope, text: &str, belongs: impl Fn(char) -> bool) -> Option<String> {
    let end = text.find(|c| !belongs(c)).unwrap_or(text.len());
    let name = text[..end].trim_end_matches('-');
    if !name.contains('-') {
        return None;
    }
    let name = name.replace('-', "_");
    let surface = &scope.surface;
    let is_word = |text: &String| {
        text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .any(|word| word == name)
    };
    [&surface.exports, &surface.types, &surface.imports]
        .into_iter()
        .any(is_word)
        .then_some(name)
}

/// `let sorted = xs.sort();`: the name holds `()`.
fn changed_in_place(snippet: &Snippet, name: &str, diagnostic: &Diagnostic) -> Option<String> {
    let mut labels = diagnostic
        .spans
        .iter()
        .filter_map(|span| span.label.as_deref());
    if name.is_empty() || !labels.any(|label| label.ends_with("found `()`")) {
        return None;
    }
    let start = format!("let {name} = ");
    let (_, bound) = snippet.text.split_once(start.as_str())?;
    let (list, call) = bound.split(';').next()?.split_once('.')?;
    let (method, _) = call.split_once('(')?;
    let is_name = list.chars().all(|c| c.is_alphanumeric() || c == '_');
    (is_name && IN_PLACE.contains(&method)).then(|| {
        format!("`{method}` changes `{list}` in place and returns nothing: use `{list}` behind it")
    })
}

/// `let fact = |n| … fact(n - 1)`: the name is there only behind the closure.
fn closure_calls_itself(snippet: &Snippet, diagnostic: &mut Diagnostic) {
    if !diagnostic.message.starts_with("cannot find function ") {
        return;
    }
    let quoted = suggest::quoted(&diagnostic.message);
    let Some(name) = quoted.first() else {
        return;
    };
    let is_closure = ["|", "move |"]
        .iter()
        .any(|start| snippet.text.contains(&format!("let {name} = {start}")));
    if is_closure {
        let line = format!(
            "a closure cannot call itself: write `fn {name}(…)` with what it needs as parameters"
        );
        diagnostic.help.push(line);
    }
}

fn foreign_method(snippet: &Snippet, diagnostic: &mut Diagnostic) {
    let quoted = suggest::quoted(&diagnostic.message);
    let is_method = ["no method named ", "the method "]
        .iter()
        .any(|start| diagnostic.message.starts_with(start));
    let Some(name) = quoted.first().filter(|_| is_method) else {
        return;
    };
    // A type of the snippet has the methods that the snippet gives it.
    let of_own = quoted.get(1).is_some_and(|ty| {
        let bare =
            suggest::last_segment(ty.split('<').next().unwrap_or(ty)).trim_start_matches('&');
        ["struct", "enum", "trait"]
            .iter()
            .any(|kind| snippet.text.contains(&format!("{kind} {bare}")))
    });
    if of_own {
        return;
    }
    let known = FOREIGN_METHODS
        .iter()
        .find(|(names, _)| names.contains(name));
    if let Some((_, line)) = known {
        // `is_sorted` for `sorted`, and lists of bounds that nobody can fulfil.
        diagnostic.help.clear();
        diagnostic.help.push((*line).to_owned());
    }
}

/// Whether a type is one of the hole's WIT.
fn is_of_scope(scope: &Scope, name: &str) -> bool {
    let name = suggest::last_segment(name);
    let is_type = name.chars().next().is_some_and(char::is_uppercase);
    is_type && scope.names.get(name).is_some_and(|paths| !paths.is_empty())
}

/// What the snippet has at the place of a diagnostic.
fn primary_text<'a>(snippet: &'a Snippet, diagnostic: &Diagnostic) -> Option<&'a str> {
    let span = diagnostic.spans.iter().find(|span| span.primary)?;
    let start = byte_of(&snippet.text, span.start)?;
    snippet.text.get(start..byte_of(&snippet.text, span.end)?)
}
