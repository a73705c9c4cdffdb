//! The compiler and its linker: which processes run, with which arguments, and what their end means.

#![expect(
    clippy::disallowed_methods,
    reason = "writes sources into a work folder and reads what came out"
)]

use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use futures_util::future::{Either, select};

use super::CompileError;
use super::abi::CoreNames;
use super::confine::{self, Confinement, Finished, Input, Stopped};
use super::depinfo::{self, Opened};
use super::message::{self, Message, Output};
use super::symbols;
use crate::budget::CompileLimits;
use crate::layer::{self, Layer};
use crate::scope::exports::{self, MARK};
use crate::toolchain::{
    BINDINGS_CRATE, BINDINGS_FLAGS, LINK_FLAGS, SNIPPET_FLAGS, Toolchain, UNSAFE_LINT,
};

/// Bytes of standard error that are read: a snippet of 64 KiB can bring thousands of messages of some KiB each, of
/// which the first 64 are shown.
const OUTPUT: usize = 16 * 1024 * 1024;

/// The crate's root, given on standard input. It uses no macro by bare name, and the module stands last: a snippet's
/// `#[macro_export]` macros land in the crate's root. It has the names of the scope and no others, so that
/// `use crate::Item` and `use super::Item` are what their authors take them for.
const ROOT: &str = "#[allow(unused_imports)] use ::__lacuna_bindings::scope::*;\nmod snippet;\n";

/// What the library of the bindings calls the folder that it was compiled in.
const BINDINGS_FOLDER: &str = "/bindings";

/// The signals that tell of a limit or of a crash, as Linux numbers them on every platform that is supported.
mod signal {
    pub(super) const ILL: i32 = 4;
    pub(super) const ABRT: i32 = 6;
    pub(super) const BUS: i32 = 7;
    pub(super) const KILL: i32 = 9;
    pub(super) const SEGV: i32 = 11;
    pub(super) const XCPU: i32 = 24;
    pub(super) const XFSZ: i32 = 25;
}

/// What allocators, LLVM and the kernel say when the address space is used up.
const OUT_OF_MEMORY: [&str; 6] = [
    // The stack of a thread is address space too.
    "failed to spawn thread",
    "memory allocation of ",
    "out of memory",
    "Cannot allocate memory",
    "failed to allocate",
    "bad_alloc",
];

/// What rustc says (E0080) when the value of a constant does not fit into the address space.
const OUT_OF_MEMORY_IN_CONSTANT: &str = "tried to allocate more memory than available to compiler";

/// What the system says of a disk that is full, or of a user's share of it.
const FULL: [&str; 2] = ["No space left on device", "Disk quota exceeded"];

/// Bytes: an object of an empty snippet takes more.
const NEARLY_FULL: u64 = 256 * 1024;

/// Folders of the system that hold far more than a compiler loads.
const SYSTEM: [&str; 5] = ["/lib", "/lib64", "/lib32", "/usr/lib", "/usr/lib64"];

/// Exit code of a rustc that panicked.
const INTERNAL_ERROR: i32 = 101;

/// What came of one run of compiler and linker.
#[derive(Debug)]
pub(super) enum Outcome {
    /// A core module.
    Module(Vec<u8>),
    /// The compiler refused; its messages are about the snippet alone.
    Refused(Vec<Message>),
    /// The compiler refused before it listed what it had opened: of its messages only places may be used.
    RefusedEarly(Vec<Message>),
    /// The compiler opened something else than the snippet: nothing it says may be used.
    OpenedMore,
    /// Functions of the object have names that the compiler does not give.
    Named(Vec<String>),
    /// The linker found symbols that nothing defines.
    Undefined(Vec<String>),
    /// A limit, or a crash that stands for one.
    Limit(Limit),
}

/// A limit of the compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Limit {
    /// Key of `limits`; none for a crash.
    pub(super) name: Option<&'static str>,
    /// What happened, a whole sentence without its full stop.
    pub(super) message: String,
}

/// What a snippet is compiled with and where.
pub(super) struct Job<'a> {
    pub(super) toolchain: &'a Toolchain,
    /// The scope's rlib.
    pub(super) bindings: &'a Path,
    /// What the module exports.
    pub(super) names: &'a CoreNames,
    /// Fresh and empty.
    pub(super) folder: &'a Path,
    pub(super) landlock: bool,
}

/// Every flag that decides what comes out: part of each cache key.
pub(super) fn settings() -> String {
    let flags = [
        SNIPPET_FLAGS,
        BINDINGS_FLAGS,
        &[BINDINGS_FOLDER],
        LINK_FLAGS,
    ];
    flags.concat().join("\n") + layer::settings()
}

/// Compiles `snippet.rs` and links it.
pub(super) async fn build(
    job: &Job<'_>,
    module: &str,
    limits: &CompileLimits,
) -> Result<Outcome, CompileError> {
    let Job {
        toolchain,
        bindings,
        folder,
        landlock,
        ..
    } = *job;
    write(&folder.join("snippet.rs"), module)?;
    // The linker has a folder of its own: nothing that the compiler leaves behind can be taken for its output.
    let link_folder = folder.join("link");
    std::fs::create_dir(&link_folder)
        .map_err(|source| CompileError::folder("make", &link_folder, source))?;
    let mut readable = readable(toolchain);
    // Its folder, not the file: another process that makes the same bindings replaces the file by an equal one.
    readable.push(bindings.parent().unwrap_or(bindings).to_owned());
    let confinement = confinement(limits, folder, readable, landlock);
    let link_confinement = Confinement {
        folder: link_folder.clone(),
        ..confinement.clone()
    };

    let compile = confine::run(
        toolchain.rustc.clone(),
        snippet_arguments(job),
        Input::Bytes(ROOT.as_bytes().to_vec()),
        confinement,
    );
    // Started now, so that its 10 ms of start-up run beside the compiler.
    let (sender, receiver) = mpsc::channel();
    let link = confine::run(
        toolchain.lld.clone(),
        link_arguments(job),
        Input::Later(receiver),
        link_confinement,
    );
    let (compiled, link) = match select(Box::pin(compile), Box::pin(link)).await {
        Either::Left((compiled, link)) => (compiled, Either::Left(link)),
        Either::Right((linked, compile)) => (compile.await, Either::Right(linked)),
    };
    let compiled = match ended(compiled, limits)? {
        Ended::Limit(limit) => return limit_or_full(limit, folder),
        Ended::Normal(finished) => finished,
    };
    let output = message::parse(&compiled.stderr);
    let failed = !compiled.status.success();
    if failed && could_not_write(&output) {
        return Err(CompileError::Full(folder.to_owned()));
    }
    let listed = std::fs::read(folder.join(depinfo::FILE)).ok();
    let opened = depinfo::opened(listed.as_deref());
    let opened = if layer::stands(Layer::DepInfo) {
        opened
    } else {
        Opened::SnippetAlone
    };
    if layer::stands(Layer::DepInfo) && failed && output.messages.iter().any(is_about_a_file) {
        // The list has no file that could not be read, and its absence and its protection must look the same.
        return Ok(Outcome::OpenedMore);
    }
    match opened {
        Opened::More => return Ok(Outcome::OpenedMore),
        Opened::Unknown => {
            return Ok(if failed {
                Outcome::RefusedEarly(output.messages)
            } else {
                Outcome::OpenedMore
            });
        }
        Opened::SnippetAlone if failed => return Ok(Outcome::Refused(output.messages)),
        Opened::SnippetAlone => {}
    }
    let bytes = std::fs::read(folder.join("o.o"))
        .map_err(|source| CompileError::folder("read the object in", folder, source))?;
    let named = symbols::foreign_names(&bytes, job.names)
        .map_err(|error| CompileError::Linker(error.message().to_owned()))?;
    if layer::stands(Layer::Lint) && !named.is_empty() {
        return Ok(Outcome::Named(named));
    }
    // A linker that is gone already is reported by its own end.
    let _ = sender.send(bytes);
    drop(sender);
    let linked = match link {
        Either::Left(link) => link.await,
        Either::Right(linked) => linked,
    };
    let linked = match ended(linked, limits)? {
        Ended::Limit(limit) => return limit_or_full(limit, folder),
        Ended::Normal(finished) => finished,
    };
    if !linked.status.success() {
        let text = String::from_utf8_lossy(&linked.stderr);
        if is_about_space(&text) {
            return Err(CompileError::Full(folder.to_owned()));
        }
        let undefined = undefined_symbols(&text);
        if undefined.is_empty() {
            return Err(CompileError::Linker(first_line(&text)));
        }
        return Ok(Outcome::Undefined(undefined));
    }
    let wasm = std::fs::read(link_folder.join("o.wasm"))
        .map_err(|source| CompileError::folder("read the module in", &link_folder, source))?;
    exports::unmark(&wasm)
        .map(Outcome::Module)
        .map_err(|error| CompileError::Linker(error.message().to_owned()))
}

/// Compiles `bindings.rs` to `libbindings.rlib` in `folder`; the error is the compiler's own text.
pub(super) async fn build_bindings(
    toolchain: &Toolchain,
    source: &str,
    folder: &Path,
    landlock: bool,
) -> Result<PathBuf, CompileError> {
    write(&folder.join("bindings.rs"), source)?;
    let limits = CompileLimits::default();
    let confinement = confinement(&limits, folder, readable(toolchain), landlock);
    let mut arguments = strings(BINDINGS_FLAGS);
    arguments.extend(library_arguments(toolchain));
    arguments.push("--extern".to_owned());
    arguments.push(format!(
        "lacuna_rt={}",
        toolchain
            .sdk
            .dependencies
            .join("liblacuna_rt.rlib")
            .display()
    ));
    // No path of this machine gets into the library: relative names, and another name for the current folder, which rustc
    // notes in the metadata.
    arguments.push("--remap-path-prefix".to_owned());
    arguments.push(format!("{}={BINDINGS_FOLDER}", folder.display()));
    arguments.extend(strings(&["-o", "libbindings.rlib", "bindings.rs"]));
    let finished = confine::run(
        toolchain.rustc.clone(),
        arguments,
        Input::Bytes(Vec::new()),
        confinement,
    )
    .await;
    match ended(finished, &limits)? {
        Ended::Limit(limit) => match limit_or_full(limit, folder)? {
            Outcome::Limit(limit) => Err(CompileError::Bindings(limit.message)),
            _ => Err(CompileError::Bindings("a limit was met".to_owned())),
        },
        Ended::Normal(finished) if finished.status.success() => Ok(folder.join("libbindings.rlib")),
        Ended::Normal(finished) => {
            let output = message::parse(&finished.stderr);
            if could_not_write(&output) {
                return Err(CompileError::Full(folder.to_owned()));
            }
            let text = output
                .messages
                .iter()
                .find(|message| message.level.starts_with("error"))
                .map_or_else(|| first_line(&output.rest), describe);
            Err(CompileError::Bindings(text))
        }
    }
}

/// Whether a compiler ended as it does when a library of the SDK has changed: it cannot read one (the codes), or it or
/// the linker breaks. A snippet may bring the same about, so this is only a reason to look.
pub(super) fn may_be_the_sdk(built: &Result<Outcome, CompileError>) -> bool {
    const CODES: [&str; 7] = [
        "E0460", "E0461", "E0462", "E0463", "E0514", "E0519", "E0786",
    ];
    let unreadable = |message: &Message| {
        let code = message.code.as_ref();
        code.is_some_and(|code| CODES.contains(&code.code.as_str()))
    };
    match built {
        Err(error) => matches!(
            error,
            CompileError::Linker(_) | CompileError::Signal(_) | CompileError::Folder { .. }
        ),
        Ok(Outcome::Refused(messages) | Outcome::RefusedEarly(messages)) => {
            messages.iter().any(unreadable)
        }
        Ok(Outcome::Limit(limit)) => matches!(limit.name, None | Some("nesting")),
        Ok(Outcome::OpenedMore | Outcome::Undefined(_)) => true,
        Ok(Outcome::Module(_) | Outcome::Named(_)) => false,
    }
}

/// Whether the compiler could not write what it made: then its end says nothing of the snippet. Such a message has no
/// place in the text, and every message that a snippet can bring about has one.
fn could_not_write(output: &Output) -> bool {
    let told = |message: &Message| message.spans.is_empty() && is_about_space(&message.message);
    output.messages.iter().any(told) || is_about_space(&output.rest)
}

fn is_about_space(text: &str) -> bool {
    FULL.iter().any(|words| text.contains(words))
}

/// A crash on a full disk is no limit of the snippet's: files that are mapped into memory end a process so.
fn limit_or_full(limit: Limit, folder: &Path) -> Result<Outcome, CompileError> {
    let free = rustix::fs::statvfs(folder).map(|disk| disk.f_bavail.saturating_mul(disk.f_frsize));
    match free {
        Ok(free) if matches!(limit.name, None | Some("nesting")) && free < NEARLY_FULL => {
            Err(CompileError::Full(folder.to_owned()))
        }
        _ => Ok(Outcome::Limit(limit)),
    }
}

/// Whether the compiler speaks of a file that it tried to open: a missing module, or an error of the system. A snippet
/// that only prints such words loses its own text.
fn is_about_a_file(message: &Message) -> bool {
    let code = message.code.as_ref().map(|code| code.code.as_str());
    matches!(code, Some("E0583" | "E0584"))
        || message.message.contains("(os error ")
        || message.message.starts_with("couldn't read ")
        || message.children.iter().any(is_about_a_file)
}

/// The message with its line, for faults in text of ours.
fn describe(message: &Message) -> String {
    let place = message.spans.iter().find(|span| span.is_primary);
    match place {
        Some(span) => format!(
            "{} ({}:{})",
            message.message, span.file_name, span.line_start
        ),
        None => message.message.clone(),
    }
}

fn snippet_arguments(job: &Job<'_>) -> Vec<String> {
    let sdk = &job.toolchain.sdk;
    let mut arguments = strings(SNIPPET_FLAGS);
    arguments.retain(|flag| flag != UNSAFE_LINT || layer::stands(Layer::Lint));
    arguments.extend(library_arguments(job.toolchain));
    for (name, path) in [
        ("std", sdk.std.as_path()),
        ("core", sdk.core.as_path()),
        ("alloc", sdk.alloc.as_path()),
        (BINDINGS_CRATE, job.bindings),
    ] {
        if name != BINDINGS_CRATE && !layer::stands(Layer::Std) {
            continue;
        }
        arguments.push("--extern".to_owned());
        arguments.push(format!("{name}={}", path.display()));
    }
    arguments.extend(strings(&["--emit=dep-info=o.d,obj=o.o", "-"]));
    arguments
}

/// Where the libraries stand, and the form of messages.
fn library_arguments(toolchain: &Toolchain) -> Vec<String> {
    vec![
        "--sysroot".to_owned(),
        toolchain.sdk.sysroot.display().to_string(),
        "-L".to_owned(),
        format!("dependency={}", toolchain.sdk.dependencies.display()),
        "--error-format=json".to_owned(),
        // The picture of each message is never read; the short form has no copy of the line, which may be the whole text.
        "--json=diagnostic-short".to_owned(),
    ]
}

fn link_arguments(job: &Job<'_>) -> Vec<String> {
    let mut arguments = strings(LINK_FLAGS);
    arguments.extend(
        job.names
            .required
            .iter()
            .map(|name| format!("--export={MARK}{name}")),
    );
    arguments.extend(
        job.names
            .optional
            .iter()
            .map(|name| format!("--export-if-defined={MARK}{name}")),
    );
    arguments.push("/dev/stdin".to_owned());
    arguments.push(job.bindings.display().to_string());
    arguments.push(job.toolchain.sdk.prelinked.display().to_string());
    arguments.extend(strings(&["-o", "o.wasm"]));
    arguments
}

fn confinement(
    limits: &CompileLimits,
    folder: &Path,
    readable: Vec<PathBuf>,
    landlock: bool,
) -> Confinement {
    Confinement {
        readable,
        folder: folder.to_owned(),
        landlock: landlock && layer::stands(Layer::Confinement),
        cpu: limits.rustc_cpu,
        wall: limits.rustc_wall,
        memory: limits.rustc_memory,
        files: limits.rustc_files,
        output: OUTPUT,
    }
}

pub(super) fn readable(toolchain: &Toolchain) -> Vec<PathBuf> {
    let sdk = &toolchain.sdk;
    // A toolchain of its own folder needs a few system libraries, which `confine` names one by one; one that is part of
    // the system stands among them.
    let of_system = toolchain.rustc.starts_with("/usr");
    let broad = |path: &Path| SYSTEM.iter().any(|folder| path == Path::new(folder));
    let mut readable: Vec<PathBuf> = toolchain
        .readable
        .iter()
        .filter(|path| of_system || !broad(path))
        .cloned()
        .collect();
    readable.extend([
        toolchain.lld.clone(),
        sdk.sysroot.clone(),
        sdk.std.clone(),
        sdk.core.clone(),
        sdk.alloc.clone(),
        sdk.dependencies.clone(),
        sdk.prelinked.clone(),
    ]);
    readable
}

/// How a process ended, where that says something about the snippet.
enum Ended {
    Normal(Finished),
    Limit(Limit),
}

fn ended(
    finished: Result<Finished, Stopped>,
    limits: &CompileLimits,
) -> Result<Ended, CompileError> {
    let limit = |name, message: String| Ok(Ended::Limit(Limit { name, message }));
    let finished = match finished {
        Ok(finished) => finished,
        Err(Stopped::Wall) => {
            return limit(
                Some("rustc-wall"),
                format!(
                    "the compiler ran longer than `rustc-wall` allows ({})",
                    seconds(limits.rustc_wall)
                ),
            );
        }
        Err(Stopped::Machine(source)) => return Err(CompileError::Start(source)),
    };
    let signal = confine::signal_of(finished.status);
    if finished.flooded && matches!(signal, None | Some(signal::KILL)) {
        // What it said up to there is complete lines about the first errors.
        return Ok(Ended::Normal(finished));
    }
    // Messages with a place quote the snippet, and it may say anything.
    let output = message::parse(&finished.stderr);
    let faults = output
        .messages
        .iter()
        .filter(|message| message.spans.is_empty());
    let about_machine = faults.fold(output.rest.clone(), |text, message| text + &message.message);
    let constant = |message: &Message| message.message == OUT_OF_MEMORY_IN_CONSTANT;
    let out_of_memory = OUT_OF_MEMORY
        .iter()
        .any(|words| about_machine.contains(words))
        || output.messages.iter().any(constant);
    let memory = || {
        format!(
            "the compiler needed more memory than `rustc-memory` allows ({} MiB)",
            limits.rustc_memory >> 20
        )
    };
    match signal {
        Some(signal::XCPU) => limit(
            Some("rustc-cpu"),
            format!(
                "the compiler used more CPU time than `rustc-cpu` allows ({})",
                seconds(limits.rustc_cpu)
            ),
        ),
        Some(signal::XFSZ) => limit(
            Some("rustc-files"),
            format!(
                "the compiler wrote a larger file than `rustc-files` allows ({} MiB)",
                limits.rustc_files >> 20
            ),
        ),
        Some(signal::ABRT | signal::SEGV | signal::BUS) if out_of_memory => {
            limit(Some("rustc-memory"), memory())
        }
        Some(signal::SEGV | signal::BUS) => limit(
            Some("nesting"),
            "the compiler ran out of stack: something nests too deep".to_owned(),
        ),
        Some(signal::ABRT | signal::ILL) => {
            limit(None, "the compiler crashed on this code".to_owned())
        }
        Some(signal::KILL) => Err(CompileError::Killed),
        Some(number) => Err(CompileError::Signal(number)),
        None if !finished.status.success() && out_of_memory => {
            limit(Some("rustc-memory"), memory())
        }
        None if finished.status.code() == Some(INTERNAL_ERROR) => {
            limit(None, "the compiler crashed on this code".to_owned())
        }
        None => Ok(Ended::Normal(finished)),
    }
}

fn seconds(duration: Duration) -> String {
    format!("{} s", duration.as_secs_f64())
}

/// Names after `undefined symbol: ` in the linker's text.
fn undefined_symbols(text: &str) -> Vec<String> {
    let mut symbols: Vec<String> = text
        .lines()
        .filter_map(|line| line.split_once("undefined symbol: "))
        .map(|(_, symbol)| symbol.trim().to_owned())
        .collect();
    symbols.dedup();
    symbols
}

fn first_line(text: &str) -> String {
    text.lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or("it said nothing")
        .trim()
        .to_owned()
}

fn write(path: &Path, text: &str) -> Result<(), CompileError> {
    std::fs::write(path, text).map_err(|source| CompileError::folder("write", path, source))
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}
