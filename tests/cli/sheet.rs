//! A sheet: what the program said and how it ended, run by run, as one text that is compared with a snapshot.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::normal::Normal;
use super::support::program::{Ended, cache, scratch};
use super::support::{root, snapshot};

/// Longest time a run may take: the first one on a machine also builds the SDK.
const PATIENCE: Duration = Duration::from_secs(300);
/// How often a running program is looked at.
const POLL: Duration = Duration::from_millis(5);

/// Variables that a toolchain needs to be found. No key, no proxy, no setting of Lacuna's own.
const KEPT: [&str; 6] = [
    "PATH",
    "HOME",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "TMPDIR",
];

/// A test's folder, its environment, and what it has seen so far.
pub(crate) struct Sheet {
    name: String,
    pub(crate) folder: PathBuf,
    variables: BTreeMap<String, OsString>,
    text: String,
    pub(crate) normal: Normal,
}

impl Sheet {
    /// A sheet with a copy of `cli/plans/PLAN`.
    pub(crate) fn new(name: &str, plan: &str) -> Self {
        let folder = scratch();
        copy(&root().join("tests/cli/plans").join(plan), &folder);
        let mut variables: BTreeMap<String, OsString> = KEPT
            .iter()
            .filter_map(|name| Some((name.to_string(), std::env::var_os(name)?)))
            .collect();
        variables.insert("LACUNA_CACHE_DIR".to_owned(), cache().into());
        variables.insert("NO_COLOR".to_owned(), "1".into());
        let mut normal = Normal::default();
        normal.name(&folder, "[DIR]");
        normal.name(&cache(), "[CACHE]");
        normal.name(&root(), "[ROOT]");
        Self {
            name: name.to_owned(),
            folder,
            variables,
            text: String::new(),
            normal,
        }
    }

    /// Writes a file of the plan.
    pub(crate) fn write(&self, file: &str, text: &str) {
        let path = self.folder.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Replaces a part of a file that must be there.
    pub(crate) fn edit(&self, file: &str, from: &str, to: &str) {
        let text = self.read(file);
        assert!(text.contains(from), "{file} has no {from:?}");
        self.write(file, &text.replacen(from, to, 1));
    }

    /// A file of the plan, or one that the program wrote.
    pub(crate) fn read(&self, file: &str) -> String {
        fs::read_to_string(self.folder.join(file)).unwrap()
    }

    /// Sets a variable for the runs that follow; an empty one is taken away.
    pub(crate) fn set(&mut self, name: &str, value: impl Into<OsString>) {
        let value = value.into();
        match value.is_empty() {
            true => self.variables.remove(name),
            false => self.variables.insert(name.to_owned(), value),
        };
    }

    /// Runs the program and notes what came out.
    pub(crate) fn run(&mut self, arguments: &[&str]) -> Ended {
        let running = self.start(arguments, |_| {});
        let ended = running.end();
        self.note(arguments, &ended);
        ended
    }

    /// As [`Sheet::run`], with changes to how it is started.
    pub(crate) fn run_with(
        &mut self,
        arguments: &[&str],
        change: impl FnOnce(&mut Command),
    ) -> Ended {
        let running = self.start(arguments, change);
        let ended = running.end();
        self.note(arguments, &ended);
        ended
    }

    /// As [`Sheet::run`] with a terminal as standard input, where `typed` is typed, and both outputs in files. A shell
    /// runs `before` and `after` on the same terminal. (`script` is part of util-linux.)
    pub(crate) fn run_on_terminal(
        &mut self,
        arguments: &[&str],
        typed: &str,
        [before, after]: [&str; 2],
    ) -> Ended {
        let output = scratch();
        let quote = |text: &str| format!("'{}'", text.replace('\'', "'\\''"));
        let words: Vec<String> = std::iter::once(&env!("CARGO_BIN_EXE_lacuna"))
            .chain(arguments)
            .map(|word| quote(word))
            .collect();
        let [stdout, stderr, input] = ["stdout", "stderr", "input"].map(|name| output.join(name));
        let shown = |path: &Path| quote(&path.display().to_string());
        let line = format!(
            "{before}\n{} > {} 2> {}\ncode=$?\n{after}\nexit $code",
            words.join(" "),
            shown(&stdout),
            shown(&stderr)
        );
        fs::write(&input, typed).unwrap();
        let child = Command::new("script")
            .args(["--quiet", "--return", "--command", &line, "/dev/null"])
            .current_dir(&self.folder)
            .env_clear()
            .envs(&self.variables)
            .stdin(File::open(&input).unwrap())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("util-linux has `script`");
        let ended = Running { child, output }.end();
        self.note(arguments, &ended);
        ended
    }

    /// Starts the program.
    pub(crate) fn start(&self, arguments: &[&str], change: impl FnOnce(&mut Command)) -> Running {
        let output = scratch();
        let mut command = Command::new(env!("CARGO_BIN_EXE_lacuna"));
        command
            .args(arguments)
            .current_dir(&self.folder)
            .env_clear()
            .envs(&self.variables)
            .stdin(Stdio::null())
            // Files: a pipe that nobody reads would stop the program.
            .stdout(File::create(output.join("stdout")).unwrap())
            .stderr(File::create(output.join("stderr")).unwrap());
        change(&mut command);
        Running {
            child: command.spawn().expect("the program starts"),
            output,
        }
    }

    /// Notes how a run ended.
    pub(crate) fn note(&mut self, arguments: &[&str], ended: &Ended) {
        let quoted: Vec<String> = arguments
            .iter()
            .map(|word| match word {
                word if word.contains('\'') => format!("\"{word}\""),
                word if word.contains([' ', '"', '(']) => format!("'{word}'"),
                word => (*word).to_owned(),
            })
            .collect();
        let code = ended
            .code
            .map_or("by a signal".to_owned(), |code| code.to_string());
        self.say(&format!("$ lacuna {}\nexit {code}", quoted.join(" ")));
        for (name, text) in [("stdout", &ended.stdout), ("stderr", &ended.stderr)] {
            if !text.is_empty() {
                let text = self.normal.apply(text);
                let end = if text.ends_with('\n') { "" } else { "⏎\n" };
                self.text.push_str(&format!("--- {name}\n{text}{end}"));
            }
        }
        self.text.push('\n');
        // What no run may ever do.
        for text in [&ended.stdout, &ended.stderr] {
            assert!(!text.contains("panicked at host/"), "{text}");
            assert!(!text.contains("RUST_BACKTRACE"), "{text}");
        }
    }

    /// Notes a line of the test's own.
    pub(crate) fn say(&mut self, line: &str) {
        let line = self.normal.apply(line);
        self.text.push_str(&line);
        self.text.push('\n');
    }

    /// Notes which files there are below a folder of the plan.
    pub(crate) fn list(&mut self, folder: &str) {
        let mut names: Vec<String> = fs::read_dir(self.folder.join(folder))
            .into_iter()
            .flatten()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        self.say(&format!("# {folder} has {names:?}\n"));
    }

    /// Compares everything with the snapshot and removes the folder.
    pub(crate) fn compare(self) -> Result<(), String> {
        let file = root()
            .join("tests/cli/expected")
            .join(format!("{}.txt", self.name));
        let text = format!("{}\n", self.text.trim_end());
        snapshot::check(&file, &text, "cli", &self.name)?;
        fs::remove_dir_all(&self.folder).map_err(|error| error.to_string())
    }
}

/// A started program.
pub(crate) struct Running {
    pub(crate) child: Child,
    output: PathBuf,
}

impl Running {
    /// Waits for its end.
    pub(crate) fn end(mut self) -> Ended {
        let started = Instant::now();
        let status = self.wait(PATIENCE);
        let read = |name: &str| {
            String::from_utf8_lossy(&fs::read(self.output.join(name)).unwrap()).into_owned()
        };
        let ended = Ended {
            code: status.code(),
            stdout: read("stdout"),
            stderr: read("stderr"),
            elapsed: started.elapsed(),
        };
        fs::remove_dir_all(&self.output).unwrap();
        ended
    }

    fn wait(&mut self, patience: Duration) -> ExitStatus {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            if started.elapsed() > patience {
                let _ = self.child.kill();
                panic!("no end after {} s", patience.as_secs());
            }
            std::thread::sleep(POLL);
        }
    }
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap_or_else(|error| panic!("{}: {error}", from.display())) {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            fs::create_dir_all(&target).unwrap();
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), &target).unwrap();
        }
    }
}
