//! Diagnose: turns what the compiler says into what the author of the snippet should read.
//!
//! Only places in the snippet are shown, in its own coordinates. What the compiler says about the generated code around
//! it becomes words about the snippet's signature; what names files, crates to add or macros of ours is dropped.

use super::finding::{Edit, Finding, byte_of, end_of};
use super::message::{Expansion, Message, MessageSpan};
use super::{advice, clean, handles, signature, suggest, suggestion, variants};
use crate::diagnostic::{Diagnostic, Level, Position, Span};
use crate::layer::{self, Layer};
use crate::scope::Scope;
use crate::snippet::{Form, Snippet};

/// File name that the compiler knows the snippet by.
const SNIPPET_FILE: &str = "snippet.rs";

/// Places with one and the same note that are shown.
const MOST_ALIKE: usize = 2;

/// Advice that can't be followed in a hole, and notes about what only the host can see.
const USELESS: [&str; 49] = [
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
    "the following types implement",
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
    // Said better by our own advice, or of no use to anyone but the author of a compiler.
    "uncovered type parameters",
    "avoid undefined behavior",
    "mutable statics can be mutated",
    "see issue #",
    "for more information, see",
    "impl doesn't have any local type",
    // Any trait that has a function of this name, whatever it is for.
    "perhaps you need to implement it",
    "only be used if the trait is implemented and in scope",
    // It is followed by the advice to give back an owned value, which is the right one.
    "consider using the `'static` lifetime",
    "consult the function's documentation",
    "lang item is first defined",
    "second definition in the local crate",
    "overridden link sections",
    // An inner attribute, which the screen refuses.
    "recursion_limit",
];

/// The names of other files in messages: std's own as its metadata tell, and the root on standard input.
const STD_FILES: &str = "/rustc/";
const ROOT_FILE: &str = "<anon>";

/// How the compiler's words on endless macros start. They are compared with, never shown.
const ENDLESS_MACRO: &str = "recursion limit reached while expanding ";

/// What makes the words of a finding. Kept verdicts hold findings, and another wording must not be answered with them.
pub(super) const WORDING: [&str; 9] = [
    include_str!("advice.rs"),
    include_str!("clean.rs"),
    include_str!("diagnose.rs"),
    include_str!("handles.rs"),
    include_str!("signature.rs"),
    include_str!("suggest.rs"),
    include_str!("suggestion.rs"),
    include_str!("symbols.rs"),
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
        advice::give(context.scope, context.snippet, finding);
        suggest::improve(context.scope, context.snippet, finding);
        let cases = variants::advice(context.scope, context.snippet, &finding.diagnostic);
        if finding.diagnostic.code.as_deref() == Some("E0560") && !cases.is_empty() {
            // The field that rustc speaks of is private.
            finding.diagnostic.help.clear();
        }
        finding.diagnostic.help.extend(cases);
        clean::clean(context, &mut finding.diagnostic);
        handles::seal_handles(&mut finding.diagnostic);
        let more = handles::advice(context.scope, context.snippet, &finding.diagnostic);
        finding.diagnostic.help.extend(more);
        handles::drop_repetitions(&mut finding.diagnostic);
    }
    causes_first(&mut findings);
    once_per_place(&mut findings);
    signature_stands(&mut findings);
    handles::drop_consequences(&mut findings);
    handles::left_out_once(&context.snippet.text, &mut findings);
    let mut errors = findings.iter_mut().map(|finding| &mut finding.diagnostic);
    if let (Some(line), Some(first)) = (
        handles::of_text(&context.snippet.text),
        errors.find(|diagnostic| diagnostic.level == Level::Error),
    ) {
        first.help.push(line.to_owned());
    }
    findings
}

/// Where a signature is right in its words and a name in it is hidden, the number of generic arguments is no fault of the
/// words: "remove the argument" would lead away from the signature that is asked for.
fn signature_stands(findings: &mut Vec<Finding>) {
    let primary = |finding: &Finding| {
        let spans = &finding.diagnostic.spans;
        let span = spans.iter().find(|span| span.primary)?;
        Some((span.start, span.end))
    };
    let code = |finding: &Finding, code: &str| finding.diagnostic.code.as_deref() == Some(code);
    let signatures: Vec<(Position, Position)> = findings
        .iter()
        .filter(|finding| code(finding, "lacuna::signature"))
        .filter_map(primary)
        .collect();
    findings.retain(|finding| {
        let inside = primary(finding).is_some_and(|(start, end)| {
            signatures
                .iter()
                .any(|(from, to)| *from <= start && end <= *to)
        });
        !(inside && code(finding, "E0107"))
    });
}

/// `vec![…]` in a constant is several calls that no constant may make, and its author wrote one thing. Bounds are told
/// each: two missing traits are two derives.
fn once_per_place(findings: &mut Vec<Finding>) {
    let mut seen = std::collections::HashSet::new();
    findings.retain(|finding| {
        let diagnostic = &finding.diagnostic;
        if diagnostic.code.as_deref() != Some("E0015") {
            return true;
        }
        let primary = diagnostic.spans.iter().find(|span| span.primary);
        let place = primary.map(|span| (span.start, span.end));
        place.is_none() || seen.insert(place)
    });
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
            let span = Some(Span {
                label: None,
                ..span
            });
            let attribute = span.as_ref().is_some_and(|span| {
                byte_of(&context.snippet.text, span.start)
                    .and_then(|at| context.snippet.text.get(at..))
                    .is_some_and(|text| text.starts_with("#["))
            });
            findings.push(if attribute {
                Finding::ours("attribute", "this attribute does not take what is given to it", span)
            } else if message.message.starts_with(ENDLESS_MACRO) {
                Finding::ours("macro-recursion", "this macro expands without end", span)
                    .with_help("each rule must come nearer to one that calls no macro; use a function or a loop where the depth is not known")
            } else {
                Finding::ours(
                    "macro-input",
                    "the code cannot be read from here: no rule of the macro accepts this token, or a literal or bracket is not closed",
                    span,
                )
            });
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
    for child in &message.children {
        add_child(context, &mut finding, child);
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

/// A note or a help text: a line of advice, a second place, or a suggestion.
fn add_child(context: &Context<'_>, finding: &mut Finding, child: &Message) {
    if !is_useful(&child.message) {
        // "for a trait to be dyn compatible …, visit": its words are of no use, the places that it points at are.
        let labelled = child
            .spans
            .iter()
            .filter_map(|span| match place(context, span) {
                Place::Text(place) if place.label.is_some() => Some(place),
                _ => None,
            });
        finding.diagnostic.spans.extend(labelled.map(|place| Span {
            primary: false,
            ..place
        }));
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
        let same = |span: &&Span| span.label.as_deref() == Some(child.message.as_str());
        if finding.diagnostic.spans.iter().filter(same).count() >= MOST_ALIKE {
            // Each level of a deep type is "required because it's used within this closure".
        } else if let Some(place) = places.into_iter().next() {
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
        // A range and an `impl Trait` are written by the author; only a macro's text is not.
        let macros =
            |expansion: &Expansion| !expansion.macro_decl_name.starts_with("desugaring of");
        if span.expansion.as_deref().is_some_and(macros) {
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
    let text = suggestion::text(&context.snippet.text, &child.message, &edits);
    finding.diagnostic.help.extend(text);
    let by_machine = suggested
        .iter()
        .all(|span| span.suggestion_applicability.as_deref() == Some("MachineApplicable"));
    if by_machine {
        finding.set_edits(edits);
    }
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
