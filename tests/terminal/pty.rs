//! A pseudo-terminal: the program on one side, the test on the other.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{FromRawFd, OwnedFd};
use std::path::Path;
use std::process::{Child, Command};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::screen::Screen;
use crate::support::program::{PROGRAM, cache};

/// Longest time a run may take: the first one on a machine also builds the SDK.
const PATIENCE: Duration = Duration::from_secs(300);

/// What a toolchain needs to be found; nothing that says anything of a terminal.
const KEPT: [&str; 6] = [
    "PATH",
    "HOME",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "TMPDIR",
];

/// The program on a terminal of its own.
pub(crate) struct Session {
    child: Child,
    keyboard: File,
    output: Receiver<Vec<u8>>,
    /// What the terminal shows.
    pub(crate) screen: Screen,
    /// Everything that was written to it.
    pub(crate) bytes: Vec<u8>,
}

impl Session {
    /// Starts the program in `folder`; standard input, output and error are the terminal.
    pub(crate) fn start(
        folder: &Path,
        columns: u16,
        arguments: &[&str],
        environment: &[(&str, &str)],
    ) -> Self {
        let (ours, theirs) = open(columns);
        let kept = KEPT
            .iter()
            .filter_map(|name| Some((*name, std::env::var_os(name)?)));
        let environment = environment
            .iter()
            .map(|(name, value)| (*name, OsString::from(value)));
        let child = Command::new(PROGRAM)
            .args(arguments)
            .current_dir(folder)
            .env_clear()
            .env("LACUNA_CACHE_DIR", cache())
            .env("TERM", "xterm-256color")
            .envs(kept)
            .envs(environment)
            .stdin(theirs.try_clone().unwrap())
            .stdout(theirs.try_clone().unwrap())
            .stderr(theirs)
            .spawn()
            .expect("the program starts");
        let keyboard = File::from(ours);
        let mut display = keyboard.try_clone().unwrap();
        let (sender, output) = mpsc::channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            // The end of a terminal whose other side is closed is an error (EIO).
            while let Ok(count @ 1..) = display.read(&mut buffer) {
                if sender.send(buffer[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self {
            child,
            keyboard,
            output,
            screen: Screen::new(usize::from(columns)),
            bytes: Vec::new(),
        }
    }

    /// Shows what comes in until `seen` likes the screen.
    #[track_caller]
    pub(crate) fn until(&mut self, what: &str, mut seen: impl FnMut(&Screen) -> bool) {
        let started = Instant::now();
        while !seen(&self.screen) {
            assert!(
                self.step(started),
                "{what} was never seen:\n{}",
                self.screen.text()
            );
        }
    }

    /// Shows everything until the program ends; its exit code.
    pub(crate) fn end(&mut self) -> Option<i32> {
        let started = Instant::now();
        while self.step(started) {}
        self.child.wait().unwrap().code()
    }

    /// Makes the terminal wider or narrower.
    pub(crate) fn resize(&mut self, columns: u16) {
        // What is on its way was drawn for the old size; a line that moves does so every tenth of a second.
        while let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(30)) {
            self.screen.write(&bytes);
            self.bytes.extend(bytes);
        }
        tcsetwinsize(&self.keyboard, size(columns)).unwrap();
        self.screen.resize(usize::from(columns));
    }

    /// Ctrl-C: the terminal shows it, and the program gets the signal. It has no session of its own, so the terminal
    /// cannot send the signal itself.
    pub(crate) fn interrupt(&mut self) {
        self.keyboard.write_all(b"\x03").unwrap();
        std::thread::sleep(Duration::from_millis(50));
        let pid = Pid::from_raw(self.child.id().cast_signed()).unwrap();
        kill_process(pid, Signal::INT).unwrap();
    }

    /// Whether something came in.
    fn step(&mut self, started: Instant) -> bool {
        match self.output.recv_timeout(Duration::from_millis(20)) {
            Ok(bytes) => {
                self.screen.write(&bytes);
                self.bytes.extend(bytes);
                true
            }
            Err(RecvTimeoutError::Timeout) => {
                if started.elapsed() > PATIENCE {
                    let _ = self.child.kill();
                    panic!("no end after {} s", PATIENCE.as_secs());
                }
                true
            }
            Err(RecvTimeoutError::Disconnected) => false,
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn size(columns: u16) -> Winsize {
    Winsize {
        ws_row: 30,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    }
}

/// Our side and the program's.
#[expect(
    unsafe_code,
    reason = "no safe function opens a pair of terminals without another feature of rustix"
)]
fn open(columns: u16) -> (OwnedFd, OwnedFd) {
    let (mut ours, mut theirs) = (-1, -1);
    // SAFETY: the two numbers are written to, and the other pointers may be null.
    let opened = unsafe {
        libc::openpty(
            &mut ours,
            &mut theirs,
            std::ptr::null_mut(),
            std::ptr::null(),
            std::ptr::null(),
        )
    };
    assert_eq!(opened, 0, "{}", std::io::Error::last_os_error());
    // SAFETY: both were opened just now, and nobody else knows them.
    let pair = unsafe { (OwnedFd::from_raw_fd(ours), OwnedFd::from_raw_fd(theirs)) };
    for side in [&pair.0, &pair.1] {
        // Or a program that another test starts would hold this terminal open.
        rustix::io::fcntl_setfd(side, rustix::io::FdFlags::CLOEXEC).unwrap();
    }
    tcsetwinsize(&pair.0, size(columns)).unwrap();
    pair
}
