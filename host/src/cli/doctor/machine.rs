//! Toolchain, confinement, cache, SDK, keys.
#![expect(
    clippy::disallowed_methods,
    reason = "tells which provider keys are set, never their values"
)]

use std::path::Path;

use super::super::arguments::DoctorArguments;
use super::Check;
use crate::compile::{self, Means};
use crate::environment::{self, Role, VARIABLES};
use crate::error::Explain;
use crate::toolchain::{
    self, CacheState, Examined, OLDEST_RUSTC, Replaceable, Sdks, TARGET, ToolchainError, quoted,
};
use crate::trace::figures::size;

/// Bytes that the compiled SDK takes on a disk, with what is needed while it is made.
const SDK_SPACE: u64 = 200 << 20;

/// Bytes that runs need for their work folders and verdicts.
const WORK_SPACE: u64 = 64 << 20;

/// Files that an SDK and some runs need.
const FILES: u64 = 1000;

/// How Rust is installed where there is nothing of it yet.
const INSTALL: &str =
    "curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y --default-toolchain";

pub(super) fn checks(arguments: &DoctorArguments) -> Vec<Check> {
    let given = arguments.engine.cache_dir.as_deref();
    let cache = toolchain::look_at_cache(given);
    let folder = cache.as_ref().ok().map(|cache| cache.folder.as_path());
    let examined = toolchain::examine(folder);
    let mut checks = vec![rustup(&examined)];
    checks.push(rustc(&examined));
    if let Ok(compiler) = &examined.compiler {
        checks.push(target(&examined));
        checks.push(Check::ok("rust-lld", compiler.lld.display().to_string()));
    }
    checks.extend(confinement(&compile::means(), arguments));
    match &cache {
        Err(error) => checks.push(Check::failed("cache", error, Some(cache_mend(error)))),
        Ok(state) => {
            checks.push(Check::ok(
                "cache",
                match state.exists {
                    true => format!("{}, yours alone", state.folder.display()),
                    false => format!("{} (the first run makes it)", state.folder.display()),
                },
            ));
            checks.push(space(state, &examined, given));
        }
    }
    checks.extend(sdk(&examined, given));
    checks.push(keys());
    checks
}

fn rustup(examined: &Examined) -> Check {
    match &examined.rustup {
        Some(rustup) => Check::ok("rustup", rustup.display().to_string()),
        // Nothing is asked of it while compiler and target are there.
        None if matches!(examined.target, Some(Ok(_))) => {
            Check::ok("rustup", "not on PATH, and not needed")
        }
        None => match &examined.beside_path {
            Some(folder) => Check::warning("rustup", "not on PATH", on_path(folder)),
            None => Check::warning("rustup", "not on PATH", install()),
        },
    }
}

fn rustc(examined: &Examined) -> Check {
    let error = match &examined.compiler {
        Ok(compiler) => {
            return Check::ok(
                "rustc",
                format!("{}, {}", compiler.version, compiler.rustc.display()),
            );
        }
        Err(error) => error,
    };
    let has_rustup = examined.rustup.is_some();
    let (major, minor) = OLDEST_RUSTC;
    let mend = match (error, &examined.beside_path) {
        (_, Some(folder)) => on_path(folder),
        (ToolchainError::OldRustc { .. }, _) if has_rustup => {
            "rustup update stable && rustup default stable".to_owned()
        }
        (ToolchainError::NoRustc | ToolchainError::BrokenRustc { .. }, _) if has_rustup => {
            "rustup default stable".to_owned()
        }
        (ToolchainError::NoLinker { .. }, _) if has_rustup => {
            format!("rustup toolchain install {major}.{minor} && rustup default {major}.{minor}")
        }
        _ => install(),
    };
    let name = match error {
        ToolchainError::NoLinker { .. } => "rust-lld",
        _ => "rustc",
    };
    Check::failed(name, error, Some(mend))
}

fn target(examined: &Examined) -> Check {
    match &examined.target {
        Some(Ok(folder)) => Check::ok("target", format!("{TARGET}, {}", folder.display())),
        Some(Err(
            error @ ToolchainError::NoTarget {
                toolchain: None, ..
            },
        )) => Check::failed("target", error, Some(install())),
        // Its hint is the command.
        Some(Err(error)) => Check::failed("target", error, error.hint()),
        None => Check::missing("target", "not looked for without a compiler", install()),
    }
}

/// What adds the folder where rustup puts its programs.
fn on_path(folder: &Path) -> String {
    format!("export PATH={}:\"$PATH\"", quoted(folder))
}

fn install() -> String {
    let (major, minor) = OLDEST_RUSTC;
    format!("{INSTALL} {major}.{minor} --target {TARGET}")
}

fn confinement(means: &Means, arguments: &DoctorArguments) -> Vec<Check> {
    let allowed = arguments.engine.allow_unconfined_compile;
    let plan = arguments.plan.as_deref().unwrap_or(Path::new("PLAN"));
    let mend = format!("lacuna run {} --allow-unconfined-compile", quoted(plan));
    let landlock = match means.landlock {
        Some(version) => Check::ok(
            "landlock",
            format!("interface {version}: {} are closed", means.covers),
        ),
        None if allowed => Check::ok(
            "landlock",
            "none in this kernel; the compiler may run unconfined, as you say",
        ),
        None => Check::missing(
            "landlock",
            "this kernel has none (Linux 5.19 or newer), so rustc could read your files; if you trust the model's code with them, allow it",
            mend,
        ),
    };
    let network = match &means.network {
        None => Check::ok("seccomp", "closes the network"),
        Some(reason) if allowed => Check::ok("seccomp", format!("{reason}; allowed, as you say")),
        Some(reason) => Check::missing(
            "seccomp",
            reason.clone(),
            format!("lacuna run {} --allow-unconfined-compile", quoted(plan)),
        ),
    };
    let limits = match means.limits {
        true => Check::ok("rlimits", "memory, CPU time and file size"),
        false => Check::missing("rlimits", "this process may use nothing", "ulimit -S -H -a"),
    };
    vec![landlock, network, limits]
}

fn cache_mend(error: &ToolchainError) -> String {
    let user = rustix::process::geteuid().as_raw();
    // The one place where everybody can make a folder and nobody can replace another's.
    let elsewhere = format!("export LACUNA_CACHE_DIR=/var/tmp/lacuna-{user}");
    match error {
        ToolchainError::CacheOpen { folder } => format!(
            "chmod go-w {0} && lacuna cache clean --all --cache-dir {0}",
            quoted(folder)
        ),
        ToolchainError::CacheReplaceable {
            parent,
            why: Replaceable::Open,
            ..
        } => {
            format!("chmod go-w {}", quoted(parent))
        }
        _ => elsewhere,
    }
}

fn space(state: &CacheState, examined: &Examined, given: Option<&Path>) -> Check {
    let whole = matches!(examined.sdk, Some(Sdks::Whole(_)));
    let needed = match whole {
        true => WORK_SPACE,
        false => SDK_SPACE + WORK_SPACE,
    };
    let free = size(state.free);
    let mend = format!("lacuna cache clean --all{}", flag(given));
    if state.free < needed {
        let found = format!("{free} free, {} are needed", size(needed));
        return Check::missing("disk", found, mend);
    }
    match state.free_files {
        Some(files) if files < FILES => {
            let found = format!("{files} files can be made, {FILES} are needed");
            Check::missing("disk", found, mend)
        }
        Some(files) => Check::ok("disk", format!("{free} and {files} files free")),
        None => Check::ok("disk", format!("{free} free")),
    }
}

fn sdk(examined: &Examined, given: Option<&Path>) -> Option<Check> {
    Some(match examined.sdk.as_ref()? {
        Sdks::Whole(folder) => Check::ok("sdk", folder.display().to_string()),
        Sdks::Absent => Check::ok(
            "sdk",
            "not compiled yet: the first run does it, in some seconds",
        ),
        Sdks::Damaged(file) => Check::missing(
            "sdk",
            format!("`{}` is not what was written", file.display()),
            format!("lacuna cache clean --kind sdk{}", flag(given)),
        ),
    })
}

fn flag(given: Option<&Path>) -> String {
    given.map_or_else(String::new, |folder| {
        format!(" --cache-dir {}", quoted(folder))
    })
}

/// Names only: a value is nobody's business.
fn keys() -> Check {
    let set: Vec<&str> = VARIABLES
        .iter()
        .filter(|variable| matches!(variable.role, Role::Key | Role::Address))
        .map(|variable| variable.name)
        .filter(|name| is_set(name))
        .collect();
    if set.is_empty() {
        let names = environment::KEYS.join(", ");
        return Check::warning(
            "keys",
            format!(
                "none of {names} is set: only recorded answers, programs and people can be asked"
            ),
            "export OPENAI_API_KEY=YOUR-KEY",
        );
    }
    Check::ok("keys", format!("{} set", set.join(", ")))
}

fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.to_string_lossy().trim().is_empty())
}
