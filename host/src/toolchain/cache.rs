//! The folder that compiled things are kept in.
#![expect(
    clippy::disallowed_methods,
    reason = "makes the cache folder, which stands where the user's environment says"
)]

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use super::ToolchainError;

/// The cache: `given`, else `LACUNA_CACHE_DIR`, else `XDG_CACHE_HOME/lacuna`, else `HOME/.cache/lacuna`. It is made if
/// it is missing, for this user alone.
///
/// # Errors
/// When no variable names one, it can't be made, or others can write to it: compiled code is loaded from it, so
/// whoever can write there can run code in this process.
pub fn cache_folder(given: Option<&Path>) -> Result<PathBuf, ToolchainError> {
    let folder = match given {
        Some(folder) => folder.to_owned(),
        None => usual_folder(|name| std::env::var_os(name).map(PathBuf::from))
            .ok_or(ToolchainError::NoCacheFolder)?,
    };
    make_private(&folder)?;
    // Absolute, because compilers run elsewhere; resolved, because confinement goes by real paths.
    folder
        .canonicalize()
        .map_err(|source| ToolchainError::CacheUnwritable { folder, source })
}

fn usual_folder(variable: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let set = |name| variable(name).filter(|value| !value.as_os_str().is_empty());
    set("LACUNA_CACHE_DIR")
        // The XDG specification: relative values are to be ignored.
        .or_else(|| {
            set("XDG_CACHE_HOME")
                .filter(|home| home.is_absolute())
                .map(|home| home.join("lacuna"))
        })
        .or_else(|| set("HOME").map(|home| home.join(".cache").join("lacuna")))
}

/// Makes a folder that only this user can write, or checks that it is one.
pub(super) fn make_private(folder: &Path) -> Result<(), ToolchainError> {
    let unwritable = |source| ToolchainError::CacheUnwritable {
        folder: folder.to_owned(),
        source,
    };
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
        .map_err(unwritable)?;
    let metadata = fs::metadata(folder).map_err(unwritable)?;
    if !metadata.is_dir() {
        return Err(unwritable(io::ErrorKind::NotADirectory.into()));
    }
    if metadata.uid() != rustix::process::geteuid().as_raw() {
        return Err(ToolchainError::CacheForeign {
            folder: folder.to_owned(),
        });
    }
    if metadata.mode() & 0o022 != 0 {
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
