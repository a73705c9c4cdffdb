//! Confinement: starts a compiler or linker that can read the toolchain, write one folder and do nothing else.
//!
//! A thread of its own restricts itself with Landlock and a filter of system calls and then spawns: the child inherits the
//! restriction, no `unsafe` is needed, and the rest of the host keeps its rights. The child gets its source on standard input, and only after
//! its resource limits stand, so there is no moment at which it works on foreign text without them.

#![expect(
    clippy::disallowed_methods,
    reason = "starts the compiler and its linker, and looks which system libraries exist"
)]

pub(super) mod means;
mod network;
#[cfg(test)]
mod tests;

use std::io::{Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use crate::layer::{self, Layer};
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd,
    Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetStatus, Scope as LandlockScope,
};
use rustix::process::{Pid, Resource, Rlimit, Signal, WaitId, WaitIdOptions};

/// Address space that rustc maps before it looks at any source: its driver, LLVM, thread stacks and the rlibs
/// (405 MB measured with rustc 1.95), rounded up. `rustc-memory` counts from here.
const COMPILER_MAPPINGS: u64 = 512 * 1024 * 1024;

/// Files a compiler may have open at once: rlibs, sources, outputs; the default of 1024 and more is of no use to it.
const OPEN_FILES: u64 = 256;

/// Stack of the thread that watches a compiler, in bytes, whatever RUST_MIN_STACK says.
const SUPERVISOR_STACK: usize = 2 * 1024 * 1024;

/// Oldest Landlock interface that is accepted: the first one cannot allow a move between folders, which rustc needs.
const LEAST: ABI = ABI::V2;

/// Newest Landlock interface whose rights are asked for; an older kernel gives what it has.
const LANDLOCK: ABI = ABI::V6;

/// System libraries that rustc and rust-lld load, and what the loader reads to find them.
const SYSTEM_LIBRARIES: [&str; 12] = [
    "ld-linux-x86-64.so.2",
    "ld-linux-aarch64.so.1",
    "libc.so.6",
    "libdl.so.2",
    "libgcc_s.so.1",
    "libm.so.6",
    "libpthread.so.0",
    "librt.so.1",
    "libz.so.1",
    "libstdc++.so.6",
    "libatomic.so.1",
    "libzstd.so.1",
];

/// Folders where [`SYSTEM_LIBRARIES`] stand on the usual distributions.
const SYSTEM_FOLDERS: [&str; 10] = [
    "/lib64",
    "/lib",
    "/usr/lib64",
    "/usr/lib",
    "/lib/x86_64-linux-gnu",
    "/usr/lib/x86_64-linux-gnu",
    "/lib/aarch64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/local/lib",
    "/usr/local/lib64",
];

/// What may be done by a child, and for how long.
#[derive(Clone, Debug)]
pub(super) struct Confinement {
    /// Files and folders that can be read and executed.
    pub(super) readable: Vec<PathBuf>,
    /// The one folder that can be written; also the current folder.
    pub(super) folder: PathBuf,
    /// Off only with `--allow-unconfined-compile`.
    pub(super) landlock: bool,
    /// CPU time.
    pub(super) cpu: Duration,
    /// Wall time.
    pub(super) wall: Duration,
    /// Bytes of address space beyond [`COMPILER_MAPPINGS`].
    pub(super) memory: u64,
    /// Bytes of the largest file.
    pub(super) files: u64,
    /// Bytes of standard error that are kept; a child that writes more is killed.
    pub(super) output: usize,
}

/// What the child reads from standard input.
pub(super) enum Input {
    /// This text.
    Bytes(Vec<u8>),
    /// What another step will send; a dropped sender means that the child is not needed.
    Later(mpsc::Receiver<Vec<u8>>),
}

/// How a child ended.
#[derive(Debug)]
pub(super) struct Finished {
    /// Its exit status.
    pub(super) status: ExitStatus,
    /// Its standard error, cut at [`Confinement::output`].
    pub(super) stderr: Vec<u8>,
    /// Whether it wrote more than that.
    pub(super) flooded: bool,
}

/// How many times [`Confinement::output`] is read and dropped before the child is killed for writing on.
const DROPPED: u64 = 15;

/// Why there is no [`Finished`].
#[derive(Debug)]
pub(super) enum Stopped {
    /// It ran longer than [`Confinement::wall`] and was killed with its process group.
    Wall,
    /// It could not be started or confined.
    Machine(std::io::Error),
}

/// Whether this kernel can confine a child at all.
pub(super) fn available() -> bool {
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(LEAST))
        .and_then(Ruleset::create)
        .is_ok()
}

/// Runs `program` confined. Dropping the future kills the child with its process group.
pub(super) async fn run(
    program: PathBuf,
    arguments: Vec<String>,
    input: Input,
    confinement: Confinement,
) -> Result<Finished, Stopped> {
    let wall = confinement.wall;
    let group = Arc::new(Group::default());
    let _killed_on_drop = KillOnDrop(Arc::clone(&group));
    let (send, receive) = tokio::sync::oneshot::channel();
    std::thread::Builder::new()
        .name("lacuna-compile".to_owned())
        .stack_size(SUPERVISOR_STACK)
        .spawn(move || {
            let outcome = supervise(&program, &arguments, input, &confinement, &group);
            // The receiver is gone when the judgement was cancelled.
            let _ = send.send(outcome);
        })
        .map_err(Stopped::Machine)?;
    match tokio::time::timeout(wall, receive).await {
        Ok(Ok(finished)) => finished.map_err(Stopped::Machine),
        Ok(Err(_)) => Err(Stopped::Machine(std::io::Error::other(
            "the thread that watches the compiler ended early",
        ))),
        Err(_) => Err(Stopped::Wall),
    }
}

/// The process group of a child, as long as it may be signalled.
#[derive(Default)]
struct Group(Mutex<GroupState>);

#[derive(Default)]
enum GroupState {
    /// Not spawned yet.
    #[default]
    Waiting,
    /// The group's leader is alive, or dead and not yet reaped: its number is not used by anyone else.
    Running(Pid),
    /// Reaped, or never to be started.
    Over,
}

impl Group {
    fn kill(&self) {
        let mut state = self
            .0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        match *state {
            GroupState::Running(pid) => {
                let _ = rustix::process::kill_process_group(pid, Signal::KILL);
            }
            GroupState::Waiting => *state = GroupState::Over,
            GroupState::Over => {}
        }
    }
}

/// Kills the group when the future that waits for it is dropped: a timeout, or Ctrl-C.
struct KillOnDrop(Arc<Group>);

impl Drop for KillOnDrop {
    fn drop(&mut self) {
        self.0.kill();
    }
}

/// Blocking: restricts this thread, spawns, limits, feeds, reads and reaps.
fn supervise(
    program: &Path,
    arguments: &[String],
    input: Input,
    confinement: &Confinement,
    group: &Group,
) -> std::io::Result<Finished> {
    // Opened before the restriction, which does not include it.
    let nowhere = std::fs::OpenOptions::new().write(true).open("/dev/null")?;
    if confinement.landlock {
        restrict(program, confinement)?;
        network::close()?;
    } else if layer::stands(Layer::Confinement) {
        // As far as this machine goes: it was told that nothing is asked of it.
        let _ = network::close();
    }
    let mut child = {
        let mut state = group
            .0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        if matches!(*state, GroupState::Over) {
            return Err(std::io::Error::other("cancelled before the start"));
        }
        let mut command = Command::new(program);
        if layer::stands(Layer::Confinement) {
            command.env_clear();
        }
        let child = command
            .args(arguments)
            // Otherwise a crashing rustc writes a report file with host paths.
            .env("RUSTC_ICE", "0")
            .current_dir(&confinement.folder)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::from(nowhere))
            .stderr(Stdio::piped())
            .spawn()?;
        match i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
            Some(pid) => *state = GroupState::Running(pid),
            None => return Err(std::io::Error::other("the child has no process number")),
        }
        child
    };
    let limited = if layer::stands(Layer::Confinement) {
        limit(&child, confinement)
    } else {
        Ok(())
    };
    let fed = limited.and_then(|()| feed(&mut child, input));
    let read = match fed {
        Ok(()) => read_capped(&mut child, confinement.output),
        Err(error) => Err(error),
    };
    if !matches!(read, Ok((_, false))) {
        group.kill();
    }
    let status = reap(&mut child, group)?;
    let (stderr, flooded) = read?;
    Ok(Finished {
        status,
        stderr,
        flooded,
    })
}

/// Takes from this thread, and so from the child it spawns, every right but those of `confinement`.
fn restrict(program: &Path, confinement: &Confinement) -> std::io::Result<()> {
    let run: BitFlags<AccessFs> = AccessFs::ReadFile | AccessFs::ReadDir | AccessFs::Execute;
    let write: BitFlags<AccessFs> = AccessFs::ReadFile
        | AccessFs::ReadDir
        | AccessFs::WriteFile
        | AccessFs::Truncate
        // rustc moves a finished library from a folder of its own.
        | AccessFs::Refer
        | AccessFs::MakeReg
        | AccessFs::MakeDir
        | AccessFs::RemoveFile
        | AccessFs::RemoveDir;
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(LEAST))
        .map_err(std::io::Error::other)?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(LANDLOCK))
        .and_then(|ruleset| ruleset.handle_access(AccessNet::from_all(LANDLOCK)))
        .and_then(|ruleset| ruleset.scope(LandlockScope::from_all(LANDLOCK)))
        .and_then(Ruleset::create)
        .map_err(std::io::Error::other)?;
    let program = std::iter::once(program.to_owned());
    let readable = confinement.readable.iter().cloned();
    for (path, access) in program
        .chain(readable)
        .chain(system_files())
        .map(|path| (path, run))
        .chain(std::iter::once((confinement.folder.clone(), write)))
    {
        let access = match std::fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => access,
            // Rights on folders make no sense for a file, and Landlock refuses them.
            Ok(_) => access & AccessFs::from_file(LANDLOCK),
            Err(_) => continue,
        };
        let Ok(opened) = PathFd::new(&path) else {
            continue;
        };
        ruleset = ruleset
            .add_rule(PathBeneath::new(opened, access))
            .map_err(std::io::Error::other)?;
    }
    let status = ruleset.restrict_self().map_err(std::io::Error::other)?;
    if status.ruleset == RulesetStatus::NotEnforced || !status.no_new_privs {
        return Err(std::io::Error::other("the kernel did not enforce Landlock"));
    }
    Ok(())
}

/// The loader, its cache, and the libraries: single files, so nothing else of their folders can be read.
fn system_files() -> impl Iterator<Item = PathBuf> {
    let libraries = SYSTEM_FOLDERS.iter().flat_map(|folder| {
        SYSTEM_LIBRARIES
            .iter()
            .map(move |name| Path::new(folder).join(name))
    });
    std::iter::once(PathBuf::from("/etc/ld.so.cache")).chain(libraries)
}

/// Sets the child's resource limits. It has read nothing of the snippet yet: its root file is standard input, which is
/// written only after this.
///
/// `RLIMIT_NPROC` is left alone on purpose: it counts all threads of the user, so a number that protects also breaks a
/// busy machine. What the child starts is in its process group, and execution is limited to the toolchain.
fn limit(child: &Child, confinement: &Confinement) -> std::io::Result<()> {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let cpu = confinement.cpu.as_secs() + u64::from(confinement.cpu.subsec_nanos() > 0);
    let memory = COMPILER_MAPPINGS.saturating_add(confinement.memory);
    for (resource, soft, hard) in [
        // The soft limit is a signal that names the limit, the hard one a second later cannot be survived.
        (Resource::Cpu, cpu, cpu.saturating_add(1)),
        (Resource::As, memory, memory),
        (Resource::Fsize, confinement.files, confinement.files),
        (Resource::Core, 0, 0),
        (Resource::Nofile, OPEN_FILES, OPEN_FILES),
    ] {
        let limit = Rlimit {
            current: Some(soft),
            maximum: Some(hard),
        };
        match rustix::process::prlimit(pid, resource, limit) {
            Ok(_) => {}
            // A machine whose own hard limit is lower than ours keeps its own.
            Err(rustix::io::Errno::PERM) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Writes standard input and closes it.
fn feed(child: &mut Child, input: Input) -> std::io::Result<()> {
    let Some(mut stdin) = child.stdin.take() else {
        return Ok(());
    };
    let bytes = match input {
        Input::Bytes(bytes) => bytes,
        Input::Later(receiver) => receiver
            .recv()
            .map_err(|_| std::io::Error::other("the input never came"))?,
    };
    match stdin.write_all(&bytes) {
        // A child that died early says why on standard error and in its status.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Standard error, at most `cap` of it. What follows is read and dropped, up to a multiple of that: the compiler writes
/// its list of opened files behind its messages, and without the list none of their words may be used.
fn read_capped(child: &mut Child, cap: usize) -> std::io::Result<(Vec<u8>, bool)> {
    let mut text = Vec::new();
    let mut flooded = false;
    if let Some(mut stderr) = child.stderr.take() {
        let cap = cap as u64;
        (&mut stderr).take(cap).read_to_end(&mut text)?;
        let rest = stderr.take(cap.saturating_mul(DROPPED));
        flooded = std::io::copy(&mut { rest }, &mut std::io::sink())? > 0;
    }
    Ok((text, flooded))
}

/// Waits without reaping, ends what is left of the group, then reaps: the number is never signalled after it is free.
fn reap(child: &mut Child, group: &Group) -> std::io::Result<ExitStatus> {
    if let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        loop {
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            match rustix::process::waitid(WaitId::Pid(pid), options) {
                Err(rustix::io::Errno::INTR) => {}
                _ => break,
            }
        }
    }
    group.kill();
    let mut state = group
        .0
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    let status = child.wait();
    *state = GroupState::Over;
    status
}

/// The signal that ended a child, as a number.
pub(super) fn signal_of(status: ExitStatus) -> Option<i32> {
    status.signal()
}
