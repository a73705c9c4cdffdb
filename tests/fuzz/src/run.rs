//! A run: workers that take batches until the cases or the time end.

#![expect(
    clippy::disallowed_methods,
    reason = "writes notes, removes what batches leave, ends a process that hangs"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::Result;
use lacuna::Lacuna;

use crate::batch::{Batch, CASES, Ground, Made, Subject};
use crate::host::{self, Host, VARIABLE};
use crate::judge::{self, Judged};
use crate::oracle::{Fault, Secrets};
use crate::panics;
use crate::plans::Origin;
use crate::report::{Found, Report};
use crate::stock;

/// Code of a process that was ended because a case did.
pub const HUNG: i32 = 86;
/// Longest time between two cases of a worker before the process counts as hung: a call and a judgement, and room.
const PATIENCE: Duration = Duration::from_secs(120);
/// Most memory that the process may use, in KiB.
const MEMORY: u64 = 1_500_000;
/// Folders of the cache that grow with each case.
const GROWING: [&str; 2] = ["verdicts", "components"];

/// What to run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The seed that everything follows from.
    pub seed: u64,
    /// Number behind the last case.
    pub cases: u64,
    /// Number of the first case, a multiple of [`CASES`].
    pub from: u64,
    /// Time after which no new batch is begun.
    pub seconds: Option<u64>,
    /// Workers.
    pub jobs: usize,
    /// Where compiled things are kept; a folder of the run if none is given.
    pub cache: Option<PathBuf>,
    /// Kind of snippets whose rejections are listed.
    pub list: Option<String>,
    /// Only faults that speak of this count.
    pub sign: String,
    /// Whether the first fault ends the run.
    pub until_fault: bool,
}

/// What the workers share.
struct Shared {
    settings: Settings,
    host: Host,
    lacuna: Lacuna,
    ground: Ground,
    secrets: Secrets,
    cache: PathBuf,
    next: AtomicU64,
    stop: AtomicBool,
    started: Instant,
    /// When each worker began what it is at.
    since: Mutex<Vec<Instant>>,
}

impl Shared {
    fn open(settings: &Settings) -> Result<Self> {
        panics::watch();
        let host = Host::of_process()?;
        let cache = settings
            .cache
            .clone()
            .unwrap_or_else(|| host.folder.join("cache"));
        let lacuna = Lacuna::builder().cache(&cache).build()?;
        let ground = Ground {
            seed: settings.seed,
            stock: stock::rejected(),
            folder: host.plans(),
            canaries: host.canaries(),
            variable: VARIABLE.to_owned(),
        };
        let secrets = Secrets::new(host.secrets(&cache))?;
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?
            .block_on(lacuna.prepare())?;
        Ok(Self {
            settings: settings.clone(),
            host,
            lacuna,
            ground,
            secrets,
            cache,
            next: AtomicU64::new(settings.from / CASES),
            stop: AtomicBool::new(false),
            started: Instant::now(),
            since: Mutex::new(vec![Instant::now(); settings.jobs]),
        })
    }

    fn touch(&self, worker: usize) {
        if let Ok(mut since) = self.since.lock() {
            since[worker] = Instant::now();
        }
    }

    fn out_of_time(&self) -> bool {
        self.settings
            .seconds
            .is_some_and(|most| self.started.elapsed() > Duration::from_secs(most))
    }
}

/// Runs all cases.
pub fn run(settings: &Settings) -> Result<Report> {
    let shared = Arc::new(Shared::open(settings)?);
    watch_for_hangs(&shared);
    let mut report = Report::default();
    std::thread::scope(|threads| {
        let workers: Vec<_> = (0..settings.jobs)
            .map(|worker| {
                let shared = &shared;
                threads.spawn(move || work(shared, worker))
            })
            .collect();
        for worker in workers {
            match worker.join() {
                Ok(Ok(part)) => report.add(part),
                Ok(Err(error)) => report.faults.push(Found {
                    case: 0,
                    fault: Fault::new("fuzzer", format!("{error:#}")),
                }),
                Err(_) => {
                    let panics = panics::take().join("; ");
                    report.faults.push(Found {
                        case: 0,
                        fault: Fault::new("panic", panics),
                    });
                }
            }
        }
    });
    report.elapsed = shared.started.elapsed();
    report.memory = host::peak_memory();
    if report.memory > MEMORY {
        report.faults.push(Found {
            case: 0,
            fault: Fault::new("bounds", format!("used {} KiB", report.memory)),
        });
    }
    report.faults.sort_by_key(|found| found.case);
    Ok(report)
}

/// A case that blocks its thread can't be stopped from within: the process ends, and its notes say where it was.
fn watch_for_hangs(shared: &Arc<Shared>) {
    let shared = Arc::downgrade(shared);
    std::thread::spawn(move || {
        while let Some(shared) = shared.upgrade() {
            let hung = shared
                .since
                .lock()
                .map(|since| since.iter().any(|since| since.elapsed() > PATIENCE));
            if hung.unwrap_or(false) {
                std::process::exit(HUNG);
            }
            drop(shared);
            std::thread::sleep(Duration::from_millis(500));
        }
    });
}

fn work(shared: &Shared, worker: usize) -> Result<Report> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let mut report = Report::default();
    loop {
        let number = shared.next.fetch_add(1, Ordering::Relaxed);
        let first = number * CASES;
        if first >= shared.settings.cases
            || shared.stop.load(Ordering::Relaxed)
            || shared.out_of_time()
        {
            // A worker that is done waits for nothing any more.
            if let Ok(mut since) = shared.since.lock() {
                since[worker] = Instant::now() + Duration::from_secs(24 * 60 * 60);
            }
            return Ok(report);
        }
        shared.touch(worker);
        fs::write(
            shared.host.flight(worker),
            format!("the plan of batch {number}"),
        )?;
        let made = shared.ground.batch(&shared.lacuna, number)?;
        count_refused(&made, &shared.secrets, first, &mut report);
        let Some(batch) = made.batch else { continue };
        *report.plans.entry(origin(&batch.files.origin)).or_default() += 1;
        let last = (first + CASES).min(shared.settings.cases);
        let mut texts = String::new();
        for case in first..last {
            shared.touch(worker);
            fs::write(shared.host.flight(worker), format!("case {case}"))?;
            let subject = shared.ground.subject(&batch, case);
            texts.push_str(&subject.text);
            let mut judged = runtime.block_on(judge::judge(
                &shared.lacuna,
                &batch,
                &subject,
                &shared.secrets,
            ));
            judged
                .faults
                .retain(|fault| fault.message.contains(&shared.settings.sign));
            list(shared, case, &subject, &judged, &mut report);
            count(case, &subject, judged, &mut report);
            if !report.faults.is_empty() && shared.settings.until_fault {
                shared.stop.store(true, Ordering::Relaxed);
                break;
            }
        }
        shown(&batch, &texts, &shared.secrets, first, &mut report);
        fs::remove_dir_all(&batch.folder)?;
        if shared.settings.cache.is_none() {
            prune(&shared.cache);
        }
    }
}

fn count_refused(made: &Made, secrets: &Secrets, case: u64, report: &mut Report) {
    for (files, message) in &made.refused {
        *report.refused.entry(origin(&files.origin)).or_default() += 1;
        let plan = files.file("plan.wit").unwrap_or("");
        if let Some(word) = secrets.in_bytes(message.as_bytes(), plan) {
            // The plan's own path is what a refusal is about.
            if !word.starts_with('/') {
                report.faults.push(Found {
                    case,
                    fault: Fault::new("canary", format!("`{word}` in a refusal")),
                });
            }
        }
    }
    for panic in panics::take() {
        report.faults.push(Found {
            case,
            fault: Fault::new("panic", format!("while a plan was read: {panic}")),
        });
    }
}

fn list(shared: &Shared, case: u64, subject: &Subject, judged: &Judged, report: &mut Report) {
    let Some(verdict) = judged
        .verdict
        .as_ref()
        .filter(|_| shared.settings.list.as_deref() == Some(subject.kind))
    else {
        return;
    };
    if let Some(diagnostic) = verdict.diagnostics.first().filter(|_| !verdict.accepted()) {
        report.listed.push((case, diagnostic.rendered.clone()));
    }
}

fn count(case: u64, subject: &Subject, judged: Judged, report: &mut Report) {
    report.cases += 1;
    let kind = report.kinds.entry(subject.kind).or_default();
    kind.0 += 1;
    if let Some(verdict) = &judged.verdict {
        match verdict.stage {
            None => {
                kind.1 += 1;
                report.accepted += 1;
                report.repaired += u64::from(!verdict.repaired.is_empty());
            }
            Some(stage) => *report.rejected.entry(stage.name()).or_default() += 1,
        }
        for diagnostic in &verdict.diagnostics {
            let code = diagnostic.code.clone().unwrap_or_else(|| "none".to_owned());
            *report.codes.entry(code).or_default() += 1;
        }
    }
    report
        .imports
        .extend(judged.imports.filter(|imports| !imports.is_empty()));
    if let Some(call) = judged.call {
        *report.calls.entry(call).or_default() += 1;
    }
    report.slowest = report.slowest.max((judged.elapsed, case));
    report
        .faults
        .extend(judged.faults.into_iter().map(|fault| Found { case, fault }));
}

/// The prompt and the trace of a batch are outputs too.
fn shown(batch: &Batch, texts: &str, secrets: &Secrets, case: u64, report: &mut Report) {
    let prompt = batch.hole.prompt().unwrap_or_default();
    let mut found = Vec::new();
    found.extend(
        secrets
            .in_bytes(prompt.as_bytes(), "")
            .map(|word| format!("`{word}` in the prompt")),
    );
    for trace in batch.traces() {
        let text = batch.without_answers(&fs::read_to_string(trace).unwrap_or_default());
        found.extend(
            secrets
                .in_text(&text, texts)
                .map(|word| format!("`{word}` in the trace")),
        );
    }
    report.faults.extend(found.into_iter().map(|message| Found {
        case,
        fault: Fault::new("canary", message),
    }));
}

fn origin(origin: &Origin) -> &'static str {
    match origin {
        Origin::Own => "own",
        Origin::Smith => "wit-smith",
        Origin::Case(_) => "cases",
    }
}

/// Removes what is kept of verdicts: a long run would fill the disk, and no case comes twice.
fn prune(cache: &Path) {
    for folder in GROWING {
        for entry in fs::read_dir(cache.join(folder))
            .into_iter()
            .flatten()
            .flatten()
        {
            let path = entry.path();
            let _ = if path.is_dir() {
                fs::remove_dir_all(path)
            } else {
                fs::remove_file(path)
            };
        }
    }
}

/// One case alone: what it is made of, and what comes of it.
pub fn one(settings: &Settings, case: u64) -> Result<(String, bool)> {
    let shared = Shared::open(settings)?;
    let made = shared.ground.batch(&shared.lacuna, case / CASES)?;
    let Some(batch) = made.batch else {
        let said: Vec<&str> = made
            .refused
            .iter()
            .map(|(_, message)| message.as_str())
            .collect();
        return Ok((
            format!(
                "no plan of this batch can be filled:\n{}\n",
                said.join("\n")
            ),
            true,
        ));
    };
    let subject = shared.ground.subject(&batch, case);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let judged = runtime.block_on(judge::judge(
        &shared.lacuna,
        &batch,
        &subject,
        &shared.secrets,
    ));
    let mut text = String::new();
    for (name, content) in &batch.files.files {
        text.push_str(&format!(
            "=== {name} ({:?})\n{content}\n",
            batch.files.origin
        ));
    }
    text.push_str(&format!(
        "=== snippet: {}, {:?}, must be rejected: {}\n{}\n",
        subject.kind, subject.way, subject.live, subject.text
    ));
    if let Some(verdict) = &judged.verdict {
        text.push_str(&format!(
            "=== verdict: {} at {:?}, {} ms\n",
            verdict.verdict,
            verdict.stage,
            judged.elapsed.as_millis()
        ));
        for diagnostic in &verdict.diagnostics {
            text.push_str(&diagnostic.rendered);
            text.push('\n');
        }
    }
    if let Some(call) = &judged.call {
        text.push_str(&format!(
            "=== call: {call} {}\n",
            judged.refusal.as_deref().unwrap_or_default()
        ));
    }
    for fault in &judged.faults {
        text.push_str(&format!("=== FAULT {}: {}\n", fault.oracle, fault.message));
    }
    Ok((text, judged.faults.is_empty()))
}
