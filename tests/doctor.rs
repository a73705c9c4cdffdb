//! `lacuna doctor` on machines that lack one thing each: the check says so, and the command that it prints, run as it
//! stands, mends it.
//!
//! A machine is a folder: programs, a home, a cache, and a toolchain that is this machine's compiler behind a script. Its
//! rustup and curl are scripts too, which do what the real ones do with what is on this machine.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test makes machines and starts the program"
)]

#[path = "doctor/plan.rs"]
mod plan;
mod support;

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use support::cache::Cache;
use support::kernel::{self, LANDLOCK, behind};
use support::plan::Plan;
use support::program::{PROGRAM, scratch};

/// What the printed commands need of a system.
const TOOLS: [&str; 9] = [
    "sh", "chmod", "mkdir", "ln", "cp", "rm", "mv", "cat", "chown",
];

const TARGET: &str = "wasm32-unknown-unknown";

/// A machine of its own.
struct Machine {
    root: PathBuf,
    cache: Cache,
    variables: Vec<(String, String)>,
}

impl Machine {
    /// One that lacks nothing.
    fn new() -> Self {
        let root = scratch().canonicalize().unwrap();
        for folder in ["bin", "home", "toolchains/made-up/bin"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        let path = std::env::var_os("PATH").unwrap();
        for tool in TOOLS {
            let found = std::env::split_paths(&path)
                .map(|folder| folder.join(tool))
                .find(|file| file.is_file())
                .unwrap_or_else(|| panic!("no {tool}"));
            symlink(found, root.join("bin").join(tool)).unwrap();
        }
        symlink(PROGRAM, root.join("bin/lacuna")).unwrap();
        let mut cache = Cache::with_sdk();
        cache.folder = cache.folder.canonicalize().unwrap();
        let machine = Self {
            cache,
            variables: vec![("OPENAI_API_KEY".to_owned(), "sk-of-a-test".to_owned())],
            root,
        };
        machine.install();
        machine
    }

    fn at(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    fn toolchain(&self) -> PathBuf {
        self.at("toolchains/made-up")
    }

    /// A whole toolchain, `rustc` and `rustup`.
    fn install(&self) {
        let (toolchain, real) = (self.toolchain(), real_sysroot());
        let rustlib = toolchain.join("lib/rustlib");
        fs::create_dir_all(&rustlib).unwrap();
        for name in [host().as_str(), TARGET] {
            symlink(real.join("lib/rustlib").join(name), rustlib.join(name)).unwrap();
        }
        script(
            &toolchain.join("bin/rustc"),
            &format!(
                "case \"$1\" in --print) echo '{}';; *) exec '{}' \"$@\";; esac",
                toolchain.display(),
                real.join("bin/rustc").display()
            ),
        );
        symlink(toolchain.join("bin/rustc"), self.at("bin/rustc")).unwrap();
        // As rustup does it, from what is here: the target, the linker, the program on PATH.
        let rustlib = rustlib.display();
        let (real, host) = (real.join("lib/rustlib").display().to_string(), host());
        script(
            &self.at("bin/rustup"),
            &format!(
                "case \"$*\" in\n\
                 'target add {TARGET} --toolchain made-up') ln -s '{real}/{TARGET}' '{rustlib}/';;\n\
                 'update stable') rm -f '{bin}/rustc';;\n\
                 'default stable') ln -sf '{own}/bin/rustc' '{bin}/rustc';;\n\
                 'toolchain install 1.95') rm -rf '{rustlib}/{host}'; ln -s '{real}/{host}' '{rustlib}/';;\n\
                 'default 1.95') ;;\n\
                 *) echo \"unexpected: $*\" >&2; exit 1;;\n\
                 esac",
                own = self.toolchain().display(),
                bin = self.at("bin").display(),
            ),
        );
    }

    fn set(&mut self, name: &str, value: &str) {
        self.variables.retain(|(known, _)| known != name);
        self.variables.push((name.to_owned(), value.to_owned()));
    }

    /// What a shell of this machine says to these lines, and its exit code.
    fn shell(&self, lines: &str, folder: &Path) -> (Option<i32>, String, String) {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", lines]);
        self.run(command, folder)
    }

    fn run(&self, mut command: Command, folder: &Path) -> (Option<i32>, String, String) {
        let done = command
            .current_dir(folder)
            .env_clear()
            .env("PATH", self.at("bin"))
            .env("HOME", self.at("home"))
            .env("LACUNA_CACHE_DIR", &self.cache.folder)
            .envs(self.variables.iter().cloned())
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (done.status.code(), text(done.stdout), text(done.stderr))
    }

    /// `lacuna doctor`, with its checks.
    #[track_caller]
    fn doctor(&self, before: &str, arguments: &str, folder: &Path) -> (Option<i32>, Vec<Value>) {
        let lines = format!("{before}\nlacuna doctor {arguments} --format json");
        let (code, stdout, stderr) = self.shell(&lines, folder);
        // What came before it may have said something too.
        let last = stdout.lines().last().unwrap_or_default();
        let checks: Vec<Value> =
            serde_json::from_str(last).unwrap_or_else(|error| panic!("{error}: {stdout}{stderr}"));
        (code, checks)
    }

    /// The check `name` is of this state, and with the command it prints everything is well.
    #[track_caller]
    fn is_mended(&self, name: &str, state: &str, found: &str, mend: &str) {
        self.is_mended_in(name, state, found, mend, "", &self.root);
    }

    #[track_caller]
    fn is_mended_in(
        &self,
        name: &str,
        state: &str,
        found: &str,
        mend: &str,
        arguments: &str,
        folder: &Path,
    ) {
        let (code, checks) = self.doctor("", arguments, folder);
        let check = named(&checks, name);
        assert_eq!(check["state"], state, "{checks:#?}");
        let text = check["found"].as_str().unwrap();
        assert!(text.contains(found), "{text}");
        let printed = check["mend"].as_str().unwrap();
        assert_eq!(printed, mend);
        assert_eq!(code, Some(i32::from(state == "missing")), "{checks:#?}");
        let (code, checks) = self.doctor(printed, arguments, folder);
        assert_eq!(code, Some(0), "{checks:#?}");
        for check in &checks {
            assert_eq!(check["state"], "ok", "{check:#}");
        }
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

#[track_caller]
fn named<'a>(checks: &'a [Value], name: &str) -> &'a Value {
    let found = checks.iter().find(|check| check["name"] == name);
    found.unwrap_or_else(|| panic!("no check {name}: {checks:#?}"))
}

fn script(file: &Path, text: &str) {
    let _ = fs::remove_file(file);
    fs::write(file, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
}

fn real_sysroot() -> PathBuf {
    let asked = Command::new("rustc")
        .args(["--print", "sysroot"])
        .output()
        .unwrap();
    PathBuf::from(String::from_utf8(asked.stdout).unwrap().trim())
}

fn host() -> String {
    let asked = Command::new("rustc").arg("-vV").output().unwrap();
    let text = String::from_utf8(asked.stdout).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("host: "));
    line.unwrap().to_owned()
}

fn quoted(path: &Path) -> String {
    path.display().to_string()
}

#[test]
fn a_machine_that_lacks_nothing() {
    let machine = Machine::new();
    let (code, checks) = machine.doctor("", "", &machine.root);
    assert_eq!(code, Some(0), "{checks:#?}");
    let names: Vec<&str> = checks
        .iter()
        .map(|check| check["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "rustup", "rustc", "target", "rust-lld", "landlock", "seccomp", "rlimits", "cache",
            "disk", "sdk", "keys"
        ]
    );
    for check in &checks {
        assert_eq!(check["state"], "ok", "{check:#}");
        assert!(!check.to_string().contains("sk-of-a-test"), "{check:#}");
    }
    assert_eq!(named(&checks, "keys")["found"], "OPENAI_API_KEY set");
    let (code, stdout, _) = machine.shell("lacuna doctor", &machine.root);
    assert_eq!(code, Some(0));
    assert_eq!(stdout.lines().count(), names.len());
    assert!(
        stdout.lines().all(|line| line.starts_with("ok       ")),
        "{stdout}"
    );
    // Looking changes nothing.
    assert!(!machine.cache.folder.join("work").exists());
}

#[test]
fn no_rustc() {
    let machine = Machine::new();
    fs::remove_file(machine.at("bin/rustc")).unwrap();
    machine.is_mended(
        "rustc",
        "missing",
        "not found on PATH",
        "rustup default stable",
    );
}

#[test]
fn rust_that_is_not_on_path() {
    let machine = Machine::new();
    let cargo = machine.at("home/.cargo/bin");
    fs::create_dir_all(&cargo).unwrap();
    for program in ["rustc", "rustup"] {
        fs::rename(machine.at("bin").join(program), cargo.join(program)).unwrap();
    }
    let mend = format!("export PATH={}:\"$PATH\"", cargo.display());
    machine.is_mended("rustc", "missing", "not found on PATH", &mend);
}

/// curl gives a script that installs, as the real address does.
#[test]
fn no_rust_at_all() {
    let machine = Machine::new();
    let bin = machine.at("bin");
    for program in ["rustc", "rustup"] {
        fs::rename(bin.join(program), machine.at(&format!("home/{program}"))).unwrap();
    }
    script(
        &bin.join("curl"),
        &format!(
            "[ \"$5\" = https://sh.rustup.rs ] && echo '[ \"$*\" = \"-y --default-toolchain 1.95 --target {TARGET}\" ] && mv {0}/rustc {0}/rustup {1}'",
            machine.at("home").display(),
            bin.display()
        ),
    );
    let mend = format!(
        "curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y --default-toolchain 1.95 --target {TARGET}"
    );
    machine.is_mended("rustc", "missing", "not found on PATH", &mend);
}

#[test]
fn a_rustc_that_is_too_old_or_broken() {
    let machine = Machine::new();
    let rustc = machine.at("bin/rustc");
    script(
        &rustc,
        "case \"$1\" in --print) echo /nowhere;; *) printf 'rustc 1.60.0\\nhost: x86_64-unknown-linux-gnu\\nrelease: 1.60.0\\n';; esac",
    );
    machine.is_mended(
        "rustc",
        "missing",
        "rustc 1.60.0 is too old, Lacuna needs 1.95",
        "rustup update stable && rustup default stable",
    );
    script(&rustc, "echo 'error: something is broken' >&2; exit 1");
    machine.is_mended(
        "rustc",
        "missing",
        "something is broken",
        "rustup default stable",
    );
}

#[test]
fn no_target() {
    let machine = Machine::new();
    let target = machine.toolchain().join("lib/rustlib").join(TARGET);
    fs::remove_file(&target).unwrap();
    let mend = format!("rustup target add {TARGET} --toolchain made-up");
    machine.is_mended("target", "missing", "is not installed", &mend);
    assert!(target.exists());
}

#[test]
fn no_linker() {
    let machine = Machine::new();
    let programs = machine.toolchain().join("lib/rustlib").join(host());
    fs::remove_file(&programs).unwrap();
    fs::create_dir(&programs).unwrap();
    machine.is_mended(
        "rust-lld",
        "missing",
        "rust-lld` is missing",
        "rustup toolchain install 1.95 && rustup default 1.95",
    );
}

#[test]
fn a_kernel_without_landlock() {
    let machine = Machine::new();
    let plan = Plan::new(
        "world hole { export run: func() -> u32; }",
        "[models.default]\nprovider = \"command\"\ncommand = \"cat answer.md\"",
    );
    plan.write("answer.md", "```rust\npub fn run() -> u32 { 7 }\n```\n");
    // The program that `command` starts.
    let check = kernel::without(&LANDLOCK, libc::ENOSYS, || {
        let (code, checks) = machine.doctor("", "plan.wit", &plan.folder);
        assert_eq!(code, Some(1));
        named(&checks, "landlock").clone()
    });
    assert_eq!(check["state"], "missing");
    let mend = check["mend"].as_str().unwrap();
    assert_eq!(mend, "lacuna run plan.wit --allow-unconfined-compile");
    kernel::without(&LANDLOCK, libc::ENOSYS, || {
        let (code, stdout, stderr) = machine.shell(mend, &plan.folder);
        assert_eq!((code, stdout.as_str()), (Some(0), "7\n"), "{stderr}");
        let (code, checks) =
            machine.doctor("", "plan.wit --allow-unconfined-compile", &plan.folder);
        assert_eq!(code, Some(0), "{checks:#?}");
    });
}

#[test]
fn a_cache_that_others_can_write() {
    let machine = Machine::new();
    let folder = &machine.cache.folder;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o777)).unwrap();
    let mend = format!(
        "chmod go-w {0} && lacuna cache clean --all --cache-dir {0}",
        quoted(folder)
    );
    machine.is_mended("cache", "missing", "can be written by other users", &mend);
}

#[test]
fn a_folder_above_the_cache_that_others_can_write() {
    let mut machine = Machine::new();
    let parent = machine.at("shared");
    fs::create_dir_all(parent.join("cache")).unwrap();
    for folder in [parent.join("cache"), parent.clone()] {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700)).unwrap();
    }
    symlink(machine.cache.folder.join("sdk"), parent.join("cache/sdk")).unwrap();
    fs::set_permissions(&parent, fs::Permissions::from_mode(0o777)).unwrap();
    machine.set("LACUNA_CACHE_DIR", &quoted(&parent.join("cache")));
    let mend = format!("chmod go-w {}", quoted(&parent));
    machine.is_mended("cache", "missing", "can be replaced by another user", &mend);
    // Not yet made, and the folder that decides is the nearest one that is there.
    fs::set_permissions(&parent, fs::Permissions::from_mode(0o777)).unwrap();
    machine.set("LACUNA_CACHE_DIR", &quoted(&parent.join("new/cache")));
    machine.is_mended("cache", "missing", "can be replaced by another user", &mend);
}

#[test]
fn a_cache_that_cannot_be_written_or_belongs_to_another() {
    let mut machine = Machine::new();
    let user = rustix::process::geteuid();
    let mend = format!("export LACUNA_CACHE_DIR=/var/tmp/lacuna-{}", user.as_raw());
    fs::write(machine.at("file"), "").unwrap();
    let inside = quoted(&machine.at("file/cache"));
    machine.set("LACUNA_CACHE_DIR", &inside);
    machine.is_mended(
        "cache",
        "missing",
        "cannot write to the cache folder",
        &mend,
    );
    machine.set("LACUNA_CACHE_DIR", "");
    machine.set("HOME", "");
    machine.is_mended("cache", "missing", "no folder for the cache", &mend);
    // Only root can give a folder away.
    if user.is_root() {
        let theirs = machine.at("theirs");
        fs::create_dir(&theirs).unwrap();
        fs::set_permissions(&theirs, fs::Permissions::from_mode(0o700)).unwrap();
        chown(&theirs, Some(12345), None).unwrap();
        machine.set("LACUNA_CACHE_DIR", &quoted(&theirs));
        machine.is_mended("cache", "missing", "belongs to another user", &mend);
    }
}

#[test]
fn a_damaged_sdk() {
    let machine = Machine::new();
    let own = Cache::empty("own");
    let copied = Command::new("cp")
        .arg("-aL")
        .args([machine.cache.folder.join("sdk"), own.folder.join("sdk")])
        .status();
    assert!(copied.unwrap().success());
    let sdk = fs::read_dir(own.folder.join("sdk"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.join("prelinked.o").exists())
        .unwrap();
    // One byte, the size as it was: only the hash shows it.
    let file = sdk.join("curated/libstd.rlib");
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&file, bytes).unwrap();
    let mut machine = machine;
    machine.set("LACUNA_CACHE_DIR", &quoted(&own.folder));
    machine.is_mended(
        "sdk",
        "missing",
        "libstd.rlib` is not what was written",
        "lacuna cache clean --kind sdk",
    );
    assert!(!sdk.exists());
}

/// A disk in memory that has room for few files, most of them taken by old verdicts.
#[test]
fn a_disk_without_room_for_files() {
    let mut machine = Machine::new();
    let disk = machine.at("disk");
    fs::create_dir(&disk).unwrap();
    machine.set("LACUNA_CACHE_DIR", &quoted(&disk));
    machine.set("SDK", &quoted(&machine.cache.folder.join("sdk")));
    let fill = "mount -t tmpfs -o size=1g,nr_inodes=1100,mode=700 tmpfs \"$disk\" && ln -s \"$SDK\" \"$disk/sdk\" && mkdir -m 700 \"$disk/verdicts\" && \
        for n in 1 2; do for d in 0 1 2 3 4 5 6 7 8 9; do for e in 0 1 2 3 4 5 6 7 8 9; do : > \"$disk/verdicts/${n}${d}${e}$(printf %061d 0)\"; done; done; done";
    let doctor = |lines: &str| {
        let mut command = behind(fill, &disk);
        command.args(["/bin/sh", "-c", lines]);
        // `unshare` and `mount` are this machine's.
        let path = format!(
            "{}:{}",
            quoted(&machine.at("bin")),
            std::env::var("PATH").unwrap()
        );
        command.env("PATH", &path);
        let done = command
            .current_dir(&machine.root)
            .env_clear()
            .env("PATH", path)
            .env("HOME", machine.at("home"))
            .envs(machine.variables.iter().cloned())
            .output()
            .unwrap();
        (
            done.status.code(),
            String::from_utf8(done.stdout).unwrap() + &String::from_utf8(done.stderr).unwrap(),
        )
    };
    let (code, text) = doctor("lacuna doctor");
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("missing  disk"), "{text}");
    assert!(text.contains("$ lacuna cache clean --all\n"), "{text}");
    let (code, text) = doctor("lacuna cache clean --all && lacuna doctor");
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn no_keys() {
    let mut machine = Machine::new();
    machine.set("OPENAI_API_KEY", "");
    machine.is_mended(
        "keys",
        "warning",
        "none of OPENAI_API_KEY",
        "export OPENAI_API_KEY=YOUR-KEY",
    );
}

#[test]
fn quiet_says_only_what_is_not_well() {
    let mut machine = Machine::new();
    let (code, text, _) = machine.shell("lacuna -q doctor", &machine.root);
    assert_eq!((code, text.as_str()), (Some(0), ""));
    machine.set("OPENAI_API_KEY", "");
    let (code, text, _) = machine.shell("lacuna -q doctor", &machine.root);
    assert_eq!(code, Some(0));
    assert!(text.starts_with("warning  keys "), "{text}");
    assert_eq!(text.lines().count(), 2, "{text}");
}

/// rustc would panic.
#[test]
fn a_cache_whose_path_is_no_text() {
    let machine = Machine::new();
    let plan = Plan::new("world hole { export run: func() -> u32; }", "");
    plan.write("answer.rs", "pub fn run() -> u32 { 7 }");
    let set = "export LACUNA_CACHE_DIR=\"$HOME/$(printf 'odd-\\377')\"";
    let user = rustix::process::geteuid();
    let mend = format!("export LACUNA_CACHE_DIR=/var/tmp/lacuna-{}", user.as_raw());
    let (code, checks) = machine.doctor(set, "", &plan.folder);
    assert_eq!(code, Some(1));
    let cache = named(&checks, "cache");
    assert!(cache["found"].as_str().unwrap().contains("not UTF-8"));
    assert_eq!(cache["mend"], mend.as_str());
    let run = format!("{set}\nlacuna run plan.wit --snippet answer.rs");
    let (code, _, stderr) = machine.shell(&run, &plan.folder);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(
        stderr.starts_with("error: the path of the cache folder"),
        "{stderr}"
    );
}
