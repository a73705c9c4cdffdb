//! What a judgement costs, as ratios taken in one run: `cargo bench -p lacuna --bench judge`.
//!
//! Every round has a snippet whose text is new, and the things that are compared run one after the other in the same
//! round, so a machine that slows down slows both. The verdict and the compiled code of a round must not have been in
//! the cache: the entries are counted, and the bench ends with an error if one is missing. `-- calls` measures only calls
//! of granted functions.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a bench starts compilers to compare with, prints its table, and may end at the first fault"
)]

mod calls;
mod kinds;
mod memory;
mod plain;
mod sources;
mod steps;
mod table;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use lacuna::{Fill, Hole, Lacuna};
use serde_json::json;

use sources::{PLAN, TEXT, snippet, type_error};
use table::{Samples, Table, since};

const ROUNDS: usize = 30;

/// Calls of each round that are measured: one is over in microseconds, and the first of a program is not like the others.
const CALLS: usize = 21;

fn main() -> ExitCode {
    if memory::is_child() {
        return memory::child();
    }
    let work = Path::new(env!("CARGO_TARGET_TMPDIR")).join("judge");
    let cache = work.join("cache");
    // The SDK is kept; what earlier runs judged is not.
    for folder in ["verdicts", "compiled", "bindings"] {
        let _ = std::fs::remove_dir_all(cache.join(folder));
    }
    std::fs::create_dir_all(&work).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(bench(&work, &cache));
    ExitCode::SUCCESS
}

async fn bench(work: &Path, cache: &Path) {
    let lacuna = Lacuna::builder()
        .cache(cache)
        .compiler_process(env!("CARGO_BIN_EXE_lacuna"))
        .build()
        .unwrap();
    lacuna.prepare().await.unwrap();
    if std::env::args().any(|argument| argument == "calls") {
        return only(calls::Calls::new(&lacuna, work).await).await;
    }
    let hole = plan(&lacuna, work, "known", "finding");
    let plain = plain::Plain::new(cache, &work.join("plain"));
    let stages = steps::Stages::new(cache, &work.join("known/plan.wit")).await;

    let least = smallest(&lacuna, work).await;

    let mut calls = calls::Calls::new(&lacuna, work).await;
    let memory = memory::measure();
    let mut judged = Judged::default();
    let mut steps = steps::Steps::default();
    let mut switches = steps::Switches::default();
    // The first round warms the file cache and the scope's bindings up; it does not count.
    for round in 0..=ROUNDS {
        let seed = sources::seed(round);
        if round == 0 {
            Judged::default()
                .round(&hole, &least, &plain, cache, &seed)
                .await;
            continue;
        }
        judged.round(&hole, &least, &plain, cache, &seed).await;
        judged
            .in_a_new_scope(&lacuna, work, cache, round, &seed)
            .await;
        steps.round(&stages, &plain, &seed).await;
        switches.round(&stages, &plain, &seed);
        calls.round().await;
    }
    let mut table = Table::new(ROUNDS);
    judged.print(&mut table);
    steps.print(&mut table);
    switches.print(&mut table);
    calls.print(&mut table);
    memory::print(&mut table, &memory);
    table.show();
}

async fn only(mut calls: calls::Calls) {
    for _ in 0..ROUNDS {
        calls.round().await;
    }
    let mut table = Table::new(ROUNDS);
    calls.print(&mut table);
    table.show();
}

/// A plan with one hole, whose record has a name of its own, so that its scope is a new one.
fn plan(lacuna: &Lacuna, work: &Path, folder: &str, record: &str) -> Hole {
    let folder = work.join(folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("lacuna.toml"), "schema = 1\n").unwrap();
    let file = folder.join("plan.wit");
    std::fs::write(&file, PLAN.replace("finding", record)).unwrap();
    lacuna.load(&file).unwrap().entry(None).unwrap()
}

/// A fill that does next to nothing, so that a call of it shows what a call costs.
async fn smallest(lacuna: &Lacuna, work: &Path) -> Fill {
    let folder = work.join("least");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("lacuna.toml"), "schema = 1\n").unwrap();
    let file = folder.join("plan.wit");
    let wit = "package bench:least@0.1.0;\nworld least { export next: func(n: u32) -> u32; }\n";
    std::fs::write(&file, wit).unwrap();
    let hole = lacuna.load(&file).unwrap().entry(None).unwrap();
    hole.fill_with("n + 1").await.unwrap()
}

/// The numbers of a whole judgement.
#[derive(Default)]
struct Judged {
    plain_error: Samples,
    error: Samples,
    plain_rustc: Samples,
    plain_cranelift: Samples,
    value: Samples,
    new_scope: Samples,
    bindings: Samples,
    again: Samples,
    call: Samples,
    least: Samples,
}

impl Judged {
    async fn round(
        &mut self,
        hole: &Hole,
        least: &Fill,
        plain: &plain::Plain,
        cache: &Path,
        seed: &str,
    ) {
        let code = type_error(seed);
        self.plain_error.push(plain.metadata(&code));
        let started = Instant::now();
        let verdict = hole.check(&code).await.unwrap();
        self.error.push(since(started));
        assert!(!verdict.accepted());

        let code = snippet(seed);
        let (rustc, wasm) = plain.cdylib(&code);
        self.plain_rustc.push(rustc);
        self.plain_cranelift.push(plain.cranelift(&wasm));
        let before = entries(cache);
        let started = Instant::now();
        let fill = value(hole, &code).await;
        self.value.push(since(started));
        assert_eq!(
            entries(cache),
            before.map(|entries| entries + 1),
            "a cache hit"
        );

        let started = Instant::now();
        value(hole, &code).await;
        self.again.push(since(started));

        self.call.push(calls(&fill, json!({ "text": TEXT })).await);
        self.least.push(calls(least, json!({ "n": 1 })).await);
    }

    /// The same in a scope that nothing was judged in yet. Its bindings are compiled by a rejected snippet, which is
    /// screened after them and starts no compiler itself.
    async fn in_a_new_scope(
        &mut self,
        lacuna: &Lacuna,
        work: &Path,
        cache: &Path,
        round: usize,
        seed: &str,
    ) {
        let record = format!("finding-n{round}");
        let hole = plan(lacuna, work, "new", &record);
        let code = snippet(&format!("{seed}-new")).replace("Finding", &format!("FindingN{round}"));
        let before = entries(cache);
        let started = Instant::now();
        let verdict = hole.check("mod x;").await.unwrap();
        let bindings = since(started);
        assert!(!verdict.accepted());
        value(&hole, &code).await;
        self.new_scope.push(since(started));
        self.bindings.push(bindings);
        assert_eq!(
            entries(cache),
            before.map(|entries| entries + 1),
            "a cache hit"
        );
    }

    fn print(&self, table: &mut Table) {
        let plain = self.plain_rustc.plus(&self.plain_cranelift);
        table.heading("Type error");
        table.millis("bare `rustc --emit=metadata`", &self.plain_error);
        table.millis("text to verdict", &self.error);
        table.ratio(
            "ratio (goal: at most 1.5)",
            &self.error.over(&self.plain_error),
        );
        table.heading("Accepted snippet, known scope");
        table.millis("plain `rustc` cdylib", &self.plain_rustc);
        table.millis("plain Cranelift of that", &self.plain_cranelift);
        table.millis("text to value", &self.value);
        table.ratio("ratio (goal: at most 0.7)", &self.value.over(&plain));
        table.heading("Accepted snippet, new scope");
        table.millis("its bindings", &self.bindings);
        table.millis("text to value, with them", &self.new_scope);
        table.heading("Again");
        table.millis(
            "the same snippet to its value (goal: at most 5 ms)",
            &self.again,
        );
        table.micros(
            "instantiate and call `n + 1` (goal: at most 60 µs)",
            &self.least,
        );
        table.micros("instantiate and call the snippet", &self.call);
    }
}

/// Median of calls in fresh instances.
async fn calls(fill: &Fill, arguments: serde_json::Value) -> f64 {
    let mut calls = Vec::with_capacity(CALLS);
    for _ in 0..CALLS {
        let started = Instant::now();
        fill.call(arguments.clone()).await.unwrap();
        calls.push(since(started));
    }
    table::median(&calls)
}

async fn value(hole: &Hole, code: &str) -> Fill {
    let fill = hole.fill_with(code).await.unwrap();
    let called = fill.call(json!({ "text": TEXT })).await.unwrap();
    assert!(called.wave().contains("retry"), "{}", called.wave());
    fill
}

/// Number of verdicts and of compiled components in the cache.
fn entries(cache: &Path) -> [usize; 2] {
    ["verdicts", "compiled"].map(|folder| {
        let folder: PathBuf = cache.join(folder);
        std::fs::read_dir(folder).map_or(0, Iterator::count)
    })
}
