// A program in the compiler's place that tries everything. `compiler.rs` compiles and runs it; each attempt is a line on
// standard error: its name, and `done` or why not.
//
// Arguments: the canary's file, a folder that is not its own, a TCP and a UDP port, a socket's file, a socket's abstract
// name, a process.

use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener, UnixStream};
use std::{fs, io};

unsafe extern "C" {
    fn kill(pid: i32, signal: i32) -> i32;
    fn ptrace(request: i64, pid: i32, at: usize, data: usize) -> i64;
    fn syscall(number: i64, a: usize, b: usize, c: usize) -> i64;
}

const IO_URING_SETUP: i64 = 425;
const PTRACE_SEIZE: i64 = 0x4206;
const TERM: i32 = 15;

fn told(result: i64) -> io::Result<()> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

fn attempt<T>(name: &str, result: io::Result<T>) {
    match result {
        Ok(_) => eprintln!("{name}: done"),
        Err(error) => eprintln!("{name}: {error}"),
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [canary, outside, tcp, udp, socket, name, process] = &arguments[..] else {
        panic!("arguments")
    };
    let process: i32 = process.parse().unwrap();
    let spare = format!("{canary}.spare");
    let new = |what: &str| format!("{outside}/{what}-of-intruder");

    // Its own folder.
    attempt("write inside", fs::write("mine", "mine"));
    attempt("read inside", fs::read("mine"));
    attempt(
        "move inside",
        fs::create_dir("folder").and_then(|()| fs::rename("mine", "folder/mine")),
    );

    // Files of others.
    attempt(
        "read a file",
        fs::read_to_string(canary).map(|text| eprintln!("read {text}")),
    );
    attempt(
        "read a file by a link",
        std::os::unix::fs::symlink(canary, "link").and_then(|()| fs::read("link")),
    );
    attempt("link a file", fs::hard_link(canary, "hard"));
    attempt("list a folder", fs::read_dir(outside));
    attempt("list the root", fs::read_dir("/"));
    for file in ["environ", "cmdline", "maps", "mountinfo"] {
        attempt(
            &format!("read own {file}"),
            fs::read(format!("/proc/self/{file}")),
        );
        attempt(
            &format!("read the other's {file}"),
            fs::read(format!("/proc/{process}/{file}")),
        );
    }
    attempt("read passwd", fs::read("/etc/passwd"));
    attempt("open a device", fs::File::open("/dev/zero"));
    attempt(
        "open a file to write",
        fs::OpenOptions::new().append(true).open(canary),
    );
    attempt(
        "truncate a file",
        fs::OpenOptions::new().write(true).truncate(true).open(&spare),
    );
    attempt("make a file", fs::write(new("file"), "x"));
    attempt("make a folder", fs::create_dir(new("folder")));
    attempt("make a link", std::os::unix::fs::symlink("/", new("link")));
    attempt("make a socket", UnixListener::bind(new("socket")));
    attempt(
        "move a file out",
        fs::write("mine", "mine").and_then(|()| fs::rename("mine", new("moved"))),
    );
    attempt("remove a file", fs::remove_file(&spare));
    let shared = "/dev/shm/lacuna-intruder";
    attempt(
        "write to memory that all share",
        fs::write(shared, "x").and_then(|()| fs::remove_file(shared)),
    );
    attempt(
        "run a program",
        std::process::Command::new("/bin/true").status(),
    );

    // The environment that it was given.
    for (name, value) in std::env::vars() {
        eprintln!("variable {name}={value}");
    }

    // The network.
    attempt("connect by TCP", TcpStream::connect(format!("127.0.0.1:{tcp}")));
    attempt("listen by TCP", TcpListener::bind("127.0.0.1:0"));
    attempt(
        "send by UDP",
        UdpSocket::bind("127.0.0.1:0")
            .and_then(|from| from.send_to(b"leak", format!("127.0.0.1:{udp}"))),
    );
    attempt("connect to a socket", UnixStream::connect(socket));
    let name = SocketAddr::from_abstract_name(name).unwrap();
    attempt(
        "connect to an abstract socket",
        UnixStream::connect_addr(&name),
    );
    attempt("make a datagram socket", UnixDatagram::unbound());
    let mut parameters = [0u8; 120];
    let at = parameters.as_mut_ptr() as usize;
    let ring = unsafe { syscall(IO_URING_SETUP, 1, at, 0) };
    attempt("make a ring", told(ring));

    // Other processes.
    attempt(
        "signal a process",
        told(i64::from(unsafe { kill(process, 0) })),
    );
    attempt(
        "trace a process",
        told(unsafe { ptrace(PTRACE_SEIZE, process, 0, 0) }),
    );
    attempt(
        "end a process",
        told(i64::from(unsafe { kill(process, TERM) })),
    );
}
