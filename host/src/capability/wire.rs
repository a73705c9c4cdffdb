//! What tools outside are asked and answer, whichever way it goes: `{"tool": …, "args": …}` there, `{"ok": …}` or
//! `{"err": …}` back, an optional `"text"` beside it that only people read. Values are the JSON of CONTRACTS section 2,
//! by the function's own types.
//!
//! A function whose result is `result<T, E>` is given what the tool says as its result. Any other function can only
//! succeed, so an `err` ends the call.

mod reader;

use serde_json::{Map, Value as Json, json};

use super::outcome::{Failure, LimitHit};
use super::tool::FunctionType;
use crate::error::text::one_line;
use crate::value::{self, Type, Value};
use reader::Wrong;

/// Largest answer, bytes, whatever `crossing` is.
const LARGEST: u64 = 256 << 20;

/// What one byte of a value may take as JSON: `\u0000`.
const WIDEST: u64 = 6;

/// Bytes of an answer beside its value: names, blanks, `text`.
const BESIDE: u64 = 64 << 10;

/// Most bytes of an answer that are read when `crossing` is this.
pub(super) fn most(crossing: u64) -> usize {
    let most = crossing.saturating_mul(WIDEST).saturating_add(BESIDE);
    usize::try_from(most.min(LARGEST)).unwrap_or(usize::MAX)
}

/// An answer of more than [`most`] bytes, of which `used` were seen or announced.
pub(super) fn too_large(function: &FunctionType, crossing: u64, used: u64) -> Failure {
    let of_crossing = crossing.saturating_mul(WIDEST).saturating_add(BESIDE);
    if of_crossing > LARGEST {
        return failed(
            function,
            &format!("the answer has more than {} MiB", LARGEST >> 20),
        );
    }
    LimitHit {
        name: "crossing",
        at: crossing,
        used,
    }
    .into()
}

/// The question, one line of JSON without its end. Handles are the names that the tool gave them.
pub(super) fn request(function: &FunctionType, arguments: &[Value]) -> String {
    let args: Map<String, Json> = function
        .parameters
        .iter()
        .zip(arguments)
        .map(|((name, ty), value)| (name.clone(), value::to_json(value, ty)))
        .collect();
    json!({ "tool": function.written(), "args": args }).to_string()
}

/// The result that an answer stands for.
pub(super) fn answer(
    function: &FunctionType,
    body: &[u8],
    crossing: u64,
) -> Result<Option<Value>, Failure> {
    if body.trim_ascii().is_empty() {
        return Err(failed(function, "the answer is empty"));
    }
    let reply = reader::read(body, crossing).map_err(|wrong| match wrong {
        Wrong::TooLarge { used } => LimitHit {
            name: "crossing",
            at: crossing,
            used,
        }
        .into(),
        Wrong::Shape { place, message } => at(function, &place, &message),
        Wrong::Syntax { place, message } => {
            let begin = one_line(&String::from_utf8_lossy(&body[..body.len().min(200)]));
            let message = format!("the answer is no JSON ({message}): {begin}");
            at(function, &place, &message)
        }
    })?;
    match (reply.ok, reply.err) {
        (Some(ok), None) => match &function.result {
            None => payload(function, &ok, None, "ok").map(|_| None),
            Some(Type::Result { ok: ty, .. }) => {
                let ok = payload(function, &ok, ty.as_deref(), "ok")?;
                Ok(Some(Value::Result(Ok(ok))))
            }
            Some(ty) => Ok(payload(function, &ok, Some(ty), "ok")?.map(|value| *value)),
        },
        (None, Some(err)) => match &function.result {
            Some(Type::Result { err: ty, .. }) => {
                let err = payload(function, &err, ty.as_deref(), "err")?;
                Ok(Some(Value::Result(Err(err))))
            }
            _ => Err(failed(function, &words(&err, reply.text))),
        },
        (Some(_), Some(_)) => Err(failed(function, "the answer has both `ok` and `err`")),
        (None, None) => Err(failed(function, "the answer has neither `ok` nor `err`")),
    }
}

/// A call that failed, with what is to be said of it: words of a tool are one line, cut, nothing in them steers a
/// terminal.
pub(super) fn failed(function: &FunctionType, words: &str) -> Failure {
    Failure::trap(format!(
        "`{}.{}`: {}",
        function.import,
        function.written(),
        one_line(words)
    ))
}

fn at(function: &FunctionType, place: &str, message: &str) -> Failure {
    if place.is_empty() {
        failed(function, message)
    } else {
        failed(function, &format!("result.{place}: {message}"))
    }
}

fn payload(
    function: &FunctionType,
    json: &Json,
    ty: Option<&Type>,
    member: &str,
) -> Result<Option<Box<Value>>, Failure> {
    let Some(ty) = ty else {
        return match json {
            Json::Null => Ok(None),
            other => {
                let message = format!("expected null, found {}", brief(other));
                Err(at(function, member, &message))
            }
        };
    };
    value::from_json(json, ty)
        .map(|value| Some(Box::new(value)))
        .map_err(|error| {
            let joint = match error.path.is_empty() || error.path.starts_with('[') {
                true => "",
                false => ".",
            };
            let place = format!("{member}{joint}{}", error.path);
            at(function, &place, &error.message)
        })
}

/// What a tool says about its failure.
fn words(err: &Json, text: Option<String>) -> String {
    match (err, text) {
        (Json::String(words), _) => words.clone(),
        (_, Some(text)) => text,
        (other, None) => brief(other),
    }
}

/// The words of an error that has another form than the tool's: a message somewhere in an object, or the text itself.
pub(super) fn words_of(body: &[u8]) -> String {
    let text = || String::from_utf8_lossy(body).into_owned();
    let Ok(Json::Object(object)) = serde_json::from_slice::<Json>(body) else {
        return text();
    };
    let said = ["err", "error", "message"].iter().find_map(|name| {
        let member = object.get(*name)?;
        let message = member.get("message").unwrap_or(member);
        message.as_str().map(str::to_owned)
    });
    said.unwrap_or_else(text)
}

fn brief(json: &Json) -> String {
    one_line(&json.to_string())
}

#[cfg(test)]
pub(super) mod tests;
