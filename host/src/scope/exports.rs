//! Names of exports while a module is linked.
//!
//! A hole may export `sqrt` or `memcpy`, and the linker knows functions of these names already: it would call one where
//! the other is meant. So the bindings mark the names of their exports, which no library does, and the finished module
//! gets the names of the world.

use wasm_encoder::{ExportKind, ExportSection, Module, RawSection};
use wasmparser::{ExternalKind, Parser, Payload};

/// Stands before the name of each export of the bindings, for the linker alone.
pub(crate) const MARK: &str = "export:";

/// The module with the names that the world gives its exports.
///
/// # Errors
/// When it is no module.
pub(crate) fn unmark(wasm: &[u8]) -> Result<Vec<u8>, wasmparser::BinaryReaderError> {
    let mut module = Module::new();
    for payload in Parser::new(0).parse_all(wasm) {
        let payload = payload?;
        if let Payload::ExportSection(section) = payload {
            let mut exports = ExportSection::new();
            for export in section {
                let export = export?;
                let name = export.name.strip_prefix(MARK).unwrap_or(export.name);
                exports.export(name, kind(export.kind), export.index);
            }
            module.section(&exports);
        } else if let Some((id, range)) = payload.as_section() {
            module.section(&RawSection {
                id,
                data: &wasm[range],
            });
        }
    }
    Ok(module.finish())
}

fn kind(kind: ExternalKind) -> ExportKind {
    match kind {
        ExternalKind::Func | ExternalKind::FuncExact => ExportKind::Func,
        ExternalKind::Table => ExportKind::Table,
        ExternalKind::Memory => ExportKind::Memory,
        ExternalKind::Global => ExportKind::Global,
        ExternalKind::Tag => ExportKind::Tag,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_marked_names_change() {
        let wasm = wat::parse_str(
            r#"(module (memory (export "memory") 1)
              (func (export "export:sqrt")) (func (export "export:cabi_post_sqrt")) (@custom "x" "y"))"#,
        )
        .unwrap();
        let expected = wat::parse_str(
            r#"(module (memory (export "memory") 1)
              (func (export "sqrt")) (func (export "cabi_post_sqrt")) (@custom "x" "y"))"#,
        )
        .unwrap();
        assert_eq!(unmark(&wasm).unwrap(), expected);
        assert!(unmark(b"\0asm").is_err());
    }
}
