//! The rules of the repository that no compiler checks. Each test prints the rule that was broken, and where.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test reads the repository it stands in"
)]

mod support;

use std::fs;
use std::path::Path;
use std::process::Command;

use support::source::{code_only, modules_named};
use support::{folders, name, root};

/// The modules of `host/src`, in order: each may use only what stands before it (DESIGN: plan ─► … ─► session ─► cli).
const ORDER: [&str; 23] = [
    "layer",
    "environment",
    "error",
    "process",
    "labels",
    "diagnostic",
    "value",
    "trace",
    "budget",
    "toolchain",
    "plan",
    "grant",
    "scope",
    "prompt",
    "model",
    "snippet",
    "compile",
    "link",
    "effects",
    "capability",
    "sandbox",
    "session",
    "cli",
];

/// Modules that may switch the lint of ambient authority off, and what for.
const AMBIENT: [(&str, &str); 12] = [
    ("capability", "what a grant names"),
    ("cli", "files that a flag names, the terminal"),
    ("compile", "its work folder, rustc"),
    ("grant", "whether the folders that grants name are there"),
    (
        "layer",
        "in the weakened build for tests: which layers are off",
    ),
    (
        "model",
        "keys, programs, an editor, standard input, the network, recordings",
    ),
    ("plan", "the plan's files"),
    (
        "process",
        "the programs that models and tools are served by",
    ),
    ("sandbox", "the cache of compiled components"),
    ("session", "the clock of the budget, recordings"),
    ("toolchain", "where rustc and the cache are"),
    ("trace", "the trace file"),
];

/// Modules that may start processes by themselves, those that have `process` do it (`cli` waits for their end), and those
/// that may use the network.
const STARTS_PROCESSES: [&str; 4] = ["compile", "model", "process", "toolchain"];
const USES_PROCESS: [&str; 3] = ["capability", "cli", "model"];
const USES_NETWORK: [&str; 2] = ["capability", "model"];

/// Longest source file, lines: past it there is a second idea in it.
const LONGEST: usize = 600;

/// What every example consists of.
const EXAMPLE: [&str; 5] = [
    "README.md",
    "plan.wit",
    "lacuna.toml",
    "recorded",
    "expected.txt",
];

/// Commands that the README shows.
const COMMANDS: [&str; 11] = [
    "run",
    "check",
    "show",
    "build",
    "trace",
    "init",
    "doctor",
    "cache",
    "completion",
    "man",
    "schema",
];

#[test]
fn modules_use_only_what_stands_before_them() {
    none_of(
        "a module of host/src uses only modules that stand before it in tests/tidy.rs ORDER",
        sources("host/src").flat_map(|(path, text)| arrows_broken(&path, &text)),
    );
}

#[test]
fn the_weakened_build_is_the_product() {
    let dependencies = |manifest: &str| {
        let text = fs::read_to_string(root().join(manifest)).unwrap();
        let table: toml::Table = toml::from_str(&text).unwrap();
        table["dependencies"].clone()
    };
    assert_eq!(
        dependencies("host/Cargo.toml"),
        dependencies("tests/weakened/Cargo.toml"),
        "tests/weakened compiles the sources of host: it must have the same dependencies"
    );
}

#[test]
fn nothing_unfinished_stays() {
    none_of(
        "no unfinished code, no forgotten debugging, no test that is switched off",
        sources("host")
            .chain(sources("tests"))
            .flat_map(|(path, text)| unfinished(&path, &text)),
    );
}

#[test]
fn no_file_knows_the_machine_it_was_written_on() {
    let data = |path: &str| {
        path.starts_with("tests/cases/") || path.ends_with(".jsonl") || path.ends_with(".log")
    };
    none_of(
        "tracked files name no path of a machine and no host of a package registry",
        tracked()
            .into_iter()
            .filter(|path| !data(path))
            .filter_map(|path| Some((fs::read_to_string(root().join(&path)).ok()?, path)))
            .flat_map(|(text, path)| machine_named(&path, &text)),
    );
}

#[test]
fn files_stay_short() {
    none_of(
        &format!(
            "a source file has at most {LONGEST} lines; past it, look for the second idea in it"
        ),
        sources("host")
            .chain(sources("tests"))
            .filter_map(|(path, text)| {
                let lines = text.lines().count();
                (lines > LONGEST).then(|| format!("{path}: {lines} lines"))
            }),
    );
}

#[test]
fn ambient_authority_stands_where_it_may() {
    none_of(
        "only the modules in tests/tidy.rs AMBIENT, STARTS_PROCESSES, USES_PROCESS and USES_NETWORK reach files, environment, \
         processes or the network; whoever else needs them gets them handed in",
        sources("host/src").flat_map(|(path, text)| ambient_misplaced(&path, &text)),
    );
}

#[test]
fn secrets_are_read_in_one_place() {
    const READER: &str = "host/src/capability/http/secret.rs";
    let readers: Vec<(String, usize)> = sources("host/src/capability")
        .map(|(path, text)| {
            let code = code_only(&text);
            let count = product_only(&path, &code).matches("env::var").count();
            (path, count)
        })
        .filter(|(_, count)| *count > 0)
        .collect();
    assert_eq!(
        readers,
        [(READER.to_owned(), 1)],
        "of `capability` one function reads the environment: variables that grants name, once a session"
    );
}

#[test]
fn examples_are_complete() {
    let examples = folders(&root().join("examples"));
    assert!(!examples.is_empty(), "no examples");
    none_of(
        &format!("every example has {}", EXAMPLE.join(", ")),
        examples.iter().flat_map(|folder| parts_missing(folder)),
    );
}

#[test]
fn data_of_examples_has_a_licence() {
    none_of(
        "an example with files of its own beside the usual ones has LICENSE.* and a section `## The input` in its README",
        folders(&root().join("examples"))
            .iter()
            .filter_map(|folder| licence_missing(folder)),
    );
}

#[test]
fn readme_shows_every_command() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap_or_default();
    none_of(
        "README.md shows each command of the program",
        COMMANDS
            .iter()
            .map(|command| format!("lacuna {command}"))
            // The first command is run through cargo.
            .filter(|command| {
                !readme.contains(command) && !readme.contains(&command.replace(' ', " -- "))
            }),
    );
}

/// Fails with the rule when there is any breach.
#[track_caller]
fn none_of(rule: &str, breaches: impl IntoIterator<Item = String>) {
    let breaches: Vec<String> = breaches.into_iter().collect();
    assert!(
        breaches.is_empty(),
        "\nrule: {rule}\n  {}\n",
        breaches.join("\n  ")
    );
}

/// Files that git tracks or would track.
fn tracked() -> Vec<String> {
    let listed = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .expect("git lists the files");
    assert!(listed.status.success(), "git ls-files fails");
    let files: Vec<String> = String::from_utf8(listed.stdout)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect();
    assert!(files.len() > 20, "git lists only {} files", files.len());
    files
}

/// The tracked Rust files below a folder with their text; snippets of cases are data, not source.
fn sources(below: &str) -> impl Iterator<Item = (String, String)> {
    let prefix = format!("{below}/");
    tracked()
        .into_iter()
        .filter(move |path| {
            path.starts_with(&prefix) && path.ends_with(".rs") && !path.starts_with("tests/cases/")
        })
        .filter_map(|path| Some((fs::read_to_string(root().join(&path)).ok()?, path)))
        .map(|(text, path)| (path, text))
}

/// The module of `host/src` that a file belongs to; `None` for the crate roots.
fn module(path: &str) -> Option<&str> {
    let inside = path.strip_prefix("host/src/")?;
    let first = inside.split('/').next()?.trim_end_matches(".rs");
    (first != "lib" && first != "main").then_some(first)
}

fn arrows_broken(path: &str, text: &str) -> Vec<String> {
    let Some(own) = module(path) else {
        return Vec::new();
    };
    let place = |name: &str| ORDER.iter().position(|module| *module == name);
    let Some(own_place) = place(own) else {
        return vec![format!("{path}: the module `{own}` has no place in ORDER")];
    };
    let depth = path.matches('/').count() - 1;
    // Unit tests may hand what a stage makes to the stage after it.
    let code = code_only(text);
    modules_named(product_only(path, &code), depth)
        .into_iter()
        .filter(|(_, used)| place(used).is_some_and(|used_place| used_place > own_place))
        .map(|(line, used)| format!("{path}:{line}: `{own}` uses `{used}`"))
        .collect()
}

fn unfinished(path: &str, text: &str) -> Vec<String> {
    lines_with(
        path,
        &code_only(text),
        &["todo!", "unimplemented!", "dbg!", "#[ignore"],
    )
}

fn machine_named(path: &str, text: &str) -> Vec<String> {
    // Put together here, since this file is read too.
    let folders = ["root", "work", "home"].map(|folder| format!("/{folder}/"));
    let hosts = [
        ["index.crates", "io"],
        ["static.crates", "io"],
        ["pypi", "org"],
        ["files.pythonhosted", "org"],
        ["registry.npmjs", "org"],
        ["deb.debian", "org"],
    ]
    .map(|host| host.join("."));
    let mut found = lines_with(path, text, &hosts.each_ref().map(String::as_str));
    for (number, line) in text.lines().enumerate() {
        for folder in &folders {
            // `t:h/root/x` and `https://x.y/home/` are no paths of a machine.
            let starts = |at: usize| {
                !line[..at].ends_with(|c: char| c.is_alphanumeric() || "._-/}>*".contains(c))
            };
            if line
                .match_indices(folder.as_str())
                .any(|(at, _)| starts(at))
            {
                found.push(format!("{path}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    found
}

fn ambient_misplaced(path: &str, text: &str) -> Vec<String> {
    let Some(own) = module(path) else {
        return Vec::new();
    };
    let code = product_only(path, &code_only(text)).to_owned();
    let mut found = Vec::new();
    if !AMBIENT.iter().any(|(module, _)| *module == own) {
        found.extend(lines_with(path, &code, &["clippy::disallowed_methods"]));
    }
    if !STARTS_PROCESSES.contains(&own) {
        found.extend(lines_with(path, &code, &["process::Command"]));
    }
    if own != "process" && !USES_PROCESS.contains(&own) {
        found.extend(lines_with(path, &code, &["crate::process"]));
    }
    if !USES_NETWORK.contains(&own) {
        found.extend(lines_with(
            path,
            &code,
            &[
                "reqwest::",
                "std::net::Tcp",
                "std::net::Udp",
                "tokio::net::",
            ],
        ));
    }
    found
}

/// The code without its unit tests, which may make the files and servers they need.
fn product_only<'a>(path: &str, code: &'a str) -> &'a str {
    if path.ends_with("/tests.rs") || path.contains("/tests/") {
        return "";
    }
    let tests = code.match_indices("#[cfg(test)]").find(|(at, attribute)| {
        let item = code[at + attribute.len()..].trim_start();
        item.strip_prefix("mod tests")
            .is_some_and(|rest| rest.trim_start().starts_with('{'))
    });
    tests.map_or(code, |(at, _)| &code[..at])
}

fn parts_missing(example: &Path) -> Vec<String> {
    EXAMPLE
        .iter()
        .filter(|part| {
            let part = example.join(part);
            // An empty folder is not even tracked.
            !part.exists() || part.is_dir() && fs::read_dir(&part).unwrap().next().is_none()
        })
        .map(|part| format!("examples/{}: {part} is missing", name(example)))
        .collect()
}

fn licence_missing(example: &Path) -> Option<String> {
    let files: Vec<String> = fs::read_dir(example)
        .unwrap()
        .map(|entry| name(&entry.unwrap().path()))
        .collect();
    let data = files
        .iter()
        .find(|file| !EXAMPLE.contains(&file.as_str()) && !file.starts_with("LICENSE."))?;
    let noted = files.iter().any(|file| file.starts_with("LICENSE."))
        && fs::read_to_string(example.join("README.md"))
            .is_ok_and(|text| text.contains("\n## The input\n"));
    (!noted).then(|| format!("examples/{}: whose is {data}?", name(example)))
}

fn lines_with(path: &str, text: &str, wanted: &[&str]) -> Vec<String> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| wanted.iter().any(|word| line.contains(word)))
        .map(|(number, line)| format!("{path}:{}: {}", number + 1, line.trim()))
        .collect()
}

/// The rules themselves, on text that breaks them and on text that only looks like it.
mod self_tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_no_code() {
        let source =
            "a /* b /* c */ d */ e // f\n\"g \\\" h\" 'i' '\\'' &'j k r#\"l \" m\"# br\"n\" o";
        let words: Vec<String> = code_only(source)
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        assert_eq!(words, ["a", "e", "&'j", "k", "b", "o"]);
        assert_eq!(code_only(source).lines().count(), source.lines().count());
    }

    #[test]
    fn wrong_arrows_are_found_in_every_spelling() {
        for wrong in [
            "use crate::cli;",
            "use crate::cli::Settings;",
            "use crate::{error::Place, session::{Fill, Session}};",
            "use crate::{\n    plan,\n    sandbox,\n};",
            "fn f() -> crate::session::Outcome { g() }",
            "use super::sandbox;",
        ] {
            assert_eq!(
                arrows_broken("host/src/grant.rs", wrong).len(),
                1,
                "{wrong}"
            );
        }
        assert_eq!(
            arrows_broken("host/src/grant/paths.rs", "use super::super::cli;").len(),
            1
        );
        assert_eq!(arrows_broken("host/src/novel.rs", "").len(), 1);
        for right in [
            "use crate::plan::Plan;",
            "use crate::{error, plan::{Plan, Hole}};",
            "// crate::cli does this",
            "const TEXT: &str = \"crate::cli\";",
            "$crate::cli!()",
            "use lacuna_crate::cli;",
            "use super::Cli;",
        ] {
            assert_eq!(
                arrows_broken("host/src/grant.rs", right),
                [""; 0],
                "{right}"
            );
        }
        assert_eq!(arrows_broken("host/src/lib.rs", "use crate::cli;"), [""; 0]);
        assert_eq!(
            arrows_broken("host/src/grant/tests.rs", "use crate::cli;"),
            [""; 0]
        );
    }

    #[test]
    fn unfinished_code_is_found() {
        for wrong in [
            "fn f() { todo!() }",
            "unimplemented!(\"later\")",
            "dbg!(x)",
            "#[ignore = \"slow\"]",
        ] {
            assert_eq!(unfinished("a.rs", wrong).len(), 1, "{wrong}");
        }
        assert_eq!(
            unfinished("a.rs", "// todo! is a word\nlet x = \"dbg!\";"),
            [""; 0]
        );
    }

    #[test]
    fn paths_of_a_machine_are_found() {
        let folder = ["", "root", "x"].join("/");
        for wrong in [
            folder.clone(),
            format!("see `{folder}`"),
            format!("\"{folder}\""),
            ["pypi", "org"].join("."),
        ] {
            assert_eq!(machine_named("a.md", &wrong).len(), 1, "{wrong}");
        }
        assert_eq!(
            machine_named("a.md", "t:h/root/x, crates.io, src/home/x"),
            [""; 0]
        );
    }

    #[test]
    fn misplaced_authority_is_found() {
        for wrong in [
            "#![expect(clippy::disallowed_methods, reason = \"x\")]",
            "use std::process::Command;",
            "let client = reqwest::Client::new();",
        ] {
            assert_eq!(
                ambient_misplaced("host/src/prompt.rs", wrong).len(),
                1,
                "{wrong}"
            );
            assert_eq!(
                ambient_misplaced("host/src/model/openai.rs", wrong),
                [""; 0],
                "{wrong}"
            );
        }
    }

    #[test]
    fn parts_of_an_example_are_missed() {
        assert_eq!(
            parts_missing(&root().join("tests")).len(),
            EXAMPLE.len() - 1
        );
    }

    #[test]
    fn data_without_a_licence_is_found() {
        assert!(licence_missing(&root().join("tests")).is_some());
        assert_eq!(licence_missing(&root().join("examples/lock-audit")), None);
    }
}
