use std::collections::BTreeMap;
use std::time::Duration;

use super::*;
use crate::diagnostic::Level;
use crate::grant::Provider;
use crate::scope::{ScopeExport, ScopeFunction, ScopeImport, Surface};
use crate::snippet::Form;

/// A hand-made scope: `run(s: string) -> u32`, and one granted function `repo.read-text`.
fn scope() -> Scope {
    let wit = "package t:h;
        interface files { read-text: func(path: string) -> result<string, string>; }
        world hole { import repo: files; export run: func(s: string) -> u32; }";
    let mut resolve = wit_parser::Resolve::default();
    let package = resolve.push_str("t.wit", &wit.replace("import repo: files;", "import files;")).unwrap();
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
            pub fn read_text(path: &str) -> Result<String, String> { Ok(path.to_owned()) }
        }
        unsafe extern "Rust" { fn __lacuna_fill_run(s: String) -> u32; }
        #[unsafe(export_name = "run")]
        pub extern "C" fn run(at: *mut u8, length: usize) -> u32 {
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
            functions: vec![function("read-text", "read_text", "fn read_text(path: &str) -> Result<String, String>")],
            withheld: vec!["write".to_owned()],
            implicit: false,
            provider: Provider::Types,
        }],
        exports: vec![ScopeExport {
            interface: None,
            module: None,
            functions: vec![function("run", "run", "fn run(s: String) -> u32")],
            resources: Vec::new(),
        }],
        bindings: bindings.to_owned(),
        surface: Surface::default(),
        names: BTreeMap::from([("Finding".to_owned(), vec!["bindings::scope::Finding".to_owned()])]),
        hash: "blake3:test".to_owned(),
    }
}

/// The real toolchain with the SDK as users have it.
fn toolchain() -> Arc<Toolchain> {
    static TOOLCHAIN: std::sync::OnceLock<Arc<Toolchain>> = std::sync::OnceLock::new();
    let prepare = || {
        let cache = crate::toolchain::cache_folder(None).unwrap();
        Arc::new(crate::toolchain::prepare(&cache, &mut |_| {}).unwrap())
    };
    Arc::clone(TOOLCHAIN.get_or_init(prepare))
}

struct Fixture {
    _root: tempfile::TempDir,
    compiler: Compiler,
    scope: Scope,
    prepared: PreparedScope,
}

impl Fixture {
    async fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let compiler = Compiler::new(toolchain(), root.path().join("cache"), false).unwrap();
        let scope = scope();
        let prepared = compiler.prepare(&scope).await.unwrap();
        Self { _root: root, compiler, scope, prepared }
    }

    async fn judge(&self, text: &str, limits: &CompileLimits) -> Result<Judged, CompileError> {
        let snippet = snippet::from_code(text, Form::Items, &self.scope, limits).unwrap();
        self.compiler.judge(&self.scope, &self.prepared, &snippet, limits).await
    }

    async fn rejected(&self, text: &str) -> Vec<Diagnostic> {
        match self.judge(text, &CompileLimits::default()).await.unwrap() {
            Judged::Rejected(rejection) => {
                assert_eq!(rejection.stage, Stage::Compile);
                assert!(rejection.diagnostics.iter().any(|diagnostic| diagnostic.level == Level::Error));
                rejection.diagnostics
            }
            Judged::Accepted(_) => panic!("accepted: {text}"),
        }
    }
}

#[tokio::test]
async fn look() {
    let fixture = Fixture::new().await;
    for text in [
        "pub fn run(s: String) -> u32 { s }",
        "pub fn run(s: String) -> u32 { repo::write(\"x\"); repo::red_text(&s); 1 }",
        "pub fn run(s: &str) -> u32 { 1 }",
        "pub fn ru(s: String) -> u32 { 1 }",
        "pub fn run(s: String) -> u32 { let m: HashMap<u8, u8> = HashMap::new(); let f: Finding; 1 }",
        "pub fn run(s: String) -> u32 { let v = vec![1 2]; 1 }",
        "pub fn run(s: String) -> u32 { let x = 5; x = 6; println!(\"{}\"); 1 }",
        "pub fn run(s: String) -> u32 { s.foo() }",
        "use rand::Rng; pub fn run(s: String) -> u32 { let o: Option<u8> = None; o.len() }",
        "#[path=\"/etc/passwd\"] mod x; pub fn run(s: String) -> u32 { 1 }",
        "pub fn run(s: String) -> u32 { include_str!(\"/etc/passwd\").len() as u32 }",
        "pub fn run(s: String) -> u32 { include_str!(\"/etc/nope\").len() as u32 }",
        "#[allow(long_running_const_eval)] pub const X: u64 = { let mut i = 0u64; while i < 1_000_000_000_000 { i += 1; } i }; pub fn run(s: String) -> u32 { X as u32 }",
    ] {
        let started = Instant::now();
        let limits = CompileLimits { rustc_cpu: Duration::from_secs(1), ..CompileLimits::default() };
        match fixture.judge(text, &limits).await {
            Ok(Judged::Rejected(rejection)) => for diagnostic in rejection.diagnostics {
                println!("{}", diagnostic.rendered);
                if diagnostic.rendered.is_empty() { println!("{diagnostic:?}"); }
            },
            Ok(Judged::Accepted(module)) => println!("ACCEPTED {text} {:?}", module.repaired),
            Err(error) => println!("ERROR {error} {error:?}"),
        }
        println!("---- {:?}", started.elapsed());
    }
    let _ = fixture.rejected("fn run() {").await;
}
