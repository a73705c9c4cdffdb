//! `lacuna trace`: what stands in a trace, as a tree, as figures, or as JSON.

use std::collections::BTreeSet;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use super::super::arguments::{Format, TraceArguments};
use super::super::report::{ColorChoice, Lines, Terminal};
use super::super::{settings, stats_page};
use super::{failed, printed};
use crate::error::{Explain, Fault};
use crate::session::Error;
use crate::trace::figures::short;
use crate::trace::{Counter, Event, ReadError, Reader, Tone, Tree};

/// Exit code when a trace cannot be read, or has nothing of what was asked for.
const UNREADABLE: u8 = 2;

/// Why a command ends early.
enum Stop {
    /// A file cannot be opened.
    File(Error),
    /// It is no trace, or not one of this version.
    Trace(PathBuf, ReadError),
    /// stdout takes no more.
    Output(io::Error),
    /// Nothing is of the hole or the attempt that was asked for.
    Nothing(Fault),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// Runs the command.
pub(in crate::cli) fn run(
    arguments: &TraceArguments,
    color: ColorChoice,
    terminal: &Terminal,
) -> u8 {
    let around = settings::surroundings();
    let mut lines = Lines::new(color, &around, !arguments.full && !arguments.stats);
    let done = match (arguments.stats, arguments.format) {
        (true, format) => figures(arguments, format, &mut lines),
        (false, Format::Text) => tree(arguments, &mut lines),
        (false, Format::Json) => array(arguments, &mut lines),
    };
    let done = match (done, lines.flush()) {
        (Ok(()), flushed) => flushed.map_err(Stop::Output),
        (Err(stop), _) => Err(stop),
    };
    match done {
        Ok(()) => 0,
        // Whoever reads has seen enough (`lacuna trace x | head`).
        Err(Stop::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => 0,
        Err(Stop::Output(error)) => ended(printed(Err(error)).map(drop), terminal),
        Err(Stop::File(error)) => ended(Err(error), terminal),
        Err(Stop::Nothing(fault)) => {
            terminal.error(&fault);
            UNREADABLE
        }
        Err(Stop::Trace(path, error)) => {
            terminal.error(&Unreadable { path, error });
            UNREADABLE
        }
    }
}

fn ended(result: Result<(), Error>, terminal: &Terminal) -> u8 {
    match result {
        Ok(()) => 0,
        Err(error) => {
            failed(&error, terminal);
            error.exit_code()
        }
    }
}

fn figures(arguments: &TraceArguments, format: Format, lines: &mut Lines) -> Result<(), Stop> {
    let mut counter = Counter::default();
    for file in &arguments.files {
        each(arguments, file, &mut Found::default(), |event| {
            counter.event(event);
            Ok(())
        })?;
        counter.end_trace();
    }
    let stats = counter.finish();
    match format {
        Format::Json => {
            let json = serde_json::to_string(&stats).map_err(io::Error::from)?;
            lines.json(&json)?;
            lines.json("\n")?;
        }
        Format::Text => {
            for line in stats_page::render(&stats).lines() {
                lines.line(Tone::Plain, line)?;
            }
        }
    }
    Ok(())
}

fn tree(arguments: &TraceArguments, lines: &mut Lines) -> Result<(), Stop> {
    let mut found = Found::default();
    for (index, file) in arguments.files.iter().enumerate() {
        if arguments.files.len() > 1 {
            if index > 0 {
                lines.line(Tone::Plain, "")?;
            }
            lines.line(Tone::Dim, &format!("== {}", file.display()))?;
        }
        let mut line = |tone: Tone, text: &str| lines.line(tone, text);
        let mut tree = Tree::new(arguments.full, &mut line);
        let read = each(arguments, file, &mut found, |event| tree.event(event));
        match read {
            Ok(cut) => tree.finish(cut)?,
            Err(stop) => return Err(stop),
        }
    }
    found.check(arguments)
}

/// All events as one JSON array. It is closed whatever happens, so that what was read can be used.
fn array(arguments: &TraceArguments, lines: &mut Lines) -> Result<(), Stop> {
    let mut before = "[";
    let mut found = Found::default();
    let mut result = Ok(());
    for file in &arguments.files {
        result = each(arguments, file, &mut found, |event| {
            let json = serde_json::to_string(event.fields())?;
            lines.json(std::mem::replace(&mut before, ",\n"))?;
            lines.json(&json)
        })
        .map(drop);
        if result.is_err() {
            break;
        }
    }
    if before == "[" {
        lines.json("[")?;
    }
    lines.json("]\n")?;
    result.and_then(|()| found.check(arguments))
}

/// Hands out the events that were asked for; whether the file ended in the middle of one.
fn each(
    arguments: &TraceArguments,
    file: &Path,
    found: &mut Found,
    mut work: impl FnMut(&Event) -> io::Result<()>,
) -> Result<bool, Stop> {
    let input: Box<dyn BufRead> = settings::stream(file).map_err(Stop::File)?;
    let mut reader = Reader::new(input);
    for event in &mut reader {
        let event = event.map_err(|error| Stop::Trace(file.to_owned(), error))?;
        found.event(arguments, &event);
        if wanted(arguments, &event) {
            work(&event)?;
        }
    }
    Ok(reader.is_cut())
}

fn wanted(arguments: &TraceArguments, event: &Event) -> bool {
    // The frame stays, so that one can see what the rest belongs to.
    let frame = event.path().is_empty();
    let of_hole = arguments
        .hole
        .as_deref()
        .is_none_or(|path| frame || event.is_of(path));
    let of_attempt = arguments.attempt.is_none_or(|attempt| {
        frame || event.name() == "hole-start" || event.attempt() == Some(attempt)
    });
    of_hole && of_attempt
}

/// Most holes and attempts that an error names.
const NAMED: usize = 20;

/// What there was of the hole and the attempt that were asked for, and what else there was.
#[derive(Default)]
struct Found {
    hole: bool,
    attempt: bool,
    holes: BTreeSet<String>,
    attempts: BTreeSet<u64>,
}

impl Found {
    fn event(&mut self, arguments: &TraceArguments, event: &Event) {
        if event.path().is_empty() {
            return;
        }
        if self.holes.len() < NAMED {
            self.holes.insert(short(event.path(), 60));
        }
        if !arguments.hole.as_deref().is_none_or(|of| event.is_of(of)) {
            return;
        }
        self.hole = true;
        let Some(attempt) = event.attempt() else {
            return;
        };
        self.attempt |= arguments.attempt == Some(attempt);
        if self.attempts.len() < NAMED {
            self.attempts.insert(attempt);
        }
    }

    fn check(&self, arguments: &TraceArguments) -> Result<(), Stop> {
        let all = |names: Vec<String>, none: &str| match names.is_empty() {
            true => none.to_owned(),
            false => format!("there are: {}", names.join(", ")),
        };
        if let (Some(hole), false) = (&arguments.hole, self.hole) {
            let names = self.holes.iter().map(|name| format!("`{name}`")).collect();
            let hint = all(names, "no hole has started in it");
            let fault = Fault::new(format!("the trace has no hole `{}`", short(hole, 60)));
            return Err(Stop::Nothing(fault.hint(hint)));
        }
        if let (Some(attempt), false) = (arguments.attempt, self.attempt) {
            let numbers = self.attempts.iter().map(u64::to_string).collect();
            let hint = all(numbers, "no model was asked in it");
            let of = arguments.hole.as_deref();
            let of = of.map_or_else(String::new, |hole| format!(" of `{}`", short(hole, 60)));
            let fault = Fault::new(format!("the trace has no attempt {attempt}{of}"));
            return Err(Stop::Nothing(fault.hint(hint)));
        }
        Ok(())
    }
}

/// A file that is no trace.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}: {error}", .path.display())]
struct Unreadable {
    path: PathBuf,
    error: ReadError,
}

impl Explain for Unreadable {
    fn hint(&self) -> Option<String> {
        self.error.hint()
    }
}
