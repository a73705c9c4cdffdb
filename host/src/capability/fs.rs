//! `lacuna:fs`: reading and writing in one granted folder.
//!
//! The folder is opened once, when the program is loaded; every path is resolved from that descriptor by cap-std, so
//! `..`, absolute paths and links can't lead out of it, even when links change while a guest runs. Two grants on the same folder
//! are two descriptors of one folder. Only regular files, FIFOs and folders are opened: a device could do
//! something when it is opened. A FIFO is read without a thread that waits (`pipe`).
//!
//! What no path can tell stays open: a file that somebody has given a second name outside is the same file, and what
//! is mounted in the folder belongs to it.

mod folder;
mod listing;
mod pipe;
#[cfg(test)]
mod tests;
mod types;
mod writing;

use std::sync::Arc;

use wasmtime::component::{ComponentNamedList, Lift, LinkerInstance};

use super::call::{self, Arguments, Bounds, Crossing, Site};
use super::handles::ResourceKinds;
use super::host::Host;
use super::refusal::{self, serve, told};
use super::{CapabilityError, Provide};
use crate::grant::FolderGrant;
use crate::scope::{ScopeFunction, ScopeImport};
use folder::{Content, Folder};
use types::FileError;

/// One granted folder.
pub(crate) struct Files {
    folder: Arc<Folder>,
}

impl Files {
    /// Opens the granted folder.
    pub(crate) fn open(import: &ScopeImport, grant: &FolderGrant) -> Result<Self, CapabilityError> {
        let folder = Folder::open(grant).map_err(|error| CapabilityError::Folder {
            label: import.label.clone(),
            reason: error.to_string(),
        })?;
        Ok(Self {
            folder: Arc::new(folder),
        })
    }
}

impl Provide for Files {
    fn define(
        &self,
        target: &mut LinkerInstance<'_, Host>,
        site: Arc<Site>,
        function: &ScopeFunction,
        _kinds: &Arc<ResourceKinds>,
    ) -> Result<(), CapabilityError> {
        let folder = Arc::clone(&self.folder);
        match function.wit.as_str() {
            "read-text" => serve_reading(
                target,
                site,
                folder,
                |folder, (path,): &(String,), bounds| folder.whole(path, bounds),
                // As it is: no byte order mark is dropped, no line end changed.
                |bytes, (path,)| {
                    String::from_utf8(bytes).map_err(|_| FileError::NotText(path.clone()))
                },
            ),
            "read" => serve_reading(
                target,
                site,
                folder,
                |folder, (path, offset, length): &(String, u64, u64), bounds| {
                    folder.part(path, *offset, *length, bounds)
                },
                |bytes, _| Ok(bytes),
            ),
            "entries" => serve(
                target,
                site,
                &folder,
                |folder, (path,): &(String,), bounds| folder.entries(path, bounds),
            ),
            "walk" => serve(
                target,
                site,
                &folder,
                |folder, (path,): &(String,), bounds| folder.walk(path, bounds),
            ),
            "glob" => serve(
                target,
                site,
                &folder,
                |folder, (pattern,): &(String,), bounds| folder.glob(pattern, bounds),
            ),
            "metadata" => serve(target, site, &folder, |folder, (path,): &(String,), _| {
                folder.metadata(path)
            }),
            "write" => serve(
                target,
                site,
                &folder,
                |folder, (path, content): &(String, Vec<u8>), bounds| {
                    bounds.change(path)?;
                    bounds.write(content.len() as u64)?;
                    folder.write(path, content)
                },
            ),
            "append" => serve(
                target,
                site,
                &folder,
                |folder, (path, content): &(String, Vec<u8>), bounds| {
                    bounds.change(path)?;
                    bounds.write(content.len() as u64)?;
                    folder.append(path, content)
                },
            ),
            "create-folder" => serve(
                target,
                site,
                &folder,
                |folder, (path,): &(String,), bounds| folder.create_folder(path, bounds),
            ),
            "remove" => serve(
                target,
                site,
                &folder,
                |folder, (path,): &(String,), bounds| {
                    bounds.change(path)?;
                    folder.remove(path)
                },
            ),
            "rename" => serve(
                target,
                site,
                &folder,
                |folder, (old, new): &(String, String), bounds| {
                    bounds.change(old)?;
                    bounds.change(new)?;
                    folder.rename(old, new)
                },
            ),
            _ => Err(CapabilityError::Unknown {
                import: site.import.clone(),
                function: function.wit.clone(),
            }),
        }
    }
}

/// Why a file function did not do its work.
pub(crate) type Refusal = refusal::Refusal<FileError>;

impl From<FileError> for Refusal {
    fn from(error: FileError) -> Self {
        Self::Error(error)
    }
}

/// Defines one function that reads a file. Opening it may block; its content may have to be waited for.
fn serve_reading<P, R>(
    target: &mut LinkerInstance<'_, Host>,
    site: Arc<Site>,
    folder: Arc<Folder>,
    open: fn(&Folder, &P, &Bounds) -> Result<Content, Refusal>,
    read: fn(Vec<u8>, &P) -> Result<R, FileError>,
) -> Result<(), CapabilityError>
where
    P: ComponentNamedList + Lift + Arguments + Clone + Send + Sync + 'static,
    R: Crossing + Send + 'static,
    (Result<R, FileError>,): ComponentNamedList + wasmtime::component::Lower + 'static,
{
    let name = site.function.clone();
    target.func_wrap_async(&name, move |store, parameters: P| {
        let site = Arc::clone(&site);
        let folder = Arc::clone(&folder);
        Box::new(async move {
            let given = parameters.clone();
            let answer = call::blocking_then(
                store,
                &site,
                parameters,
                move |parameters, bounds| Ok(open(&folder, parameters, bounds)),
                |opened| async move {
                    let bytes = match opened {
                        Ok(content) => content.bytes().await,
                        Err(refusal) => Err(refusal),
                    };
                    told(bytes.and_then(|bytes| read(bytes, &given).map_err(Refusal::from)))
                },
            )
            .await?;
            Ok((answer,))
        })
    })?;
    Ok(())
}
