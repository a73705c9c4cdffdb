//! Advice on what rustc cannot know of a hole: handles and the structs behind them, types of the plan that an `impl`
//! cannot be written for, text that was copied with marks that are no code. And what is left out, because it says again
//! what was said.

use super::finding::Finding;
use crate::diagnostic::Diagnostic;
use crate::scope::{Scope, ScopeResource};
use crate::snippet::Snippet;

/// Lines of advice for one finding.
pub(super) fn advice(scope: &Scope, snippet: &Snippet, diagnostic: &Diagnostic) -> Vec<String> {
    match diagnostic.code.as_deref() {
        Some("E0053") if says(diagnostic, "types differ in mutability") => {
            vec!["keep what changes in a `Cell` or `RefCell`".to_owned()]
        }
        Some("E0053" | "E0308") => mismatch(diagnostic)
            .and_then(|(expected, found)| {
                of_mismatch(scope, snippet, expected, found)
                    .or_else(|| of_slice(diagnostic, expected, found))
            })
            .into_iter()
            .collect(),
        Some("E0277") => of_error(diagnostic)
            .or_else(|| of_handle(scope, diagnostic))
            .into_iter()
            .collect(),
        Some("E0369" | "E0599") => of_handle(scope, diagnostic)
            .or_else(|| of_own_handle(scope, snippet, &diagnostic.message))
            .into_iter()
            .collect(),
        Some("E0433") => of_trait_path(scope, &diagnostic.message)
            .into_iter()
            .collect(),
        Some("E0117") => vec![
            "neither the trait nor a type of this `impl` is the snippet's own: write a plain function, for errors with \
             `.map_err(…)?`"
                .to_owned(),
        ],
        _ => Vec::new(),
    }
}

fn says(diagnostic: &Diagnostic, words: &str) -> bool {
    let mut labels = diagnostic
        .spans
        .iter()
        .filter_map(|span| span.label.as_deref());
    labels.any(|label| label.contains(words))
}

/// The two types of ``expected `A`, found `B` ``.
fn mismatch(diagnostic: &Diagnostic) -> Option<(&str, &str)> {
    diagnostic
        .spans
        .iter()
        .filter_map(|span| span.label.as_deref())
        .find_map(two_types)
}

fn two_types(label: &str) -> Option<(&str, &str)> {
    let (expected, found) = label.strip_prefix("expected `")?.split_once("`, found `")?;
    Some((expected, found.strip_suffix('`')?))
}

fn of_mismatch(scope: &Scope, snippet: &Snippet, expected: &str, found: &str) -> Option<String> {
    if let Some(item) = expected
        .strip_prefix("&[")
        .and_then(|rest| rest.strip_suffix(']'))
        && let Some(item) = item.strip_prefix('&')
        && is_list_of(found.trim_start_matches('&'), item)
    {
        return Some(
            "it takes a list of references: `&list.iter().collect::<Vec<_>>()`".to_owned(),
        );
    }
    let wanted = last(expected.trim_start_matches('&'));
    let given = last(found.trim_start_matches('&'));
    if behind(scope, snippet, wanted) == Some(found) {
        return Some(format!(
            "`{wanted}` is the handle: `{wanted}::new(…)` makes one of a `{given}`"
        ));
    }
    holder(scope, wanted, given)
}

/// A list where a slice of it is lent. rustc says so itself, but not for what a macro (`vec!`) makes.
fn of_slice(diagnostic: &Diagnostic, expected: &str, found: &str) -> Option<String> {
    let lent = |expected: &str, found: &str| {
        let item = expected.strip_prefix("&[")?.strip_suffix(']')?;
        is_list_of(found, item).then_some(())
    };
    if diagnostic.help.iter().any(|line| line.contains("borrow")) {
        return None;
    }
    if lent(expected, found).is_some() {
        return Some("it takes a slice: put `&` in front of the list".to_owned());
    }
    let inner = |ty| str::strip_prefix(ty, "Option<")?.strip_suffix('>');
    lent(inner(expected)?, inner(found)?)?;
    Some("it takes a slice inside the `Option`: `.as_deref()` lends it".to_owned())
}

fn is_list_of(list: &str, item: &str) -> bool {
    let of = |inner: &str| inner.split(';').next().map(str::trim) == Some(item);
    let vec = list
        .strip_prefix("Vec<")
        .and_then(|rest| rest.strip_suffix('>'));
    let slice = list
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    vec.or(slice).is_some_and(of)
}

/// The struct of the snippet that implements the resource of a handle.
fn behind<'a>(scope: &Scope, snippet: &'a Snippet, handle: &str) -> Option<&'a str> {
    let resource = resource_of(scope, handle)?;
    snippet
        .resources
        .get(&resource.trait_name)
        .map(String::as_str)
}

fn resource_of<'a>(scope: &'a Scope, handle: &str) -> Option<&'a ScopeResource> {
    let mut resources = scope.exports.iter().flat_map(|export| &export.resources);
    resources.find(|resource| last(&resource.trait_name).strip_prefix("Guest") == Some(handle))
}

/// Which case of the variant that is wanted carries a value of the type that is given.
fn holder(scope: &Scope, wanted: &str, given: &str) -> Option<String> {
    let sources = [&scope.surface.types, &scope.surface.imports];
    let cases: Vec<String> = sources
        .into_iter()
        .filter_map(|source| syn::parse_file(source).ok())
        .find_map(|file| carriers(&file.items, wanted, given))?;
    match cases.as_slice() {
        [case] => Some(format!("`{wanted}::{case}(…)` carries `{given}`")),
        _ => None,
    }
}

fn carriers(items: &[syn::Item], wanted: &str, given: &str) -> Option<Vec<String>> {
    items.iter().find_map(|item| match item {
        syn::Item::Enum(item) if item.ident == wanted => Some(
            item.variants
                .iter()
                .filter(|variant| {
                    let mut fields = variant.fields.iter();
                    matches!((fields.next(), fields.next()), (Some(field), None) if is_type(&field.ty, given))
                })
                .map(|variant| variant.ident.to_string())
                .collect(),
        ),
        syn::Item::Mod(module) => carriers(&module.content.as_ref()?.1, wanted, given),
        _ => None,
    })
}

fn is_type(ty: &syn::Type, name: &str) -> bool {
    let syn::Type::Path(path) = ty else {
        return false;
    };
    let segment = path.path.segments.last();
    segment.is_some_and(|segment| segment.arguments.is_none() && segment.ident == name)
}

/// An error that `?` does not turn into the one that is given back. (`String` has its own words.)
fn of_error(diagnostic: &Diagnostic) -> Option<String> {
    let wanted = diagnostic
        .message
        .strip_prefix("`?` couldn't convert the error to `")?
        .strip_suffix('`')?;
    (wanted != "String")
        .then(|| format!("convert it first: `.map_err(|error| …)?`, with a `{wanted}`"))
}

/// A handle that is cloned, compared, hashed or made from nothing.
fn of_handle(scope: &Scope, diagnostic: &Diagnostic) -> Option<String> {
    const TRAITS: [&str; 8] = [
        "Clone",
        "Copy",
        "PartialEq",
        "Eq",
        "PartialOrd",
        "Ord",
        "Hash",
        "Default",
    ];
    let texts = std::iter::once(&diagnostic.message).chain(&diagnostic.help);
    for text in texts {
        let quoted: Vec<&str> = text.split('`').skip(1).step_by(2).collect();
        let bound = quoted.iter().find_map(|bound| bound.split_once(": "));
        let (ty, wanted) = match (bound, quoted.as_slice()) {
            (Some(bound), _) => bound,
            (None, [ty, wanted]) if text.contains("does not implement") => (*ty, *wanted),
            (None, ["clone", ty, ..]) => (*ty, "Clone"),
            _ => continue,
        };
        let ty = ty.trim_start_matches('&');
        if !TRAITS.contains(&wanted) || !is_handle(scope, last(ty)) {
            continue;
        }
        return Some(if wanted == "Default" {
            format!("`{ty}` is a handle: only granted functions make one")
        } else {
            format!(
                "`{ty}` is a handle, which can be neither copied nor compared: lend it as `&{ty}`, or share it in an `Rc`"
            )
        });
    }
    None
}

/// A method of a resource that is called on its handle.
fn of_own_handle(scope: &Scope, snippet: &Snippet, message: &str) -> Option<String> {
    let (method, rest) = message
        .strip_prefix("no method named `")?
        .split_once("` found for struct `")?;
    let handle = last(rest.split('`').next()?);
    let own = behind(scope, snippet, handle)?;
    let resource = resource_of(scope, handle)?;
    resource
        .trait_text
        .contains(&format!("fn {method}("))
        .then(|| {
            format!(
                "`{handle}` is the handle: `.get::<{own}>().{method}(…)` calls it on what is behind"
            )
        })
}

/// A path to the trait of a resource as other bindings have it.
fn of_trait_path(scope: &Scope, message: &str) -> Option<String> {
    let resource = scope
        .exports
        .iter()
        .flat_map(|export| &export.resources)
        .next()?;
    message.contains("`exports`").then(|| {
        format!(
            "it is in scope by its name: `impl {} for …`",
            resource.trait_name
        )
    })
}

fn is_handle(scope: &Scope, name: &str) -> bool {
    let line = format!("pub struct {name}; // a handle");
    let sources = [&scope.surface.types, &scope.surface.imports];
    sources
        .into_iter()
        .flat_map(|source| source.lines())
        .any(|own| own.trim() == line)
}

/// A handle's bindings have a private field, whose type is none of the scope's.
pub(super) fn seal_handles(diagnostic: &mut Diagnostic) {
    for span in &mut diagnostic.spans {
        let handle = span.label.as_deref().and_then(|label| {
            let (expected, _) = two_types(label)
                .or_else(|| Some((label.strip_prefix("expected `")?.split('`').next()?, "")))?;
            expected.strip_prefix("Resource<")?.strip_suffix('>')
        });
        if let Some(handle) = handle {
            let handle = last(handle).to_owned();
            span.label = Some("a handle cannot be made of a number".to_owned());
            diagnostic.message = format!("the fields of `{handle}` are private");
            diagnostic.help.clear();
            diagnostic.help.push(format!(
                "`{handle}` is a handle: only granted functions make one"
            ));
            return;
        }
    }
}

/// Takes out errors that another one brings with it: a function that does not fit an adapter of an iterator leaves the
/// adapter without its methods.
pub(super) fn drop_consequences(findings: &mut Vec<Finding>) {
    let misfits: Vec<u32> = findings
        .iter()
        .filter(|finding| finding.diagnostic.code.as_deref() == Some("E0631"))
        .filter_map(|finding| line(&finding.diagnostic))
        .collect();
    findings.retain(|finding| {
        let diagnostic = &finding.diagnostic;
        let follows = diagnostic.code.as_deref() == Some("E0599")
            && diagnostic
                .message
                .contains("its trait bounds were not satisfied")
            && diagnostic
                .help
                .iter()
                .any(|line| line.contains("as FnOnce<"));
        !(follows && line(diagnostic).is_some_and(|at| misfits.iter().any(|misfit| *misfit <= at)))
    });
}

fn line(diagnostic: &Diagnostic) -> Option<u32> {
    let primary = diagnostic.spans.iter().find(|span| span.primary);
    primary.map(|span| span.start.line)
}

/// Takes out the note on two types that a label names already. And a closure that rustc suggests around a function is
/// completed where it leaves a place for what it has: a `&String` is taken where `&str` is wanted.
pub(super) fn drop_repetitions(diagnostic: &mut Diagnostic) {
    for line in &mut diagnostic.help {
        if line.contains("|arg0: &String|") {
            *line = line.replace("/* &str */", "arg0");
        }
    }
    let said: Vec<(String, String)> = diagnostic
        .spans
        .iter()
        .filter_map(|span| two_types(span.label.as_deref()?))
        .map(|(expected, found)| (bare(expected), bare(found)))
        .collect();
    diagnostic.help.retain(|line| {
        let quoted: Vec<&str> = line.split('`').skip(1).step_by(2).collect();
        let is_note = line.trim_start().starts_with("expected ") && line.contains("\n");
        let ([expected, found], true) = (quoted.as_slice(), is_note) else {
            return true;
        };
        let (expected, found) = (bare(expected), bare(found));
        let mut said = said.iter();
        !said.any(|(one, other)| is_short_for(&expected, one) && is_short_for(&found, other))
    });
}

/// Whether a type is another one, perhaps with `_` for some of its parts.
fn is_short_for(short: &str, ty: &str) -> bool {
    let parts: Vec<&str> = short.split('_').collect();
    let [first, middle @ .., last] = parts.as_slice() else {
        return short == ty;
    };
    let Some(mut rest) = ty.strip_prefix(first) else {
        return false;
    };
    for part in middle {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// A type without the references around it, lifetimes that are not named, and modules, which a label may leave out.
fn bare(ty: &str) -> String {
    let ty = ty.replace("'static ", "").replace("'_ ", "");
    let mut short = String::new();
    for part in ty.trim_start_matches('&').split("::") {
        // What stands before `::` ends in the name of a module.
        let end = short
            .trim_end_matches(|c: char| c.is_alphanumeric() || c == '_')
            .len();
        short.truncate(end);
        short.push_str(part);
    }
    short
}

/// What a whole text looks like that is no code as it stands, though each of its lines holds some.
pub(super) fn of_text(text: &str) -> Option<&'static str> {
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let numbers: Vec<u32> = lines().filter_map(number).collect();
    if numbers.len() > 1
        && numbers.len() == lines().count()
        && numbers.windows(2).all(|pair| pair[0] < pair[1])
    {
        return Some("the lines start with line numbers: write the code without them");
    }
    let starts = |mark: &str| lines().any(|line| line.starts_with(mark));
    if starts("@@ ") || (starts("+") && starts("-")) {
        return Some(
            "this looks like a patch: write the whole code, without `+` and `-` before its lines",
        );
    }
    if ["-&gt;", "=&gt;", "Vec&lt;", "&amp;&amp;"]
        .iter()
        .any(|mark| text.contains(mark))
    {
        return Some("`&gt;`, `&lt;` and `&amp;` are HTML: write `>`, `<` and `&`");
    }
    lines()
        .any(is_left_out)
        .then_some("`...` is no code: nothing can be left out, write the whole code")
}

/// Where text was left out (`...`) rustc speaks of ranges. What it says of such lines is one finding, without that advice.
pub(super) fn left_out_once(text: &str, findings: &mut Vec<Finding>) {
    let lines: Vec<&str> = text.lines().collect();
    let mut told = false;
    findings.retain_mut(|finding| {
        let at = line(&finding.diagnostic).and_then(|at| lines.get(at.checked_sub(1)? as usize));
        if !at.is_some_and(|at| is_left_out(at)) {
            return true;
        }
        finding.diagnostic.help.clear();
        !std::mem::replace(&mut told, true)
    });
}

fn is_left_out(line: &str) -> bool {
    matches!(line.trim(), "..." | "…" | "[...]")
}

/// The number that a line starts with, as listings have them: `12 | code`, `12: code`, `12  code`.
fn number(line: &str) -> Option<u32> {
    let line = line.trim_start();
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = &line[digits..];
    let is_mark = rest.is_empty()
        || rest.starts_with(['|', ':', '\t', '│'])
        || rest.starts_with(" |")
        || rest.starts_with("  ")
        || rest.starts_with(" │");
    if is_mark {
        line[..digits].parse().ok()
    } else {
        None
    }
}

fn last(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listings_and_patches_are_known_by_all_their_lines() {
        let numbers = Some("the lines start with line numbers: write the code without them");
        assert_eq!(of_text("1 | fn f() {\n2 |\n3 | }\n"), numbers);
        assert_eq!(of_text("  9: a\n 10: b\n"), numbers);
        assert_eq!(of_text("1\n"), None);
        assert_eq!(of_text("1 | 2\nlet a = 1;\n"), None);
        assert_eq!(of_text("2 | 1\n1 | 2\n"), None);
        assert!(of_text("-a\n+b\n").is_some_and(|line| line.contains("patch")));
        assert_eq!(of_text("a\n    - b\n    + c\n"), None);
        assert!(of_text("fn f() {\n    ...\n}\n").is_some_and(|line| line.contains("left out")));
    }

    #[test]
    fn types_are_compared_without_their_references() {
        let note = "expected reference `&a::Item`\n   found reference `&'static b::Item`";
        let mut diagnostic = Diagnostic::error("x", "mismatched types")
            .help(note)
            .help("consider `a::Item`")
            .at(crate::diagnostic::Span::of_bytes("x", 0..1)
                .labelled("expected `a::Item`, found `b::Item`"));
        drop_repetitions(&mut diagnostic);
        assert_eq!(diagnostic.help, ["consider `a::Item`"]);
        diagnostic.help = vec![note.replace("b::Item", "b::Other")];
        drop_repetitions(&mut diagnostic);
        assert_eq!(diagnostic.help.len(), 1);
        assert!(is_short_for("(u8, _, _)", "(u8, char, bool)"));
        assert!(is_short_for("my_type", "my_type"));
        assert!(!is_short_for("(u8, _)", "(u16, char)"));
    }
}
