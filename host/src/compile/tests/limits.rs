//! What ends a judgement early, and what is left of it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::*;

#[tokio::test]
async fn each_limit_is_named() {
    let fixture = Fixture::new().await;
    let endless = "#[allow(long_running_const_eval)] const X: u64 = { let mut i = 0u64; while i < 1_000_000_000_000 { i += 1; } i };
        pub fn run(s: String) -> u32 { X as u32 }";
    let default = CompileLimits::default;
    let text = fixture
        .limited(
            endless,
            CompileLimits {
                rustc_cpu: Duration::from_secs(1),
                ..default()
            },
        )
        .await;
    assert!(text.contains("rustc-cpu"), "{text}");
    let started = Instant::now();
    let text = fixture
        .limited(
            endless,
            CompileLimits {
                rustc_wall: Duration::from_millis(500),
                ..default()
            },
        )
        .await;
    assert!(text.contains("rustc-wall"), "{text}");
    assert!(started.elapsed() < Duration::from_secs(2));
    let deep = format!(
        "pub fn run(s: String) -> u32 {{ {}1{} }}",
        "(".repeat(20_000),
        ")".repeat(20_000)
    );
    let text = fixture.limited(&deep, default()).await;
    assert!(text.contains("stack"), "{text}");
    let bomb = "const X: [u64; 200_000_000] = [1; 200_000_000]; pub fn run(s: String) -> u32 { X[s.len()] as u32 }";
    let text = fixture
        .limited(
            bomb,
            CompileLimits {
                rustc_memory: 256 << 20,
                ..default()
            },
        )
        .await;
    assert!(text.contains("rustc-memory"), "{text}");
    let doubling = "macro_rules! d { ($($t:tt)*) => { d! { $($t)* $($t)* } } } d! { a b c d }
        pub fn run(s: String) -> u32 { 1 }";
    let text = fixture
        .limited(
            doubling,
            CompileLimits {
                rustc_memory: 64 << 20,
                ..default()
            },
        )
        .await;
    assert!(text.contains("rustc-memory"), "{text}");
    let text = fixture
        .limited(
            GOOD,
            CompileLimits {
                module: 1000,
                ..default()
            },
        )
        .await;
    assert!(text.contains("`module`"), "{text}");
    let text = fixture
        .limited(
            GOOD,
            CompileLimits {
                function: 100,
                ..default()
            },
        )
        .await;
    assert!(text.contains("`function`"), "{text}");
    assert_eq!(fixture.children(), Vec::<i32>::new());
}

#[tokio::test]
async fn a_flood_of_errors_is_capped() {
    let fixture = Fixture::new().await;
    let many = format!(
        "pub fn run(s: String) -> u32 {{ {} 1 }}",
        "nope(1);\n".repeat(5_000)
    );
    let judged = fixture
        .judge(&many, &CompileLimits::default())
        .await
        .unwrap();
    let Judged::Rejected(rejection) = judged else {
        panic!("accepted")
    };
    assert!(rejection.diagnostics.len() <= 64);
    assert!(rejection.omitted > 1000, "{}", rejection.omitted);
}

const ENDLESS: &str = "#[allow(long_running_const_eval)] const X: u64 = { let mut i = 0u64; while i < 1_000_000_000_000 { i += 1; } i };
    pub fn run(s: String) -> u32 { X as u32 }";

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_judgement_leaves_no_process_and_no_folder() {
    let fixture = Fixture::new().await;
    let limits = CompileLimits::default();
    let cancelled =
        tokio::time::timeout(Duration::from_millis(500), fixture.judge(ENDLESS, &limits)).await;
    assert!(cancelled.is_err());
    for _ in 0..100 {
        if fixture.children().is_empty() && fixture.leftovers() == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!(
        "left: {:?} and {} folders",
        fixture.children(),
        fixture.leftovers()
    );
}

/// Accepted after about a second: long enough to be found and killed.
const SLOW: &str = "#[allow(long_running_const_eval)] const X: u64 = { let mut i = 0u64; while i < 4_000_000 { i += 1; } i };
    pub fn run(s: String) -> u32 { X as u32 }";

/// Waits for a process of this fixture that runs `program` and is none of `earlier`, and kills it.
async fn kill(program: &str, fixture: &Fixture, earlier: &[i32]) -> i32 {
    loop {
        let is_program = |pid: &i32| {
            let name = std::fs::read_to_string(format!("/proc/{pid}/comm"));
            name.is_ok_and(|name| name.trim() == program)
        };
        let mut found = fixture.children().into_iter().filter(is_program);
        if let Some(pid) = found.find(|pid| !earlier.contains(pid)) {
            let target = rustix::process::Pid::from_raw(pid).unwrap();
            rustix::process::kill_process(target, rustix::process::Signal::KILL).unwrap();
            return pid;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_someone_else_killed_is_run_once_more() {
    let fixture = Arc::new(Fixture::new().await);
    for (number, program) in ["rustc", "rust-lld"].into_iter().enumerate() {
        // Another text each time, or the first verdict would be the second too.
        let text = format!("{SLOW}\nconst _: u8 = {number};");
        let judging = Arc::clone(&fixture);
        let limits = CompileLimits::default();
        let task = tokio::spawn(async move { judging.judge(&text, &limits).await });
        kill(program, &fixture, &[]).await;
        accepted(task.await.unwrap());
        assert_eq!(fixture.leftovers(), 0);
    }
    let mut other = fixture.scope.clone();
    other.hash = "blake3:other".to_owned();
    let preparing = Arc::clone(&fixture);
    let task = tokio::spawn(async move { preparing.compiler.prepare(&other).await });
    kill("rustc", &fixture, &[]).await;
    assert!(task.await.unwrap().unwrap().bindings.exists());
    assert_eq!(fixture.leftovers(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_compiler_killed_twice_is_no_verdict() {
    let fixture = Arc::new(Fixture::new().await);
    let judging = Arc::clone(&fixture);
    let task = tokio::spawn(async move { judging.judge(SLOW, &CompileLimits::default()).await });
    let first = kill("rustc", &fixture, &[]).await;
    kill("rustc", &fixture, &[first]).await;
    assert!(matches!(task.await.unwrap(), Err(CompileError::Killed)));
    assert_eq!(fixture.leftovers(), 0);
    // Nothing of it was kept: the next judgement is a verdict.
    accepted(fixture.judge(SLOW, &CompileLimits::default()).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn sixteen_judgements_at_once_keep_apart() {
    let fixture = Arc::new(Fixture::new().await);
    let tasks: Vec<_> = (0..16)
        .map(|number| {
            let fixture = Arc::clone(&fixture);
            tokio::spawn(async move {
                let body = if number % 2 == 0 {
                    format!("s.len() as u32 + {number}")
                } else {
                    format!("missing_{number}()")
                };
                let text = format!("pub fn run(s: String) -> u32 {{ {body} }}");
                (
                    number,
                    fixture.judge(&text, &CompileLimits::default()).await,
                )
            })
        })
        .collect();
    for task in tasks {
        match task.await.unwrap() {
            (number, judged) if number % 2 == 0 => drop(accepted(judged)),
            (number, judged) => {
                let diagnostics = rejected(judged);
                assert!(
                    diagnostics[0]
                        .message
                        .contains(&format!("`missing_{number}`")),
                    "{diagnostics:?}"
                );
            }
        }
    }
    assert_eq!(fixture.leftovers(), 0);
}

#[tokio::test]
async fn folders_of_killed_runs_are_removed_and_those_of_live_ones_are_kept() {
    let root = tempfile::tempdir().unwrap();
    let cache = root.path().join("cache");
    let dead = cache.join("work/run-dead");
    std::fs::create_dir_all(dead.join("work-1")).unwrap();
    std::fs::File::create(dead.join("lock")).unwrap();
    let live = Compiler::new(toolchain(), cache.clone(), false).unwrap();
    let hour_ago = std::time::SystemTime::now() - Duration::from_secs(3600);
    for entry in std::fs::read_dir(cache.join("work")).unwrap() {
        std::fs::File::open(entry.unwrap().path())
            .unwrap()
            .set_modified(hour_ago)
            .unwrap();
    }
    let _second = Compiler::new(toolchain(), cache.clone(), false).unwrap();
    assert!(!dead.exists());
    assert!(live.folder().is_ok());
}

#[test]
fn a_folder_that_others_can_write_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let root = tempfile::tempdir().unwrap();
    let verdicts = root.path().join("verdicts");
    std::fs::create_dir(&verdicts).unwrap();
    std::fs::set_permissions(&verdicts, std::fs::Permissions::from_mode(0o777)).unwrap();
    let error = Compiler::new(toolchain(), root.path().to_owned(), false).unwrap_err();
    assert!(matches!(error, CompileError::Cache(_)), "{error}");
    assert!(error.to_string().contains("verdicts"), "{error}");
}

#[test]
fn without_confinement_only_who_allows_it_compiles() {
    let refused = may_compile(false, false).unwrap_err();
    assert!(matches!(refused, CompileError::Unconfined));
    let hint = refused.hint().unwrap();
    assert!(hint.contains("--allow-unconfined-compile"), "{hint}");
    for (confined, allowed) in [(true, false), (true, true), (false, true)] {
        assert!(may_compile(confined, allowed).is_ok());
    }
}
