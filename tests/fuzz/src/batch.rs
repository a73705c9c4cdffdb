//! A scope and the cases that are judged in it: bindings are compiled once for all of them.

#![expect(
    clippy::disallowed_methods,
    reason = "writes plans into a folder of its own"
)]

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use lacuna::{Hole, Lacuna, Plan};

use crate::escapes::{ESCAPES, Kind};
use crate::grammar::{self, Wish};
use crate::grants::{self, Grants};
use crate::mutate;
use crate::panics;
use crate::plans::{self, Origin, PlanFiles};
use crate::random::Random;
use crate::smith;
use crate::stock::Case;
use crate::world::World;

/// Cases that share a scope.
pub const CASES: u64 = 40;
/// Plans that are tried until one can be filled.
const TRIES: u64 = 12;

/// What chance is asked for.
mod purpose {
    pub(super) const PLAN: u64 = 1;
    pub(super) const CASE: u64 = 2;
    pub(super) const ANSWERS: u64 = 3;
    pub(super) const ORIGIN: u64 = 4;
}

/// What all batches of a run share.
#[derive(Debug)]
pub struct Ground {
    /// The run's seed.
    pub seed: u64,
    /// Rejected cases of the repository.
    pub stock: Vec<Case>,
    /// Where plans are written.
    pub folder: PathBuf,
    /// Paths of files with a canary in them.
    pub canaries: Vec<String>,
    /// Name of a variable with a canary in it.
    pub variable: String,
}

/// A plan that is loaded.
#[derive(Debug)]
pub struct Batch {
    /// Its files.
    pub files: PlanFiles,
    /// Where they are.
    pub folder: PathBuf,
    /// The session.
    pub plan: Plan,
    /// The hole `hole`.
    pub hole: Hole,
    /// What it was granted, by the oracle's own reading.
    pub grants: Grants,
    /// What a snippet sees.
    pub world: World,
    /// The snippet of the case that the plan comes from.
    stock: Option<String>,
}

/// What came of making a batch.
#[derive(Debug)]
pub struct Made {
    /// The batch, if one of the plans can be filled.
    pub batch: Option<Batch>,
    /// Plans that were refused, with what was said about them.
    pub refused: Vec<(PlanFiles, String)>,
}

/// How a case is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// As code that a person gave.
    Given,
    /// As code that a person gave, and called if it is accepted.
    Called,
    /// As a model's answer.
    Answer,
}

/// One case.
#[derive(Clone, Debug)]
pub struct Subject {
    /// What kind of snippet it is.
    pub kind: &'static str,
    /// The text that is judged.
    pub text: String,
    /// The code alone, where the text is an answer that holds it as it should.
    pub code: Option<String>,
    /// Whether it must be rejected.
    pub live: bool,
    /// How it is judged.
    pub way: Way,
    /// Arguments of a call.
    pub arguments: Option<serde_json::Value>,
}

impl Batch {
    /// A session of the same plan whose model gives this answer.
    ///
    /// # Errors
    /// As the product's.
    pub fn answering(&self, lacuna: &Lacuna, answer: &str) -> Result<Plan, lacuna::Error> {
        let recorded = self.folder.join(plans::RECORDED);
        let written = fs::create_dir_all(&recorded)
            .and_then(|()| fs::write(recorded.join("hole.1.md"), answer));
        written.map_err(|source| lacuna::Error::File {
            doing: "write",
            path: recorded.clone(),
            source,
        })?;
        let trace = self.folder.join("trace-of-answers.jsonl");
        let _ = fs::remove_file(&trace);
        let plan = lacuna
            .load(self.folder.join("plan.wit"))?
            .with_trace(&trace)?;
        Ok(plan)
    }

    /// The text without the path of the stub's answers: whoever wrote that file is told where an answer is missing.
    pub fn without_answers(&self, text: &str) -> String {
        let file = self.folder.join("answers.json");
        text.replace(&file.display().to_string(), "answers.json")
    }

    /// Its trace files.
    pub fn traces(&self) -> Vec<PathBuf> {
        let names = ["trace.jsonl", "trace-of-answers.jsonl"];
        names.iter().map(|name| self.folder.join(name)).collect()
    }
}

impl Ground {
    /// Makes the batch of a number: the same one for the same seed.
    pub fn batch(&self, lacuna: &Lacuna, number: u64) -> Result<Made> {
        let mut refused = Vec::new();
        let mut origin = Random::of(self.seed, purpose::ORIGIN, number);
        let draw = origin.between(0, 99);
        for attempt in 0..TRIES {
            let mut random = Random::of(self.seed, purpose::PLAN, number * TRIES + attempt);
            let mut stock = None;
            let files = match draw {
                // The generator itself panics now and then.
                0..=11 => match panics::expected(|| smith::generate(&mut random)) {
                    Some(Ok(files)) => files,
                    _ => continue,
                },
                12..=27 if !self.stock.is_empty() => {
                    let case = random.pick(&self.stock);
                    stock = Some(case.snippet.clone());
                    case.plan.clone()
                }
                _ => plans::generate(&mut random),
            };
            let folder = self.folder.join(format!("plan-{number}-{attempt}"));
            write(&folder, &files)?;
            match self.open(lacuna, &folder, files.clone(), stock, number) {
                Ok(batch) => {
                    return Ok(Made {
                        batch: Some(batch),
                        refused,
                    });
                }
                Err(Refused::Plan(message)) => {
                    let _ = fs::remove_dir_all(&folder);
                    refused.push((files, message));
                }
                Err(Refused::Ours(error)) => return Err(error),
            }
        }
        Ok(Made {
            batch: None,
            refused,
        })
    }

    fn open(
        &self,
        lacuna: &Lacuna,
        folder: &Path,
        files: PlanFiles,
        stock: Option<String>,
        number: u64,
    ) -> Result<Batch, Refused> {
        let plan = lacuna.load(folder.join("plan.wit")).map_err(Refused::by)?;
        // A plan that the product takes and wit-parser does not would be a fault of one of them.
        let read = || -> Result<(Grants, World)> {
            let (resolve, world) = grants::parse(folder, "hole")?;
            let manifest = files.file("lacuna.toml").unwrap_or("");
            let grants = Grants::read(&resolve, world, "hole", manifest)?;
            let seen = World::read(&resolve, world, &grants);
            Ok((grants, seen))
        };
        let (grants, world) = read().map_err(Refused::Ours)?;
        if !folder.join("answers.json").exists() {
            let mut random = Random::of(self.seed, purpose::ANSWERS, number);
            fs::write(
                folder.join("answers.json"),
                grammar::answers(&world, &mut random),
            )
            .map_err(|error| Refused::Ours(error.into()))?;
        }
        let plan = plan
            .with_trace(&folder.join("trace.jsonl"))
            .map_err(Refused::by)?;
        let hole = plan.hole("hole").map_err(Refused::by)?;
        hole.described().map_err(Refused::by)?;
        Ok(Batch {
            files,
            folder: folder.to_owned(),
            plan,
            hole,
            grants,
            world,
            stock,
        })
    }

    /// The case of a number, which lies in `batch`.
    pub fn subject(&self, batch: &Batch, number: u64) -> Subject {
        let mut random = Random::of(self.seed, purpose::CASE, number);
        let random = &mut random;
        let (kind, text, live) = self.text(batch, random);
        let way = match random.between(0, 99) {
            0..=9 if kind == "typed" => Way::Called,
            10..=14 => Way::Called,
            15..=22 if batch.files.origin == Origin::Own => Way::Answer,
            _ => Way::Given,
        };
        let (text, code) = if way == Way::Answer {
            answer(text, random)
        } else {
            (text, None)
        };
        // What surrounds the code in an answer may be taken for the code.
        let live = live && way != Way::Answer;
        Subject {
            kind,
            text,
            code,
            live,
            way,
            arguments: grammar::arguments(&batch.world, random),
        }
    }

    fn text(&self, batch: &Batch, random: &mut Random) -> (&'static str, String, bool) {
        if let Some(snippet) = &batch.stock {
            let other = &random.pick(&self.stock).snippet;
            return match random.between(0, 9) {
                0 => ("case", format!("/* }} */\n{snippet}"), false),
                1..=2 => ("typed", self.typed(batch, random, Wish::default()), false),
                _ => (
                    "case, changed",
                    mutate::scramble(snippet, other, random),
                    false,
                ),
            };
        }
        let whole = Wish {
            flaws: 0,
            whole: true,
        };
        match random.between(0, 99) {
            0..=49 => ("typed", self.typed(batch, random, Wish::default()), false),
            50..=61 => {
                let flaws = random.between(1, 3) as u32;
                (
                    "flawed",
                    self.typed(
                        batch,
                        random,
                        Wish {
                            flaws,
                            whole: false,
                        },
                    ),
                    false,
                )
            }
            62..=69 => {
                let text = self.typed(batch, random, Wish::default());
                let other = if self.stock.is_empty() {
                    ESCAPES[0].text
                } else {
                    &random.pick(&self.stock).snippet
                };
                ("changed", mutate::scramble(&text, other, random), false)
            }
            70..=73 => ("feature", self.feature(batch, random), false),
            74..=77 => {
                let host = self.typed(batch, random, whole);
                let text = mutate::plant(
                    &host,
                    random.pick(ESCAPES),
                    random.pick::<String>(&self.canaries),
                    &self.variable,
                    random,
                );
                (
                    "escape, changed",
                    mutate::scramble(&text, &host, random),
                    false,
                )
            }
            _ => {
                let host = self.typed(batch, random, whole);
                let escape = random.pick(ESCAPES);
                let text = mutate::plant(
                    &host,
                    escape,
                    random.pick::<String>(&self.canaries),
                    &self.variable,
                    random,
                );
                (
                    if escape.kind == Kind::Whole {
                        "wrapper"
                    } else {
                        "escape"
                    },
                    text,
                    true,
                )
            }
        }
    }

    fn typed(&self, batch: &Batch, random: &mut Random, wish: Wish) -> String {
        grammar::snippet(&batch.world, random, wish)
    }

    /// Code that asks for what the engine does not have; accepted where nothing comes of it.
    fn feature(&self, batch: &Batch, random: &mut Random) -> String {
        let host = self.typed(
            batch,
            random,
            Wish {
                flaws: 0,
                whole: true,
            },
        );
        let feature = *random.pick(&[
            "simd128",
            "simd128",
            "simd128",
            "simd128",
            "multivalue",
            "reference-types",
            "extended-const",
            "atomics",
        ]);
        let exported = random.pick(&["static", "pub static"]);
        // A function that nothing calls is not compiled; the address in a static that is used keeps this one.
        format!(
            "#[target_feature(enable = \"{feature}\")] pub fn wide(a: &mut [f32; 8]) {{ let b = *a; for i in 0..8 {{ a[i] = b[7 - i] * 2.0; }} }}\n#[used] {exported} KEEP: fn(&mut [f32; 8]) = |all| wide(all);\n{host}"
        )
    }
}

/// Code as a model sends it, and the code alone if no reader can take anything else for it.
fn answer(code: String, random: &mut Random) -> (String, Option<String>) {
    let text = match random.between(0, 6) {
        0..=2 => format!("```rust\n{code}\n```\n"),
        3 => format!("Here it is:\n\n```rust\n{code}\n```\n\nIt does what was asked.\n"),
        4 => format!("<think>\nfirst `x`\n</think>\n~~~~rs\n{code}\n~~~~"),
        5 => return (code.clone(), Some(code)),
        _ => return (format!("```rust\n{code}"), None),
    };
    let plain = !code.contains("```") && !code.contains("~~~");
    (text, Some(code).filter(|_| plain))
}

enum Refused {
    /// By the product.
    Plan(String),
    /// By the fuzzer, which is a fault of it.
    Ours(anyhow::Error),
}

impl Refused {
    fn by(error: lacuna::Error) -> Self {
        Self::Plan(error.to_string())
    }
}

fn write(folder: &Path, files: &PlanFiles) -> Result<()> {
    for (name, content) in &files.files {
        let path = folder.join(name);
        let parent = path.parent().context("a file has a folder")?;
        fs::create_dir_all(parent)?;
        fs::write(path, content)?;
    }
    Ok(())
}
