//! Starts the `lacuna` program as a user would, but with nothing of the environment that could change what it does.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// The program that is tested: the product, or in `tests/weakened` the build whose layers can be taken away.
pub(crate) const PROGRAM: &str = match (
    option_env!("CARGO_BIN_EXE_lacuna"),
    option_env!("CARGO_BIN_EXE_lacuna-weakened"),
) {
    (Some(product), _) => product,
    (None, Some(weakened)) => weakened,
    (None, None) => panic!("cargo names the program of a package to its tests"),
};
/// Names the layers that are off, to the weakened build alone.
pub(crate) const LAYERS_OFF: &str = "LACUNA_LAYERS_OFF";
/// Longest time a run may take: the first one on a machine also builds the SDK.
const PATIENCE: Duration = Duration::from_secs(300);
/// How often a running program is looked at.
const POLL: Duration = Duration::from_millis(5);

/// How a run of the program ended.
#[derive(Debug)]
pub(crate) struct Ended {
    /// Exit code; `None` if a signal ended it.
    pub(crate) code: Option<i32>,
    /// Standard output.
    pub(crate) stdout: String,
    /// Standard error.
    pub(crate) stderr: String,
    /// Time from start to end.
    pub(crate) elapsed: Duration,
}

/// Runs the program in `folder` until it ends.
///
/// # Panics
/// When it cannot be started, or does not end in time.
pub(crate) fn run<I, S>(folder: &Path, arguments: I) -> Ended
where
    I: IntoIterator<Item = S>,
    S: AsRef<std::ffi::OsStr>,
{
    run_with(folder, arguments, &[])
}

/// As [`run`], with variables added to its environment.
pub(crate) fn run_with<I, S>(folder: &Path, arguments: I, environment: &[(&str, &str)]) -> Ended
where
    I: IntoIterator<Item = S>,
    S: AsRef<std::ffi::OsStr>,
{
    let program = Command::new(PROGRAM);
    run_command(program, folder, arguments, environment)
}

/// As [`run_with`], as the last arguments of another program's command line.
pub(crate) fn run_under(
    mut program: Command,
    folder: &Path,
    arguments: &[&str],
    environment: &[(&str, &str)],
) -> Ended {
    program.arg(PROGRAM);
    run_command(program, folder, arguments, environment)
}

fn run_command<I, S>(
    mut program: Command,
    folder: &Path,
    arguments: I,
    environment: &[(&str, &str)],
) -> Ended
where
    I: IntoIterator<Item = S>,
    S: AsRef<std::ffi::OsStr>,
{
    // Output goes to files: a pipe that nobody reads would stop the program, and the time limit needs both hands.
    let scratch = scratch();
    let (stdout, stderr) = (scratch.join("stdout"), scratch.join("stderr"));
    let mut child = program
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .envs(std::env::vars_os().filter(|(name, _)| KEPT.iter().any(|kept| name == *kept)))
        .env("LACUNA_CACHE_DIR", cache())
        .env("NO_COLOR", "1")
        .envs(environment.iter().copied())
        .stdin(Stdio::null())
        .stdout(File::create(&stdout).unwrap())
        .stderr(File::create(&stderr).unwrap())
        .spawn()
        .expect("the program starts");
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if started.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("no end after {} s", PATIENCE.as_secs());
        }
        std::thread::sleep(POLL);
    };
    let elapsed = started.elapsed();
    let read = |path: &Path| String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
    let ended = Ended {
        code: status.code(),
        stdout: read(&stdout),
        stderr: read(&stderr),
        elapsed,
    };
    fs::remove_dir_all(&scratch).unwrap();
    ended
}

/// What a toolchain needs to be found. No key, no proxy, no setting of Lacuna's own.
const KEPT: [&str; 6] = [
    "PATH",
    "HOME",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "TMPDIR",
];

/// The cache that all runs of all tests share, so that the SDK is built once.
pub(crate) fn cache() -> PathBuf {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lacuna-cache");
    fs::create_dir_all(&cache).unwrap();
    cache
}

/// A new folder with the plan of `tests/cli`, its lock file and its recording of two attempts.
pub(crate) fn audit() -> PathBuf {
    let folder = scratch();
    let plan = super::root().join("tests/cli/plans/audit");
    fs::create_dir_all(folder.join("recorded")).unwrap();
    for file in [
        "plan.wit",
        "lacuna.toml",
        "Cargo.lock",
        "recorded/audit.1.md",
        "recorded/audit.2.md",
    ] {
        fs::copy(plan.join(file), folder.join(file)).unwrap();
    }
    folder
}

/// A fresh folder below the target folder.
pub(crate) fn scratch() -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!(
        "run-{}-{}",
        std::process::id(),
        NEXT.fetch_add(1, Ordering::Relaxed)
    ));
    fs::create_dir_all(&folder).unwrap();
    folder
}
