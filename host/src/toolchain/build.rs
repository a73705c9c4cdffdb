//! Compiles the SDK into the cache.
#![expect(clippy::disallowed_methods, reason = "compiles the SDK into the cache")]

use std::fs::{self, File};
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::process::Signal;

use super::discover::{Compiler, is_library_of};
use super::store::Kind;
use super::{
    CLEAN_PASSES, LINK_FLAGS, Sdk, Stop, TARGET, ToolchainError, archive, cache, contents, retire,
};

/// Counted up when the layout of the folder or the steps below change in a way that sources and flags don't show.
const FORMAT: u32 = 2;

/// Crates of the sysroot that a snippet must not find.
const LEFT_OUT: &[&str] = &["proc_macro", "test", "getopts"];

/// Crates whose code goes into the prelinked object: whole crates, so that no snippet can need a symbol outside it.
const PRELINKED: &[&str] = &[
    "std",
    "alloc",
    "core",
    "panic_abort",
    "dlmalloc",
    "hashbrown",
    "cfg_if",
    "rustc_demangle",
    "miniz_oxide",
    "adler2",
    "unwind",
    "compiler_builtins",
];

/// How the crates of the SDK are compiled. At opt-level 0, because at any other their generic instances are inlined
/// away before a snippet can share them.
const FLAGS: &[&str] = &[
    "--edition=2024",
    "--target=wasm32-unknown-unknown",
    "--crate-type=rlib",
    // The curated crates bear the names of the real ones, under a hash of their own.
    "-Cmetadata=lacuna",
    "-Awarnings",
    "-Cpanic=abort",
    "-Copt-level=0",
    "-Ccodegen-units=1",
    "-Cdebug-assertions=no",
    // A shared instance of `sum` has the checks of the crate that it was compiled in.
    "-Coverflow-checks=yes",
    "-Cembed-bitcode=no",
    CLEAN_PASSES,
];

/// The SDK for this compiler: from the cache, or compiled now.
pub(super) fn sdk(
    stop: &Stop,
    compiler: &Compiler,
    target: &Path,
    cache: &Path,
    notify: &mut dyn FnMut(&str),
) -> Result<Sdk, ToolchainError> {
    let hash = hash(compiler);
    let folder = cache.join(Kind::Sdk.name());
    cache::make_private(&folder)?;
    let name = name(&hash);
    let mut sdk = layout(folder.join(name), hash.clone());
    sdk.in_use = retire::hold(&folder, name);
    if contents::missing(&sdk.root).is_none() {
        retire::old(&folder, name);
        return Ok(sdk);
    }
    let unwritable = |source| ToolchainError::CacheUnwritable {
        folder: folder.clone(),
        source,
    };
    // Held until this function returns; the second process then finds the SDK.
    let lock = File::create(folder.join(format!("{name}.lock"))).map_err(unwritable)?;
    lock.lock().map_err(unwritable)?;
    if contents::missing(&sdk.root).is_none() {
        return Ok(sdk);
    }
    notify(if sdk.root.exists() {
        "the guest SDK is damaged: compiling it again …"
    } else {
        "compiling the guest SDK (once for this toolchain) …"
    });
    let work = tempfile::Builder::new()
        .prefix(retire::IN_THE_MAKING)
        .tempdir_in(&folder)
        .map_err(unwritable)?;
    compile(stop, compiler, target, work.path())?;
    contents::write(work.path()).map_err(unwritable)?;
    if sdk.root.exists() {
        // Someone deleted or changed a part of it.
        fs::remove_dir_all(&sdk.root).map_err(unwritable)?;
    }
    fs::rename(work.path(), &sdk.root).map_err(unwritable)?;
    // It has moved, there is nothing left to clean up.
    let _ = work.keep();
    retire::old(&folder, name);
    Ok(sdk)
}

/// The folder of the SDK for this compiler, which need not be there.
pub(super) fn place(compiler: &Compiler, cache: &Path) -> PathBuf {
    cache.join(Kind::Sdk.name()).join(name(&hash(compiler)))
}

fn name(hash: &str) -> &str {
    &hash["blake3:".len()..][..32]
}

/// Everything that the compiled SDK depends on. Each part is preceded by its length, so that no two lists give the
/// same bytes.
fn hash(compiler: &Compiler) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut add = |text: &str| {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    };
    add(&FORMAT.to_string());
    add(&compiler.verbose);
    for flag in FLAGS.iter().chain(PRELINKED).chain(LEFT_OUT) {
        add(flag);
    }
    for (path, text) in lacuna_guest::SOURCES {
        add(path);
        add(text);
    }
    format!("blake3:{}", hasher.finalize().to_hex())
}

fn layout(root: PathBuf, hash: String) -> Sdk {
    Sdk {
        sysroot: root.join("sysroot"),
        std: root.join("curated/libstd.rlib"),
        core: root.join("curated/libcore.rlib"),
        alloc: root.join("curated/liballoc.rlib"),
        dependencies: root.join("dependencies"),
        prelinked: root.join("prelinked.o"),
        hash,
        root,
        in_use: None,
    }
}

fn compile(
    stop: &Stop,
    compiler: &Compiler,
    target: &Path,
    work: &Path,
) -> Result<(), ToolchainError> {
    let unwritable = |source| ToolchainError::CacheUnwritable {
        folder: work.to_owned(),
        source,
    };
    for folder in ["curated", "dependencies", "shim", "objects"] {
        fs::create_dir(work.join(folder)).map_err(unwritable)?;
    }
    for (path, text) in lacuna_guest::SOURCES {
        let path = work.join("src").join(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(unwritable)?;
        }
        fs::write(path, text).map_err(unwritable)?;
    }
    let libraries = sysroot(compiler, target, work).map_err(unwritable)?;
    let rustc = |step: &str, arguments: &[&str]| {
        let mut command = Command::new(&compiler.rustc);
        command.args(["--sysroot", "sysroot"]).args(arguments);
        // No path of this machine may get into the libraries: relative names, and the folder itself is renamed.
        let mut remap = work.as_os_str().to_owned();
        remap.push("=/sdk");
        command.arg("--remap-path-prefix").arg(remap);
        run(stop, command, work, step)
    };
    let curated = |name: &str, arguments: &[&str]| {
        let source = format!("src/{name}/lib.rs");
        let output = format!("curated/lib{name}.rlib");
        let own = [
            "--crate-name",
            name,
            "-Ldependency=dependencies",
            "-o",
            &output,
            &source,
        ];
        rustc(name, &[FLAGS, arguments, &own].concat())
    };
    rustc(
        "runtime",
        &[
            FLAGS,
            &[
                "--crate-name=lacuna_rt",
                "--out-dir=dependencies",
                "src/rt/lib.rs",
            ],
        ]
        .concat(),
    )?;
    curated(
        "std",
        &["--extern=lacuna_rt=dependencies/liblacuna_rt.rlib"],
    )?;
    curated("core", &["--extern=std=curated/libstd.rlib"])?;
    curated("alloc", &["--extern=std=curated/libstd.rlib"])?;

    // rustc makes a symbol or two of the allocator only when it links a program; let it link an empty one and take
    // its objects.
    fs::write(work.join("shim/lib.rs"), "").map_err(unwritable)?;
    let shim = [
        "--edition=2024",
        "--target=wasm32-unknown-unknown",
        "--crate-type=cdylib",
        "--crate-name=shim",
        "-Cpanic=abort",
        "-Ccodegen-units=1",
        "-Csave-temps",
        "-Ldependency=dependencies",
        "--extern=std=curated/libstd.rlib",
        "--out-dir=shim",
        "shim/lib.rs",
    ];
    rustc("allocator", &shim)?;

    let mut archives = vec![
        work.join("curated/libstd.rlib"),
        work.join("dependencies/liblacuna_rt.rlib"),
    ];
    archives.extend(libraries.into_iter().filter(|path| {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        // Not the metadata beside it: `is_library_of` wants `.rlib`.
        PRELINKED.iter().any(|name| is_library_of(name, &file))
    }));
    let mut objects = Vec::new();
    for archive_path in archives {
        let bytes = fs::read(&archive_path).map_err(unwritable)?;
        let members = archive::objects(&bytes).map_err(|message| ToolchainError::Library {
            file: archive_path.clone(),
            message: message.to_owned(),
        })?;
        for (_, data) in members {
            // Numbered, because names of members may be the same in two archives.
            let object = format!("objects/{}.o", objects.len());
            fs::write(work.join(&object), data).map_err(unwritable)?;
            objects.push(object);
        }
    }
    let mut made: Vec<_> = fs::read_dir(work.join("shim"))
        .and_then(|entries| {
            entries
                .map(|entry| entry.map(|entry| entry.file_name()))
                .collect()
        })
        .map_err(unwritable)?;
    made.sort();
    objects.extend(
        made.iter()
            .filter_map(|name| name.to_str())
            .filter(|name| name.ends_with(".o"))
            .map(|name| format!("shim/{name}")),
    );
    let mut link = Command::new(&compiler.lld);
    link.args(&LINK_FLAGS[..2])
        .args(["-r", "--strip-all", "-o", "prelinked.o"])
        .args(&objects);
    run(stop, link, work, "prelinked object")?;
    for folder in ["shim", "objects", "src"] {
        fs::remove_dir_all(work.join(folder)).map_err(unwritable)?;
    }
    Ok(())
}

/// Makes the own sysroot: only the target's libraries, and the linker for rustc's own use. Gives its files back,
/// sorted by name.
fn sysroot(compiler: &Compiler, target: &Path, work: &Path) -> io::Result<Vec<PathBuf>> {
    let rustlib = work.join("sysroot/lib/rustlib");
    let folder = rustlib.join(TARGET).join("lib");
    fs::create_dir_all(&folder)?;
    let mut libraries = Vec::new();
    for entry in fs::read_dir(target)? {
        let entry = entry?;
        let name = entry.file_name();
        // The rlibs of the sysroot hold stubs only, their metadata lies beside them.
        let text = name.to_string_lossy().replace(".rmeta", ".rlib");
        if !text.ends_with(".rlib") || LEFT_OUT.iter().any(|left| is_library_of(left, &text)) {
            continue;
        }
        let copy = folder.join(&name);
        // A link costs no space; it fails across file systems and where links to another's files are forbidden.
        if fs::hard_link(entry.path(), &copy).is_err() {
            fs::copy(entry.path(), &copy)?;
        }
        libraries.push(copy);
    }
    libraries.sort();
    let programs = rustlib.join(&compiler.host).join("bin");
    fs::create_dir_all(&programs)?;
    std::os::unix::fs::symlink(&compiler.lld, programs.join("rust-lld"))?;
    Ok(libraries)
}

fn run(stop: &Stop, mut command: Command, work: &Path, step: &str) -> Result<(), ToolchainError> {
    let command = command.env_clear().env("TMPDIR", work).current_dir(work);
    let output = stop.output(command).map_err(|error| ToolchainError::Sdk {
        step: step.to_owned(),
        message: error.to_string(),
    })?;
    if output.status.success() {
        return Ok(());
    }
    if output.status.signal() == Some(Signal::KILL.as_raw()) {
        return Err(ToolchainError::Killed {
            step: step.to_owned(),
        });
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let told: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .take(12)
        .collect();
    if text.contains("No space left on device") {
        return Err(ToolchainError::CacheUnwritable {
            folder: work.to_owned(),
            source: io::ErrorKind::StorageFull.into(),
        });
    }
    Err(ToolchainError::Sdk {
        step: step.to_owned(),
        message: if told.is_empty() {
            output.status.to_string()
        } else {
            told.join("\n")
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compiler_that_was_killed_is_no_fault_of_the_sources() {
        let folder = tempfile::tempdir().unwrap();
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", "echo half a message >&2; kill -9 $$"]);
        let error = run(&Stop::default(), shell, folder.path(), "std").unwrap_err();
        assert!(
            matches!(&error, ToolchainError::Killed { step } if step == "std"),
            "{error}"
        );
    }
}
