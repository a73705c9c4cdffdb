//! Sixteen checks at once on however few cores, in one process and in sixteen that share a fresh cache, while someone
//! kills compilers: each verdict is its own snippet's, and nothing is left behind.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test writes its plans, starts the program and looks at its processes"
)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use lacuna::Lacuna;
use rustix::process::{Pid, Signal};

use support::cache::{Cache, processes_in};
use support::plan::Plan;

const WIT: &str = "world hole { export run: func(n: u32) -> u32; }";

/// Time enough for all of them on one busy core.
const LIMITS: &str = "[limits]\nrustc-wall = \"120s\"\nrustc-cpu = \"60s\"";

/// As many as are checked at once.
const MANY: usize = 16;

/// Longest time that a compiler may take to appear.
const PATIENCE: Duration = Duration::from_secs(120);

/// A snippet that no other of these is equal to, and the code of what is wrong with it.
fn snippet(number: usize) -> (String, Option<&'static str>) {
    let (body, code) = match number % 4 {
        // About a second of work, to be killed in.
        0 => (
            format!(
                "#[allow(long_running_const_eval)] const X: u32 = {{ let mut i = 0; while i < 3_000_000 {{ i += 1; }} i }}; n / X + {number}"
            ),
            None,
        ),
        1 => (format!("missing_{number}(n)"), Some("E0425")),
        2 => (
            format!("let mut all = vec![n, {number}]; all.sort(); all[0]"),
            None,
        ),
        _ => (format!("\"text {number}\""), Some("E0308")),
    };
    (format!("pub fn run(n: u32) -> u32 {{ {body} }}"), code)
}

/// A compiler of a snippet that is alive: its number and its parent's.
fn compilers(cache: &Path) -> Vec<(u32, u32)> {
    let compiler = |pid: u32| {
        let of = |file: &str| fs::read_to_string(format!("/proc/{pid}/{file}")).ok();
        // A process that has ended and is not yet reaped has no command line.
        let is_compiler = of("cmdline")?.contains("--crate-name=hole");
        let status = of("status")?;
        let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"))?;
        is_compiler.then_some((pid, parent.trim().parse().ok()?))
    };
    let alive = processes_in(&cache.join("work"));
    alive.into_iter().filter_map(compiler).collect()
}

/// Waits for a compiler that `parent` started after `earlier` was killed, and kills it.
fn kill_compiler_of(parent: u32, cache: &Path, earlier: Option<u32>) -> u32 {
    let until = Instant::now() + PATIENCE;
    loop {
        let found = compilers(cache)
            .into_iter()
            .find(|(pid, started_by)| *started_by == parent && Some(*pid) != earlier);
        if let Some((pid, _)) = found
            && kill(pid)
        {
            return pid;
        }
        assert!(Instant::now() < until, "no compiler was started");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// False when it ended by itself before.
fn kill(pid: u32) -> bool {
    let pid = Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    rustix::process::kill_process(pid, Signal::KILL).is_ok()
}

/// Every file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.is_symlink() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found
}

/// No work, no process, no file that was being written, no memory image of a killed process.
#[track_caller]
fn left_nothing(cache: &Cache, plans: &[Plan]) {
    cache.is_clean("at the end");
    for folder in ["verdicts", "bindings"] {
        for path in files(&cache.folder.join(folder)) {
            let name = support::name(&path);
            assert!(!name.starts_with(".tmp"), "{}", path.display());
        }
    }
    for plan in plans {
        let mut names: Vec<String> = files(&plan.folder)
            .iter()
            .map(|path| support::name(path))
            .collect();
        names.sort();
        let mut expected = vec!["lacuna.toml", "plan.wit", "snippet.rs"];
        expected.extend(names.contains(&"out".to_owned()).then_some("out"));
        expected.extend(names.contains(&"said".to_owned()).then_some("said"));
        expected.sort_unstable();
        assert_eq!(names, expected);
    }
}

/// `lacuna check`, with its output in the files `out` and `said`.
fn start(plan: &Plan, cache: &Cache) -> Child {
    let file = |name: &str| fs::File::create(plan.folder.join(name)).unwrap();
    Command::new(env!("CARGO_BIN_EXE_lacuna"))
        .args([
            "check",
            "plan.wit",
            "--snippet",
            "snippet.rs",
            "--format",
            "json",
        ])
        .current_dir(&plan.folder)
        .env("LACUNA_CACHE_DIR", &cache.folder)
        .stdin(Stdio::null())
        .stdout(file("out"))
        .stderr(file("said"))
        .spawn()
        .unwrap()
}

fn said(plan: &Plan) -> String {
    fs::read_to_string(plan.folder.join("said")).unwrap()
}

#[test]
fn sixteen_processes_share_a_fresh_cache() {
    let cache = Cache::empty("");
    let plans: Vec<Plan> = (0..MANY).map(|_| Plan::new(WIT, LIMITS)).collect();
    for (number, plan) in plans.iter().enumerate() {
        plan.write("snippet.rs", &snippet(number).0);
    }
    let mut started: Vec<Child> = plans.iter().map(|plan| start(plan, &cache)).collect();
    let victim = started[0].id();
    kill_compiler_of(victim, &cache.folder, None);
    let mut built = 0;
    for (number, (plan, child)) in plans.iter().zip(&mut started).enumerate() {
        let code = child.wait().unwrap().code();
        let text = fs::read_to_string(plan.folder.join("out")).unwrap();
        let verdict: serde_json::Value = serde_json::from_str(&text)
            .unwrap_or_else(|error| panic!("{number}: {error}: {text} {}", said(plan)));
        let expected = snippet(number).1;
        assert_eq!(
            code,
            Some(i32::from(expected.is_some())),
            "{number}: {verdict:#}"
        );
        assert_eq!(
            verdict["diagnostics"][0]["code"].as_str(),
            expected,
            "{number}: {verdict:#}"
        );
        if expected == Some("E0425") {
            let message = verdict["diagnostics"][0]["message"].as_str().unwrap();
            assert!(
                message.contains(&format!("`missing_{number}`")),
                "{message}"
            );
        }
        built += said(plan).matches("compiling the guest SDK").count();
    }
    assert_eq!(built, 1, "the SDK is built by one of them");
    // However many of them compiled the bindings, there is one copy, and it is what its hash says.
    let bindings = support::folders(&cache.folder.join("bindings"));
    assert_eq!(bindings.len(), 1, "{bindings:?}");
    let hash = blake3::hash(&fs::read(bindings[0].join("libbindings.rlib")).unwrap());
    let noted = fs::read_to_string(bindings[0].join("blake3")).unwrap();
    assert_eq!(noted, hash.to_hex().as_str());
    left_nothing(&cache, &plans);
}

/// Someone cleans the cache all the time, the SDK included: it costs others time, and never a verdict.
#[test]
fn a_cleaner_takes_nothing_from_under_anyone() {
    let (made, cache) = (Cache::with_sdk(), Cache::empty(""));
    let copied = Command::new("cp")
        .arg("-aL")
        .args([made.folder.join("sdk"), cache.folder.join("sdk")])
        .status();
    assert!(copied.unwrap().success());
    let over = AtomicBool::new(false);
    std::thread::scope(|threads| {
        let cleaner = threads.spawn(|| {
            let mut removed = 0;
            while !over.load(Ordering::Relaxed) {
                let done = Command::new(env!("CARGO_BIN_EXE_lacuna"))
                    .args(["cache", "clean", "--all"])
                    .env("LACUNA_CACHE_DIR", &cache.folder)
                    .output()
                    .unwrap();
                let text = String::from_utf8_lossy(&done.stdout).into_owned();
                assert!(done.status.success(), "{done:?}");
                removed += usize::from(text != "removed 0 B\n");
                std::thread::sleep(Duration::from_millis(5));
            }
            removed
        });
        let checkers: Vec<_> = (0..4)
            .map(|thread| {
                let cache = &cache;
                threads.spawn(move || {
                    for round in 0..4 {
                        let number = 100 + thread * 4 + round;
                        let plan = Plan::new(WIT, LIMITS);
                        let (code, expected) = snippet(number);
                        plan.write("snippet.rs", &code);
                        let ended = start(&plan, cache).wait().unwrap().code();
                        let told = fs::read_to_string(plan.folder.join("out")).unwrap();
                        assert_eq!(
                            ended,
                            Some(i32::from(expected.is_some())),
                            "{number}: {told} {}",
                            said(&plan)
                        );
                        assert!(told.contains(expected.unwrap_or("accepted")), "{told}");
                    }
                })
            })
            .collect();
        let checked: Vec<_> = checkers.into_iter().map(|checker| checker.join()).collect();
        // Before anything is said of them, or the cleaner would go on for ever.
        over.store(true, Ordering::Relaxed);
        for checker in checked {
            checker.unwrap();
        }
        assert!(cleaner.join().unwrap() > 0, "something was there to clean");
    });
}

#[test]
fn a_compiler_that_is_always_killed_ends_with_the_reason() {
    let cache = Cache::with_sdk();
    let plans = [Plan::new(WIT, LIMITS)];
    plans[0].write("snippet.rs", &snippet(0).0);
    let mut child = start(&plans[0], &cache);
    let first = kill_compiler_of(child.id(), &cache.folder, None);
    kill_compiler_of(child.id(), &cache.folder, Some(first));
    assert_eq!(child.wait().unwrap().code(), Some(2));
    let said = said(&plans[0]);
    for words in [
        "error: the compiler was killed from outside, twice",
        "hint: ",
        "memory",
    ] {
        assert!(said.contains(words), "{said}");
    }
    assert_eq!(files(&cache.folder.join("verdicts")), Vec::<PathBuf>::new());
    left_nothing(&cache, &plans);
}

#[tokio::test(flavor = "multi_thread")]
async fn sixteen_tasks_share_an_engine() {
    let cache = Cache::with_sdk();
    let plans = [Plan::new(WIT, LIMITS)];
    plans[0].write("snippet.rs", "");
    let lacuna = Lacuna::builder().cache(&cache.folder).build().unwrap();
    let hole = {
        let session = lacuna.load(plans[0].folder.join("plan.wit")).unwrap();
        session.hole("hole").unwrap()
    };
    // Watches how many compilers run at once, and kills one that has work to do.
    let done = Arc::new(AtomicBool::new(false));
    let (most, killed) = (
        Arc::new(AtomicUsize::new(0)),
        Arc::new(AtomicBool::new(false)),
    );
    let watcher = {
        let (done, most, killed) = (Arc::clone(&done), Arc::clone(&most), Arc::clone(&killed));
        let folder = cache.folder.clone();
        std::thread::spawn(move || {
            while !done.load(Ordering::SeqCst) {
                let alive = compilers(&folder);
                most.fetch_max(alive.len(), Ordering::SeqCst);
                if let (Some((pid, _)), false) = (alive.first(), killed.load(Ordering::SeqCst)) {
                    killed.store(kill(*pid), Ordering::SeqCst);
                }
                std::thread::sleep(Duration::from_millis(1));
            }
        })
    };
    let tasks: Vec<_> = (0..MANY)
        .map(|number| {
            let hole = hole.clone();
            tokio::spawn(async move { hole.check(&snippet(number).0).await })
        })
        .collect();
    for (number, task) in tasks.into_iter().enumerate() {
        let verdict = task.await.unwrap().unwrap();
        let first = verdict.diagnostics.first();
        let code = first.and_then(|diagnostic| diagnostic.code.as_deref());
        assert_eq!(code, snippet(number).1, "{number}: {verdict:?}");
        assert_eq!(verdict.accepted(), code.is_none(), "{number}");
    }
    done.store(true, Ordering::SeqCst);
    watcher.join().unwrap();
    assert!(killed.load(Ordering::SeqCst), "no compiler was killed");
    let cores = std::thread::available_parallelism().unwrap().get();
    let most = most.load(Ordering::SeqCst);
    assert!(
        (1..=cores).contains(&most),
        "{most} compilers at once on {cores} cores"
    );
    drop((hole, lacuna));
    left_nothing(&cache, &plans);
}
