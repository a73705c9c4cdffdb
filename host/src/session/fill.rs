//! Asking and judging until a snippet is accepted or the budget ends.

mod ask;

use std::sync::Arc;
use std::time::Instant;

use serde_json::json;

use super::hole::Hole;
use super::progress::Progress;
use super::started::Started;
use super::verdict::Verdict;
use super::{Error, Judge};
use crate::capability;
use crate::compile::Judged;
use crate::diagnostic::Rejection;
use crate::link::LinkedComponent;
use crate::model::Model;
use crate::prompt::{self, Attempt};
use crate::sandbox::{Program, SandboxError};
use crate::scope::Scope;
use crate::snippet;
use crate::trace::{self, At};

/// An accepted snippet with its component, bound to its scope. Can be called many times; cheap to clone.
#[derive(Clone)]
pub struct Fill {
    pub(crate) hole: Hole,
    pub(crate) program: Arc<Program>,
    component: Arc<LinkedComponent>,
    verdict: Arc<Verdict>,
    pub(super) started: Arc<Started>,
}

impl Fill {
    /// The component: a standard one that any host of the component model can run.
    pub fn component(&self) -> &[u8] {
        &self.component.bytes
    }

    /// The code that was accepted, after repairs.
    pub fn source(&self) -> &str {
        &self.component.snippet.text
    }

    /// The verdict that let it pass.
    pub fn verdict(&self) -> &Verdict {
        &self.verdict
    }
}

impl std::fmt::Debug for Fill {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Fill")
            .field("verdict", &self.verdict)
            .finish_non_exhaustive()
    }
}

/// One attempt.
#[derive(Clone, Debug)]
pub struct AttemptReport {
    /// From 1; 0 for code that was given and not asked for.
    pub number: u32,
    /// The model's whole answer, or the code that was given.
    pub answer: String,
    /// The extracted code, when there was some.
    pub snippet: Option<String>,
    /// The verdict.
    pub verdict: Verdict,
}

/// What came of filling a hole.
#[derive(Debug)]
pub struct FillReport {
    /// Every attempt, rejected ones with their diagnostics.
    pub attempts: Vec<AttemptReport>,
    /// The fill, or why there is none.
    pub result: Result<Fill, Error>,
}

/// A hole's judge: everything that one judgement needs.
struct Bench<'a> {
    hole: &'a Hole,
    judge: Arc<Judge>,
    scope: Arc<Scope>,
    prepared: crate::compile::PreparedScope,
    started: Arc<Started>,
}

/// What came of one answer.
enum Judgement {
    Accepted(Arc<LinkedComponent>),
    Rejected {
        /// The code that was found, which the diagnostics speak of.
        code: Option<String>,
        rejection: Rejection,
    },
}

/// The number of code that a person gave, in place of an attempt's.
const GIVEN: u32 = 0;

impl Hole {
    /// Asks the hole's model until a snippet is accepted or the budget ends.
    ///
    /// # Errors
    /// As [`Error`]; [`Error::Rejected`] has every attempt.
    pub async fn fill(&self) -> Result<Fill, Error> {
        self.try_fill().await?.result
    }

    /// As [`Hole::fill`], and returns every attempt with its diagnostics.
    ///
    /// # Errors
    /// Only for what stands before the first attempt: plan, grants, toolchain, a model that cannot be used.
    pub async fn try_fill(&self) -> Result<FillReport, Error> {
        self.open_grants()?;
        let model = self.model()?;
        let bench = Bench::open(self).await?;
        let mut attempts = Vec::new();
        let result = bench.ask(&*model, &mut attempts).await;
        bench.ended(&result);
        Ok(FillReport { attempts, result })
    }

    /// Judges code that is given: a snippet, or an answer with a snippet in it. Asks no model and runs nothing.
    ///
    /// # Errors
    /// When the code cannot be judged; a rejection is not an error.
    pub async fn check(&self, code: &str) -> Result<Verdict, Error> {
        let bench = Bench::open(self).await?;
        let started = Instant::now();
        let judgement = bench.judge(GIVEN, code).await?;
        let verdict = bench.verdict(code, &judgement);
        bench.report(GIVEN, None, &judgement, &verdict, started);
        Ok(verdict)
    }

    /// Judges code that is given and returns its component, which is a standard one; runs nothing.
    ///
    /// # Errors
    /// [`Error::Rejected`] with one attempt when it is rejected.
    pub async fn component(&self, code: &str) -> Result<Arc<LinkedComponent>, Error> {
        let bench = Bench::open(self).await?;
        let started = Instant::now();
        let judgement = bench.judge(GIVEN, code).await?;
        let verdict = bench.verdict(code, &judgement);
        bench.report(GIVEN, None, &judgement, &verdict, started);
        match judgement {
            Judgement::Accepted(component) => Ok(component),
            Judgement::Rejected { code: found, .. } => Err(self.rejected(vec![AttemptReport {
                number: 0,
                answer: code.to_owned(),
                snippet: found,
                verdict,
            }])),
        }
    }

    /// Fills the hole with code that is given; it is judged like any other.
    ///
    /// # Errors
    /// [`Error::Rejected`] with one attempt when it is rejected.
    pub async fn fill_with(&self, code: &str) -> Result<Fill, Error> {
        self.open_grants()?;
        let bench = Bench::open(self).await?;
        let mut attempts = Vec::new();
        let result = match bench.attempt(GIVEN, None, code, &mut attempts).await {
            Ok(Ok(fill)) => Ok(fill),
            Ok(Err(_)) => Err(self.rejected(attempts)),
            Err(error) => Err(error),
        };
        bench.ended(&result);
        result
    }

    /// What grants need from outside the plan is there, or nothing is asked and nothing judged.
    fn open_grants(&self) -> Result<(), Error> {
        let opened = capability::open(self.session().services(), self.granted());
        Ok(opened.map_err(SandboxError::from)?)
    }

    fn rejected(&self, attempts: Vec<AttemptReport>) -> Error {
        Error::Rejected {
            hole: self.name().to_owned(),
            attempts,
            repeated: false,
        }
    }
}

impl<'a> Bench<'a> {
    async fn open(hole: &'a Hole) -> Result<Self, Error> {
        let judge = hole.lacuna().judge().await?;
        let scope = hole.scope(&judge.toolchain.sdk.hash)?;
        hole.lacuna()
            .watch()
            .progress(&Progress::Binding { path: hole.path() });
        let prepared = judge.compiler.prepare(&scope).await?;
        Ok(Self {
            started: Arc::new(Started::new(hole, &scope)),
            hole,
            judge,
            scope,
            prepared,
        })
    }

    fn ended(&self, result: &Result<Fill, Error>) {
        match result {
            Ok(_) => self.started.set("accepted"),
            Err(error) => self.started.failed(error),
        }
    }

    async fn ask(
        &self,
        model: &dyn Model,
        attempts: &mut Vec<AttemptReport>,
    ) -> Result<Fill, Error> {
        let hole = self.hole;
        let allowed = hole.session().parsed().manifest.budget.attempts;
        let mut history: Vec<Attempt> = Vec::new();
        let mut repeated = false;
        for number in 1..=allowed {
            let prompt = prompt::render(&self.scope, &history);
            self.started.busy();
            let answer = self.complete(model, &prompt, number, allowed).await?;
            repeated = attempts.iter().any(|earlier| earlier.answer == answer.text);
            let judged = self.attempt(number, Some(model.name()), &answer.text, attempts);
            match judged.await? {
                Ok(fill) => return Ok(fill),
                Err(attempt) => history.push(attempt),
            }
            if repeated || !hole.retries("rejected") {
                break;
            }
        }
        Err(Error::Rejected {
            hole: hole.name().to_owned(),
            attempts: attempts.clone(),
            repeated,
        })
    }

    /// Judges one answer, reports it, and loads it when it is accepted.
    async fn attempt(
        &self,
        number: u32,
        model: Option<&str>,
        answer: &str,
        attempts: &mut Vec<AttemptReport>,
    ) -> Result<Result<Fill, Attempt>, Error> {
        let started = Instant::now();
        let judgement = self.judge(number, answer).await?;
        let verdict = self.verdict(answer, &judgement);
        self.report(number, model, &judgement, &verdict, started);
        let snippet = match &judgement {
            Judgement::Accepted(component) => Some(component.snippet.text.clone()),
            Judgement::Rejected { code, .. } => code.clone(),
        };
        attempts.push(AttemptReport {
            number,
            answer: answer.to_owned(),
            snippet: snippet.clone(),
            verdict: verdict.clone(),
        });
        match judgement {
            Judgement::Accepted(component) => self.load(component, verdict).await.map(Ok),
            Judgement::Rejected { rejection, .. } => Ok(Err(Attempt {
                snippet: snippet.unwrap_or_else(|| answer.to_owned()),
                diagnostics: rejection.diagnostics,
            })),
        }
    }

    /// Judges a model's answer, or code that a person gave. The first may be repaired before a model is bothered
    /// again; the second is judged as it was written, since what runs must be what stands in the file.
    async fn judge(&self, attempt: u32, text: &str) -> Result<Judgement, Error> {
        let limits = &self.hole.limits().compile;
        let path = self.hole.path();
        let watch = self.hole.lacuna().watch();
        watch.progress(&Progress::Judging { path, attempt });
        let extracted = match attempt {
            GIVEN => snippet::given(text, &self.scope, limits),
            _ => snippet::extract(text, &self.scope, limits),
        };
        let snippet = match extracted {
            Ok(snippet) => snippet,
            Err(rejection) => {
                let code = match attempt {
                    GIVEN => snippet::find_given(text, &self.scope, limits),
                    _ => snippet::find(text, &self.scope, limits),
                };
                return Ok(Judgement::Rejected { code, rejection });
            }
        };
        let (compiler, prepared) = (&self.judge.compiler, &self.prepared);
        let judged = match attempt {
            GIVEN => {
                let judged = compiler.judge_as_written(&self.scope, prepared, &snippet, limits);
                judged.await?
            }
            _ => {
                compiler
                    .judge(&self.scope, prepared, &snippet, limits)
                    .await?
            }
        };
        let rejection = match judged {
            Judged::Rejected(rejection) => rejection,
            Judged::Accepted(module) => {
                match self.hole.lacuna().recent().check(&self.scope, module) {
                    Ok(component) => return Ok(Judgement::Accepted(component)),
                    Err(rejection) => rejection,
                }
            }
        };
        Ok(Judgement::Rejected {
            code: Some(snippet.text),
            rejection,
        })
    }

    fn verdict(&self, answer: &str, judgement: &Judgement) -> Verdict {
        let toolchain = &self.judge.toolchain.version;
        match judgement {
            Judgement::Accepted(component) => {
                Verdict::of_component(self.hole.name(), component, toolchain)
            }
            Judgement::Rejected { code, rejection } => {
                let code = code.as_deref().unwrap_or(answer);
                let hash = trace::hash(code.as_bytes());
                Verdict::of_rejection(
                    self.hole.name(),
                    rejection,
                    hash,
                    &self.scope.hash,
                    toolchain,
                )
            }
        }
    }

    fn report(
        &self,
        number: u32,
        model: Option<&str>,
        judgement: &Judgement,
        verdict: &Verdict,
        started: Instant,
    ) {
        let hole = self.hole;
        let (path, attempt) = (hole.path(), number);
        let event = match judgement {
            Judgement::Accepted(component) => Progress::Accepted {
                path,
                attempt,
                code: &component.snippet.text,
                repaired: &component.repaired,
                elapsed: started.elapsed(),
            },
            Judgement::Rejected { code, rejection } => Progress::Rejected {
                path,
                attempt,
                code: code.as_deref(),
                rejection,
            },
        };
        self.started.set(verdict.verdict);
        hole.lacuna().watch().progress(&event);
        if hole.session().trace().enabled() {
            let at: At<'_> = hole.at((number > GIVEN).then_some(number));
            let mut fields = serde_json::to_value(verdict).unwrap_or_default();
            fields["cause"] = json!(verdict.cause());
            fields["model"] = json!(model);
            let code = match judgement {
                Judgement::Accepted(component) => Some(component.snippet.text.as_str()),
                Judgement::Rejected { code, .. } => code.as_deref(),
            };
            fields["code"] = json!(code.map(trace::text));
            hole.session().trace().emit("verdict", Some(at), fields);
        }
    }

    async fn load(&self, component: Arc<LinkedComponent>, verdict: Verdict) -> Result<Fill, Error> {
        let lacuna = self.hole.lacuna();
        let cache = lacuna.cache()?;
        let (scope, limits) = (Arc::clone(&self.scope), &self.hole.limits().run);
        let program = lacuna
            .sandbox()
            .load_with(
                &component,
                scope,
                limits,
                Some(&cache),
                self.hole.session().services(),
            )
            .await?;
        Ok(Fill {
            hole: self.hole.clone(),
            program: Arc::new(program),
            component,
            verdict: Arc::new(verdict),
            started: Arc::clone(&self.started),
        })
    }
}
