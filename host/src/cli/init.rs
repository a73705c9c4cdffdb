//! The plans that `lacuna init` writes: their texts, and the manifest's models for what this machine has.

use super::arguments::Template;
use crate::environment;
use crate::plan::manifest::keys::MODEL_PROVIDERS;

/// The files of a template, as they are written.
pub(super) struct Files {
    /// The hole.
    pub(super) hole: &'static str,
    /// `plan.wit`.
    pub(super) plan: &'static str,
    /// What `lacuna.toml` has behind the models.
    pub(super) manifest: &'static str,
    /// The recorded answer, without its front matter.
    pub(super) answer: &'static str,
    /// Other files, by their path in the plan's folder.
    pub(super) data: &'static [(&'static str, &'static str)],
}

/// Folder of the recorded answers.
pub(super) const RECORDED: &str = "recorded";

/// A model that is asked for real, once its variable is set.
struct Live {
    variable: &'static str,
    provider: &'static str,
    model: &'static str,
}

/// The providers, the first that can be used is written.
const LIVE: [Live; 4] = [
    Live {
        variable: environment::OPENAI_API_KEY,
        provider: "openai",
        model: "gpt-5-mini",
    },
    Live {
        variable: environment::ANTHROPIC_API_KEY,
        provider: "anthropic",
        model: "claude-sonnet-4-5",
    },
    Live {
        variable: environment::GEMINI_API_KEY,
        provider: "gemini",
        model: "gemini-2.5-flash",
    },
    Live {
        variable: environment::OLLAMA_HOST,
        provider: "ollama",
        model: "qwen2.5-coder",
    },
];

pub(super) fn files(template: Template) -> Files {
    match template {
        Template::Typed => Files {
            hole: "totals",
            plan: include_str!("init/typed/plan.wit"),
            manifest: include_str!("init/typed/lacuna.toml"),
            answer: include_str!("init/typed/answer.md"),
            data: &[("expenses.csv", include_str!("init/typed/expenses.csv"))],
        },
        Template::Folder => Files {
            hole: "open-tasks",
            plan: include_str!("init/folder/plan.wit"),
            manifest: include_str!("init/folder/lacuna.toml"),
            answer: include_str!("init/folder/answer.md"),
            data: &[
                ("notes/house.md", include_str!("init/folder/notes/house.md")),
                ("notes/trip.md", include_str!("init/folder/notes/trip.md")),
            ],
        },
        Template::Tool => Files {
            hole: "warmest",
            plan: include_str!("init/tool/plan.wit"),
            manifest: include_str!("init/tool/lacuna.toml"),
            answer: include_str!("init/tool/answer.md"),
            data: &[("weather.json", include_str!("init/tool/weather.json"))],
        },
    }
}

/// The manifest, and whether it has a model that is asked for real.
pub(super) fn manifest(files: &Files, is_set: impl Fn(&str) -> bool) -> (String, bool) {
    let usable = |live: &&Live| MODEL_PROVIDERS.contains(&live.provider);
    let found = LIVE
        .iter()
        .filter(usable)
        .find(|live| is_set(live.variable));
    let shown = found.unwrap_or(&LIVE[0]);
    let table = format!(
        "[models.live]\nprovider = \"{}\"\nmodel = \"{}\"\n",
        shown.provider, shown.model
    );
    let live = match found {
        Some(live) => format!(
            "# Asked by `lacuna run plan.wit --model live`. The key is taken from {}.\n{table}",
            live.variable
        ),
        None => {
            let commented: String = table.lines().map(|line| format!("# {line}\n")).collect();
            format!(
                "# A model that is asked for real: set {} and take the marks away.\n{commented}",
                shown.variable
            )
        }
    };
    let text = format!(
        "# The manifest of plan.wit: who is asked, and what each hole may reach. `lacuna show` prints it as one screen.\n\
         schema = 1\n\n\
         # The model of every hole that names no other. This one gives recorded answers, so no key is needed.\n\
         [models.default]\nprovider = \"replay\"\ndir = \"{RECORDED}\"\n\n\
         {live}\n{}",
        files.manifest
    );
    (text, found.is_some())
}
