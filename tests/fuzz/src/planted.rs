//! Planted bugs: the fuzzer has to find each layer of the verifier that is taken away.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;

use crate::host::Host;
use crate::run::{HUNG, Settings};

/// Most cases until a bug must be found.
pub const MOST: u64 = 2000;

/// A bug: the layers that are off. Where a layer stands behind another one, both are.
#[derive(Clone, Copy, Debug)]
pub struct Bug {
    /// What it amounts to.
    pub name: &'static str,
    /// Names of `host/src/layer.rs`.
    pub layers: &'static str,
    /// What a fault must speak of, where others are to be expected.
    pub sign: &'static str,
}

/// All bugs.
pub const BUGS: [Bug; 12] = [
    Bug {
        name: "an answer is taken for code as a whole",
        layers: "extract",
        sign: "",
    },
    Bug {
        name: "no token screen",
        layers: "screen",
        sign: "",
    },
    Bug {
        name: "no token screen, opened files are not looked at",
        layers: "screen,dep-info",
        sign: "",
    },
    Bug {
        name: "the same, and the compiler may read all files",
        layers: "screen,dep-info,confinement",
        sign: "",
    },
    Bug {
        name: "the real standard library",
        layers: "std",
        sign: "",
    },
    Bug {
        name: "the same, and the compiler may read all files",
        layers: "std,confinement",
        sign: "",
    },
    Bug {
        name: "the same, and nobody looks at what it opened",
        layers: "std,confinement,dep-info",
        sign: "",
    },
    Bug {
        name: "unsafe code compiles",
        layers: "lint",
        sign: "",
    },
    Bug {
        name: "unsafe code compiles, nobody looks at the module",
        layers: "lint,screen,link",
        sign: "",
    },
    Bug {
        name: "places outside of the snippet are shown",
        layers: "spans",
        sign: "",
    },
    Bug {
        name: "a forged world in a section of the snippet counts",
        layers: "lint,world",
        sign: "world-mismatch",
    },
    Bug {
        name: "the component is not compared with its world",
        layers: "link",
        sign: "",
    },
];

/// When a bug was found.
#[derive(Clone, Debug)]
pub struct Hit {
    /// Cases until then.
    pub cases: u64,
    /// The oracle that saw it.
    pub oracle: String,
    /// What it said.
    pub message: String,
}

/// Looks for the bug in a process of its own.
pub fn search(bug: &Bug, settings: &Settings, cache: &Path) -> Result<Option<Hit>> {
    let folder = tempfile::Builder::new().prefix("lacuna-fuzz-").tempdir()?;
    let host = Host::prepare(folder.path())?;
    let report = folder.path().join("report.json");
    let mut arguments: Vec<String> = ["work", "--until-fault", "--cases"]
        .map(str::to_owned)
        .to_vec();
    arguments.push(MOST.to_string());
    for (name, value) in [
        ("--seed", settings.seed.to_string()),
        ("--jobs", settings.jobs.to_string()),
        ("--cache", cache.display().to_string()),
        ("--report", report.display().to_string()),
        ("--sign", bug.sign.to_owned()),
    ] {
        arguments.extend([name.to_owned(), value]);
    }
    let ended = host.run(&arguments, Some(bug.layers), true)?;
    let died = |how: &str| Hit {
        cases: 0,
        oracle: "process".to_owned(),
        message: format!("{how} at {}", host.in_flight(settings.jobs).join(", ")),
    };
    match ended {
        Some(0) => Ok(None),
        Some(1) => {
            let report: serde_json::Value = serde_json::from_str(&read(&report)?)?;
            let fault = &report["faults"][0];
            let word = |key: &str| fault[key].as_str().unwrap_or_default().to_owned();
            Ok(Some(Hit {
                cases: report["cases"].as_u64().unwrap_or(0),
                oracle: word("oracle"),
                message: word("message"),
            }))
        }
        Some(HUNG) => Ok(Some(died("hung"))),
        Some(code) => Ok(Some(died(&format!("ended with code {code}")))),
        None => Ok(Some(died("ended by a signal"))),
    }
}

#[expect(clippy::disallowed_methods, reason = "reads what the process has left")]
fn read(path: &Path) -> Result<String> {
    Ok(std::fs::read_to_string(path)?)
}

/// A line of the table.
pub fn line(bug: &Bug, hit: Option<&Hit>) -> String {
    let mut line = format!("| {} | {} | ", bug.layers.replace(',', ", "), bug.name);
    let _ = match hit {
        Some(hit) => write!(
            line,
            "{} | {}: {} |",
            hit.cases,
            hit.oracle,
            shortened(&hit.message)
        ),
        None => write!(line, "not in {MOST} | |"),
    };
    line
}

fn shortened(message: &str) -> String {
    let line: String = message
        .replace('\n', " ")
        .replace('|', "/")
        .chars()
        .take(70)
        .collect();
    line.trim_end().to_owned()
}
