//! The picture of one diagnostic: message, source line, caret, advice, in the form that rustc made familiar.

use std::fmt::Write;

use super::{Diagnostic, Level, Span, escape_controls};

/// Characters of a source line that are shown; longer lines are cut around the span.
const WIDTH: usize = 140;
/// Characters shown before the span when a line is cut.
const BEFORE: usize = 50;

/// Draws a diagnostic; `lines` are the snippet's.
pub(super) fn draw(diagnostic: &Diagnostic, lines: &[&str]) -> String {
    let mut text = String::new();
    let level = match diagnostic.level {
        Level::Error => "error",
        Level::Warning => "warning",
    };
    text.push_str(level);
    if let Some(code) = &diagnostic.code {
        let _ = write!(text, "[{}]", escape_controls(code));
    }
    let message = escape_controls(&diagnostic.message);
    let _ = writeln!(text, ": {}", message.trim_end().replace('\n', "\n       "));

    let mut spans: Vec<&Span> = diagnostic.spans.iter().collect();
    spans.sort_by_key(|span| (span.start, span.end));
    let margin = spans
        .iter()
        .map(|span| span.end.line.min(lines.len() as u32).max(1))
        .max()
        .map_or(1, |line| line.to_string().len());
    let empty = " ".repeat(margin);
    if let Some(primary) = diagnostic.primary() {
        let start = primary.start;
        let _ = writeln!(text, "{empty}--> snippet:{}:{}", start.line, start.column);
        let _ = writeln!(text, "{empty} |");
        let mut last_line = None;
        for span in spans {
            draw_span(&mut text, span, lines, margin, &mut last_line);
        }
    }
    for help in &diagnostic.help {
        let help = escape_controls(help);
        let indented = help
            .trim_end()
            .replace('\n', &format!("\n{empty}         "));
        let _ = writeln!(text, "{empty} = help: {indented}");
    }
    text
}

/// One span: its line with carets below; of a span over several lines the first and the last one.
fn draw_span(
    text: &mut String,
    span: &Span,
    lines: &[&str],
    margin: usize,
    last_line: &mut Option<u32>,
) {
    let mark = if span.primary { '^' } else { '-' };
    let label = span
        .label
        .as_deref()
        .map(|label| escape_controls(label).replace('\n', " "))
        .unwrap_or_default();
    if span.start.line == span.end.line {
        let columns = (
            span.start.column,
            span.end.column.max(span.start.column + 1),
        );
        draw_line(
            text,
            span.start.line,
            columns,
            mark,
            &label,
            lines,
            margin,
            last_line,
        );
        return;
    }
    let first = lines
        .get(span.start.line as usize - 1)
        .copied()
        .unwrap_or("");
    let end = (first.chars().count() as u32 + 1).max(span.start.column + 1);
    draw_line(
        text,
        span.start.line,
        (span.start.column, end),
        mark,
        "",
        lines,
        margin,
        last_line,
    );
    // A span that ends before the first column of a line ends with the line before it.
    let last = lines.get(span.end.line as usize - 1).copied().unwrap_or("");
    let indent = last.chars().take_while(|c| c.is_whitespace()).count() as u32 + 1;
    let from = indent.min(span.end.column.saturating_sub(1)).max(1);
    draw_line(
        text,
        span.end.line,
        (from, span.end.column.max(from + 1)),
        mark,
        &label,
        lines,
        margin,
        last_line,
    );
}

/// A source line (unless it is the one just shown) and carets under the columns `from..to`.
#[expect(
    clippy::too_many_arguments,
    reason = "all of it is the state of one drawing"
)]
fn draw_line(
    text: &mut String,
    line: u32,
    (from, to): (u32, u32),
    mark: char,
    label: &str,
    lines: &[&str],
    margin: usize,
    last_line: &mut Option<u32>,
) {
    let source = lines.get(line as usize - 1).copied().unwrap_or("");
    let length = source.chars().count();
    // Columns far behind the end of the line come from a faulty span; one caret behind the end is enough.
    let from = (from as usize - 1).min(length);
    let to = (to as usize - 1).clamp(from + 1, length.max(from + 1));
    let cut = length > WIDTH;
    let skip = if cut { from.saturating_sub(BEFORE) } else { 0 };
    let take = if cut { WIDTH } else { length };

    if last_line.is_some_and(|shown| shown + 1 < line) {
        let _ = writeln!(text, "...");
    }
    if *last_line != Some(line) || cut {
        let mut shown = String::new();
        if skip > 0 {
            shown.push('…');
        }
        for character in source.chars().skip(skip).take(take) {
            push_shown(&mut shown, character);
        }
        if skip + take < length {
            shown.push('…');
        }
        let _ = writeln!(text, "{line:>margin$} | {}", shown.trim_end());
    }
    *last_line = Some(line);

    let mut under = String::new();
    if skip > 0 {
        under.push(' ');
    }
    let mut width = 0;
    for (index, character) in source.chars().enumerate().skip(skip).take(take) {
        let mut shown = String::new();
        push_shown(&mut shown, character);
        let count = shown.chars().count();
        if index < from {
            under.extend(std::iter::repeat_n(' ', count));
        } else if index < to {
            width += count;
        } else {
            break;
        }
    }
    under.extend(std::iter::repeat_n(mark, width.max(1)));
    if !label.is_empty() {
        under.push(' ');
        under.push_str(label);
    }
    let _ = writeln!(text, "{:margin$} | {under}", "");
}

/// A character of the source as it is shown: tabs as four spaces, hidden characters by their number.
fn push_shown(shown: &mut String, character: char) {
    match character {
        '\t' => shown.push_str("    "),
        '\r' => {}
        other => {
            let mut buffer = [0; 4];
            shown.push_str(&escape_controls(other.encode_utf8(&mut buffer)));
        }
    }
}
