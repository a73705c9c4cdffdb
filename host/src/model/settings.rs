//! From the manifest's table, or from `--model`, to a model.

use std::path::Path;
use std::sync::Arc;

use crate::error::{Place, nearest};
use crate::plan::manifest::{MODEL_PROVIDERS, ModelConfig, Spanned};
use crate::plan::words;

use super::anthropic::Anthropic;
use super::command::Command;
use super::gemini::Gemini;
use super::http::{Form, Http};
use super::human::Human;
use super::ollama::Ollama;
use super::openai::OpenAi;
use super::replay::Replay;
use super::{Environment, Model, ModelError};

/// Opens a model. `folder` is what `dir` is relative to and where `command` runs: the manifest's folder for a model of
/// the manifest, the current one for `--model`. `strict` makes a recording for another prompt an error.
///
/// # Errors
/// The provider is unknown, a setting or the key is missing. Nothing is asked and nothing is
/// started here, so a server or program that does not exist is found at the first request.
pub fn open(
    config: &ModelConfig,
    folder: &Path,
    environment: &Environment,
    strict: bool,
) -> Result<Arc<dyn Model>, ModelError> {
    let over_http = |form: &'static dyn Form| -> Result<Arc<dyn Model>, ModelError> {
        Ok(Arc::new(Http::open(form, config, environment)?))
    };
    match config.provider.value.as_str() {
        "openai" => over_http(&OpenAi),
        "anthropic" => over_http(&Anthropic),
        "gemini" => over_http(&Gemini),
        "ollama" => over_http(&Ollama),
        "human" => Ok(Arc::new(Human::open(config, environment)?)),
        "command" => {
            let words = config.command.clone().unwrap_or_default();
            Ok(Arc::new(Command::open(
                words,
                folder,
                config.timeout,
                environment,
                &config.provider.place,
            )?))
        }
        "replay" => {
            let dir = config
                .dir
                .as_ref()
                .filter(|dir| !dir.as_os_str().is_empty())
                .ok_or_else(|| missing(config, "dir"))?;
            Ok(Arc::new(Replay::new(folder, dir, strict)))
        }
        other => Err(unknown(other, &config.provider.place)),
    }
}

/// Parses `--model`'s `provider:rest` (CONTRACTS 6.6): `openai:MODEL` and the same for `anthropic`, `gemini` and
/// `ollama`, `command:PROGRAM ARGUMENT…`, `replay:DIR`, and `human` with nothing behind it. Everything else has its
/// default.
///
/// # Errors
/// There is no colon ([`ModelError::UnknownModel`], with what may have been meant), nothing (or for `human` something) behind it, or the provider is unknown.
pub fn parse_spec(spec: &str) -> Result<ModelConfig, ModelError> {
    let place = Place::of_bytes("--model", spec, 0, spec.find(':').unwrap_or(spec.len()));
    let setting = |message: String| ModelError::Setting {
        message,
        place: Some(place.clone()),
        hint: None,
    };
    let (provider, rest) = match spec.split_once(':') {
        Some(parts) => parts,
        None if spec == "human" => (spec, ""),
        None => {
            return Err(ModelError::UnknownModel {
                name: spec.to_owned(),
                hint: meant(spec),
                place,
            });
        }
    };
    if !MODEL_PROVIDERS.contains(&provider) {
        return Err(unknown(provider, &place));
    }
    let blank = rest.trim().is_empty();
    if blank != (provider == "human") {
        return Err(setting(if blank {
            format!("nothing stands behind `{provider}:`")
        } else {
            format!("`{provider}` takes nothing behind it, not `{rest}`")
        }));
    }
    let mut config = ModelConfig::new(Spanned {
        value: provider.to_owned(),
        place: place.clone(),
    });
    match provider {
        "human" => {}
        "command" => {
            let words =
                words::split(rest).map_err(|error| setting(format!("{rest:?}: {error}")))?;
            config.command = Some(words);
        }
        "replay" => config.dir = Some(rest.into()),
        _ => config.model = Some(rest.trim().to_owned()),
    }
    Ok(config)
}

/// The error for a key that the provider needs.
pub(super) fn missing(config: &ModelConfig, key: &str) -> ModelError {
    ModelError::Setting {
        message: format!("provider `{}` needs `{key}`", config.provider.value),
        place: Some(config.provider.place.clone()),
        hint: None,
    }
}

/// How a provider is written whose name stands alone.
fn form(provider: &str) -> String {
    match provider {
        "human" => "`human`".to_owned(),
        "command" => "`command:PROGRAM`".to_owned(),
        "replay" => "`replay:DIR`".to_owned(),
        other => format!("`{other}:NAME`"),
    }
}

/// What `spec`, which has no colon, may have been meant to be.
fn meant(spec: &str) -> String {
    if MODEL_PROVIDERS.contains(&spec) {
        return format!("write {}", form(spec));
    }
    if let Some(near) = nearest(spec, MODEL_PROVIDERS.iter().copied()) {
        return format!("did you mean {}?", form(near));
    }
    let family = FAMILIES.iter().find(|(prefix, _)| spec.starts_with(prefix));
    if let Some((_, provider)) = family {
        return format!("did you mean `{provider}:{spec}`?");
    }
    let forms: Vec<String> = MODEL_PROVIDERS.iter().map(|name| form(name)).collect();
    format!("there are the forms {}", forms.join(", "))
}

/// How names of well-known models begin, and who serves them. For advice only.
const FAMILIES: [(&str, &str); 14] = [
    ("gpt-oss", "ollama"),
    ("gpt-", "openai"),
    ("chatgpt-", "openai"),
    ("o1", "openai"),
    ("o3", "openai"),
    ("o4", "openai"),
    ("claude-", "anthropic"),
    ("gemini-", "gemini"),
    ("llama", "ollama"),
    ("qwen", "ollama"),
    ("mistral", "ollama"),
    ("gemma", "ollama"),
    ("phi", "ollama"),
    ("deepseek", "ollama"),
];

fn unknown(provider: &str, place: &Place) -> ModelError {
    ModelError::UnknownProvider {
        provider: provider.to_owned(),
        nearest: nearest(provider, MODEL_PROVIDERS.iter().copied())
            .and_then(|near| MODEL_PROVIDERS.iter().copied().find(|name| *name == near)),
        place: place.clone(),
    }
}
