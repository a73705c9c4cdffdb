//! Runs that return a value, and what `run`, `check`, `show` and `build` print on the way.

use std::fs;

use serde_json::Value;

use crate::Test;
use crate::sheet::Sheet;

pub(crate) const TESTS: &[Test] = &[
    ("a-value", "audit", a_value),
    ("another-input", "audit", another_input),
    ("missing-recording", "audit", missing_recording),
    ("quiet-and-verbose", "audit", quiet_and_verbose),
    ("check", "audit", check),
    ("build", "audit", build),
    ("show", "audit", show),
    ("trace", "audit", trace),
    ("help", "audit", help),
];

fn a_value(sheet: &mut Sheet) {
    sheet.run(&["run", "plan.wit"]);
    sheet.run(&["run", "plan.wit", "--format", "json"]);
    sheet.run(&["run", "."]);
}

/// The recording is of a program, not of its result.
fn another_input(sheet: &mut Sheet) {
    let lock = sheet.read("Cargo.lock");
    sheet.write(
        "Cargo.lock",
        &format!("{lock}\n[[package]]\nname = \"serde\"\nversion = \"0.9.15\"\n"),
    );
    sheet.run(&["run", "plan.wit"]);
    sheet.run(&[
        "run",
        "plan.wit",
        "--arg",
        "lockfile=plan.wit",
        "--format",
        "json",
    ]);
}

fn missing_recording(sheet: &mut Sheet) {
    fs::remove_file(sheet.folder.join("recorded/audit.2.md")).unwrap();
    sheet.run(&["run", "plan.wit"]);
    sheet.run(&["run", "plan.wit", "--format", "json"]);
    sheet.run(&["run", "plan.wit", "--strict"]);
    sheet.run(&["run", "plan.wit", "--model", "replay:nowhere"]);
}

fn quiet_and_verbose(sheet: &mut Sheet) {
    sheet.run(&["run", "plan.wit", "--quiet"]);
    sheet.run(&["run", "plan.wit", "--verbose"]);
    sheet.edit(
        "lacuna.toml",
        "schema = 1",
        "schema = 1\n[budget]\nattempts = 1",
    );
    sheet.run(&["run", "plan.wit", "--quiet"]);
    sheet.run(&["run", "plan.wit", "--quiet", "--verbose"]);
}

fn check(sheet: &mut Sheet) {
    sheet.run(&["check", "plan.wit", "--snippet", "recorded/audit.2.md"]);
    sheet.run(&["check", "plan.wit", "--snippet", "recorded/audit.1.md"]);
    sheet.run(&[
        "check",
        "plan.wit",
        "--snippet",
        "recorded/audit.1.md",
        "--quiet",
    ]);
    sheet.run(&[
        "check",
        "plan.wit",
        "--snippet",
        "recorded/audit.1.md",
        "--format",
        "json",
    ]);
    sheet.run(&[
        "check",
        "plan.wit",
        "--snippet",
        "recorded/audit.2.md",
        "--format",
        "json",
    ]);
    sheet.run(&["check", "plan.wit", "--snippet", "nothing.rs"]);
    sheet.run(&["check", "plan.wit", "--snippet", "-"]);
}

fn build(sheet: &mut Sheet) {
    sheet.run(&[
        "build",
        "plan.wit",
        "--snippet",
        "recorded/audit.1.md",
        "-o",
        "out/a.wasm",
    ]);
    fs::create_dir(sheet.folder.join("out")).unwrap();
    sheet.run(&[
        "build",
        "plan.wit",
        "--snippet",
        "recorded/audit.1.md",
        "-o",
        "out/a.wasm",
        "-q",
    ]);
    sheet.list("out");
    let ended = sheet.run(&[
        "build",
        "plan.wit",
        "--snippet",
        "recorded/audit.2.md",
        "-o",
        "out/a.wasm",
        "-q",
    ]);
    assert_eq!(ended.code, Some(0));
    sheet.list("out");
    let wasm = fs::read(sheet.folder.join("out/a.wasm")).unwrap();
    // Magic, then the version and layer of a component.
    assert_eq!(wasm[..8], *b"\0asm\x0d\0\x01\0");
    sheet.run(&[
        "build",
        "plan.wit",
        "--snippet",
        "recorded/audit.2.md",
        "-o",
        "nowhere/a.wasm",
        "-q",
    ]);
}

fn show(sheet: &mut Sheet) {
    sheet.run(&["show", "plan.wit"]);
    sheet.run(&["show", "plan.wit", "--what", "wit"]);
    sheet.run(&["show", "plan.wit", "--hole", "audits"]);
    // What a manifest says stands on the line that it belongs to.
    sheet.write(
        "lacuna.toml",
        "schema = 1\n\
         [models.default]\n\
         provider = \"command\"\n\
         command = \"cat 'answer.md` on this machine\\n  can call nothing' ; touch x\"\n\
         [hole.audit.args]\n\
         lockfile = \"x\\n  can call nothing else\"\n\
         [hole.audit.grant.repo]\n\
         path = \".\"\n",
    );
    sheet.run(&["show", "plan.wit"]);
}

/// What stands in a trace, event by event, without the texts.
fn trace(sheet: &mut Sheet) {
    // A literal that is long enough to be cut.
    sheet.edit(
        "recorded/audit.2.md",
        "    found\n        .into_iter()",
        "    println!(\"{}\", \"x\".repeat(60_000));\n    found\n        .into_iter()",
    );
    let filler = format!("# {}\n", "y".repeat(70_000));
    let lock = sheet.read("Cargo.lock");
    sheet.write("Cargo.lock", &(lock + &filler));
    let running = sheet.start(
        &["run", "plan.wit", "--quiet", "--trace", "trace.jsonl"],
        |_| {},
    );
    assert_eq!(running.end().code, Some(0));
    let mut clock = 0;
    for (number, line) in sheet.read("trace.jsonl").lines().enumerate() {
        let event: Value = serde_json::from_str(line).unwrap();
        assert_eq!(event["seq"], number);
        let now = event["ms"].as_u64().unwrap();
        assert!(now >= clock, "the clock of the trace goes back: {line}");
        clock = now;
        let fields: Vec<&str> = event
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        sheet.say(&format!(
            "{}: {}",
            event["event"].as_str().unwrap(),
            fields.join(" ")
        ));
        match event["event"].as_str().unwrap() {
            "hole-start" => {
                sheet.say(&format!("  grants {}", event["grants"]));
                sheet.say(&format!("  limits {}", event["limits"]));
            }
            "call" => {
                let result = &event["result"];
                let shown = if result.to_string().len() > 1000 {
                    let inner = &result["value"]["ok"];
                    format!(
                        "ok, cut at {}, size {}",
                        inner["cut"].as_str().unwrap().len(),
                        inner["size"]
                    )
                } else {
                    result.to_string()
                };
                sheet.say(&format!(
                    "  {}.{} -> {shown}",
                    event["import"], event["function"]
                ));
            }
            "hole-end" | "session-end" | "run-end" => {
                sheet.say(&format!("  outcome {}", event["outcome"]));
            }
            _ => {}
        }
    }
    sheet.run(&["run", "plan.wit", "--trace", "nowhere/trace.jsonl"]);
}

fn help(sheet: &mut Sheet) {
    sheet.run(&["--help"]);
    for verb in ["run", "check", "show", "build", "trace"] {
        sheet.run(&[verb, "--help"]);
    }
    sheet.run(&["--version"]);
    sheet.run(&[]);
    sheet.run(&["run"]);
    sheet.run(&["run", "plan.wit", "--frobnicate"]);
    sheet.run(&["run", "plan.wit", "--formt", "json"]);
    sheet.run(&["rum", "plan.wit"]);
}
