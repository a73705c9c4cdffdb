//! `lacuna init`: writes a plan that runs at once.
#![expect(
    clippy::disallowed_methods,
    reason = "writes the plan into the folder that was named, and looks which keys are set"
)]

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::super::arguments::{InitArguments, Verbosity};
use super::super::init;
use super::super::report::{self, Terminal};
use super::{finish, printed};
use crate::diagnostic::escape_controls;
use crate::model::prompt_hash;
use crate::prompt;
use crate::session::{Error, Lacuna};
use crate::toolchain::quoted;

/// Runs the command.
pub(in crate::cli) fn run(arguments: &InitArguments, terminal: &Terminal) -> u8 {
    finish(written(arguments, terminal), terminal)
}

fn written(arguments: &InitArguments, terminal: &Terminal) -> Result<u8, Error> {
    let folder = &arguments.folder;
    let files = init::files(arguments.template);
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let (manifest, live) = init::manifest(&files, is_set);
    let recording = format!("{}/{}.1.md", init::RECORDED, files.hole);
    let mut texts = vec![("plan.wit", files.plan), ("lacuna.toml", manifest.as_str())];
    texts.extend(files.data);
    // All or nothing, as far as can be told before.
    for name in texts
        .iter()
        .map(|(name, _)| *name)
        .chain([recording.as_str()])
    {
        let path = folder.join(name);
        if path.symlink_metadata().is_ok() {
            let there = "it is there already, so nothing was written";
            return Err(failed(
                path,
                io::Error::new(io::ErrorKind::AlreadyExists, there),
            ));
        }
    }
    let plan = folder.join("plan.wit");
    let mut made = Made::default();
    for (name, text) in &texts {
        made.create(folder.join(name), text)?;
    }
    // A recording is bound to the words of its prompt, which only the plan can say.
    let hole = Lacuna::builder().build()?.load(&plan)?.hole(files.hole)?;
    let asked = prompt_hash(&prompt::render(&*hole.described()?, &[]));
    let answer = format!(
        "---\nprompt: {asked}\nmodel: lacuna init\n---\n{}",
        files.answer
    );
    made.create(folder.join(&recording), &answer)?;
    made.keep();
    if terminal.verbosity() == Verbosity::Quiet {
        return Ok(0);
    }
    for name in texts
        .iter()
        .map(|(name, _)| *name)
        .chain([recording.as_str()])
    {
        terminal.line(format_args!("wrote {}", folder.join(name).display()));
    }
    printed(report::raw(&next(&plan, live)))
}

/// The commands to go on with.
fn next(plan: &Path, live: bool) -> String {
    let plan = quoted(plan);
    // A folder may have any name, and this one's is shown.
    let plan = escape_controls(&plan);
    let mut lines = vec![
        (
            format!("lacuna run {plan}"),
            "fills the hole from its recording and calls it",
        ),
        (format!("lacuna show {plan}"), "what its code can reach"),
        (
            format!("lacuna show {plan} --what prompt"),
            "what its model is told",
        ),
    ];
    if live {
        lines.push((
            format!("lacuna run {plan} --model live"),
            "asks a model for real",
        ));
    }
    let width = lines.iter().map(|(line, _)| line.len()).max().unwrap_or(0);
    lines
        .iter()
        .map(|(line, what)| format!("{line:<width$}  # {what}\n"))
        .collect()
}

/// The files that were made; half a plan is removed again, so that the next try is not refused.
#[derive(Default)]
struct Made(Vec<PathBuf>);

impl Made {
    /// Makes a new file: what appears meanwhile is not overwritten either.
    fn create(&mut self, path: PathBuf, text: &str) -> Result<(), Error> {
        let opened = path
            .parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| File::options().write(true).create_new(true).open(&path));
        let written = opened.and_then(|mut file| {
            self.0.push(path.clone());
            file.write_all(text.as_bytes())
        });
        written.map_err(|source| failed(path, source))
    }

    fn keep(mut self) {
        self.0.clear();
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        for path in &self.0 {
            let _ = fs::remove_file(path);
        }
    }
}

fn failed(path: PathBuf, source: io::Error) -> Error {
    Error::File {
        doing: "write",
        path,
        source,
    }
}
