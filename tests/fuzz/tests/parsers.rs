//! Every text that comes from outside, parsed: no panic, no endless work, exact round trips, and what is accepted is
//! accepted again as the same.
//!
//! Inputs follow from numbers through the fuzzer's own generators, so that most of them are almost right. What has failed
//! once stands in `seeds/parsers.txt` and is tried first.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test writes its plans"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use lacuna::budget::CompileLimits;
use lacuna::plan::manifest::Manifest;
use lacuna::scope::Scope;
use lacuna::value::{Type, from_json, parse_call, parse_wave, to_json, to_wave};
use lacuna::{Lacuna, snippet};
use lacuna_fuzz::grammar::{self, Wish};
use lacuna_fuzz::grants::{self, Grants};
use lacuna_fuzz::plans::{self, PlanFiles};
use lacuna_fuzz::random::Random;
use lacuna_fuzz::world::World;
use lacuna_fuzz::{mutate, panics, smith, stock};
use proptest::prelude::*;
use proptest::test_runner::{FileFailurePersistence, Reason};

/// Longest time that one parse may take on a busy machine.
const MOST: Duration = Duration::from_secs(10);

/// So many cases of each property, or as many as `PROPTEST_CASES` says.
fn config(cases: u32) -> ProptestConfig {
    let asked = std::env::var_os("PROPTEST_CASES").is_some();
    ProptestConfig {
        cases: if asked {
            ProptestConfig::default().cases
        } else {
            cases
        },
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(
            "seeds/parsers.txt",
        ))),
        ..ProptestConfig::default()
    }
}

/// A folder of its own for each plan.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

fn write(folder: &Path, files: &PlanFiles) {
    for (name, content) in &files.files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    if !folder.join("answers.json").exists() {
        fs::write(folder.join("answers.json"), "{}").unwrap();
    }
}

fn lacuna() -> &'static Lacuna {
    static LACUNA: OnceLock<Lacuna> = OnceLock::new();
    LACUNA.get_or_init(|| {
        Lacuna::builder()
            .cache(env!("CARGO_TARGET_TMPDIR"))
            .build()
            .unwrap()
    })
}

/// A plan of any origin.
fn plan(random: &mut Random) -> Option<PlanFiles> {
    match random.between(0, 3) {
        0 => panics::expected(|| smith::generate(random).ok()).flatten(),
        1 => Some(random.pick(&stock::rejected()).plan.clone()),
        _ => Some(plans::generate(random)),
    }
}

/// The same plan with one of its files changed.
fn changed(mut files: PlanFiles, random: &mut Random) -> PlanFiles {
    let at = random.between(0, files.files.len() - 1);
    let other = plans::generate(random);
    let name = files.files[at].0.clone();
    let foreign = other.file(&name).unwrap_or("").to_owned();
    let content = &mut files.files[at].1;
    *content = mutate::scramble(content, &foreign, random);
    files
}

/// Everything that can be asked of a plan without a compiler, as text.
fn everything(path: &Path) -> Result<String, String> {
    let plan = lacuna().load(path).map_err(|error| error.to_string())?;
    let mut text = format!("{:?}", plan.parsed().manifest);
    for name in ["hole", "other"] {
        match plan.hole(name) {
            Ok(hole) => match hole.described() {
                Ok(scope) => text.push_str(&format!(
                    "{} {}",
                    scope.hash,
                    hole.prompt().unwrap_or_default()
                )),
                Err(error) => text.push_str(&error.to_string()),
            },
            Err(error) => text.push_str(&error.to_string()),
        }
    }
    Ok(text)
}

/// A scope with functions, records and a fixed seed.
fn scope() -> &'static (std::sync::Arc<Scope>, World) {
    static SCOPE: OnceLock<(std::sync::Arc<Scope>, World)> = OnceLock::new();
    SCOPE.get_or_init(|| {
        let folder = folder();
        let wit = "package t:h; interface repo { record item { name: string, qty: u32 } read-text: func(path: string) -> result<string, string>; all: func() -> list<item>; }
            world hole { import repo; export run: func(text: string, n: u32) -> list<string>; }";
        let manifest = "schema = 1\n[hole.hole.grant.repo]\nprovider = \"stub\"\nanswers = \"answers.json\"\n";
        let files = [("plan.wit", wit), ("lacuna.toml", manifest), ("answers.json", "{}")];
        for (name, content) in files {
            fs::write(folder.path().join(name), content).unwrap();
        }
        let hole = lacuna().load(folder.path().join("plan.wit")).unwrap().hole("hole").unwrap();
        let (resolve, world) = grants::parse(folder.path(), "hole").unwrap();
        let granted = Grants::read(&resolve, world, "hole", manifest).unwrap();
        (hole.described().unwrap(), World::read(&resolve, world, &granted))
    })
}

fn in_time<T>(work: impl FnOnce() -> T) -> Result<T, TestCaseError> {
    let started = Instant::now();
    let value = work();
    let elapsed = started.elapsed();
    if elapsed > MOST {
        return Err(TestCaseError::Fail(Reason::from(format!(
            "took {} ms",
            elapsed.as_millis()
        ))));
    }
    Ok(value)
}

/// A snippet of the grammar, an escape, or one of them changed.
fn code(random: &mut Random) -> String {
    let wish = Wish {
        flaws: random.between(0, 2) as u32,
        whole: random.chance(50),
    };
    let text = grammar::snippet(&scope().1, random, wish);
    let escape = random.pick(lacuna_fuzz::escapes::ESCAPES);
    match random.between(0, 3) {
        0 => text,
        1 => mutate::plant(&text, escape, "/etc/passwd", "HOME", random),
        _ => mutate::scramble(&text, escape.text, random),
    }
}

proptest! {
    #![proptest_config(config(96))]

    #[test]
    fn a_plan_is_read_or_refused_and_twice_the_same(seed: u64) {
        let mut random = Random::of(seed, 1, 0);
        let Some(files) = plan(&mut random) else { return Ok(()) };
        let files = if random.chance(70) { changed(files, &mut random) } else { files };
        let folder = folder();
        write(folder.path(), &files);
        let path = folder.path().join("plan.wit");
        let first = in_time(|| everything(&path))?;
        prop_assert_eq!(first, everything(&path));
    }

    #[test]
    fn values_of_every_type_come_back_as_they_were(seed: u64) {
        let mut random = Random::of(seed, 2, 0);
        let files = plans::generate(&mut random);
        let folder = folder();
        write(folder.path(), &files);
        let (resolve, id) = grants::parse(folder.path(), "hole").unwrap();
        let granted = Grants::read(&resolve, id, "hole", files.file("lacuna.toml").unwrap()).unwrap();
        let world = World::read(&resolve, id, &granted);
        let answers: serde_json::Value = serde_json::from_str(&grammar::answers(&world, &mut random)).unwrap();
        for import in &granted.imports {
            for (name, function) in &import.functions {
                let key = import.label.as_ref().map_or_else(|| name.clone(), |label| format!("{label}.{name}"));
                let (Some(ty), Some(json)) = (&function.result, answers.get(&key)) else { continue };
                let ty = Type::of(&resolve, ty).unwrap();
                // Names that are keywords of Rust are spelt in another way here: such a value does not fit.
                let Ok(value) = from_json(json, &ty) else { continue };
                prop_assert_eq!(&from_json(&to_json(&value, &ty), &ty).unwrap(), &value);
                if !ty.has_handles() {
                    prop_assert_eq!(&parse_wave(&to_wave(&value), &ty).unwrap(), &value, "{}", to_wave(&value));
                    // Almost a value: read as another one, or refused.
                    let text = mutate::scramble(&to_wave(&value), "{a: some(\"x\"), b: [1, nan]}", &mut random);
                    if let Ok(other) = in_time(|| parse_wave(&text, &ty))? {
                        // NaN is unlike itself, so texts are compared.
                        let again = parse_wave(&to_wave(&other), &ty).unwrap();
                        prop_assert_eq!(to_wave(&again), to_wave(&other));
                    }
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn a_manifest_is_read_or_refused(seed: u64) {
        let mut random = Random::of(seed, 3, 0);
        let (one, two) = (plans::generate(&mut random), plans::generate(&mut random));
        let extra = "[models.m]\nprovider = \"openai\"\nmodel = \"x\"\nprice.input = 1.5\n[budget]\nusd = 0.5\nwall = \"1m\"\n[hole.hole]\nretry-on = [\"rejected\"]\n";
        let text = format!("{}{extra}", one.file("lacuna.toml").unwrap().replace("[budget]\nattempts = 1\n", ""));
        let text = mutate::scramble(&text, two.file("lacuna.toml").unwrap(), &mut random);
        let read = || Manifest::parse(PathBuf::from("lacuna.toml"), "lacuna.toml", &text).map_err(|fault| format!("{fault:?}"));
        let first = in_time(read)?.map(|manifest| format!("{manifest:?}"));
        prop_assert_eq!(first, read().map(|manifest| format!("{manifest:?}")));
    }

    #[test]
    fn code_is_found_in_an_answer_as_it_stands_there(seed: u64) {
        let mut random = Random::of(seed, 4, 0);
        let (scope, limits) = (&scope().0, CompileLimits::default());
        let code = code(&mut random);
        let given = in_time(|| snippet::given(&code, scope, &limits))?;
        if let Ok(snippet) = &given {
            let again = snippet::given(&snippet.text, scope, &limits);
            prop_assert_eq!(&again.unwrap(), snippet);
            if !code.contains("```") {
                let answer = format!("Text.\n\n```rust\n{code}\n```\n\nMore text.\n");
                let found = snippet::extract(&answer, scope, &limits).unwrap();
                prop_assert_eq!(found.text.trim_end(), snippet.text.trim_end());
            }
        }
        let answer = mutate::scramble(&format!("```rust\n{code}\n```\nor\n~~~\n{code}\n~~~\n"), "```rust\n```\n~~~", &mut random);
        if let Ok(found) = in_time(|| snippet::extract(&answer, scope, &limits))? {
            prop_assert!(answer.replace("\r\n", "\n").contains(found.text.trim()) || found.text.trim().is_empty(), "{}", found.text);
        }
    }

    #[test]
    fn any_text_is_screened(text in "\\PC{0,200}|[\\x00-\\x7f]{0,200}|(fn|mod|extern|#|!|\\[|\\]|\\{|\\}|\\(|\\)|\"|'|r#|//|/\\*|\\*/|;| |\n|x){0,80}") {
        let (scope, limits) = (&scope().0, CompileLimits::default());
        let judged = in_time(|| snippet::given(&text, scope, &limits))?;
        if let Err(rejection) = judged {
            prop_assert!(!rejection.diagnostics.is_empty());
        }
        let _ = in_time(|| snippet::extract(&text, scope, &limits))?;
    }

    #[test]
    fn any_text_is_a_call_or_none(text in "[a-z.-]{0,12}\\(?[\\[\\]{}\"'a-z0-9:,. -]{0,60}\\)?|\\PC{0,80}") {
        if let Ok(call) = in_time(|| parse_call(&text))? {
            prop_assert!(text.contains(call.name()));
        }
        for ty in [Type::String, Type::U8, Type::F64, Type::Char, Type::List(Box::new(Type::String))] {
            if let Ok(value) = parse_wave(&text, &ty) {
                let again = to_wave(&value);
                prop_assert_eq!(to_wave(&parse_wave(&again, &ty).unwrap()), again);
            }
        }
    }
}
