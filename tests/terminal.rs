//! The program on a real terminal (a pseudo-terminal): lines that show what is under way, colours, narrow and changing
//! widths, Ctrl-C. The screen is put together from the bytes, so that anything garbled is seen.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test writes its plans and starts the program"
)]

#[path = "terminal/pty.rs"]
mod pty;
#[path = "terminal/screen.rs"]
mod screen;
mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use pty::Session;
use support::program;

/// A model that takes its time: the recorded answers, one after the other.
const SLOW: &str = "command:sh ask.sh";

/// A folder with the plan of `tests/cli`, removed when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        /// The first run on a machine has more to say.
        static READY: OnceLock<()> = OnceLock::new();
        let folder = program::audit();
        let ask = "n=$(cat asked 2>/dev/null || echo 1); echo $((n + 1)) > asked; sleep 0.6; cat recorded/audit.$n.md\n";
        fs::write(folder.join("ask.sh"), ask).unwrap();
        READY.get_or_init(|| {
            let arguments = ["check", "plan.wit", "--snippet", "recorded/audit.2.md"];
            assert_eq!(program::run(&folder, arguments).code, Some(0));
        });
        Self(folder)
    }

    fn ask_again(&self) {
        let _ = fs::remove_file(self.0.join("asked"));
    }

    fn write(&self, file: &str, text: &str) {
        fs::write(self.0.join(file), text).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Digits become `0`, and numbers of any length one of them: how long things take is chance.
fn timeless(text: &str) -> String {
    let mut new = String::new();
    for character in text.chars() {
        match character.is_ascii_digit() {
            true if new.ends_with('0') => {}
            true => new.push('0'),
            false => new.push(character),
        }
    }
    new.replace("0.0 s", "0 s").replace("0 ms", "0 s")
}

/// What stays of a run of two attempts, at any width.
const STAYS: &str = "\
audit: answered in 0.6 s
audit: attempt 1 rejected at compile, nothing was run
  error[E0433]: cannot find `fs` in `std`
   --> snippet:2:21
    |
  2 |     let text = std::fs::read_to_string(&lockfile).unwrap_or_default();
    |                     ^^ could not find `fs` in `std`
    = help: a hole has no `fs` of std: the outside is reached only through what is granted, here `repo`
audit: answered in 0.6 s
audit: attempt 2 accepted in 50 ms
audit: 2 attempts, 1.4 s
[{name: \"bitflags\", versions: [\"1.3.2\", \"2.9.0\"]}]
";

/// A run of two attempts; what stays, and every line that was seen to move.
fn two_attempts(
    folder: &Folder,
    columns: u16,
    flags: &[&str],
    environment: &[(&str, &str)],
) -> (Session, BTreeSet<String>) {
    folder.ask_again();
    let arguments = [&["run", "plan.wit", "--model", SLOW], flags].concat();
    let mut session = Session::start(&folder.0, columns, &arguments, environment);
    let mut moving = BTreeSet::new();
    session.until("the result", |screen| {
        let line = screen.current();
        if line.starts_with("audit ") {
            moving.insert(line);
        }
        screen.text().contains("bitflags\", versions")
    });
    assert_eq!(session.end(), Some(0), "{}", session.screen.text());
    (session, moving)
}

#[test]
fn what_is_under_way_is_shown_and_vanishes() {
    let folder = Folder::new();
    // Bindings are compiled once per scope, so they are in the cache from here on.
    two_attempts(&folder, 80, &[], &[]);
    for columns in [80, 40, 20] {
        let (session, moving) = two_attempts(&folder, columns, &[], &[]);
        assert_eq!(
            timeless(&session.screen.text()),
            timeless(STAYS),
            "{columns} columns"
        );
        assert!(session.screen.moves > 4, "{columns} columns: nothing moved");
        for line in &moving {
            assert!(line.chars().count() < usize::from(columns), "{line:?}");
        }
        for attempt in ["audit 1/3 asking", "audit 2/3 asking"] {
            assert!(
                moving.iter().any(|line| line.starts_with(attempt)),
                "{moving:?}"
            );
        }
    }
}

#[test]
fn colours_are_sparing_and_can_be_refused() {
    let folder = Folder::new();
    let colors = |flags: &[&str], environment: &[(&str, &str)]| {
        let (session, _) = two_attempts(&folder, 80, flags, environment);
        assert_eq!(
            timeless(&session.screen.text()),
            timeless(STAYS),
            "{flags:?} {environment:?}"
        );
        session.screen.colors
    };
    assert!((8..40).contains(&colors(&[], &[])));
    assert_eq!(colors(&[], &[("NO_COLOR", "1")]), 0);
    assert_eq!(colors(&[], &[("CLICOLOR", "0")]), 0);
    assert_eq!(colors(&["--color", "never"], &[]), 0);
    assert!(colors(&["--color", "always"], &[("NO_COLOR", "1")]) > 0);
    assert!(colors(&[], &[("NO_COLOR", "")]) > 0, "an empty one is none");
}

/// The plain lines, as in a pipe.
#[test]
fn nothing_moves_where_nobody_can_follow() {
    let folder = Folder::new();
    for environment in [("TERM", "dumb"), ("CI", "true"), ("TERM", "")] {
        let (session, _) = two_attempts(&folder, 80, &["--color", "never"], &[environment]);
        assert!(!session.bytes.contains(&0x1b), "{environment:?}");
        assert!(
            session
                .screen
                .text()
                .contains("audit: asking command:sh (attempt 2 of 3)")
        );
    }
    let (session, moving) = two_attempts(&folder, 80, &["-q"], &[]);
    assert_eq!(
        session.screen.text(),
        "[{name: \"bitflags\", versions: [\"1.3.2\", \"2.9.0\"]}]\n"
    );
    assert!(moving.is_empty() && session.screen.moves == 0, "{moving:?}");
}

#[test]
fn verbose_lines_and_moving_ones_do_not_mix() {
    let folder = Folder::new();
    let (session, _) = two_attempts(&folder, 40, &["-v"], &[]);
    let lines = session.screen.lines();
    for line in [
        "audit: asking command:sh (attempt 1 of 3)",
        "     4 |     Vec::new()",
        "audit: calling duplicates",
        "[{name: \"bitflags\", versions: [\"1.3.2\", \"2.9.0\"]}]",
    ] {
        assert!(
            lines.iter().any(|shown| shown == line),
            "{line:?} is not in\n{}",
            lines.join("\n")
        );
    }
}

#[test]
fn a_log_stands_above_the_line_that_moves() {
    let folder = Folder::new();
    folder.write(
        "talk.rs",
        "pub fn duplicates(_: String) -> Vec<Duplicate> {
            for number in 0..300_u64 {
                println!(\"line {number} \\u{1b}[2J\\u{1b}[1A\\r\\u{7}\");
                let mut sum = 0_u64;
                for step in 0..40_000_u64 { sum = sum.wrapping_mul(31).wrapping_add(step ^ number); }
                assert!(sum != 1);
            }
            Vec::new()
        }",
    );
    let arguments = ["run", "plan.wit", "--snippet", "talk.rs"];
    let mut session = Session::start(&folder.0, 40, &arguments, &[]);
    let mut moving = BTreeSet::new();
    session.until("the last line", |screen| {
        moving.insert(screen.current());
        screen.text().contains("audit| line 299 ")
    });
    assert_eq!(session.end(), Some(0), "{}", session.screen.text());
    let lines = session.screen.lines();
    let printed: Vec<&String> = lines
        .iter()
        .filter(|line| line.starts_with("audit| "))
        .collect();
    assert_eq!(printed.len(), 300, "{}", session.screen.text());
    for (number, line) in printed.iter().enumerate() {
        assert_eq!(
            **line,
            format!("audit| line {number} \\u{{1b}}[2J\\u{{1b}}[1A\\u{{d}}\\u{{7}}")
        );
    }
    assert!(
        moving.iter().any(|line| line.starts_with("audit running")),
        "{moving:?}"
    );
    assert_eq!(lines[lines.len() - 2..], ["[]".to_owned(), String::new()]);
}

#[test]
fn an_interrupted_run_leaves_nothing_behind() {
    let folder = Folder::new();
    folder.write("ask.sh", "sleep 60\n");
    for columns in [80, 40] {
        let arguments = ["run", "plan.wit", "--model", SLOW];
        let mut session = Session::start(&folder.0, columns, &arguments, &[]);
        session.until("the question", |screen| {
            screen.current().starts_with("audit 1/3 asking 0.")
        });
        session.interrupt();
        assert_eq!(session.end(), Some(130));
        assert_eq!(session.screen.text(), "interrupted\n");
    }
}

#[test]
fn a_terminal_may_be_made_narrower_and_wider() {
    let folder = Folder::new();
    let name = "a-name-that-fills-most-of-a-line-of-a-terminal";
    for file in ["plan.wit", "lacuna.toml"] {
        let text = fs::read_to_string(folder.0.join(file)).unwrap();
        folder.write(
            file,
            &text
                .replace("audit {", &format!("{name} {{"))
                .replace("hole.audit", &format!("hole.{name}")),
        );
    }
    let arguments = ["run", "plan.wit", "--model", SLOW];
    let mut session = Session::start(&folder.0, 80, &arguments, &[]);
    let long = format!("{name} 1/3 asking");
    session.until("the whole line", |screen| {
        screen.current().starts_with(&long)
    });
    session.resize(40);
    session.until("a short line", |screen| {
        let line = screen.current();
        line.contains("… 1/3 asking") && line.chars().count() < 40
    });
    session.until("the second question", |screen| {
        screen.current().contains("… 2/3 asking")
    });
    session.resize(80);
    assert_eq!(session.end(), Some(0), "{}", session.screen.text());
    let stays = timeless(STAYS).replace("audit: ", &format!("{name}: "));
    assert_eq!(timeless(&session.screen.text()), stays);
}

/// A trace is as wide as the terminal, and whole in a pipe.
#[test]
fn a_trace_is_cut_at_the_width_of_the_terminal() {
    let folder = Folder::new();
    let ended = program::run(&folder.0, ["run", "plan.wit", "--trace", "t.jsonl"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let shown = |columns: u16, flags: &[&str]| {
        let arguments = [&["trace", "t.jsonl"], flags].concat();
        let mut session = Session::start(&folder.0, columns, &arguments, &[]);
        assert_eq!(session.end(), Some(0));
        session
    };
    let session = shown(40, &[]);
    let narrow = &session.screen;
    assert!(narrow.colors > 0);
    let lines = narrow.lines();
    assert!(
        lines.iter().all(|line| line.chars().count() <= 40),
        "{}",
        narrow.text()
    );
    assert!(
        lines.iter().any(|line| line.ends_with('…')),
        "{}",
        narrow.text()
    );
    let piped = program::run(&folder.0, ["trace", "t.jsonl"]);
    assert!(
        piped.stdout.lines().count() == lines.len() - 1,
        "{}",
        piped.stdout
    );
    assert!(!piped.stdout.contains('\u{1b}') && piped.stdout.lines().any(|line| line.len() > 40));
    assert!(
        shown(40, &["--full"])
            .screen
            .text()
            .contains("| # The answer")
    );
    let stats = shown(40, &["--stats"]);
    assert!(
        stats.screen.text().contains("first try"),
        "{}",
        stats.screen.text()
    );
}
