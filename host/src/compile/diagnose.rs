//! Diagnose: turns what the compiler says into what the author of the snippet should read.
//!
//! Only places in the snippet are shown, in its own coordinates. What the compiler says about the generated code around
//! it becomes words about the snippet's signature; what names files, crates to add or macros of ours is dropped.

use super::finding::{Edit, Finding, byte_of, end_of};
use super::message::{Message, MessageSpan};
use super::{signature, suggest, variants};
use crate::diagnostic::{Diagnostic, Level, Position, Span};
use crate::layer::{self, Layer};
use crate::scope::Scope;
use crate::snippet::{Form, Snippet};

/// File name that the compiler knows the snippet by.
const SNIPPET_FILE: &str = "snippet.rs";

/// Longest text of a suggestion that is shown in a line of help, in characters.
const LONGEST_SUGGESTION: usize = 200;

/// Advice that can't be followed in a hole, and notes about what only the host can see.
const USELESS: [&str; 36] = [
    "if you import ",
    "cargo add",
    "cargo",
    "Cargo.toml",
    "extern crate",
    "--extern",
    "-Z",
    "rustup",
    "rustc --explain",
    "nightly",
    "missing a crate",
    "unlinked crate",
    "add a dependency",
    "this error originates in",
    "in this macro invocation",
    "$crate",
    "long-type",
    "full name for the type",
    "--verbose",
    "std::fs",
    "std::env",
    "std::net",
    "lacuna_rt",
    "requested on the command line",
    "on by default",
    "doc.rust-lang.org",
    // Lists of what has the trait that is missing: long, and nothing in them can be used at this place.
    "the following other types implement",
    // `vec!["a", 3]` is a list with a wrong element far more often than a vector of three.
    "replace the comma with a semicolon to create a vector",
    // The `std` of a hole is a crate around the real one, and both have that name.
    "different versions of crate",
    // The lints of a hole cannot be allowed.
    "safely allow the lint",
    "set on command line",
    "wrap the attribute in `unsafe",
    "the linker's behavior",
    "requires unsafe code or restructuring",
    "see issue #",
    "for more information, see",
];

/// Where names of the snippet's scope and its own items stand in the generated crate. rustc writes them out where it does
/// not shorten paths; in the snippet they are written bare.
const GLUE_PATHS: [&str; 5] = [
    "bindings::scope::",
    "scope::",
    "crate::snippet::",
    "hole::snippet::",
    "snippet::",
];

/// What makes the words of a finding. Kept verdicts hold findings, and another wording must not be answered with them.
pub(super) const WORDING: [&str; 4] = [
    include_str!("diagnose.rs"),
    include_str!("signature.rs"),
    include_str!("suggest.rs"),
    include_str!("variants.rs"),
];

/// Everything that is needed to read a message.
pub(super) struct Context<'a> {
    pub(super) scope: &'a Scope,
    pub(super) snippet: &'a Snippet,
    /// Folders of this machine that no text may name.
    pub(super) roots: &'a [String],
}

/// Where a span lies.
enum Place {
    /// In the text.
    Text(Span),
    /// In the line or header of ours before the text.
    Before,
    /// In the glue behind the text, in the root, in the bindings or in std.
    Outside,
}

/// The findings in the compiler's messages.
pub(super) fn findings(context: &Context<'_>, messages: &[Message]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut about_glue = Vec::new();
    for message in messages {
        match read(context, message) {
            Read::Finding(finding) => findings.push(finding),
            Read::Glue => about_glue.push(message),
            Read::Nothing => {}
        }
    }
    findings.extend(signature::findings(
        context.scope,
        context.snippet,
        &about_glue,
        |span| match place(context, span) {
            Place::Text(span) => Some(span),
            Place::Before | Place::Outside => None,
        },
    ));
    if findings.is_empty() {
        findings.push(Finding::ours(
            "compiler-error",
            "the compiler refused this code and gave no place in it",
            None,
        ));
    }
    for finding in &mut findings {
        suggest::improve(context.scope, finding);
        let cases = variants::advice(context.scope, context.snippet, &finding.diagnostic);
        finding.diagnostic.help.extend(cases);
        clean(context, &mut finding.diagnostic);
    }
    causes_first(&mut findings);
    findings
}

/// A name that does not resolve has no type, and what is made from it has none either. That is no fault of its own where
/// it is told at or behind the name; before it (the `let` around a call over several lines) it is told last.
fn causes_first(findings: &mut Vec<Finding>) {
    let line = |finding: &Finding| {
        let primary = finding.diagnostic.spans.iter().find(|span| span.primary);
        primary.map(|span| span.start.line)
    };
    let Some(first) = findings
        .iter()
        .filter(|finding| suggest::is_unresolved(&finding.diagnostic))
        .filter_map(line)
        .min()
    else {
        return;
    };
    findings.retain(|finding| {
        !is_about_unknown_type(&finding.diagnostic) || line(finding).is_some_and(|at| at < first)
    });
    findings.sort_by_key(|finding| is_about_unknown_type(&finding.diagnostic));
}

/// Whether an error is one that a value of unknown type brings with it.
fn is_about_unknown_type(diagnostic: &Diagnostic) -> bool {
    match diagnostic.code.as_deref() {
        Some("E0282" | "E0283") => true,
        // `path` in `read_text(&path)`, if nothing else is known of it.
        Some("E0599") => {
            let mut help = diagnostic.help.iter();
            let mut labels = diagnostic
                .spans
                .iter()
                .filter_map(|span| span.label.as_ref());
            help.any(|line| line.contains("`str: Sized`"))
                || labels.any(|label| label.contains("<str>") || label.contains("<str,"))
        }
        Some("E0277") => {
            let size = ["`str`", "`[_]`"].map(|ty| format!("the size for values of type {ty}"));
            size.iter()
                .any(|start| diagnostic.message.starts_with(start.as_str()))
        }
        _ => false,
    }
}

/// Findings of a compiler that stopped before it listed its files: a macro call that no rule matches ends it so. None of
/// its words are used, only places, and only those that lie in the snippet.
pub(super) fn early_findings(context: &Context<'_>, messages: &[Message]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for message in messages.iter().filter(|message| message.level == "error") {
        let direct = |span: &&MessageSpan| span.is_primary && span.file_name == SNIPPET_FILE;
        let Some(span) = message.spans.iter().find(direct) else {
            continue;
        };
        if let Place::Text(span) = place(context, span) {
            findings.push(Finding::ours(
                "macro-input",
                "the code cannot be read from here: no rule of the macro accepts this token, or a literal or bracket is not closed",
                Some(Span { label: None, ..span }),
            ));
        }
    }
    if findings.is_empty() {
        findings.push(input());
    }
    findings
}

/// The one thing that is said when the compiler may have opened another file.
pub(super) fn input() -> Finding {
    Finding::ours(
        "compiler-input",
        "rejected: the code must stand alone, it cannot make the compiler open files",
        None,
    )
}

enum Read {
    Finding(Finding),
    Glue,
    Nothing,
}

fn read(context: &Context<'_>, message: &Message) -> Read {
    let level = match message.level.as_str() {
        "warning" => Level::Warning,
        level if level.starts_with("error") => Level::Error,
        _ => return Read::Nothing,
    };
    if message.spans.is_empty() {
        // "aborting due to 2 previous errors", and faults that name files.
        return Read::Nothing;
    }
    let mut spans: Vec<Span> = Vec::new();
    let mut before: Vec<&MessageSpan> = Vec::new();
    for span in &message.spans {
        match place(context, span) {
            Place::Text(found) if !spans.contains(&found) => spans.push(found),
            Place::Text(_) | Place::Outside => {}
            Place::Before => before.push(span),
        }
    }
    let has_primary = spans.iter().any(|span| span.primary);
    let header = before.iter().find(|span| span.is_primary);
    let mut help = Vec::new();
    if let (false, Some(header), Form::Body) = (has_primary, header, context.snippet.form) {
        // The header is ours, the body is not: "implicitly returns `()`" is about its last expression.
        spans.insert(0, last_line(&context.snippet.text, header.label.clone()));
        help.extend(
            before
                .iter()
                .filter(|span| !span.is_primary)
                .filter_map(|span| span.label.clone()),
        );
    } else if !has_primary {
        return if level == Level::Error {
            Read::Glue
        } else {
            Read::Nothing
        };
    }
    spans.sort_by_key(|span| !span.primary);
    let mut finding = Finding {
        diagnostic: Diagnostic {
            code: message.code.as_ref().map(|code| code.code.clone()),
            level,
            message: message.message.clone(),
            spans,
            help,
            fix: None,
            rendered: String::new(),
        },
        edits: Vec::new(),
    };
    for child in &message.children {
        add_child(context, &mut finding, child);
    }
    Read::Finding(finding)
}

/// A note or a help text: a line of advice, a second place, or a suggestion.
fn add_child(context: &Context<'_>, finding: &mut Finding, child: &Message) {
    if !is_useful(&child.message) {
        return;
    }
    let suggests = |span: &&MessageSpan| span.suggested_replacement.is_some();
    let suggested: Vec<&MessageSpan> = child.spans.iter().filter(suggests).collect();
    if suggested.is_empty() {
        let places: Vec<Span> = child
            .spans
            .iter()
            .filter_map(|span| match place(context, span) {
                Place::Text(span) if span.primary => Some(span),
                _ => None,
            })
            .collect();
        if let Some(place) = places.into_iter().next() {
            finding.diagnostic.spans.push(Span {
                label: Some(child.message.clone()),
                primary: false,
                ..place
            });
        } else if child.spans.is_empty() || !child.message.ends_with("here") {
            finding.diagnostic.help.push(child.message.clone());
        }
        return;
    }
    let mut edits = Vec::new();
    for span in &suggested {
        let Place::Text(at) = place(context, span) else {
            // A suggestion that also changes code of ours is none.
            return;
        };
        if span.expansion.is_some() {
            return;
        }
        edits.push(Edit {
            start: at.start,
            end: at.end,
            replacement: span.suggested_replacement.clone().unwrap_or_default(),
        });
    }
    if edits.iter().any(|edit| !is_useful(&edit.replacement)) {
        return;
    }
    let text = suggestion_text(&context.snippet.text, &child.message, &edits);
    finding.diagnostic.help.extend(text);
    let by_machine = suggested
        .iter()
        .all(|span| span.suggestion_applicability.as_deref() == Some("MachineApplicable"));
    if by_machine {
        finding.set_edits(edits);
    }
}

/// `use a local: \`x\`` when one short replacement says it. Where the replacement is nothing or a mark (`&`), it says
/// nothing without its place: then the whole line as it would be, or no advice when it is more than a line.
fn suggestion_text(text: &str, message: &str, edits: &[Edit]) -> Option<String> {
    let [edit] = edits else {
        return Some(match edited_line(text, edits) {
            Some(line) => format!("{message}: `{line}`"),
            None => message.to_owned(),
        });
    };
    // An arm that is added behind another one starts with the comma of that.
    let replacement = edit.replacement.trim().trim_start_matches(", ");
    let adds_punctuation = !replacement.is_empty() && message.contains(replacement);
    if is_mark(replacement) && !adds_punctuation {
        return edited_line(text, edits).map(|line| format!("{message}: `{line}`"));
    }
    let short = replacement.chars().count() <= LONGEST_SUGGESTION && !replacement.contains('\n');
    Some(
        if short && !replacement.is_empty() && !message.contains(replacement) {
            format!("{message}: `{replacement}`")
        } else {
            message.to_owned()
        },
    )
}

/// Whether a replacement is nothing, or `&`, `*`, `?`, `&mut`.
fn is_mark(replacement: &str) -> bool {
    !replacement
        .replace("mut", "")
        .contains(|c: char| c.is_alphanumeric() || c == '_')
}

/// The one line that edits change, as it would be.
fn edited_line(text: &str, edits: &[Edit]) -> Option<String> {
    let number = edits.first()?.start.line;
    let one = |edit: &Edit| {
        edit.start.line == number && edit.end.line == number && !edit.replacement.contains('\n')
    };
    if !edits.iter().all(one) {
        return None;
    }
    let line = text.lines().nth(number.checked_sub(1)? as usize)?;
    let start = byte_of(
        text,
        Position {
            line: number,
            column: 1,
        },
    )?;
    let mut line = line.to_owned();
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|edit| std::cmp::Reverse((edit.start, edit.end)));
    for edit in edits {
        let from = byte_of(text, edit.start)?.checked_sub(start)?;
        let to = byte_of(text, edit.end)?.checked_sub(start)?;
        line.get(from..to)?;
        line.replace_range(from..to, &edit.replacement);
    }
    let line = line.trim();
    (!line.is_empty() && line.chars().count() <= LONGEST_SUGGESTION).then(|| line.to_owned())
}

/// Whether advice is about something that exists for a snippet.
fn is_useful(text: &str) -> bool {
    !layer::stands(Layer::Spans)
        || !USELESS.iter().any(|words| text.contains(words)) && !names_a_path(text)
}

/// Whether a text holds what looks like an absolute path (`/usr`), which no advice about a snippet needs.
fn names_a_path(text: &str) -> bool {
    let mut before = ' ';
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let starts_word = before.is_whitespace() || "`'\"(=".contains(before);
        if character == '/'
            && starts_word
            && characters
                .peek()
                .is_some_and(|next| next.is_alphanumeric() || *next == '.')
        {
            return true;
        }
        before = character;
    }
    false
}

/// Where a span lies; a span inside a macro of ours or of std counts as the place of the call.
fn place(context: &Context<'_>, span: &MessageSpan) -> Place {
    let mut span = span;
    let label = span.label.clone();
    let primary = span.is_primary;
    while layer::stands(Layer::Spans) && span.file_name != SNIPPET_FILE {
        let Some(expansion) = &span.expansion else {
            return Place::Outside;
        };
        span = &expansion.span;
    }
    let before = context.snippet.lines_before;
    let last = end_of(&context.snippet.text);
    if span.file_name != SNIPPET_FILE {
        // Only without the layer of spans: a place that is not the snippet's, with what is said of it.
        return Place::Text(Span {
            start: Position { line: 1, column: 1 },
            end: Position { line: 1, column: 1 },
            label: Some(format!(
                "{} in {}",
                label.unwrap_or_default(),
                span.file_name
            )),
            primary,
        });
    }
    if span.line_start <= before {
        return Place::Before;
    }
    let start = Position {
        line: span.line_start - before,
        column: span.column_start,
    };
    let end = Position {
        line: span.line_end.saturating_sub(before),
        column: span.column_end,
    };
    if start > last {
        return Place::Outside;
    }
    Place::Text(Span {
        start,
        end: end.clamp(start, last),
        label: label.filter(|label| is_useful(label)),
        primary,
    })
}

/// The last line of a text that is not blank.
fn last_line(text: &str, label: Option<String>) -> Span {
    let trimmed = text.trim_end();
    let end = end_of(trimmed);
    Span {
        start: Position {
            line: end.line,
            column: 1,
        },
        end,
        label,
        primary: true,
    }
}

/// Takes out what names folders of this machine. (`diagnostic::finish` escapes control characters.)
fn clean(context: &Context<'_>, diagnostic: &mut Diagnostic) {
    if !layer::stands(Layer::Spans) {
        return;
    }
    let clean = |text: &mut String| {
        if context
            .roots
            .iter()
            .any(|root| text.contains(root.as_str()))
        {
            *text = "(left out: it names files of the host)".to_owned();
        }
        *text = without_glue(text);
    };
    clean(&mut diagnostic.message);
    diagnostic.help.iter_mut().for_each(clean);
    for span in &mut diagnostic.spans {
        span.label.iter_mut().for_each(clean);
    }
    let mut seen = std::collections::HashSet::new();
    diagnostic.help.retain(|line| seen.insert(line.clone()));
}

/// A text without the paths of generated modules and without places in the file around the snippet.
fn without_glue(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let within_name = kept.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
        let glue = GLUE_PATHS.iter().find_map(|path| rest.strip_prefix(path));
        if let (false, Some(behind)) = (within_name, glue) {
            rest = behind;
        } else if let Some((_, behind)) = rest
            .strip_prefix("@snippet.rs:")
            .and_then(|place| place.split_once('}'))
        {
            // `{closure@snippet.rs:3:1: 3:9}`: the same closure is pointed at in the picture.
            kept.push('}');
            rest = behind;
        } else {
            kept.push(next);
            rest = &rest[next.len_utf8()..];
        }
    }
    kept
}
