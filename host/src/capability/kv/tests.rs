//! The functions on real files.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition};

use super::types::{Entry, KvError, Refusal};
use super::{Prefixed, State};
use crate::capability::call::Bounds;
use crate::capability::outcome::LimitHit;
use crate::grant::KvGrant;

const TABLE: TableDefinition<'static, &[u8], &[u8]> = TableDefinition::new("kv");

fn bounds() -> Bounds {
    Bounds::new(1000, 1 << 20)
}

fn grant(file: &Path, prefix: &str) -> KvGrant {
    KvGrant {
        file: file.to_owned(),
        prefix: prefix.to_owned(),
        max_keys: 10_000,
        max_bytes: 1 << 20,
    }
}

fn open(state: &State, grant: &KvGrant) -> Prefixed {
    Prefixed::new(state.store(grant).unwrap(), grant)
}

/// A store without prefix in a fresh folder.
fn fresh() -> (tempfile::TempDir, Prefixed) {
    let folder = tempfile::tempdir().unwrap();
    let keys = open(&State::default(), &grant(&folder.path().join("s.redb"), ""));
    (folder, keys)
}

#[track_caller]
fn error<T: std::fmt::Debug>(result: Result<T, Refusal>) -> KvError {
    match result {
        Err(Refusal::Error(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn hit<T: std::fmt::Debug>(result: Result<T, Refusal>) -> LimitHit {
    match result {
        Err(Refusal::Limit(hit)) => hit,
        other => panic!("{other:?}"),
    }
}

/// What the file holds, by redb alone.
fn content(file: &Path) -> Vec<(String, String)> {
    let database = Database::open(file).unwrap();
    let table = database.begin_read().unwrap().open_table(TABLE).unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (table.iter().unwrap())
        .map(|item| item.unwrap())
        .map(|(key, value)| (text(key.value()), text(value.value())))
        .collect()
}

#[test]
fn values_come_back_as_they_were() {
    let (_folder, keys) = fresh();
    let bounds = bounds();
    assert_eq!(keys.get("a", &bounds), Ok(None));
    assert_eq!(keys.names("", &bounds), Ok(vec![]));
    assert_eq!(keys.delete("a", &bounds), Ok(false));
    for value in [
        &b""[..],
        b"x",
        b"\0\xff\xfe",
        "äöü\r\n".as_bytes(),
        &[7; 100_000],
    ] {
        keys.set("a", value, &bounds).unwrap();
        assert_eq!(keys.get("a", &bounds), Ok(Some(value.to_vec())));
    }
    assert_eq!(keys.exists("a"), Ok(true));
    assert_eq!(keys.delete("a", &bounds), Ok(true));
    assert_eq!(keys.exists("a"), Ok(false));
    keys.set("bytes", b"\xff", &bounds).unwrap();
    assert_eq!(
        error(keys.text("bytes", &bounds)),
        KvError::NotText("bytes".into())
    );
    assert_eq!(keys.text("none", &bounds), Ok(None));
}

#[test]
fn every_text_is_a_key_but_the_empty_and_the_long() {
    let (_folder, keys) = fresh();
    let bounds = bounds();
    let longest = "k".repeat(1024);
    for key in [
        "a",
        "a/b/../c",
        "..",
        "/",
        " ",
        "\0",
        "a\0b",
        "\u{10ffff}",
        "ключ",
        longest.as_str(),
    ] {
        keys.set(key, key.as_bytes(), &bounds).unwrap();
        assert_eq!(keys.text(key, &bounds), Ok(Some(key.to_owned())), "{key:?}");
    }
    let long = "k".repeat(1025);
    for key in ["", long.as_str()] {
        let expected = KvError::InvalidKey(key[..key.len().min(1024)].to_owned());
        assert_eq!(error(keys.set(key, b"", &bounds)), expected);
        assert_eq!(error(keys.get(key, &bounds)), expected);
        assert_eq!(error(keys.exists(key)), expected);
        assert_eq!(error(keys.delete(key, &bounds)), expected);
        assert_eq!(error(keys.increment(key, 1, &bounds)), expected);
        assert_eq!(
            error(keys.compare_and_set(key, None, b"", &bounds)),
            expected
        );
    }
    assert_eq!(keys.names("", &bounds).unwrap().len(), 10);
}

#[test]
fn a_prefix_is_neither_seen_nor_left() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.redb");
    let state = State::default();
    let bounds = bounds();
    let all = open(&state, &grant(&file, ""));
    for key in [
        "user",
        "user/",
        "user/1",
        "user/2",
        "user0",
        "uses",
        "use",
        "user\u{ff}",
    ] {
        all.set(key, b"secret", &bounds).unwrap();
    }
    let own = open(&state, &grant(&file, "user/"));
    assert_eq!(own.names("", &bounds).unwrap(), ["1", "2"]);
    assert_eq!(own.get("1", &bounds).unwrap().unwrap(), b"secret");
    // Whatever a guest writes as a key stands behind the prefix.
    let outside = [
        "user/1", "../uses", "/uses", "\0uses", "", "user", "0", "s", "\u{8}0", "..", "./1",
    ];
    for key in outside {
        assert_ne!(own.exists(key), Ok(true), "{key:?}");
        let _ = own.set(key, b"own", &bounds);
        let _ = own.increment(key, 1, &bounds);
        let _ = own.compare_and_set(key, Some(b"secret"), b"own", &bounds);
        let _ = own.delete(key, &bounds);
    }
    for prefix in ["../", "", "user", "/", "\0", "1"] {
        for after in [
            None,
            Some(""),
            Some("\0"),
            Some("\u{10ffff}"),
            Some("../"),
            Some("0"),
        ] {
            let found = own.scan(prefix, after, u32::MAX, &bounds).unwrap();
            for entry in found {
                assert!(
                    ["1", "2"].contains(&entry.key.as_str()),
                    "{prefix:?} {after:?} {entry:?}"
                );
            }
        }
    }
    drop((own, all, state));
    let kept: Vec<String> = content(&file).into_iter().map(|(key, _)| key).collect();
    assert_eq!(
        kept,
        [
            "use",
            "user",
            "user/",
            "user/1",
            "user/2",
            "user0",
            "user\u{ff}",
            "uses"
        ]
    );
    assert!(content(&file).iter().all(|(_, value)| value == "secret"));
}

#[test]
fn keys_of_another_program_are_no_trouble() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.redb");
    let database = Database::create(&file).unwrap();
    let transaction = database.begin_write().unwrap();
    {
        let mut table = transaction.open_table(TABLE).unwrap();
        for key in [&b"p"[..], b"p\xff", b"pa", b"\xff\xfe", b""] {
            table.insert(key, &b"v"[..]).unwrap();
        }
    }
    transaction.commit().unwrap();
    drop(database);
    let keys = open(&State::default(), &grant(&file, "p"));
    assert_eq!(keys.names("", &bounds()).unwrap(), ["a"]);
    keys.set("b", b"w", &bounds()).unwrap();
    drop(keys);
    assert_eq!(content(&file).len(), 6);
}

#[test]
fn listings_are_sorted_and_in_pages() {
    let (_folder, keys) = fresh();
    let bounds = bounds();
    for n in (0..25).rev() {
        keys.set(&format!("n{n:02}"), &[n], &bounds).unwrap();
    }
    keys.set("other", b"", &bounds).unwrap();
    let names = keys.names("n", &bounds).unwrap();
    assert_eq!(names.len(), 25);
    assert!(names.is_sorted());
    let mut paged: Vec<Entry> = Vec::new();
    loop {
        let after = paged.last().map(|entry| entry.key.clone());
        let page = keys.scan("n", after.as_deref(), 10, &bounds).unwrap();
        if page.is_empty() {
            break;
        }
        assert!(page.len() <= 10);
        paged.extend(page);
    }
    assert_eq!(
        paged.iter().map(|entry| &entry.key).collect::<Vec<_>>(),
        names.iter().collect::<Vec<_>>()
    );
    assert_eq!(paged[3].value, [3]);
    assert_eq!(keys.scan("n", None, 0, &bounds), Ok(vec![]));
    assert_eq!(keys.scan("n", Some("n24"), 5, &bounds), Ok(vec![]));
    // A key between two that are there, and one before all.
    assert_eq!(
        keys.scan("n", Some("n23x"), 5, &bounds).unwrap()[0].key,
        "n24"
    );
    assert_eq!(keys.scan("n", Some("a"), 1, &bounds).unwrap()[0].key, "n00");
}

#[test]
fn limits_hold_at_their_number() {
    let folder = tempfile::tempdir().unwrap();
    let state = State::default();
    let bounds = bounds();
    let grant = KvGrant {
        max_keys: 3,
        max_bytes: 20,
        ..grant(&folder.path().join("s.redb"), "p/")
    };
    let keys = open(&state, &grant);
    let full = |result: Result<(), Refusal>, which: &str| match error(result) {
        KvError::Full(text) => assert!(text.contains(which), "{text}"),
        other => panic!("{other:?}"),
    };
    for key in ["a", "b", "c"] {
        keys.set(key, b"1", &bounds).unwrap();
    }
    full(keys.set("d", b"", &bounds), "max-keys is 3");
    keys.set("c", b"2", &bounds).unwrap();
    // 6 bytes are used; with this 20.
    keys.set("a", &[0; 15], &bounds).unwrap();
    full(keys.set("a", &[0; 16], &bounds), "max-bytes is 20");
    full(keys.increment("b", 9, &bounds).map(drop), "max-bytes is 20");
    full(
        keys.compare_and_set("b", Some(b"1"), b"22", &bounds)
            .map(drop),
        "max-bytes is 20",
    );
    assert_eq!(keys.get("b", &bounds).unwrap().unwrap(), b"1");
    // What is smaller or goes makes room.
    keys.set("a", &[0; 14], &bounds).unwrap();
    keys.set("b", b"22", &bounds).unwrap();
    assert_eq!(keys.delete("a", &bounds), Ok(true));
    keys.set("d", b"4", &bounds).unwrap();
    full(keys.set("e", b"", &bounds), "max-keys is 3");
    // The same when it is counted anew, and for another grant on the same keys.
    drop((keys, state));
    let state = State::default();
    let keys = open(&state, &grant);
    full(keys.set("e", b"", &bounds), "max-keys is 3");
    let wide = open(
        &state,
        &KvGrant {
            max_keys: 5,
            prefix: String::new(),
            ..grant.clone()
        },
    );
    wide.set("p/e", b"", &bounds).unwrap();
    wide.set("q", b"", &bounds).unwrap();
    full(wide.set("r", b"", &bounds), "max-keys is 5");
    assert_eq!(keys.delete("e", &bounds), Ok(true));
    full(
        keys.set("e", b"", &bounds)
            .and_then(|()| keys.set("f", b"", &bounds)),
        "max-keys is 3",
    );
    wide.set("r", b"", &bounds).unwrap();
    full(wide.set("s", b"", &bounds), "max-keys is 5");
}

#[test]
fn what_crosses_and_what_is_written_is_bounded() {
    let (_folder, keys) = fresh();
    keys.set("a", &[1; 100], &bounds()).unwrap();
    keys.set("b", b"", &bounds()).unwrap();
    assert!(keys.get("a", &Bounds::new(10, 100)).is_ok());
    let at = hit(keys.get("a", &Bounds::new(10, 99)));
    assert_eq!((at.name, at.at, at.used), ("crossing", 99, 100));
    assert_eq!(
        hit(keys.scan("", None, 9, &Bounds::new(10, 99))).name,
        "crossing"
    );
    assert!(keys.names("", &Bounds::new(2, 1000)).is_ok());
    let at = hit(keys.names("", &Bounds::new(1, 1000)));
    assert_eq!((at.name, at.at, at.used), ("entries", 1, 2));
    // A page that fits is given, however much there is.
    assert_eq!(
        keys.scan("", None, 1, &Bounds::new(1, 1000)).unwrap().len(),
        1
    );

    let staging = bounds().staging(10, 2);
    keys.set("k", &[0; 9], &staging).unwrap();
    let at = hit(keys.set("k", b"", &staging));
    assert_eq!((at.name, at.at, at.used), ("staged", 10, 11));
    assert_eq!(keys.get("k", &bounds()).unwrap().unwrap().len(), 9);
    let staging = bounds().staging(1000, 2);
    for key in ["x", "y", "x"] {
        keys.set(key, b"", &staging).unwrap();
    }
    assert_eq!(hit(keys.delete("z", &staging)).name, "staged-keys");
}

#[test]
fn numbers_are_added_as_a_whole() {
    let (_folder, keys) = fresh();
    let bounds = bounds();
    assert_eq!(keys.increment("n", 5, &bounds), Ok(5));
    assert_eq!(keys.increment("n", -7, &bounds), Ok(-2));
    assert_eq!(keys.text("n", &bounds).unwrap().unwrap(), "-2");
    keys.set("n", b" 41\n", &bounds).unwrap();
    assert_eq!(keys.increment("n", 1, &bounds), Ok(42));
    keys.set("n", i64::MAX.to_string().as_bytes(), &bounds)
        .unwrap();
    for value in [i64::MAX.to_string().as_bytes(), b"x", b"", b"1.5", b"\xff"] {
        keys.set("n", value, &bounds).unwrap();
        assert_eq!(
            error(keys.increment("n", 1, &bounds)),
            KvError::NotANumber("n".into())
        );
        assert_eq!(keys.get("n", &bounds).unwrap().unwrap(), value);
    }
}

#[test]
fn compare_and_set_sees_what_is_there() {
    let (_folder, keys) = fresh();
    let bounds = bounds();
    assert_eq!(
        keys.compare_and_set("k", Some(b""), b"x", &bounds),
        Ok(false)
    );
    assert_eq!(keys.compare_and_set("k", None, b"1", &bounds), Ok(true));
    assert_eq!(keys.compare_and_set("k", None, b"2", &bounds), Ok(false));
    assert_eq!(
        keys.compare_and_set("k", Some(b"0"), b"2", &bounds),
        Ok(false)
    );
    assert_eq!(
        keys.compare_and_set("k", Some(b"1"), b"2", &bounds),
        Ok(true)
    );
    assert_eq!(keys.text("k", &bounds).unwrap().unwrap(), "2");
}

#[test]
fn one_file_is_opened_once_by_whatever_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.redb");
    let state = State::default();
    let bounds = bounds();
    let a = open(&state, &grant(&file, "a/"));
    // Nothing is there before something is written.
    assert_eq!(a.get("x", &bounds), Ok(None));
    assert!(!file.exists());
    let b = open(&state, &grant(&file, "b/"));
    a.set("x", b"1", &bounds).unwrap();
    assert_eq!(b.get("x", &bounds), Ok(None));
    let linked = folder.path().join("linked.redb");
    fs::hard_link(&file, &linked).unwrap();
    let c = open(&state, &grant(&linked, "a/"));
    assert_eq!(c.get("x", &bounds).unwrap().unwrap(), b"1");
    // Another session is as another process.
    let reason = State::default().store(&grant(&file, "")).unwrap_err();
    assert_eq!(reason, "another process has it open");
    drop((a, b, c, state));
    assert_eq!(content(&file), [("a/x".to_owned(), "1".to_owned())]);
}

#[test]
fn what_is_no_store_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let good = at("good.redb");
    open(&State::default(), &grant(&good, ""))
        .set("k", b"v", &bounds())
        .unwrap();
    symlink(&good, at("link")).unwrap();
    symlink(at("nothing"), at("dangling")).unwrap();
    fs::create_dir(at("folder")).unwrap();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        at("fifo"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
        0,
    )
    .unwrap();
    for name in ["link", "dangling", "folder", "fifo"] {
        let reason = State::default().store(&grant(&at(name), "")).unwrap_err();
        assert_eq!(reason, "it is no regular file", "{name}");
    }
    assert!(!at("nothing").exists());
    // A link that comes after the store was looked for is not followed either.
    let state = State::default();
    let late = open(&state, &grant(&at("late"), ""));
    symlink(at("elsewhere"), at("late")).unwrap();
    let KvError::Other(text) = error(late.set("k", b"v", &bounds())) else {
        panic!("no other error");
    };
    assert!(text.contains("no regular file"), "{text}");
    assert!(!at("elsewhere").exists());

    fs::write(at("text"), "no database at all\n".repeat(1000)).unwrap();
    fs::write(at("short"), "x").unwrap();
    let whole = fs::read(&good).unwrap();
    fs::write(at("cut"), &whole[..whole.len() / 2]).unwrap();
    let mut damaged = whole.clone();
    damaged.iter_mut().skip(4096).for_each(|byte| *byte ^= 0x5a);
    fs::write(at("damaged"), &damaged).unwrap();
    for name in ["text", "short", "cut", "damaged"] {
        let before = fs::read(at(name)).unwrap();
        let reason = State::default().store(&grant(&at(name), "")).unwrap_err();
        assert!(
            reason.contains("damaged") || reason.contains("end of file"),
            "{name}: {reason}"
        );
        assert!(
            !reason.contains(folder.path().to_str().unwrap()),
            "{name}: {reason}"
        );
        assert_eq!(fs::read(at(name)).unwrap(), before, "{name} was changed");
    }
    // An empty file is an empty store.
    fs::write(at("empty"), "").unwrap();
    open(&State::default(), &grant(&at("empty"), ""))
        .set("k", b"v", &bounds())
        .unwrap();
    assert_eq!(content(&at("empty")).len(), 1);
}

#[test]
fn calls_at_once_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.redb");
    let state = State::default();
    std::thread::scope(|scope| {
        for worker in 0..8 {
            let (state, file) = (&state, &file);
            scope.spawn(move || {
                let keys = open(state, &grant(file, &format!("w{}/", worker % 2)));
                let bounds = bounds();
                for n in 0..25 {
                    keys.increment("sum", 1, &bounds).unwrap();
                    keys.set(&format!("{worker}-{n}"), b"x", &bounds).unwrap();
                    assert!(keys.names("", &bounds).unwrap().len() > n);
                }
            });
        }
    });
    drop(state);
    let content = content(&file);
    assert_eq!(content.len(), 8 * 25 + 2);
    let sums: Vec<&str> = (content.iter())
        .filter(|(key, _)| key.ends_with("/sum"))
        .map(|(_, value)| value.as_str())
        .collect();
    assert_eq!(sums, ["100", "100"]);
}
