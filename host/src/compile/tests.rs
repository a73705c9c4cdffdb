//! Fixtures: the real toolchain, a scope made by hand, and scopes made from WIT. `link` tests with them too.

#![allow(
    clippy::disallowed_methods,
    reason = "tests make plans, look at processes and damage the cache"
)]

mod limits;
mod words;

use std::collections::BTreeMap;

use super::*;
use crate::diagnostic::Level;
use crate::grant::Provider;
use crate::scope::{ScopeExport, ScopeFunction, ScopeImport, Surface};
use crate::snippet::Form;

/// A hand-made scope: `run(s: string) -> u32`, one granted function `repo.read-text`, and the console.
pub(crate) fn scope() -> Scope {
    let wit = "package t:h;
        world hole {
            import repo: interface { read-text: func(path: string) -> result<string, string>; }
            import lacuna:hole/console@0.1.0;
            export run: func(s: string) -> u32;
        }";
    let mut resolve = wit_parser::Resolve::default();
    resolve
        .push_str("console.wit", include_str!("../../../wit/hole/console.wit"))
        .unwrap();
    let package = resolve.push_str("t.wit", wit).unwrap();
    let world = resolve.select_world(&[package], Some("hole")).unwrap();
    let function = |wit: &str, rust: &str, signature: &str| ScopeFunction {
        wit: wit.to_owned(),
        rust: rust.to_owned(),
        signature: signature.to_owned(),
        absolute: signature.to_owned(),
        docs: String::new(),
        parameters: Vec::new(),
        result: None,
    };
    let bindings = r#"
        pub mod scope {
            pub use crate::repo;
            pub use std::string::String;
        }
        pub mod repo {
            #[link(wasm_import_module = "repo")]
            unsafe extern "C" {
                #[link_name = "read-text"]
                fn import(at: *const u8, length: usize, result: *mut u8);
            }
            pub fn read_text(path: &str) -> Result<String, String> {
                let mut result = [0u32; 3];
                unsafe {
                    import(path.as_ptr(), path.len(), result.as_mut_ptr().cast());
                    let text = String::from_raw_parts(result[1] as *mut u8, result[2] as usize, result[2] as usize);
                    if result[0] == 0 { Ok(text) } else { Err(text) }
                }
            }
        }
        unsafe extern "Rust" { fn __lacuna_fill_run(s: String) -> u32; }
        #[unsafe(export_name = "export:run")]
        pub extern "C" fn run(at: *mut u8, length: usize) -> u32 {
            lacuna_rt::run_ctors_once();
            unsafe { __lacuna_fill_run(String::from_raw_parts(at, length, length)) }
        }
        #[macro_export]
        macro_rules! fill {
            () => {
                #[unsafe(no_mangle)]
                extern "Rust" fn __lacuna_fill_run(s: ::std::string::String) -> u32 { super::run(s) }
            };
        }
    "#;
    Scope {
        hole: "hole".to_owned(),
        task: String::new(),
        resolve,
        world,
        imports: vec![ScopeImport {
            label: "repo".to_owned(),
            import_name: "repo".to_owned(),
            interface: None,
            bare: false,
            module: Some("repo".to_owned()),
            functions: vec![function(
                "read-text",
                "read_text",
                "fn read_text(path: &str) -> Result<String, String>",
            )],
            withheld: vec!["write".to_owned()],
            implicit: false,
            provider: Provider::Types,
            rules: Default::default(),
        }],
        exports: vec![ScopeExport {
            interface: None,
            module: None,
            functions: vec![function("run", "run", "fn run(s: String) -> u32")],
            resources: Vec::new(),
        }],
        bindings: bindings.to_owned(),
        surface: Surface::default(),
        names: BTreeMap::from([(
            "Finding".to_owned(),
            vec!["__lacuna_bindings::scope::Finding".to_owned()],
        )]),
        hash: "blake3:test".to_owned(),
    }
}

/// The real toolchain with the SDK as users have it.
pub(crate) fn toolchain() -> Arc<Toolchain> {
    static TOOLCHAIN: std::sync::OnceLock<Arc<Toolchain>> = std::sync::OnceLock::new();
    let prepare = || {
        let cache = crate::toolchain::cache_folder(None).unwrap();
        Arc::new(crate::toolchain::prepare(&cache, &mut |_| {}).unwrap())
    };
    Arc::clone(TOOLCHAIN.get_or_init(prepare))
}

/// A compiler with a cache of its own, and one prepared scope.
pub(crate) struct Fixture {
    root: tempfile::TempDir,
    compiler: Compiler,
    pub(crate) scope: Scope,
    prepared: PreparedScope,
}

impl Fixture {
    pub(crate) async fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let compiler = Compiler::new(toolchain(), root.path().join("cache"), false).unwrap();
        let scope = scope();
        let prepared = compiler.prepare(&scope).await.unwrap();
        Self {
            root,
            compiler,
            scope,
            prepared,
        }
    }

    /// Through the screen, as the session does it.
    pub(crate) async fn judge(
        &self,
        text: &str,
        limits: &CompileLimits,
    ) -> Result<Judged, CompileError> {
        let snippet = snippet::from_code(text, Form::Items, &self.scope, limits).unwrap();
        self.compiler
            .judge(&self.scope, &self.prepared, &snippet, limits)
            .await
    }

    /// As if the screen had let it pass.
    async fn judge_unscreened(
        &self,
        text: &str,
        limits: &CompileLimits,
    ) -> Result<Judged, CompileError> {
        let head = self.scope.head().to_owned();
        let snippet = Snippet {
            text: text.to_owned(),
            form: Form::Items,
            module: format!("{head}{text}\n{}", self.scope.glue(&BTreeMap::new())),
            lines_before: head.matches('\n').count() as u32,
            insertions: Vec::new(),
            resources: BTreeMap::new(),
            hash: String::new(),
        };
        self.compiler
            .judge(&self.scope, &self.prepared, &snippet, limits)
            .await
    }

    async fn rejected(&self, text: &str) -> Vec<Diagnostic> {
        rejected(self.judge(text, &CompileLimits::default()).await)
    }

    async fn limited(&self, text: &str, limits: CompileLimits) -> String {
        let diagnostics = rejected(self.judge_unscreened(text, &limits).await);
        assert_eq!(
            diagnostics[0].code.as_deref(),
            Some("lacuna::compiler-limit"),
            "{diagnostics:?}"
        );
        diagnostics[0].rendered.clone()
    }

    /// What lies in the work folder beside the lock.
    pub(crate) fn leftovers(&self) -> usize {
        let runs = std::fs::read_dir(self.root.path().join("cache/work")).unwrap();
        runs.map(|run| std::fs::read_dir(run.unwrap().path()).unwrap().count() - 1)
            .sum()
    }

    /// Compilers and linkers of this fixture that are alive.
    fn children(&self) -> Vec<i32> {
        let work = self.root.path().join("cache/work");
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        processes
            .filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok())
            .filter(|pid| {
                let folder = std::fs::read_link(format!("/proc/{pid}/cwd"));
                folder.is_ok_and(|folder| folder.starts_with(&work))
            })
            .collect()
    }
}

pub(crate) fn rejected(judged: Result<Judged, CompileError>) -> Vec<Diagnostic> {
    match judged.unwrap() {
        Judged::Rejected(rejection) => {
            assert_eq!(rejection.stage, Stage::Compile);
            assert!(
                rejection
                    .diagnostics
                    .iter()
                    .any(|diagnostic| diagnostic.level == Level::Error)
            );
            rejection.diagnostics
        }
        Judged::Accepted(_) => panic!("accepted"),
    }
}

pub(crate) fn accepted(judged: Result<Judged, CompileError>) -> CoreModule {
    match judged.unwrap() {
        Judged::Accepted(module) => module,
        Judged::Rejected(rejection) => panic!("rejected: {:#?}", rejection.diagnostics),
    }
}

/// A snippet of the usual kind, which uses what it was granted.
pub(crate) const GOOD: &str = "use std::collections::HashMap;
pub fn run(s: String) -> u32 {
    let mut counts: HashMap<char, u32> = HashMap::new();
    for c in s.chars() { *counts.entry(c).or_default() += 1; }
    let mut sorted: Vec<(char, u32)> = counts.into_iter().collect();
    sorted.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let text = format!(\"{sorted:?}\");
    repo::read_text(&text).map(|t| t.len() as u32).unwrap_or(0)
}
";

/// A fixture with a scope made the real way, all imports granted as stubs unless the manifest says otherwise.
pub(crate) async fn fixture_of(wit: &str, manifest: &str) -> Fixture {
    let root = tempfile::tempdir().unwrap();
    let plan = root.path().join("plan");
    std::fs::create_dir(&plan).unwrap();
    std::fs::write(plan.join("plan.wit"), wit).unwrap();
    std::fs::write(plan.join("answers.json"), "{}").unwrap();
    std::fs::write(plan.join("lacuna.toml"), format!("schema = 1\n{manifest}")).unwrap();
    let plan = crate::plan::load(&plan.join("plan.wit")).unwrap();
    let hole = &plan.holes[0];
    let granted = crate::grant::resolve(&plan, hole).unwrap();
    let toolchain = toolchain();
    let scope = crate::scope::close(&plan, hole, &granted, &toolchain.sdk.hash).unwrap();
    let compiler = Compiler::new(toolchain, root.path().join("cache"), false).unwrap();
    let prepared = compiler.prepare(&scope).await.unwrap();
    Fixture {
        root,
        compiler,
        scope,
        prepared,
    }
}

impl Fixture {
    /// As `--snippet` takes it.
    pub(crate) async fn given(&self, text: &str) -> Result<Judged, CompileError> {
        let limits = CompileLimits::default();
        let snippet = snippet::given(text, &self.scope, &limits)
            .unwrap_or_else(|rejection| panic!("{rejection:#?}"));
        self.compiler
            .judge(&self.scope, &self.prepared, &snippet, &limits)
            .await
    }
}
