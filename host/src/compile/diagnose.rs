//! Diagnose: turns what the compiler says into what the author of the snippet should read.
//!
//! Only places in the snippet are shown, in its own coordinates. What the compiler says about the generated code around
//! it becomes words about the snippet's signature; what names files, crates to add or macros of ours is dropped.

use super::finding::{Finding, byte_of, end_of};
use super::message::{Message, MessageSpan};
use super::{advice, causes, signature, suggest, suggestion, variants};
use crate::diagnostic::{Diagnostic, Level, Position, Span};
use crate::scope::Scope;
use crate::snippet::{Form, Snippet};

/// File name that the compiler knows the snippet by.
const SNIPPET_FILE: &str = "snippet.rs";

/// Most findings that advice is written for; the first 64 are shown.
const MOST_ADVISED: usize = 128;

/// Most findings whose notes and suggestions are read.
const MOST_READ: usize = 1024;

/// Advice that can't be followed in a hole, and notes about what only the host can see.
const USELESS: [&str; 47] = [
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
    "the following types implement trait",
    // A bound of a function of std, at a place that nobody sees.
    "required by a bound in",
    "items from traits can only be used if the trait is in scope",
    // Of names that only look alike: `le` for `line`.
    "with a similar name, but with different arguments",
    "the method call chain might not have had the expected associated types",
    "the question mark operation (`?`) implicitly performs a conversion",
    // Its arrays are what `Vec` is told to have.
    "is available on `&[",
    "items from traits can only be used if the trait is implemented and in scope",
    "rustc-dev-guide",
    // Said again by the suggestion to derive.
    "or manually `impl ",
    "full type name has been written",
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
pub(super) const GLUE_PATHS: [&str; 5] = [
    "bindings::scope::",
    "scope::",
    "crate::snippet::",
    "hole::snippet::",
    "snippet::",
];

/// What makes the words and the edits of a finding. Kept verdicts hold findings, and others must not be answered with them.
pub(super) const WORDING: [&str; 12] = [
    include_str!("advice.rs"),
    include_str!("causes.rs"),
    include_str!("conversions.rs"),
    include_str!("diagnose.rs"),
    include_str!("habits.rs"),
    include_str!("message.rs"),
    include_str!("numbers.rs"),
    include_str!("repair.rs"),
    include_str!("signature.rs"),
    include_str!("suggest.rs"),
    include_str!("suggestion.rs"),
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
    findings.sort_by_key(|finding| {
        let diagnostic = &finding.diagnostic;
        let start = diagnostic.primary().map(|span| span.start);
        (diagnostic.level != Level::Error, start.is_none(), start)
    });
    // Ten thousand errors fit into a snippet, and what is said about each looks at all of the text.
    let rest = findings.split_off(MOST_ADVISED.min(findings.len()));
    for finding in &mut findings {
        advice::add(context, finding);
        suggest::improve(context, finding);
        let cases = variants::advice(context, &finding.diagnostic);
        finding.diagnostic.help.extend(cases);
    }
    causes::only(context, &mut findings);
    findings.extend(rest);
    for finding in &mut findings {
        clean(context, &mut finding.diagnostic);
    }
    findings
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
    let children = message.children.iter().filter(|_| with_children);
    for child in children {
        if !repeats_label(&finding.diagnostic.spans, &child.message) {
            suggestion::add(context, &mut finding, child);
        }
    }
    let help = &mut finding.diagnostic.help;
    if help.iter().any(|line| line.starts_with(suggestion::IMPORT)) {
        help.retain(|line| !line.contains("with a similar name"));
    }
    Read::Finding(finding)
}

/// "expected type `u32`, found enum `Option<u32>`" over two lines, where the label at the place says it in one.
fn repeats_label(spans: &[Span], note: &str) -> bool {
    let two_lines = note.trim_start().starts_with("expected ") && note.contains('\n');
    let said = |ty: &str| {
        (spans.iter().filter_map(|span| span.label.as_deref()))
            .any(|label| label.contains(&format!("`{ty}`")))
    };
    let mut types = note.split('`').skip(1).step_by(2);
    two_lines && (advice::expected_and_found(spans).is_some() || types.all(said))
}

/// Whether advice is about something that exists for a snippet.
pub(super) fn is_useful(text: &str) -> bool {
    !USELESS.iter().any(|words| text.contains(words)) && !names_a_path(text)
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
pub(super) fn place(context: &Context<'_>, span: &MessageSpan) -> Place {
    let mut span = span;
    let label = span.label.clone();
    let primary = span.is_primary;
    while span.file_name != SNIPPET_FILE {
        let Some(expansion) = &span.expansion else {
            return Place::Outside;
        };
        span = &expansion.span;
    }
    let before = context.snippet.lines_before;
    let last = end_of(&context.snippet.text);
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
