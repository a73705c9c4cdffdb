//! Inference: types that the compiler cannot find out, and the place where the author says them.

use super::diagnose::Context;
use super::finding::{Edit, Finding, byte_of};
use super::numbers;
use super::suggestion::edited_line;
use crate::diagnostic::{Diagnostic, Position};

/// What a chain ends in that can have any type.
const OPEN_ENDS: [&str; 5] = [".sum()", ".product()", ".collect()", ".parse()", ".into()"];

/// Advice for "type annotations needed". Where only one type can be meant it is a fix.
pub(super) fn advise(context: &Context<'_>, finding: &mut Finding) -> Vec<String> {
    let diagnostic = &finding.diagnostic;
    let satisfied = |line: &str| -> Option<String> {
        let (_, bound) = line.split_once("cannot satisfy `_: ")?;
        let (name, rest) = bound.split_once('<')?;
        let element = rest.strip_suffix(">`")?.trim_start_matches('&');
        ((name == "Sum" || name == "Product")
            && (numbers::is_integer(element) || numbers::is_float(element)))
        .then(|| element.to_owned())
    };
    if let Some(element) = diagnostic.help.iter().find_map(|line| satisfied(line)) {
        return of_sum(context, finding, &element);
    }
    let of_parse = (diagnostic.help.iter()).any(|line| line.contains("as FromStr>::Err"))
        || diagnostic
            .help
            .iter()
            .any(|line| line.contains("`_: FromStr`"));
    if of_parse {
        finding
            .diagnostic
            .help
            .retain(|line| !line.starts_with("cannot satisfy") && !line.contains("/* Type */"));
        return vec![
            "say what the text is parsed to: `.parse::<i64>()`, `.parse::<f64>()` or another type"
                .to_owned(),
        ];
    }
    let bare = diagnostic.help.is_empty();
    match open_end(context, diagnostic) {
        Some((name, end)) if bare => vec![format!(
            "`{name}` ends in `{end}`, which may be of any type: give it one where it is made, `let {name}: f64 = …`"
        )],
        _ => Vec::new(),
    }
}

/// `xs.iter().sum()` of numbers: its type is that of the numbers.
fn of_sum(context: &Context<'_>, finding: &mut Finding, element: &str) -> Vec<String> {
    finding.diagnostic.help.retain(|line| {
        !line.starts_with("cannot satisfy") && !line.starts_with("consider specifying the generic")
    });
    let text = context.snippet.text.as_str();
    let end = finding.diagnostic.primary().and_then(|span| {
        let name = context.text_at(span)?;
        let at = byte_of(text, span.end)?;
        let is_call = text.get(at..)?.starts_with('(');
        (["sum", "product"].contains(&name) && is_call).then_some(span.end)
    });
    let general = || vec![format!("say its type: `.sum::<{element}>()`")];
    let Some(end) = end else {
        return general();
    };
    let edit = insertion(end, &format!("::<{element}>"));
    let line = edited_line(text, std::slice::from_ref(&edit));
    finding.set_edits(vec![edit]);
    line.map_or_else(general, |line| vec![format!("say its type: `{line}`")])
}

fn insertion(at: Position, text: &str) -> Edit {
    Edit {
        start: at,
        end: at,
        replacement: text.to_owned(),
    }
}

/// A name in the text at the primary place that is bound without a type to a chain whose end has none either.
fn open_end<'a>(context: &Context<'a>, diagnostic: &Diagnostic) -> Option<(&'a str, &'static str)> {
    let at = context.primary_text(diagnostic)?;
    let before = byte_of(&context.snippet.text, diagnostic.primary()?.start)?;
    let before = context.snippet.text.get(..before)?;
    let names = at.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    names.filter(|name| !name.is_empty()).find_map(|name| {
        let (_, bound) = before.rsplit_once(&format!("let {name} = "))?;
        let (chain, _) = bound.split_once(';')?;
        let end = (OPEN_ENDS.iter()).find(|end| chain.trim_end().ends_with(*end))?;
        Some((name, *end))
    })
}

/// Parsed to nothing: the value is used nowhere that says its type, and an arm that leaves makes it `!`.
pub(super) fn of_never(message: &str) -> Option<&'static str> {
    message.starts_with("the trait bound `!: ").then_some(
        "nothing says the type of this value: name it, `.parse::<i64>()` for a text, `let x: T = …` for anything else",
    )
}

/// Whether an error is about a value of the type `!` that another one is the reason of.
pub(super) fn follows_from_never(cause: &Diagnostic, effect: &Diagnostic) -> bool {
    cause.message.starts_with("the trait bound `!: ")
        && !effect.message.starts_with("the trait bound `!: ")
        && effect.message.contains("`!`")
}
