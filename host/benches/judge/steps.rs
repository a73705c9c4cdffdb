//! What each step of a judgement costs, and what each of the things that make it fast gains.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use lacuna::budget::{CompileLimits, RunLimits};
use lacuna::compile::{Compiler, Judged, PreparedScope};
use lacuna::sandbox::{Call, Sandbox};
use lacuna::scope::{self, Scope};
use lacuna::toolchain::{self, LINK_FLAGS, SNIPPET_FLAGS, Toolchain};
use lacuna::value::Value;
use lacuna::{grant, link, plan, snippet};

use crate::plain::Plain;
use crate::sources::{self, TEXT};
use crate::table::{Samples, Table, since};

/// The stages of the library, one by one.
pub(crate) struct Stages {
    scope: Arc<Scope>,
    compiler: Compiler,
    prepared: PreparedScope,
    sandbox: Sandbox,
    bindings: PathBuf,
    limits: CompileLimits,
}

impl Stages {
    pub(crate) async fn new(cache: &Path, file: &Path) -> Self {
        let toolchain = Arc::new(toolchain::prepare(cache, &mut |_| {}).unwrap());
        let plan = plan::load(file).unwrap();
        let hole = plan.entry(None).unwrap();
        let granted = grant::resolve(&plan, hole).unwrap();
        let scope = scope::close(&plan, hole, &granted, &toolchain.sdk.hash).unwrap();
        let compiler = Compiler::new(toolchain, cache.to_owned(), false).unwrap();
        let prepared = compiler.prepare(&scope).await.unwrap();
        // Nothing else was prepared yet.
        let folder = std::fs::read_dir(cache.join("bindings")).unwrap().next();
        Self {
            scope: Arc::new(scope),
            compiler,
            prepared,
            sandbox: Sandbox::new().unwrap(),
            bindings: folder.unwrap().unwrap().path().join("libbindings.rlib"),
            limits: CompileLimits::default(),
        }
    }

    fn module(&self, code: &str) -> String {
        snippet::extract(code, &self.scope, &self.limits)
            .unwrap()
            .module
    }
}

/// Milliseconds of each step, and sizes.
#[derive(Default)]
pub(crate) struct Steps {
    screen: Samples,
    compile: Samples,
    confinement: Samples,
    check: Samples,
    cranelift: Samples,
    call: Samples,
    wasm: Samples,
}

impl Steps {
    pub(crate) async fn round(&mut self, stages: &Stages, plain: &Plain, seed: &str) {
        let code = sources::snippet(&format!("{seed}-steps"));
        let limits = &stages.limits;
        let started = Instant::now();
        let found = snippet::extract(&code, &stages.scope, limits).unwrap();
        self.screen.push(since(started));

        let started = Instant::now();
        let judged = stages
            .compiler
            .judge(&stages.scope, &stages.prepared, &found, limits);
        let Judged::Accepted(module) = judged.await.unwrap() else {
            panic!("the snippet was rejected");
        };
        let compile = since(started);
        self.compile.push(compile);
        let bare = Bare::new(stages, &plain.toolchain).run(&found.module);
        self.confinement.push(compile - bare.millis);
        self.wasm.push(bare.wasm as f64);

        let started = Instant::now();
        let component = link::check(&stages.scope, module).unwrap();
        self.check.push(since(started));

        let run = RunLimits::default();
        let started = Instant::now();
        let program = stages
            .sandbox
            .load(&component, Arc::clone(&stages.scope), &run, None);
        let program = program.await.unwrap();
        self.cranelift.push(since(started));

        let call = Call {
            interface: None,
            function: "run".to_owned(),
            arguments: vec![Value::String(TEXT.into())],
            labels: Default::default(),
            named: Vec::new(),
        };
        let started = Instant::now();
        let mut instance = stages
            .sandbox
            .instance(&program, Arc::new(()))
            .await
            .unwrap();
        instance.call(&call).await.result.unwrap();
        self.call.push(since(started));
    }

    pub(crate) fn print(&self, table: &mut Table) {
        table.heading("Steps of an accepted snippet");
        table.millis("find and screen the code", &self.screen);
        table.millis("rustc and rust-lld, confined", &self.compile);
        table.millis(
            "… of it confinement, work folder, dep-info, cache",
            &self.confinement,
        );
        table.millis("encode and check the component", &self.check);
        table.millis("Cranelift, linker", &self.cranelift);
        table.micros("first instance and call", &self.call);
        table.kilobytes("core module", &self.wasm);
    }
}

/// rustc and rust-lld as Lacuna calls them (`compile::rustc`), without the confinement; each field is one thing that makes them fast.
struct Bare<'a> {
    stages: &'a Stages,
    toolchain: &'a Toolchain,
    shared_instances: bool,
    no_undefined_behaviour_checks: bool,
    own_link: bool,
    early_linker: bool,
}

struct Ran {
    millis: f64,
    wasm: u64,
}

impl<'a> Bare<'a> {
    fn new(stages: &'a Stages, toolchain: &'a Toolchain) -> Self {
        Self {
            stages,
            toolchain,
            shared_instances: true,
            no_undefined_behaviour_checks: true,
            own_link: true,
            early_linker: true,
        }
    }

    fn run(&self, module: &str) -> Ran {
        let work = tempfile::tempdir().unwrap();
        let folder = work.path();
        std::fs::write(folder.join("snippet.rs"), module).unwrap();
        std::fs::write(folder.join("hole.rs"), "mod snippet;\n").unwrap();
        let started = Instant::now();
        let early = (self.own_link && self.early_linker).then(|| self.linker(folder));
        let compiled = self.rustc(folder).output().unwrap();
        assert!(compiled.status.success(), "{compiled:?}");
        if self.own_link {
            let mut linker = early.unwrap_or_else(|| self.linker(folder));
            let object = std::fs::read(folder.join("o.o")).unwrap();
            linker.stdin.take().unwrap().write_all(&object).unwrap();
            assert!(linker.wait().unwrap().success());
        }
        let millis = since(started);
        let wasm = std::fs::metadata(folder.join("o.wasm")).unwrap().len();
        Ran { millis, wasm }
    }

    fn rustc(&self, folder: &Path) -> Command {
        let sdk = &self.toolchain.sdk;
        let mut command = Command::new(&self.toolchain.rustc);
        command
            .args(SNIPPET_FLAGS)
            .arg("--sysroot")
            .arg(&sdk.sysroot);
        command
            .arg("-L")
            .arg(format!("dependency={}", sdk.dependencies.display()));
        for (name, path) in [
            ("std", &sdk.std),
            ("core", &sdk.core),
            ("alloc", &sdk.alloc),
            (lacuna::toolchain::BINDINGS_CRATE, &self.stages.bindings),
        ] {
            command
                .arg("--extern")
                .arg(format!("{name}={}", path.display()));
        }
        if !self.no_undefined_behaviour_checks {
            command.arg("-Cdebug-assertions=yes");
        }
        if !self.shared_instances {
            // An unstable switch, good enough for a measurement.
            command
                .env("RUSTC_BOOTSTRAP", "1")
                .arg("-Zshare-generics=no");
        }
        let emit = if self.own_link {
            "obj=o.o"
        } else {
            "link=o.wasm"
        };
        command
            .arg(format!("--emit=dep-info=o.d,{emit}"))
            .arg("hole.rs");
        command.current_dir(folder).stdin(Stdio::null());
        command
    }

    fn linker(&self, folder: &Path) -> Child {
        Command::new(&self.toolchain.lld)
            .args(LINK_FLAGS)
            .args([
                "--export=export:run",
                "--export-if-defined=export:cabi_post_run",
                "/dev/stdin",
            ])
            .args([&self.stages.bindings, &self.toolchain.sdk.prelinked])
            .args(["-o", "o.wasm"])
            .current_dir(folder)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap()
    }
}

/// Each thing that makes rustc and rust-lld fast, switched off by itself.
#[derive(Default)]
pub(crate) struct Switches {
    all: Samples,
    instances: Samples,
    checks: Samples,
    link: Samples,
    sort: Samples,
    early: Samples,
}

impl Switches {
    pub(crate) fn round(&mut self, stages: &Stages, plain: &Plain, seed: &str) {
        let code = sources::snippet(&format!("{seed}-switches"));
        let module = stages.module(&code);
        let all = || Bare::new(stages, &plain.toolchain);
        self.all.push(all().run(&module).millis);
        let off = Bare {
            shared_instances: false,
            ..all()
        };
        self.instances.push(off.run(&module).millis);
        let off = Bare {
            no_undefined_behaviour_checks: false,
            ..all()
        };
        self.checks.push(off.run(&module).millis);
        let off = Bare {
            own_link: false,
            ..all()
        };
        self.link.push(off.run(&module).millis);
        let slice = stages.module(&sources::with_slice_sort(&code));
        self.sort.push(all().run(&slice).millis);
        let off = Bare {
            early_linker: false,
            ..all()
        };
        self.early.push(off.run(&module).millis);
    }

    pub(crate) fn print(&self, table: &mut Table) {
        table.heading("What each of these gains in rustc and rust-lld (time with it switched off, less the time with all)");
        table.millis("all on, unconfined", &self.all);
        for (name, off) in [
            (
                "generic instances shared with the SDK and the bindings",
                &self.instances,
            ),
            (
                "no checks for undefined behaviour in std's code",
                &self.checks,
            ),
            (
                "own link of one prelinked object (and its early start)",
                &self.link,
            ),
            ("sorting compiled once, not per closure", &self.sort),
            ("linker started beside rustc", &self.early),
        ] {
            table.millis(name, &off.minus(&self.all));
        }
    }
}
