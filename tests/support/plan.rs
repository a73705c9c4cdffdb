//! Plans that a test writes into a folder of its own.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use super::program::{self, Ended};

/// A plan in a scratch folder, removed when it is dropped.
pub(crate) struct Plan {
    /// Where it stands.
    pub(crate) folder: PathBuf,
}

impl Plan {
    /// `plan.wit` of a package `t:h`, and `lacuna.toml` behind its first line.
    pub(crate) fn new(wit: &str, manifest: &str) -> Self {
        let folder = program::scratch();
        fs::write(folder.join("plan.wit"), format!("package t:h;\n{wit}\n")).unwrap();
        let plan = Self { folder };
        plan.manifest(manifest);
        plan
    }

    /// Replaces the manifest.
    pub(crate) fn manifest(&self, manifest: &str) {
        self.write("lacuna.toml", &format!("schema = 1\n{manifest}\n"));
    }

    /// Writes a file beside the plan.
    pub(crate) fn write(&self, name: &str, content: &str) {
        fs::write(self.folder.join(name), content).unwrap();
    }

    /// `lacuna check` of this code.
    pub(crate) fn check(&self, snippet: &str) -> Ended {
        self.on(&["check"], snippet)
    }

    /// `lacuna run` of this code.
    pub(crate) fn run(&self, snippet: &str) -> Ended {
        self.on(&["run"], snippet)
    }

    fn on(&self, command: &[&str], snippet: &str) -> Ended {
        self.write("snippet.rs", snippet);
        let rest = ["plan.wit", "--snippet", "snippet.rs", "--format", "json"];
        program::run(&self.folder, command.iter().chain(&rest))
    }
}

impl Drop for Plan {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// What the program printed.
#[track_caller]
pub(crate) fn json(ended: &Ended) -> Value {
    serde_json::from_str(&ended.stdout).unwrap_or_else(|error| panic!("{error}: {ended:?}"))
}
