//! Listings: `entries`, `walk`, `glob`.
//!
//! All count what they list and stop at `entries`, and they stop when nobody waits for them any more. Links are listed, never
//! followed, so no listing can leave the folder or go round in a circle. A name that is no UTF-8 is listed with
//! `U+FFFD` in place of what can't be shown, rather than left out: a guest that counts or checks files must not be
//! shown fewer than there are. Such a name can't be opened (`not-found`).

use std::io;
use std::path::{Path, PathBuf};

use cap_std::fs::Dir;
use globset::GlobBuilder;

use super::Refusal;
use super::folder::{Folder, relative};
use super::types::{Entry, FileError, Kind};
use crate::capability::call::Bounds;
use crate::capability::outcome::LimitHit;

/// Longest pattern, bytes. A pattern becomes an automaton, which grows with it.
const PATTERN: usize = 4096;

impl Folder {
    /// What stands directly in a folder.
    pub(crate) fn entries(&self, folder: &str, bounds: &Bounds) -> Result<Vec<Entry>, Refusal> {
        let mut found = Vec::new();
        let start = clean(relative(folder)?);
        self.list(folder, &start, bounds, &mut |entry, _| {
            push(&mut found, entry, bounds)
        })?;
        found.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(found)
    }

    /// Everything below a folder.
    pub(crate) fn walk(&self, folder: &str, bounds: &Bounds) -> Result<Vec<Entry>, Refusal> {
        let mut found = Vec::new();
        let start = clean(relative(folder)?);
        self.visit(folder, start, bounds, &mut |entry| {
            push(&mut found, entry, bounds)
        })?;
        found.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(found)
    }

    /// Paths of the files that match a pattern. `*` and `?` do not match `/`, `**` does.
    pub(crate) fn glob(&self, pattern: &str, bounds: &Bounds) -> Result<Vec<String>, Refusal> {
        let invalid = || FileError::Invalid(pattern.to_owned());
        if pattern.len() > PATTERN {
            return Err(invalid().into());
        }
        let pattern_path = relative(pattern)?;
        let given = pattern.strip_prefix("./").unwrap_or(pattern);
        let glob = GlobBuilder::new(given)
            .literal_separator(true)
            .build()
            .map_err(|_| invalid())?
            .compile_matcher();
        if pattern_path
            .components()
            .any(|part| part.as_os_str() == "..")
        {
            return Err(FileError::Denied(pattern.to_owned()).into());
        }
        let mut found: Vec<String> = Vec::new();
        let start = fixed_part(given);
        let visited = self.visit(pattern, start, bounds, &mut |entry| {
            if entry.kind == Kind::File && glob.is_match(&entry.path) {
                check(found.len(), bounds)?;
                found.push(entry.path);
            }
            Ok(())
        });
        match visited {
            // Nothing there to match, which is no error for a pattern.
            Err(Refusal::Error(FileError::NotFound(_) | FileError::NotAFolder(_))) => {}
            other => other?,
        }
        found.sort();
        Ok(found)
    }

    /// Calls `each` for everything below `start`, folder by folder.
    fn visit(
        &self,
        given: &str,
        start: PathBuf,
        bounds: &Bounds,
        each: &mut dyn FnMut(Entry) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let mut waiting = vec![start.clone()];
        while let Some(folder) = waiting.pop() {
            let listed = self.list(given, &folder, bounds, &mut |entry, path| {
                if entry.kind == Kind::Folder {
                    waiting.push(path);
                }
                each(entry)
            });
            match listed {
                // A folder below may vanish or be closed to us while we walk; the walk goes on without it.
                Err(Refusal::Error(
                    FileError::NotFound(_) | FileError::NotAFolder(_) | FileError::Denied(_),
                )) if folder != start => {}
                other => other?,
            }
        }
        Ok(())
    }

    /// Calls `each` for what stands directly in `folder`, with its real path.
    fn list(
        &self,
        given: &str,
        folder: &Path,
        bounds: &Bounds,
        each: &mut dyn FnMut(Entry, PathBuf) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let refuse = |error: io::Error| Refusal::from(FileError::of(&error, given));
        let opened: Dir = if folder.as_os_str().is_empty() {
            self.root.try_clone().map_err(refuse)?
        } else {
            self.root.open_dir(folder).map_err(refuse)?
        };
        for entry in opened.entries().map_err(refuse)? {
            if bounds.abandoned() {
                return Err(FileError::Other(given.to_owned()).into());
            }
            let entry = entry.map_err(refuse)?;
            let path = folder.join(entry.file_name());
            // It may have gone since the folder was read.
            let Ok(metadata) = entry.metadata() else {
                continue;
            };
            let kind = Kind::of(metadata.file_type());
            let shown = Entry {
                path: path.to_string_lossy().into_owned(),
                kind,
                size: if kind == Kind::File {
                    metadata.len()
                } else {
                    0
                },
            };
            each(shown, path)?;
        }
        Ok(())
    }
}

fn push(found: &mut Vec<Entry>, entry: Entry, bounds: &Bounds) -> Result<(), Refusal> {
    check(found.len(), bounds)?;
    found.push(entry);
    Ok(())
}

/// Whether one more entry may be listed. The listing stops here, so how many there would be is not known.
fn check(listed: usize, bounds: &Bounds) -> Result<(), Refusal> {
    let used = listed as u64 + 1;
    if used > bounds.entries {
        return Err(LimitHit {
            name: "entries",
            at: bounds.entries,
            used,
        }
        .into());
    }
    Ok(())
}

/// The path without `.`, so that listed paths read as a person would write them. `..` stays: what it means depends on
/// links.
fn clean(path: &Path) -> PathBuf {
    path.components()
        .filter(|part| part.as_os_str() != ".")
        .collect()
}

/// The folder that every match lies in: the parts of the pattern before the first that has a special character.
fn fixed_part(pattern: &str) -> PathBuf {
    let mut parts: Vec<&str> = pattern.split('/').collect();
    // The last part names files.
    parts.pop();
    clean(
        &parts
            .into_iter()
            .take_while(|part| !part.contains(['*', '?', '[', ']', '{', '}', '\\']))
            .collect::<PathBuf>(),
    )
}
