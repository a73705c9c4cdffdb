//! A count of a trace that shares nothing with the program's: loops over JSON lines.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

/// The figures of these traces, each of one or several whole sessions.
pub(crate) fn by_hand(traces: &[&str]) -> Value {
    let mut all: Vec<(usize, Value)> = Vec::new();
    let mut session = 0;
    for line in traces.iter().flat_map(|trace| trace.lines()) {
        let event: Value = serde_json::from_str(line).unwrap();
        session += usize::from(event["event"] == "session-start");
        all.push((session, event));
    }
    let named = |name: &str| -> Vec<&(usize, Value)> {
        all.iter()
            .filter(|(_, event)| event["event"] == name)
            .collect()
    };
    let sum = |events: &[&(usize, Value)], place: &str| -> u64 {
        let numbers = events
            .iter()
            .filter_map(|(_, event)| event.pointer(place)?.as_u64());
        numbers.sum()
    };
    let by = |events: &[&(usize, Value)], field: &str| -> Value {
        let mut table: BTreeMap<String, u64> = BTreeMap::new();
        for (_, event) in events {
            *table
                .entry(event[field].as_str().unwrap_or("?").to_owned())
                .or_default() += 1;
        }
        json!(table)
    };

    let answers = named("answer");
    let (estimated, counted): (Vec<_>, Vec<_>) = answers
        .iter()
        .copied()
        .partition(|(_, event)| event["estimated"] == true);
    let verdicts = named("verdict");
    let (asked, given): (Vec<_>, Vec<_>) = verdicts
        .iter()
        .copied()
        .partition(|(_, event)| event.get("attempt").is_some());
    let of = |verdicts: &[&(usize, Value)], wanted: &str| -> Vec<(usize, Value)> {
        let found = verdicts
            .iter()
            .filter(|(_, event)| event["verdict"] == wanted);
        found.map(|found| (*found).clone()).collect()
    };
    let accepted = of(&asked, "accepted");
    let rejected = of(&asked, "rejected");
    let rejected: Vec<&(usize, Value)> = rejected.iter().collect();

    // One hole of that path in each session.
    let holes: BTreeSet<(usize, &str)> = asked
        .iter()
        .map(|(session, event)| (*session, event["path"].as_str().unwrap()))
        .collect();
    let mut per_hole: BTreeMap<String, u64> = BTreeMap::new();
    let mut retries: BTreeMap<String, u64> = BTreeMap::new();
    let mut first = 0;
    for (session, path) in &holes {
        let own: Vec<_> = asked
            .iter()
            .filter(|(its, event)| its == session && event["path"] == *path)
            .collect();
        *per_hole.entry(own.len().to_string()).or_default() += 1;
        if let Some(at) = own
            .iter()
            .position(|(_, event)| event["verdict"] == "accepted")
        {
            *retries.entry(at.to_string()).or_default() += 1;
            first += u64::from(at == 0);
        }
    }

    let mut calls: BTreeMap<String, Map<String, Value>> = BTreeMap::new();
    for (_, call) in named("call") {
        let name = format!(
            "{}.{}",
            call["import"].as_str().unwrap(),
            call["function"].as_str().unwrap()
        );
        let row = calls.entry(name).or_default();
        let failed = call.get("error").is_some();
        // A masked result says no more of itself than this.
        let error = call["result"]["value"].get("err").is_some() || call["result"]["err"] == true;
        for (column, more) in [
            ("count", 1),
            ("errors", u64::from(error)),
            ("failed", u64::from(failed)),
            ("millis", call["millis"].as_u64().unwrap()),
        ] {
            let before = row.get(column).and_then(Value::as_u64).unwrap_or(0);
            row.insert(column.to_owned(), json!(before + more));
        }
    }
    let mut limits: BTreeMap<String, u64> = BTreeMap::new();
    for (_, limit) in named("limit") {
        let name = limit["name"].as_str().unwrap();
        let name = if limit["of"] == "budget" {
            format!("budget.{name}")
        } else {
            name.to_owned()
        };
        *limits.entry(name).or_default() += 1;
    }
    let runs = named("run-end");
    let failed = named("model-error");
    let both: Vec<&(usize, Value)> = answers.iter().chain(&failed).copied().collect();
    let usd: f64 = both
        .iter()
        .filter_map(|(_, event)| event["usd"].as_f64())
        .sum();
    json!({
        "sessions": by(&named("session-end"), "outcome"),
        "holes": by(&named("hole-end"), "outcome"),
        "prompts": named("prompt").len(),
        "answers": answers.len(),
        "failed": failed.len(),
        "failures": by(&failed, "kind"),
        "failed-retries": sum(&failed, "/retries"),
        "tokens-charged": { "in": sum(&failed, "/tokens/in"), "out": sum(&failed, "/tokens/out") },
        "accepted": accepted.len(),
        "rejected": rejected.len(),
        "rejected-at": by(&rejected, "stage"),
        "causes": by(&rejected, "cause"),
        "repaired": accepted.iter().filter(|(_, event)| !event["repaired"].as_array().unwrap().is_empty()).count(),
        "holes-asked": holes.len(),
        "first-try": first,
        "attempts-per-hole": per_hole,
        "retries-until-accepted": retries,
        "tokens": { "in": sum(&counted, "/tokens/in"), "out": sum(&counted, "/tokens/out") },
        "tokens-estimated": { "in": sum(&estimated, "/tokens/in"), "out": sum(&estimated, "/tokens/out") },
        "usd": usd,
        "priced": both.iter().filter(|(_, event)| event["usd"].is_number()).count(),
        "model-millis": sum(&both, "/millis"),
        "judge-millis": sum(&asked, "/millis/compile") + sum(&asked, "/millis/link"),
        "given": { "accepted": of(&given, "accepted").len(), "rejected": of(&given, "rejected").len() },
        "runs": by(&runs, "outcome"),
        "run-millis": sum(&runs, "/millis"),
        "fuel": sum(&runs, "/fuel"),
        "memory": runs.iter().filter_map(|(_, event)| event["memory"].as_u64()).max().unwrap_or(0),
        "calls": calls,
        "limits": limits,
        "log-lines": named("log").len(),
    })
}

/// Fails at the first figure that differs.
#[track_caller]
pub(crate) fn compare(what: &str, stats: &Value, counted: &Value) {
    for (name, figure) in counted.as_object().unwrap() {
        let theirs = &stats[name];
        if name == "usd" {
            let (a, b) = (theirs.as_f64().unwrap(), figure.as_f64().unwrap());
            assert!((a - b).abs() < 1e-9, "{what}: usd is {a}, counted {b}");
            continue;
        }
        assert_eq!(theirs, figure, "{what}: {name}");
    }
    let share = match counted["holes-asked"].as_u64().unwrap() {
        0 => Value::Null,
        asked => json!(counted["first-try"].as_u64().unwrap() as f64 / asked as f64),
    };
    assert_eq!(stats["first-try-share"], share, "{what}");
    // Nothing is lost between the models and all of them.
    let models = stats["models"].as_object().unwrap().values();
    for field in [
        "prompts",
        "answers",
        "failed",
        "accepted",
        "rejected",
        "holes-asked",
        "first-try",
        "model-millis",
    ] {
        let sum: u64 = models
            .clone()
            .map(|model| model[field].as_u64().unwrap())
            .sum();
        assert_eq!(json!(sum), stats[field], "{what}: {field} of the models");
    }
}
