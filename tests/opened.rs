//! What a compiler asks of the kernel: seen from outside, by `strace`, beside what it says of itself.
//!
//! For every process that works on foreign text the test knows each path that it may name, each kind of call that it may
//! make, and where it may write. The list is exact: an entry that no run needs fails the test as well.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test writes its plans, starts the program and reads traces"
)]

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use support::cache::Cache;
use support::plan::{Plan, json};
use support::program;
use support::strace::{self, Call, Process};

const WIT: &str = "interface repo { read-text: func(path: string) -> string; }
world hole { import repo; export run: func() -> string; }";

const MANIFEST: &str = "[hole.hole.grant.repo]\nprovider = \"stub\"\nanswers = \"answers.json\"";

/// Paths beside toolchain, SDK, bindings and work folder that a compiler or its linker names, and why.
const OUTSIDE: [(&str, &str); 11] = [
    ("/dev/stdin", "rust-lld: the object comes that way"),
    (
        "/dev/tty",
        "rustc: how wide its own rendering of a message may be, which nobody reads; denied",
    ),
    (
        "/dev/urandom",
        "LLVM: a seed for names of temporary files; denied",
    ),
    ("/etc/ld.so.cache", "the loader: where libraries stand"),
    (
        "/etc/ld.so.preload",
        "the loader: what the administrator wants loaded; denied",
    ),
    (
        "/etc/malloc.conf",
        "jemalloc: a link whose name is its settings",
    ),
    (
        "/proc/self/exe",
        "rustc and rust-lld: where they stand themselves",
    ),
    (
        "/proc/self/maps",
        "glibc: where the main thread's stack ends; denied",
    ),
    ("/proc/self/statm", "rustc: how much memory it has; denied"),
    ("/proc/sys/vm/overcommit_memory", "jemalloc; denied"),
    (
        "/sys/kernel/mm/transparent_hugepage/enabled",
        "jemalloc; denied",
    ),
];

/// System libraries that rustc and rust-lld of rustup load.
const LIBRARIES: [&str; 7] = [
    "libc.so.6",
    "libdl.so.2",
    "libgcc_s.so.1",
    "libm.so.6",
    "libpthread.so.0",
    "librt.so.1",
    "libz.so.1",
];

/// Where they stand. No machine has all of these: Debian and Ubuntu on both processors, Fedora and openSUSE, Arch.
const LIBRARY_FOLDERS: [&str; 8] = [
    "/lib/x86_64-linux-gnu",
    "/usr/lib/x86_64-linux-gnu",
    "/lib/aarch64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/lib64",
    "/usr/lib64",
    "/lib",
    "/usr/lib",
];

/// Calls that read. `clone` and `clone3` start threads only, and `tgkill` ends none but the own ones.
const READING: [&str; 17] = [
    "execve",
    "open",
    "openat",
    "stat",
    "lstat",
    "newfstatat",
    "statx",
    "access",
    "faccessat",
    "faccessat2",
    "readlink",
    "readlinkat",
    "getcwd",
    "exit",
    "exit_group",
    "clone",
    "clone3",
];

/// Calls that change a folder.
const WRITING: [&str; 10] = [
    "fchmod",
    "mkdir",
    "mkdirat",
    "rename",
    "renameat",
    "renameat2",
    "unlink",
    "unlinkat",
    "rmdir",
    "ftruncate",
];

/// Flags of `open` with which a file is changed or made.
const WRITING_FLAGS: [&str; 5] = ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND"];

/// What a confined process may name.
struct Allowed {
    sysroot: PathBuf,
    cache: PathBuf,
    /// Where the SDK of all tests really stands.
    sdk: PathBuf,
    /// The entries of [`OUTSIDE`] and [`LIBRARIES`] that were needed.
    needed: BTreeSet<&'static str>,
}

impl Allowed {
    fn new(cache: &Cache) -> Self {
        let output = Command::new("rustc")
            .args(["--print", "sysroot"])
            .current_dir(&cache.folder)
            .env_remove("RUSTUP_TOOLCHAIN")
            .output()
            .unwrap();
        let sysroot = String::from_utf8(output.stdout).unwrap();
        Self {
            sysroot: PathBuf::from(sysroot.trim()),
            cache: cache.folder.clone(),
            sdk: program::cache().join("sdk").canonicalize().unwrap(),
            needed: BTreeSet::new(),
        }
    }

    fn roots(&self) -> Vec<PathBuf> {
        let toolchain = ["bin", "lib", "lib64"].map(|folder| self.sysroot.join(folder));
        let cache = ["sdk", "bindings", "work"].map(|folder| self.cache.join(folder));
        toolchain
            .into_iter()
            .chain(cache)
            .chain([self.sdk.clone()])
            .collect()
    }

    fn names(&mut self, call: &Call, path: &Path) -> bool {
        let roots = self.roots();
        if roots.iter().any(|root| path.starts_with(root)) {
            return true;
        }
        // `realpath` asks of each folder on the way whether it is a link.
        if call.name.starts_with("readlink") && roots.iter().any(|root| root.starts_with(path)) {
            return true;
        }
        let outside = OUTSIDE.iter().map(|(path, _)| *path);
        let found = outside
            .into_iter()
            .find(|outside| path == Path::new(outside))
            .or_else(|| {
                let folder = path.parent()?.to_str()?;
                let mut libraries = LIBRARIES.into_iter();
                let library = libraries
                    .find(|library| path.file_name().is_some_and(|name| name == *library))?;
                LIBRARY_FOLDERS.contains(&folder).then_some(library)
            });
        self.needed.extend(found);
        found.is_some()
    }

    /// What this process should not have asked for.
    fn complaints(&mut self, process: &Process) -> Vec<String> {
        let own = format!("tgkill({},", process.pid);
        let work = self.cache.join("work");
        let mut complaints = Vec::new();
        for (at, call) in process.calls.iter().enumerate() {
            let name = call.name.as_str();
            let writes = WRITING.contains(&name)
                || WRITING_FLAGS.iter().any(|flag| call.line.contains(flag));
            let known =
                READING.contains(&name) || WRITING.contains(&name) || call.line.starts_with(&own);
            let fault = if !known {
                Some("makes a call that it has no use for")
            } else if name == "execve" && at > 0 {
                Some("starts another program")
            } else if name.starts_with("clone") && !strace::is_thread(call) {
                Some("starts a process")
            } else if call.paths.iter().any(|path| !self.names(call, path)) {
                Some("names a path that is not its own")
            } else if writes && !call.paths.iter().all(|path| path.starts_with(&work)) {
                Some("changes what is not its own")
            } else {
                None
            };
            complaints.extend(fault.map(|fault| format!("{fault}: {}", call.line)));
        }
        complaints
    }
}

fn plan() -> Plan {
    let plan = Plan::new(WIT, MANIFEST);
    plan.write("answers.json", "{}");
    plan
}

fn check(plan: &Plan, cache: &Cache, snippet: &str) -> (program::Ended, Vec<Process>) {
    plan.write("snippet.rs", snippet);
    let arguments = [
        "check",
        "plan.wit",
        "--snippet",
        "snippet.rs",
        "--format",
        "json",
    ];
    strace::run(plan, &arguments, &[cache.variable()])
}

/// The processes among these that work on foreign text: what they are started for, and themselves.
fn confined(processes: &[Process]) -> Vec<(&'static str, &Process)> {
    let kinds = [
        ("snippet", "\"--crate-name=hole\""),
        ("bindings", "\"--crate-name=__lacuna_bindings\""),
        ("linker", "\"-flavor\", \"wasm\""),
    ];
    let kind = |process: &Process| {
        kinds
            .iter()
            .find(|(_, argument)| process.command.contains(argument))
    };
    processes
        .iter()
        .filter_map(|process| Some((kind(process)?.0, process)))
        .collect()
}

#[test]
fn compilers_name_what_they_need_and_nothing_else() {
    let (plan, cache) = (plan(), Cache::with_sdk());
    let mut allowed = Allowed::new(&cache);
    let canary = plan.folder.join("canary.rs");
    fs::write(&canary, "pub fn run() -> String { String::new() }").unwrap();
    let canary = canary.to_str().unwrap();
    let run = |body: &str| format!("pub fn run() -> String {{ {body} }}");
    let with = |items: &str| format!("{items}\n{}", run("String::new()"));
    // What is started for each; the linker starts beside the compiler and may be ended before it runs.
    let first: &[&str] = &["bindings", "snippet"];
    let compiled: &[&str] = &["snippet"];
    let cases: Vec<(&str, String, bool, &[&str])> = vec![
        (
            "accepted",
            run("let mut v = vec![repo::read_text(\"a\")]; v.sort(); format!(\"{v:?}\")"),
            true,
            first,
        ),
        (
            "a type error",
            run("let n: u32 = repo::read_text(\"a\"); n.to_string()"),
            false,
            compiled,
        ),
        (
            "an unknown crate",
            run("serde_json::to_string(&1).unwrap()"),
            false,
            compiled,
        ),
        (
            "derives",
            with("#[derive(Clone, Debug, PartialEq)] struct S(u8);"),
            true,
            compiled,
        ),
        (
            "include_str!",
            run(&format!("include_str!(\"{canary}\").to_string()")),
            false,
            compiled,
        ),
        (
            "include!",
            format!("include!(\"{canary}\");"),
            false,
            compiled,
        ),
        (
            "include_bytes! by its path",
            run(&format!(
                "format!(\"{{:?}}\", core::include_bytes!(\"{canary}\"))"
            )),
            false,
            compiled,
        ),
        (
            "a doc comment from a file",
            with(&format!("#[doc = include_str!(\"{canary}\")] struct S;")),
            false,
            compiled,
        ),
        (
            "std::fs",
            run(&format!("std::fs::read_to_string(\"{canary}\").unwrap()")),
            false,
            compiled,
        ),
        (
            "a module of a file",
            with(&format!("#[path = \"{canary}\"] mod x;")),
            false,
            &[],
        ),
        (
            "a module made by a macro",
            with(&format!(
                "macro_rules! m {{ ($m:tt $x:tt) => {{ #[path = \"{canary}\"] $m $x; }} }} m!(mod x);"
            )),
            false,
            &[],
        ),
        (
            "a visualizer",
            with(&format!(
                "#[debugger_visualizer(gdb_script_file = \"{canary}\")] mod x {{}}"
            )),
            false,
            &[],
        ),
    ];
    for (name, snippet, accepted, started) in cases {
        let (ended, processes) = check(&plan, &cache, &snippet);
        let verdict = json(&ended);
        assert_eq!(
            verdict["verdict"] == "accepted",
            accepted,
            "{name}: {verdict:#}"
        );
        let confined = confined(&processes);
        let (mut kinds, linkers): (Vec<&str>, Vec<&str>) = confined
            .iter()
            .map(|(kind, _)| *kind)
            .partition(|kind| *kind != "linker");
        kinds.sort_unstable();
        assert_eq!(kinds, started, "{name}");
        assert!(!accepted || linkers.len() == 1, "{name}");
        for (kind, process) in &confined {
            let complaints = allowed.complaints(process);
            assert!(
                complaints.is_empty(),
                "{name}: the process of {kind} {}",
                complaints.join("\n")
            );
            let own = process.calls.iter().flat_map(|call| &call.paths);
            let own =
                own.filter(|path| path.ends_with("snippet.rs") && path.starts_with(&cache.folder));
            assert_eq!(own.count() > 0, *kind == "snippet", "{name}: {kind}");
        }
        // Lacuna itself neither.
        for call in processes.iter().flat_map(|process| &process.calls) {
            assert!(
                !call.paths.iter().any(|path| path == Path::new(canary)),
                "{name}: {call:?}"
            );
        }
    }
    let list = OUTSIDE.iter().map(|(path, _)| *path).chain(LIBRARIES);
    let unused: Vec<&str> = list
        .filter(|entry| !allowed.needed.contains(entry))
        .collect();
    assert!(unused.is_empty(), "no compiler needs these: {unused:?}");
}

/// The test above can fail: each of these lines is found.
#[test]
fn what_a_compiler_must_not_do_is_seen() {
    let cache = Cache::with_sdk();
    let mut allowed = Allowed::new(&cache);
    let work = cache.folder.join("work/run-1/work-1");
    let own = format!("<{}>", work.display());
    for (line, fault) in [
        (
            format!("openat(AT_FDCWD{own}, \"snippet.rs\", O_RDONLY|O_CLOEXEC) = 3<x>"),
            None,
        ),
        (
            format!("openat(AT_FDCWD{own}, \"o.o\", O_WRONLY|O_CREAT, 0666) = 3<x>"),
            None,
        ),
        (
            "statx(3</lib/x86_64-linux-gnu/libc.so.6>, \"\", AT_EMPTY_PATH, STATX_ALL, {}) = 0"
                .to_owned(),
            None,
        ),
        (
            format!("openat(AT_FDCWD{own}, \"/etc/passwd\", O_RDONLY|O_CLOEXEC) = -1 EACCES"),
            Some("names"),
        ),
        (
            "open(\"../../../verdicts/x\", O_RDONLY) = -1 EACCES".to_owned(),
            Some("names"),
        ),
        (
            "stat(\"/etc/pass\\167d\", 0x7ffd) = 0".to_owned(),
            Some("names"),
        ),
        (
            "openat(5</etc>, \"hostname\", O_RDONLY) = 6</etc/hostname>".to_owned(),
            Some("names"),
        ),
        (
            format!("open(\"{}\", O_RDWR) = 3", allowed.sdk.join("x").display()),
            Some("changes"),
        ),
        (
            format!(
                "rename(\"o.wasm\", \"{}\") = 0",
                cache.folder.join("bindings/x").display()
            ),
            Some("changes"),
        ),
        (
            "socket(AF_INET, SOCK_DGRAM, IPPROTO_IP) = 3".to_owned(),
            Some("makes"),
        ),
        (
            "connect(3<socket:[1]>, {sa_family=AF_UNIX, sun_path=@\"x\"}, 4) = 0".to_owned(),
            Some("makes"),
        ),
        ("kill(1, SIGTERM) = -1 EPERM".to_owned(), Some("makes")),
        ("tgkill(8, 8, SIGUSR1) = 0".to_owned(), Some("makes")),
        ("vfork() = 9".to_owned(), Some("makes")),
        (
            "clone(child_stack=NULL, flags=CLONE_CHILD_SETTID|SIGCHLD) = 9".to_owned(),
            Some("starts a process"),
        ),
        (
            format!(
                "execve(\"{}\", [\"x\"], 0x7f /* 0 vars */) = 0",
                allowed.sysroot.join("bin/rustc").display()
            ),
            Some("starts another"),
        ),
    ] {
        let start = strace::call("exit(0) = ?", &work);
        let process = Process {
            pid: 7,
            command: String::new(),
            calls: vec![start, strace::call(&line, &work)],
        };
        let complaints = allowed.complaints(&process);
        match fault {
            None => assert!(complaints.is_empty(), "{complaints:?}"),
            Some(fault) => assert!(
                complaints.len() == 1 && complaints[0].starts_with(fault),
                "{line}: {complaints:?}"
            ),
        }
    }
}
