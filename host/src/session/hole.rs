//! A session's plan and its holes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use serde_json::json;

use super::{Error, Lacuna};
use crate::budget::{Allowance, Budget, BudgetError, Limits};
use crate::capability;
use crate::capability::services::Services;
use crate::capability::tool::FunctionType;
use crate::error::nearest;
use crate::grant::{self, Granted, Provider};
use crate::labels::Labels;
use crate::model::{self, Model, ModelError, Record};
use crate::plan::manifest::ModelConfig;
use crate::plan::{self};
use crate::prompt;
use crate::sandbox::SandboxError;
use crate::scope::{self, Scope};
use crate::trace::{At, Trace};

/// A plan that can be run: one session, with one budget and one trace. Cheap to clone; the clones share both.
#[derive(Clone, Debug)]
pub struct Plan {
    lacuna: Lacuna,
    parsed: Arc<plan::Plan>,
    budget: Arc<Budget>,
    trace: Arc<Trace>,
    choice: Arc<ModelChoice>,
    services: Arc<Services>,
}

/// Which model answers, when it is not the manifest's choice.
#[derive(Clone, Debug, Default)]
struct ModelChoice {
    model: Option<String>,
    record: Option<PathBuf>,
    strict: bool,
}

/// A hole of a session: what it may do is settled, no model has been asked.
#[derive(Clone, Debug)]
pub struct Hole {
    session: Plan,
    hole: Arc<plan::Hole>,
    granted: Arc<Granted>,
    limits: Arc<Limits>,
    scope: Arc<OnceLock<Arc<Scope>>>,
}

impl Plan {
    /// Loads a plan with an engine of its own that has the default settings.
    ///
    /// # Errors
    /// As [`Lacuna::load`].
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        Lacuna::builder().build()?.load(path)
    }

    pub(super) fn open(lacuna: Lacuna, path: &Path) -> Result<Self, Error> {
        let parsed = plan::load(path)?;
        let budget = &parsed.manifest.budget;
        let budget = Budget::new(Allowance {
            model_calls: budget.model_calls,
            tokens: budget.tokens,
            usd: budget.usd,
            wall: budget.wall,
        });
        let services = lacuna.services();
        Ok(Self {
            services: Arc::new(services),
            lacuna,
            parsed: Arc::new(parsed),
            budget: Arc::new(budget),
            trace: Arc::default(),
            choice: Arc::default(),
        })
    }

    /// Writes the session's trace to a new file.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub fn with_trace(self, path: &Path) -> Result<Self, Error> {
        self.with_labelled_trace(path, Labels::NONE)
    }

    /// As [`Plan::with_trace`], and values with these labels stand in it as they are. Without that they are masked.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub fn with_labelled_trace(mut self, path: &Path, shown: Labels) -> Result<Self, Error> {
        let trace = Trace::create(path)
            .map(|trace| trace.showing(shown))
            .map_err(|source| Error::File {
                doing: "write",
                path: path.to_owned(),
                source,
            })?;
        trace.emit(
            "session-start",
            None,
            json!({
                "plan": self.parsed.hash, "manifest": self.parsed.manifest.hash,
                "versions": { "lacuna": env!("CARGO_PKG_VERSION") },
                "budget": {
                    "attempts": self.parsed.manifest.budget.attempts, "model-calls": self.parsed.manifest.budget.model_calls,
                    "tokens": self.parsed.manifest.budget.tokens, "usd": self.parsed.manifest.budget.usd,
                    "wall": self.parsed.manifest.budget.wall.as_millis() as u64,
                },
            }),
        );
        self.trace = Arc::new(trace);
        Ok(self)
    }

    /// Asks this model for every hole: a name of `[models]`, or `provider:model` (CONTRACTS section 6.6).
    #[must_use]
    pub fn with_model(mut self, model: impl Into<String>) -> Self {
        Arc::make_mut(&mut self.choice).model = Some(model.into());
        self
    }

    /// Records every answer in this folder, for the `replay` provider.
    #[must_use]
    pub fn recording(mut self, folder: impl Into<PathBuf>) -> Self {
        Arc::make_mut(&mut self.choice).record = Some(folder.into());
        self
    }

    /// Makes a recording of another prompt an error instead of a warning.
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        Arc::make_mut(&mut self.choice).strict = strict;
        self
    }

    /// The hole of this name, with its grants resolved.
    ///
    /// # Errors
    /// When there is no such hole, or its grants do not fit its imports.
    pub fn hole(&self, name: &str) -> Result<Hole, Error> {
        self.settle(self.parsed.hole(name)?)
    }

    /// The hole that a run starts with (CONTRACTS section 6.3): `name` if given, the manifest's `entry`, or the one
    /// that no other hole calls.
    ///
    /// # Errors
    /// When that is not one hole, or its grants do not fit its imports.
    pub fn entry(&self, name: Option<&str>) -> Result<Hole, Error> {
        self.settle(self.parsed.entry(name)?)
    }

    fn settle(&self, hole: &plan::Hole) -> Result<Hole, Error> {
        let granted = grant::resolve(&self.parsed, hole)?;
        self.check(hole, &granted)?;
        Ok(Hole {
            session: self.clone(),
            granted: Arc::new(granted),
            limits: Arc::new(self.parsed.manifest.limits(&hole.name).clone()),
            hole: Arc::new(hole.clone()),
            scope: Arc::default(),
        })
    }

    /// Asks the host program's providers whether they can serve what is granted.
    fn check(&self, hole: &plan::Hole, granted: &Granted) -> Result<(), Error> {
        for grant in &granted.grants {
            let Provider::Host = grant.provider else {
                continue;
            };
            let import = hole.imports.iter().find(|import| import.key == grant.key);
            let functions = grant.functions.iter().filter_map(|name| {
                let ty = self.parsed.imported(hole, import?, name)?.ok()?;
                let (parameters, result) = (&ty.parameters, ty.result.as_ref());
                Some(FunctionType::new(&grant.label, name, parameters, result))
            });
            capability::check(&self.services, grant, functions.collect())
                .map_err(SandboxError::from)?;
        }
        Ok(())
    }

    pub(super) fn services(&self) -> &Arc<Services> {
        &self.services
    }

    /// Ends the session's trace.
    pub fn finish(&self, outcome: &str) {
        let spent = serde_json::to_value(self.budget.spent()).unwrap_or_default();
        self.trace.emit(
            "session-end",
            None,
            json!({ "outcome": outcome, "spent": spent }),
        );
    }

    /// The plan as parsed.
    pub fn parsed(&self) -> &plan::Plan {
        &self.parsed
    }

    /// The session's trace.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The session's budget.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }
}

impl Hole {
    /// The hole's name.
    pub fn name(&self) -> &str {
        &self.hole.name
    }

    /// The hole as parsed.
    pub fn declared(&self) -> &plan::Hole {
        &self.hole
    }

    /// What it was granted.
    pub fn granted(&self) -> &Granted {
        &self.granted
    }

    /// Its limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Place in the session's tree.
    pub fn path(&self) -> &str {
        &self.hole.name
    }

    /// The session.
    pub fn session(&self) -> &Plan {
        &self.session
    }

    /// The first prompt that its model is sent, byte for byte.
    ///
    /// # Errors
    /// When no scope can be made.
    pub fn prompt(&self) -> Result<String, Error> {
        Ok(prompt::render(&*self.described()?, &[]).text)
    }

    /// The scope as it can be known without a toolchain (its hash has none in it).
    ///
    /// # Errors
    /// When no scope can be made.
    pub fn described(&self) -> Result<Arc<Scope>, Error> {
        Ok(Arc::new(scope::close(
            &self.session.parsed,
            &self.hole,
            &self.granted,
            "",
        )?))
    }

    pub(super) fn scope(&self, sdk: &str) -> Result<Arc<Scope>, Error> {
        if let Some(scope) = self.scope.get() {
            return Ok(Arc::clone(scope));
        }
        let scope = Arc::new(scope::close(
            &self.session.parsed,
            &self.hole,
            &self.granted,
            sdk,
        )?);
        Ok(Arc::clone(self.scope.get_or_init(|| scope)))
    }

    pub(super) fn lacuna(&self) -> &Lacuna {
        &self.session.lacuna
    }

    pub(super) fn at(&self, attempt: Option<u32>) -> At<'_> {
        At {
            hole: self.name(),
            path: self.path(),
            attempt,
        }
    }

    /// The configuration of the model that answers, as far as it has one.
    pub(super) fn model_config(&self) -> Option<ModelConfig> {
        let manifest = &self.session.parsed.manifest;
        match &self.session.choice.model {
            Some(name) => manifest.models.get(name).cloned(),
            None => manifest
                .model_for(self.name())
                .map(|(_, config)| config.clone()),
        }
    }

    pub(super) fn model(&self) -> Result<Arc<dyn Model>, Error> {
        let choice = &self.session.choice;
        let plan = &self.session.parsed;
        let environment = self.lacuna().environment();
        let model = match &choice.model {
            Some(name) => match plan.manifest.models.get(name) {
                Some(config) => model::open(config, &plan.folder, environment, choice.strict)?,
                None => {
                    let config = model::parse_spec(name)
                        .map_err(|error| near_name(error, &plan.manifest.models))?;
                    model::open(&config, Path::new("."), environment, choice.strict)?
                }
            },
            None => {
                let (_, config) = plan
                    .manifest
                    .model_for(self.name())
                    .ok_or_else(|| self.no_model())?;
                model::open(config, &plan.folder, environment, choice.strict)?
            }
        };
        Ok(match &choice.record {
            Some(folder) => Arc::new(Record::new(model, folder.clone(), environment)),
            None => model,
        })
    }

    /// Whether the model's provider takes money for tokens.
    pub(super) fn is_paid(&self) -> bool {
        let paid = |provider: &str| ["openai", "anthropic", "gemini"].contains(&provider);
        match self.model_config() {
            Some(config) => paid(&config.provider.value),
            None => {
                let spec = self.session.choice.model.as_deref();
                spec.and_then(|spec| spec.split_once(':'))
                    .is_some_and(|(provider, _)| paid(provider))
            }
        }
    }

    /// Whether the manifest wants another attempt after this outcome (`retry-on`).
    pub(super) fn retries(&self, outcome: &str) -> bool {
        let config = self.session.parsed.manifest.holes.get(self.name());
        config.is_none_or(|config| config.retry_on.iter().any(|named| named == outcome))
    }

    fn no_model(&self) -> Error {
        let config = self.session.parsed.manifest.holes.get(self.name());
        Error::NoModel {
            hole: self.name().to_owned(),
            name: config
                .and_then(|config| config.model.as_ref())
                .map_or_else(|| "default".to_owned(), |name| name.value.clone()),
        }
    }

    /// The end of the session's time, as the error of this hole.
    pub(super) fn out_of_time(&self) -> Error {
        let budget = self.session.budget();
        let source = budget.check_wall().err().unwrap_or_else(|| {
            // The timer may end a little before the clock does.
            let wall = self.session.parsed.manifest.budget.wall.as_millis() as f64;
            BudgetError {
                name: "wall",
                at: wall,
                used: wall,
                needed: None,
            }
        });
        Error::Budget {
            hole: self.name().to_owned(),
            source,
        }
    }
}

/// A name of `[models]` that is near to the one given is what was meant.
fn near_name<T>(mut error: ModelError, models: &BTreeMap<String, T>) -> ModelError {
    if let ModelError::UnknownModel { name, hint, .. } = &mut error
        && let Some(near) = nearest(name, models.keys().map(String::as_str))
    {
        *hint = format!("did you mean `{near}`?");
    }
    error
}
