//! Holes that import WASI: the clock, random numbers, and the files of one folder.

use std::fs;
use std::os::unix::fs::symlink;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::support::plan::{Plan, json as printed};
use super::support::program::Ended;

/// What a plan has of WASI in `deps/`: the interfaces' own definitions, without functions that no test calls.
const DEPS: [(&str, &str); 5] = [
    (
        "io.wit",
        "package wasi:io@0.2.3;
        interface error { resource error { to-debug-string: func() -> string; } }
        interface poll {
            resource pollable { ready: func() -> bool; block: func(); }
            poll: func(in: list<borrow<pollable>>) -> list<u32>;
        }
        interface streams {
            use error.{error};
            use poll.{pollable};
            variant stream-error { last-operation-failed(error), closed }
            resource input-stream {
                read: func(len: u64) -> result<list<u8>, stream-error>;
                blocking-read: func(len: u64) -> result<list<u8>, stream-error>;
                subscribe: func() -> pollable;
            }
            resource output-stream {
                check-write: func() -> result<u64, stream-error>;
                blocking-write-and-flush: func(contents: list<u8>) -> result<_, stream-error>;
                write-zeroes: func(len: u64) -> result<_, stream-error>;
            }
        }",
    ),
    (
        "clocks.wit",
        "package wasi:clocks@0.2.3;
        interface wall-clock {
            record datetime { seconds: u64, nanoseconds: u32 }
            now: func() -> datetime;
            resolution: func() -> datetime;
        }
        interface monotonic-clock {
            use wasi:io/poll@0.2.3.{pollable};
            type instant = u64;
            type duration = u64;
            now: func() -> instant;
            subscribe-duration: func(when: duration) -> pollable;
        }",
    ),
    (
        "random.wit",
        "package wasi:random@0.2.3;
        interface random { get-random-bytes: func(len: u64) -> list<u8>; get-random-u64: func() -> u64; }
        interface insecure-seed { insecure-seed: func() -> tuple<u64, u64>; }",
    ),
    (
        "filesystem.wit",
        "package wasi:filesystem@0.2.3;
        interface types {
            use wasi:io/streams@0.2.3.{input-stream, output-stream};
            use wasi:clocks/wall-clock@0.2.3.{datetime};
            type filesize = u64;
            type link-count = u64;
            enum descriptor-type { unknown, block-device, character-device, directory, fifo, symbolic-link, regular-file, socket }
            flags descriptor-flags { read, write, file-integrity-sync, data-integrity-sync, requested-write-sync, mutate-directory }
            flags path-flags { symlink-follow }
            flags open-flags { create, directory, exclusive, truncate }
            record descriptor-stat {
                %type: descriptor-type, link-count: link-count, size: filesize,
                data-access-timestamp: option<datetime>, data-modification-timestamp: option<datetime>,
                status-change-timestamp: option<datetime>,
            }
            variant new-timestamp { no-change, now, timestamp(datetime) }
            record directory-entry { %type: descriptor-type, name: string }
            enum error-code {
                access, would-block, already, bad-descriptor, busy, deadlock, quota, exist, file-too-large,
                illegal-byte-sequence, in-progress, interrupted, invalid, io, is-directory, loop, too-many-links,
                message-size, name-too-long, no-device, no-entry, no-lock, insufficient-memory, insufficient-space,
                not-directory, not-empty, not-recoverable, unsupported, no-tty, no-such-device, overflow, not-permitted,
                pipe, read-only, invalid-seek, text-file-busy, cross-device
            }
            resource descriptor {
                read-via-stream: func(offset: filesize) -> result<input-stream, error-code>;
                write-via-stream: func(offset: filesize) -> result<output-stream, error-code>;
                set-size: func(size: filesize) -> result<_, error-code>;
                set-times: func(data-access-timestamp: new-timestamp, data-modification-timestamp: new-timestamp) -> result<_, error-code>;
                read: func(length: filesize, offset: filesize) -> result<tuple<list<u8>, bool>, error-code>;
                write: func(buffer: list<u8>, offset: filesize) -> result<filesize, error-code>;
                read-directory: func() -> result<directory-entry-stream, error-code>;
                create-directory-at: func(path: string) -> result<_, error-code>;
                stat-at: func(path-flags: path-flags, path: string) -> result<descriptor-stat, error-code>;
                link-at: func(old-path-flags: path-flags, old-path: string, new-descriptor: borrow<descriptor>, new-path: string) -> result<_, error-code>;
                open-at: func(path-flags: path-flags, path: string, open-flags: open-flags, %flags: descriptor-flags) -> result<descriptor, error-code>;
                readlink-at: func(path: string) -> result<string, error-code>;
                rename-at: func(old-path: string, new-descriptor: borrow<descriptor>, new-path: string) -> result<_, error-code>;
                symlink-at: func(old-path: string, new-path: string) -> result<_, error-code>;
                unlink-file-at: func(path: string) -> result<_, error-code>;
            }
            resource directory-entry-stream {
                read-directory-entry: func() -> result<option<directory-entry>, error-code>;
            }
        }
        interface preopens {
            use types.{descriptor};
            get-directories: func() -> list<tuple<descriptor, string>>;
        }",
    ),
    (
        "cli.wit",
        "package wasi:cli@0.2.3;
        interface environment {
            get-environment: func() -> list<tuple<string, string>>;
            get-arguments: func() -> list<string>;
        }
        interface exit { exit: func(status: result); }
        interface stdin { use wasi:io/streams@0.2.3.{input-stream}; get-stdin: func() -> input-stream; }
        interface stdout { use wasi:io/streams@0.2.3.{output-stream}; get-stdout: func() -> output-stream; }",
    ),
];

/// Writes [`DEPS`] beside a plan.
pub(super) fn deps(plan: &Plan) {
    fs::create_dir_all(plan.folder.join("deps")).unwrap();
    for (name, text) in DEPS {
        plan.write(&format!("deps/{name}"), text);
    }
}

/// The grants of files: `preopen` and what else stands there.
fn files(preopen: &str) -> String {
    format!(
        "[hole.hole.grant.preopens]\nprovider = \"wasi\"\n{preopen}\n\
         [hole.hole.grant.types]\nprovider = \"wasi\"\n\
         [hole.hole.grant.streams]\nprovider = \"wasi\"\n"
    )
}

/// A hole that works on files; a snippet sees `root`, the granted folder, through [`prelude`].
fn file_plan(preopen: &str) -> Plan {
    let plan = Plan::new(
        "world hole {
            import wasi:filesystem/preopens@0.2.3;
            import wasi:filesystem/types@0.2.3;
            import wasi:io/streams@0.2.3;
            export run: func() -> list<string>;
        }",
        &files(preopen),
    );
    deps(&plan);
    fs::create_dir_all(plan.folder.join("data/inner")).unwrap();
    plan.write("data/a.txt", "content of a");
    plan.write("data/inner/b.txt", "content of b");
    plan.write("secret.txt", "outside");
    plan
}

/// Helpers in front of each snippet that works on files.
fn snippet(body: &str) -> String {
    format!(
        "use types::{{Descriptor, DescriptorFlags, OpenFlags, PathFlags}};
        fn root() -> Descriptor {{ preopens::get_directories().remove(0).0 }}
        fn open(path: &str) -> Result<Descriptor, types::ErrorCode> {{
            root().open_at(PathFlags::SYMLINK_FOLLOW, path, OpenFlags::empty(), DescriptorFlags::READ)
        }}
        fn text(path: &str) -> String {{
            match open(path).and_then(|file| file.read(1000, 0)) {{
                Ok((bytes, _)) => String::from_utf8_lossy(&bytes).into_owned(),
                Err(error) => format!(\"{{error:?}}\"),
            }}
        }}
        pub fn run() -> Vec<String> {{ {body} }}"
    )
}

#[track_caller]
fn value(ended: &Ended) -> Value {
    assert_eq!(ended.code, Some(0), "{ended:?}");
    printed(ended)["value"].clone()
}

#[test]
fn a_hole_reads_the_clock() {
    let plan = Plan::new(
        "world hole {
            import wasi:clocks/wall-clock@0.2.3;
            import wasi:clocks/monotonic-clock@0.2.3;
            import wasi:io/poll@0.2.3;
            export run: func() -> tuple<u64, bool>;
        }",
        "[hole.hole.grant.wall-clock]\nprovider = \"wasi\"\n\
         [hole.hole.grant.monotonic-clock]\nprovider = \"wasi\"\n\
         [hole.hole.grant.poll]\nprovider = \"wasi\"\n",
    );
    deps(&plan);
    let before = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_secs();
    let ended = plan.run(
        "let start = monotonic_clock::now();
        monotonic_clock::subscribe_duration(20_000_000).block();
        (wall_clock::now().seconds, monotonic_clock::now() - start >= 20_000_000)",
    );
    let value = value(&ended);
    assert!(value[0].as_u64().unwrap() >= before, "{value}");
    assert_eq!(value[1], true);
}

#[test]
fn a_hole_gets_random_bytes_and_no_more_than_may_cross() {
    let plan = Plan::new(
        "world hole { import wasi:random/random@0.2.3; export run: func(n: u64) -> tuple<list<u8>, bool>; }",
        "[hole.hole.grant.random]\nprovider = \"wasi\"\n[hole.hole.args]\nn = \"32\"",
    );
    deps(&plan);
    let code =
        "(random::get_random_bytes(n), random::get_random_u64() != random::get_random_u64())";
    let first = value(&plan.run(code));
    let second = value(&plan.run(code));
    assert_eq!(first[0].as_array().unwrap().len(), 32);
    assert_ne!(first[0], second[0]);
    assert_eq!(first[1], true);
    plan.manifest(
        "[hole.hole.grant.random]\nprovider = \"wasi\"\n[hole.hole.args]\nn = \"9223372036854775807\"",
    );
    let ended = plan.run(code);
    assert_eq!(printed(&ended)["limit"]["name"], "crossing", "{ended:?}");
}

#[test]
fn a_hole_reads_the_files_of_the_granted_folder() {
    let plan = file_plan("preopen = \"data\"");
    let ended = plan.run(&snippet(
        "let listing = root().read_directory().unwrap();
        let mut names = vec![text(\"a.txt\"), text(\"inner/b.txt\"), text(\"./inner/../a.txt\"), text(\"none\")];
        let stream = open(\"a.txt\").unwrap().read_via_stream(8).unwrap();
        names.push(String::from_utf8(stream.blocking_read(100).unwrap()).unwrap());
        let mut found = Vec::new();
        while let Some(entry) = listing.read_directory_entry().unwrap() { found.push(entry.name); }
        found.sort();
        names.extend(found);
        names.push(preopens::get_directories().remove(0).1);
        names",
    ));
    assert_eq!(
        value(&ended),
        json!([
            "content of a",
            "content of b",
            "content of a",
            "NoEntry",
            "of a",
            "a.txt",
            "inner",
            "/"
        ])
    );
}

#[test]
fn nothing_outside_the_folder_is_reached() {
    let plan = file_plan("preopen = \"data\"");
    symlink("../secret.txt", plan.folder.join("data/out")).unwrap();
    symlink("/etc/passwd", plan.folder.join("data/absolute")).unwrap();
    symlink("..", plan.folder.join("data/up")).unwrap();
    symlink("a.txt", plan.folder.join("data/in")).unwrap();
    let paths = [
        "../secret.txt",
        "inner/../../secret.txt",
        "/etc/passwd",
        "out",
        "absolute",
        "up/secret.txt",
        "",
    ];
    let ended = plan.run(&snippet(&format!(
        "let mut all: Vec<String> = {paths:?}.iter().map(|path| text(path)).collect();
        all.push(text(\"in\"));
        all.push(format!(\"{{:?}}\", root().stat_at(PathFlags::SYMLINK_FOLLOW, \"out\").map(|it| it.size)));
        all"
    )));
    let value = value(&ended);
    let answers = value.as_array().unwrap();
    for (path, answer) in paths.iter().zip(answers) {
        let answer = answer.as_str().unwrap();
        let refusals = [
            "NotPermitted",
            "NoEntry",
            "NotDirectory",
            "IsDirectory",
            "Invalid",
        ];
        assert!(refusals.contains(&answer), "{path}: {answer}");
    }
    assert_eq!(answers[paths.len()], "content of a");
    assert_eq!(answers[paths.len() + 1], "Err(NotPermitted)");
}

/// Every way to change something: in a read-only folder none works, in a writable one all but links that lead out.
const WRITES: &str = "
    let root = root();
    let inner = root.open_at(PathFlags::empty(), \"inner\", OpenFlags::DIRECTORY, DescriptorFlags::READ).unwrap();
    let created = root.open_at(PathFlags::empty(), \"new.txt\", OpenFlags::CREATE, DescriptorFlags::WRITE);
    let mut all = vec![match &created {
        Ok(file) => format!(\"{:?}\", file.write(b\"new\", 0)),
        Err(error) => format!(\"Err({error:?})\"),
    }];
    let truncated = root.open_at(PathFlags::empty(), \"a.txt\", OpenFlags::TRUNCATE, DescriptorFlags::WRITE);
    all.push(format!(\"{:?}\", truncated.map(|_| ())));
    let file = open(\"inner/b.txt\").unwrap();
    all.push(format!(\"{:?}\", file.write_via_stream(0).map(|_| ())));
    all.push(format!(\"{:?}\", file.set_size(1)));
    all.push(format!(\"{:?}\", file.set_times(types::NewTimestamp::Now, types::NewTimestamp::Now)));
    all.push(format!(\"{:?}\", root.create_directory_at(\"made\")));
    all.push(format!(\"{:?}\", root.link_at(PathFlags::empty(), \"inner/b.txt\", &inner, \"linked\")));
    all.push(format!(\"{:?}\", root.rename_at(\"inner/b.txt\", &root, \"moved\")));
    all.push(format!(\"{:?}\", root.symlink_at(\"a.txt\", \"soft\")));
    all.push(format!(\"{:?}\", root.symlink_at(\"../secret.txt\", \"soft-out\")));
    all.push(format!(\"{:?}\", root.symlink_at(\"/etc/passwd\", \"soft-absolute\")));
    all.push(format!(\"{:?}\", root.unlink_file_at(\"a.txt\")));
    all";

#[test]
fn a_read_only_folder_is_not_changed() {
    let plan = file_plan("preopen = \"data\"");
    let value = value(&plan.run(&snippet(WRITES)));
    for answer in value.as_array().unwrap() {
        let answer = answer.as_str().unwrap();
        assert!(answer.starts_with("Err("), "{value}");
    }
    assert_eq!(
        fs::read_to_string(plan.folder.join("data/a.txt")).unwrap(),
        "content of a"
    );
    assert_eq!(
        fs::read_to_string(plan.folder.join("data/inner/b.txt")).unwrap(),
        "content of b"
    );
    assert_eq!(fs::read_dir(plan.folder.join("data")).unwrap().count(), 2);
}

#[test]
fn a_writable_folder_is_changed_inside_only() {
    let plan = file_plan("preopen = \"data\"\nwrite = true");
    let value = value(&plan.run(&snippet(WRITES)));
    let refused: Vec<usize> = value
        .as_array()
        .unwrap()
        .iter()
        .enumerate()
        .filter(|(_, answer)| answer.as_str().unwrap().starts_with("Err("))
        .map(|(at, _)| at)
        .collect();
    // The file was opened to be read: it has no size and no stream to set. Links out are not made.
    assert_eq!(refused, [3, 9, 10], "{value}");
    let data = plan.folder.join("data");
    assert_eq!(fs::read_to_string(data.join("new.txt")).unwrap(), "new");
    assert!(
        data.join("moved").is_file() && data.join("made").is_dir() && !data.join("a.txt").exists()
    );
    assert_eq!(
        fs::read_to_string(plan.folder.join("secret.txt")).unwrap(),
        "outside"
    );
}

#[test]
fn a_fifo_and_an_endless_wait_end_in_time() {
    let plan = file_plan("preopen = \"data\"");
    let fifo = plan.folder.join("data/pipe");
    let (kind, mode) = (rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU);
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, kind, mode, 0).unwrap();
    let ended = plan.run(&snippet("vec![text(\"pipe\")]"));
    assert_eq!(value(&ended), json!(["Unsupported"]));

    let plan = Plan::new(
        "world hole {
            import wasi:clocks/monotonic-clock@0.2.3;
            import wasi:io/poll@0.2.3;
            export run: func();
        }",
        "[limits]\nhost-call-wall = \"300ms\"\n\
         [hole.hole.grant.monotonic-clock]\nprovider = \"wasi\"\n\
         [hole.hole.grant.poll]\nprovider = \"wasi\"\n",
    );
    deps(&plan);
    let ended = plan.run("monotonic_clock::subscribe_duration(u64::MAX).block();");
    assert_eq!(
        printed(&ended)["limit"]["name"],
        "host-call-wall",
        "{ended:?}"
    );
}

#[test]
fn limits_count_for_wasi_too() {
    let read = snippet(
        "let file = open(\"a.txt\").unwrap(); for _ in 0..100 { file.read(1, 0).unwrap(); } Vec::new()",
    );
    let open = snippet(
        "let all: Vec<_> = (0..100).map(|_| open(\"a.txt\").unwrap()).collect(); vec![all.len().to_string()]",
    );
    let list = snippet("vec![format!(\"{:?}\", root().read_directory().is_ok())]");
    let write = snippet(
        "let file = root().open_at(PathFlags::empty(), \"new\", OpenFlags::CREATE, DescriptorFlags::WRITE).unwrap();
        for at in 0..100 { file.write(&[0; 100], at * 100).unwrap(); } Vec::new()",
    );
    let grow = snippet(
        "let file = root().open_at(PathFlags::empty(), \"new\", OpenFlags::CREATE, DescriptorFlags::WRITE).unwrap();
        file.set_size(1 << 40).unwrap(); Vec::new()",
    );
    let zeroes = snippet(
        "let file = root().open_at(PathFlags::empty(), \"new\", OpenFlags::CREATE, DescriptorFlags::WRITE).unwrap();
        let _ = file.write_via_stream(0).unwrap().write_zeroes(u64::MAX); Vec::new()",
    );
    for (name, setting, code) in [
        ("host-calls", "50", &read),
        ("handles", "20", &open),
        ("entries", "1", &list),
        ("staged", "\"1KiB\"", &write),
        ("staged", "\"1MiB\"", &grow),
        ("staged", "\"1MiB\"", &zeroes),
        ("staged-keys", "0", &write),
    ] {
        let plan = file_plan("preopen = \"data\"\nwrite = true");
        plan.manifest(&format!(
            "[limits]\n{name} = {setting}\n{}",
            files("preopen = \"data\"\nwrite = true")
        ));
        let ended = plan.run(code);
        assert_eq!(printed(&ended)["limit"]["name"], name, "{ended:?}");
    }
}

#[test]
fn what_is_not_granted_is_not_there() {
    let plan = file_plan("preopen = \"data\"");
    plan.manifest(&format!(
        "{}functions = [\"descriptor.open-at\"]",
        files("preopen = \"data\"").replace(
            "[hole.hole.grant.streams]\nprovider = \"wasi\"\n",
            "[hole.hole.grant.streams]\nprovider = \"wasi\"\nfunctions = [\"input-stream.read\"]\n\
             [hole.hole.grant.types]\nprovider = \"wasi\"\n"
        ).replacen("[hole.hole.grant.types]\nprovider = \"wasi\"\n", "", 1)
    ));
    let ended = plan.run(&snippet("vec![text(\"a.txt\")]"));
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stdout.contains("read"), "{ended:?}");
}

#[test]
fn faults_of_the_grant_are_told_at_load() {
    for (import, grant, words) in [
        (
            "wasi:filesystem/preopens@0.2.3",
            "preopens]\npreopen = \"none\"",
            "does not exist",
        ),
        (
            "wasi:filesystem/preopens@0.2.3",
            "preopens]\npreopen = \"plan.wit\"",
            "is no folder",
        ),
        (
            "wasi:filesystem/types@0.2.3",
            "types]\npreopen = \".\"",
            "does not belong to `wasi:filesystem/types`",
        ),
        (
            "wasi:clocks/wall-clock@0.2.3",
            "wall-clock]\nwrite = true",
            "does not belong to `wasi:clocks/wall-clock`",
        ),
        (
            "wasi:cli/environment@0.2.3",
            "environment]",
            "can be granted to a component that serves as a tool",
        ),
        (
            "wasi:sockets/tcp@0.2.3",
            "tcp]",
            "`wasi:sockets/tcp` is not served",
        ),
        ("wasi:random/random@0.3.0", "random]", "WASI 0.2"),
        ("other:thing/calc", "calc]", "is no interface of WASI"),
    ] {
        let plan = Plan::new(
            &format!("world hole {{ import {import}; export run: func(); }}"),
            &grant
                .replacen(']', "]\nprovider = \"wasi\"", 1)
                .replacen("", "[hole.hole.grant.", 1),
        );
        deps(&plan);
        plan.write(
            "deps/sockets.wit",
            "package wasi:sockets@0.2.3; interface tcp { dial: func(); }",
        );
        plan.write(
            "deps/other.wit",
            "package other:thing; interface calc { add: func(); }",
        );
        if import.contains("0.3.0") {
            plan.write(
                "deps/random.wit",
                "package wasi:random@0.3.0; interface random { get: func(); }",
            );
        }
        let ended = plan.run("()");
        assert_eq!(ended.code, Some(2), "{import}: {ended:?}");
        assert!(ended.stderr.contains(words), "{import}: {ended:?}");
    }
}
