//! What Lacuna is compared with: rustc on the ordinary std, without confinement, and Cranelift on what comes out.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use lacuna::toolchain::{self, Toolchain};
use wasmtime::{Config, Engine, Module, OptLevel};

use crate::sources::plain;
use crate::table::since;

pub(crate) struct Plain {
    pub(crate) toolchain: Toolchain,
    folder: PathBuf,
    engine: Engine,
}

impl Plain {
    pub(crate) fn new(cache: &Path, folder: &Path) -> Self {
        std::fs::create_dir_all(folder).unwrap();
        // As fast to compile as wasmtime can be set: not optimised, without fuel or epochs.
        let engine = Engine::new(Config::new().cranelift_opt_level(OptLevel::None)).unwrap();
        Self {
            toolchain: toolchain::prepare(cache, &mut |_| {}).unwrap(),
            folder: folder.to_owned(),
            engine,
        }
    }

    /// Milliseconds of `rustc --emit=metadata` on code that does not compile.
    pub(crate) fn metadata(&self, code: &str) -> f64 {
        let (millis, output) = self.rustc(code, &["--emit=metadata"]);
        assert!(!output.status.success());
        millis
    }

    /// Milliseconds of a cdylib, and its wasm.
    pub(crate) fn cdylib(&self, code: &str) -> (f64, Vec<u8>) {
        let (millis, output) = self.rustc(code, &[]);
        assert!(output.status.success(), "{output:?}");
        (
            millis,
            std::fs::read(self.folder.join("plain.wasm")).unwrap(),
        )
    }

    /// Milliseconds of Cranelift.
    pub(crate) fn cranelift(&self, wasm: &[u8]) -> f64 {
        let started = Instant::now();
        Module::new(&self.engine, wasm).unwrap();
        since(started)
    }

    fn rustc(&self, code: &str, arguments: &[&str]) -> (f64, Output) {
        std::fs::write(self.folder.join("plain.rs"), plain(code)).unwrap();
        let started = Instant::now();
        let output = Command::new(&self.toolchain.rustc)
            .args(["--edition=2024", "--target", toolchain::TARGET])
            .args(["--crate-type=cdylib", "plain.rs"])
            .args(arguments)
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        (since(started), output)
    }
}
