//! The real compiler, and a program of any kind in its place: what each gets where no screen and no closed scope stands
//! before it.

use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};

use super::*;
use crate::compile::rustc::readable;
use crate::compile::tests::toolchain;

/// Stands in a file of the user, and nowhere else.
const CANARY: &str = "Zq3CanaryOfTheUser";

/// Attempts of the intruder that a machine may forbid everyone.
const OFTEN_OFF: [&str; 2] = ["make a ring", "trace a process"];

/// A user's files, with a compiler's work folder among them.
struct User {
    _root: tempfile::TempDir,
    folder: PathBuf,
    work: PathBuf,
    canary: PathBuf,
}

impl User {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().canonicalize().unwrap();
        let work = folder.join("work");
        std::fs::create_dir(&work).unwrap();
        // An open string in it, so that a compiler that reads it as source prints it.
        let text = format!("pub const X: &str = \"{CANARY}\";\nconst Y: &str = \"{CANARY}");
        let canary = folder.join("canary.rs");
        std::fs::write(&canary, text).unwrap();
        std::fs::write(folder.join("canary.rs.spare"), "x").unwrap();
        // As if an earlier step had made it: following it is no way out.
        std::os::unix::fs::symlink(&canary, work.join("link.rs")).unwrap();
        Self {
            _root: root,
            folder,
            work,
            canary,
        }
    }

    fn confinement(&self) -> Confinement {
        Confinement {
            readable: readable(&toolchain()),
            // It is not about time, and the machine may be busy.
            wall: Duration::from_secs(60),
            files: 64 << 20,
            output: 1 << 20,
            ..confinement(&self.work)
        }
    }

    /// Whether the canary stands in this text or in a file that was made in the work folder.
    fn has_leaked(&self, text: &str) -> bool {
        let made = std::fs::read_dir(&self.work).unwrap();
        let made = made.map(|entry| entry.unwrap().path());
        let made = made.filter(|path| path.is_file() && !path.is_symlink());
        made.map(|path| std::fs::read(path).unwrap())
            .chain([text.as_bytes().to_vec()])
            .any(|bytes| has(&bytes, CANARY))
    }
}

fn has(bytes: &[u8], text: &str) -> bool {
    bytes
        .windows(text.len())
        .any(|window| window == text.as_bytes())
}

/// rustc with the real std of the wasm target, where every name exists.
async fn compile(source: &str, confinement: Confinement) -> (String, bool) {
    let arguments = [
        "--edition=2024",
        "--crate-type=lib",
        "--crate-name=x",
        "--emit=obj,metadata,dep-info",
        "--target=wasm32-unknown-unknown",
        "source.rs",
    ];
    let arguments = arguments.map(str::to_owned).into();
    std::fs::write(confinement.folder.join("source.rs"), source).unwrap();
    let input = Input::Bytes(Vec::new());
    let finished = run(toolchain().rustc.clone(), arguments, input, confinement)
        .await
        .unwrap();
    let text = String::from_utf8_lossy(&finished.stderr).into_owned();
    (text, finished.status.success())
}

#[tokio::test]
async fn the_compiler_alone_gets_no_file() {
    for (form, compiles_freely) in [
        ("pub static A: &str = include_str!(\"{P}\");", true),
        ("pub static A: &[u8] = include_bytes!(\"{P}\");", true),
        (
            "pub static A: &str = include_str!(concat!(\"{P}\", \"\"));",
            true,
        ),
        (
            "#[doc = include_str!(\"{P}\")] pub fn f() -> u8 { 1 }",
            true,
        ),
        ("#[path = \"{P}\"] pub mod a;", false),
        (
            "macro_rules! m { ($m:ident) => { #[path = \"{P}\"] pub mod $m; } } m!(a);",
            false,
        ),
        ("include!(\"{P}\");", false),
        ("pub fn f() { include!(\"{P}\"); }", false),
    ] {
        let user = User::new();
        let canary = user.canary.display().to_string();
        for path in [canary.as_str(), "../canary.rs", "link.rs"] {
            let source = form.replace("{P}", path);
            let (text, done) = compile(&source, user.confinement()).await;
            assert!(!done, "{source}");
            assert!(!user.has_leaked(&text), "{source}: {text}");
            assert!(text.contains("Permission denied"), "{source}: {text}");
        }
        // The same compiler with its rights: the source asks for what is there.
        let free = Confinement {
            landlock: false,
            ..user.confinement()
        };
        let source = form.replace("{P}", &canary);
        let (text, done) = compile(&source, free).await;
        assert_eq!(done, compiles_freely, "{source}: {text}");
        assert!(user.has_leaked(&text), "{source}: {text}");
    }
}

#[tokio::test]
async fn the_compiler_alone_gets_nothing_of_the_machine() {
    let user = User::new();
    for path in [
        "/etc/passwd",
        "/proc/self/environ",
        "/proc/self/cmdline",
        "/proc/self/maps",
        "/proc/version",
        "/dev/zero",
    ] {
        let source = format!("pub static A: &[u8] = include_bytes!(\"{path}\");");
        let (text, done) = compile(&source, user.confinement()).await;
        assert!(!done, "{path}");
        assert!(text.contains("Permission denied"), "{path}: {text}");
    }
    for name in ["HOME", "PATH", "USER", "PWD", "CARGO_MANIFEST_DIR"] {
        let source = format!("pub static A: &str = env!(\"{name}\");");
        let (text, done) = compile(&source, user.confinement()).await;
        let undefined = text.contains("not defined at compile time");
        assert!(!done && undefined, "{name}: {text}");
        let source = format!("const _: () = assert!(option_env!(\"{name}\").is_none());");
        let (text, done) = compile(&source, user.confinement()).await;
        assert!(done, "{name}: {text}");
    }
    // What needs nothing compiles: it was not for another reason that the rest did not.
    let source = "pub fn f() -> Vec<u8> { format!(\"{:?}\", 1).into() }";
    let (text, done) = compile(source, user.confinement()).await;
    assert!(done, "{text}");
}

/// The intruder, compiled by the real compiler for this machine with all its rights.
fn intruder(user: &User) -> PathBuf {
    let program = user.folder.join("intruder");
    let source = user.folder.join("intruder.rs");
    std::fs::write(&source, include_str!("intruder.rs")).unwrap();
    let made = Command::new(&toolchain().rustc)
        .args(["--edition=2024", "-Cpanic=abort", "-o"])
        .args([&program, &source])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&made.stderr);
    assert!(made.status.success(), "{text}");
    program
}

/// What an intruder looks for, there as long as this is.
struct Targets {
    arguments: Vec<String>,
    process: Child,
    udp: UdpSocket,
    _listening: (TcpListener, UnixListener, UnixListener),
}

impl Targets {
    fn new(user: &User) -> Self {
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
        udp.set_nonblocking(true).unwrap();
        let socket = user.folder.join("socket");
        let name = format!("lacuna-{}", user.folder.display());
        let address = SocketAddr::from_abstract_name(&name).unwrap();
        let process = Command::new("/bin/sleep").arg("60").spawn().unwrap();
        let port = |address: std::io::Result<std::net::SocketAddr>| address.unwrap().port();
        Self {
            arguments: vec![
                user.canary.display().to_string(),
                user.folder.display().to_string(),
                port(tcp.local_addr()).to_string(),
                port(udp.local_addr()).to_string(),
                socket.display().to_string(),
                name,
                process.id().to_string(),
            ],
            process,
            udp,
            _listening: (
                tcp,
                UnixListener::bind(&socket).unwrap(),
                UnixListener::bind_addr(&address).unwrap(),
            ),
        }
    }

    fn was_sent(&self) -> bool {
        self.udp.recv(&mut [0; 8]).is_ok()
    }
}

impl Drop for Targets {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Whether this kernel's Landlock keeps signals to the own processes.
fn knows_scopes() -> bool {
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .scope(LandlockScope::from_all(ABI::V6))
        .and_then(Ruleset::create)
        .is_ok()
}

#[tokio::test]
async fn a_program_in_its_place_gets_nothing_either() {
    let user = User::new();
    let program = intruder(&user);
    let targets = Targets::new(&user);
    let input = Input::Bytes(Vec::new());
    let confined = run(
        program,
        targets.arguments.clone(),
        input,
        user.confinement(),
    );
    let finished = confined.await.unwrap();
    let text = String::from_utf8(finished.stderr).unwrap();
    assert!(finished.status.success(), "{text}");
    let done = text.lines().filter_map(|line| line.strip_suffix(": done"));
    let signals = ["signal a process", "end a process"];
    let done: Vec<&str> = done
        .filter(|name| knows_scopes() || !signals.contains(name))
        .collect();
    assert_eq!(done, ["write inside", "read inside", "move inside"]);
    assert!(!user.has_leaked(&text), "{text}");
    assert!(!targets.was_sent());
    let variables = text.lines().filter(|line| line.starts_with("variable "));
    assert_eq!(variables.collect::<Vec<_>>(), ["variable RUSTC_ICE=0"]);
    for name in [
        "connect by TCP",
        "send by UDP",
        "connect to a socket",
        "connect to an abstract socket",
        "make a ring",
        "read own environ",
        "read a file",
        "truncate a file",
    ] {
        let denied = format!("{name}: Permission denied");
        assert!(text.contains(&denied), "{name}: {text}");
    }
    for entry in std::fs::read_dir(&user.folder).unwrap() {
        let name = entry.unwrap().file_name();
        assert!(!name.to_string_lossy().ends_with("of-intruder"), "{name:?}");
    }
    assert_eq!(
        std::fs::read(user.folder.join("canary.rs.spare")).unwrap(),
        b"x"
    );
}

/// The test above can fail: with its rights, the program does all of it.
#[test]
fn the_program_can_do_all_that_when_nobody_confines_it() {
    let user = User::new();
    let targets = Targets::new(&user);
    let output = Command::new(intruder(&user))
        .args(&targets.arguments)
        .current_dir(&user.work)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(user.has_leaked(&text), "{text}");
    assert!(targets.was_sent(), "{text}");
    let said = |name: &str, end: &str| {
        text.lines()
            .any(|line| line.starts_with(&format!("{name}: ")) && line.ends_with(end))
    };
    for name in include_str!("intruder.rs")
        .lines()
        .filter_map(|line| {
            line.trim()
                .trim_start_matches("attempt(")
                .strip_prefix('"')?
                .split_once("\",")
        })
        .map(|(name, _)| name)
    {
        let often_off = OFTEN_OFF.contains(&name);
        assert!(said(name, "done") || often_off, "{name}: {text}");
    }
}
