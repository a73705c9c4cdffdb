use super::*;
use crate::error::Explain;
use crate::model::{Record, prompt_hash};

fn write(name: &str, text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("recorded")).unwrap();
    std::fs::write(folder.path().join("recorded").join(name), text).unwrap();
    folder
}

fn strict(folder: &Path) -> Arc<dyn Model> {
    let config = parse_spec("replay:recorded").unwrap();
    open(&config, folder, &Environment::default(), true).unwrap()
}

#[tokio::test]
async fn front_matter_is_read_and_the_rest_is_the_answer() {
    let hash = prompt_hash(&Asked::default().prompt);
    let front = format!(
        "---\nprompt: {hash}\nmodel: openai:small\ntokens-in: 12\ntokens-out: 3\nstop-reason: stop\n---\n"
    );
    for front in [front.clone(), front.replace('\n', "\r\n")] {
        let folder = write("audit.0.2.1.md", &format!("{front}---\n\r\nx\n"));
        let asked = Asked {
            path: "audit/0/2",
            ..Asked::default()
        };
        let answer = asked.of(&*strict(folder.path())).await.unwrap();
        assert_eq!(answer.text, "---\n\r\nx\n");
        assert_eq!((answer.tokens_in, answer.tokens_out), (Some(12), Some(3)));
        assert_eq!(answer.stop_reason.as_deref(), Some("stop"));
        assert_eq!(asked.notes(), Vec::<String>::new());
    }
}

#[tokio::test]
async fn text_that_only_begins_like_front_matter_is_the_answer() {
    for text in [
        "plain",
        "---\nplain text\n---\n",
        "---\nprompt: x\n",
        "---",
        "--- \nx",
        "---\r\n\r\nx\r\n---",
    ] {
        let folder = write("audit.1.md", text);
        let asked = Asked::default();
        let answer = asked
            .of(&*model("replay:recorded", folder.path()))
            .await
            .unwrap();
        assert_eq!(answer.text, text);
        assert!(asked.notes().is_empty());
    }
}

#[tokio::test]
async fn another_prompt_is_a_warning_or_an_error() {
    let folder = write("audit.1.md", "---\nprompt: blake3:00\n---\nx");
    let asked = Asked::default();
    assert_eq!(
        asked
            .of(&*model("replay:recorded", folder.path()))
            .await
            .unwrap()
            .text,
        "x"
    );
    assert!(
        asked.notes()[0].contains("another prompt"),
        "{:?}",
        asked.notes()
    );
    let error = asked.of(&*strict(folder.path())).await.unwrap_err();
    assert!(
        matches!(error, ModelError::RecordingMismatch { .. }),
        "{error}"
    );
    let folder = write("audit.1.md", "x");
    let error = asked.of(&*strict(folder.path())).await.unwrap_err();
    assert!(error.to_string().contains("no hash"), "{error}");
}

#[tokio::test]
async fn a_missing_recording_names_hole_attempt_and_file() {
    let folder = write("audit.1.md", "x");
    let asked = Asked {
        attempt: 2,
        ..Asked::default()
    };
    for spec in ["replay:recorded", "replay:nowhere"] {
        let error = asked.of(&*model(spec, folder.path())).await.unwrap_err();
        let text = error.to_string();
        assert!(
            matches!(&error, ModelError::MissingRecording { path, attempt: 2, .. } if path == "audit"),
            "{error:?}"
        );
        // The session puts hole and attempt in front of every error of a model.
        assert!(text.contains("audit.2.md"), "{text}");
        assert!(error.hint().unwrap().contains("--record"));
    }
}

#[tokio::test]
async fn what_is_no_readable_text_file_is_an_error() {
    let folder = write("audit.1.md", &"x".repeat(10_001));
    let replay = model("replay:recorded", folder.path());
    let file = folder.path().join("recorded/audit.1.md");
    let asked = Asked::default();
    assert!(matches!(
        asked.of(&*replay).await.unwrap_err(),
        ModelError::TooLarge { .. }
    ));
    std::fs::write(&file, [0xff]).unwrap();
    assert!(matches!(
        asked.of(&*replay).await.unwrap_err(),
        ModelError::Malformed { .. }
    ));
    std::fs::write(&file, "---\nprompt: x\n---\n \n").unwrap();
    assert!(matches!(
        asked.of(&*replay).await.unwrap_err(),
        ModelError::Empty { .. }
    ));
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    assert!(matches!(
        asked.of(&*replay).await.unwrap_err(),
        ModelError::Recording { .. }
    ));
}

/// A model that answers as it was told.
struct Fixed(Answer);

impl Model for Fixed {
    fn name(&self) -> &str {
        "fixed:\nname"
    }

    fn complete<'a>(&'a self, _: &'a Request<'a>) -> crate::model::Completion<'a> {
        Box::pin(async { Ok(self.0.clone()) })
    }
}

fn fixed(text: &str) -> Arc<dyn Model> {
    Arc::new(Fixed(Answer {
        text: text.to_owned(),
        tokens_in: Some(7),
        tokens_out: None,
        stop_reason: Some("end\nturn: x".to_owned()),
        elapsed: Duration::from_millis(1),
    }))
}

#[tokio::test]
async fn what_is_recorded_is_replayed_byte_for_byte() {
    for text in [
        "x",
        "x\n",
        "---\nprompt: y\n---\nz",
        "a\r\nb\r\n",
        "\r\n\n x \t",
        "\u{feff}é\u{0}",
        "---",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let recordings = folder.path().join("new/recorded");
        let asked = Asked::default();
        let record = Record::new(fixed(text), recordings.clone(), &Environment::default());
        for _ in 0..2 {
            assert_eq!(asked.of(&record).await.unwrap().text, text);
        }
        let answer = asked
            .of(&*strict(&folder.path().join("new")))
            .await
            .unwrap();
        assert_eq!(answer.text, text);
        assert_eq!((answer.tokens_in, answer.tokens_out), (Some(7), None));
        assert_eq!(answer.stop_reason.as_deref(), Some("end turn: x"));
        let names: Vec<_> = std::fs::read_dir(recordings)
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert_eq!(names, ["audit.1.md"]);
    }
}

#[tokio::test]
async fn an_answer_with_a_key_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let environment = Environment::from_variables([("GEMINI_API_KEY", "known-key-0123456789")]);
    let record = Record::new(
        fixed("k = known-key-0123456789"),
        folder.path().join("r"),
        &environment,
    );
    let error = Asked::default().of(&record).await.unwrap_err();
    assert!(
        matches!(
            error,
            ModelError::Recording {
                action: "write",
                ..
            }
        ),
        "{error}"
    );
    assert_eq!(
        std::fs::read_dir(folder.path().join("r")).unwrap().count(),
        0
    );
}

#[test]
fn cost_is_counted_or_estimated() {
    let prompt = Asked::default().prompt;
    let mut answer = Answer {
        text: "12345".to_owned(),
        tokens_in: Some(1_000_000),
        tokens_out: Some(500_000),
        stop_reason: None,
        elapsed: Duration::ZERO,
    };
    let usage = answer.usage(&prompt);
    assert!(!usage.estimated && usage.total() == 1_500_000);
    answer.tokens_out = None;
    let usage = answer.usage(&prompt);
    assert!(usage.estimated && usage.output == 2 && usage.total() == 1_000_002);
}
