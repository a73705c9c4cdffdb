//! A full disk, at every place where Lacuna writes: the error names what could not be written and why, no verdict is made
//! of it, and nothing half-written is taken for whole later.
//!
//! The disk is a small one in memory, mounted where only the started program sees it (`unshare`, which needs user
//! namespaces or root).

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test writes its plans and starts the program"
)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use support::cache::Cache;
use support::kernel::behind;
use support::plan::Plan;
use support::program::{self, Ended};

const FULL: &str = "No space left on device (os error 28)";

const CODE: &str = "pub fn run() -> String { let mut all: Vec<u32> = (0..9).collect(); all.sort_by(|a, b| b.cmp(a)); format!(\"{all:?}\") }";

fn plan() -> Plan {
    let plan = Plan::new("world hole { export run: func() -> string; }", "");
    plan.write("snippet.rs", CODE);
    plan
}

/// Runs `lacuna` where `disk` is an empty one of so many KiB, after a script.
fn on_disk(disk: &Path, kib: u32, script: &str, plan: &Plan, arguments: &[&str]) -> Ended {
    let mount = format!("mount -t tmpfs -o size={kib}k,mode=700 tmpfs \"$disk\"{script}");
    let cache = program::cache();
    program::run_under(
        behind(&mount, disk),
        &plan.folder,
        arguments,
        &[("SDK", cache.join("sdk").to_str().unwrap())],
    )
}

/// The compiler's and the linker's files, the bindings, the verdict: on disks of growing size another one of them does not
/// fit. A snippet that is right is then never called wrong.
#[test]
fn no_size_of_the_cache_makes_a_verdict() {
    // So that the SDK is there.
    let made = Cache::with_sdk();
    let plan = plan();
    let disk = Cache::empty("disk");
    let (mut full, mut fitted) = (0, 0);
    for kib in [
        4, 16, 40, 80, 120, 160, 200, 240, 280, 320, 400, 480, 640, 800, 1200, 1600, 3200, 16000,
    ] {
        let arguments = [
            "run",
            "plan.wit",
            "--snippet",
            "snippet.rs",
            "--cache-dir",
            disk.folder.to_str().unwrap(),
        ];
        let script = " && ln -s \"$SDK\" \"$disk/sdk\"";
        let ended = on_disk(&disk.folder, kib, script, &plan, &arguments);
        match ended.code {
            Some(0) => {
                assert_eq!(
                    ended.stdout.trim(),
                    "\"[8, 7, 6, 5, 4, 3, 2, 1, 0]\"",
                    "{kib}: {ended:?}"
                );
                fitted += 1;
            }
            Some(2) => {
                assert_eq!(ended.stdout, "", "{kib}: {ended:?}");
                let space = ended.stderr.contains("No space left")
                    || ended.stderr.contains("no space left");
                assert!(space, "{kib}: {ended:?}");
                assert!(
                    ended.stderr.contains(disk.folder.to_str().unwrap()),
                    "{kib}: {ended:?}"
                );
                assert!(
                    ended.stderr.contains("hint: free some space"),
                    "{kib}: {ended:?}"
                );
                full += 1;
            }
            _ => panic!("{kib}: {ended:?}"),
        }
    }
    assert!(full >= 3 && fitted >= 1, "{full} full, {fitted} fitted");
    drop(made);
}

#[test]
fn an_sdk_that_does_not_fit_names_the_folder() {
    let plan = plan();
    let disk = Cache::empty("disk");
    for kib in [64, 8 * 1024, 40 * 1024] {
        let arguments = [
            "check",
            "plan.wit",
            "--snippet",
            "snippet.rs",
            "--cache-dir",
            disk.folder.to_str().unwrap(),
        ];
        let ended = on_disk(&disk.folder, kib, "", &plan, &arguments);
        assert_eq!(ended.code, Some(2), "{kib}: {ended:?}");
        assert!(
            ended.stderr.contains("cannot write to the cache folder"),
            "{kib}: {ended:?}"
        );
        assert!(
            ended.stderr.contains("hint: the disk is full"),
            "{kib}: {ended:?}"
        );
    }
}

#[test]
fn what_the_command_line_names_is_named_again() {
    let plan = plan();
    plan.manifest("[models.default]\nprovider = \"command\"\ncommand = \"cat answer.md\"");
    plan.write("answer.md", &format!("```rust\n{CODE}\n```\n"));
    let disk = Cache::empty("disk");
    let inside = |name: &str| disk.folder.join(name).display().to_string();
    let fill = " && head -c 8192 /dev/zero > \"$disk/filler\" || true";
    // A component.
    let file = inside("out.wasm");
    let build = ["build", "plan.wit", "--snippet", "snippet.rs", "-o", &file];
    let ended = on_disk(&disk.folder, 8, fill, &plan, &build);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(
        ended
            .stderr
            .contains(&format!("error: cannot write {file}: {FULL}")),
        "{ended:?}"
    );
    // A recording: found before the model is asked for the value.
    let folder = inside("recorded");
    let record = ["run", "plan.wit", "--record", &folder];
    let ended = on_disk(&disk.folder, 8, fill, &plan, &record);
    assert_eq!(ended.code, Some(3), "{ended:?}");
    assert!(ended.stderr.contains("recorded/hole.1.md"), "{ended:?}");
    assert!(
        ended.stderr.contains("No space left on device"),
        "{ended:?}"
    );
    // A trace is worth less than its run.
    let file = inside("trace.jsonl");
    let trace = ["run", "plan.wit", "--trace", &file];
    let ended = on_disk(&disk.folder, 8, fill, &plan, &trace);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let warning = format!("warning: the trace {file} is not complete: {FULL}");
    assert!(ended.stderr.contains(&warning), "{ended:?}");
    // A plan.
    let folder = inside("new");
    let ended = on_disk(&disk.folder, 8, fill, &plan, &["init", &folder]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(
        ended
            .stderr
            .contains(&format!("error: cannot write {folder}")),
        "{ended:?}"
    );
    assert!(
        ended.stderr.contains("No space left on device"),
        "{ended:?}"
    );
    // Manual pages.
    let ended = on_disk(
        &disk.folder,
        8,
        fill,
        &plan,
        &["man", disk.folder.to_str().unwrap()],
    );
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(
        ended.stderr.contains("lacuna.1: No space left on device"),
        "{ended:?}"
    );
    // Standard output.
    let mut program = std::process::Command::new("sh");
    program.args(["-c", "exec \"$@\" > /dev/full", "sh"]);
    for arguments in [
        &["schema"][..],
        &["doctor"],
        &["cache", "path"],
        &["completion", "bash"],
    ] {
        let mut again = std::process::Command::new("sh");
        again.args(program.get_args());
        let ended = program::run_under(again, &plan.folder, arguments, &[]);
        assert_eq!(ended.code, Some(2), "{arguments:?}: {ended:?}");
        assert!(
            ended
                .stderr
                .contains(&format!("error: cannot write standard output: {FULL}")),
            "{ended:?}"
        );
    }
}

/// A cache with an SDK of its own, and where that is.
fn own_sdk() -> (Cache, PathBuf) {
    let (made, own) = (Cache::with_sdk(), Cache::empty("own"));
    let copied = std::process::Command::new("cp")
        .arg("-aL")
        .args([made.folder.join("sdk"), own.folder.join("sdk")])
        .status();
    assert!(copied.unwrap().success());
    let sdk = fs::read_dir(own.folder.join("sdk"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.join("contents").exists())
        .unwrap();
    (own, sdk)
}

/// Bytes that changed while sizes stayed: no snippet is blamed for them, and the command that is named mends it.
#[test]
fn a_changed_sdk_is_no_verdict() {
    let plan = plan();
    let (own, sdk) = own_sdk();
    let sysroot = sdk.join("sysroot/lib/rustlib/wasm32-unknown-unknown/lib");
    let core = fs::read_dir(&sysroot)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| {
            let name = path.file_name().unwrap().to_str().unwrap();
            name.starts_with("libcore-")
        })
        .unwrap();
    for file in [
        sdk.join("curated/libstd.rlib"),
        sdk.join("dependencies/liblacuna_rt.rlib"),
        sdk.join("prelinked.o"),
        core,
    ] {
        let whole = fs::read(&file).unwrap();
        // The head, the middle, everything behind it.
        for (start, end) in [
            (0, 64),
            (whole.len() / 2, whole.len() / 2 + 4096),
            (64, whole.len()),
        ] {
            let mut changed = whole.clone();
            for byte in &mut changed[start..end.min(whole.len())] {
                *byte ^= 0x55;
            }
            fs::remove_file(&file).unwrap();
            fs::write(&file, changed).unwrap();
            // Known verdicts and bindings would hide it.
            let clean = [
                "cache", "clean", "--kind", "verdicts", "--kind", "bindings", "-q",
            ];
            let cleaned = program::run_with(&plan.folder, clean, &[own.variable()]);
            assert_eq!(cleaned.code, Some(0), "{cleaned:?}");
            let arguments = ["check", "plan.wit", "--snippet", "snippet.rs"];
            let ended = program::run_with(&plan.folder, arguments, &[own.variable()]);
            let at = format!("{} {start}..{end}", file.display());
            // A part that is not read does no harm.
            if ended.code != Some(0) {
                assert_eq!(ended.code, Some(2), "{at}: {ended:?}");
                assert!(
                    ended.stderr.contains("error: the guest SDK is damaged: "),
                    "{at}: {ended:?}"
                );
                assert!(
                    ended.stderr.contains("hint: lacuna cache clean --kind sdk"),
                    "{at}: {ended:?}"
                );
            }
            fs::write(&file, &whole).unwrap();
        }
    }
}

/// What a full disk left of an SDK, or a careless hand, is not used.
#[test]
fn a_cut_sdk_is_made_again() {
    let plan = plan();
    let (own, sdk) = own_sdk();
    let whole = fs::read(sdk.join("prelinked.o")).unwrap();
    fs::write(sdk.join("prelinked.o"), &whole[..whole.len() / 2]).unwrap();
    let arguments = ["check", "plan.wit", "--snippet", "snippet.rs"];
    let ended = program::run_with(&plan.folder, arguments, &[own.variable()]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(
        ended
            .stderr
            .contains("the guest SDK is damaged: compiling it again"),
        "{ended:?}"
    );
    assert_eq!(fs::read(sdk.join("prelinked.o")).unwrap(), whole);
}
