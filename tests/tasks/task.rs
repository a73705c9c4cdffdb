//! A task: a folder with a plan, its arguments, what must come out, and the answers that a model gave.

use std::fs;
use std::path::{Path, PathBuf};

use lacuna::model::prompt_hash;
use lacuna::prompt::Prompt;

use super::support::{folders, name, program, root};

/// The sets of tasks: the first is what the scope was improved with, the second what it was measured with.
pub(crate) const SETS: [&str; 2] = ["first", "second"];

/// One task.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    /// Name of the task, of its world and of its folder.
    pub(crate) name: String,
    /// `tests/tasks/SET/NAME`.
    pub(crate) folder: PathBuf,
}

/// The folder of a set.
pub(crate) fn set_folder(set: &str) -> PathBuf {
    root().join("tests/tasks").join(set)
}

/// The tasks of a set, sorted by name; none if there is no such set.
pub(crate) fn tasks(set: &str) -> Vec<Task> {
    let folder = set_folder(set);
    if !folder.is_dir() {
        return Vec::new();
    }
    folders(&folder)
        .into_iter()
        .map(|folder| Task {
            name: name(&folder),
            folder,
        })
        .collect()
}

impl Task {
    /// The value that must come out, a line a call.
    pub(crate) fn expected(&self) -> Result<String, String> {
        read(&self.folder.join("expected.txt"))
    }

    /// What is called, as after `--call`; without such a file the one function with the manifest's arguments.
    pub(crate) fn calls(&self) -> Vec<String> {
        fs::read_to_string(self.folder.join("calls.txt"))
            .map(|text| text.lines().map(str::to_owned).collect())
            .unwrap_or_default()
    }

    /// Where the answer to this attempt is recorded.
    pub(crate) fn recording(&self, attempt: u32) -> PathBuf {
        let file = format!("{}.{attempt}.md", self.name);
        self.folder.join("recorded").join(file)
    }

    /// The recordings there are, front matter and all, from the first attempt on.
    pub(crate) fn recordings(&self) -> Vec<String> {
        (1..)
            .map_while(|attempt| fs::read_to_string(self.recording(attempt)).ok())
            .collect()
    }

    /// Writes an answer to `prompt` down in the form that the provider `replay` reads. What is recorded stays: it can't be
    /// asked for again.
    pub(crate) fn record(
        &self,
        attempt: u32,
        prompt: &str,
        model: &str,
        answer: &str,
    ) -> Result<(), String> {
        let prompt = Prompt {
            text: prompt.to_owned(),
            head: 0,
        };
        let hash = prompt_hash(&prompt);
        let whole = format!("---\nprompt: {hash}\nmodel: {model}\n---\n{answer}");
        let file = self.recording(attempt);
        let failed = |error: std::io::Error| format!("{}: {error}", file.display());
        fs::create_dir_all(file.parent().unwrap()).map_err(failed)?;
        let mut made = fs::File::create_new(&file).map_err(failed)?;
        std::io::Write::write_all(&mut made, whole.as_bytes()).map_err(failed)
    }

    /// Whether running it changes files, so that it is run on a copy.
    fn writes(&self) -> bool {
        self.folder.join("written").is_dir()
    }

    /// A folder to run it in.
    pub(crate) fn place(&self) -> Place {
        if !self.writes() {
            return Place {
                folder: self.folder.clone(),
                copy: false,
            };
        }
        let folder = program::scratch();
        copy(&self.folder, &folder);
        // What a run by hand has left there is not this run's.
        let out = folder.join("out");
        fs::remove_dir_all(&out).unwrap();
        fs::create_dir(&out).unwrap();
        Place { folder, copy: true }
    }

    /// Whether the files in `out` are those that the task must write.
    pub(crate) fn wrote_what_it_must(&self, place: &Place) -> bool {
        !self.writes()
            || files(&self.folder.join("written"), "") == files(&place.folder.join("out"), "")
    }
}

/// Where a task runs: its folder, or a copy that is removed afterwards.
pub(crate) struct Place {
    pub(crate) folder: PathBuf,
    copy: bool,
}

impl Drop for Place {
    fn drop(&mut self) {
        if self.copy {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

/// The answer of a recording: what stands behind the front matter.
pub(crate) fn answer(recording: &str) -> &str {
    recording
        .strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---\n"))
        .map_or(recording, |(_, answer)| answer)
}

/// A file as text.
pub(crate) fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            fs::create_dir_all(&target).unwrap();
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Path and content of every file below a folder; hidden ones only keep the folder in the repository.
fn files(folder: &Path, prefix: &str) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        let title = format!("{prefix}{}", name(&path));
        if path.is_dir() {
            found.extend(files(&path, &format!("{title}/")));
        } else if !name(&path).starts_with('.') {
            found.push((title, fs::read(&path).unwrap()));
        }
    }
    found.sort();
    found
}
