//! The SDK, compiled for real: what models write for data tasks compiles, and what has authority does not.

mod run;
mod runtime;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use super::*;

#[test]
fn the_bindings_have_one_name() {
    let flag = format!("--crate-name={BINDINGS_CRATE}");
    assert!(BINDINGS_FLAGS.contains(&flag.as_str()));
}

fn toolchain() -> &'static Toolchain {
    static PREPARED: OnceLock<Toolchain> = OnceLock::new();
    PREPARED.get_or_init(|| {
        let cache = cache_folder(None).unwrap();
        prepare(&cache, &mut |line| println!("{line}")).unwrap()
    })
}

/// rustc as a snippet sees it, in `folder`.
fn rustc(toolchain: &Toolchain, folder: &Path) -> Command {
    let mut command = Command::new(&toolchain.rustc);
    command
        .env_clear()
        .current_dir(folder)
        .arg("--sysroot")
        .arg(&toolchain.sdk.sysroot)
        .args(SNIPPET_FLAGS);
    for (name, path) in [
        ("std", &toolchain.sdk.std),
        ("core", &toolchain.sdk.core),
        ("alloc", &toolchain.sdk.alloc),
    ] {
        command
            .arg("--extern")
            .arg(format!("{name}={}", path.display()));
    }
    command.arg("-L").arg(format!(
        "dependency={}",
        toolchain.sdk.dependencies.display()
    ));
    command
}

/// Lines of the snippet in which rustc finds errors, and all it says.
fn errors(snippet: &str) -> (BTreeSet<usize>, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("hole.rs"), "mod snippet;").unwrap();
    fs::write(folder.path().join("snippet.rs"), snippet).unwrap();
    let output = rustc(toolchain(), folder.path())
        .args(["--error-format=short", "--emit=metadata=o.rmeta", "hole.rs"])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    let lines = text
        .lines()
        .filter(|line| line.contains(": error"))
        .filter_map(|line| {
            line.strip_prefix("snippet.rs:")?
                .split(':')
                .next()?
                .parse()
                .ok()
        })
        .collect();
    assert_eq!(output.status.success(), !text.contains("error"), "{text}");
    (lines, text)
}

/// Each line of `cases` in a module of its own, so that one run of rustc judges them all.
fn modules(cases: &str) -> String {
    cases
        .lines()
        .enumerate()
        .map(|(index, line)| format!("mod case{index} {{ {line} }}\n"))
        .collect()
}

#[test]
fn what_models_write_compiles() {
    let (_, text) = errors(&modules(include_str!("tests/usable.rs.txt")));
    assert_eq!(text, "");
}

#[test]
fn names_with_authority_do_not_exist() {
    // Two batches: an unknown name keeps rustc from looking at types.
    for cases in [
        include_str!("tests/unknown.rs.txt"),
        include_str!("tests/refused.rs.txt"),
    ] {
        let (found, text) = errors(&modules(cases));
        let missing: Vec<&str> = cases
            .lines()
            .enumerate()
            .filter(|(index, _)| !found.contains(&(index + 1)))
            .map(|(_, line)| line)
            .collect();
        assert!(missing.is_empty(), "accepted: {missing:#?}\n{text}");
    }
}

#[test]
fn no_text_of_a_file_reaches_a_message() {
    let (found, text) =
        errors("pub fn f() -> &'static str { core::include_str!(\"/etc/passwd\") }");
    assert_eq!(found, BTreeSet::from([1]));
    assert!(!text.contains("root:"), "{text}");
}

#[test]
fn every_listed_name_can_be_imported() {
    let source: String = lacuna_guest::STD_NAMES
        .iter()
        .map(|(_, path)| format!("mod m{} {{ use {path}; }}\n", path.replace("::", "_")))
        .collect();
    let (_, text) = errors(&source);
    assert_eq!(text, "");
}

#[test]
fn the_sdk_is_the_same_in_any_folder_and_names_none() {
    let first = toolchain();
    let cache = tempfile::tempdir().unwrap();
    // Two at once: one compiles, the other waits and finds it.
    let (one, two) = std::thread::scope(|scope| {
        let prepare = || {
            let mut lines = 0;
            let toolchain = super::prepare(cache.path(), &mut |_| lines += 1).unwrap();
            (toolchain, lines)
        };
        let other = scope.spawn(prepare);
        (prepare(), other.join().unwrap())
    });
    assert_eq!(one.1 + two.1, 1, "one process compiles");
    let second = one.0;
    assert_eq!(second.sdk.hash, first.sdk.hash);
    let folder = cache.path().to_string_lossy().into_owned();
    let home = second
        .rustc
        .ancestors()
        .nth(2)
        .unwrap()
        .to_string_lossy()
        .into_owned();
    for (a, b) in [
        (&first.sdk.std, &second.sdk.std),
        (&first.sdk.core, &second.sdk.core),
        (&first.sdk.alloc, &second.sdk.alloc),
        (&first.sdk.prelinked, &second.sdk.prelinked),
        (
            &first.sdk.dependencies.join("liblacuna_rt.rlib"),
            &second.sdk.dependencies.join("liblacuna_rt.rlib"),
        ),
    ] {
        let (a_bytes, b_bytes) = (fs::read(a).unwrap(), fs::read(b).unwrap());
        assert!(
            a_bytes == b_bytes,
            "{} differs from {}",
            a.display(),
            b.display()
        );
        for path in [&folder, &home] {
            let found = b_bytes
                .windows(path.len())
                .any(|window| window == path.as_bytes());
            assert!(!found, "{} names {path}", b.display());
        }
    }
    let left: Vec<_> = fs::read_dir(cache.path().join("sdk"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .filter(|name| name.to_string_lossy().starts_with(".new-"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_cache_that_cannot_be_written_is_named() {
    let error = prepare(Path::new("/proc/self"), &mut |_| {}).unwrap_err();
    assert!(
        matches!(error, ToolchainError::CacheUnwritable { .. }),
        "{error:?}"
    );
}
