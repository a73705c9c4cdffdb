//! The outcome of a run as other programs read it (CONTRACTS section 2).

use serde::Serialize;
use serde_json::Value as Json;

use super::Error;

/// How a run ended; serialises as `run --format json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// Version of this form.
    pub schema: u32,
    /// `ok`, `rejected`, `trap`, `limit`, `contract`, `conflict`, `model` or `error`.
    pub outcome: &'static str,
    /// The value, or with several calls an array of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Json>,
    /// The hole that failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hole: Option<String>,
    /// The limit or the part of the budget that was met.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<LimitMet>,
    /// The rule of a grant that a call would have broken: `bank.send-money: payee: one-of`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// What happened, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Every attempt's verdict, when no snippet was accepted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<super::Verdict>,
    /// What the hole printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log: Option<Vec<String>>,
    /// Effects that were undone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undone: Option<u64>,
    /// Irreversible calls that were made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sent: Option<Vec<Json>>,
}

/// A limit that was met.
#[derive(Clone, Debug, Serialize)]
pub struct LimitMet {
    /// Its key.
    pub name: String,
    /// What it is.
    pub at: Json,
    /// What was used, or would have been.
    pub used: Json,
}

impl Outcome {
    /// A run that returned a value.
    pub fn ok(value: Json) -> Self {
        Self {
            schema: 1,
            outcome: "ok",
            value: Some(value),
            hole: None,
            limit: None,
            rule: None,
            message: None,
            attempts: Vec::new(),
            log: None,
            undone: None,
            sent: None,
        }
    }

    /// A run that failed.
    pub fn failed(error: &Error) -> Self {
        let mut outcome = Self {
            outcome: name(error),
            value: None,
            hole: error.hole().map(str::to_owned),
            message: Some(error.to_string()),
            log: Some(Vec::new()),
            undone: Some(0),
            sent: Some(Vec::new()),
            ..Self::ok(Json::Null)
        };
        match error {
            Error::Rejected { attempts, .. } => {
                outcome.attempts = attempts
                    .iter()
                    .map(|attempt| attempt.verdict.clone())
                    .collect();
            }
            Error::Budget { source, .. } => {
                outcome.limit = Some(LimitMet {
                    name: source.name.to_owned(),
                    at: number(source.at),
                    used: number(source.used),
                });
            }
            Error::Failed {
                failure, log, sent, ..
            } => {
                outcome.sent = Some(sent.iter().map(|sent| serde_json::json!(sent)).collect());
                outcome.message = Some(failure.to_string());
                outcome.log = Some(log.clone());
                outcome.rule.clone_from(&failure.rule);
                outcome.limit = failure.limit().map(|limit| LimitMet {
                    name: limit.name.to_owned(),
                    at: limit.at.into(),
                    used: limit.used.into(),
                });
            }
            _ => {}
        }
        outcome
    }
}

/// The word for how a run ended.
pub(super) fn name(error: &Error) -> &'static str {
    match error {
        Error::Rejected { .. } => "rejected",
        Error::Budget { .. } => "limit",
        Error::Failed { failure, .. } => failure.outcome(),
        Error::Model { .. } | Error::ModelSetup(_) => "model",
        _ => "error",
    }
}

/// Whole numbers without a fraction, as their keys are written.
pub(super) fn number(value: f64) -> Json {
    if value.fract() == 0.0 && value.abs() < 9e15 {
        Json::from(value as i64)
    } else {
        Json::from(value)
    }
}
