//! Machines that lack something: rustc, the wasm target, a home that can be written.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use crate::Test;
use crate::sheet::Sheet;

pub(crate) const TESTS: &[Test] = &[
    ("no-rustc", "audit", no_rustc),
    ("no-target", "audit", no_target),
    ("cache-unwritable", "audit", cache_unwritable),
    ("unwritable-output", "audit", unwritable_output),
];

const GIVEN: [&str; 4] = ["run", "plan.wit", "--snippet", "recorded/audit.2.md"];

fn no_rustc(sheet: &mut Sheet) {
    sheet.set("PATH", "/nowhere");
    sheet.run(&GIVEN);
    sheet.run(&["run", "plan.wit", "--format", "json"]);
    // What needs no compiler works without one.
    let ended = sheet.start(&["show", "plan.wit"], |_| {}).end();
    assert_eq!(ended.code, Some(0));
    fs::create_dir(sheet.folder.join("bin")).unwrap();
    program(
        &sheet.folder.join("bin/rustc"),
        "echo 'error: something is broken' >&2; exit 1",
    );
    sheet.set("PATH", sheet.folder.join("bin"));
    sheet.run(&GIVEN);
    program(
        &sheet.folder.join("bin/rustc"),
        "printf 'rustc 1.60.0\\nhost: x86_64-unknown-linux-gnu\\nrelease: 1.60.0\\n'",
    );
    sheet.run(&GIVEN);
}

/// A toolchain that lies where rustup puts them, with a rustup that cannot help, and then with one that can.
fn no_target(sheet: &mut Sheet) {
    let real = Command::new("rustc")
        .args(["--print", "sysroot"])
        .output()
        .unwrap();
    let real = String::from_utf8(real.stdout).unwrap();
    let real = Path::new(real.trim());
    let host = fs::read_dir(real.join("lib/rustlib"))
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().into_string().ok())
        .find(|name| {
            real.join("lib/rustlib")
                .join(name)
                .join("bin/rust-lld")
                .exists()
        })
        .unwrap();
    let toolchain = sheet.folder.join("toolchains/made-up");
    let rustlib = toolchain.join("lib/rustlib");
    fs::create_dir_all(&rustlib).unwrap();
    symlink(real.join("lib/rustlib").join(&host), rustlib.join(&host)).unwrap();
    fs::create_dir(toolchain.join("bin")).unwrap();
    program(
        &toolchain.join("bin/rustc"),
        &format!(
            "case \"$1\" in --print) echo '{}';; *) exec '{}' \"$@\";; esac",
            toolchain.display(),
            real.join("bin/rustc").display()
        ),
    );
    sheet.set(
        "PATH",
        format!("{}:/usr/bin:/bin", toolchain.join("bin").display()),
    );
    sheet.run(&GIVEN);
    program(
        &toolchain.join("bin/rustup"),
        "echo \"error: could not download for $*\" >&2; exit 1",
    );
    sheet.run(&GIVEN);
}

/// As root no permission binds, so these are places where nobody can make a folder.
fn cache_unwritable(sheet: &mut Sheet) {
    sheet.set("LACUNA_CACHE_DIR", sheet.folder.join("plan.wit/cache"));
    sheet.run(&GIVEN);
    sheet.set("LACUNA_CACHE_DIR", "");
    sheet.set("HOME", "/proc/self");
    sheet.run(&["run", "plan.wit", "--format", "json"]);
    sheet.run(&[&GIVEN[..], &["--cache-dir", "plan.wit"]].concat());
    let open = sheet.folder.join("open");
    fs::create_dir(&open).unwrap();
    fs::set_permissions(&open, fs::Permissions::from_mode(0o777)).unwrap();
    sheet.run(&[&GIVEN[..], &["--cache-dir", "open"]].concat());
    sheet.set("HOME", "");
    sheet.run(&GIVEN);
}

fn unwritable_output(sheet: &mut Sheet) {
    sheet.run(&["run", "plan.wit", "--trace", "/proc/trace.jsonl"]);
    sheet.run(&[
        "run",
        "plan.wit",
        "--trace",
        "plan.wit/trace.jsonl",
        "--format",
        "json",
    ]);
    // The run is worth more than its trace.
    sheet.run(&["run", "plan.wit", "--trace", "/dev/full"]);
    sheet.run(&[
        "build",
        "plan.wit",
        "--snippet",
        "recorded/audit.2.md",
        "-o",
        "/proc/a.wasm",
        "-q",
    ]);
}

fn program(file: &Path, script: &str) {
    fs::write(file, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
}
