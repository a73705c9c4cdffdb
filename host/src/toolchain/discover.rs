//! Finds the compiler behind `rustc`, its linker and its wasm target.
#![expect(
    clippy::disallowed_methods,
    reason = "finds and asks the compiler, rustup among the programs on PATH"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::{OLDEST_RUSTC, Stop, TARGET, ToolchainError};
use crate::environment;

/// The variables that rustup and rustc need. Everything else (RUSTFLAGS, RUSTC_BOOTSTRAP, RUSTUP_TOOLCHAIN, CARGO_*)
/// could make another compiler, or the same one behave differently under the same hash.
const KEPT: &[&str] = &[
    environment::PATH,
    environment::HOME,
    environment::RUSTUP_HOME,
    environment::CARGO_HOME,
];

/// A compiler that runs and is new enough.
pub(super) struct Compiler {
    pub(super) rustc: PathBuf,
    pub(super) lld: PathBuf,
    pub(super) sysroot: PathBuf,
    /// The host's target triple.
    pub(super) host: String,
    /// First line of `rustc -vV`.
    pub(super) version: String,
    /// All of `rustc -vV`.
    pub(super) verbose: String,
}

impl Compiler {
    /// What this compiler reads when it runs.
    pub(super) fn readable(&self) -> Vec<PathBuf> {
        let own = [self.sysroot.join("bin"), self.sysroot.join("lib")];
        let system = [
            "/lib",
            "/lib64",
            "/lib32",
            "/usr/lib",
            "/usr/lib64",
            "/etc/ld.so.cache",
            "/nix/store",
        ];
        own.into_iter()
            .chain(system.map(PathBuf::from))
            .filter(|path| path.exists())
            .collect()
    }
}

/// The compiler that `rustc` on PATH stands for.
pub(super) fn compiler(stop: &Stop, cache: &Path) -> Result<Compiler, ToolchainError> {
    let shim = on_path("rustc").ok_or(ToolchainError::NoRustc)?;
    // In the root folder, so that no rust-toolchain.toml of the plan, or of a project that has the cache in it, chooses
    // the compiler; where rustup has no default, the one of the current folder is better than none.
    let sysroot = ask(stop, &shim, &["--print", "sysroot"], Some(Path::new("/")))
        .or_else(|_| ask(stop, &shim, &["--print", "sysroot"], None))?;
    let sysroot = PathBuf::from(sysroot.trim_end_matches('\n'));
    let not_rustc = |answer: &'static str| ToolchainError::NotRustc {
        program: shim.clone(),
        answer,
    };
    let real = sysroot.join("bin").join("rustc");
    // A relative one would be a file of the current folder.
    let rustc = if sysroot.is_absolute() && real.is_file() {
        real
    } else {
        shim.clone()
    };
    let verbose = ask(stop, &rustc, &["-vV"], Some(cache))?;
    let line = |key: &str| {
        verbose
            .lines()
            .find_map(|line| line.strip_prefix(key))
            .map(|value| value.trim().to_owned())
    };
    let version = verbose.lines().next().unwrap_or_default().to_owned();
    let host = line("host:").ok_or_else(|| not_rustc("`-vV` names no host"))?;
    let release = line("release:").ok_or_else(|| not_rustc("`-vV` names no release"))?;
    match numbers(&release) {
        Some(numbers) if numbers >= OLDEST_RUSTC => {}
        _ => return Err(ToolchainError::OldRustc { found: release }),
    }
    if !sysroot.is_absolute() {
        return Err(not_rustc("`--print sysroot` gives no folder"));
    }
    let lld = sysroot.join("lib/rustlib").join(&host).join("bin/rust-lld");
    if !lld.is_file() {
        return Err(ToolchainError::NoLinker { expected: lld });
    }
    Ok(Compiler {
        rustc,
        lld,
        sysroot,
        host,
        version,
        verbose,
    })
}

/// The folder with the wasm target's libraries; the error is that they are not installed.
pub(super) fn installed_target(compiler: &Compiler) -> Result<PathBuf, ToolchainError> {
    let folder = target_folder(compiler);
    if has_std(&folder) {
        return Ok(folder);
    }
    Err(ToolchainError::NoTarget {
        rustc: compiler.rustc.clone(),
        toolchain: rustup_name(&compiler.sysroot),
        message: String::new(),
    })
}

fn target_folder(compiler: &Compiler) -> PathBuf {
    let rustlib = compiler.sysroot.join("lib/rustlib");
    rustlib.join(TARGET).join("lib")
}

/// The folder with the wasm target's libraries, installed first if rustup can do it.
pub(super) fn target(
    stop: &Stop,
    compiler: &Compiler,
    notify: &mut dyn FnMut(&str),
) -> Result<PathBuf, ToolchainError> {
    let folder = target_folder(compiler);
    if has_std(&folder) {
        return Ok(folder);
    }
    let toolchain = rustup_name(&compiler.sysroot);
    let mut message = String::new();
    if let (Some(rustup), Some(name)) = (on_path("rustup"), &toolchain) {
        notify(&format!(
            "installing the target {TARGET} for {name} (once, through rustup) …"
        ));
        let mut command = clean(&rustup, KEPT);
        keep(&mut command, environment::DOWNLOADS);
        let output = stop.output(command.args(["target", "add", TARGET, "--toolchain", name]));
        if has_std(&folder) {
            return Ok(folder);
        }
        message = match output {
            Ok(output) => last_line(&output),
            Err(error) => error.to_string(),
        };
    }
    Err(ToolchainError::NoTarget {
        rustc: compiler.rustc.clone(),
        toolchain,
        message,
    })
}

/// A command with nothing of the environment but `variables`, and no input.
fn clean(program: &Path, variables: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.env_clear().stdin(Stdio::null());
    keep(&mut command, variables);
    command
}

fn keep(command: &mut Command, variables: &[&str]) {
    for name in variables {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
}

fn ask(
    stop: &Stop,
    rustc: &Path,
    arguments: &[&str],
    folder: Option<&Path>,
) -> Result<String, ToolchainError> {
    let mut command = clean(rustc, KEPT);
    if let Some(folder) = folder {
        command.current_dir(folder);
    }
    let broken = |message| ToolchainError::BrokenRustc {
        rustc: rustc.to_owned(),
        message,
    };
    let output = stop
        .output(command.args(arguments))
        .map_err(|error| broken(error.to_string()))?;
    if !output.status.success() {
        return Err(broken(last_line(&output)));
    }
    String::from_utf8(output.stdout).map_err(|_| broken("its answer is no text".to_owned()))
}

fn last_line(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let line = text
        .lines()
        .find(|line| line.contains("error"))
        .or_else(|| text.lines().last());
    line.map_or_else(
        || output.status.to_string(),
        |line| line.trim().trim_start_matches("error: ").to_owned(),
    )
}

/// The first program of this name on PATH. Relative entries are left out: they would name a file of the plan.
pub(super) fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os(environment::PATH)?;
    std::env::split_paths(&path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .find(|file| is_program(file))
}

pub(super) fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(file)
        .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

fn has_std(folder: &Path) -> bool {
    std::fs::read_dir(folder).is_ok_and(|entries| {
        entries
            .flatten()
            .any(|entry| is_library_of("std", &entry.file_name().to_string_lossy()))
    })
}

/// Whether a file name is the rlib of this crate: `libstd-2c19544a9276d693.rlib`.
pub(super) fn is_library_of(name: &str, file: &str) -> bool {
    file.strip_prefix("lib")
        .and_then(|rest| rest.strip_prefix(name))
        .and_then(|rest| rest.strip_prefix('-'))
        .and_then(|rest| rest.strip_suffix(".rlib"))
        .is_some_and(|hash| !hash.is_empty() && !hash.contains('-'))
}

/// The name of a toolchain that lies where rustup puts them.
fn rustup_name(sysroot: &Path) -> Option<String> {
    let is_rustups = sysroot.parent()?.file_name()? == "toolchains";
    is_rustups.then(|| {
        sysroot
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
    })?
}

fn numbers(release: &str) -> Option<(u32, u32)> {
    let mut parts = release.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_are_compared_as_numbers() {
        assert_eq!(numbers("1.95.0"), Some((1, 95)));
        assert_eq!(numbers("1.100.0-nightly"), Some((1, 100)));
        assert_eq!(numbers("x"), None);
    }

    #[test]
    fn a_library_is_known_by_its_whole_name() {
        assert!(is_library_of("std", "libstd-2c19544a9276d693.rlib"));
        assert!(!is_library_of("std", "libstd_detect-a9abdf2d83b659e9.rlib"));
        assert!(!is_library_of("std", "libstd-2c19544a9276d693.rmeta"));
    }

    #[test]
    fn only_rustups_folders_name_a_toolchain() {
        assert_eq!(
            rustup_name(Path::new("/h/.rustup/toolchains/stable-x")),
            Some("stable-x".into())
        );
        assert_eq!(rustup_name(Path::new("/usr")), None);
    }
}
