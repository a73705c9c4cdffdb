use super::*;
use crate::error::Explain;
use crate::plan::manifest::MODEL_PROVIDERS;

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
    let config = parse_spec("ollama:llama3:8b").unwrap();
    assert_eq!(config.model.as_deref(), Some("llama3:8b"));
    for spec in ["human", "human:", "human: "] {
        let config = parse_spec(spec).unwrap();
        assert_eq!(config.provider.value, "human");
        assert_eq!(config.timeout.as_secs(), 3600);
    }
}

#[test]
fn what_cannot_be_opened_says_why() {
    for spec in [
        "openai:",
        "command: ",
        "replay:",
        "anthropic:",
        "ollama: ",
        "human:x",
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
    for (spec, hint) in [
        ("gpt-5-mini", "did you mean `openai:gpt-5-mini`?"),
        ("gpt-oss", "did you mean `ollama:gpt-oss`?"),
        ("claude-x", "did you mean `anthropic:claude-x`?"),
        ("anthropic", "write `anthropic:NAME`"),
        ("antropic", "did you mean `anthropic:NAME`?"),
        ("replay", "write `replay:DIR`"),
        ("humn", "did you mean `human`?"),
    ] {
        let error = refused(spec, &[]);
        assert_eq!(error.hint().unwrap(), hint);
        assert!(error.place().is_some(), "{spec}");
    }
    let forms = refused("fast", &[]).hint().unwrap();
    for provider in MODEL_PROVIDERS {
        assert!(forms.contains(&format!("`{provider}")), "{forms}");
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
fn each_provider_has_variables_of_its_own() {
    for (spec, key, address) in [
        ("anthropic:m", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"),
        ("gemini:m", "GEMINI_API_KEY", "GEMINI_BASE_URL"),
    ] {
        let others = [("OPENAI_API_KEY", "x"), ("OPENAI_BASE_URL", "http://x")];
        let error = refused(spec, &others);
        assert_eq!(
            error.to_string(),
            format!("no key for `{spec}`: {key} is not set")
        );
        assert_eq!(
            error.hint().unwrap(),
            format!("set {key} in the environment")
        );
        let error = refused(spec, &[(address, "ftp://u:secret@x")]);
        assert!(error.to_string().starts_with(address), "{error}");
        assert!(!format!("{error:?}").contains("secret"), "{error}");
        for variables in [(key, "k"), (address, "http://127.0.0.1:1")] {
            let environment = Environment::from_variables([variables]);
            let opened = open(
                &parse_spec(spec).unwrap(),
                Path::new(""),
                &environment,
                false,
            );
            assert_eq!(opened.unwrap().name(), spec);
        }
    }
    assert_eq!(model("ollama:a:b", Path::new("")).name(), "ollama:a:b");
    let error = refused("ollama:m", &[("OLLAMA_HOST", "box:66000")]);
    assert!(
        error
            .to_string()
            .starts_with("OLLAMA_HOST cannot be used: "),
        "{error}"
    );
}

#[test]
fn an_editor_must_be_a_command_line() {
    for (editor, reason) in [
        ("vi 'x", "a quote is not closed"),
        ("''", "no program is named"),
    ] {
        let error = refused("human", &[("EDITOR", "vi"), ("VISUAL", editor)]);
        assert_eq!(
            error.to_string(),
            format!("VISUAL cannot be used: {reason}")
        );
    }
    assert_eq!(model("human", Path::new("")).name(), "human");
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
    for (base, hint) in [
        (
            "127.0.0.1:18765",
            Some("write `http://127.0.0.1:18765` or `https://…`"),
        ),
        (
            "localhost:80/v1",
            Some("write `http://localhost:80/v1` or `https://…`"),
        ),
        (
            "u:secret@x",
            Some("write `http://HOST:PORT/PATH` or `https://…`"),
        ),
        ("ftp://x", None),
    ] {
        for (spec, variable) in [
            ("openai:m", "OPENAI_BASE_URL"),
            ("anthropic:m", "ANTHROPIC_BASE_URL"),
            ("gemini:m", "GEMINI_BASE_URL"),
        ] {
            let error = refused(spec, &[(variable, base)]);
            assert!(error.to_string().starts_with(variable), "{error}");
            assert_eq!(error.hint().as_deref(), hint, "{error}");
        }
        let mut config = parse_spec("openai:m").unwrap();
        config.base_url = Some(base.to_owned());
        let opened = open(&config, Path::new(""), &Environment::default(), false);
        let error = opened.err().unwrap();
        assert_eq!(error.hint().as_deref(), hint, "{error}");
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
