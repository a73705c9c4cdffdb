//! `wasi:filesystem`: one folder, resolved beneath it by wasmtime-wasi.
//!
//! Beside what wasmtime-wasi refuses (`..` and links that lead out, absolute paths, writing through a read-only folder),
//! a file that is no plain one is not opened: to open a FIFO waits for whoever opens its other end, and no limit could
//! end that thread. A link whose target has `..` is not made, since other programs follow links without a boundary.
#![expect(
    clippy::disallowed_methods,
    reason = "opens the folder that a grant names"
)]

use std::fs::File;
use std::path::{Component, Path};
use std::sync::Arc;

use wasmtime::component::{LinkerInstance, Resource};
use wasmtime_wasi::filesystem::{Descriptor, Dir, WasiFilesystemCtxView};
use wasmtime_wasi::p2::bindings::filesystem::types::{
    Advice, DescriptorFlags, DescriptorStat, DescriptorType, DirectoryEntry, DirectoryEntryStream,
    ErrorCode, Host as _, HostDescriptor as _, HostDirectoryEntryStream as _, MetadataHashValue,
    NewTimestamp, OpenFlags, PathFlags,
};
use wasmtime_wasi::p2::{DynInputStream, DynOutputStream, FsResult, IoError};
use wasmtime_wasi::{FsPerms, OpenMode};

use super::{Preopen, State, serve_with, served, unknown};
use crate::capability::CapabilityError;
use crate::capability::call::{Bounds, Site};
use crate::capability::host::Host;
use crate::capability::outcome::{Failure, LimitHit};

/// Where a guest finds the folder.
const MOUNTED: &str = "/";

type This = Resource<Descriptor>;
type Answer<R> = Result<R, ErrorCode>;

impl State {
    fn files(&mut self) -> WasiFilesystemCtxView<'_> {
        WasiFilesystemCtxView {
            ctx: &mut self.filesystem,
            table: &mut self.table,
        }
    }
}

/// Opens a granted folder.
pub(super) fn open(root: &Path) -> std::io::Result<File> {
    let folder = File::open(root)?;
    if !folder.metadata()?.is_dir() {
        return Err(std::io::ErrorKind::NotADirectory.into());
    }
    Ok(folder)
}

/// Defines a function of `wasi:filesystem/preopens`.
pub(super) fn preopens(
    target: &mut LinkerInstance<'_, Host>,
    site: Arc<Site>,
    name: &str,
    preopen: Option<Arc<Preopen>>,
) -> Result<(), CapabilityError> {
    if name != "get-directories" {
        return Err(unknown(&site));
    }
    serve_with(
        target,
        site,
        Arc::new(preopen),
        |state: &mut State, (): (), _, preopen: &Option<Arc<Preopen>>| {
            Box::pin(async move {
                let mut folders: Vec<(This, String)> = Vec::new();
                if let Some(preopen) = preopen {
                    let (perms, mode) = match preopen.write {
                        false => (FsPerms::ReadOnly, OpenMode::READ),
                        true => (FsPerms::ReadWrite, OpenMode::READ | OpenMode::WRITE),
                    };
                    let folder = preopen.folder.try_clone().map_err(wasmtime::Error::new)?;
                    let folder = Descriptor::Dir(Dir::new(folder, perms, mode, false));
                    folders.push((state.table.push(folder)?, MOUNTED.to_owned()));
                }
                Ok(folders)
            })
        },
    )
}

/// An error of the file system as the guest sees it.
fn told<R>(answer: FsResult<R>) -> wasmtime::Result<Answer<R>> {
    match answer {
        Ok(value) => Ok(Ok(value)),
        Err(error) => Ok(Err(error.downcast()?)),
    }
}

fn hit(hit: LimitHit) -> wasmtime::Error {
    wasmtime::Error::new(Failure::from(hit))
}

/// Defines a function of `wasi:filesystem/types`.
pub(super) fn types(
    target: &mut LinkerInstance<'_, Host>,
    site: Arc<Site>,
    name: &str,
) -> Result<(), CapabilityError> {
    match name {
        "filesystem-error-code" => {
            served!(target, site, |state, bounds| (err: Resource<IoError>) -> Option<ErrorCode> {
                state.files().filesystem_error_code(err)
            })
        }
        "[method]directory-entry-stream.read-directory-entry" => {
            served!(target, site, |state, bounds| (this: Resource<DirectoryEntryStream>) -> Answer<Option<DirectoryEntry>> {
                told(state.files().read_directory_entry(this).await)
            })
        }
        _ => match name.strip_prefix("[method]descriptor.") {
            Some(method) => descriptor(target, site, method),
            None => Err(unknown(&site)),
        },
    }
}

fn descriptor(
    target: &mut LinkerInstance<'_, Host>,
    site: Arc<Site>,
    method: &str,
) -> Result<(), CapabilityError> {
    match method {
        "read-via-stream" => {
            served!(target, site, |state, bounds| (this: This, offset: u64) -> Answer<Resource<DynInputStream>> {
                told(state.files().read_via_stream(this, offset))
            })
        }
        "advise" => {
            served!(target, site, |state, bounds| (this: This, offset: u64, length: u64, advice: Advice) -> Answer<()> {
                told(state.files().advise(this, offset, length, advice).await)
            })
        }
        "sync-data" => served!(target, site, |state, bounds| (this: This) -> Answer<()> {
            told(state.files().sync_data(this).await)
        }),
        "sync" => served!(target, site, |state, bounds| (this: This) -> Answer<()> {
            told(state.files().sync(this).await)
        }),
        "get-flags" => {
            served!(target, site, |state, bounds| (this: This) -> Answer<DescriptorFlags> {
                told(state.files().get_flags(this).await)
            })
        }
        "get-type" => {
            served!(target, site, |state, bounds| (this: This) -> Answer<DescriptorType> {
                told(state.files().get_type(this).await)
            })
        }
        "read" => {
            served!(target, site, |state, bounds| (this: This, length: u64, offset: u64) -> Answer<(Vec<u8>, bool)> {
                told(state.files().read(this, length, offset).await)
            })
        }
        "read-directory" => {
            served!(target, site, |state, bounds| (this: This) -> Answer<Resource<DirectoryEntryStream>> {
                if let Err(error) = count(state, &this, bounds).await? {
                    return Ok(Err(error));
                }
                told(state.files().read_directory(this).await)
            })
        }
        "stat" => served!(target, site, |state, bounds| (this: This) -> Answer<DescriptorStat> {
            told(state.files().stat(this).await)
        }),
        "stat-at" => {
            served!(target, site, |state, bounds| (this: This, flags: PathFlags, path: String) -> Answer<DescriptorStat> {
                told(state.files().stat_at(this, flags, path).await)
            })
        }
        "open-at" => {
            served!(target, site, |state, bounds| (this: This, flags: PathFlags, path: String, open: OpenFlags, mode: DescriptorFlags) -> Answer<This> {
                if let Err(error) = plain(state, &this, flags, &path).await? {
                    return Ok(Err(error));
                }
                if open.intersects(OpenFlags::CREATE | OpenFlags::TRUNCATE) {
                    bounds.change(&path).map_err(hit)?;
                }
                told(state.files().open_at(this, flags, path, open, mode).await)
            })
        }
        "readlink-at" => {
            served!(target, site, |state, bounds| (this: This, path: String) -> Answer<String> {
                told(state.files().readlink_at(this, path).await)
            })
        }
        "is-same-object" => {
            served!(target, site, |state, bounds| (this: This, other: This) -> bool {
                state.files().is_same_object(this, other).await
            })
        }
        "metadata-hash" => {
            served!(target, site, |state, bounds| (this: This) -> Answer<MetadataHashValue> {
                told(state.files().metadata_hash(this).await)
            })
        }
        "metadata-hash-at" => {
            served!(target, site, |state, bounds| (this: This, flags: PathFlags, path: String) -> Answer<MetadataHashValue> {
                told(state.files().metadata_hash_at(this, flags, path).await)
            })
        }
        _ => writing(target, site, method),
    }
}

/// The methods that change something, each of which a read-only folder refuses.
fn writing(
    target: &mut LinkerInstance<'_, Host>,
    site: Arc<Site>,
    method: &str,
) -> Result<(), CapabilityError> {
    match method {
        "write-via-stream" => {
            served!(target, site, |state, bounds| (this: This, offset: u64) -> Answer<Resource<DynOutputStream>> {
                told(state.files().write_via_stream(this, offset))
            })
        }
        "append-via-stream" => {
            served!(target, site, |state, bounds| (this: This) -> Answer<Resource<DynOutputStream>> {
                told(state.files().append_via_stream(this))
            })
        }
        "set-size" => served!(target, site, |state, bounds| (this: This, size: u64) -> Answer<()> {
            bounds.write(size).map_err(hit)?;
            told(state.files().set_size(this, size).await)
        }),
        "set-times" => {
            served!(target, site, |state, bounds| (this: This, accessed: NewTimestamp, modified: NewTimestamp) -> Answer<()> {
                told(state.files().set_times(this, accessed, modified).await)
            })
        }
        "set-times-at" => {
            served!(target, site, |state, bounds| (this: This, flags: PathFlags, path: String, accessed: NewTimestamp, modified: NewTimestamp) -> Answer<()> {
                bounds.change(&path).map_err(hit)?;
                told(state.files().set_times_at(this, flags, path, accessed, modified).await)
            })
        }
        "write" => {
            served!(target, site, |state, bounds| (this: This, buffer: Vec<u8>, offset: u64) -> Answer<u64> {
                bounds.write(buffer.len() as u64).map_err(hit)?;
                told(state.files().write(this, buffer, offset).await)
            })
        }
        "create-directory-at" => {
            served!(target, site, |state, bounds| (this: This, path: String) -> Answer<()> {
                bounds.change(&path).map_err(hit)?;
                told(state.files().create_directory_at(this, path).await)
            })
        }
        "link-at" => {
            served!(target, site, |state, bounds| (this: This, flags: PathFlags, old: String, folder: This, new: String) -> Answer<()> {
                bounds.change(&new).map_err(hit)?;
                told(state.files().link_at(this, flags, old, folder, new).await)
            })
        }
        "remove-directory-at" => {
            served!(target, site, |state, bounds| (this: This, path: String) -> Answer<()> {
                bounds.change(&path).map_err(hit)?;
                told(state.files().remove_directory_at(this, path).await)
            })
        }
        "rename-at" => {
            served!(target, site, |state, bounds| (this: This, old: String, folder: This, new: String) -> Answer<()> {
                bounds.change(&old).map_err(hit)?;
                bounds.change(&new).map_err(hit)?;
                told(state.files().rename_at(this, old, folder, new).await)
            })
        }
        "symlink-at" => {
            served!(target, site, |state, bounds| (this: This, old: String, new: String) -> Answer<()> {
                let inside = Path::new(&old)
                    .components()
                    .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
                if !inside {
                    return Ok(Err(ErrorCode::NotPermitted));
                }
                bounds.change(&new).map_err(hit)?;
                told(state.files().symlink_at(this, old, new).await)
            })
        }
        "unlink-file-at" => {
            served!(target, site, |state, bounds| (this: This, path: String) -> Answer<()> {
                bounds.change(&path).map_err(hit)?;
                told(state.files().unlink_file_at(this, path).await)
            })
        }
        _ => Err(unknown(&site)),
    }
}

/// Refuses to open what is neither a file nor a folder.
async fn plain(
    state: &mut State,
    this: &This,
    flags: PathFlags,
    path: &str,
) -> wasmtime::Result<Answer<()>> {
    let again = Resource::new_borrow(this.rep());
    let found = told(state.files().stat_at(again, flags, path.to_owned()).await)?;
    use DescriptorType::{Directory, RegularFile, SymbolicLink};
    Ok(match found.map(|found| found.type_) {
        Ok(RegularFile | Directory | SymbolicLink) => Ok(()),
        Ok(_) => Err(ErrorCode::Unsupported),
        // What is not there may be made; anything else is told by the opening itself.
        Err(_) => Ok(()),
    })
}

/// Counts a folder's entries before all of them are read: wasmtime-wasi holds the whole listing.
async fn count(state: &mut State, this: &This, bounds: &Bounds) -> wasmtime::Result<Answer<()>> {
    let folder = match state.table.get(this)? {
        Descriptor::Dir(folder) => Arc::clone(&folder.dir),
        Descriptor::File(_) => return Ok(Err(ErrorCode::NotDirectory)),
    };
    let most = bounds.entries;
    let bounds = bounds.clone();
    let counted = tokio::task::spawn_blocking(move || {
        // Not the folder's own descriptor, whose place in the listing is shared.
        let listing = rustix::fs::Dir::read_from(&*folder)?;
        // `.` and `..` are told too.
        let most = most.saturating_add(2);
        let mut found = 0u64;
        for entry in listing {
            entry?;
            found += 1;
            if found > most || bounds.abandoned() {
                break;
            }
        }
        Ok::<u64, rustix::io::Errno>(found.saturating_sub(2))
    });
    match counted.await {
        Ok(Ok(found)) if found > most => Err(hit(LimitHit {
            name: "entries",
            at: most,
            used: found,
        })),
        // What cannot be listed is told by the listing itself.
        Ok(_) => Ok(Ok(())),
        Err(error) => Err(wasmtime::Error::new(error)),
    }
}
