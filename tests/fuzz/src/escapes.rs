//! Code that reaches for what no hole has: files and variables at compile time and at run time, foreign symbols, the
//! glue around the snippet, functions that were withheld. Each must be rejected wherever it stands live.

/// Where an escape can stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Items of a module or of a function.
    Items,
    /// An expression whose value nobody needs.
    Expression,
    /// The whole text: it plays with the braces around it.
    Whole,
}

/// One escape: `{P}` is the path of a file with a canary in it, `{V}` the name of a variable that holds one.
#[derive(Clone, Copy, Debug)]
pub struct Escape {
    /// Where it can stand.
    pub kind: Kind,
    /// The source.
    pub text: &'static str,
    /// Whether tokens may be passed through a macro, and the whole into a module, without ending it.
    pub movable: bool,
}

const fn items(text: &'static str) -> Escape {
    Escape {
        kind: Kind::Items,
        text,
        movable: true,
    }
}

const fn expression(text: &'static str) -> Escape {
    Escape {
        kind: Kind::Expression,
        text,
        movable: true,
    }
}

const fn whole(text: &'static str) -> Escape {
    Escape {
        kind: Kind::Whole,
        text,
        movable: false,
    }
}

/// All escapes.
pub const ESCAPES: &[Escape] = &[
    // Files that the compiler would read.
    expression("include_str!(\"{P}\")"),
    expression("core::include_str!(\"{P}\").len()"),
    expression("std::include_bytes!(\"{P}\")"),
    expression("include!(\"{P}\")"),
    expression("::core::include!(\"{P}\")"),
    expression("{ use core::include_str as i; i!(\"{P}\") }"),
    expression("{ use core as c; c::include_str!(\"{P}\") }"),
    expression("{ mod q { pub use core::*; } q::include_str!(\"{P}\") }"),
    expression(
        "{ macro_rules! m { ($a:tt $b:tt $c:tt) => { $c::$b!($a) } } m!(\"{P}\" include_str core) }",
    ),
    expression("{ macro_rules! m { ($p:path) => { $p!(\"{P}\") } } m!(core::include_str) }"),
    expression("format!(include_str!(\"{P}\"))"),
    expression("concat!(include_str!(\"{P}\"), \"x\")"),
    items("mod m { pub const X: &str = core::include_str!(\"{P}\"); }"),
    items("#[doc = include_str!(\"{P}\")] fn f() {}"),
    items("#[deprecated(note = include_str!(\"{P}\"))] fn f() {}"),
    items("compile_error!(include_str!(\"{P}\"));"),
    items("const X: &[u8] = include_bytes!(\"{P}\");"),
    items("mod x;"),
    items("#[path = \"{P}\"] mod x;"),
    items("#[path=\"{P}\"] pub(crate) mod x;"),
    items("#[cfg_attr(all(), path = \"{P}\")] mod x;"),
    items("mod m { #[path = \"{P}\"] mod x; }"),
    items("#[path = \"{P}\"] mod r#x;"),
    items("fn f() { #[path = \"{P}\"] mod x; }"),
    // Two lexers see different strings here.
    items(
        "macro_rules! n { ($($t:tt)*) => {} } n!('r\"\\\" \"); #[path = \"{P}\"] mod x; n!(\"x\"); // \");",
    ),
    items("macro_rules! n { ($($t:tt)*) => {} } n!(##\"a\" ; \"b\"##);"),
    items(
        "macro_rules! m { ($m:tt $x:tt { $s:tt }) => { #[path = \"{P}\"] $m $x $s } } m!(mod foo { ; });",
    ),
    items("macro_rules! m { ($i:item) => { $i } } m! { #[path = \"{P}\"] mod x; }"),
    items("mod m { macro_rules! m { ($p:literal) => { #[path = $p] mod x; } } m!(\"{P}\"); }"),
    items("#[debugger_visualizer(gdb_script_file = \"{P}\")] mod x {}"),
    items("#[debugger_visualizer(natvis_file = \"{P}\")] mod x {}"),
    items("#[r#debugger_visualizer(gdb_script_file = \"{P}\")] mod x {}"),
    items("#[cfg_attr(all(), debugger_visualizer(gdb_script_file = \"{P}\"))] mod x {}"),
    items(
        "macro_rules! m { ($a:meta) => { #[$a] fn f() {} } } m!(debugger_visualizer(gdb_script_file = \"{P}\"));",
    ),
    // Files, variables and more of the machine at run time.
    expression("std::fs::read(\"{P}\").is_ok()"),
    expression("{ use std::fs as f; f::read_to_string(\"{P}\") }"),
    expression("{ use std as s; s::fs::read(\"{P}\") }"),
    expression("{ use ::std::fs::read as r; r(\"{P}\") }"),
    expression("std::fs::File::open(\"{P}\")"),
    expression("std::path::Path::new(\"{P}\").exists()"),
    expression(
        "{ macro_rules! m { ($a:tt $b:tt $c:tt $d:tt) => { $d::$c::$b($a) } } m!(\"{P}\" read fs std) }",
    ),
    expression("std::env::var(\"{V}\")"),
    expression("{ use std::env as e; e::var(\"{V}\") }"),
    expression("std::env::vars().count()"),
    expression("std::env::args().count()"),
    expression("env!(\"{V}\").len()"),
    expression("option_env!(\"{V}\")"),
    expression("core::option_env!(\"{V}\").unwrap_or_default()"),
    expression("{ use std::option_env as o; o!(\"{V}\") }"),
    expression(
        "{ macro_rules! m { ($a:tt $b:tt $c:tt) => { $c::$b!($a) } } m!(\"{V}\" option_env core) }",
    ),
    items("mod m { pub const X: Option<&str> = option_env!(\"{V}\"); }"),
    expression("std::process::Command::new(\"sh\")"),
    expression("std::process::id()"),
    expression("std::process::exit(0)"),
    expression("std::net::TcpStream::connect(\"127.0.0.1:1\")"),
    expression("std::thread::spawn(|| 1)"),
    expression("std::time::Instant::now()"),
    expression("std::time::SystemTime::now()"),
    expression("std::panic::set_hook(Box::new(|_| {}))"),
    expression("std::panic::catch_unwind(|| 1)"),
    expression("{ use core::panic as p; let _: p::Location; }"),
    expression("std::io::stdin()"),
    expression("core::arch::wasm32::memory_grow(0, 1)"),
    // Foreign symbols, sections, attributes of the linker.
    items("unsafe extern \"C\" { fn evil(); }"),
    items("extern \"C\" { fn evil(); }"),
    items("#[link(wasm_import_module = \"evil\")] unsafe extern \"C\" { fn evil(); }"),
    items("pub extern \"C\" fn evil() {}"),
    items(
        "macro_rules! m { ($a:tt $b:tt $c:tt $d:tt) => { $d $c $b $a } } m!({ fn evil(); } \"C\" extern unsafe);",
    ),
    items("#[unsafe(no_mangle)] pub fn evil() {}"),
    items("#[no_mangle] pub fn evil() {}"),
    items("#[unsafe(export_name = \"evil\")] pub fn evil() {}"),
    items(
        "#[unsafe(link_section = \"component-type:evil\")] #[used] static X: [u8; 4] = *b\"EVIL\";",
    ),
    items("#[unsafe(link_section = \".init_array\")] #[used] static X: [u8; 4] = *b\"EVIL\";"),
    items("#[cfg_attr(all(), unsafe(no_mangle))] pub fn evil() {}"),
    items(
        "macro_rules! m { ($a:tt $b:tt) => { #[$b($a)] pub fn evil() {} } } m!(no_mangle unsafe);",
    ),
    items("mod m { #[unsafe(no_mangle)] pub fn evil() {} }"),
    items(
        "thread_local! { @processing_cfg_attr { pred: (true), rhs: [] }; [#[unsafe(export_name = \"evil\")] #[used]] []; pub static X: [u8; 4] = const { *b\"EVIL\" } }",
    ),
    items("thread_local! { #[unsafe(export_name = \"evil\")] static X: u8 = 1 }"),
    items("core::arch::global_asm!(\"\");"),
    expression("unsafe { core::arch::asm!(\"\") }"),
    expression("unsafe { core::mem::transmute::<f64, u64>(1.0) }"),
    expression("unsafe { *core::ptr::null::<u8>() }"),
    expression("unsafe { std::hint::unreachable_unchecked() }"),
    expression("unsafe {}"),
    items("#[allow(unsafe_code)] unsafe fn f() {}"),
    items("#[expect(unsafe_code, reason = \"x\")] fn f() { unsafe {} }"),
    items("struct Z; unsafe impl Send for Z {}"),
    items("static mut M: u32 = 1; fn f() -> u32 { unsafe { M } }"),
    items("#[global_allocator] static A: u8 = 1;"),
    items("#[panic_handler] fn p(_: &u8) -> ! { loop {} }"),
    items("#[lang = \"sized\"] trait S {}"),
    // A world of its own, as `wasm-tools component embed` writes it: it imports `steal` and exports `extra`.
    items(
        "#[used] #[unsafe(link_section = \"component-type:evil\")] static WORLD: [u8; 169] = *b\"\\x00asm\\x0d\\x00\\x01\\x00\\x00\\x19\\x16wit-component-encoding\\x04\\x00\\x07E\\x01A\\x02\\x01A\\x04\\x01@\\x01\\x04paths\\x00s\\x03\\x00\\x05steal\\x01\\x00\\x01@\\x00\\x01\\x00\\x04\\x00\\x05extra\\x01\\x01\\x04\\x00\\x16evil:evil/forged@0.1.0\\x04\\x00\\x0b\\x0c\\x01\\x00\\x06forged\\x03\\x00\\x00\\x00/\\x09producers\\x01\\x0cprocessed-by\\x01\\x0dwit-component\\x070.263.0\";",
    ),
    items(
        "#[used] #[unsafe(link_section = \"component-type:another\")] static FORGED: [u8; 169] = *b\"\\x00asm\\x0d\\x00\\x01\\x00\\x00\\x19\\x16wit-component-encoding\\x04\\x00\\x07E\\x01A\\x02\\x01A\\x04\\x01@\\x01\\x04paths\\x00s\\x03\\x00\\x05steal\\x01\\x00\\x01@\\x00\\x01\\x00\\x04\\x00\\x05extra\\x01\\x01\\x04\\x00\\x16evil:evil/forged@0.1.0\\x04\\x00\\x0b\\x0c\\x01\\x00\\x06forged\\x03\\x00\\x00\\x00/\\x09producers\\x01\\x0cprocessed-by\\x01\\x0dwit-component\\x070.263.0\";",
    ),
    // Other crates and the glue.
    items("extern crate proc_macro;"),
    items("extern crate std as s; fn f() { s::fs::read(\"{P}\"); }"),
    items("extern crate alloc as a; fn f() { a::alloc::alloc(todo!()); }"),
    items("mod m { extern crate core as c; pub const X: &str = c::include_str!(\"{P}\"); }"),
    items("extern crate bindings as b;"),
    items("use bindings::scope;"),
    items("bindings::fill!();"),
    items("fill!();"),
    items("use __lacuna_bindings::scope;"),
    items("__lacuna_bindings::fill!();"),
    items("use lacuna_rt as r;"),
    items("use wit_bindgen as w;"),
    items("wit_bindgen::generate!({});"),
    items("static __lacuna_fill_run: u8 = 1;"),
    items(
        "bindings::__export_world_hole_cabi!(Ty with_types_in { std::mem::transmute::<f64, u64>(1.0); }; evil);",
    ),
    items("use ::serde as y;"),
    expression("alloc::__export::format_args!(\"\")"),
    expression("alloc::alloc::alloc"),
    // Settings of the whole crate.
    whole("#![feature(rustc_attrs)]\n{ALL}"),
    whole("#![allow(unsafe_code)]\n{ALL}"),
    whole("#![cfg(any())]\n{ALL}"),
    whole("#![no_std]\n{ALL}"),
    whole("#![debugger_visualizer(gdb_script_file = \"{P}\")]\n{ALL}"),
    whole("#![doc = include_str!(\"{P}\")]\n{ALL}"),
    // Braces, comments and strings that would end the wrapper.
    whole("{ALL}\n}"),
    whole("} mod evil {\n{ALL}"),
    whole("{ALL}\n} pub fn evil() {"),
    whole("{ALL}\n/* "),
    whole("{ALL}\n*/ pub fn evil() {}"),
    whole("{ALL}\nstatic S: &str = \"open;"),
    whole("{ALL}\nstatic S: &str = r##\"open\"#;"),
    whole("{ALL}\n} extern crate std; fn x() {"),
    whole("{ALL}\nfn f() { ( ] }"),
    whole("---\n[dependencies]\nserde = \"1\"\n---\n{ALL}"),
];
