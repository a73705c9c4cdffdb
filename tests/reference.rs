//! The reference and the manifest's schema: current, and at one with what the program reads. `BLESS=1 cargo test -p lacuna
//! --test reference` writes both documents anew.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test reads the repository and starts the program"
)]

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use boon::{Compiler, SchemaIndex, Schemas};
use lacuna::environment::{DOWNLOADS, VARIABLES};
use lacuna::plan::manifest::keys::{GRANT_PROVIDERS, KEYS, Kind, ManifestKey, Table, is_built_in};
use lacuna::plan::manifest::{Manifest, schema};
use serde_json::Value as Json;

use support::program;
use support::snapshot;
use support::{folders, root};

/// Commands that a shell completes and that have a manual page.
const COMMANDS: [&str; 9] = [
    "run",
    "check",
    "show",
    "build",
    "doctor",
    "init",
    "cache",
    "completion",
    "man",
];

/// The compiled schema, by a validator that knows nothing of Lacuna.
struct Validator {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Validator {
    fn new() -> Self {
        let mut schemas = Schemas::new();
        let mut compiler = Compiler::new();
        compiler.add_resource("schema.json", schema()).unwrap();
        let index = compiler
            .compile("schema.json", &mut schemas)
            .unwrap_or_else(|error| panic!("{error:#}"));
        Self { schemas, index }
    }

    fn refusal(&self, manifest: &str) -> Option<String> {
        let table: toml::Table = toml::from_str(manifest).unwrap();
        let value = serde_json::to_value(table).unwrap();
        let valid = self.schemas.validate(&value, self.index);
        valid.err().map(|error| format!("{error:#}"))
    }
}

/// What the program says of a manifest.
fn fault(manifest: &str) -> Option<String> {
    Manifest::parse(PathBuf::from("lacuna.toml"), "lacuna.toml", manifest)
        .err()
        .map(|fault| {
            let others = fault.others.iter().map(|other| other.message.clone());
            let all: Vec<String> = std::iter::once(fault.message.clone())
                .chain(others)
                .collect();
            all.join("\n")
        })
}

#[test]
fn the_documents_are_current() {
    let docs = root().join("docs");
    for (command, file) in [
        ("reference", "reference.md"),
        ("schema", "lacuna.schema.json"),
    ] {
        let ended = program::run(&root(), [command]);
        assert_eq!(ended.code, Some(0), "{ended:?}");
        if snapshot::blessing() {
            fs::create_dir_all(&docs).unwrap();
        }
        snapshot::check(&docs.join(file), &ended.stdout, "reference", "current")
            .unwrap_or_else(|message| panic!("{message}"));
    }
}

/// Every manifest of the repository.
fn manifests() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut below = vec![root().join("examples"), root().join("tests")];
    while let Some(folder) = below.pop() {
        let file = folder.join("lacuna.toml");
        if let Ok(text) = fs::read_to_string(&file) {
            found.push((file.display().to_string(), text));
        }
        below.extend(folders(&folder));
    }
    found
}

/// Whether the plan beside a manifest is refused.
fn plan_refused(manifest: &Path) -> bool {
    let Ok(plan) = lacuna::plan::load(&manifest.with_file_name("plan.wit")) else {
        return true;
    };
    let mut holes = plan.holes.iter();
    holes.any(|hole| lacuna::grant::resolve(&plan, hole).is_err())
}

/// What is wrong with a manifest alone, and not with its plan.
fn is_of_the_form(fault: &str) -> bool {
    let kinds = [
        "unknown ",
        "must be ",
        " is no size",
        " is no time",
        "is not supported yet",
        "stands twice",
        "does not belong to the provider",
        "is missing",
        "has no `provider`",
        "needs `",
        "would allow nothing",
        "must not be larger",
        "this schema is not known",
    ];
    // It would need a hole to call.
    kinds.iter().any(|kind| fault.contains(kind))
}

#[test]
fn the_schema_takes_what_the_program_takes() {
    let validator = Validator::new();
    let (mut taken, mut refused) = (0, 0);
    for (file, text) in manifests() {
        if toml::from_str::<toml::Table>(&text).is_err() {
            continue;
        }
        match (fault(&text), validator.refusal(&text)) {
            (None, None) => taken += 1,
            // The grants may not fit the plan, which the program finds when it has read both.
            (None, Some(refusal)) => {
                assert!(
                    plan_refused(Path::new(&file)),
                    "{file}: only the schema refuses it: {refusal}"
                );
                refused += 1;
            }
            (Some(fault), None) if is_of_the_form(&fault) => {
                panic!("{file}: the schema lets it pass: {fault}")
            }
            (Some(_), None) => {}
            (Some(_), Some(_)) => refused += 1,
        }
    }
    assert!(taken > 100, "only {taken} manifests were taken");
    assert!(refused > 0, "no manifest was refused");
}

/// A manifest that has this value at this key, and what the key needs beside it.
fn with(key: &ManifestKey, name: &str, value: &str) -> String {
    let provider = key.providers.first().copied().unwrap_or("openai");
    let line = format!("{name} = {value}");
    let model = |line: &str| {
        let own = |name: &str| key.table == Table::Model && key.name == name;
        let mut text = String::from("schema = 1\n[models.m]\n");
        if !own("provider") {
            text.push_str(&format!("provider = \"{provider}\"\n"));
        }
        for other in Table::Model.keys().filter(|other| {
            other.required && other.providers.contains(&provider) && !own(other.name)
        }) {
            text.push_str(&format!("{} = \"x\"\n", other.name));
        }
        text + line
    };
    match key.table {
        Table::Top if key.name == "schema" => line,
        Table::Top => format!("schema = 1\n{line}"),
        Table::Model => model(&line),
        Table::Price => {
            let other = if key.name == "input" {
                "output"
            } else {
                "input"
            };
            model(&format!("[models.m.price]\n{other} = 1\n{line}"))
        }
        Table::Budget => format!("schema = 1\n[budget]\n{line}"),
        Table::Limits => format!("schema = 1\n[limits]\n{line}"),
        Table::Hole => {
            format!("schema = 1\n[models.x]\nprovider = \"replay\"\ndir = \"x\"\n[hole.h]\n{line}")
        }
        Table::Grant => {
            let own = |name: &str| key.name == name;
            let mut text = String::from("schema = 1\n[hole.h.grant.g]\n");
            // The provider that has the key; that of the first sample, for the key `provider` itself.
            let provider = match key.providers.first() {
                _ if own("provider") => GRANT_PROVIDERS[0],
                Some(owner) if !is_built_in(owner) => owner,
                _ => "",
            };
            let mut keys = Table::Grant.keys();
            if let Some(needed) = keys.find(|other| {
                other.required && other.providers.contains(&provider) && !own(other.name)
            }) {
                let (right, _) = samples(needed.kind);
                text.push_str(&format!("{} = {}\n", needed.name, right[right.len() - 1]));
            }
            if !provider.is_empty() && !own("provider") {
                text.push_str(&format!("provider = \"{provider}\"\n"));
            }
            text + &line
        }
    }
}

/// Values that a kind of key takes, and values that it does not.
fn samples(kind: Kind) -> (Vec<String>, Vec<String>) {
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    let small = u64::from(u32::MAX);
    match kind {
        Kind::One => (owned(&["1"]), owned(&["2", "\"1\"", "true"])),
        Kind::Text => (owned(&["\"x\""]), owned(&["1", "true", "[\"x\"]"])),
        Kind::SomeTexts => (
            owned(&["[\"x\"]", "[\"x\", \"y\"]"]),
            owned(&["[]", "\"x\"", "[1]", "[\"x\", \"x\"]"]),
        ),
        Kind::Of(known) => (
            vec!["[]".to_owned(), format!("[\"{}\"]", known[0])],
            owned(&["\"x\"", "[\"nothing\"]", "[1]"]),
        ),
        Kind::Choice(known) => (
            // Another one may need keys of its own.
            vec![format!("\"{}\"", known[0])],
            owned(&["\"nothing\"", "1"]),
        ),
        Kind::Count => (
            owned(&["0", "7", "5e9"]),
            owned(&["-1", "1.5", "\"7\"", "true", "[7]"]),
        ),
        Kind::Positive => (owned(&["1", "5e9"]), owned(&["0", "-1", "1.5", "\"7\""])),
        Kind::SmallCount => (
            vec!["0".to_owned(), "7".to_owned(), small.to_string()],
            vec!["-1".to_owned(), "\"7\"".to_owned(), (small + 1).to_string()],
        ),
        Kind::Amount => (owned(&["0", "1.5"]), owned(&["-0.5", "\"1\"", "true"])),
        Kind::Usd => (
            owned(&["0", "1.5", "\"1.25 USD\""]),
            owned(&["-0.5", "\"1\"", "\"1 EUR\"", "true"]),
        ),
        Kind::Size => (
            owned(&["0", "\"0\"", "\"64MiB\"", "\"1 KiB\""]),
            owned(&["64", "\"64\"", "\"64MB\"", "\"30s\"", "-1"]),
        ),
        Kind::Time => (
            owned(&["0", "\"0\"", "\"30s\"", "\"5 ms\""]),
            owned(&["30", "\"30\"", "\"30sec\"", "\"1KiB\"", "1.5"]),
        ),
        Kind::Inner(Table::Price) => (
            owned(&["{ input = 1, output = 2 }"]),
            owned(&["1", "{}", "{ input = 1 }"]),
        ),
        Kind::Inner(_) => (owned(&["{}"]), owned(&["1", "\"x\"", "{ nothing = 1 }"])),
        Kind::Named(_) => (
            owned(&["{}"]),
            owned(&["1", "{ x = 1 }", "{ x = { nothing = 1 } }"]),
        ),
        Kind::NamedTexts => (owned(&["{}", "{ x = \"1\" }"]), owned(&["1", "{ x = 1 }"])),
        Kind::Flag => (owned(&["true", "false"]), owned(&["1", "\"true\""])),
        Kind::Texts => (
            owned(&["[]", "[\"x\", \"y\"]"]),
            owned(&["\"x\"", "[1]", "true"]),
        ),
        Kind::FlagOrTexts => (
            owned(&["true", "false", "[]", "[\"x\"]"]),
            owned(&["\"x\"", "[1]", "1"]),
        ),
        Kind::NamedCounts => (
            owned(&["{}", "{ x = 0 }"]),
            owned(&["1", "{ x = -1 }", "{ x = \"1\" }"]),
        ),
        Kind::NamedLabels => (
            owned(&["{}", "{ x = [] }", "{ x = [\"private\", \"untrusted\"] }"]),
            owned(&["1", "{ x = \"private\" }", "{ x = [\"secret\"] }"]),
        ),
        Kind::Rules => (
            owned(&[
                "{}",
                "{ f = { p = { one-of = [\"a\", 1, true] } } }",
                "{ f = { p = { q = { prefix = \"a\", max-len = 3 }, min = -1.5, none = true } } }",
                "{ f = { \"p[]\" = { from = \"parameter:x\", matches = \"a+\" } } }",
            ]),
            owned(&[
                "1",
                "{ f = 1 }",
                "{ f = { p = 1 } }",
                "{ f = { p = { oneof = [\"a\"] } } }",
                "{ f = { p = { one-of = \"a\" } } }",
                "{ f = { p = { max = \"1\" } } }",
                "{ f = { p = { max-len = -1 } } }",
                "{ f = { p = { from = \"x\" } } }",
                "{ f = { one-of = [\"a\"] } }",
            ]),
        ),
        Kind::Headers => (
            owned(&["{}", "{ x = { env = \"A\" } }"]),
            owned(&[
                "1",
                "{ x = \"a\" }",
                "{ x = {} }",
                "{ x = { value = \"a\" } }",
            ]),
        ),
    }
}

/// Reader and schema say the same of every key of the table: right values, wrong ones, and a slip in its name. Names that
/// the reader knows come from this table, so there is no key beside it.
#[test]
fn every_key_is_read_as_it_is_told() {
    let validator = Validator::new();
    for key in KEYS {
        let at = format!("{} {}", key.table.heading(), key.name);
        let (right, wrong) = samples(key.kind);
        for value in right {
            let text = with(key, key.name, &value);
            // A model that is named must be there; `x` is.
            assert_eq!(fault(&text), None, "{at}: {text}");
            assert_eq!(validator.refusal(&text), None, "{at}: {text}");
        }
        for value in wrong {
            let text = with(key, key.name, &value);
            assert!(fault(&text).is_some(), "{at}: read: {text}");
            assert!(validator.refusal(&text).is_some(), "{at}: passes: {text}");
        }
        let slip = format!("{}x", key.name);
        let text = with(key, &slip, &samples(key.kind).0[0]);
        assert!(fault(&text).unwrap().contains(&slip), "{at}: {text}");
        assert!(validator.refusal(&text).is_some(), "{at}: {text}");
        if let Some(default) = key.default {
            let text = with(key, key.name, &default.replace("default", "x"));
            assert_eq!(fault(&text), None, "{at}: its default is none: {text}");
        }
    }
}

#[test]
fn defaults_are_those_that_are_used() {
    let absent = Manifest::parse("f".into(), "f", "schema = 1").unwrap();
    for table in [Table::Budget, Table::Limits] {
        let lines: Vec<String> = table
            .keys()
            .map(|key| format!("{} = {}\n", key.name, key.default.unwrap()))
            .collect();
        let heading = if table == Table::Budget {
            "budget"
        } else {
            "limits"
        };
        let text = format!("schema = 1\n[{heading}]\n{}", lines.concat());
        let written = Manifest::parse("f".into(), "f", &text).unwrap();
        assert_eq!(written.budget, absent.budget, "{text}");
        assert_eq!(written.limits, absent.limits, "{text}");
        // Each is read into a place of its own: another value shows.
        for key in table.keys() {
            let other = match key.kind {
                Kind::Size => "\"3B\"",
                Kind::Time => "\"3ms\"",
                _ => "2",
            };
            let text = format!("schema = 1\n[{heading}]\n{} = {other}", key.name);
            let changed = Manifest::parse("f".into(), "f", &text).unwrap();
            assert!(
                changed.budget != absent.budget || changed.limits != absent.limits,
                "{text}"
            );
        }
    }
}

/// Names of variables that stand in the program's sources, tests left out.
fn named_in_sources(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !path.ends_with("tests") {
                named_in_sources(&path, names);
            }
            continue;
        }
        if path.extension().is_none_or(|end| end != "rs") || path.ends_with("tests.rs") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let product = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        for literal in product.split('"').skip(1).step_by(2) {
            let is_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
            let known = ["PATH", "HOME", "EDITOR", "VISUAL", "TMPDIR"];
            let name = literal.starts_with(|c: char| c.is_ascii_uppercase());
            if name
                && literal.chars().all(is_name)
                && (literal.contains('_') || known.contains(&literal))
            {
                names.insert(literal.to_owned());
            }
        }
    }
}

#[test]
fn every_variable_that_is_named_is_declared() {
    let mut named = BTreeSet::new();
    named_in_sources(&root().join("host/src"), &mut named);
    assert!(named.contains("LACUNA_CACHE_DIR"), "{named:?}");
    // Set for a compiler, read at build time, read by the build for tests alone, or a provider's word for an outcome.
    let others = [
        "API_KEY_INVALID",
        "FINISH_REASON_UNSPECIFIED",
        "MAX_TOKENS",
        "PROHIBITED_CONTENT",
        "RUSTC_ICE",
        "TMPDIR",
        "CARGO_PKG_VERSION",
        "LACUNA_LAYERS_OFF",
    ];
    for name in named {
        let declared = VARIABLES
            .iter()
            .any(|variable| variable.name.split(", ").any(|declared| declared == name));
        assert!(
            declared || DOWNLOADS.contains(&name.as_str()) || others.contains(&name.as_str()),
            "{name} does not stand in host/src/environment.rs"
        );
    }
}

#[test]
fn each_shell_completes_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ended = program::run(&root(), ["completion", shell]);
        assert_eq!(ended.code, Some(0), "{ended:?}");
        for command in COMMANDS {
            assert!(ended.stdout.contains(command), "{shell} lacks {command}");
        }
        assert!(
            !ended.stdout.contains("reference"),
            "{shell} shows what is hidden"
        );
    }
}

/// bash itself completes: flags of a command, and values of a flag.
#[test]
fn bash_completes() {
    let script = program::run(&root(), ["completion", "bash"]).stdout;
    let folder = program::scratch();
    fs::write(folder.join("lacuna.bash"), script).unwrap();
    let complete = |words: &str| {
        let count = words.split(' ').count() - 1;
        let line = format!(
            "source ./lacuna.bash; COMP_WORDS=({words}); COMP_CWORD={count}; [ '{0}' ] || COMP_WORDS+=(''); \
             _lacuna lacuna \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"; echo \"${{COMPREPLY[@]}}\"",
            words.split(' ').next_back().unwrap()
        );
        let done = Command::new("bash")
            .args(["--norc", "-c", &line])
            .current_dir(&folder)
            .output()
            .unwrap();
        assert!(done.status.success(), "{done:?}");
        String::from_utf8(done.stdout).unwrap()
    };
    assert_eq!(complete("lacuna doc").trim(), "doctor");
    assert!(complete("lacuna run --tr").contains("--trace"));
    assert_eq!(complete("lacuna run --format js").trim(), "json");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn each_command_has_a_manual_page() {
    let folder = program::scratch();
    let ended = program::run(&folder, ["man", "."]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let page = |name: &str| fs::read_to_string(folder.join(format!("{name}.1"))).unwrap();
    assert_eq!(page("lacuna"), program::run(&folder, ["man"]).stdout);
    for command in COMMANDS {
        let text = page(&format!("lacuna-{command}"));
        assert!(text.contains(".SH SYNOPSIS"), "{command}");
        assert!(text.contains(".TH"), "{command}");
    }
    assert!(page("lacuna-cache-clean").contains("older"));
    let ended = program::run(&folder, ["man", "nowhere"]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.stderr.contains("nowhere"), "{ended:?}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_schema_names_its_draft_and_no_host_of_ours() {
    let schema = schema();
    assert_eq!(
        schema["$schema"],
        "https://json-schema.org/draft/2020-12/schema"
    );
    assert_eq!(schema["$id"], "urn:lacuna:manifest:1");
    fn described(value: &Json, missing: &mut Vec<String>) {
        if let Some(properties) = value.get("properties").and_then(Json::as_object) {
            for (name, property) in properties {
                if property.get("description").is_none()
                    && value.get("additionalProperties").is_some()
                {
                    missing.push(name.clone());
                }
            }
        }
        if let Some(definitions) = value.get("$defs").and_then(Json::as_object) {
            definitions
                .values()
                .for_each(|value| described(value, missing));
        }
    }
    let mut missing = Vec::new();
    described(&schema, &mut missing);
    assert_eq!(missing, [""; 0]);
}
