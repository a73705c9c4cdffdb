use std::path::PathBuf;

use super::*;

/// A shell script as a program in `folder`.
fn started(script: &str, folder: &Path) -> (Running, Pipes) {
    let arguments = ["-c".to_owned(), script.to_owned()];
    start(Program {
        file: "sh".as_ref(),
        arguments: &arguments,
        folder,
        variables: Variables::Inherited,
    })
    .unwrap()
}

/// Waits for what a script writes into a file, in one piece.
async fn written(file: PathBuf) -> String {
    for _ in 0..1000 {
        match std::fs::read_to_string(&file) {
            Ok(text) if text.ends_with('\n') => return text,
            _ => tokio::time::sleep(Duration::from_millis(5)).await,
        }
    }
    panic!("{} was not written", file.display());
}

/// Whether a process runs; one that waits to be reaped has ended.
fn alive(id: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", id.trim()));
    stat.is_ok_and(|stat| !stat.contains(") Z "))
}

/// How long a process still runs.
async fn survives(id: &str) -> Duration {
    let started = Instant::now();
    while alive(id) {
        assert!(started.elapsed() < Duration::from_secs(10), "{id} runs on");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    started.elapsed()
}

#[tokio::test]
async fn a_program_is_asked_to_end_before_it_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let polite = "trap 'echo bye > said; exit' TERM; echo $$ > id; while :; do sleep 0.01; done";
    let (running, _pipes) = started(polite, folder.path());
    let id = written(folder.path().join("id")).await;
    drop(running);
    assert_eq!(written(folder.path().join("said")).await, "bye\n");
    survives(&id).await;

    let deaf = "trap '' TERM; echo $$ > deaf; while :; do sleep 0.01; done";
    let (running, _pipes) = started(deaf, folder.path());
    let id = written(folder.path().join("deaf")).await;
    let before = Instant::now();
    drop(running);
    assert!(
        before.elapsed() < Duration::from_millis(100),
        "dropping waits"
    );
    assert!(survives(&id).await >= GRACE - Duration::from_millis(50));
    // Killed and reaped: no process of that number is left at all.
    for _ in 0..200 {
        if !Path::new(&format!("/proc/{}", id.trim())).exists() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("{id} was not reaped");
}

#[tokio::test]
async fn what_a_program_leaves_behind_ends_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let script = "(trap '' TERM; exec sleep 300) & echo $! > id; exit 7";
    let (mut running, _pipes) = started(script, folder.path());
    assert_eq!(running.end().await.unwrap().code(), Some(7));
    survives(&written(folder.path().join("id")).await).await;
    assert_eq!(
        running.end().await.unwrap().code(),
        Some(7),
        "it is remembered"
    );
    assert_eq!(running.ended().unwrap().code(), Some(7));
}

#[test]
fn a_runtime_that_ends_kills_what_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let runtime = || {
        tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap()
    };
    let deaf = "trap '' TERM; echo $$ > id; while :; do sleep 0.01; done";
    let first = runtime();
    let (running, id) = first.block_on(async {
        let (running, _pipes) = started(deaf, folder.path());
        (running, written(folder.path().join("id")).await)
    });
    // The program outlives its runtime, and is dropped where there is none.
    first.shutdown_background();
    drop(running);
    runtime().block_on(survives(&id));

    std::fs::remove_file(folder.path().join("id")).unwrap();
    let second = runtime();
    let id = second.block_on(async {
        let (running, _pipes) = started(deaf, folder.path());
        let id = written(folder.path().join("id")).await;
        drop(running);
        id
    });
    second.shutdown_timeout(2 * GRACE);
    assert!(!alive(&id), "the end of the runtime waits for it");
}

#[tokio::test]
async fn only_the_variables_that_are_named_are_passed() {
    let arguments = ["-c".to_owned(), "env | sort; cat".to_owned()];
    let variables = [("LANG", OsString::from("C.UTF-8"))];
    let folder = tempfile::tempdir().unwrap();
    let program = Program {
        file: "/bin/sh".as_ref(),
        arguments: &arguments,
        folder: folder.path(),
        variables: Variables::Only(&variables),
    };
    let output = run(program, b"input", 1000, &|_| {}).await.unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    // A shell adds its own.
    let own = ["PWD=", "OLDPWD=", "SHLVL=", "_="];
    let passed: Vec<&str> = text
        .lines()
        .filter(|line| !own.iter().any(|own| line.starts_with(own)))
        .collect();
    assert_eq!(passed, ["LANG=C.UTF-8", "input"]);
}
