//! The guest's stack in linear memory, held to the limit `stack`.
//!
//! rustc's linker lays it at the bottom of memory and lets a global, the first of the module, point at its end. Starting
//! that pointer lower leaves less of it, to the byte, without another link: the same component can run under several limits. It
//! can't leave more than was linked (1 MiB by default), which is the most that a larger limit gives.

use wasmparser::{Operator, Parser, Payload, ValType};

/// What the pointer must be a multiple of (the wasm C ABI).
const ALIGNMENT: u64 = 16;

/// Lowers the stack pointer's start to `stack` bytes. A component without such a pointer stays as it is.
pub(super) fn narrow(component: &mut [u8], stack: u64) {
    if let Some((offset, linked)) = pointer(component)
        && u64::from(linked) > stack
    {
        overwrite(&mut component[offset..], stack & !(ALIGNMENT - 1));
    }
}

/// Where the start value of the stack pointer stands, and what it is: the first global of the first module that has
/// a memory and a mutable `i32` as its first global.
fn pointer(component: &[u8]) -> Option<(usize, u32)> {
    let mut has_memory = false;
    for payload in Parser::new(0).parse_all(component) {
        match payload.ok()? {
            Payload::ModuleSection { .. } => has_memory = false,
            Payload::MemorySection(_) => has_memory = true,
            Payload::GlobalSection(globals) if has_memory => {
                let global = globals.into_iter().next()?.ok()?;
                if !global.ty.mutable || global.ty.content_type != ValType::I32 {
                    continue;
                }
                let mut start = global.init_expr.get_operators_reader();
                let (operator, offset) = start.read_with_offset().ok()?;
                if let Operator::I32Const { value } = operator {
                    // The value follows the one byte of the operator.
                    return Some((offset + 1, value.cast_unsigned()));
                }
            }
            _ => {}
        }
    }
    None
}

/// Writes a signed LEB128 number over another one of the same length. A smaller number always fits: LEB128 may be
/// padded, and the old number's sign bit is 0 like the new one's.
fn overwrite(bytes: &mut [u8], mut value: u64) {
    for byte in bytes {
        let more = *byte & 0x80;
        *byte = (value & 0x7f) as u8 | more;
        value >>= 7;
        if more == 0 {
            return;
        }
    }
}
