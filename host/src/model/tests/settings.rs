use super::*;
use crate::error::Explain;

fn refused(spec: &str, variables: &[(&str, &str)]) -> ModelError {
    let environment = Environment::from_variables(variables.iter().copied());
    let opened =
        parse_spec(spec).and_then(|config| open(&config, Path::new(""), &environment, false));
    match opened {
        Ok(model) => panic!("{spec} opened {}", model.name()),
        Err(error) => error,
    }
}

#[test]
fn specs_are_split_at_the_first_colon() {
    let config = parse_spec("openai:org/model:free").unwrap();
    assert_eq!(config.model.as_deref(), Some("org/model:free"));
    assert_eq!(
        (config.max_output_tokens, config.timeout.as_secs()),
        (8000, 120)
    );
    let config = parse_spec("command:llm -m 'a b'").unwrap();
    assert_eq!(config.command.unwrap(), ["llm", "-m", "a b"]);
    let config = parse_spec("replay:a b/c").unwrap();
    assert_eq!(config.dir.unwrap(), Path::new("a b/c"));
}

#[test]
fn what_cannot_be_opened_says_why() {
    for spec in [
        "fast",
        "openai:",
        "command: ",
        "replay:",
        "command:a 'b",
        "command:\"\"",
    ] {
        let error = refused(spec, &[]);
        assert!(
            matches!(error, ModelError::Setting { .. }),
            "{spec}: {error}"
        );
        assert!(error.place().is_some(), "{spec}");
    }
    for provider in ["anthropic", "gemini", "ollama", "human"] {
        let error = refused(&format!("{provider}:x"), &[]);
        assert_eq!(
            error.to_string(),
            format!("model provider `{provider}` is not supported yet")
        );
    }
    assert_eq!(
        refused("opnai:x", &[]).hint().unwrap(),
        "did you mean `openai`?"
    );
    assert!(matches!(
        refused("zzzzzz:x", &[]),
        ModelError::UnknownProvider { nearest: None, .. }
    ));
}

#[test]
fn the_public_service_needs_a_key_and_other_servers_do_not() {
    let error = refused("openai:m", &[("OPENAI_API_KEY", " ")]);
    assert!(matches!(error, ModelError::MissingKey { .. }), "{error}");
    assert!(error.to_string().contains("OPENAI_API_KEY"));
    for base in ["", "ftp://u:secret@x", "http://", "u:secret@x y"] {
        let error = refused("openai:m", &[("OPENAI_BASE_URL", base)]);
        assert_eq!(
            matches!(error, ModelError::Setting { .. }),
            !base.is_empty(),
            "{error}"
        );
        assert!(!format!("{error:?}").contains("secret"), "{error}");
    }
    let error = refused("openai:m", &[("OPENAI_API_KEY", "a\nb-secret")]);
    assert!(!format!("{error:?}").contains("secret"), "{error}");
    let environment = Environment::from_variables([("OPENAI_BASE_URL", "http://localhost:1/v1")]);
    let opened = open(
        &parse_spec("openai:m").unwrap(),
        Path::new(""),
        &environment,
        false,
    )
    .unwrap();
    assert_eq!(opened.name(), "openai:m");
}
