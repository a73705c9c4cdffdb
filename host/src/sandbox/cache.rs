//! Compiled code on disk.
//!
//! Loading compiled code is trusting it like our own: whoever can write a cache file can run anything as this user. So
//! the folder must belong to this user and be writable by nobody else, and a file carries the hash of its content, which
//! catches what disks and half-finished copies do.
#![expect(
    clippy::disallowed_methods,
    reason = "keeps compiled code in the cache"
)]

use std::fs;
use std::hash::{Hash, Hasher};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use wasmtime::Engine;
use wasmtime::component::Component;

use super::SandboxError;
use super::functions::Functions;
use crate::toolchain::store::Kind;

/// Bytes of a blake3 hash, in front of the compiled code.
const HASH: usize = 32;

/// Permission bits of the group and of others to write.
const OTHERS_WRITE: u32 = 0o022;

/// Compiles the component, unless its code is in the cache. A cache that can't be used only costs time.
pub(super) fn compile(
    engine: &Engine,
    functions: &Functions,
    bytes: &[u8],
    cache: Option<&Path>,
) -> Result<Component, SandboxError> {
    let folder = cache.and_then(private_folder);
    let file = folder
        .as_ref()
        .map(|folder| folder.join(name(engine, bytes)));
    if let Some(component) = file.as_deref().and_then(|file| read(engine, file)) {
        return Ok(component);
    }
    if let Some(folder) = &folder {
        functions.warm(folder);
    }
    let component = Component::from_binary(engine, bytes)
        .map_err(|error| SandboxError::Refused(format!("{error:#}")))?;
    if let Some(folder) = &folder {
        functions.keep(folder);
    }
    if let (Some(file), Ok(code)) = (file, component.serialize()) {
        // Losing an entry is not worth failing a run.
        let _ = write_checked(&file, &code);
    }
    Ok(component)
}

/// The code of a component that was kept by [`keep`].
pub(super) fn find(engine: &Engine, cache: &Path, bytes: &[u8]) -> Option<Component> {
    let folder = private_folder(cache)?;
    read(engine, &folder.join(name(engine, bytes)))
}

/// Keeps the code of a component. Losing an entry is not worth failing a run.
pub(super) fn keep(engine: &Engine, cache: &Path, bytes: &[u8], code: &[u8]) {
    if let Some(folder) = private_folder(cache) {
        let _ = write_checked(&folder.join(name(engine, bytes)), code);
    }
}

/// Takes code that our own program compiled in a child process just now.
pub(super) fn accept(engine: &Engine, code: &[u8]) -> Result<Component, String> {
    #[expect(
        unsafe_code,
        reason = "the one way to load compiled code; see the SAFETY comment"
    )]
    // SAFETY: `deserialize` needs bytes that wasmtime made. They come from `lacuna compile-component`, the program of
    // this user that was named or found by `compile::foreign`, out of a fresh folder that only this user can enter.
    // wasmtime itself refuses code of another version or of other settings.
    unsafe { Component::deserialize(engine, code) }.map_err(|error| format!("{error:#}"))
}

/// The folder for compiled code, if nobody else can write it.
fn private_folder(cache: &Path) -> Option<PathBuf> {
    let folder = cache.join(Kind::Compiled.name());
    if !folder.is_dir() {
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&folder)
            .ok()?;
    }
    let user = rustix::process::geteuid().as_raw();
    // A folder above that others can write would let them put another one in its place.
    let private = |folder: &Path| {
        fs::symlink_metadata(folder).is_ok_and(|found| {
            found.is_dir() && found.uid() == user && found.mode() & OTHERS_WRITE == 0
        })
    };
    (private(cache) && private(&folder)).then_some(folder)
}

/// Name of the file: what was compiled, and everything of the engine that compiled code depends on.
fn name(engine: &Engine, bytes: &[u8]) -> String {
    let mut settings = Blake(blake3::Hasher::new());
    engine.precompile_compatibility_hash().hash(&mut settings);
    format!(
        "{}-{}.cwasm",
        blake3::hash(bytes).to_hex(),
        &settings.0.finalize().to_hex()[..16]
    )
}

/// Compiled code whose hash is right and which the engine takes.
fn read(engine: &Engine, file: &Path) -> Option<Component> {
    let code = read_checked(file)?;
    #[expect(
        unsafe_code,
        reason = "the one way to load compiled code; see the SAFETY comment"
    )]
    // SAFETY: `deserialize` needs bytes that `Component::serialize` made. Only this module and `functions` name files in
    // this folder, `private_folder` has checked that no other user can write it, and the hash that `write_checked` put in front
    // is right. wasmtime itself refuses code of another version or of other settings.
    unsafe { Component::deserialize(engine, &code) }.ok()
}

/// The content of a file that [`write_checked`] wrote, if its hash is right.
pub(super) fn read_checked(file: &Path) -> Option<Vec<u8>> {
    let mut content = fs::read(file).ok()?;
    let (hash, code) = content.split_at_checked(HASH)?;
    if blake3::hash(code).as_bytes() != hash {
        return None;
    }
    content.drain(..HASH);
    Some(content)
}

/// Writes a hash and the content beside the target and renames, so that a reader never sees half a file.
pub(super) fn write_checked(file: &Path, code: &[u8]) -> io::Result<()> {
    let folder = file.parent().ok_or(io::ErrorKind::NotFound)?;
    let mut temporary = tempfile::NamedTempFile::new_in(folder)?;
    temporary.write_all(blake3::hash(code).as_bytes())?;
    temporary.write_all(code)?;
    temporary.persist(file)?;
    Ok(())
}

/// Feeds a `Hash` to blake3. The standard hashers are too short to tell settings apart for good.
struct Blake(blake3::Hasher);

impl Hasher for Blake {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        let mut first = [0; 8];
        first.copy_from_slice(&self.0.finalize().as_bytes()[..8]);
        u64::from_le_bytes(first)
    }
}
