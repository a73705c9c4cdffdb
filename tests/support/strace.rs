//! Runs the program under `strace` and reads what its processes asked of the kernel.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use super::plan::Plan;
use super::program::{self, Ended};

/// Everything that takes a name, starts a process or uses the network, and the ways round these; `?` is for kernels and
/// versions of strace that don't know a call.
const CALLS: &str = "trace=%file,%network,%process,?io_uring_setup,?open_by_handle_at,?ptrace,?process_vm_readv,\
                     ?process_vm_writev,?pidfd_getfd,?pidfd_open,?bpf,?mount,?fchdir,?fchmod,?fchown,?ftruncate";

/// One call of the kernel.
#[derive(Debug)]
pub(crate) struct Call {
    /// `openat`.
    pub(crate) name: String,
    /// The text as strace wrote it.
    pub(crate) line: String,
    /// The paths that it names, absolute and without `..`. None of a file that was opened before.
    pub(crate) paths: Vec<PathBuf>,
}

/// One process from the program that it became on, its threads included.
#[derive(Debug)]
pub(crate) struct Process {
    /// Its number.
    pub(crate) pid: u32,
    /// The call that started its program.
    pub(crate) command: String,
    /// What it asked for.
    pub(crate) calls: Vec<Call>,
}

/// `lacuna` with these arguments, and every process that it started.
///
/// # Panics
/// Where there is no strace, or it may not trace.
pub(crate) fn run(
    plan: &Plan,
    arguments: &[&str],
    environment: &[(&str, &str)],
) -> (Ended, Vec<Process>) {
    may_trace();
    let folder = program::scratch();
    let mut strace = Command::new("strace");
    // A file a thread, so that no line is cut by another thread's.
    strace.args([
        "-ff",
        "-qq",
        "-y",
        "-s",
        "8192",
        "-e",
        "signal=none",
        "-e",
        CALLS,
        "-o",
    ]);
    strace.arg(folder.join("trace"));
    let ended = program::run_under(strace, &plan.folder, arguments, environment);
    let mut threads = BTreeMap::new();
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let pid: u32 = path.extension().unwrap().to_str().unwrap().parse().unwrap();
        threads.insert(pid, fs::read_to_string(&path).unwrap());
    }
    fs::remove_dir_all(&folder).unwrap();
    let starts = |text: &str| text.lines().any(|line| line.starts_with("execve("));
    let processes = threads
        .iter()
        .filter(|(_, text)| starts(text))
        .map(|(pid, _)| process(*pid, &threads))
        .collect();
    (ended, processes)
}

/// Says what to do where there is no strace, or it is not allowed to do anything.
fn may_trace() {
    let output = match Command::new("strace")
        .args(["-qq", "-o", "/dev/null", "true"])
        .output()
    {
        Ok(output) => output,
        Err(error) => panic!("strace does not start ({error}); install it: apt-get install strace"),
    };
    assert!(
        output.status.success(),
        "strace may not trace here; allow it (kernel.yama.ptrace_scope below 3, in a container `--cap-add SYS_PTRACE`): {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

fn process(pid: u32, threads: &BTreeMap<u32, String>) -> Process {
    let text = &threads[&pid];
    let start = text
        .lines()
        .position(|line| line.starts_with("execve(") && line.ends_with("= 0"));
    let start = start.unwrap_or_else(|| panic!("no program was started:\n{text}"));
    let command = text.lines().nth(start).unwrap().to_owned();
    let mut folder = PathBuf::from("/");
    for line in text
        .lines()
        .take(start)
        .filter(|line| line.starts_with("chdir("))
    {
        folder = folder.join(&quoted(line)[0].1);
    }
    let mut calls = Vec::new();
    let mut waiting = vec![(pid, start)];
    while let Some((thread, from)) = waiting.pop() {
        let text = threads.get(&thread).map_or("", String::as_str);
        for line in text.lines().skip(from) {
            let call = call(line, &folder);
            if is_thread(&call) {
                // None when the process was killed in the middle of the call.
                let number = line.rsplit("= ").next();
                let number = number.and_then(|number| number.parse().ok());
                waiting.extend(number.map(|thread| (thread, 0)));
            }
            calls.push(call);
        }
    }
    Process {
        pid,
        command,
        calls,
    }
}

/// Whether the call starts a thread and not a process.
pub(crate) fn is_thread(call: &Call) -> bool {
    call.name.starts_with("clone") && call.line.contains("CLONE_THREAD")
}

/// Reads one line of a process whose current folder is `folder`.
pub(crate) fn call(line: &str, folder: &Path) -> Call {
    let name = line.split('(').next().unwrap_or_default().to_owned();
    let mut texts = quoted(line);
    match name.as_str() {
        // Behind the name stands what was found, or what the program is told.
        "execve" | "execveat" | "readlink" | "readlinkat" => texts.truncate(1),
        "getcwd" => texts.clear(),
        // The file of a descriptor is the only thing that is named.
        "fchmod" | "fchown" | "ftruncate" | "fchdir" => texts.extend(descriptor(line)),
        _ => {}
    }
    let paths = texts
        .into_iter()
        .filter(|(_, text)| !text.is_empty())
        .map(|(base, text)| plain(&folder.join(base).join(text)))
        .collect();
    Call {
        name,
        line: line.to_owned(),
        paths,
    }
}

/// The file of the first descriptor: `3</file>`.
fn descriptor(line: &str) -> Option<(String, String)> {
    let (_, after) = line.split_once('<')?;
    let (file, _) = after.split_once('>')?;
    Some((String::new(), unescaped(file)))
}

/// The texts in quotes, each with the folder of the descriptor before it, if there is one: `3</folder>, "name"`.
fn quoted(line: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('"') {
        let base = before
            .strip_suffix(">, ")
            .and_then(|before| before.rsplit_once('<'));
        let base = base.map_or_else(String::new, |(_, folder)| unescaped(folder));
        let mut end = 0;
        while !after[end..].starts_with('"') {
            end += if after[end..].starts_with('\\') { 2 } else { 1 };
        }
        found.push((base, unescaped(&after[..end])));
        rest = &after[end + 1..];
    }
    found
}

/// The bytes that strace writes as `\303` or `\"`, as text.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        rest = tail;
        if *first != b'\\' {
            bytes.push(*first);
            continue;
        }
        let octal = rest
            .iter()
            .take(3)
            .take_while(|byte| (b'0'..b'8').contains(*byte))
            .count();
        let number = rest[..octal]
            .iter()
            .fold(0u32, |number, byte| number * 8 + u32::from(byte - b'0'));
        bytes.push(if octal == 0 { rest[0] } else { number as u8 });
        rest = &rest[octal.max(1)..];
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}
