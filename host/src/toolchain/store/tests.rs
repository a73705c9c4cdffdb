//! Listing and cleaning, beside processes that use what is there.

use std::os::unix::fs::symlink;

use super::super::retire;
use super::*;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A cache with one thing of each kind, and things that are not Lacuna's.
fn cache() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name);
    for folder in [
        format!("sdk/{}", "a".repeat(32)),
        format!("bindings/{}", "b".repeat(64)),
        "verdicts".to_owned(),
        "compiled".to_owned(),
        "work/run-old".to_owned(),
        "sdk/mine".to_owned(),
        // A hash that Lacuna would write with small letters.
        format!("sdk/{}", "A".repeat(32)),
        "work/mine".to_owned(),
    ] {
        fs::create_dir_all(at(&folder)).unwrap();
        if folder.len() > 10 || folder.ends_with("mine") {
            fs::write(at(&folder).join("file"), "12345").unwrap();
        }
    }
    fs::write(at(TAG), TAG_TEXT).unwrap();
    for file in [
        format!("verdicts/{}", "c".repeat(64)),
        format!("compiled/{}-{}.cwasm", "d".repeat(64), "e".repeat(16)),
        "compiled/functions.bin".to_owned(),
        "verdicts/notes.txt".to_owned(),
        "verdicts/.tmp-notes".to_owned(),
        "compiled/my.cwasm".to_owned(),
        format!("compiled/{}.cwasm", "d".repeat(64)),
        format!("compiled/{}-my.cwasm", "d".repeat(64)),
        "mine".to_owned(),
    ] {
        fs::write(at(&file), "1234").unwrap();
    }
    root
}

fn all() -> Selection {
    Selection {
        kinds: Kind::ALL.to_vec(),
        older_than: Duration::ZERO,
    }
}

fn age(path: PathBuf, by: Duration) {
    let time = SystemTime::now() - by;
    File::open(path).unwrap().set_modified(time).unwrap();
}

#[test]
fn everything_of_ours_goes_and_nothing_else() {
    let root = cache();
    age(root.path().join("work/run-old"), DAY);
    let cleaned = clean(root.path(), &all()).unwrap();
    let mut kinds: Vec<&str> = cleaned
        .removed
        .iter()
        .map(|item| item.kind.name())
        .collect();
    kinds.dedup();
    assert_eq!(kinds, ["sdk", "bindings", "verdicts", "compiled", "work"]);
    assert!(cleaned.in_use.is_empty() && cleaned.failed.is_empty());
    let odd = format!("sdk/{}", "A".repeat(32));
    let code = format!("compiled/{}.cwasm", "d".repeat(64));
    let named = format!("compiled/{}-my.cwasm", "d".repeat(64));
    for kept in [
        "mine",
        "compiled/my.cwasm",
        "verdicts/.tmp-notes",
        &odd,
        &code,
        &named,
        "sdk/mine/file",
        "work/mine/file",
        "verdicts/notes.txt",
        TAG,
    ] {
        assert!(root.path().join(kept).exists(), "{kept}");
    }
    assert!(list(root.path()).unwrap().is_empty());
}

#[test]
fn what_is_in_use_stays() {
    let root = cache();
    let (sdk, bindings) = (root.path().join("sdk"), root.path().join("bindings"));
    let name = "a".repeat(32);
    let sdk_lock = retire::hold(&sdk, &name).unwrap();
    let bindings_lock = hold_bindings(&bindings).unwrap();
    age(root.path().join("work/run-old"), DAY);
    let run = File::create(root.path().join("work/run-old/lock")).unwrap();
    run.try_lock().unwrap();
    age(root.path().join("work/run-old"), DAY);
    let cleaned = clean(root.path(), &all()).unwrap();
    let kinds: Vec<&str> = cleaned.in_use.iter().map(|item| item.kind.name()).collect();
    assert_eq!(kinds, ["sdk", "bindings", "work"]);
    drop((sdk_lock, bindings_lock, run));
    let cleaned = clean(root.path(), &all()).unwrap();
    assert_eq!(cleaned.removed.len(), 3);
}

#[test]
fn an_sdk_in_the_making_stays_until_its_maker_is_gone() {
    let root = cache();
    let sdk = root.path().join("sdk");
    fs::create_dir(sdk.join(".new-x")).unwrap();
    let lock = File::create(sdk.join("other.lock")).unwrap();
    lock.lock().unwrap();
    assert_eq!(clean(root.path(), &all()).unwrap().in_use[0].name, ".new-x");
    drop(lock);
    clean(root.path(), &all()).unwrap();
    assert!(!sdk.join(".new-x").exists());
}

#[test]
fn age_and_kind_select() {
    let root = cache();
    age(root.path().join("compiled/functions.bin"), DAY * 10);
    let cleaned = clean(
        root.path(),
        &Selection {
            older_than: DAY,
            ..all()
        },
    )
    .unwrap();
    let names: Vec<&str> = cleaned.removed.iter().map(|item| &*item.name).collect();
    assert_eq!(names, ["functions.bin"]);
    let cleaned = clean(
        root.path(),
        &Selection {
            kinds: vec![Kind::Verdicts],
            ..all()
        },
    )
    .unwrap();
    assert_eq!(cleaned.removed.len(), 1);
    assert_eq!(cleaned.removed[0].bytes, 4);
}

#[test]
fn links_are_neither_followed_nor_removed() {
    let (root, other) = (cache(), cache());
    fs::remove_dir_all(root.path().join("sdk")).unwrap();
    symlink(other.path().join("sdk"), root.path().join("sdk")).unwrap();
    let link = root.path().join("verdicts").join("f".repeat(64));
    symlink(other.path().join("mine"), &link).unwrap();
    clean(root.path(), &all()).unwrap();
    assert!(link.is_symlink());
    assert!(other.path().join("sdk").join("a".repeat(32)).exists());
}

#[test]
fn a_linked_folder_is_told_and_nothing_is_made_behind_it() {
    let root = cache();
    let other = tempfile::tempdir().unwrap();
    for kind in Kind::ALL {
        let folder = root.path().join(kind.name());
        fs::remove_dir_all(&folder).unwrap();
        symlink(other.path(), &folder).unwrap();
    }
    let cleaned = clean(root.path(), &all()).unwrap();
    assert_eq!(cleaned.linked.len(), Kind::ALL.len());
    assert!(cleaned.removed.is_empty());
    assert_eq!(fs::read_dir(other.path()).unwrap().count(), 0);
}

#[test]
fn the_folder_of_a_dead_run_goes_at_once() {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name);
    for run in ["run-dead", "run-alive", "run-begun"] {
        fs::create_dir(at(run)).unwrap();
    }
    File::create(at("run-dead/lock")).unwrap();
    let alive = File::create(at("run-alive/lock")).unwrap();
    alive.try_lock().unwrap();
    remove_leftovers(root.path());
    assert!(!at("run-dead").exists());
    assert!(at("run-alive").exists() && at("run-begun").exists());
    drop(alive);
    remove_leftovers(root.path());
    assert!(!at("run-alive").exists() && at("run-begun").exists());
}

#[test]
fn a_folder_of_something_else_is_refused() {
    let root = cache();
    fs::remove_file(root.path().join(TAG)).unwrap();
    let error = clean(root.path(), &all()).unwrap_err();
    assert!(
        matches!(&error, ToolchainError::NotACache { found, .. } if found == "mine"),
        "{error}"
    );
    // One that an older version made has no tag, and nothing but what is ours.
    fs::remove_file(root.path().join("mine")).unwrap();
    assert!(clean(root.path(), &all()).is_ok());
    assert!(list(&root.path().join("nowhere")).unwrap().is_empty());
}

#[test]
fn files_that_the_toolchain_shares_free_nothing() {
    let root = cache();
    let file = root.path().join("sdk").join("a".repeat(32)).join("file");
    fs::hard_link(&file, root.path().join("elsewhere")).unwrap();
    let items = list(root.path()).unwrap();
    assert_eq!(items[0].kind, Kind::Sdk);
    assert_eq!(items[0].bytes, 0);
}
