//! Diagnose: turns what the compiler says into what the author of the snippet should read.
//!
//! Only places in the snippet are shown, in its own coordinates. What the compiler says about the generated code around
//! it becomes words about the snippet's signature; what names files, crates to add or macros of ours is dropped.

use super::finding::{Finding, byte_of, end_of};
use super::message::{Message, MessageSpan};
use super::noise::is_useful;
use super::{
    advice, casts, causes, clean, copied, repetitions, signature, suggest, suggestion, variants,
};
use crate::diagnostic::{Diagnostic, Level, Position, Span};
use crate::layer::{self, Layer};
use crate::scope::Scope;
use crate::snippet::{Form, Snippet};

/// File name that the compiler knows the snippet by.
pub(super) const SNIPPET_FILE: &str = "snippet.rs";

/// Most findings that advice is written for; the first 64 are shown.
const MOST_ADVISED: usize = 128;

/// Most findings whose notes and suggestions are read.
const MOST_READ: usize = 1024;

/// The names of other files in messages: std's own as its metadata tell, and the root on standard input.
const STD_FILES: &str = "/rustc/";
const ROOT_FILE: &str = "<anon>";

/// What makes the words and the edits of a finding. Kept verdicts hold findings, and others must not be answered with them.
pub(super) const WORDING: [&str; 31] = [
    include_str!("advice.rs"),
    include_str!("ambient.rs"),
    include_str!("borrows.rs"),
    include_str!("casts.rs"),
    include_str!("causes.rs"),
    include_str!("clean.rs"),
    include_str!("conversions.rs"),
    include_str!("copied.rs"),
    include_str!("derives.rs"),
    include_str!("diagnose.rs"),
    include_str!("early.rs"),
    include_str!("floats.rs"),
    include_str!("granted.rs"),
    include_str!("habits.rs"),
    include_str!("handles.rs"),
    include_str!("inference.rs"),
    include_str!("message.rs"),
    include_str!("methods.rs"),
    include_str!("noise.rs"),
    include_str!("numbers.rs"),
    include_str!("operands.rs"),
    include_str!("repair.rs"),
    include_str!("repetitions.rs"),
    include_str!("signature.rs"),
    include_str!("spelling.rs"),
    include_str!("suggest.rs"),
    include_str!("suggestion.rs"),
    include_str!("symbols.rs"),
    include_str!("texts.rs"),
    include_str!("traits.rs"),
    include_str!("variants.rs"),
];

/// Everything that is needed to read a message.
pub(super) struct Context<'a> {
    pub(super) scope: &'a Scope,
    pub(super) snippet: &'a Snippet,
    /// Folders of this machine that no text may name.
    pub(super) roots: &'a [String],
}

impl<'a> Context<'a> {
    /// The snippet's text at a place.
    pub(super) fn text_at(&self, span: &Span) -> Option<&'a str> {
        let text = &self.snippet.text;
        text.get(byte_of(text, span.start)?..byte_of(text, span.end)?)
    }

    /// The snippet's text at the first place of a diagnostic.
    pub(super) fn primary_text(&self, diagnostic: &Diagnostic) -> Option<&'a str> {
        self.text_at(diagnostic.primary()?)
    }
}

/// Where a span lies.
pub(super) enum Place {
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
        let with_children = findings.len() < MOST_READ;
        match read(context, message, with_children) {
            Read::Finding(finding) => findings.push(finding),
            Read::Glue => about_glue.push(message),
            Read::Nothing => {}
        }
    }
    let alone = !findings
        .iter()
        .any(|finding| finding.diagnostic.level == Level::Error);
    findings.extend(signature::findings(
        context.scope,
        context.snippet,
        &about_glue,
        alone,
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
        clean::clean(context, &mut finding.diagnostic);
    }
    findings.sort_by_key(|finding| {
        let diagnostic = &finding.diagnostic;
        let start = diagnostic.primary().map(|span| span.start);
        (diagnostic.level != Level::Error, start.is_none(), start)
    });
    // Ten thousand errors fit into a snippet, and what is said about each looks at all of the text.
    let rest = findings.split_off(MOST_ADVISED.min(findings.len()));
    for finding in &mut findings {
        advice::add(context, finding);
        casts::fix(context, finding);
        suggest::improve(context, finding);
        variants::advise(context, &mut finding.diagnostic);
        repetitions::drop(&mut finding.diagnostic);
    }
    causes::only(context, &mut findings);
    copied::explain(&context.snippet.text, &mut findings);
    findings.extend(rest);
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

fn read(context: &Context<'_>, message: &Message, with_children: bool) -> Read {
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
    } else if !has_primary && level == Level::Error && message.spans.iter().any(is_elsewhere) {
        // Found while instances for the snippet's types were made: a value too large, a type too deep.
        help.push(
            "found in code that is made for the types of this snippet: make them smaller"
                .to_owned(),
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
    for child in message.children.iter().filter(|_| with_children) {
        suggestion::add(context, &mut finding, child);
    }
    let help = &mut finding.diagnostic.help;
    if help.iter().any(|line| line.starts_with(suggestion::IMPORT)) {
        help.retain(|line| !line.contains("with a similar name"));
    }
    Read::Finding(finding)
}

/// Whether the first place of a message lies in std itself or in the crate as a whole, and in no macro of the glue.
fn is_elsewhere(span: &MessageSpan) -> bool {
    let file = span.file_name.as_str();
    span.is_primary
        && span.expansion.is_none()
        && (file == ROOT_FILE || file.starts_with(STD_FILES))
}

/// Where a span lies; a span inside a macro of ours or of std counts as the place of the call.
pub(super) fn place(context: &Context<'_>, span: &MessageSpan) -> Place {
    let mut span = span;
    let label = span.label.clone();
    let primary = span.is_primary;
    while layer::stands(Layer::Spans) && span.file_name != SNIPPET_FILE {
        let Some(expansion) = &span.expansion else {
            return Place::Outside;
        };
        span = &expansion.span;
    }
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
    let position = |line, column| context.snippet.position(line, column);
    let Some(start) = position(span.line_start, span.column_start) else {
        return Place::Before;
    };
    let end = position(span.line_end, span.column_end).unwrap_or(start);
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
