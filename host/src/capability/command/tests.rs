//! The provider with real programs, most of which misbehave.

use std::path::Path;
use std::time::{Duration, Instant};

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::*;
use crate::capability::call::Bounds;
use crate::capability::wire::tests::echo;
use crate::value::Type;

/// A shell script in a folder of its own.
struct Script {
    folder: tempfile::TempDir,
    served: Arc<dyn Serve>,
}

impl Script {
    fn new(script: &str, keep_alive: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let grant = CommandGrant {
            name: "sh".to_owned(),
            program: "/bin/sh".into(),
            arguments: vec!["-c".to_owned(), script.to_owned()],
            folder: folder.path().to_owned(),
            keep_alive,
            path: std::env::var_os("PATH"),
        };
        let import = ImportType {
            label: "shop".to_owned(),
            interface: None,
            functions: Vec::new(),
        };
        let served = grant.open(&import).unwrap();
        Self { folder, served }
    }

    async fn call(
        &self,
        function: &Arc<FunctionType>,
        arguments: Vec<Value>,
    ) -> Result<Option<Value>, Failure> {
        let call = ToolCall {
            function: Arc::clone(function),
            arguments,
            bounds: Bounds::new(1000, 1 << 10),
            labels: Default::default(),
            watcher: Default::default(),
        };
        self.served.call(call).await
    }

    async fn count(&self) -> Result<Option<Value>, Failure> {
        self.call(&count(), vec![]).await
    }

    /// Why a call failed, without the names of tool and program.
    async fn failed(&self) -> String {
        let failure = self.count().await.unwrap_err();
        assert!(failure.message.chars().count() < 500, "{failure}");
        let message = failure.message.replace("`sh` ", "");
        message
            .strip_prefix("`shop.count`: ")
            .unwrap_or(&message)
            .to_owned()
    }

    /// The process numbers that the script wrote into the file `ids`, once it has.
    async fn ids(&self) -> Vec<String> {
        for _ in 0..1000 {
            if let Ok(text) = std::fs::read_to_string(self.folder.path().join("ids"))
                && text.ends_with('\n')
            {
                return text.split_whitespace().map(str::to_owned).collect();
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("the script wrote no numbers");
    }

    /// Waits until the processes in `ids` are gone, reaped and all.
    async fn gone(&self) {
        for id in self.ids().await {
            gone(&id).await;
        }
    }
}

async fn gone(id: &str) {
    let started = Instant::now();
    while Path::new(&format!("/proc/{id}")).exists() {
        // What a program left behind is reaped by whoever is its parent now, or by nobody.
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        let own = stat.contains(&format!(") Z {} ", std::process::id()));
        if stat.contains(") Z ") && !own {
            return;
        }
        assert!(
            started.elapsed() < Duration::from_secs(10),
            "{id} is left: {stat}"
        );
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn count() -> Arc<FunctionType> {
    Arc::new(FunctionType {
        import: "shop".to_owned(),
        name: "count".to_owned(),
        parameters: Vec::new(),
        result: Some(Type::U64),
    })
}

const BOTH: [bool; 2] = [false, true];

#[tokio::test]
async fn the_question_is_a_line_and_so_is_the_answer() {
    let script = r#"IFS= read -r line; printf '%s' "$line" > asked; echo '{"ok": 3}'"#;
    for keep_alive in BOTH {
        let script = Script::new(script, keep_alive);
        assert_eq!(script.count().await, Ok(Some(Value::U64(3))));
        let asked = std::fs::read_to_string(script.folder.path().join("asked")).unwrap();
        assert_eq!(asked, r#"{"tool":"count","args":{}}"#);
    }
}

#[tokio::test]
async fn a_program_knows_its_folder_and_little_else() {
    let script = r#"
        IFS= read -r line
        n=$(env | grep -v -e '^PWD=' -e '^OLDPWD=' -e '^SHLVL=' -e '^_=' | grep -c .)
        [ "$LANG" = C.UTF-8 ] && [ -n "$PATH" ] && [ -e here ] && echo "{\"ok\": $n}"
    "#;
    let script = Script::new(script, false);
    std::fs::write(script.folder.path().join("here"), "").unwrap();
    assert_eq!(script.count().await, Ok(Some(Value::U64(2))));
}

#[tokio::test]
async fn values_of_every_type_go_through_a_program_and_back() {
    let mut runner = TestRunner::default();
    for (keep_alive, calls) in [(false, 200), (true, 1000)] {
        let script = match keep_alive {
            true => format!(
                "while :; do\n{}\ndone",
                echo::SCRIPT.replace("read -r line", "read -r line || exit 0")
            ),
            false => echo::SCRIPT.to_owned(),
        };
        let script = Script::new(&script, keep_alive);
        for _ in 0..calls {
            let (ty, value) = echo::typed().new_tree(&mut runner).unwrap().current();
            let function = Arc::new(echo::function(&ty));
            let call = ToolCall {
                function,
                arguments: vec![value.clone()],
                bounds: Bounds::new(1000, 1 << 20),
                labels: Default::default(),
                watcher: Default::default(),
            };
            assert_eq!(script.served.call(call).await, Ok(Some(value)), "{ty}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_calls_eight_at_once() {
    for keep_alive in BOTH {
        let script = r#"
            echo $$ >> all
            while IFS= read -r line; do
                value=${line#*'"v":'}
                echo "{\"ok\": ${value%'}}'}}"
            done
        "#;
        let script = Arc::new(Script::new(script, keep_alive));
        let function = Arc::new(echo::function(&Type::U32));
        let workers = (0..8_u32).map(|worker| {
            let (script, function) = (Arc::clone(&script), Arc::clone(&function));
            tokio::spawn(async move {
                for at in 0..125 {
                    let value = Value::U32(worker * 1000 + at);
                    let back = script.call(&function, vec![value.clone()]).await;
                    assert_eq!(back, Ok(Some(value)));
                }
            })
        });
        for worker in workers.collect::<Vec<_>>() {
            worker.await.unwrap();
        }
        let all = std::fs::read_to_string(script.folder.path().join("all")).unwrap();
        assert_eq!(all.lines().count(), if keep_alive { 1 } else { 1000 });
        let Script {
            folder: _folder,
            served,
        } = Arc::into_inner(script).unwrap();
        drop(served);
        for id in all.lines() {
            gone(id).await;
        }
    }
}

#[tokio::test]
async fn a_program_that_fails_is_quoted() {
    let rows = [
        (
            "exit 3",
            "ended with exit code 3",
            "ended with exit code 3 before it answered",
        ),
        (
            "echo a >&2; printf 'b\\033[1m' >&2; exit 1",
            "ended with exit code 1: a | b\\u{1b}[1m",
            "ended with exit code 1 before it answered: a | b\\u{1b}[1m",
        ),
        (
            "kill -9 $$",
            "ended with signal 9",
            "ended with signal 9 before it answered",
        ),
        (
            "true",
            "answered nothing",
            "ended with exit code 0 before it answered",
        ),
        ("echo", "answered nothing", "the answer is empty"),
        (
            "echo hello",
            "the answer is no JSON (expected value at line 1 column 1): hello",
            "the answer is no JSON (expected value at line 1 column 1): hello",
        ),
        (
            "printf '\\377\\n'",
            "the answer is no JSON (expected value at line 1 column 1): \u{fffd}",
            "the answer is no JSON (expected value at line 1 column 1): \u{fffd}",
        ),
        (
            "printf '{\"ok\": 1}\\n{\"ok\": 2}\\n'",
            "answered more than one line",
            "answered more than one line",
        ),
        (
            "echo '{\"ok\": \"x\"}'",
            "result.ok: expected u64, found \"x\"",
            "result.ok: expected u64, found \"x\"",
        ),
        (
            "echo '{\"err\": \"out of stock\"}'",
            "out of stock",
            "out of stock",
        ),
        // Half an answer is none.
        (
            "printf '{\"ok\": 1'",
            "the answer is no JSON (EOF while parsing an object at line 1 column 8): {\"ok\": 1",
            "ended with exit code 0 before it answered",
        ),
        (
            "exec >&-; read x; read y; sleep 300",
            "",
            "closed its stdout before it answered",
        ),
    ];
    for (script, once, kept) in rows {
        for (keep_alive, expected) in [(false, once), (true, kept)] {
            if !expected.is_empty() {
                let script_of = Script::new(script, keep_alive);
                assert_eq!(script_of.failed().await, expected, "{script}");
            }
        }
    }
    // An answer does not count when the program says that it failed.
    let script = Script::new("echo '{\"ok\": 1}'; exit 4", false);
    assert_eq!(script.failed().await, "ended with exit code 4");
}

#[tokio::test]
async fn a_program_that_cannot_be_started_is_named() {
    let mut script = Script::new("true", false);
    for (program, words) in [("/nowhere/tool", "No such file"), ("/etc", "denied")] {
        let grant = CommandGrant {
            name: program.to_owned(),
            program: program.into(),
            arguments: Vec::new(),
            folder: "/".into(),
            keep_alive: false,
            path: None,
        };
        let import = ImportType {
            label: "shop".to_owned(),
            interface: None,
            functions: Vec::new(),
        };
        script.served = grant.open(&import).unwrap();
        let message = script.failed().await;
        assert!(
            message.starts_with(&format!("cannot start `{program}`: ")),
            "{message}"
        );
        assert!(message.contains(words), "{message}");
    }
}

#[tokio::test]
async fn a_program_that_dies_is_started_anew_at_the_next_call() {
    let script = r#"
        echo $$ >> ids
        IFS= read -r line
        [ -e die ] && { rm die; exit 5; }
        echo '{"ok": 1}'
        IFS= read -r line
        echo '{"ok": 2}'
        [ -e stay ] && { IFS= read -r line; }
    "#;
    let script = Script::new(script, true);
    let die = script.folder.path().join("die");
    std::fs::write(&die, "").unwrap();
    assert_eq!(
        script.failed().await,
        "ended with exit code 5 before it answered"
    );
    assert_eq!(script.count().await, Ok(Some(Value::U64(1))));
    assert_eq!(script.count().await, Ok(Some(Value::U64(2))));
    // It ended although nobody told it to: what it knew is lost, and that is told once.
    script_ended(&script).await;
    let said = script.failed().await;
    assert!(
        said.starts_with("ended with exit code ")
            && said.ends_with(" after its last answer, and `keep-alive` wants it to stay"),
        "{said}"
    );
    assert_eq!(script.count().await, Ok(Some(Value::U64(1))));
    assert_eq!(script.ids().await.len(), 3);
    let Script { folder, served } = script;
    drop(served);
    let ids = std::fs::read_to_string(folder.path().join("ids")).unwrap();
    for id in ids.lines() {
        gone(id).await;
    }
}

/// Waits until the last process of a script has ended; it may still have to be reaped.
async fn script_ended(script: &Script) {
    let id = script.ids().await.pop().unwrap();
    for _ in 0..1000 {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        if stat.is_empty() || stat.contains(") Z ") {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("{id} runs on");
}

#[tokio::test]
async fn what_is_said_unasked_is_no_answer() {
    let script = r#"
        while IFS= read -r line; do
            echo '{"ok": 1}'
            sleep 0.1
            echo '{"ok": 2}'
            : > said
        done
    "#;
    let script = Script::new(script, true);
    assert_eq!(script.count().await, Ok(Some(Value::U64(1))));
    while !script.folder.path().join("said").exists() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(script.failed().await, "answered more than one line");
    assert_eq!(script.count().await, Ok(Some(Value::U64(1))), "a new one");
}

#[tokio::test]
async fn a_call_that_is_given_up_takes_the_program_and_its_children_along() {
    // One that ignores SIGTERM, one whose child stays, one that never reads.
    let scripts = [
        "trap '' TERM; echo $$ > ids; while :; do sleep 0.05; done",
        "sleep 300 & echo $$ $! > ids; wait",
        "(trap '' TERM; sleep 300 & wait) & echo $$ $! > ids; wait",
        "echo $$ > ids; exec sleep 300",
        "echo $$ > ids; while :; do echo complaint >&2; done",
    ];
    for script in scripts {
        for keep_alive in BOTH {
            let script = Script::new(script, keep_alive);
            tokio::select! {
                answer = script.count() => panic!("{answer:?}"),
                _ = script.ids() => {}
            }
            let started = Instant::now();
            script.gone().await;
            assert!(started.elapsed() < Duration::from_secs(3));
            // The next call starts from nothing.
            std::fs::remove_file(script.folder.path().join("ids")).unwrap();
            tokio::select! {
                answer = script.count() => panic!("{answer:?}"),
                _ = script.ids() => {}
            }
            script.gone().await;
        }
    }
}

#[tokio::test]
async fn the_end_of_the_session_ends_the_program_that_is_kept() {
    for script in [
        "echo $$ > ids; while IFS= read -r line; do echo '{\"ok\": 1}'; done; sleep 300",
        "trap '' TERM; echo $$ > ids; while IFS= read -r line; do echo '{\"ok\": 1}'; done; while :; do sleep 0.05; done",
        "sleep 300 & echo $$ $! > ids; while IFS= read -r line; do echo '{\"ok\": 1}'; done",
    ] {
        let mut script = Script::new(script, true);
        assert_eq!(script.count().await, Ok(Some(Value::U64(1))));
        assert_eq!(script.count().await, Ok(Some(Value::U64(1))));
        script.served = Script::new("true", false).served;
        script.gone().await;
    }
}

#[tokio::test]
async fn floods_neither_block_nor_grow() {
    // 200 MB on stderr, then an answer.
    let noisy = "head -c 209715200 /dev/zero | tr '\\0' x >&2; echo '{\"ok\": 3}'";
    for keep_alive in BOTH {
        assert_eq!(
            Script::new(noisy, keep_alive).count().await,
            Ok(Some(Value::U64(3)))
        );
        let silent = Script::new(
            "head -c 209715200 /dev/zero | tr '\\0' x >&2; exit 1",
            keep_alive,
        );
        let message = silent.failed().await;
        assert!(message.contains("ended with exit code 1"), "{message}");
        for flood in [
            "echo $$ > ids; exec yes",
            "echo $$ > ids; while :; do printf '%1000s' x; done",
            "echo $$ > ids; printf '{\"ok\": \"'; exec tr '\\0' x < /dev/zero",
        ] {
            let script = Script::new(flood, keep_alive);
            let failure = script.count().await.unwrap_err();
            match failure.limit() {
                Some(limit) => assert_eq!((limit.name, limit.at), ("crossing", 1 << 10)),
                // A program that is kept has said its line at once.
                None => assert!(keep_alive && flood.contains("yes"), "{failure}"),
            }
            script.gone().await;
        }
    }
}

#[tokio::test]
async fn a_question_that_is_not_read_holds_nothing_up() {
    let function = Arc::new(FunctionType {
        import: "shop".to_owned(),
        name: "keep".to_owned(),
        parameters: vec![("text".to_owned(), Type::String)],
        result: None,
    });
    let megabyte = || vec![Value::String("x".repeat(1 << 20))];
    // It answers without having read.
    let script = Script::new("echo '{\"ok\": null}'", false);
    assert_eq!(script.call(&function, megabyte()).await, Ok(None));
    let script = Script::new("exec <&-; echo '{\"ok\": null}'; sleep 0.1", true);
    assert_eq!(script.call(&function, megabyte()).await, Ok(None));
    // It ends without having read.
    let script = Script::new("exit 2", true);
    let failure = script.call(&function, megabyte()).await.unwrap_err();
    assert!(failure.message.contains("exit code 2"), "{failure}");
    // A child that was left behind holds the pipes.
    for keep_alive in BOTH {
        let script = Script::new("sleep 300 & echo $! > ids; exit 2", keep_alive);
        let failure = script.call(&function, megabyte()).await.unwrap_err();
        assert!(failure.message.contains("exit code 2"), "{failure}");
        script.gone().await;
    }
}
