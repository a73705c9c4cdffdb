//! A compiler that stopped before it listed what it had opened: its words may hold a file, its places cannot.

use super::diagnose::{Context, Place, SNIPPET_FILE, input, place};
use super::finding::{Finding, byte_of};
use super::message::{Message, MessageSpan};
use crate::diagnostic::Span;

/// How the compiler's words on endless macros start. They are compared with, never shown.
const ENDLESS_MACRO: &str = "recursion limit reached while expanding ";

/// Findings of a compiler that stopped before it listed its files: a macro call that no rule matches ends it so. None of
/// its words are used, only places, and only those that lie in the snippet.
pub(super) fn findings(context: &Context<'_>, messages: &[Message]) -> Vec<Finding> {
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
