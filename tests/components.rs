//! `lacuna build`: the component's WIT has what was granted and the console, whatever the snippet uses of it.
//!
//! The snapshots in `tests/components/*.wit` are compared again by `.ci/run` with what an independent tool prints.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test builds components and reads them"
)]

mod support;

use std::fs;

use support::plan::Plan;
use support::{program, root, snapshot};

/// Where the components are left for the independent tool.
const KEPT: &str = "components";

/// Builds each snippet and compares the WIT of the component with the snapshot of this name.
#[track_caller]
fn holds(plan: &Plan, name: &str, snippet: &str) {
    plan.write("snippet.rs", snippet);
    let ended = program::run(
        &plan.folder,
        [
            "build",
            "plan.wit",
            "--snippet",
            "snippet.rs",
            "-o",
            "out.wasm",
        ],
    );
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let bytes = fs::read(plan.folder.join("out.wasm")).unwrap();
    let kept = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(KEPT);
    fs::create_dir_all(&kept).unwrap();
    fs::write(kept.join(format!("{name}.wasm")), &bytes).unwrap();
    // With the features that are on by default in tools.
    wasmparser::Validator::new().validate_all(&bytes).unwrap();
    let text = printed(&bytes);
    snapshot::check(
        &root().join("tests/components").join(format!("{name}.wit")),
        &text,
        "components",
        name,
    )
    .unwrap_or_else(|difference| panic!("{difference}"));
}

/// As `wasm-tools component wit` prints it.
fn printed(component: &[u8]) -> String {
    let decoded = wit_component::decode(component).unwrap();
    let resolve = decoded.resolve();
    let package = decoded.package();
    let others: Vec<_> = resolve
        .packages
        .iter()
        .map(|(id, _)| id)
        .filter(|id| *id != package)
        .collect();
    let mut printer = wit_component::WitPrinter::default();
    printer.print(resolve, package, &others).unwrap();
    printer.output.to_string()
}

#[test]
fn one_of_nine_functions() {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    let functions: Vec<String> = names
        .iter()
        .map(|name| format!("{name}: func(x: u32) -> u32;"))
        .collect();
    let plan = Plan::new(
        &format!(
            "interface nine {{ {} }} world hole {{ import nine; export run: func() -> u32; }}",
            functions.join(" ")
        ),
        "[hole.hole.grant.nine]\nprovider = \"stub\"\nanswers = \"answers.json\"\nfunctions = [\"e\"]",
    );
    plan.write("answers.json", "{}");
    holds(&plan, "one-of-nine", "println!(\"x\"); nine::e(1)");
    // Panics alone use the console.
    holds(
        &plan,
        "one-of-nine-unused",
        "let v: Vec<u32> = Vec::new(); v[core::hint::black_box(0)]",
    );
}

#[test]
fn one_method_of_a_resource() {
    let plan = Plan::new(
        "interface store {
            resource dir {
                constructor(path: string);
                open: func(name: string) -> result<string, string>;
                remove: func(name: string) -> result<_, string>;
                names: func() -> list<string>;
                root: static func() -> dir;
            }
            copy: func(source: borrow<dir>, target: borrow<dir>);
        }
        world hole { import store; export run: func() -> string; }",
        "[hole.hole.grant.store]\nprovider = \"stub\"\nanswers = \"answers.json\"\nfunctions = [\"dir.constructor\", \"dir.open\"]",
    );
    plan.write("answers.json", "{}");
    holds(
        &plan,
        "one-method",
        "store::Dir::new(\"x\").open(\"y\").unwrap_or_default()",
    );
}

#[test]
fn two_labels_on_one_interface() {
    let plan = Plan::new(
        "world hole {
            import source: lacuna:fs/read@0.1.0;
            import other: lacuna:fs/read@0.1.0;
            export run: func() -> string;
        }",
        "[hole.hole.grant.source]\npath = \".\"\nfunctions = [\"read-text\"]\n[hole.hole.grant.other]\npath = \".\"\nfunctions = [\"glob\", \"metadata\"]",
    );
    holds(
        &plan,
        "two-labels",
        "let all = other::glob(\"*\").unwrap(); let _ = other::metadata(\".\"); source::read_text(&all[0]).unwrap()",
    );
}

#[test]
fn exports_with_names_that_libraries_have() {
    let names = [
        "sqrt",
        "memcpy",
        "round",
        "pow",
        "main",
        "malloc",
        "run-ctors",
        "log",
    ];
    let exports: Vec<String> = names
        .iter()
        .map(|name| format!("export {name}: func(x: f64) -> f64;"))
        .collect();
    let plan = Plan::new(&format!("world hole {{ {} }}", exports.join(" ")), "");
    let functions: Vec<String> = names
        .iter()
        .enumerate()
        .map(|(index, name)| {
            format!(
                "pub fn {}(x: f64) -> f64 {{ x.sqrt().powf(2.0).round() + vec![1.0; 100].len() as f64 + {index}000.0 }}",
                name.replace('-', "_")
            )
        })
        .collect();
    let snippet = functions.join("\n");
    holds(&plan, "library-names", &snippet);
    let mut arguments = vec![
        "run".to_owned(),
        "plan.wit".to_owned(),
        "--snippet".to_owned(),
        "snippet.rs".to_owned(),
    ];
    for name in names {
        arguments.extend(["--call".to_owned(), format!("{name}(4.0)")]);
    }
    let ended = program::run(&plan.folder, arguments);
    let values: Vec<&str> = ended.stdout.lines().collect();
    assert_eq!(
        values,
        [
            "104", "1104", "2104", "3104", "4104", "5104", "6104", "7104"
        ],
        "{ended:?}"
    );
}
