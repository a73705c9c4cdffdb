//! The rejected cases of `tests/cases`: plans and snippets that people wrote against the verifier.

#![expect(
    clippy::disallowed_methods,
    reason = "reads the cases of the repository"
)]

use std::fs;
use std::path::{Path, PathBuf};

use crate::grants::root;
use crate::plans::{LIMITS, Origin, PlanFiles};

/// A rejected case.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its plan.
    pub plan: PlanFiles,
    /// Its snippet.
    pub snippet: String,
}

/// All cases that `case.toml` says must be rejected and that a snippet belongs to, in the order of their names.
pub fn rejected() -> Vec<Case> {
    let mut cases = Vec::new();
    for category in folders(&root().join("tests/cases")) {
        cases.extend(folders(&category).iter().filter_map(|folder| read(folder)));
    }
    cases
}

fn read(folder: &Path) -> Option<Case> {
    let text = |name: &str| fs::read_to_string(folder.join(name)).ok();
    let claim: toml::Table = text("case.toml")?.parse().ok()?;
    if claim.get("verdict").and_then(toml::Value::as_str) != Some("rejected") {
        return None;
    }
    let (snippet, plan) = (text("snippet.rs")?, text("plan.wit")?);
    let mut manifest = text("lacuna.toml").unwrap_or_else(|| "schema = 1\n".to_owned());
    if !manifest.contains("[limits") && !manifest.contains("limits.") {
        manifest.push('\n');
        manifest.push_str(LIMITS);
    }
    let name = |path: &Path| {
        path.file_name()
            .map(|name| name.to_string_lossy().into_owned())
    };
    let title = format!("{}/{}", name(folder.parent()?)?, name(folder)?);
    let mut files = vec![
        ("plan.wit".to_owned(), plan),
        ("lacuna.toml".to_owned(), manifest),
    ];
    files.extend(text("answers.json").map(|answers| ("answers.json".to_owned(), answers)));
    Some(Case {
        plan: PlanFiles {
            origin: Origin::Case(title),
            files,
        },
        snippet,
    })
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    folders
}
