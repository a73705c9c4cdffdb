//! `lacuna_rt` has everything that the bindings generator's output asks of a runtime.

use wit_bindgen_core::{Files, WorldGenerator};

use super::*;

const WIT: &str = "
    package t:h;
    interface tools {
        flags mode { r, w }
        variant shape { dot, text(string), many(list<tuple<string, char>>) }
        enum gen { a, b }
        resource dir { constructor(path: string); open: func(name: string) -> result<dir, gen>; all: static func() -> list<own<dir>>; }
        use-all: func(m: mode, s: shape, d: borrow<dir>, o: option<bool>) -> result<list<u8>, gen>;
    }
    interface numbers {
        resource roman { constructor(n: u32); text: func() -> string; twice: static func(a: borrow<roman>) -> roman; }
        sum: func(all: list<list<string>>, f: list<f64>) -> u64;
    }
    world hole { import tools; export numbers; export run: func(a: string, b: list<u32>) -> list<string>; }
";

#[test]
fn generated_bindings_compile_against_the_runtime() {
    let mut resolve = wit_parser::Resolve::default();
    let package = resolve.push_str("plan.wit", WIT).unwrap();
    let world = resolve.select_world(&[package], None).unwrap();
    let options = wit_bindgen_rust::Opts {
        runtime_path: Some("::lacuna_rt".to_owned()),
        pub_export_macro: true,
        ..Default::default()
    };
    let mut files = Files::default();
    options
        .build()
        .generate(&mut resolve, world, &mut files)
        .unwrap();
    let (_, source) = files.iter().next().unwrap();

    let toolchain = toolchain();
    let folder = tempfile::tempdir().unwrap();
    // Not at the root: there its `pub use` of the export macro would clash with the macro itself.
    fs::write(folder.path().join("bindings.rs"), "pub mod generated;").unwrap();
    fs::write(folder.path().join("generated.rs"), source).unwrap();
    let runtime = toolchain.sdk.dependencies.join("liblacuna_rt.rlib");
    let output = Command::new(&toolchain.rustc)
        .env_clear()
        .current_dir(folder.path())
        .arg("--sysroot")
        .arg(&toolchain.sdk.sysroot)
        .args(BINDINGS_FLAGS)
        .arg("--extern")
        .arg(format!("lacuna_rt={}", runtime.display()))
        .args(["-o", "libbindings.rlib", "bindings.rs"])
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
