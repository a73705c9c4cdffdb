use std::time::Duration;

use super::*;
use crate::error::Explain;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

async fn ask(spec: &str) -> Result<Answer, ModelError> {
    let folder = folder();
    Asked::default().of(&*model(spec, folder.path())).await
}

#[tokio::test]
async fn the_prompt_is_on_stdin_and_the_answer_on_stdout() {
    assert_eq!(
        ask("command:cat").await.unwrap().text,
        "the head|the rest é"
    );
    let folder = folder();
    std::fs::write(folder.path().join("an answer.md"), "a\r\nb").unwrap();
    let model = model("command:cat 'an answer.md'", folder.path());
    let asked = Asked {
        prompt: Prompt {
            text: "x".repeat(1 << 20),
            head: 0,
        },
        ..Asked::default()
    };
    // `cat FILE` never reads the megabyte on its stdin.
    assert_eq!(asked.of(&*model).await.unwrap().text, "a\r\nb");
}

#[tokio::test]
async fn a_failure_shows_code_and_the_end_of_stderr() {
    let error = ask("command:sh -c 'echo no >&2; echo \"reason\u{1b}[1m\" >&2; exit 3'")
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "`sh` ended with exit code 3: no | reason\\u{1b}[1m"
    );
    let error = ask("command:sh -c 'kill -9 $$'").await.unwrap_err();
    assert_eq!(error.to_string(), "`sh` ended with signal 9");
}

#[tokio::test]
async fn a_key_in_stderr_is_masked() {
    let environment = Environment::from_variables([("ANTHROPIC_API_KEY", "known-key-0123456789")]);
    let config = parse_spec("command:sh -c 'echo known-key-0123456789 >&2; exit 1'").unwrap();
    let model = open(&config, Path::new(""), &environment, false).unwrap();
    let error = Asked::default().of(&*model).await.unwrap_err();
    assert_eq!(error.to_string(), "`sh` ended with exit code 1: ***");
}

#[tokio::test]
async fn a_program_that_does_not_exist_is_named() {
    let error = ask("command:lacuna-no-such-program x").await.unwrap_err();
    assert!(
        matches!(error, ModelError::CommandNotFound { .. }),
        "{error}"
    );
    assert!(error.to_string().contains("lacuna-no-such-program") && error.hint().is_some());
    let error = ask("command:/").await.unwrap_err();
    assert!(
        matches!(error, ModelError::CommandNotStarted { .. }),
        "{error}"
    );
}

#[tokio::test]
async fn output_is_limited_and_must_be_text() {
    let error = ask("command:sh -c 'yes'").await.unwrap_err();
    assert!(
        matches!(error, ModelError::TooLarge { limit: 10_000, .. }),
        "{error}"
    );
    let error = ask(r"command:printf '\377\376'").await.unwrap_err();
    assert!(matches!(error, ModelError::Malformed { .. }), "{error}");
    assert!(matches!(
        ask("command:true").await.unwrap_err(),
        ModelError::Empty { .. }
    ));
    let exact = ask("command:sh -c 'head -c 10000 /dev/zero | tr \"\\0\" x'")
        .await
        .unwrap();
    assert_eq!(exact.text.len(), 10_000);
    assert!(
        ask("command:sh -c 'yes >&2 & sleep 0.2; kill $!; echo x'")
            .await
            .is_ok()
    );
}

/// Starts a program with a child that ignores its stdin and hangs; gives both ids when they run.
const HANGING: &str = "command:sh -c 'sleep 321 & echo $! $$ > ids.new; mv ids.new ids; wait'";

async fn ids(folder: &Path) -> Vec<u32> {
    for _ in 0..500 {
        if let Ok(text) = std::fs::read_to_string(folder.join("ids")) {
            return text
                .split_whitespace()
                .map(|id| id.parse().unwrap())
                .collect();
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the program did not start");
}

/// Whether a process ends soon; one that waits to be reaped has ended.
async fn ended(id: u32) -> bool {
    for _ in 0..300 {
        match std::fs::read_to_string(format!("/proc/{id}/stat")) {
            Ok(stat) if !stat.contains(") Z ") => {
                tokio::time::sleep(Duration::from_millis(10)).await
            }
            _ => return true,
        }
    }
    false
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_end_of_time_kills_the_program_with_its_children() {
    let folder = folder();
    let asked = Asked {
        time: Duration::from_millis(800),
        ..Asked::default()
    };
    let error = asked.of(&*model(HANGING, folder.path())).await.unwrap_err();
    assert!(matches!(error, ModelError::Deadline), "{error}");
    for id in ids(folder.path()).await {
        assert!(ended(id).await, "{id} still runs");
    }
    let mut config = parse_spec("command:sleep 321").unwrap();
    config.timeout = Duration::from_millis(100);
    let model = open(&config, folder.path(), &Environment::default(), false).unwrap();
    let error = Asked::default().of(&*model).await.unwrap_err();
    assert!(matches!(error, ModelError::Timeout { .. }), "{error}");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_dropped_request_kills_the_program_with_its_children() {
    let folder = folder();
    let model = model(HANGING, folder.path());
    let asked = Asked::default();
    let ids = tokio::select! {
        answer = asked.of(&*model) => panic!("{answer:?}"),
        ids = ids(folder.path()) => ids,
    };
    for id in ids {
        assert!(ended(id).await, "{id} still runs");
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn children_that_are_left_behind_do_not_hold_the_answer_up() {
    let folder = folder();
    let spec = "command:sh -c 'sleep 321 & echo $! > ids; echo done'";
    let started = Instant::now();
    let answer = Asked::default()
        .of(&*model(spec, folder.path()))
        .await
        .unwrap();
    assert_eq!(answer.text, "done\n");
    assert!(started.elapsed() < Duration::from_secs(10));
    assert!(ended(ids(folder.path()).await[0]).await);
}
