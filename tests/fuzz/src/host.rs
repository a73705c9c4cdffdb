//! The machine around a run: a home folder with a canary in it, variables that hold one, a folder that is removed.

#![expect(
    clippy::disallowed_methods,
    reason = "prepares the process that is fuzzed, and starts it"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result};

/// Variable that holds a canary in the fuzzed process.
pub const VARIABLE: &str = "LACUNA_FUZZ_CANARY";
/// Variable that tells the fuzzed process where its folder is.
pub const FOLDER: &str = "LACUNA_FUZZ_FOLDER";

/// Contents of canaries: words that no snippet has.
const WORDS: [&str; 3] = [
    "Zq3CanaryOfTheHomeFolder",
    "Zq4CanaryOfThePlanFolder",
    "Zq5CanaryOfAVariable",
];

/// Rust that would be accepted if a file of it were read as a module, and text that breaks a lexer.
const CONTENTS: [(&str, &str); 3] = [
    ("canary.rs", "pub const CANARY: &str = \"{W}\";\n"),
    ("canary.txt", "{W} \"open\n"),
    ("x.rs", "pub const CANARY: &str = \"{W}\";\n"),
];

/// The folder of a run, seen from the fuzzed process.
#[derive(Clone, Debug)]
pub struct Host {
    /// Where everything is.
    pub folder: PathBuf,
}

impl Host {
    /// Fills an empty folder.
    pub fn prepare(folder: &Path) -> Result<Self> {
        for (part, word) in [("home", WORDS[0]), ("plans", WORDS[1])] {
            let part = folder.join(part);
            fs::create_dir_all(&part)?;
            for (name, content) in CONTENTS {
                fs::write(part.join(name), content.replace("{W}", word))?;
            }
        }
        Ok(Self {
            folder: folder.to_owned(),
        })
    }

    /// The host that the environment of this process names.
    pub fn of_process() -> Result<Self> {
        let folder = std::env::var_os(FOLDER).context("started without its folder")?;
        Ok(Self {
            folder: folder.into(),
        })
    }

    /// Starts this program again in the prepared surroundings, and waits for its end.
    pub fn run(
        &self,
        arguments: &[String],
        layers_off: Option<&str>,
        quiet: bool,
    ) -> Result<Option<i32>> {
        let home = std::env::var_os("HOME")
            .map(PathBuf::from)
            .unwrap_or_default();
        let kept = |name: &str, folder: &str| {
            std::env::var_os(name).map_or_else(|| home.join(folder), PathBuf::from)
        };
        let mut command = Command::new(std::env::current_exe()?);
        command
            .args(arguments)
            .env("RUSTUP_HOME", kept("RUSTUP_HOME", ".rustup"))
            .env("CARGO_HOME", kept("CARGO_HOME", ".cargo"))
            .env("HOME", self.folder.join("home"))
            .env(FOLDER, &self.folder)
            .env(VARIABLE, WORDS[2])
            // What a hostile environment would set.
            .env("RUSTC_BOOTSTRAP", "1")
            .env("RUSTFLAGS", "--cfg evil -C link-arg=--export-all")
            .stdin(Stdio::null());
        if let Some(layers) = layers_off {
            command.env("LACUNA_LAYERS_OFF", layers);
        }
        if quiet {
            command.stdout(Stdio::null()).stderr(Stdio::null());
        }
        Ok(command.status()?.code())
    }

    /// Where plans are written; a file with a canary stands beside them.
    pub fn plans(&self) -> PathBuf {
        self.folder.join("plans")
    }

    /// Paths that snippets reach for.
    pub fn canaries(&self) -> Vec<String> {
        let mut paths = vec![
            "/etc/passwd".to_owned(),
            "../canary.txt".to_owned(),
            "../../../home/canary.rs".to_owned(),
        ];
        for part in ["home", "plans"] {
            for (name, _) in CONTENTS {
                paths.push(self.folder.join(part).join(name).display().to_string());
            }
        }
        paths
    }

    /// What must be in no output: contents of files, the variable, paths of this machine.
    pub fn secrets(&self, cache: &Path) -> Vec<String> {
        let mut words: Vec<String> = WORDS.iter().map(|word| (*word).to_owned()).collect();
        words.push(self.folder.display().to_string());
        words.push(cache.display().to_string());
        words.extend(
            ["RUSTUP_HOME", "CARGO_HOME"]
                .iter()
                .filter_map(|name| std::env::var(name).ok()),
        );
        let accounts = fs::read_to_string("/etc/passwd").unwrap_or_default();
        words.extend(
            accounts
                .lines()
                .filter(|line| line.len() > 8)
                .map(str::to_owned),
        );
        words.retain(|word| word.len() > 4);
        words.sort();
        words.dedup();
        words
    }

    /// Where a worker notes the case that it is at.
    pub fn flight(&self, worker: usize) -> PathBuf {
        self.folder.join(format!("flight-{worker}"))
    }

    /// The cases that were being judged when the process died.
    pub fn in_flight(&self, workers: usize) -> Vec<String> {
        let notes = (0..workers).filter_map(|worker| fs::read_to_string(self.flight(worker)).ok());
        notes.collect()
    }
}

/// Peak of resident memory of this process in KiB.
pub fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok())
        .unwrap_or(0)
}
