use std::fs;
use std::io;

use super::*;
use crate::error::render;

mod documentation;

/// A folder with these files, and the plan in it.
struct Fixture {
    folder: tempfile::TempDir,
}

impl Fixture {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Self { folder }
    }

    fn wit(text: &str) -> Self {
        Self::new(&[("plan.wit", text)])
    }

    fn load(&self) -> Result<Plan, PlanError> {
        load(&self.folder.path().join("plan.wit"))
    }

    fn plan(&self) -> Plan {
        self.load()
            .unwrap_or_else(|error| panic!("{}", render(&error)))
    }

    /// The error as drawn, with the folder cut out.
    fn error(&self) -> String {
        self.clean(&render(&self.load().unwrap_err()))
    }

    fn clean(&self, text: &str) -> String {
        text.replace(&format!("{}/", self.folder.path().display()), "")
    }
}

fn wit_error(items: &str) -> String {
    Fixture::wit(&format!("package t:h;\n{items}")).error()
}

#[test]
fn a_plan_is_loaded_with_task_and_types() {
    let plan = Fixture::wit(
        "package demo:audit@0.1.0;
interface types { record duplicate { name: string, versions: list<string> } }
/// Find every crate.
world audit {
  use types.{duplicate};
  import repo: lacuna:fs/read@0.1.0;
  /// Most first.
  export duplicates: func(lockfile: string) -> list<duplicate>;
}
world types-only { use types.{duplicate}; }",
    )
    .plan();
    assert_eq!(plan.holes.len(), 1);
    let hole = plan.entry(None).unwrap();
    assert_eq!(hole.name, "audit");
    assert_eq!(hole.task, "Find every crate.\n\nMost first.");
    let function = &hole.exports[0].functions[0];
    assert_eq!(function.parameters[0].1, Type::String);
    assert_eq!(
        function.result.as_ref().unwrap().to_string(),
        "list<duplicate>"
    );
    let repo = hole
        .imports
        .iter()
        .find(|import| import.label == "repo")
        .unwrap();
    assert!(repo.explicit);
    assert_eq!((repo.place.line, repo.place.column), (6, 10));
    let implicit: Vec<_> = hole
        .imports
        .iter()
        .filter(|import| !import.explicit)
        .map(|import| import.name.as_str())
        .collect();
    assert_eq!(
        implicit,
        ["lacuna:fs/types@0.1.0", "demo:audit/types@0.1.0"]
    );
    assert!(plan.hash.starts_with("blake3:"));
}

#[test]
fn exported_interfaces_and_resources_are_found() {
    let plan = Fixture::wit(
        "package t:h; interface fns { resource roman { constructor(); call: func(n: u32) -> string; } } world hole { export fns; }",
    )
    .plan();
    let export = &plan.holes[0].exports[0];
    assert_eq!(export.interface.as_ref().unwrap().export_name, "t:h/fns");
    let names: Vec<_> = export
        .functions
        .iter()
        .map(|function| function.name.as_str())
        .collect();
    assert_eq!(names, ["[constructor]roman", "[method]roman.call"]);
}

#[test]
fn a_file_is_loaded_alone_and_a_folder_whole() {
    let fixture = Fixture::new(&[
        ("plan.wit", "package t:h; world a { export f: func(); }"),
        ("other.wit", "package t:h; world b { export f: func(); }"),
        ("deps/x.wit", "package x:y; interface i { f: func(); }"),
        (
            "deps/z/z.wit",
            "package z:z; interface i { use x:y/j.{t}; g: func() -> t; }",
        ),
        ("deps/z/more.txt", "no WIT"),
    ]);
    assert!(fixture.load().is_err(), "x:y has no interface j");
    fs::write(
        fixture.folder.path().join("deps/x.wit"),
        "package x:y; interface j { type t = u8; }",
    )
    .unwrap();
    assert_eq!(fixture.plan().holes.len(), 1);
    assert_eq!(load(fixture.folder.path()).unwrap().holes.len(), 2);
}

#[test]
fn links_that_leave_the_plans_folder_are_not_read() {
    let other = tempfile::tempdir().unwrap();
    let secret = other.path().join("secret");
    fs::write(&secret, "root:x:0:0\n").unwrap();
    let fixture = Fixture::wit("package t:h;\nworld hole { export run: func(); }");
    let manifest = fixture.folder.path().join("lacuna.toml");
    let _ = fs::remove_file(&manifest);
    std::os::unix::fs::symlink(&secret, &manifest).unwrap();
    let error = fixture.error();
    assert!(error.contains("leaves the plan's folder"), "{error}");
    assert!(!error.contains("root:x"), "{error}");
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let error = load(Path::new("missing/plan.wit")).unwrap_err();
    assert_eq!(
        render(&error),
        "error: cannot read the plan `missing/plan.wit`: no such file or folder\n\nhint: give a .wit file or a folder that holds one\n"
    );
    let fixture = Fixture::wit("");
    fs::write(
        fixture.folder.path().join("plan.wit"),
        b"package t:h;\n\xff",
    )
    .unwrap();
    assert_eq!(
        fixture.error(),
        "error: cannot read `plan.wit`: line 2 is no UTF-8 text\n"
    );
}

#[test]
fn errors_of_the_parser_have_their_line() {
    assert_eq!(
        wit_error("world hole { export run: fnc(); }"),
        "error: expected ';', found '('\n --> plan.wit:2:29\n  |\n2 | world hole { export run: fnc(); }\n  |                             ^\n"
    );
    assert_eq!(
        wit_error(
            "interface tools { f: func(); }\nworld hole { import tool; export run: func(); }"
        ),
        "error: interface or world `tool` does not exist\n --> plan.wit:3:21\n  |\n3 | world hole { import tool; export run: func(); }\n  |                     ^^^^\n\nhint: did you mean `tools`?\n"
    );
    assert_eq!(
        wit_error("world hole { import a:b/c; export run: func(); }"),
        "error: package `a:b` not found\n --> plan.wit:2:21\n  |\n2 | world hole { import a:b/c; export run: func(); }\n  |                     ^^^\n\nhint: put its .wit file or folder into `deps/` beside the plan\n"
    );
    let text = wit_error("world hole { import lacuna:fs/reed@0.1.0; export run: func(); }");
    assert!(
        text.contains("plan.wit:2:") && text.contains("did you mean `read`?"),
        "{text}"
    );
    let text = wit_error("world hole { import lacuna:fs/read; export run: func(); }");
    assert!(text.contains("did you mean `lacuna:fs@0.1.0`?"), "{text}");
}

#[test]
fn a_plan_without_hole_says_what_a_hole_is() {
    assert_eq!(
        wit_error("world hole { }"),
        "error: the plan has no hole: no world exports a function\n --> plan.wit:2:7\n  |\n2 | world hole { }\n  |       ^^^^\n\nhint: a hole is a world that exports what is to be written:\n    world hole {\n      export run: func() -> string;\n    }\n"
    );
}

#[test]
fn what_is_not_supported_is_refused_with_its_line() {
    assert_eq!(
        wit_error("world hole { export run: async func(); }"),
        "error: `async` functions are not supported\n --> plan.wit:2:21\n  |\n2 | world hole { export run: async func(); }\n  |                     ^^^\n\nhint: write `func` without `async`\n"
    );
    for (items, message) in [
        (
            "world hole { export run: func(a: stream<u8>); }",
            "error: `stream` is not supported\n --> plan.wit:2:",
        ),
        (
            "world hole { export run: func() -> future<u8>; }",
            "error: `future` is not supported\n --> plan.wit:2:",
        ),
        (
            "world hole { export run: func(a: error-context); }",
            "error: `error-context` is not supported\n --> plan.wit:2:",
        ),
        (
            "world hole { export run: func(a: map<string, u8>); }",
            "error: `map` is not supported\n --> plan.wit:2:",
        ),
        (
            "world hole { export run: func(a: list<u8, 4>); }",
            "error: `fixed-length list` is not supported\n --> plan.wit:2:",
        ),
        (
            "world hole { resource r; export run: func(); }",
            "error: a resource of a world itself is not supported\n --> plan.wit:2:23",
        ),
        (
            "world hole { import std: lacuna:fs/read@0.1.0; export run: func(); }",
            "error: the label `std` cannot be used: it is a root of paths in Rust\n --> plan.wit:2:21",
        ),
        (
            "world hole { import fn: lacuna:fs/read@0.1.0; export run: func(); }",
            "error: the label `fn` cannot be used: it is a keyword of Rust\n --> plan.wit:2:21",
        ),
        (
            "world hole { import lacuna: lacuna:fs/read@0.1.0; export run: func(); }",
            "error: the label `lacuna` cannot be used: it is the namespace of a package\n --> plan.wit:2:21",
        ),
        (
            "interface core { f: func(); }\nworld hole { import core; export run: func(); }",
            "error: the interface `core` cannot be used: it is a root of paths in Rust\n --> plan.wit:3:21",
        ),
        (
            "world hole { record %option { a: u8 } export run: func(); }",
            "error: a type cannot be named `option`: in Rust it would hide `Option`\n --> plan.wit:2:21",
        ),
        (
            "world hole { export memory: func(); }",
            "error: a function to write cannot be named `memory`: a component's code exports its memory under this name\n --> plan.wit:2:",
        ),
        (
            "interface i { record a1 { x: u8 } record a-1 { x: u8 } f: func(); }\nworld hole { export i; }",
            "error: the types `a1` and `a-1` have the same name in Rust: `A1`\n --> plan.wit:2:42",
        ),
        (
            "interface i { resource r { constructor(); new: func(); } }\nworld hole { import i; export run: func(); }",
            "error: the functions of the resource `[constructor]r` and `[method]r.new` have the same name in Rust: `new`",
        ),
        (
            "interface fs { resource file { } }\nworld hole { use fs.{file}; export run: func(f: borrow<file>) -> borrow<file>; }",
            "error: function `run` returns a type which contains a `borrow<T>`",
        ),
    ] {
        let text = wit_error(items);
        assert!(text.starts_with(message), "{items}\n{text}");
    }
}

#[test]
fn new_keywords_of_rust_work() {
    Fixture::wit("package t:h; interface gen { gen: func(fn: u8); } world hole { import gen; export gen: func(); }").plan();
    Fixture::wit("package t:h; world hole { export %type: func(self: u8); }").plan();
}

#[test]
fn deep_types_end_in_an_error() {
    let depth = 20_000;
    let text = wit_error(&format!(
        "world hole {{ export run: func(a: {}u8{}); }}",
        "list<".repeat(depth),
        ">".repeat(depth)
    ));
    assert!(text.starts_with("error: "), "{text}");
}

#[test]
fn the_entry_is_chosen_as_the_contract_says() {
    let two = "package t:h;\nworld one { export f: func(); }\nworld two { export g: func(); }";
    let fixture = Fixture::wit(two);
    let plan = fixture.plan();
    assert_eq!(
        render(&plan.entry(None).unwrap_err()),
        "error: the plan has several holes and no entry\n\nhint: choose with --hole or `entry = \"…\"` in lacuna.toml: one, two\n"
    );
    assert_eq!(plan.entry(Some("two")).unwrap().name, "two");
    assert_eq!(
        render(&plan.entry(Some("tow")).unwrap_err()),
        "error: there is no hole `tow`\n\nhint: did you mean `two`?\n"
    );
    let fixture = Fixture::new(&[
        ("plan.wit", two),
        ("lacuna.toml", "schema = 1\nentry = \"two\"\n"),
    ]);
    assert_eq!(fixture.plan().entry(None).unwrap().name, "two");
    let fixture = Fixture::new(&[
        ("plan.wit", two),
        ("lacuna.toml", "schema = 1\nentry = \"x\"\n"),
    ]);
    assert_eq!(
        fixture.clean(&render(&fixture.plan().entry(None).unwrap_err())),
        "error: there is no hole `x`\n --> lacuna.toml:2:9\n  |\n2 | entry = \"x\"\n  |         ^^^\n\nhint: its holes: one, two\n"
    );
    // `main` calls `child`, by interface and by function.
    let plan = Fixture::wit("package t:h; interface i { f: func(); } world child { export i; } world main { import i; export run: func(); }").plan();
    assert_eq!(plan.entry(None).unwrap().name, "main");
    let plan = Fixture::wit("package t:h; world child { export f: func(a: u8); } world main { import f: func(a: u8); export run: func(); }").plan();
    assert_eq!(plan.entry(None).unwrap().name, "main");
    let plan = Fixture::wit("package t:h; world child { export f: func(a: u8); } world main { import f: func(a: u16); export run: func(); }").plan();
    assert!(
        plan.entry(None).is_err(),
        "another type is another function"
    );
}

#[test]
fn a_table_of_an_unknown_hole_is_an_error() {
    let fixture = Fixture::new(&[
        ("plan.wit", "package t:h; world audit { export f: func(); }"),
        ("lacuna.toml", "schema = 1\n[hole.adit]\n"),
    ]);
    assert_eq!(
        fixture.error(),
        "error: there is no hole `adit`\n --> lacuna.toml:2:7\n  |\n2 | [hole.adit]\n  |       ^^^^\n\nhint: did you mean `audit`?\n"
    );
}

fn read_fake(input: arguments::Input<'_>) -> io::Result<Vec<u8>> {
    match input {
        arguments::Input::Stdin => Ok(b"from stdin".to_vec()),
        arguments::Input::File(path) if path.ends_with("a.txt") => {
            Ok(format!("content of {}", path.display()).into_bytes())
        }
        arguments::Input::File(path) if path.ends_with("a.json") => {
            Ok(br#"{"n": 4294967295, "s": "@x"}"#.to_vec())
        }
        arguments::Input::File(path) if path.ends_with("bad.json") => Ok(b"{\n \"n\": }".to_vec()),
        arguments::Input::File(_) => Err(io::Error::from(io::ErrorKind::NotFound)),
    }
}

fn resolve(plan: &Plan, inputs: &Inputs) -> Result<Vec<String>, String> {
    let hole = plan.entry(None).unwrap();
    arguments::resolve(plan, hole, inputs, &mut read_fake)
        .map(|invocations| {
            invocations
                .iter()
                .map(|invocation| {
                    let values: Vec<_> = invocation
                        .arguments
                        .iter()
                        .map(crate::value::to_wave)
                        .collect();
                    format!("{}({})", invocation.function, values.join(", "))
                })
                .collect()
        })
        .map_err(|error| render(&error))
}

fn args(args: &[&str]) -> Inputs {
    Inputs {
        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        ..Inputs::default()
    }
}

fn calls(calls: &[&str]) -> Inputs {
    Inputs {
        calls: calls.iter().map(|call| (*call).to_owned()).collect(),
        ..Inputs::default()
    }
}

const RUN: &str = "package t:h;\nworld hole { export run: func(s: string, n: option<u32>); }";

#[test]
fn arguments_are_read_by_name() {
    let plan = Fixture::wit(RUN).plan();
    let ok = |inputs: &[&str]| resolve(&plan, &args(inputs)).unwrap().remove(0);
    assert_eq!(ok(&["s=a b=c"]), "run(\"a b=c\", none)");
    assert_eq!(ok(&["s=\"a\\n\"", "n=some(3)"]), "run(\"a\\n\", some(3))");
    assert_eq!(ok(&["s=", "n=3"]), "run(\"\", some(3))");
    assert_eq!(ok(&["s=@-"]), "run(\"from stdin\", none)");
    assert_eq!(ok(&["s=@a.txt"]), "run(\"content of a.txt\", none)");
    assert_eq!(ok(&["s=@@x"]), "run(\"@x\", none)");
    let mut json = args(&[]);
    json.args_json = Some("a.json".into());
    assert_eq!(
        resolve(&plan, &json).unwrap(),
        ["run(\"@x\", some(4294967295))"]
    );
}

#[test]
fn wrong_arguments_name_parameter_and_type() {
    let plan = Fixture::wit(RUN).plan();
    let error = |inputs: &[&str]| resolve(&plan, &args(inputs)).unwrap_err();
    assert_eq!(
        error(&["s=a", "n=x1"]),
        "error: argument `n` of type option<u32>: expected u32, found x1\n --> --arg n:1:1\n  |\n1 | x1\n  | ^^\n"
    );
    assert!(error(&[]).starts_with("error: no value for the parameter `s` of type string\n"));
    assert_eq!(
        error(&["s=a", "m=1"]),
        "error: `run` has no parameter `m`\n\nhint: its type is run: func(s: string, n: option<u32>)\n"
    );
    assert_eq!(error(&["s=a", "s=b"]), "error: --arg s is given twice\n");
    assert_eq!(error(&["s"]), "error: --arg s: expected NAME=VALUE\n");
    assert_eq!(
        error(&["s=@b.txt"]),
        "error: argument `s`: cannot read `b.txt`: no such file or folder\n\nhint: write `@@` for a text that starts with `@`\n"
    );
    assert_eq!(
        error(&["s=a", "n=@a.txt"]),
        "error: argument `n`: only `string` and `list<u8>` can be read from a file, not option<u32>\n"
    );
    let mut json = args(&[]);
    json.args_json = Some("bad.json".into());
    assert_eq!(
        resolve(&plan, &json).unwrap_err(),
        "error: `bad.json` is no JSON: expected value\n --> bad.json:2:7\n  |\n2 |  \"n\": }\n  |       ^\n"
    );
}

#[test]
fn arguments_of_the_manifest_come_last_and_start_at_its_folder() {
    let fixture = Fixture::new(&[
        ("plan.wit", RUN),
        (
            "lacuna.toml",
            "schema = 1\n[hole.hole.args]\ns = \"@a.txt\"\nn = \"7\"\n",
        ),
    ]);
    let plan = fixture.plan();
    assert_eq!(
        fixture.clean(&resolve(&plan, &args(&[])).unwrap()[0]),
        "run(\"content of a.txt\", some(7))"
    );
    assert_eq!(
        resolve(&plan, &args(&["s=x"])).unwrap(),
        ["run(\"x\", some(7))"]
    );
    let fixture = Fixture::new(&[
        ("plan.wit", RUN),
        (
            "lacuna.toml",
            "schema = 1\n[hole.hole.args]\ns = \"x\"\nnn = \"7\"\n",
        ),
    ]);
    assert_eq!(
        fixture.clean(&resolve(&fixture.plan(), &args(&[])).unwrap_err()),
        "error: `run` has no parameter `nn`\n --> lacuna.toml:4:6\n  |\n4 | nn = \"7\"\n  |      ^^^\n\nhint: did you mean `n`?\n"
    );
}

#[test]
fn calls_find_their_function() {
    let plan = Fixture::wit(
        "package t:h;
interface a { f: func(n: u32); resource r { g: func(); } }
interface b { f: func(n: u32); only: func(); make: func() -> bool; }
world hole { export a; export b; export run: func(s: string, n: option<u32>); }",
    )
    .plan();
    let ok = |call: &str| resolve(&plan, &calls(&[call])).unwrap().remove(0);
    assert_eq!(ok("run(\"x\")"), "run(\"x\", none)");
    assert_eq!(ok("a.f(1)"), "f(1)");
    assert_eq!(ok("t:h/b.f(1)"), "f(1)");
    assert_eq!(ok("only()"), "only()");
    let error = |call: &str| resolve(&plan, &calls(&[call])).unwrap_err();
    assert_eq!(
        error("f(1)"),
        "error: `f` is exported more than once\n\nhint: write one of: a.f, b.f\n"
    );
    assert!(error("onyl()").contains("hint: "), "{}", error("onyl()"));
    assert!(error("a#[method]r.g()").starts_with("error: `a#[method]r.g` belongs to a resource"));
    assert!(error("r.g()").starts_with("error: `r.g` belongs to a resource"));
    assert_eq!(
        error("a.f(\"x\")"),
        "error: n: expected u32, found \"x\"\n --> --call:1:5\n  |\n1 | a.f(\"x\")\n  |     ^^^\n\nhint: its type is f: func(n: u32)\n"
    );
    assert!(
        resolve(&plan, &args(&[]))
            .unwrap_err()
            .contains("exports several functions")
    );
    assert!(error("run(").starts_with("error: expected a call such as"));
}

#[test]
fn handles_do_not_cross_the_command_line() {
    let plan = Fixture::wit(
        "package t:h;\ninterface fs { resource file { read: func() -> string; } }\nworld hole { use fs.{file}; export run: func(f: borrow<file>) -> u32; }",
    )
    .plan();
    let text = resolve(&plan, &args(&[])).unwrap_err();
    assert!(text.starts_with("error: `run` cannot be called from the command line: its parameter `f` (borrow<file>) holds a resource\n"), "{text}");
    assert!(text.contains("plan.wit:3:"), "{text}");
}

#[test]
fn broken_plans_never_panic() {
    let good = "package t:h; interface i { resource r { constructor(a: u8); m: func() -> result<list<u8>, string>; } record x { a: option<char> } } world hole { use i.{x}; import repo: lacuna:fs/read@0.1.0; include base; export i; export run: func(a: x) -> tuple<u8, x>; } world base { import i; }";
    assert!(Fixture::wit(good).load().is_ok());
    let fixture = Fixture::wit("");
    for at in (0..good.len()).step_by(4) {
        for piece in ["", "x", "{", "}", "<", "%", ";", "/*", "é"] {
            let text = format!(
                "{}{piece}{}",
                &good[..at],
                good.get(at + 1..).unwrap_or_default()
            );
            fs::write(fixture.folder.path().join("plan.wit"), text).unwrap();
            if let Err(error) = fixture.load() {
                assert!(
                    !render(&error).contains("WIT parser failed"),
                    "{piece} at {at}"
                );
            }
        }
    }
}

#[test]
fn every_sample_of_names_is_refused_or_loads() {
    for name in [
        "a1",
        "x-y",
        "URL",
        "parse-URL",
        "guest",
        "result-of",
        "self-test",
        "type-name",
    ] {
        let text = format!(
            "package t:h; interface i {{ record {name} {{ {name}: u8 }} {name}-f: func(v: {name}) -> {name}; }} world hole {{ export i; }}"
        );
        Fixture::wit(&text).plan();
    }
}

#[test]
fn a_host_program_gives_values_or_json() {
    let plan = Fixture::wit(RUN).plan();
    let hole = plan.entry(None).unwrap();
    let text = |invocation: Invocation| {
        let values: Vec<_> = invocation
            .arguments
            .iter()
            .map(crate::value::to_wave)
            .collect();
        values.join(", ")
    };
    let value = crate::value::Value::String("a".to_owned());
    let none = crate::value::Value::Option(None);
    let given = arguments::positional(hole, vec![value.clone(), none.clone()]).unwrap();
    assert_eq!(text(given), "\"a\", none");
    let error = |values| render(&arguments::positional(hole, values).unwrap_err());
    assert_eq!(
        error(vec![none, value.clone()]),
        "error: argument `s` of type string: the value none is of another type\n"
    );
    assert!(error(vec![value]).starts_with("error: expected 2 arguments, found 1\n"));
    let given = arguments::json(hole, &serde_json::json!({"s": "@x", "n": 3})).unwrap();
    assert_eq!(text(given), "\"@x\", some(3)");
    let error = |json| arguments::json(hole, &json).unwrap_err().to_string();
    assert_eq!(
        error(serde_json::json!({})),
        "no value for the parameter `s` of type string"
    );
    assert_eq!(
        error(serde_json::json!({"s": 1})),
        "argument `s` of type string: expected string, found 1"
    );
    assert_eq!(
        error(serde_json::json!({"s": "", "x": 1})),
        "`run` has no parameter `x`"
    );
    assert_eq!(
        error(serde_json::json!([])),
        "the arguments must be a JSON object by parameter name"
    );
}
