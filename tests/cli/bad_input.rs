//! Plans, manifests and arguments that are wrong: refused with their place, before a model is asked.

use crate::Test;
use crate::sheet::Sheet;

pub(crate) const TESTS: &[Test] = &[
    ("plan-missing", "audit", plan_missing),
    ("plan-invalid", "audit", plan_invalid),
    ("manifest-invalid", "audit", manifest_invalid),
    ("grants", "audit", grants),
    ("arguments", "audit", arguments),
];

fn plan_missing(sheet: &mut Sheet) {
    sheet.run(&["rnu", "plan.wit"]);
    sheet.run(&["run", "nowhere.wit"]);
    sheet.run(&["run", "nowhere.wit", "--format", "json"]);
    sheet.run(&["check", "nowhere", "--snippet", "x.rs", "--format", "json"]);
    sheet.run(&["show", "recorded"]);
    sheet.run(&["run", "lacuna.toml"]);
    std::fs::remove_file(sheet.folder.join("lacuna.toml")).unwrap();
    sheet.run(&["run", "plan.wit"]);
}

fn plan_invalid(sheet: &mut Sheet) {
    sheet.edit(
        "plan.wit",
        "versions: list<string>",
        "versions: list<strin>",
    );
    sheet.run(&["run", "plan.wit"]);
    sheet.edit("plan.wit", "list<strin>", "list<string");
    sheet.run(&["run", "plan.wit", "--format", "json"]);
    sheet.write(
        "plan.wit",
        "package a:b;\nworld w { export f: async func(); }\n",
    );
    sheet.run(&["run", "plan.wit"]);
    let whole = "package me:own@0.1.0;\nworld w { export f: func() -> u8; }\n";
    sheet.write("plan.wit", whole);
    sheet.run(&["run", "plan.wit"]);
    // What the hint says is right: only the manifest no longer fits.
    sheet.edit("plan.wit", "me:own", "me:%own");
    sheet.run(&["run", "plan.wit"]);
    sheet.write("plan.wit", "");
    sheet.run(&["run", "plan.wit"]);
    std::fs::write(sheet.folder.join("plan.wit"), b"package a:b;\n\xff\xfe").unwrap();
    sheet.run(&["run", "plan.wit"]);
}

fn manifest_invalid(sheet: &mut Sheet) {
    let whole = sheet.read("lacuna.toml");
    for (from, to) in [
        ("schema = 1", "shema = 1"),
        ("functions =", "function ="),
        ("functions =", "where ="),
        ("[hole.audit.grant.repo]", "[hole.audti.grant.repo]"),
        ("schema = 1", "schema = 1\n[limits]\nmemory = \"64MB\""),
        ("schema = 1", "schema = 1\n[limits]\nmemori = \"64MiB\""),
        ("schema = 1", "schema = 1\n[budget]\nwall = 5"),
        ("schema = 1", "schema = 2"),
        ("provider = \"replay\"", "provider = \"replai\""),
        ("dir = \"recorded\"", ""),
        ("schema = 1", "schema = "),
    ] {
        sheet.write("lacuna.toml", &whole.replacen(from, to, 1));
        sheet.say(&format!("# {from} → {}", to.replace('\n', "; ")));
        sheet.run(&["run", "plan.wit"]);
    }
}

fn grants(sheet: &mut Sheet) {
    let whole = sheet.read("lacuna.toml");
    for (from, to) in [
        (
            "[hole.audit.grant.repo]\npath = \".\"\nfunctions = [\"read-text\"]\n",
            "",
        ),
        ("grant.repo]", "grant.rpo]"),
        (
            "[hole.audit.grant.repo]",
            "[hole.audit.grant.other]\npath = \".\"\n[hole.audit.grant.repo]",
        ),
        ("[\"read-text\"]", "[]"),
        ("[\"read-text\"]", "[\"raed-text\"]"),
        ("path = \".\"\n", ""),
        ("path = \".\"", "path = \"nowhere\""),
        ("path = \".\"", "path = \"plan.wit\""),
    ] {
        sheet.write("lacuna.toml", &whole.replacen(from, to, 1));
        sheet.say(&format!(
            "# {} → {}",
            from.replace('\n', "; "),
            to.replace('\n', "; ")
        ));
        sheet.run(&["run", "plan.wit"]);
    }
}

fn arguments(sheet: &mut Sheet) {
    for words in [
        &["--arg", "lockfil=x"][..],
        &["--arg", "lockfile"],
        &["--arg", "lockfile=\"unclosed"],
        &["--arg", "lockfile=@nowhere"],
        &["--arg", "lockfile=a", "--arg", "lockfile=b"],
        &["--args-json", "plan.wit"],
        &["--call", "duplicates(1)"],
        &["--call", "duplicate(\"x\")"],
        &["--call", "duplicates(\"x\""],
        &[
            "--call",
            "duplicates(\"Cargo.lock\")",
            "--arg",
            "lockfile=x",
        ],
        &["--hole", "audti"],
    ] {
        sheet.run(&[&["run", "plan.wit"], words].concat());
    }
    sheet.edit("lacuna.toml", "lockfile = \"Cargo.lock\"", "lockfile = 1");
    sheet.run(&["run", "plan.wit"]);
    sheet.edit("lacuna.toml", "lockfile = 1", "");
    sheet.run(&["run", "plan.wit"]);
    sheet.write("arguments.json", "{\"lockfile\": 7}");
    sheet.run(&["run", "plan.wit", "--args-json", "arguments.json"]);
}
