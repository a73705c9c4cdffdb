//! Names that functions have for the linker: none that a snippet chooses.
//!
//! `-F unsafe_code` refuses `#[unsafe(export_name = "…")]` and `no_mangle` on functions, statics and methods, and overlooks
//! the default methods of traits. A function with a name of its own choice takes the place of what is called by that
//! name: `__stack_pointer` breaks the module, `memcpy` is called by the code that copies a struct. rustc's own names tell a
//! path and a hash, so any other name that is not of the glue was given by the snippet.

use wasmparser::{KnownCustom, Linking, Parser, Payload, SymbolFlags, SymbolInfo};

use super::abi::CoreNames;
use super::finding::Finding;
use super::message::Message;
use crate::diagnostic::Span;
use crate::scope::exports::MARK;

/// How rustc's names start, in its two manners.
const MANGLED: [&str; 2] = ["_ZN", "_R"];

/// How the symbols start that the glue defines for the bindings.
const FILL: &str = "__lacuna_fill_";

/// Names that are shown, and characters of each.
const MOST_SHOWN: usize = 4;
const LONGEST_SHOWN: usize = 64;

/// The names of functions that `object` defines and neither the compiler nor the glue has given.
///
/// # Errors
/// When it is no object.
pub(super) fn foreign_names(
    object: &[u8],
    names: &CoreNames,
) -> Result<Vec<String>, wasmparser::BinaryReaderError> {
    let known = |name: &str| {
        MANGLED.iter().any(|start| name.starts_with(start))
            || name.starts_with(FILL)
            || name
                .strip_prefix(MARK)
                .is_some_and(|name| names.in_snippet.contains(name))
    };
    let mut foreign = Vec::new();
    for payload in Parser::new(0).parse_all(object) {
        let Payload::CustomSection(section) = payload? else {
            continue;
        };
        let KnownCustom::Linking(linking) = section.as_known() else {
            continue;
        };
        for part in linking {
            let Linking::SymbolTable(symbols) = part? else {
                continue;
            };
            for symbol in symbols {
                if let SymbolInfo::Func {
                    flags,
                    name: Some(name),
                    ..
                } = symbol?
                    && !flags.contains(SymbolFlags::UNDEFINED)
                    && !known(name)
                {
                    foreign.push(name.to_owned());
                }
            }
        }
    }
    Ok(foreign)
}

/// The names that the compiler found given twice: by two instances of a generic function, or beside the glue.
pub(super) fn defined_twice(messages: &[Message]) -> Vec<String> {
    let name = |message: &Message| {
        let rest = message.message.strip_prefix("symbol `")?;
        let name = rest.strip_suffix("` is already defined")?;
        message.code.is_none().then(|| name.to_owned())
    };
    messages.iter().filter_map(name).collect()
}

/// The word `unsafe` in a text that was accepted: the lint saw no harm where it stands, and names in the manner of the
/// compiler are not told from its own.
pub(super) fn overlooked(text: &str) -> Option<Finding> {
    let span = crate::snippet::unsafe_word(text)?;
    Some(
        Finding::ours(
            "forbidden-token",
            "`unsafe` is not allowed in a snippet, nor in its attributes",
            Some(span),
        )
        .with_help("remove it with the attribute or the block that it belongs to"),
    )
}

/// Functions of the snippet have these names.
pub(super) fn named(text: &str, functions: &[String]) -> Finding {
    let attribute = ["export_name", "no_mangle"].iter().find_map(|attribute| {
        let start = text.find(attribute)?;
        Some(Span::of_bytes(text, start..start + attribute.len()))
    });
    let finding = Finding::ours(
        "forged-symbol",
        "`export_name` and `no_mangle` are not allowed: functions have no names outside the snippet",
        attribute,
    )
    .with_help("remove the attribute: what the hole asks for is exported by the host");
    let shown = functions
        .iter()
        .filter(|name| !name.starts_with("__lacuna"));
    shown.take(MOST_SHOWN).fold(finding, |finding, name| {
        let name: String = name.chars().take(LONGEST_SHOWN).collect();
        finding.with_help(format!("a function is named `{name}`"))
    })
}
