//! One case: judged through the library, and looked at by every oracle.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use lacuna::session::Verdict;
use lacuna::{Error, Lacuna};

use crate::batch::{Batch, Subject, Way};
use crate::component;
use crate::oracle::{self, Fault, Secrets};
use crate::panics;

/// Longest time of a judgement: `rustc-wall` of the plans, and room for a busy machine.
const MOST: Duration = Duration::from_secs(25);

/// What came of a case.
#[derive(Debug, Default)]
pub struct Judged {
    /// The verdict; none after a fault.
    pub verdict: Option<Verdict>,
    /// Functions that the component imports.
    pub imports: Option<BTreeSet<String>>,
    /// How a call ended.
    pub call: Option<String>,
    /// Why a call was refused.
    pub refusal: Option<String>,
    /// Time of the judgement.
    pub elapsed: Duration,
    /// Everything that is wrong.
    pub faults: Vec<Fault>,
}

/// Judges the case.
pub async fn judge(lacuna: &Lacuna, batch: &Batch, subject: &Subject, secrets: &Secrets) -> Judged {
    let mut judged = Judged::default();
    let started = Instant::now();
    let work = match subject.way {
        Way::Given => given(batch, subject, secrets, &mut judged).await,
        Way::Called => called(batch, subject, secrets, &mut judged).await,
        Way::Answer => answered(lacuna, batch, subject, secrets, &mut judged).await,
    };
    if let Err(error) = work {
        judged.faults.push(of_error(&error));
    }
    judged.elapsed = started.elapsed();
    judged.faults.extend(oracle::in_time(judged.elapsed, MOST));
    let panics = panics::take().into_iter();
    judged
        .faults
        .extend(panics.map(|panic| Fault::new("panic", panic)));
    let accepted = judged.verdict.as_ref().is_some_and(Verdict::accepted);
    if subject.live && accepted {
        judged
            .faults
            .push(Fault::new("escape", "an escape was accepted"));
    }
    judged
}

async fn given(
    batch: &Batch,
    subject: &Subject,
    secrets: &Secrets,
    judged: &mut Judged,
) -> Result<(), Error> {
    match batch.hole.component(&subject.text).await {
        Ok(component) => {
            built(
                component.bytes(),
                &component.snippet.text,
                batch,
                secrets,
                judged,
            );
            // The same again, for its verdict: kept in the cache and by the process.
            judged.verdict = Some(batch.hole.check(&subject.text).await?);
        }
        Err(error) => rejected(error, &subject.text, secrets, judged)?,
    }
    Ok(())
}

async fn called(
    batch: &Batch,
    subject: &Subject,
    secrets: &Secrets,
    judged: &mut Judged,
) -> Result<(), Error> {
    let fill = match batch.hole.fill_with(&subject.text).await {
        Ok(fill) => fill,
        Err(error) => return rejected(error, &subject.text, secrets, judged),
    };
    built(fill.component(), fill.source(), batch, secrets, judged);
    judged.verdict = Some(fill.verdict().clone());
    let Some(arguments) = subject.arguments.clone() else {
        return Ok(());
    };
    let ended = match fill.call(arguments).await {
        Ok(called) => {
            let text = format!(
                "{} {} {}",
                called.wave(),
                called.json(),
                called.log.join("\n")
            );
            if let Some(word) = secrets.in_bytes(text.as_bytes(), &subject.text) {
                judged.faults.push(Fault::new(
                    "canary",
                    format!("`{word}` in a value or a log"),
                ));
            }
            "value".to_owned()
        }
        Err(Error::Failed { failure, log, .. }) => {
            let text = batch.without_answers(&format!("{failure} {}", log.join("\n")));
            if let Some(word) = secrets.in_bytes(text.as_bytes(), &subject.text) {
                judged
                    .faults
                    .push(Fault::new("canary", format!("`{word}` in a failure")));
            }
            failure.outcome().to_owned()
        }
        Err(error @ (Error::Sandbox(_) | Error::Internal { .. })) => return Err(error),
        // The arguments do not fit the type.
        Err(error) => {
            judged.refusal = Some(error.to_string());
            "refused".to_owned()
        }
    };
    judged.call = Some(ended);
    Ok(())
}

async fn answered(
    lacuna: &Lacuna,
    batch: &Batch,
    subject: &Subject,
    secrets: &Secrets,
    judged: &mut Judged,
) -> Result<(), Error> {
    let plan = batch.answering(lacuna, &subject.text)?;
    let report = match plan.hole("hole")?.try_fill().await {
        Ok(report) => report,
        // A recording without text is the recording's fault.
        Err(Error::Model { .. }) => return Ok(()),
        Err(error) => return Err(error),
    };
    let Some(attempt) = report.attempts.first() else {
        return Ok(());
    };
    let text = attempt.snippet.as_deref().unwrap_or("");
    judged
        .faults
        .extend(oracle::verdict(&attempt.verdict, text, secrets));
    judged.verdict = Some(attempt.verdict.clone());
    if let Some(code) = subject
        .code
        .as_ref()
        .filter(|_| !attempt.verdict.accepted())
        && batch.hole.check(code).await?.accepted()
    {
        judged.faults.push(Fault::new(
            "answer",
            "code that is accepted alone is rejected in an answer",
        ));
    }
    match report.result {
        Ok(fill) => built(fill.component(), fill.source(), batch, secrets, judged),
        Err(Error::Rejected { .. } | Error::Model { .. }) => {}
        Err(error) => return Err(error),
    }
    Ok(())
}

/// Looks at an accepted component.
fn built(bytes: &[u8], source: &str, batch: &Batch, secrets: &Secrets, judged: &mut Judged) {
    match component::check(bytes, &batch.grants) {
        Ok(imports) => judged.imports = Some(imports),
        Err(wrong) => judged
            .faults
            .extend(wrong.into_iter().map(|wrong| Fault::new("grant", wrong))),
    }
    if let Some(word) = secrets.in_bytes(bytes, source) {
        judged
            .faults
            .push(Fault::new("canary", format!("`{word}` in the component")));
    }
}

/// Looks at a rejection; any other error is the machine's.
fn rejected(error: Error, text: &str, secrets: &Secrets, judged: &mut Judged) -> Result<(), Error> {
    let Error::Rejected { attempts, .. } = &error else {
        return Err(error);
    };
    if let Some(word) = secrets.in_text(&error.to_string(), text) {
        judged
            .faults
            .push(Fault::new("canary", format!("`{word}` in the error")));
    }
    let Some(attempt) = attempts.first() else {
        judged
            .faults
            .push(Fault::new("diagnostic", "rejected without an attempt"));
        return Ok(());
    };
    // What the diagnostics speak of; where no code was found they have no place.
    let spoken = attempt.snippet.as_deref().unwrap_or("");
    let known = if spoken.is_empty() { text } else { spoken };
    judged
        .faults
        .extend(oracle::verdict(&attempt.verdict, known, secrets));
    judged.verdict = Some(attempt.verdict.clone());
    Ok(())
}

fn of_error(error: &Error) -> Fault {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        cause = inner.source();
    }
    Fault::new("machine", text)
}
