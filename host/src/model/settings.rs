//! From the manifest's table, or from `--model`, to a model.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::error::{Place, nearest};
use crate::plan::manifest::{ModelConfig, Spanned};
use crate::plan::words;

use super::command::Command;
use super::error::SUPPORTED;
use super::openai::OpenAi;
use super::replay::Replay;
use super::{Environment, Model, ModelError};

/// Providers that the manifest's format knows and this version cannot open.
const LATER: [&str; 4] = ["anthropic", "gemini", "ollama", "human"];

/// Defaults of CONTRACTS section 4, for models that are named on the command line.
const MAX_OUTPUT_TOKENS: u64 = 8000;
const TIMEOUT: Duration = Duration::from_secs(120);

/// Opens a model. `folder` is what `dir` is relative to and where `command` runs: the manifest's folder for a model of
/// the manifest, the current one for `--model`. `strict` makes a recording for another prompt an error.
///
/// # Errors
/// The provider is unknown or not supported yet, a setting or the key is missing. Nothing is asked and nothing is
/// started here, so a server or program that does not exist is found at the first request.
pub fn open(
    config: &ModelConfig,
    folder: &Path,
    environment: &Environment,
    strict: bool,
) -> Result<Arc<dyn Model>, ModelError> {
    match config.provider.value.as_str() {
        "openai" => Ok(Arc::new(OpenAi::open(config, environment)?)),
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
        other => Err(no_provider(other, &config.provider.place)),
    }
}

/// Parses `--model`'s `provider:rest` (CONTRACTS 6.6): `openai:MODEL`, `command:PROGRAM ARGUMENT…`, `replay:DIR`.
/// Everything else has its default.
///
/// # Errors
/// There is no colon, nothing behind it, or the provider is unknown or not supported yet.
pub fn parse_spec(spec: &str) -> Result<ModelConfig, ModelError> {
    let place = Place::of_bytes("--model", spec, 0, spec.find(':').unwrap_or(spec.len()));
    let setting = |message: String| ModelError::Setting {
        message,
        place: Some(place.clone()),
    };
    let Some((provider, rest)) = spec.split_once(':') else {
        return Err(setting(format!(
            "no model `{spec}` in the manifest, and `--model` otherwise takes `provider:model`"
        )));
    };
    let mut config = ModelConfig {
        provider: Spanned {
            value: provider.to_owned(),
            place: place.clone(),
        },
        model: None,
        command: None,
        dir: None,
        base_url: None,
        max_output_tokens: MAX_OUTPUT_TOKENS,
        temperature: None,
        timeout: TIMEOUT,
        price: None,
    };
    if SUPPORTED.contains(&provider) && rest.trim().is_empty() {
        return Err(setting(format!("nothing stands behind `{provider}:`")));
    }
    match provider {
        "openai" => config.model = Some(rest.trim().to_owned()),
        "command" => {
            let words =
                words::split(rest).map_err(|error| setting(format!("{rest:?}: {error}")))?;
            config.command = Some(words);
        }
        "replay" => config.dir = Some(rest.into()),
        other => return Err(no_provider(other, &place)),
    }
    Ok(config)
}

/// The error for a key that the provider needs.
pub(super) fn missing(config: &ModelConfig, key: &str) -> ModelError {
    ModelError::Setting {
        message: format!("provider `{}` needs `{key}`", config.provider.value),
        place: Some(config.provider.place.clone()),
    }
}

fn no_provider(provider: &str, place: &Place) -> ModelError {
    if LATER.contains(&provider) {
        ModelError::Unsupported {
            provider: provider.to_owned(),
            place: place.clone(),
        }
    } else {
        ModelError::UnknownProvider {
            provider: provider.to_owned(),
            nearest: nearest(provider, SUPPORTED)
                .and_then(|near| SUPPORTED.into_iter().find(|name| *name == near)),
            place: place.clone(),
        }
    }
}
