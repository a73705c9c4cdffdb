//! A person, played by scripts that edit. How a real terminal is lent is tested with the program, in `tests/cli`.

use std::time::Duration;

use super::*;
use crate::error::Explain;
use crate::model::human::Human;

/// A person whose editor is a shell script that is given the file as `$1`.
struct Person {
    folder: tempfile::TempDir,
    model: Human,
}

impl Person {
    fn with(script: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        // Read by a shell and not started itself: Linux starts no file that any process, such as the fork of a test
        // beside this one, still has open for writing.
        let program = folder.path().join("my editor");
        let text = format!("cd '{}'\n{script}\n", folder.path().display());
        std::fs::write(&program, text).unwrap();
        let model = person(
            &format!("sh '{}' --wait", program.display()),
            Duration::ZERO,
        );
        Self { folder, model }
    }

    async fn asked(&self, asked: &Asked) -> Result<Answer, ModelError> {
        asked.of(&self.model).await
    }

    fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(file)).unwrap()
    }
}

fn person(editor: &str, timeout: Duration) -> Human {
    let environment = Environment::from_variables([("EDITOR", "false"), ("VISUAL", editor)]);
    let mut config = parse_spec("human").unwrap();
    config.timeout = timeout;
    let mut model = Human::open(&config, &environment).unwrap();
    model.at_terminal = || true;
    model
}

#[tokio::test]
async fn the_editor_gets_the_prompt_and_gives_the_code() {
    let person = Person::with(
        "shift; echo \"$1\" > name; cp \"$1\" seen; stat -c %a \"$(dirname \"$1\")\" > mode; echo 'fn run() {}' >> \"$1\"",
    );
    let answer = person.asked(&Asked::default()).await.unwrap();
    assert_eq!(answer.text, "```rust\nfn run() {}\n```\n");
    assert!(answer.elapsed > Duration::ZERO);
    let seen = person.read("seen");
    assert!(seen.ends_with("//# the head|the rest é\n\n"), "{seen}");
    assert_eq!(person.read("mode"), "700\n");
    assert!(!Path::new(person.read("name").trim()).exists());
}

#[tokio::test]
async fn the_next_attempt_starts_from_the_last_code() {
    let person = Person::with("shift; cp \"$1\" seen; echo 'fn run() {}' >> \"$1\"");
    let first = Asked::default();
    person.asked(&first).await.unwrap();
    let second = Asked {
        attempt: 2,
        ..Asked::default()
    };
    let answer = person.asked(&second).await.unwrap();
    assert!(person.read("seen").ends_with("\n\nfn run() {}\n"));
    assert_eq!(answer.text, "```rust\nfn run() {}\nfn run() {}\n```\n");
    let elsewhere = Asked {
        path: "audit/0",
        ..Asked::default()
    };
    person.asked(&elsewhere).await.unwrap();
    assert!(!person.read("seen").contains("fn run"));
}

#[tokio::test]
async fn a_pasted_answer_stays_as_it_is() {
    let person = Person::with("shift; printf 'Here:\\n```rust\\nfn run() {}\\n```\\n' > \"$1\"");
    let answer = person.asked(&Asked::default()).await.unwrap();
    assert_eq!(answer.text, "Here:\n```rust\nfn run() {}\n```\n");
}

#[tokio::test]
async fn editors_that_fail_are_named() {
    for (script, named, words) in [
        ("exit 3", "EditorFailed", "exit code 3"),
        ("kill -9 $$", "EditorFailed", "signal 9"),
        (
            "shift; echo x >> \"$1\"; exit 1",
            "EditorFailed",
            "exit code 1",
        ),
        ("true", "EditorUnchanged", "as it was"),
        ("shift; : > \"$1\"", "EditorEmpty", "no code"),
        ("shift; echo >> \"$1\"", "EditorEmpty", "no code"),
        ("shift; rm \"$1\"", "Handover", "read what the editor wrote"),
        (
            "shift; rm \"$1\"; mkfifo \"$1\"",
            "Handover",
            "no file any more",
        ),
        (
            "shift; rm \"$1\"; mkdir \"$1\"",
            "Handover",
            "no file any more",
        ),
        (
            "echo 'fn f() {}' > other; shift; ln -sf \"$PWD/other\" \"$1\"",
            "Handover",
            "a symbolic link",
        ),
        ("shift; printf '\\377' > \"$1\"", "Malformed", "not UTF-8"),
        (
            "shift; head -c 10001 /dev/zero | tr '\\0' x > \"$1\"",
            "TooLarge",
            "model-answer",
        ),
        (
            "shift; head -c 90001 /dev/zero | tr '\\0' x > \"$1\"",
            "TooLarge",
            "model-answer",
        ),
    ] {
        let error = Person::with(script)
            .asked(&Asked::default())
            .await
            .unwrap_err();
        assert_eq!(name(&error), named, "{script}: {error}");
        assert!(error.to_string().contains(words), "{script}: {error}");
    }
    for (editor, words) in [
        ("/no/such/editor -f", "/no/such/editor"),
        ("lacuna-no-such-editor", "lacuna-no-such-editor"),
        ("/", "`/`"),
    ] {
        let error = Asked::default()
            .of(&person(editor, Duration::ZERO))
            .await
            .unwrap_err();
        assert_eq!(name(&error), "EditorNotStarted", "{error}");
        assert!(error.to_string().contains(words), "{error}");
        assert!(error.hint().unwrap().contains("EDITOR"));
    }
}

#[tokio::test]
async fn exactly_the_limit_is_allowed() {
    let person = Person::with("shift; head -c 10000 /dev/zero | tr '\\0' x > \"$1\"");
    let answer = person.asked(&Asked::default()).await.unwrap();
    assert!(answer.text.contains(&"x".repeat(10_000)));
}

/// Whether a process ends soon; one that waits to be reaped has ended.
#[cfg(target_os = "linux")]
async fn ended(id: &str) -> bool {
    for _ in 0..300 {
        match std::fs::read_to_string(format!("/proc/{id}/stat")) {
            Ok(stat) if !stat.contains(") Z ") => {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            _ => return true,
        }
    }
    false
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_end_of_time_kills_the_editor_with_its_children() {
    let mut person = Person::with("(sleep 321 & echo $! > child; wait) & echo $$ $! > ids; wait");
    let hasty = Asked {
        time: Duration::from_millis(800),
        ..Asked::default()
    };
    let error = person.asked(&hasty).await.unwrap_err();
    assert_eq!(name(&error), "Deadline", "{error}");
    let ids = person.read("ids") + &person.read("child");
    assert_eq!(ids.split_whitespace().count(), 3);
    for id in ids.split_whitespace() {
        assert!(ended(id).await, "{id} still runs");
    }
    let path = person.folder.path().join("my editor");
    person.model = self::person(
        &format!("sh '{}'", path.display()),
        Duration::from_millis(300),
    );
    let error = person.asked(&Asked::default()).await.unwrap_err();
    assert_eq!(name(&error), "Timeout", "{error}");
}
