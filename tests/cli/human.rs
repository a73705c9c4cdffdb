//! A person as the model: an editor that is lent the terminal, code on standard input, and what goes wrong with both.

use std::fs::File;

use crate::Test;
use crate::sheet::Sheet;

pub(crate) const TESTS: &[Test] = &[
    ("human-editor", "audit", editor),
    ("human-editor-failing", "audit", failing),
    ("human-typed", "audit", typed),
];

const RUN: [&str; 4] = ["run", "plan.wit", "--model", "human"];

/// The code of the answer that is accepted, as a person writes it: without words and fence.
fn code(sheet: &Sheet) -> String {
    let answer = sheet.read("recorded/audit.2.md");
    let (_, rest) = answer.split_once("```rust\n").unwrap();
    rest.split("```").next().unwrap().to_owned()
}

/// The editor has the terminal, though both outputs of the program are files, and VISUAL stands before EDITOR.
fn editor(sheet: &mut Sheet) {
    sheet.write(
        "edit.sh",
        "[ -t 0 ] && [ -t 1 ] && [ -t 2 ] && echo terminal > seen\ncp \"$2\" file\ncat code.rs >> \"$2\"\n",
    );
    sheet.write("code.rs", &code(sheet));
    sheet.set("EDITOR", "false");
    sheet.set("VISUAL", "sh edit.sh --wait");
    sheet.run_on_terminal(&[&RUN[..], &["--record", "kept"]].concat(), "", ["", ""]);
    assert_eq!(sheet.read("seen"), "terminal\n");
    let file = sheet.read("file");
    assert!(file.starts_with("//# Write the code below"), "{file}");
    assert!(
        file.lines()
            .all(|line| line.is_empty() || line.starts_with("//#")),
        "{file}"
    );
    assert!(file.contains("//# # Task `audit`\n"), "{file}");
    sheet.set("VISUAL", "");
    sheet.set("EDITOR", "");
    sheet.run(&["run", "plan.wit", "--model", "replay:kept", "--strict"]);
}

fn failing(sheet: &mut Sheet) {
    sheet.edit(
        "lacuna.toml",
        "[hole.audit.args]",
        "[models.hasty]\nprovider = \"human\"\ntimeout = \"500ms\"\n[hole.audit.args]",
    );
    for (script, model) in [
        ("exit 3", "human"),
        ("echo 'fn f() {}' >> \"$1\"; exit 1", "human"),
        ("kill -9 $$", "human"),
        ("true", "human"),
        (": > \"$1\"", "human"),
        ("rm \"$1\"", "human"),
        // The children of an editor that is not heard of again end with it; the terminal is as it was.
        ("stty raw -echo; sleep 600 & sleep 600", "hasty"),
        ("stty raw -echo; kill -9 $$", "human"),
    ] {
        sheet.write("edit.sh", &format!("{script}\n"));
        sheet.say(&format!("# the editor does: {script}"));
        sheet.set("EDITOR", "sh edit.sh");
        let ended = sheet.run_on_terminal(
            &["run", "plan.wit", "--model", model],
            "",
            ["stty -a > before", "stty -a > after"],
        );
        assert_eq!(ended.code, Some(3));
        let [before, after] = ["before", "after"].map(|file| sheet.read(file));
        assert!(before.contains("icanon"), "{before}");
        assert_eq!(before, after);
    }
    for editor in ["no-such-editor-at-all -w", "'unclosed"] {
        sheet.set("EDITOR", editor);
        sheet.say(&format!("# EDITOR={editor}"));
        sheet.run_on_terminal(&RUN, "", ["", ""]);
    }
}

/// Without an editor, or without a terminal, the code comes from standard input.
fn typed(sheet: &mut Sheet) {
    let answer = sheet.read("recorded/audit.2.md");
    let quiet = [&RUN[..], &["-q"]].concat();
    sheet.run_on_terminal(&quiet, &answer, ["", ""]);
    sheet.write("code.rs", &code(sheet));
    sheet.set("EDITOR", "false");
    for file in ["code.rs", "recorded/audit.2.md"] {
        let input = File::open(sheet.folder.join(file)).unwrap();
        let ended = sheet.run_with(&quiet, |command| {
            command.stdin(input);
        });
        assert_eq!(ended.code, Some(0));
    }
    // Nothing at all, and no more than that for a second attempt.
    sheet.run(&quiet);
    let input = File::open(sheet.folder.join("recorded/audit.1.md")).unwrap();
    sheet.run_with(&quiet, |command| {
        command.stdin(input);
    });
    let input = File::open("/dev/zero").unwrap();
    sheet.run_with(&quiet, |command| {
        command.stdin(input);
    });
    // The prompt is shown to whoever does not silence it.
    let silent = sheet.start(&RUN, |_| {});
    let stderr = silent.end().stderr;
    // As it is, so that it can be copied.
    let prompt = sheet.start(&["show", "plan.wit", "--what", "prompt"], |_| {});
    let prompt = prompt.end().stdout;
    assert!(prompt.contains("# Task `audit`\n"), "{prompt}");
    assert!(
        stderr.contains(&format!("\n{}\n", prompt.trim_end())),
        "{stderr}"
    );
}
