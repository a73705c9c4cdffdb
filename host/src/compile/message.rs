//! rustc's JSON messages: the parts that are used. Everything else, the rendered text and file contents above all, is
//! never read into a value.

use serde::Deserialize;

/// One line of `--error-format=json`.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Message {
    pub(super) message: String,
    pub(super) code: Option<Code>,
    pub(super) level: String,
    #[serde(default)]
    pub(super) spans: Vec<MessageSpan>,
    #[serde(default)]
    pub(super) children: Vec<Message>,
}

/// `E0425`, or a lint's name.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Code {
    pub(super) code: String,
}

/// A place in a source file. Columns count characters from 1, ends are exclusive.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct MessageSpan {
    pub(super) file_name: String,
    pub(super) line_start: u32,
    pub(super) line_end: u32,
    pub(super) column_start: u32,
    pub(super) column_end: u32,
    pub(super) is_primary: bool,
    pub(super) label: Option<String>,
    pub(super) suggested_replacement: Option<String>,
    pub(super) suggestion_applicability: Option<String>,
    pub(super) expansion: Option<Box<Expansion>>,
}

/// Where the macro call stands that a span comes from.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Expansion {
    pub(super) span: MessageSpan,
    /// `vec!`, or `desugaring of …` for syntax that the compiler writes out.
    #[serde(default)]
    pub(super) macro_decl_name: String,
}

/// What the compiler wrote to standard error.
#[derive(Clone, Debug, Default)]
pub(super) struct Output {
    /// Its diagnostics.
    pub(super) messages: Vec<Message>,
    /// Lines that are no JSON: crashes, the loader, the allocator. For deciding what happened, never for showing.
    pub(super) rest: String,
}

/// Splits standard error. A last line without end (a killed compiler) counts as no message.
pub(super) fn parse(stderr: &[u8]) -> Output {
    let mut output = Output::default();
    for line in String::from_utf8_lossy(stderr).split_inclusive('\n') {
        match serde_json::from_str(line) {
            Ok(message) if line.ends_with('\n') => output.messages.push(message),
            _ => output.rest.push_str(line),
        }
    }
    output
}
