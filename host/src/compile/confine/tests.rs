//! A shell in the compiler's place: it tries what a compiler never should.

#![allow(
    clippy::disallowed_methods,
    reason = "tests put files where a confined process must not find them"
)]

mod compiler;

use super::*;

fn confinement(folder: &Path) -> Confinement {
    Confinement {
        // What this shell loads beside the compiler's libraries.
        readable: [
            "/lib/x86_64-linux-gnu",
            "/lib/aarch64-linux-gnu",
            "/lib64",
            "/usr/lib64",
        ]
        .map(|libraries| Path::new(libraries).join("libtinfo.so.6"))
        .into(),
        folder: folder.to_owned(),
        landlock: true,
        cpu: Duration::from_secs(5),
        wall: Duration::from_secs(5),
        memory: 1 << 30,
        files: 1 << 20,
        output: 1000,
    }
}

/// What `script` writes to standard error, and whether it succeeded.
async fn shell(script: &str, confinement: Confinement) -> (String, bool) {
    let arguments = vec!["-c".to_owned(), script.to_owned()];
    let input = Input::Bytes(b"input\n".to_vec());
    let finished = run(PathBuf::from("/bin/bash"), arguments, input, confinement)
        .await
        .unwrap();
    let text = String::from_utf8(finished.stderr).unwrap();
    (text, finished.status.success())
}

#[tokio::test]
async fn only_the_work_folder_can_be_read_and_written() {
    let root = tempfile::tempdir().unwrap();
    let (work, other) = (root.path().join("work"), root.path().join("other"));
    std::fs::create_dir(&work).unwrap();
    std::fs::create_dir(&other).unwrap();
    std::fs::write(other.join("secret"), "secret").unwrap();
    let script = "echo mine > file && read line < file && echo $line >&2";
    assert_eq!(
        shell(script, confinement(&work)).await,
        ("mine\n".to_owned(), true)
    );
    for script in [
        "read line < ../other/secret && echo $line >&2".to_owned(),
        "echo x > ../other/new".to_owned(),
        "echo x > /dev/shm/lacuna-test".to_owned(),
        "read line < /etc/passwd && echo $line >&2".to_owned(),
        "read line < /proc/self/environ".to_owned(),
        "/bin/ls".to_owned(),
        "for f in ../other/*; do [ \"$f\" = '../other/*' ] && exit 1; done".to_owned(),
    ] {
        let (text, done) = shell(&script, confinement(&work)).await;
        assert!(!done, "{script}");
        assert!(!text.contains("secret\n"), "{script}: {text}");
    }
    assert!(!other.join("new").exists());
}

#[tokio::test]
async fn there_is_no_network_and_no_environment() {
    let root = tempfile::tempdir().unwrap();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let script = format!("exec 3<>/dev/tcp/127.0.0.1/{port}");
    assert!(!shell(&script, confinement(root.path())).await.1);
    // bash sets a few variables of its own; none is handed down.
    let script = "echo \"$HOME|$PATH_FROM_HOST|$USER|$CARGO_MANIFEST_DIR|$RUSTC_ICE\" >&2";
    assert_eq!(shell(script, confinement(root.path())).await.0, "||||0\n");
}

#[tokio::test]
async fn limits_stand_before_the_first_byte_of_input() {
    let root = tempfile::tempdir().unwrap();
    let script = "read line; ulimit -t; ulimit -f; ulimit -c; ulimit -n; ulimit -v; ulimit -H -t";
    let script = format!("{{ {script}; }} >&2");
    let (text, _) = shell(&script, confinement(root.path())).await;
    let memory = ((1u64 << 30) + COMPILER_MAPPINGS) / 1024;
    assert_eq!(text, format!("5\n1024\n0\n{OPEN_FILES}\n{memory}\n6\n"));
}

#[tokio::test]
async fn output_is_capped_and_time_ends_the_whole_group() {
    let root = tempfile::tempdir().unwrap();
    let finished = run(
        PathBuf::from("/bin/bash"),
        vec![
            "-c".to_owned(),
            "while :; do echo flood >&2; done".to_owned(),
        ],
        Input::Bytes(Vec::new()),
        confinement(root.path()),
    )
    .await
    .unwrap();
    assert!(finished.flooded);
    assert_eq!(finished.stderr.len(), 1000);
    let short = Confinement {
        wall: Duration::from_millis(200),
        ..confinement(root.path())
    };
    let started = std::time::Instant::now();
    let script = "( while :; do :; done ) & wait".to_owned();
    let stopped = run(
        PathBuf::from("/bin/bash"),
        vec!["-c".to_owned(), script],
        Input::Bytes(Vec::new()),
        short,
    )
    .await;
    assert!(matches!(stopped, Err(Stopped::Wall)));
    assert!(started.elapsed() < Duration::from_secs(1));
}
