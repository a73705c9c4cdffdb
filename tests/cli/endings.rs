//! Runs that end without a value: no code that is accepted, a budget that is used up, a fault of the code.

use std::fs::File;
use std::process::Stdio;

use crate::Test;
use crate::sheet::Sheet;

pub(crate) const TESTS: &[Test] = &[
    ("answers-without-code", "audit", answers_without_code),
    ("same-answer-twice", "audit", same_answer_twice),
    ("attempts-used-up", "audit", attempts_used_up),
    ("retry-on", "audit", retry_on),
    ("budget", "audit", budget),
    ("budget-wall", "audit", budget_wall),
    ("traps", "audit", traps),
    ("limits", "audit", limits),
    ("stdout-closed", "audit", stdout_closed),
];

/// Each is told to the model, so the next attempt may do better.
fn answers_without_code(sheet: &mut Sheet) {
    let good = sheet.read("recorded/audit.2.md");
    for (what, answer) in [
        ("nothing", ""),
        ("blanks", " \n\n"),
        ("prose", "I would read the file and count.\n"),
        (
            "another language",
            "```python\ndef duplicates(): pass\n```\n",
        ),
        (
            "cut",
            "```rust\npub fn duplicates(lockfile: String) -> Vec<Duplicate> {\n    let text = repo::read_te",
        ),
        ("another function", "```rust\npub fn doubles() {}\n```\n"),
    ] {
        sheet.write("recorded/audit.1.md", answer);
        sheet.write("recorded/audit.2.md", &good);
        sheet.say(&format!("# {what}"));
        sheet.run(&["run", "plan.wit"]);
    }
}

fn same_answer_twice(sheet: &mut Sheet) {
    let bad = sheet.read("recorded/audit.1.md");
    sheet.write("recorded/audit.2.md", &bad);
    sheet.write("recorded/audit.3.md", "never asked for");
    let ended = sheet.run(&["run", "plan.wit"]);
    assert_eq!(ended.code, Some(1));
    assert!(!ended.stderr.contains("attempt 3 of 3"));
}

fn attempts_used_up(sheet: &mut Sheet) {
    sheet.edit(
        "lacuna.toml",
        "schema = 1",
        "schema = 1\n[budget]\nattempts = 1",
    );
    sheet.run(&["run", "plan.wit"]);
    sheet.run(&["run", "plan.wit", "--format", "json"]);
    sheet.edit("lacuna.toml", "attempts = 1", "attempts = 0");
    sheet.run(&["run", "plan.wit"]);
    sheet.run(&[
        "run",
        "plan.wit",
        "--snippet",
        "recorded/audit.1.md",
        "--format",
        "json",
    ]);
}

fn retry_on(sheet: &mut Sheet) {
    sheet.edit(
        "lacuna.toml",
        "schema = 1",
        "schema = 1\n[hole.audit]\nretry-on = [\"contract\"]",
    );
    let ended = sheet.run(&["run", "plan.wit"]);
    assert_eq!(ended.code, Some(1));
    assert!(!ended.stderr.contains("attempt 2 of 3"));
}

fn budget(sheet: &mut Sheet) {
    let whole = sheet.read("lacuna.toml");
    // The tokens of a prompt are an estimate that changes with its words.
    for (setting, used) in [
        ("tokens = 10", true),
        ("model-calls = 1", false),
        ("model-calls = 0", false),
    ] {
        sheet.write(
            "lacuna.toml",
            &whole.replacen("schema = 1", &format!("schema = 1\n[budget]\n{setting}"), 1),
        );
        sheet.say(&format!("# {setting}"));
        let arguments = ["run", "plan.wit", "--format", "json"];
        let mut ended = sheet.start(&arguments, |_| {}).end();
        if used {
            let number = ended.stdout.split("\"used\":").nth(1).unwrap_or("}");
            let number = number.split('}').next().unwrap_or_default().to_owned();
            ended.stdout = ended.stdout.replace(&number, "…");
            ended.stderr = ended.stderr.replace(&number, "…");
        }
        sheet.note(&arguments, &ended);
    }
}

fn budget_wall(sheet: &mut Sheet) {
    sheet.edit(
        "lacuna.toml",
        "schema = 1",
        "schema = 1\n[budget]\nwall = \"2s\"",
    );
    for what in [
        &["--model", "command:sleep 60"][..],
        &["--snippet", "slow.rs"],
    ] {
        sheet.write(
            "slow.rs",
            "pub fn duplicates(_: String) -> Vec<Duplicate> { loop {} }",
        );
        let arguments = [&["run", "plan.wit", "--format", "json"], what].concat();
        let started = std::time::Instant::now();
        let mut ended = sheet.start(&arguments, |_| {}).end();
        assert!(started.elapsed().as_secs() < 5, "{:?}", started.elapsed());
        for text in [&mut ended.stdout, &mut ended.stderr] {
            *text = milliseconds(text);
        }
        sheet.note(&arguments, &ended);
    }
}

/// Four-digit numbers that start with a two: how long two seconds were.
fn milliseconds(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let digit = |at: usize| characters.get(at).is_some_and(char::is_ascii_digit);
    let mut new = String::new();
    let mut at = 0;
    while at < characters.len() {
        let length = (at..).take_while(|at| digit(*at)).count();
        if length == 4 && characters[at] == '2' && (at == 0 || !digit(at - 1)) {
            new.push_str("2…");
            at += 4;
        } else {
            let step = length.max(1);
            new.extend(&characters[at..at + step]);
            at += step;
        }
    }
    new
}

/// Places are the snippet's own, in items and in a bare body, and what was printed before is not lost.
fn traps(sheet: &mut Sheet) {
    for (file, code) in [
        (
            "index.rs",
            "pub fn duplicates(lockfile: String) -> Vec<Duplicate> {\n    println!(\"looking at {lockfile}\");\n    let none: Vec<Duplicate> = Vec::new();\n    vec![none[lockfile.len()].clone()]\n}\n",
        ),
        (
            "body.rs",
            "let total = lockfile.len();\npanic!(\"total {total}\")\n",
        ),
        (
            "expect.rs",
            "pub fn duplicates(_: String) -> Vec<Duplicate> {\n    repo::read_text(\"nowhere\").expect(\"no such file\");\n    Vec::new()\n}\n",
        ),
    ] {
        sheet.write(file, code);
        sheet.run(&["run", "plan.wit", "--snippet", file]);
        sheet.run(&[
            "run",
            "plan.wit",
            "--snippet",
            file,
            "--format",
            "json",
            "--quiet",
        ]);
    }
}

fn limits(sheet: &mut Sheet) {
    sheet.edit(
        "lacuna.toml",
        "schema = 1",
        "schema = 1\n[limits]\nfuel = 100000000\nlog = \"100B\"\nhost-calls = 3",
    );
    for (file, code) in [
        (
            "loop.rs",
            "pub fn duplicates(_: String) -> Vec<Duplicate> { loop {} }",
        ),
        (
            "log.rs",
            "pub fn duplicates(_: String) -> Vec<Duplicate> { println!(\"{}\", \"x\".repeat(200)); Vec::new() }",
        ),
        (
            "calls.rs",
            "pub fn duplicates(f: String) -> Vec<Duplicate> { loop { let _ = repo::read_text(&f); } }",
        ),
    ] {
        sheet.write(file, code);
        sheet.run(&["run", "plan.wit", "--snippet", file, "--format", "json"]);
    }
}

/// A value that nobody got is no success.
fn stdout_closed(sheet: &mut Sheet) {
    for arguments in [
        &["run", "plan.wit"][..],
        &["run", "plan.wit", "--format", "json"],
        &["show", "plan.wit"],
    ] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        sheet.run_with(arguments, |command| {
            command.stdout(Stdio::from(full));
        });
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        sheet.run_with(arguments, |command| {
            command.stdout(Stdio::from(writer));
        });
    }
}
