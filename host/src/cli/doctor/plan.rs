//! What a plan needs of this machine: that it loads, its folders, its models.

#![expect(
    clippy::disallowed_methods,
    reason = "looks whether the folder of recordings and files of arguments are there"
)]

use std::path::Path;

use super::super::settings;
use super::Check;
use crate::grant::{self, Provider};
use crate::model::{self, Environment, ModelError};
use crate::plan::Plan;
use crate::plan::arguments::{self, Input};
use crate::plan::manifest::ModelConfig;
use crate::toolchain::{program, quoted};

pub(super) fn checks(file: &Path) -> Vec<Check> {
    let plan = match crate::plan::load(file) {
        Ok(plan) => plan,
        Err(error) => return vec![Check::failed("plan", &error, None)],
    };
    let names: Vec<&str> = plan.holes.iter().map(|hole| hole.name.as_str()).collect();
    let mut checks = vec![Check::ok("plan", format!("holes: {}", names.join(", ")))];
    for hole in &plan.holes {
        let name = format!("hole {}", hole.name);
        checks.push(match grant::resolve(&plan, hole) {
            Err(error) => Check::failed(&name, &error, None),
            Ok(granted) => {
                let reached: Vec<String> = granted
                    .grants
                    .iter()
                    // Types and the log reach nothing.
                    .filter(|grant| !matches!(grant.provider, Provider::Types | Provider::Console))
                    .map(|grant| match &grant.provider {
                        Provider::Folder(folder) => folder.root.display().to_string(),
                        Provider::Kv(kv) => kv.file.display().to_string(),
                        Provider::Sql(sql) => sql.file.display().to_string(),
                        Provider::Stub(stub) => stub.file.display().to_string(),
                        _ => grant.label.clone(),
                    })
                    .collect();
                match reached.is_empty() {
                    true => Check::ok(&name, "reaches nothing"),
                    false => Check::ok(&name, format!("reaches {}", reached.join(", "))),
                }
            }
        });
        if plan.manifest.model_for(&hole.name).is_none() {
            checks.push(Check::warning(
                &name,
                "no model fills it",
                format!("lacuna run {} --model openai:MODEL", quoted(file)),
            ));
        }
    }
    checks.extend(arguments(&plan));
    for (name, config) in &plan.manifest.models {
        checks.push(model(&plan, &format!("model {name}"), config));
    }
    checks
}

/// The manifest's arguments of the hole that a run starts with; those that are missing may come with the run.
fn arguments(plan: &Plan) -> Vec<Check> {
    const NAME: &str = "arguments";
    // Which hole that is, a flag may say.
    let Ok(entry) = plan.entry(None) else {
        return Vec::new();
    };
    let given = arguments::given(plan, entry, &mut input);
    let mut names = Vec::new();
    let mut checks = Vec::new();
    for (name, result) in given {
        match result {
            Ok(()) => names.push(name),
            Err(error) => checks.push(Check::failed(NAME, &error, None)),
        }
    }
    if checks.is_empty() && !names.is_empty() {
        checks.push(Check::ok(NAME, names.join(", ")));
    }
    checks
}

/// What an argument is read from, unless that could only be read once: then it is left to the run.
fn input(input: Input<'_>) -> std::io::Result<Vec<u8>> {
    match input {
        Input::File(path) if path.is_file() || path.is_dir() || !path.exists() => {
            settings::input(input)
        }
        _ => Ok(Vec::new()),
    }
}

fn model(plan: &Plan, name: &str, config: &ModelConfig) -> Check {
    // Nothing is asked and nothing is started.
    let environment = Environment::from_process();
    let opened = match model::open(config, &plan.folder, &environment, false) {
        Ok(opened) => opened,
        Err(error) => {
            let mend = match &error {
                ModelError::MissingKey { variable, .. } => {
                    Some(format!("export {variable}=YOUR-KEY"))
                }
                _ => None,
            };
            return Check::failed(name, &error, mend);
        }
    };
    if let Some(wanted) = config.command.as_ref().and_then(|words| words.first()) {
        let place = match wanted.contains('/') {
            // It runs in the manifest's folder.
            true => plan.folder.join(wanted).display().to_string(),
            false => wanted.clone(),
        };
        return match program(&place) {
            Some(found) => Check::ok(name, found.display().to_string()),
            None => Check::missing(
                name,
                format!("the program `{wanted}` is not there"),
                format!("lacuna run {} --model openai:MODEL", quoted(&plan.file)),
            ),
        };
    }
    match &config.dir {
        Some(dir) if !plan.folder.join(dir).is_dir() => {
            let folder = plan.folder.join(dir);
            Check::missing(
                name,
                format!("there are no recordings in `{}`", folder.display()),
                format!(
                    "lacuna run {} --model openai:MODEL --record {}",
                    quoted(&plan.file),
                    quoted(&folder)
                ),
            )
        }
        _ => Check::ok(name, opened.name()),
    }
}
