//! `init`, `cache`, `doctor`, `completion`, `man`, `schema`: what they print, and what they refuse.

use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::time::{Duration, SystemTime};

use crate::Test;
use crate::sheet::Sheet;

pub(crate) const TESTS: &[Test] = &[
    ("init", "audit", init),
    ("init-with-a-key", "audit", init_with_a_key),
    ("init-refused", "audit", init_refused),
    ("hostile-words", "audit", hostile_words),
    ("cache", "audit", cache),
    ("cache-refused", "audit", cache_refused),
    ("pages", "audit", pages),
];

/// Every template runs at once, without a key, and what it prints next is right.
fn init(sheet: &mut Sheet) {
    for (template, more) in [
        ("typed", &[][..]),
        ("folder", &["--template", "folder"]),
        ("tool", &["--template", "tool"]),
    ] {
        sheet.run(&[&["init", template][..], more].concat());
        let plan = format!("{template}/plan.wit");
        let ended = sheet.run(&["run", &plan]);
        assert_eq!(ended.code, Some(0));
        assert!(!ended.stderr.contains("warning"), "{}", ended.stderr);
        sheet.run(&["show", &plan]);
        let manifest = sheet.read(&format!("{template}/lacuna.toml"));
        sheet.say(&format!("# {template}/lacuna.toml\n{manifest}"));
    }
    fs::create_dir(sheet.folder.join("here")).unwrap();
    let here = sheet.folder.join("here");
    sheet.run_with(&["init"], |command| {
        command.current_dir(here);
    });
}

/// With a key there is a model to ask; the recorded one stays the default.
fn init_with_a_key(sheet: &mut Sheet) {
    sheet.set("OPENAI_API_KEY", "sk-of-a-test");
    sheet.run(&["init", "new plan"]);
    let manifest = sheet.read("new plan/lacuna.toml");
    assert!(!manifest.contains("sk-of-a-test"));
    sheet.say(&format!("# lacuna.toml\n{manifest}"));
    let ended = sheet.run(&["run", "new plan/plan.wit", "-q"]);
    assert_eq!(ended.code, Some(0));
}

fn init_refused(sheet: &mut Sheet) {
    let before = sheet.read("plan.wit");
    sheet.run(&["init", "."]);
    assert_eq!(sheet.read("plan.wit"), before);
    sheet.list("recorded");
    sheet.write("half/recorded/totals.1.md", "mine");
    sheet.run(&["init", "half"]);
    // Nothing was begun.
    sheet.list("half");
    sheet.run(&["init", "plan.wit/x"]);
    sheet.run(&["init", "x", "--template", "tols"]);
}

/// Words of the command line that could reorder a line or drive the terminal, where they are shown again.
fn hostile_words(sheet: &mut Sheet) {
    const HIDDEN: [char; 3] = ['\u{202e}', '\u{1b}', '\u{9b}'];
    let name = "a\u{202e}b\u{1b}[31mc\u{9b}d";
    let flag = format!("--{name}");
    let chosen = format!("--format={name}");
    for (arguments, code, shown) in [
        (&["init", name][..], 0, "lacuna run "),
        (&["run", "plan.wit", name], 2, "unexpected argument"),
        (&["run", &flag], 2, "unexpected argument"),
        (&[name], 2, "unrecognized subcommand"),
        (&["run", "plan.wit", &chosen], 2, "invalid value"),
        (&["--color=always", "run", &flag], 2, "unexpected argument"),
    ] {
        let ended = sheet.start(arguments, |_| {}).end();
        let text = ended.stdout + &ended.stderr;
        assert_eq!(ended.code, Some(code), "{text}");
        assert!(text.contains(shown), "{text}");
        assert!(text.contains("a\\u{202e}b"), "{text}");
        assert!(!text.contains(HIDDEN), "{text:?}");
    }
    assert!(sheet.folder.join(name).join("plan.wit").exists());
}

fn cache(sheet: &mut Sheet) {
    let folder = sheet.folder.join("cache");
    sheet.set("LACUNA_CACHE_DIR", &folder);
    sheet.run(&["cache", "path"]);
    sheet.run(&["cache", "info"]);
    sheet.run(&["cache", "clean", "--all"]);
    assert!(!folder.exists(), "looking makes nothing");
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).unwrap();
    sheet.write(&format!("cache/verdicts/{}", "a".repeat(64)), "1234");
    sheet.write("cache/compiled/functions.bin", "12345678");
    sheet.write("cache/verdicts/mine", "not Lacuna's");
    // Ages are then 0, however busy the machine is.
    let later = SystemTime::now() + Duration::from_secs(60 * 60);
    for file in [
        &format!("verdicts/{}", "a".repeat(64)),
        "compiled/functions.bin",
    ] {
        let file = File::open(folder.join(file)).unwrap();
        file.set_modified(later).unwrap();
    }
    sheet.run(&["cache", "info", "--format", "json"]);
    sheet.run(&["cache", "list", "--format", "json"]);
    sheet.run(&["cache", "clean", "--older-than", "1d"]);
    sheet.run(&["cache", "clean", "--kind", "compiled", "-v"]);
    sheet.run(&["cache", "clean", "--all"]);
    sheet.list("cache/verdicts");
    sheet.run(&["cache", "clean"]);
    sheet.run(&["cache", "clean", "--older-than", "30"]);
    sheet.run(&["cache", "clean", "--all", "--kind", "sdk"]);
    sheet.run(&["cache"]);
}

fn cache_refused(sheet: &mut Sheet) {
    // A folder of somebody's work, by a slip.
    fs::set_permissions(&sheet.folder, fs::Permissions::from_mode(0o700)).unwrap();
    sheet.run(&["cache", "clean", "--all", "--cache-dir", "."]);
    sheet.run(&["cache", "info", "--cache-dir", "."]);
    sheet.run(&["cache", "list", "--cache-dir", "plan.wit"]);
    assert!(sheet.folder.join("plan.wit").exists());
    // What a link leads to is not the cache's.
    let (linked, other) = (sheet.folder.join("linked"), sheet.folder.join("other"));
    for folder in [&linked, &other] {
        fs::create_dir(folder).unwrap();
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700)).unwrap();
    }
    for kind in ["bindings", "compiled"] {
        symlink(&other, linked.join(kind)).unwrap();
    }
    let name = format!("other/{}-{}.cwasm", "a".repeat(64), "b".repeat(16));
    sheet.write(&name, "1234");
    let clean = ["cache", "clean", "--cache-dir", "linked"];
    sheet.run(&[&clean[..], &["--all"]].concat());
    sheet.run(&[&clean[..], &["--kind", "compiled"]].concat());
    sheet.list("other");
    let open = sheet.folder.join("open");
    fs::create_dir(&open).unwrap();
    fs::set_permissions(&open, fs::Permissions::from_mode(0o777)).unwrap();
    sheet.run(&["cache", "clean", "--all", "--cache-dir", "open"]);
    // Whoever can write above it can put another one in its place.
    fs::create_dir(open.join("mine")).unwrap();
    fs::set_permissions(open.join("mine"), fs::Permissions::from_mode(0o700)).unwrap();
    let code = [
        "--snippet",
        "recorded/audit.2.md",
        "--cache-dir",
        "open/mine",
    ];
    sheet.run(&[&["run", "plan.wit"][..], &code].concat());
    sheet.run(&[&["check", "plan.wit"][..], &code, &["--format", "json"]].concat());
}

fn pages(sheet: &mut Sheet) {
    sheet.run(&["completion", "tcsh"]);
    sheet.run(&["man", "plan.wit"]);
    sheet.run(&["doctor", "--help"]);
    sheet.run(&["cache", "clean", "--help"]);
    sheet.run(&["init", "--help"]);
}
