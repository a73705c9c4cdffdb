//! Methods: what is called on a type that does not have it.

use super::advice::{declared, granted, has_label, quoted};
use super::diagnose::Context;
use super::finding::Finding;
use super::{ambient, floats, habits, handles, suggest, texts, traits, variants};
use crate::diagnostic::Diagnostic;

/// What is called on an `Option` or a `Result`.
const UNWRAPS: [&str; 6] = [
    "unwrap",
    "expect",
    "unwrap_or",
    "unwrap_or_default",
    "unwrap_or_else",
    "ok_or",
];

/// How the types of collections that are no maps start, borrowed ones too.
const COLLECTIONS: [&str; 5] = ["Vec<", "String", "&str", "&[", "["];

const MAPS: [&str; 4] = ["HashMap<", "HashSet<", "BTreeMap<", "BTreeSet<"];

/// Advice for a method or an associated function that there is not.
pub(super) fn advise(context: &Context<'_>, finding: &mut Finding) -> Vec<String> {
    let diagnostic = &mut finding.diagnostic;
    let message = diagnostic.message.clone();
    let one = |line: String| vec![line];
    if message.starts_with("cannot write into `") {
        let import = if message.contains("String`") {
            "std::fmt::Write"
        } else {
            "std::io::Write"
        };
        finding.import(import);
        return one(format!("consider importing: `use {import};`"));
    }
    if let Some(line) = traits::unprintable(context, &message) {
        diagnostic
            .help
            .retain(|line| !line.starts_with("the following trait bounds"));
        return one(line);
    }
    if let Some(line) =
        handles::no_iterator(context, diagnostic).or_else(|| floats::compared(context, diagnostic))
    {
        diagnostic
            .help
            .retain(|line| !line.starts_with("the following trait bounds"));
        return one(line);
    }
    let names = quoted(&message);
    let (Some(name), Some(ty)) = (names.first().copied(), names.get(1).copied()) else {
        return Vec::new();
    };
    if let Some(line) = handles::without_trait(context.scope, diagnostic)
        .or_else(|| handles::method_behind(context, &message))
    {
        return one(line);
    }
    if ambient::asks_the_file_system(name, ty) {
        return one(
            "a path is only text in a hole: files are reached only through functions that are granted".to_owned(),
        );
    }
    let of_float = ["{float}", "f64", "f32"].contains(&ty.trim_start_matches('&'));
    if message.starts_with("the method `cmp` exists") && of_float {
        diagnostic
            .help
            .retain(|line| !line.starts_with("the following trait bounds"));
        return one(
            "floats have no total order of their own: `total_cmp` in place of `cmp`".to_owned(),
        );
    }
    if message.starts_with("the method `") && floats::are_missed(&diagnostic.help) {
        return one(floats::KEYS.to_owned());
    }
    if message.starts_with("no function or associated item named") {
        return (variants::fields(context, ty).into_iter())
            .map(|fields| format!("a record is written with its fields: `{fields}`"))
            .collect();
    }
    if name == "clone" && has_label(diagnostic, "not found for this") {
        return one(format!("put `#[derive(Clone)]` above `{ty}`"));
    }
    if message.starts_with("no method named") {
        if let Some(line) = variants::asked_of_flags(context, diagnostic, name, ty) {
            return one(line);
        }
        if let Some((function, shown)) = granted(context, name, name)
            && !function.wit.starts_with('[')
        {
            return one(format!(
                "it is a function, no method: `{}`",
                declared(function, &shown)
            ));
        }
        if let Some(line) =
            handles::offered(context.scope, ty).filter(|_| diagnostic.help.is_empty())
        {
            return one(line);
        }
        let plain = !ty.starts_with("Option<") && !ty.starts_with("Result<");
        if plain && UNWRAPS.contains(&name) {
            return one(format!(
                "a `{ty}` is always there, it is no `Option` and no `Result`: leave `.{name}(…)` out"
            ));
        }
    }
    foreign(context, finding, name, ty)
}

/// Methods of other languages and of crates.
fn foreign(context: &Context<'_>, finding: &mut Finding, name: &str, ty: &str) -> Vec<String> {
    let diagnostic = &mut finding.diagnostic;
    let no_method = diagnostic.message.starts_with("no method named ");
    if !no_method && !diagnostic.message.starts_with("the method ") {
        return Vec::new();
    }
    // A type of the snippet has the methods that the snippet gives it.
    let bare = ty.split('<').next().unwrap_or(ty).trim_start_matches('&');
    let bare = suggest::last_segment(bare);
    let of_own = ["struct", "enum", "trait"]
        .iter()
        .any(|kind| context.snippet.text.contains(&format!("{kind} {bare}")));
    if of_own {
        return Vec::new();
    }
    if ty == "()" {
        return changed_in_place(diagnostic).into_iter().collect();
    }
    let of_results = ["Result<", "Option<"]
        .iter()
        .any(|start| ty.starts_with(start));
    if let (true, Some(instead)) = (of_results, habits::instead_of_anyhow(name)) {
        return vec![format!("`{name}` is of the crate `anyhow`: {instead}")];
    }
    if let (true, true, Some(instead)) = (
        no_method,
        texts::is_iterator(ty),
        habits::instead_on_iterator(name),
    ) {
        // A method of what the iterator was made from: not what is meant.
        for span in diagnostic.spans.iter_mut().filter(|span| !span.primary) {
            span.label = None;
        }
        diagnostic.help.clear();
        return vec![format!("iterators have no `{name}`: {instead}")];
    }
    let is = |starts: &[&str]| starts.iter().any(|start| ty.starts_with(start));
    if let (false, Some(instead)) = (is(&COLLECTIONS), habits::instead_of_itertools(name)) {
        // `is_sorted` for `sorted`, and lists of bounds that nobody can fulfil.
        diagnostic.help.clear();
        return vec![format!("iterators of std have no `{name}`: {instead}")];
    }
    if let (true, true, Some(instead)) = (
        no_method,
        is(&COLLECTIONS) || is(&MAPS),
        habits::instead_of_method(name),
    ) {
        diagnostic
            .help
            .retain(|line| !line.contains("similar name"));
        if diagnostic.help.is_empty() {
            return vec![format!("Rust has no method `{name}` here: {instead}")];
        }
    }
    Vec::new()
}

/// `words.reverse().join(…)`: a method behind one that changes in place and gives nothing.
fn changed_in_place(diagnostic: &Diagnostic) -> Option<String> {
    let changed = (diagnostic.spans.iter())
        .filter_map(|span| span.label.as_deref())
        .find(|label| label.ends_with("modifies its receiver in-place"))?;
    let method = *quoted(changed).first()?;
    Some(format!(
        "`{method}` changes the list in place and returns nothing: write it as a statement before, and go on with the list"
    ))
}
