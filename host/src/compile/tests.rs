use std::collections::BTreeMap;
use std::time::Duration;

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
        #[unsafe(export_name = "run")]
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
            vec!["bindings::scope::Finding".to_owned()],
        )]),
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
    root: tempfile::TempDir,
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
        Self {
            root,
            compiler,
            scope,
            prepared,
        }
    }

    /// Through the screen, as the session does it.
    async fn judge(&self, text: &str, limits: &CompileLimits) -> Result<Judged, CompileError> {
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
    fn leftovers(&self) -> usize {
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

fn rejected(judged: Result<Judged, CompileError>) -> Vec<Diagnostic> {
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

fn accepted(judged: Result<Judged, CompileError>) -> CoreModule {
    match judged.unwrap() {
        Judged::Accepted(module) => module,
        Judged::Rejected(rejection) => panic!("rejected: {:#?}", rejection.diagnostics),
    }
}

const GOOD: &str = "use std::collections::HashMap;
pub fn run(s: String) -> u32 {
    let mut counts: HashMap<char, u32> = HashMap::new();
    for c in s.chars() { *counts.entry(c).or_default() += 1; }
    let mut sorted: Vec<(char, u32)> = counts.into_iter().collect();
    sorted.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let text = format!(\"{sorted:?}\");
    repo::read_text(&text).map(|t| t.len() as u32).unwrap_or(0)
}
";

#[tokio::test]
async fn a_good_snippet_becomes_the_same_component_in_two_folders() {
    let (one, two) = (Fixture::new().await, Fixture::new().await);
    let limits = CompileLimits::default();
    let first = accepted(one.judge(GOOD, &limits).await);
    let second = accepted(two.judge(GOOD, &limits).await);
    assert_eq!(first.wasm, second.wasm);
    let text = String::from_utf8_lossy(&first.wasm).into_owned();
    for path in ["/root", "/home", "/tmp", ".cargo", ".cache", ".rustup"] {
        assert!(!text.contains(path), "{path} is in the module");
    }
    let first = crate::link::check(&one.scope, first).unwrap();
    let second = crate::link::check(&two.scope, second).unwrap();
    assert_eq!(first.hash, second.hash);
    assert_eq!(first.exports, ["run"]);
    let used: Vec<_> = first
        .imports
        .iter()
        .map(|import| (import.name.as_str(), import.functions.as_slice()))
        .collect();
    assert!(
        used.contains(&("repo", &["read-text".to_owned()][..])),
        "{used:?}"
    );
    assert_eq!(one.leftovers(), 0);
}

#[tokio::test]
async fn a_verdict_is_kept_and_a_damaged_entry_is_not_believed() {
    let fixture = Fixture::new().await;
    let limits = CompileLimits::default();
    let first = accepted(fixture.judge(GOOD, &limits).await);
    let started = Instant::now();
    let again = accepted(fixture.judge(GOOD, &limits).await);
    assert_eq!(first.wasm, again.wasm);
    println!("from the cache: {:?}", started.elapsed());
    for entry in std::fs::read_dir(fixture.root.path().join("cache/verdicts")).unwrap() {
        let path = entry.unwrap().path();
        let mut bytes = std::fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(&path, bytes).unwrap();
    }
    let third = accepted(fixture.judge(GOOD, &limits).await);
    assert_eq!(first.wasm, third.wasm);
}

#[tokio::test]
async fn nothing_of_a_file_is_said_and_not_whether_it_exists() {
    let fixture = Fixture::new().await;
    let folder = fixture.root.path().join("files");
    std::fs::create_dir(&folder).unwrap();
    let limits = CompileLimits::default();
    for content in [
        "secret_text",
        "\"open secret_text",
        "/* open secret_text",
        "} secret_text",
        "\u{0}",
    ] {
        let path = folder.join("file.rs");
        std::fs::write(&path, content).unwrap();
        for attack in [
            "#[path = \"@\"] mod x; pub fn run(s: String) -> u32 { 1 }",
            "macro_rules! m { ($m:tt $x:tt { $s:tt }) => { #[path = \"@\"] $m $x $s } } m!(mod foo { ; }); pub fn run(s: String) -> u32 { 1 }",
            "#[debugger_visualizer(gdb_script_file = \"@\")] mod x {} pub fn run(s: String) -> u32 { 1 }",
            "pub fn run(s: String) -> u32 { include_str!(\"@\").len() as u32 }",
            "pub fn run(s: String) -> u32 { core::include_bytes!(\"@\").len() as u32 }",
            "mod inner { pub fn f() -> usize { std::include_str!(\"@\").len() } } pub fn run(s: String) -> u32 { inner::f() as u32 }",
            "#[doc = include_str!(\"@\")] pub fn run(s: String) -> u32 { 1 }",
        ] {
            let there = rejected(
                fixture
                    .judge_unscreened(&attack.replace('@', path.to_str().unwrap()), &limits)
                    .await,
            );
            let missing = folder.join("none.rs");
            let absent = rejected(
                fixture
                    .judge_unscreened(&attack.replace('@', missing.to_str().unwrap()), &limits)
                    .await,
            );
            let text = |diagnostics: &[Diagnostic]| {
                let json = serde_json::to_string(diagnostics).unwrap();
                json.replace(path.to_str().unwrap(), "@")
                    .replace(missing.to_str().unwrap(), "@")
            };
            assert_eq!(text(&there), text(&absent), "{attack}");
            assert!(!text(&there).contains("secret_text"), "{attack}");
        }
    }
}

#[tokio::test]
async fn what_a_hole_does_not_have_is_a_name_that_does_not_exist() {
    let fixture = Fixture::new().await;
    for (body, code) in [
        ("std::fs::read(\"x\").unwrap().len() as u32", "E0433"),
        ("option_env!(\"HOME\").map_or(0, |_| 1)", ""),
        ("repo::write(\"x\"); 1", "E0425"),
        ("s", "E0308"),
        ("unsafe { *(0 as *const u32) }", "unsafe_code"),
        ("std::process::exit(1)", "E0433"),
        ("std::env::var(\"HOME\").unwrap().len() as u32", "E0433"),
        ("std::thread::spawn(|| {}); 1", "E0425"),
    ] {
        for text in [
            format!("pub fn run(s: String) -> u32 {{ {body} }}"),
            format!(
                "macro_rules! m {{ ($($t:tt)*) => {{ $($t)* }} }} pub fn run(s: String) -> u32 {{ m!({body}) }}"
            ),
        ] {
            let diagnostics = fixture.rejected(&text).await;
            let first = &diagnostics[0];
            assert_eq!(
                first.code.as_deref().unwrap_or(""),
                code,
                "{text}: {diagnostics:#?}"
            );
            assert!(first.spans.iter().any(|span| span.primary), "{text}");
        }
    }
    let diagnostics = fixture
        .rejected("pub fn run(s: String) -> u32 {\n    repo::write(\"x\");\n    1\n}")
        .await;
    assert!(
        diagnostics[0]
            .help
            .contains(&"granted in `repo`: read-text".to_owned()),
        "{diagnostics:#?}"
    );
    assert!(
        diagnostics[0]
            .help
            .iter()
            .any(|line| line.contains("not granted")),
        "{diagnostics:#?}"
    );
    assert_eq!(diagnostics[0].primary().unwrap().start.line, 2);
    assert_eq!(diagnostics[0].primary().unwrap().start.column, 11);
}

#[tokio::test]
async fn a_wrong_signature_is_told_at_the_function() {
    let fixture = Fixture::new().await;
    for (text, line) in [
        ("pub fn run(s: &str) -> u32 { s.len() as u32 }", 1),
        ("fn other() {}\npub fn run(s: String) -> String { s }", 2),
        ("\npub fn run() -> u32 { 1 }", 2),
    ] {
        let diagnostics = fixture.rejected(text).await;
        assert_eq!(diagnostics.len(), 1, "{diagnostics:#?}");
        assert_eq!(diagnostics[0].code.as_deref(), Some("lacuna::signature"));
        assert!(
            diagnostics[0]
                .message
                .contains("pub fn run(s: String) -> u32")
        );
        assert_eq!(diagnostics[0].primary().unwrap().start.line, line);
    }
    let missing = rejected(
        fixture
            .judge_unscreened(
                "pub fn ran(s: String) -> u32 { 1 }",
                &CompileLimits::default(),
            )
            .await,
    );
    assert!(
        missing[0].message.contains("no function `run`"),
        "{missing:#?}"
    );
}

#[tokio::test]
async fn an_unknown_name_of_std_is_imported_without_asking_a_model() {
    let fixture = Fixture::new().await;
    let limits = CompileLimits::default();
    let text = "pub fn run(s: String) -> u32 { let mut m: BTreeMap<u8, u8> = BTreeMap::new(); m.insert(1, 2); m.len() as u32 }";
    let module = accepted(fixture.judge(text, &limits).await);
    assert_eq!(module.repaired.len(), 1);
    assert_eq!(
        module.repaired[0].replacement,
        "use std::collections::BTreeMap;\n"
    );
    assert!(
        module
            .snippet
            .text
            .starts_with("use std::collections::BTreeMap;\n")
    );
    // Not enough alone: then the answer is about the text as written.
    let diagnostics = fixture
        .rejected("pub fn run(s: String) -> u32 { let m: BTreeMap<u8, u8> = BTreeMap::new(); m }")
        .await;
    assert_eq!(diagnostics[0].primary().unwrap().start.line, 1);
    assert!(diagnostics[0].fix.is_some());
}

#[tokio::test]
async fn each_limit_is_named() {
    let fixture = Fixture::new().await;
    let endless = "#[allow(long_running_const_eval)] const X: u64 = { let mut i = 0u64; while i < 1_000_000_000_000 { i += 1; } i };
        pub fn run(s: String) -> u32 { X as u32 }";
    let default = CompileLimits::default;
    let text = fixture
        .limited(
            endless,
            CompileLimits {
                rustc_cpu: Duration::from_secs(1),
                ..default()
            },
        )
        .await;
    assert!(text.contains("rustc-cpu"), "{text}");
    let started = Instant::now();
    let text = fixture
        .limited(
            endless,
            CompileLimits {
                rustc_wall: Duration::from_millis(500),
                ..default()
            },
        )
        .await;
    assert!(text.contains("rustc-wall"), "{text}");
    assert!(started.elapsed() < Duration::from_secs(2));
    let deep = format!(
        "pub fn run(s: String) -> u32 {{ {}1{} }}",
        "(".repeat(20_000),
        ")".repeat(20_000)
    );
    let text = fixture.limited(&deep, default()).await;
    assert!(text.contains("stack"), "{text}");
    let bomb = "const X: [u64; 200_000_000] = [1; 200_000_000]; pub fn run(s: String) -> u32 { X[s.len()] as u32 }";
    let text = fixture
        .limited(
            bomb,
            CompileLimits {
                rustc_memory: 256 << 20,
                ..default()
            },
        )
        .await;
    assert!(text.contains("rustc-memory"), "{text}");
    let text = fixture
        .limited(
            GOOD,
            CompileLimits {
                module: 1000,
                ..default()
            },
        )
        .await;
    assert!(text.contains("`module`"), "{text}");
    let text = fixture
        .limited(
            GOOD,
            CompileLimits {
                function: 100,
                ..default()
            },
        )
        .await;
    assert!(text.contains("`function`"), "{text}");
    assert_eq!(fixture.children(), Vec::<i32>::new());
}

#[tokio::test]
async fn a_flood_of_errors_is_capped() {
    let fixture = Fixture::new().await;
    let many = format!(
        "pub fn run(s: String) -> u32 {{ {} 1 }}",
        "nope(1);\n".repeat(5_000)
    );
    let judged = fixture
        .judge(&many, &CompileLimits::default())
        .await
        .unwrap();
    let Judged::Rejected(rejection) = judged else {
        panic!("accepted")
    };
    assert!(rejection.diagnostics.len() <= 64);
    assert!(rejection.omitted > 1000, "{}", rejection.omitted);
}

#[tokio::test]
async fn escapes_and_bidirectional_text_do_not_reach_a_terminal() {
    let fixture = Fixture::new().await;
    let text =
        "compile_error!(\"\\u{1b}[31m red \\u{202e} back\"); pub fn run(s: String) -> u32 { 1 }";
    let diagnostics = fixture.rejected(text).await;
    assert!(
        !diagnostics[0].rendered.contains(['\u{1b}', '\u{202e}']),
        "{diagnostics:#?}"
    );
}

const ENDLESS: &str = "#[allow(long_running_const_eval)] const X: u64 = { let mut i = 0u64; while i < 1_000_000_000_000 { i += 1; } i };
    pub fn run(s: String) -> u32 { X as u32 }";

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_judgement_leaves_no_process_and_no_folder() {
    let fixture = Fixture::new().await;
    let limits = CompileLimits::default();
    let cancelled =
        tokio::time::timeout(Duration::from_millis(500), fixture.judge(ENDLESS, &limits)).await;
    assert!(cancelled.is_err());
    for _ in 0..100 {
        if fixture.children().is_empty() && fixture.leftovers() == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!(
        "left: {:?} and {} folders",
        fixture.children(),
        fixture.leftovers()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_compiler_killed_by_someone_else_is_no_verdict() {
    let fixture = Arc::new(Fixture::new().await);
    let judging = Arc::clone(&fixture);
    let task = tokio::spawn(async move {
        judging
            .judge(ENDLESS, &CompileLimits::default())
            .await
            .map(|_| ())
    });
    tokio::time::sleep(Duration::from_millis(500)).await;
    for pid in fixture.children() {
        let pid = rustix::process::Pid::from_raw(pid).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    }
    assert!(matches!(task.await.unwrap(), Err(CompileError::Killed)));
    assert_eq!(fixture.leftovers(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn sixteen_judgements_at_once_keep_apart() {
    let fixture = Arc::new(Fixture::new().await);
    let tasks: Vec<_> = (0..16)
        .map(|number| {
            let fixture = Arc::clone(&fixture);
            tokio::spawn(async move {
                let body = if number % 2 == 0 {
                    format!("s.len() as u32 + {number}")
                } else {
                    format!("missing_{number}()")
                };
                let text = format!("pub fn run(s: String) -> u32 {{ {body} }}");
                (
                    number,
                    fixture.judge(&text, &CompileLimits::default()).await,
                )
            })
        })
        .collect();
    for task in tasks {
        match task.await.unwrap() {
            (number, judged) if number % 2 == 0 => drop(accepted(judged)),
            (number, judged) => {
                let diagnostics = rejected(judged);
                assert!(
                    diagnostics[0]
                        .message
                        .contains(&format!("`missing_{number}`")),
                    "{diagnostics:?}"
                );
            }
        }
    }
    assert_eq!(fixture.leftovers(), 0);
}

#[tokio::test]
async fn folders_of_killed_runs_are_removed_and_those_of_live_ones_are_kept() {
    let root = tempfile::tempdir().unwrap();
    let cache = root.path().join("cache");
    let dead = cache.join("work/run-dead");
    std::fs::create_dir_all(dead.join("work-1")).unwrap();
    std::fs::File::create(dead.join("lock")).unwrap();
    let live = Compiler::new(toolchain(), cache.clone(), false).unwrap();
    let hour_ago = std::time::SystemTime::now() - Duration::from_secs(3600);
    for entry in std::fs::read_dir(cache.join("work")).unwrap() {
        std::fs::File::open(entry.unwrap().path())
            .unwrap()
            .set_modified(hour_ago)
            .unwrap();
    }
    let _second = Compiler::new(toolchain(), cache.clone(), false).unwrap();
    assert!(!dead.exists());
    assert!(live.folder().is_ok());
}

#[tokio::test]
async fn bindings_that_do_not_compile_are_no_fault_of_a_snippet() {
    let fixture = Fixture::new().await;
    let mut scope = scope();
    scope.bindings = "pub fn broken() -> u32 { \"\" }".to_owned();
    scope.hash = "blake3:other".to_owned();
    let error = fixture.compiler.prepare(&scope).await.unwrap_err();
    assert!(
        matches!(&error, CompileError::Bindings(text) if text.contains("mismatched types")),
        "{error}"
    );
}

#[test]
fn a_folder_that_others_can_write_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let root = tempfile::tempdir().unwrap();
    let verdicts = root.path().join("verdicts");
    std::fs::create_dir(&verdicts).unwrap();
    std::fs::set_permissions(&verdicts, std::fs::Permissions::from_mode(0o777)).unwrap();
    let error = Compiler::new(toolchain(), root.path().to_owned(), false).unwrap_err();
    assert!(matches!(error, CompileError::Folder { .. }));
}

/// A fixture with a scope made the real way, all imports granted as stubs unless the manifest says otherwise.
async fn fixture_of(wit: &str, manifest: &str) -> Fixture {
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
    async fn given(&self, text: &str) -> Result<Judged, CompileError> {
        let limits = CompileLimits::default();
        let snippet = snippet::given(text, &self.scope, &limits)
            .unwrap_or_else(|rejection| panic!("{rejection:#?}"));
        self.compiler
            .judge(&self.scope, &self.prepared, &snippet, &limits)
            .await
    }
}

#[tokio::test]
async fn a_body_is_judged_in_its_own_coordinates() {
    let fixture = fixture_of(
        "package t:h; world hole { export run: func(s: string) -> u32; }",
        "",
    )
    .await;
    accepted(fixture.given("s.len() as u32").await);
    for (body, line, column) in [
        ("let n = s.len();", 1, 1),
        ("let n = 1;\nn + missing", 2, 5),
        ("s", 1, 1),
        ("let x = 1.5;\n\n    x", 3, 5),
        ("return;", 1, 1),
    ] {
        let diagnostics = rejected(fixture.given(body).await);
        let start = diagnostics[0].primary().unwrap().start;
        assert_eq!(
            (start.line, start.column),
            (line, column),
            "{body}: {diagnostics:#?}"
        );
        println!("{}", diagnostics[0].rendered);
    }
}

#[tokio::test]
async fn exported_resources_and_interfaces_link() {
    let wit = "package t:h;
        interface fns {
            resource roman { constructor(start: u32); call: func(n: u32) -> string; }
            make: func() -> roman;
        }
        world hole { export fns; export plain: func() -> list<string>; }";
    let fixture = fixture_of(wit, "").await;
    let text = "pub struct It(u32);
        impl GuestRoman for It {
            fn new(start: u32) -> Self { It(start) }
            fn call(&self, n: u32) -> String { format!(\"{}\", self.0 + n) }
        }
        pub fn make() -> Roman { Roman::new(It(1)) }
        pub fn plain() -> Vec<String> { vec![String::from(\"a\")] }";
    let module = accepted(fixture.given(text).await);
    let component = crate::link::check(&fixture.scope, module)
        .unwrap_or_else(|rejection| panic!("{rejection:#?}"));
    assert_eq!(
        component.exports,
        ["plain", "t:h/fns"],
        "{:?}",
        component.exports
    );
    let wrong = text.replace(
        "fn call(&self, n: u32) -> String { format!(\"{}\", self.0 + n) }",
        "fn call(&self, n: u32) -> u32 { self.0 + n }",
    );
    let diagnostics = rejected(fixture.given(&wrong).await);
    println!("{}", diagnostics[0].rendered);
    assert_eq!(diagnostics[0].primary().unwrap().start.line, 4);
    let wrong = text.replace(
        "pub fn make() -> Roman { Roman::new(It(1)) }",
        "pub fn make() -> u32 { 1 }",
    );
    let diagnostics = rejected(fixture.given(&wrong).await);
    println!("{}", diagnostics[0].rendered);
    assert_eq!(diagnostics[0].code.as_deref(), Some("lacuna::signature"));
    assert!(
        diagnostics[0].message.contains("pub fn make() -> Roman"),
        "{diagnostics:#?}"
    );
}

#[tokio::test]
async fn two_labels_on_one_interface_import_what_each_is_granted() {
    let wit = "package t:h;
        world hole {
            import left: lacuna:fs/read@0.1.0;
            import right: lacuna:fs/read@0.1.0;
            export run: func() -> string;
        }";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().display();
    let manifest = format!(
        "[hole.hole.grant.left]\npath = \"{path}\"\nfunctions = [\"read-text\"]\n[hole.hole.grant.right]\npath = \"{path}\"\nfunctions = [\"glob\"]\n"
    );
    let fixture = fixture_of(wit, &manifest).await;
    let module = accepted(
        fixture
            .given("right::glob(\"*\").unwrap().join(&left::read_text(\"a\").unwrap())")
            .await,
    );
    let component = crate::link::check(&fixture.scope, module)
        .unwrap_or_else(|rejection| panic!("{rejection:#?}"));
    let used: Vec<(&str, &[String])> = component
        .imports
        .iter()
        .filter(|import| !import.implicit)
        .map(|import| (import.name.as_str(), import.functions.as_slice()))
        .collect();
    assert_eq!(
        used,
        [
            ("left", &["read-text".to_owned()][..]),
            ("right", &["glob".to_owned()][..])
        ]
    );
    let diagnostics = rejected(fixture.given("left::glob(\"*\").unwrap().join(\"\")").await);
    assert!(
        diagnostics[0]
            .help
            .contains(&"granted in `left`: read-text".to_owned()),
        "{diagnostics:#?}"
    );
}
