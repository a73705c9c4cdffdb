//! Writing, making, moving and removing.

use std::fs;
use std::os::unix::fs::symlink;

use super::{bounds, error, granted, opened};
use crate::capability::call::Bounds;
use crate::capability::fs::Refusal;
use crate::capability::fs::types::{FileError, Kind};

#[test]
fn changes() {
    let (root, folder) = granted();
    folder.create_folder("a/b", &bounds()).unwrap();
    folder.create_folder("a/b", &bounds()).unwrap();
    folder.write("a/b/x", b"a long first text").unwrap();
    folder.write("a/b/x", b"short").unwrap();
    folder.append("a/b/x", b"er").unwrap();
    folder.append("new", b"1").unwrap();
    assert_eq!(fs::read(root.path().join("a/b/x")).unwrap(), b"shorter");
    folder.rename("a/b/x", "y").unwrap();
    assert_eq!(fs::read(root.path().join("y")).unwrap(), b"shorter");
    assert_eq!(
        error(folder.rename("y", "new")),
        FileError::Exists("new".into())
    );
    assert_eq!(
        error(folder.rename("x", "z")),
        FileError::NotFound("x".into())
    );
    assert_eq!(error(folder.remove("a")), FileError::NotEmpty("a".into()));
    folder.remove("a/b").unwrap();
    folder.remove("new").unwrap();
    assert_eq!(
        error(folder.remove("new")),
        FileError::NotFound("new".into())
    );
    assert_eq!(
        error(folder.create_folder("y", &bounds())),
        FileError::Exists("y".into())
    );
    assert_eq!(
        error(folder.write("a", b"")),
        FileError::NotAFile("a".into())
    );
    assert_eq!(
        error(folder.write("y/z", b"")),
        FileError::NotAFolder("y/z".into())
    );
    assert_eq!(
        error(folder.write("y", &[0; 101])),
        FileError::TooLarge("y".into())
    );
    assert_eq!(
        error(folder.append("y", &[0; 95])),
        FileError::TooLarge("y".into())
    );
    assert_eq!(fs::read(root.path().join("y")).unwrap(), b"shorter");
    assert_eq!(
        error(folder.write("x\0y", b"")),
        FileError::Invalid("x\0y".into())
    );
    let long = "x".repeat(300);
    assert_eq!(
        error(folder.write(&long, b"")),
        FileError::Invalid(long.clone())
    );
}

#[test]
fn nothing_outside_is_changed() {
    let (outer, _) = granted();
    let inner = outer.path().join("inner");
    fs::create_dir(&inner).unwrap();
    fs::write(outer.path().join("kept"), "kept").unwrap();
    symlink("../kept", inner.join("link")).unwrap();
    symlink("..", inner.join("up")).unwrap();
    let folder = opened(&inner).unwrap();
    for path in ["../kept", "link", "up/kept", "/tmp/x"] {
        let denied = FileError::Denied(path.into());
        assert_eq!(error(folder.write(path, b"x")), denied);
        assert_eq!(error(folder.append(path, b"x")), denied);
        assert_eq!(error(folder.metadata(path)), denied);
        if path != "link" {
            assert_eq!(error(folder.remove(path)), denied);
            assert_eq!(error(folder.rename(path, "here")), denied);
            fs::write(inner.join("mine"), "").unwrap();
            assert!(folder.rename("mine", path).is_err());
            assert_eq!(
                error(folder.create_folder(&format!("{path}-folder"), &bounds())),
                FileError::Denied(format!("{path}-folder"))
            );
        }
    }
    // A link itself can be removed.
    folder.remove("link").unwrap();
    assert_eq!(fs::read(outer.path().join("kept")).unwrap(), b"kept");
}

/// The last part of the two paths as the system calls see it: with the `/` behind it, and never `.` or `..`.
#[test]
fn a_move_takes_names_as_they_are_written() {
    let (root, folder) = granted();
    fs::create_dir(root.path().join("folder")).unwrap();
    fs::write(root.path().join("file"), "file").unwrap();
    symlink("folder", root.path().join("link")).unwrap();
    for (old, new, expected) in [
        ("file/", "x", FileError::NotAFolder("file/".into())),
        ("file/.", "x", FileError::Invalid("file/.".into())),
        ("file", "x/", FileError::NotAFolder("x/".into())),
        ("link/", "x", FileError::NotAFolder("link/".into())),
        (".", "x", FileError::Invalid(".".into())),
        ("folder/.", "x", FileError::Invalid("folder/.".into())),
        ("folder/..", "x", FileError::Invalid("folder/..".into())),
        ("folder", "folder/x", FileError::Invalid("folder/x".into())),
        ("file", "none/x", FileError::NotFound("none/x".into())),
        ("file", "file/x", FileError::NotAFolder("file/x".into())),
        ("file", "x/.", FileError::Invalid("x/.".into())),
        ("file", "x/..", FileError::Invalid("x/..".into())),
        ("file", "link", FileError::Exists("link".into())),
        ("none", "x", FileError::NotFound("none".into())),
    ] {
        assert_eq!(error(folder.rename(old, new)), expected, "{old} {new}");
    }
    folder.rename("folder/", "moved//").unwrap();
    // The link moves, not what it leads to; it dangles now and is still something that is there.
    folder.rename("link", "./moved/link").unwrap();
    assert!(root.path().join("moved/link").is_symlink());
    assert_eq!(
        error(folder.rename("file", "moved/link")),
        FileError::Exists("moved/link".into())
    );
}

#[test]
fn folders_that_are_made_on_the_way_are_counted() {
    let (root, folder) = granted();
    let bounds = Bounds::new(1000, 1 << 20).staging(u64::MAX, 3);
    folder.create_folder("a/b/c", &bounds).unwrap();
    folder.create_folder("a/b", &bounds).unwrap();
    let Err(Refusal::Limit(hit)) = folder.create_folder("a/b/d/e/f", &bounds) else {
        panic!("more paths were changed than may be");
    };
    assert_eq!((hit.name, hit.at, hit.used), ("staged-keys", 3, 4));
    assert!(!root.path().join("a/b/d").exists());
    // As many folders as fit a path: made without exhausting stack or time.
    let deep = "d/".repeat(2047);
    let bounds = Bounds::new(1000, 1 << 20).staging(u64::MAX, 5000);
    folder.create_folder(&deep, &bounds).unwrap();
    // Longer from the system's root than a path may be, so only the folder itself can say.
    assert_eq!(folder.metadata(&deep).unwrap().kind, Kind::Folder);
    // One byte more than a path may have.
    let long = "d/".repeat(2048);
    assert_eq!(
        error(folder.create_folder(&long, &bounds)),
        FileError::Invalid(long.clone())
    );
}

/// Between reading the grant and opening the folder somebody who may write above it has put a link in its place.
#[test]
fn a_link_in_the_granted_path_itself_is_not_followed() {
    let outer = tempfile::tempdir().unwrap();
    let outer = outer.path().canonicalize().unwrap();
    fs::create_dir_all(outer.join("above/granted")).unwrap();
    fs::create_dir_all(outer.join("other/granted")).unwrap();
    let root = outer.join("above/granted");
    let open = || {
        super::Folder::open(&crate::grant::FolderGrant {
            root: root.clone(),
            max_file: 100,
        })
    };
    let before = open().unwrap();
    fs::rename(outer.join("above"), outer.join("moved")).unwrap();
    symlink("other", outer.join("above")).unwrap();
    let refused = open().unwrap_err();
    assert!(
        refused.to_string().starts_with("a link stands"),
        "{refused}"
    );
    fs::remove_file(outer.join("above")).unwrap();
    fs::create_dir(outer.join("above")).unwrap();
    symlink("../other/granted", &root).unwrap();
    assert!(open().is_err());
    // What was opened before is still the granted folder, wherever it stands now.
    before.write("x", b"x").unwrap();
    assert!(outer.join("moved/granted/x").exists());
    assert!(!outer.join("other/granted/x").exists());
}
