//! The two guests.

use std::collections::BTreeMap;
use std::path::Path;

use lacuna::{Fill, Lacuna};
use serde_json::{Value, json};

use super::support::plan::Plan;
use super::support::program;

const WIT: &str = "interface ops {
    variant op {
        read-text(string),
        read(tuple<string, u64, u64>),
        entries(string),
        walk(string),
        glob(string),
        metadata(string),
        write(tuple<string, string>),
        append(tuple<string, string>),
        create-folder(string),
        remove(string),
        rename(tuple<string, string>),
    }
    record met { op: u32, answer: string, times: u32 }
}
world once {
    use ops.{op};
    import look: lacuna:fs/read@0.1.0;
    import change: lacuna:fs/write@0.1.0;
    export run: func(ops: list<op>) -> list<string>;
}
world often {
    use ops.{op, met};
    import look: lacuna:fs/read@0.1.0;
    import change: lacuna:fs/write@0.1.0;
    export run: func(ops: list<op>, rounds: u32) -> list<met>;
}";

/// Does one operation; `{}` in a path is replaced by a number.
const DO: &str = "
fn told<T: std::fmt::Debug, E: std::fmt::Debug>(result: Result<T, E>) -> String {
    match result {
        Ok(value) => format!(\"{value:?}\"),
        Err(error) => format!(\"Error::{error:?}\"),
    }
}

fn perform(op: &Op, n: u32) -> String {
    let at = |path: &str| path.replace(\"{}\", &n.to_string());
    match op {
        Op::ReadText(path) => told(look::read_text(&at(path))),
        Op::Read((path, offset, length)) => {
            told(look::read(&at(path), *offset, *length).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
        }
        Op::Entries(path) => told(look::entries(&at(path)).map(|all| all.into_iter().map(|one| one.path).collect::<Vec<_>>())),
        Op::Walk(path) => told(look::walk(&at(path)).map(|all| all.into_iter().map(|one| one.path).collect::<Vec<_>>())),
        Op::Glob(pattern) => told(look::glob(&at(pattern))),
        Op::Metadata(path) => told(look::metadata(&at(path)).map(|info| (info.kind, info.size))),
        Op::Write((path, text)) => told(change::write(&at(path), text.as_bytes())),
        Op::Append((path, text)) => told(change::append(&at(path), text.as_bytes())),
        Op::CreateFolder(path) => told(change::create_folder(&at(path))),
        Op::Remove(path) => told(change::remove(&at(path))),
        Op::Rename((old, new)) => told(change::rename(&at(old), &at(new))),
    }
}
";

const ONCE: &str = "
pub fn run(ops: Vec<Op>) -> Vec<String> {
    ops.iter().map(|op| perform(op, 0)).collect()
}
";

/// Errors are counted by their case.
const OFTEN: &str = "
pub fn run(ops: Vec<Op>, rounds: u32) -> Vec<Met> {
    let mut all = std::collections::BTreeMap::<(u32, String), u32>::new();
    for n in 0..rounds {
        let op = n % ops.len() as u32;
        let mut answer = perform(&ops[op as usize], n);
        if answer.starts_with(\"Error::\") {
            answer.truncate(answer.find('(').unwrap_or(answer.len()));
        }
        *all.entry((op, answer)).or_insert(0) += 1;
    }
    all.into_iter().map(|((op, answer), times)| Met { op, answer, times }).collect()
}
";

/// A folder with guests that were granted all of `lacuna:fs` in it.
pub(crate) struct Granted {
    lacuna: Lacuna,
    /// The plan, whose folder has the trace `trace.jsonl` too.
    pub(crate) plan: Plan,
}

impl Granted {
    /// `more` are further keys of each grant.
    pub(crate) fn new(folder: &Path, more: &str) -> Self {
        let folder = folder.canonicalize().unwrap();
        let mut manifest = "[limits]
            fuel = 1_000_000_000_000
            wall = \"300s\"
            memory = \"256MiB\"
            result = \"64MiB\"
            host-calls = 1_000_000
            staged-keys = 1_000_000\n"
            .to_owned();
        for hole in ["once", "often"] {
            for label in ["look", "change"] {
                let grant = format!("[hole.{hole}.grant.{label}]\npath = {folder:?}\n{more}\n");
                manifest.push_str(&grant);
            }
        }
        let lacuna = Lacuna::builder().cache(program::cache()).build().unwrap();
        Self {
            lacuna,
            plan: Plan::new(WIT, &manifest),
        }
    }

    async fn fill(&self, hole: &str, function: &str) -> Fill {
        let loaded = self.lacuna.load(self.plan.folder.join("plan.wit")).unwrap();
        let traced = loaded
            .with_trace(&self.plan.folder.join("trace.jsonl"))
            .unwrap();
        let code = format!("{DO}{function}");
        let filled = traced.hole(hole).unwrap().fill_with(&code).await;
        filled.unwrap_or_else(|error| panic!("{error:?}"))
    }

    /// One after the other; what the guest saw of each.
    pub(crate) async fn once(&self, ops: &[Value]) -> Vec<String> {
        let fill = self.fill("once", ONCE).await;
        let called = fill.call(json!({ "ops": ops })).await;
        called.unwrap().get().unwrap()
    }

    /// Round robin; how often which answer came, per operation.
    pub(crate) async fn often(&self, ops: &[Value], rounds: u32) -> BTreeMap<(usize, String), u32> {
        let fill = self.fill("often", OFTEN).await;
        let called = fill.call(json!({ "ops": ops, "rounds": rounds })).await;
        let met: Vec<Value> = called.unwrap().get().unwrap();
        met.iter()
            .map(|met| {
                let op = met["op"].as_u64().unwrap() as usize;
                let answer = met["answer"].as_str().unwrap().to_owned();
                ((op, answer), met["times"].as_u64().unwrap() as u32)
            })
            .collect()
    }

    /// Checks each operation's answer.
    #[track_caller]
    pub(crate) fn expect(ops: &[Value], answers: &[String], expected: &[String]) {
        assert_eq!(answers.len(), expected.len());
        let wrong: Vec<String> = ops
            .iter()
            .zip(answers)
            .zip(expected)
            .filter(|((_, answer), expected)| answer != expected)
            .map(|((op, answer), expected)| {
                format!("{op}\n  gives    {answer}\n  expected {expected}")
            })
            .collect();
        assert!(
            wrong.is_empty(),
            "{} of {} differ:\n{}",
            wrong.len(),
            ops.len(),
            wrong[..wrong.len().min(20)].join("\n")
        );
    }
}

/// How the guest sees this error.
pub(crate) fn error(case: &str, path: &str) -> String {
    format!("Error::{case}({path:?})")
}
