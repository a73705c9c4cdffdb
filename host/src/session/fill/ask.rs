//! One request to a model: set aside in the budget, sent, paid for, and told of, whatever comes of it.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use super::Bench;
use crate::budget::{BudgetError, Reservation};
use crate::model::{Answer, Model, ModelError, Request, Usage};
use crate::plan::manifest::MAX_OUTPUT_TOKENS;
use crate::prompt::Prompt;
use crate::session::{Error, Progress};
use crate::trace;

/// A request that has got no answer.
struct Asked<'a> {
    model: &'a str,
    attempt: u32,
    retries: u32,
    elapsed: Duration,
}

impl Bench<'_> {
    /// One answer of the model, paid for.
    pub(super) async fn complete(
        &self,
        model: &dyn Model,
        prompt: &Prompt,
        attempt: u32,
        of: u32,
    ) -> Result<Answer, Error> {
        let hole = self.hole;
        let session = hole.session();
        let watch = hole.lacuna().watch();
        let path = hole.path();
        let at = hole.at(Some(attempt));
        let over = |source: BudgetError| Error::Budget {
            hole: hole.name().to_owned(),
            source,
        };
        let config = hole.model_config();
        let price = config.as_ref().and_then(|config| config.price);
        let most = config
            .as_ref()
            .map_or(MAX_OUTPUT_TOKENS, |config| config.max_output_tokens);
        let notify = |text: &str| {
            watch.progress(&Progress::Note { path, text });
            let fields = json!({ "text": trace::text(text) });
            session.trace().emit("note", Some(at), fields);
        };
        // A byte-pair token has about four bytes of English or code; three is on the safe side.
        let estimate = prompt.text.len() as u64 / 3;
        if price.is_none() && attempt == 1 && hole.is_paid() {
            notify(
                "the model has no `price` in lacuna.toml, so `budget.usd` cannot be enforced; `budget.tokens` is",
            );
        }
        let reserved = session
            .budget()
            .reserve(estimate, most, price)
            .map_err(over)?;

        watch.progress(&Progress::Asking {
            path,
            attempt,
            of,
            model: model.name(),
        });
        session.trace().emit(
            "prompt",
            Some(at),
            json!({ "model": model.name(), "text": trace::text(&prompt.text), "hash": trace::hash(prompt.text.as_bytes()), "tokens": estimate }),
        );
        let limits = hole.limits();
        let retries = AtomicU32::new(0);
        let request = Request {
            prompt,
            path,
            attempt,
            output_tokens: reserved.output_tokens,
            deadline: session.budget().deadline(),
            limits: &limits.model,
            notify: &notify,
            show: &|text| watch.progress(&Progress::Text { path, text }),
            retried: &|| {
                retries.fetch_add(1, Ordering::Relaxed);
            },
            received: &|bytes| {
                watch.progress(&Progress::Receiving {
                    path,
                    attempt,
                    bytes,
                });
            },
        };
        let asked = Instant::now();
        let answer = match model.complete(&request).await {
            Ok(answer) => answer,
            Err(error) => {
                let request = Asked {
                    model: model.name(),
                    attempt,
                    retries: retries.load(Ordering::Relaxed),
                    elapsed: asked.elapsed(),
                };
                return Err(self.unanswered(error, &request, reserved, estimate));
            }
        };
        let usage = answer.usage(prompt);
        let cost = price.map(|price| price.usd(usage.input, usage.output));
        let settled = reserved.settle(usage.input, usage.output);
        session.trace().emit(
            "answer",
            Some(at),
            json!({
                "model": model.name(), "text": trace::text(&answer.text), "tokens": { "in": usage.input, "out": usage.output },
                "estimated": usage.estimated, "usd": cost, "millis": answer.elapsed.as_millis() as u64,
                "stop-reason": answer.stop_reason,
            }),
        );
        settled.map_err(over)?;
        watch.progress(&Progress::Answered {
            path,
            attempt,
            usage,
            usd: cost,
            elapsed: answer.elapsed,
        });
        Ok(answer)
    }

    /// The error of a request without an answer, charged and told of. What it cost nobody says, so all that was set
    /// aside counts as spent, unless the request has never left this machine, or went to a person.
    fn unanswered(
        &self,
        error: ModelError,
        asked: &Asked<'_>,
        reserved: Reservation<'_>,
        estimate: u64,
    ) -> Error {
        let hole = self.hole;
        let price = hole.model_config().and_then(|config| config.price);
        let charged = match error.was_sent() && asked.model != "human" {
            true => (estimate, reserved.output_tokens),
            false => {
                // Nothing was used, which no budget is too small for.
                let _ = reserved.settle(0, 0);
                (0, 0)
            }
        };
        let usage = Usage {
            input: charged.0,
            output: charged.1,
            estimated: true,
        };
        let usd = price.map(|price| price.usd(usage.input, usage.output));
        let message = error.to_string();
        hole.session().trace().emit(
            "model-error",
            Some(hole.at(Some(asked.attempt))),
            json!({
                "model": asked.model, "kind": error.name(), "message": trace::text(&message), "retries": asked.retries,
                "millis": asked.elapsed.as_millis() as u64, "tokens": { "in": usage.input, "out": usage.output },
                "usd": usd, "estimated": true,
            }),
        );
        hole.lacuna().watch().progress(&Progress::Unanswered {
            path: hole.path(),
            attempt: asked.attempt,
            charged: usage,
            usd,
            elapsed: asked.elapsed,
        });
        match error {
            // Whoever notices first, it is the budget that has ended.
            ModelError::Deadline => hole.out_of_time(),
            source => Error::Model {
                hole: hole.name().to_owned(),
                attempt: asked.attempt,
                source: Box::new(source),
            },
        }
    }
}
