//! The folder that compiled things are kept in.
#![expect(
    clippy::disallowed_methods,
    reason = "makes the cache folder, which stands where the user's environment says"
)]

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use super::error::Replaceable;
use super::{ToolchainError, store};
use crate::environment;

/// Permission bits of the group and of others to write.
const OTHERS_WRITE: u32 = 0o022;

/// In a folder with this bit an entry is renamed and removed by its owner alone.
const STICKY: u32 = 0o1000;

/// The cache: `given`, else `LACUNA_CACHE_DIR`, else `XDG_CACHE_HOME/lacuna`, else `HOME/.cache/lacuna`. It is made if
/// it is missing, for this user alone.
///
/// # Errors
/// When no variable names one, it can't be made, or others can write to it or put another folder in its place: compiled
/// code is loaded from it, so whoever can write there can run code in this process.
pub fn cache_folder(given: Option<&Path>) -> Result<PathBuf, ToolchainError> {
    let folder = cache_place(given)?;
    is_text(&folder)?;
    let new = !folder.exists();
    make_private(&folder)?;
    // Absolute, because compilers run elsewhere; resolved, because confinement goes by real paths.
    let resolved = folder
        .canonicalize()
        .map_err(|source| ToolchainError::CacheUnwritable { folder, source })?;
    is_text(&resolved)?;
    cannot_be_replaced(&resolved)?;
    if new {
        // Without it backups take the cache along, nothing worse.
        let _ = fs::write(resolved.join(store::TAG), store::TAG_TEXT);
    }
    Ok(resolved)
}

/// Where the cache is or would be made, as [`cache_folder`] finds it. Nothing is made or looked at.
///
/// # Errors
/// When no variable names one.
pub fn cache_place(given: Option<&Path>) -> Result<PathBuf, ToolchainError> {
    match given {
        Some(folder) => Ok(folder.to_owned()),
        None => usual_folder(|name| std::env::var_os(name).map(PathBuf::from))
            .ok_or(ToolchainError::NoCacheFolder),
    }
}

/// rustc's arguments and messages are texts: with other paths it panics.
pub(super) fn is_text(folder: &Path) -> Result<(), ToolchainError> {
    match folder.to_str() {
        Some(_) => Ok(()),
        None => Err(ToolchainError::CacheNotText {
            folder: folder.to_owned(),
        }),
    }
}

/// Whoever can write a folder above the cache can rename it and put another one in its place. Root can do so anyway, and
/// so can whoever owns the root folder (in a container this need not be root).
pub(super) fn cannot_be_replaced(folder: &Path) -> Result<(), ToolchainError> {
    let own = rustix::process::geteuid().as_raw();
    let top = fs::metadata("/").map(|found| found.uid()).unwrap_or(0);
    for parent in folder.ancestors().skip(1) {
        let found = fs::metadata(parent).map_err(|source| ToolchainError::CacheUnwritable {
            folder: folder.to_owned(),
            source,
        })?;
        let why = if ![own, 0, top].contains(&found.uid()) {
            Replaceable::Foreign
        } else if found.mode() & OTHERS_WRITE != 0 && found.mode() & STICKY == 0 {
            Replaceable::Open
        } else {
            continue;
        };
        return Err(ToolchainError::CacheReplaceable {
            folder: folder.to_owned(),
            parent: parent.to_owned(),
            why,
        });
    }
    Ok(())
}

fn usual_folder(variable: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let set = |name| variable(name).filter(|value| !value.as_os_str().is_empty());
    set(environment::LACUNA_CACHE_DIR)
        // The XDG specification: relative values are to be ignored.
        .or_else(|| {
            set(environment::XDG_CACHE_HOME)
                .filter(|home| home.is_absolute())
                .map(|home| home.join("lacuna"))
        })
        .or_else(|| set(environment::HOME).map(|home| home.join(".cache").join("lacuna")))
}

/// Makes a folder that only this user can write, or checks that it is one.
///
/// # Errors
/// When it can't be made, belongs to another user, or can be written by others.
pub(crate) fn make_private(folder: &Path) -> Result<(), ToolchainError> {
    let unwritable = |source| ToolchainError::CacheUnwritable {
        folder: folder.to_owned(),
        source,
    };
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
        .map_err(unwritable)?;
    check_private(folder)
}

/// Checks that a folder is one that only this user can write.
///
/// # Errors
/// As [`make_private`].
pub(super) fn check_private(folder: &Path) -> Result<(), ToolchainError> {
    let unwritable = |source| ToolchainError::CacheUnwritable {
        folder: folder.to_owned(),
        source,
    };
    let metadata = fs::metadata(folder).map_err(unwritable)?;
    if !metadata.is_dir() {
        return Err(unwritable(io::ErrorKind::NotADirectory.into()));
    }
    if metadata.uid() != rustix::process::geteuid().as_raw() {
        return Err(ToolchainError::CacheForeign {
            folder: folder.to_owned(),
        });
    }
    if metadata.mode() & OTHERS_WRITE != 0 {
        return Err(ToolchainError::CacheOpen {
            folder: folder.to_owned(),
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn the_nearest_variable_wins_and_empty_or_relative_ones_are_ignored() {
        let pick = |pairs: &[(&str, &str)]| {
            usual_folder(|name| {
                pairs
                    .iter()
                    .find(|(key, _)| *key == name)
                    .map(|(_, value)| PathBuf::from(value))
            })
        };
        assert_eq!(pick(&[]), None);
        assert_eq!(
            pick(&[("HOME", "/h"), ("XDG_CACHE_HOME", "")]),
            Some("/h/.cache/lacuna".into())
        );
        assert_eq!(
            pick(&[("HOME", "/h"), ("XDG_CACHE_HOME", "x")]),
            Some("/h/.cache/lacuna".into())
        );
        assert_eq!(
            pick(&[("HOME", "/h"), ("XDG_CACHE_HOME", "/x")]),
            Some("/x/lacuna".into())
        );
        assert_eq!(
            pick(&[("XDG_CACHE_HOME", "/x"), ("LACUNA_CACHE_DIR", "/l")]),
            Some("/l".into())
        );
    }

    #[test]
    fn a_new_folder_is_private_and_an_open_one_is_refused() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("a/b");
        let found = cache_folder(Some(&folder)).unwrap();
        assert_eq!(fs::metadata(&found).unwrap().mode() & 0o777, 0o700);
        fs::set_permissions(&folder, Permissions::from_mode(0o770)).unwrap();
        assert!(matches!(
            cache_folder(Some(&folder)),
            Err(ToolchainError::CacheOpen { .. })
        ));
    }

    #[test]
    fn a_folder_above_that_others_can_write_is_refused_unless_it_is_sticky() {
        let root = tempfile::tempdir().unwrap();
        let parent = root.path().join("shared");
        let folder = parent.join("deep/cache");
        cache_folder(Some(&folder)).unwrap();
        for (mode, holds) in [
            (0o777, false),
            (0o770, false),
            (0o1777, true),
            (0o755, true),
        ] {
            fs::set_permissions(&parent, Permissions::from_mode(mode)).unwrap();
            match cache_folder(Some(&folder)) {
                Ok(_) => assert!(holds, "{mode:o}"),
                Err(ToolchainError::CacheReplaceable { parent: named, .. }) => {
                    assert!(!holds, "{mode:o}");
                    assert_eq!(named, parent.canonicalize().unwrap());
                }
                Err(other) => panic!("{mode:o}: {other}"),
            }
        }
    }

    #[test]
    fn paths_that_are_no_text_are_refused_also_behind_a_link() {
        use std::os::unix::ffi::OsStrExt;
        let root = tempfile::tempdir().unwrap();
        let odd = root.path().join(std::ffi::OsStr::from_bytes(b"odd-\xff"));
        let refused = |folder: &Path| {
            let made = cache_folder(Some(folder)).map(|_| ());
            let looked = super::super::look_at_cache(Some(folder)).map(|_| ());
            for found in [made, looked] {
                assert!(
                    matches!(found, Err(ToolchainError::CacheNotText { .. })),
                    "{found:?}"
                );
            }
        };
        refused(&odd);
        // Nothing was made either.
        assert!(!odd.exists());
        fs::create_dir(&odd).unwrap();
        let link = root.path().join("link");
        std::os::unix::fs::symlink(&odd, &link).unwrap();
        refused(&link);
        refused(&link.join("new"));
    }

    /// Only root can give a folder away, so elsewhere there is nothing to try.
    #[test]
    fn folders_of_another_user_are_refused() {
        if !rustix::process::geteuid().is_root() {
            return;
        }
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("theirs/cache");
        cache_folder(Some(&folder)).unwrap();
        std::os::unix::fs::chown(folder.parent().unwrap(), Some(12345), None).unwrap();
        let error = cache_folder(Some(&folder)).unwrap_err();
        assert!(
            matches!(error, ToolchainError::CacheReplaceable { .. }),
            "{error}"
        );
        std::os::unix::fs::chown(folder.parent().unwrap(), Some(0), None).unwrap();
        std::os::unix::fs::chown(&folder, Some(12345), None).unwrap();
        let error = cache_folder(Some(&folder)).unwrap_err();
        assert!(
            matches!(error, ToolchainError::CacheForeign { .. }),
            "{error}"
        );
    }

    #[test]
    fn only_a_new_folder_is_tagged() {
        let root = tempfile::tempdir().unwrap();
        let new = cache_folder(Some(&root.path().join("new"))).unwrap();
        assert!(new.join(store::TAG).is_file());
        let old = root.path().join("old");
        DirBuilder::new().mode(0o700).create(&old).unwrap();
        cache_folder(Some(&old)).unwrap();
        assert!(!old.join(store::TAG).exists());
    }

    #[test]
    fn a_file_in_the_way_is_named() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("file");
        fs::write(&file, "").unwrap();
        let error = cache_folder(Some(&file)).unwrap_err();
        assert!(
            error.to_string().contains(&*file.to_string_lossy()),
            "{error}"
        );
        let below = cache_folder(Some(&file.join("x"))).unwrap_err();
        assert!(matches!(below, ToolchainError::CacheUnwritable { .. }));
    }
}
