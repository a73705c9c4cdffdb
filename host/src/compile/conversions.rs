//! Conversions: values that are right and have another form, borrowed for owned, single for paired. Where the types leave
//! only one way, and no value changes on it, it is a fix.

use super::advice;
use super::diagnose::Context;
use super::finding::{Edit, Finding, byte_of};
use super::suggestion::edited_line;
use super::{handles, numbers, variants};
use crate::diagnostic::{Diagnostic, Position, Span};

/// Advice for one finding, which may get a fix.
pub(super) fn advise(context: &Context<'_>, finding: &mut Finding) -> Vec<String> {
    match finding.diagnostic.code.as_deref() {
        Some("E0277") => of_chain(context, finding),
        Some("E0282" | "E0283") => {
            let help = &mut finding.diagnostic.help;
            let of_results = help
                .iter()
                .any(|line| line.contains("FromIterator<Result<"));
            if !of_results {
                return Vec::new();
            }
            help.retain(|line| !line.starts_with("consider specifying the generic argument"));
            vec!["collect the results into one: `.collect::<Result<Vec<_>, _>>()?`".to_owned()]
        }
        Some("E0053") => of_holder(context, &finding.diagnostic)
            .into_iter()
            .collect(),
        Some("E0308") => {
            if let Some((line, edit)) = text_in_pattern(context, &finding.diagnostic) {
                finding.set_edits(vec![edit]);
                return vec![line];
            }
            let mut lines = borrowed(context, finding);
            if lines.is_empty() {
                let diagnostic = &finding.diagnostic;
                lines.extend(
                    of_types(context, diagnostic).or_else(|| of_holder(context, diagnostic)),
                );
                if lines
                    .iter()
                    .any(|line| line.starts_with("it took its type"))
                {
                    finding.diagnostic.help.clear();
                }
            }
            lines
        }
        _ => Vec::new(),
    }
}

/// What a chain of iterators ends in: `collect`, `sum`, `product`.
fn of_chain(context: &Context<'_>, finding: &mut Finding) -> Vec<String> {
    let message = finding.diagnostic.message.clone();
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let [target, element] = quoted.as_slice() else {
        return Vec::new();
    };
    if message.contains("cannot be built from an iterator over") {
        finding.diagnostic.help.retain(|line| {
            !line.contains("FromIterator<") && !line.starts_with("for that trait implementation")
        });
        let of_map = ["HashMap<", "BTreeMap<"]
            .iter()
            .any(|map| target.starts_with(map));
        if of_map && !element.starts_with('(') {
            return vec![
                "a map is collected from pairs: `.map(|item| (key, value))` before it".to_owned(),
            ];
        }
        if element.starts_with("Result<") {
            return vec![
                "collect the results into one: `.collect::<Result<Vec<_>, _>>()?`".to_owned(),
            ];
        }
        let inner = target
            .split_once('<')
            .and_then(|(_, rest)| rest.strip_suffix('>'));
        return match (inner, element.trim_start_matches('&')) {
            (Some("String"), "str") => before(context, finding, ".map(|text| text.to_string())"),
            (Some(inner), owned) if inner == owned && element.starts_with('&') => {
                let depth = element.len() - owned.len();
                before(context, finding, &".cloned()".repeat(depth))
            }
            _ => Vec::new(),
        };
    }
    if message.contains("cannot be made by ") {
        let owned = element.trim_start_matches('&');
        if numbers::is_integer(target) && numbers::is_integer(owned) && owned != *target {
            let each = "*".repeat(element.len() - owned.len());
            return vec![format!(
                "convert each before: `.map(|x| {each}x as {target})`"
            )];
        }
        if owned == *target && element.starts_with("&&") {
            return before(context, finding, ".copied()");
        }
    }
    Vec::new()
}

/// A call that belongs before the method at the primary place.
fn before(context: &Context<'_>, finding: &mut Finding, call: &str) -> Vec<String> {
    let text = &context.snippet.text;
    let dot = finding.diagnostic.primary().and_then(|span| {
        let at = byte_of(text, span.start)?.checked_sub(1)?;
        text.get(at..=at)
            .filter(|character| *character == ".")
            .map(|_| Position::of_byte(text, at))
    });
    let Some(dot) = dot else {
        return vec![format!("put `{call}` before it")];
    };
    let edit = insertion(dot, call);
    let line = edited_line(text, std::slice::from_ref(&edit));
    finding.set_edits(vec![edit]);
    vec![match line {
        Some(line) => format!("put `{call}` before it: `{line}`"),
        None => format!("put `{call}` before it"),
    }]
}

/// `format!(…)` and `vec![…]` where a reference is asked for: the compiler makes no suggestions at macro calls.
fn borrowed(context: &Context<'_>, finding: &mut Finding) -> Vec<String> {
    let text = &context.snippet.text;
    let of_call = |span: &Span| {
        let (expected, found) = advice::types_of(span.label.as_deref()?)?;
        let is_macro = (context.text_at(span)).is_some_and(|text| {
            ["format!(", "vec![", "concat!("]
                .iter()
                .any(|call| text.starts_with(call))
        });
        let fits = match expected {
            "&str" => found == "String",
            _ => expected.starts_with("&[") && found.starts_with("Vec<"),
        };
        (fits && is_macro).then(|| insertion(span.start, "&"))
    };
    let edits: Vec<Edit> = (finding.diagnostic.spans.iter())
        .filter_map(of_call)
        .collect();
    if edits.is_empty() {
        return Vec::new();
    }
    let line = edited_line(text, &edits);
    finding.add_edits(edits);
    line.map(|line| format!("borrow it: `{line}`"))
        .into_iter()
        .collect()
}

/// Pairs of types that rustc says nothing about.
fn of_types(context: &Context<'_>, diagnostic: &Diagnostic) -> Option<String> {
    let label = (diagnostic.spans.iter().filter(|span| span.primary))
        .find_map(|span| span.label.as_deref())?;
    if let Some((expected, "integer" | "floating-point number")) = label
        .strip_prefix("expected `")
        .and_then(|rest| rest.split_once("`, found "))
        && expected.starts_with('&')
        && diagnostic.help.is_empty()
    {
        let depth = expected.len() - expected.trim_start_matches('&').len();
        return Some(format!(
            "the other side is a reference: put `{}` before it",
            "*".repeat(depth)
        ));
    }
    if let Some((expected, "integer" | "floating-point number")) = label
        .strip_prefix("expected `")
        .and_then(|rest| rest.split_once("`, found "))
        && (expected.starts_with("Option<") || expected.starts_with("Result<"))
        && is_compared(context, diagnostic)
    {
        return Some(
            "it may be missing: take it out before it is compared, `.copied().unwrap_or(0)` of what a map gives, `match` or \
             `.is_some_and(|n| …)`"
                .to_owned(),
        );
    }
    let (expected, found) = advice::expected_and_found(&diagnostic.spans)?;
    let list_of_text = |ty: &str| ty.contains("[&str") || ty.contains("Vec<&str>");
    if expected.contains("String") && list_of_text(found) {
        let collected =
            (context.primary_text(diagnostic)).is_some_and(|text| text.contains(".collect"));
        return Some(if collected {
            "own each text: `.map(str::to_owned)` before `.collect()`".to_owned()
        } else {
            "own each text: `.iter().map(|text| text.to_string()).collect::<Vec<_>>()`".to_owned()
        });
    }
    if (expected, found) == ("Option<&str>", "Option<String>")
        && advice::has_label(diagnostic, "expected due to this value")
    {
        return Some(
            "it took its type from where it is lent: make it an `Option<String>`, `let mut x: Option<String> = None`, and lend \
             it with `x.as_deref()`"
                .to_owned(),
        );
    }
    if expected == "&[u8]" && ["String", "&String", "&str"].contains(&found) {
        return Some("a text is lent as bytes by `.as_bytes()`".to_owned());
    }
    if (expected, found) == ("&str", "char") {
        return (!diagnostic
            .help
            .iter()
            .any(|line| line.contains("double quotes")))
        .then(|| {
            "a character is appended by `.push(c)`; as a text it is `&c.to_string()`".to_owned()
        });
    }
    if expected == "&str" && (numbers::is_integer(found) || numbers::is_float(found)) {
        return Some("make text of it: `&value.to_string()`, or `format!(\"{value}\")`".to_owned());
    }
    if expected == "Option<String>" && ["&str", "String"].contains(&found) {
        let own = if found == "&str" { ".to_string()" } else { "" };
        let said = (diagnostic.help.iter()).any(|line| line.starts_with("try wrapping"));
        return (!said).then(|| {
            format!(
                "it may be missing: `Some(…{own})` where there is one, `None` where there is none"
            )
        });
    }
    if numbers::is_integer(expected) && numbers::is_float(found) {
        return Some(format!(
            "`as {expected}` cuts off the fraction, `.round() as {expected}` rounds"
        ));
    }
    let numbers = (numbers::is_integer(expected) && numbers::is_integer(found))
        || (numbers::is_float(expected)
            && (numbers::is_float(found) || numbers::is_integer(found)));
    (numbers && diagnostic.help.is_empty()).then(|| as_number(context, diagnostic, expected))
}

/// Whether the primary place stands behind an operator that compares.
fn is_compared(context: &Context<'_>, diagnostic: &Diagnostic) -> bool {
    let text = context.snippet.text.as_str();
    let before = (diagnostic.primary()).and_then(|span| text.get(..byte_of(text, span.start)?));
    let before = before.unwrap_or_default().trim_end();
    let arrow = before.ends_with("=>") || before.ends_with("->");
    let compares = ["==", "!=", "<=", "<", ">", ">="];
    !arrow && compares.iter().any(|operator| before.ends_with(operator))
}

/// `xs.len() as u32`. Where a field is written by its name alone it needs the name of the field too.
fn as_number(context: &Context<'_>, diagnostic: &Diagnostic, ty: &str) -> String {
    let value = (context.primary_text(diagnostic)).filter(|text| {
        let simple = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '(' | ')');
        !text.is_empty() && text.chars().all(simple)
    });
    match value {
        Some(value) if is_shorthand(context, diagnostic) => {
            format!("convert it: `{value}: {value} as {ty}`")
        }
        Some(value) => format!("convert it: `{value} as {ty}`"),
        None => format!("convert it: `(…) as {ty}`"),
    }
}

/// Whether the primary place is a name alone within the braces of a struct: `Sample { mean, n: 1 }`.
pub(super) fn is_shorthand(context: &Context<'_>, diagnostic: &Diagnostic) -> bool {
    let text = context.snippet.text.as_str();
    let place = diagnostic
        .primary()
        .and_then(|span| Some((byte_of(text, span.start)?, byte_of(text, span.end)?)));
    let Some((start, end)) = place else {
        return false;
    };
    let (before, behind) = (text[..start].trim_end(), text[end..].trim_start());
    let of_name = |c: char| c.is_alphanumeric() || c == '_';
    let is_name = text[start..end].chars().all(of_name);
    if !is_name || !before.ends_with(['{', ',']) || !behind.starts_with([',', '}']) {
        return false;
    }
    let mut depth = 0_i32;
    let open = before.char_indices().rev().find(|(_, c)| {
        match c {
            ')' | ']' | '}' => depth += 1,
            '(' | '[' | '{' => depth -= 1,
            _ => {}
        }
        depth < 0
    });
    // A block has a keyword, a value or a type in lower case before its brace, and a constant has capitals only.
    let Some((at, '{')) = open else {
        return false;
    };
    let owner = text[..at].trim_end();
    let owner = owner.rsplit(|c| !of_name(c)).next().unwrap_or(owner);
    owner.starts_with(char::is_uppercase)
        && (owner.len() == 1 || owner.contains(char::is_lowercase))
}

/// A `String` that is matched with literals, or an `Option<String>` with `Some("…")`.
fn text_in_pattern(context: &Context<'_>, diagnostic: &Diagnostic) -> Option<(String, Edit)> {
    let (expected, found) = advice::expected_and_found(&diagnostic.spans)?;
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
    let line = edited_line(&context.snippet.text, std::slice::from_ref(&edit))?;
    Some((format!("literals are `&str`: `{line}`"), edit))
}

/// What is held by, lent as or made into what is asked for, at any place that names two types.
fn of_holder(context: &Context<'_>, diagnostic: &Diagnostic) -> Option<String> {
    let mut labels = diagnostic
        .spans
        .iter()
        .filter_map(|span| span.label.as_deref());
    let (expected, found) = labels.find_map(advice::types_of)?;
    let references = |expected: &str| {
        let item = expected.strip_prefix("&[")?.strip_suffix(']')?;
        let item = item.strip_prefix('&')?;
        is_list_of(found.trim_start_matches('&'), item).then_some(())
    };
    if references(expected).is_some() {
        return Some(
            "it takes a list of references: `&list.iter().collect::<Vec<_>>()`".to_owned(),
        );
    }
    let last = |ty: &str| {
        let ty = ty.trim_start_matches('&');
        ty.rsplit("::").next().unwrap_or(ty).to_owned()
    };
    let (wanted, given) = (last(expected), last(found));
    if handles::behind(context, &wanted) == Some(found) {
        return Some(format!(
            "`{wanted}` is the handle: `{wanted}::new(…)` makes one of a `{given}`"
        ));
    }
    let wraps =
        |line: &String| line.starts_with("try wrapping") && line.contains(&format!("{wanted}::"));
    if diagnostic.help.iter().any(wraps) {
        return None;
    }
    variants::carrier(context, &wanted, &given).or_else(|| of_slice(diagnostic, expected, found))
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

fn insertion(at: Position, text: &str) -> Edit {
    Edit {
        start: at,
        end: at,
        replacement: text.to_owned(),
    }
}
