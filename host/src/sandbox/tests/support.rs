//! What the tests share: components from text, scopes by hand, an observer that writes everything down.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use serde_json::json;
use wit_parser::Resolve;

use crate::budget::RunLimits;
use crate::capability::{HostCall, Observer};
use crate::grant::{FolderGrant, HttpGrant, Provider, RandomGrant, StubGrant};
use crate::link::LinkedComponent;
use crate::sandbox::{Call, Program, Report, Sandbox, SandboxError};
use crate::scope::{Scope, ScopeFunction, ScopeImport, Surface};
use crate::snippet::{Form, Snippet};
use crate::value::{Named, Type, Value};

/// The console as a component imports it; `$print` and `$panicked` are its functions in the guest.
pub(super) const CONSOLE: &str = r#"
  (import "lacuna:hole/console@0.1.0" (instance $console
    (export "print" (func (param "line" string)))
    (export "panicked" (func (param "message" string)))))
  (core func $print-lowered (canon lower (func $console "print") (memory (core memory $base "memory"))))
  (core func $panicked-lowered (canon lower (func $console "panicked") (memory (core memory $base "memory"))))
  ;;IMPORTS;; (import "host" "print" (func $print (param i32 i32)))
  ;;IMPORTS;; (import "host" "panicked" (func $panicked (param i32 i32)))
  ;;WITH;; (export "print" (func $print-lowered))
  ;;WITH;; (export "panicked" (func $panicked-lowered))
"#;

/// A component: one memory of a page with a bump allocator, the imports given, and core functions lifted as exports.
///
/// Lines of `imports` that start with `;;IMPORTS;;` go into the core module, those with `;;WITH;;` into the instance
/// that serves it.
pub(super) fn guest(imports: &str, functions: &str, exports: &[(&str, &str)]) -> String {
    guest_with_memory(imports, functions, exports, 1)
}

pub(super) fn guest_with_memory(
    imports: &str,
    functions: &str,
    exports: &[(&str, &str)],
    pages: u32,
) -> String {
    let lines = |mark: &str| -> String {
        imports
            .lines()
            .filter_map(|line| line.trim().strip_prefix(mark))
            .collect::<Vec<_>>()
            .join("\n")
    };
    let outside: String = imports
        .lines()
        .filter(|line| !line.trim().starts_with(";;"))
        .collect::<Vec<_>>()
        .join("\n");
    let (core_imports, with) = (lines(";;IMPORTS;;"), lines(";;WITH;;"));
    let lifted: String = exports
        .iter()
        .map(|(name, ty)| {
            format!(
                "(func (export \"{name}\") {ty} (canon lift (core func $main \"{name}\") \
                 (memory (core memory $base \"memory\")) (realloc (core func $base \"realloc\"))))\n"
            )
        })
        .collect();
    format!(
        r#"(component
  (core module $Base
    (memory (export "memory") {pages})
    (global $next (mut i32) (i32.const 4096))
    (func (export "realloc") (param i32 i32 i32 i32) (result i32) (local $at i32)
      (local.set $at (i32.and (i32.add (global.get $next) (i32.const 7)) (i32.const -8)))
      (global.set $next (i32.add (local.get $at) (local.get 3)))
      (block $fits
        (br_if $fits (i32.le_u (global.get $next) (i32.mul (memory.size) (i32.const 65536))))
        (drop (memory.grow (i32.add (i32.div_u (local.get 3) (i32.const 65536)) (i32.const 1)))))
      (local.get $at)))
  (core instance $base (instantiate $Base))
  {outside}
  (core module $Main
    (import "base" "memory" (memory {pages}))
    (import "base" "realloc" (func $realloc (param i32 i32 i32 i32) (result i32)))
    {core_imports}
    {functions})
  (core instance $main (instantiate $Main
    (with "base" (instance $base))
    (with "host" (instance {with}))))
  {lifted})"#
    )
}

pub(super) async fn load(
    wat: &str,
    imports: Vec<ScopeImport>,
    limits: &RunLimits,
) -> (Sandbox, Program) {
    try_load(wat, imports, limits).await.unwrap()
}

pub(super) async fn try_load(
    wat: &str,
    imports: Vec<ScopeImport>,
    limits: &RunLimits,
) -> Result<(Sandbox, Program), SandboxError> {
    load_cached(wat, imports, limits, None).await
}

pub(super) async fn load_cached(
    wat: &str,
    imports: Vec<ScopeImport>,
    limits: &RunLimits,
    cache: Option<&Path>,
) -> Result<(Sandbox, Program), SandboxError> {
    let bytes = wat::parse_str(wat).unwrap_or_else(|error| panic!("{error}\n{wat}"));
    let sandbox = Sandbox::new()?;
    let program = sandbox
        .load(&linked(bytes), Arc::new(scope(imports)), limits, cache)
        .await?;
    Ok((sandbox, program))
}

/// Loads, instantiates and calls once.
pub(super) async fn run(
    wat: &str,
    imports: Vec<ScopeImport>,
    limits: &RunLimits,
    function: &str,
    arguments: Vec<Value>,
) -> Report {
    run_observed(wat, imports, limits, function, arguments, Arc::new(())).await
}

pub(super) async fn run_observed(
    wat: &str,
    imports: Vec<ScopeImport>,
    limits: &RunLimits,
    function: &str,
    arguments: Vec<Value>,
    observer: Arc<dyn Observer>,
) -> Report {
    let (sandbox, program) = load(wat, imports, limits).await;
    let mut instance = sandbox.instance(&program, observer).await.unwrap();
    instance
        .call(&Call {
            interface: None,
            function: function.to_owned(),
            arguments,
            labels: Default::default(),
            named: Vec::new(),
        })
        .await
}

fn linked(bytes: Vec<u8>) -> LinkedComponent {
    LinkedComponent {
        hash: format!("blake3:{}", blake3::hash(&bytes).to_hex()),
        bytes,
        snippet: Snippet {
            text: String::new(),
            form: Form::Items,
            module: String::new(),
            lines_before: 0,
            insertions: Vec::new(),
            resources: BTreeMap::new(),
            hash: String::new(),
        },
        repaired: Vec::new(),
        warnings: Vec::new(),
        imports: Vec::new(),
        exports: Vec::new(),
        scope: String::new(),
        compile_millis: 0,
        link_millis: 0,
    }
}

fn scope(imports: Vec<ScopeImport>) -> Scope {
    let mut resolve = Resolve::default();
    let package = resolve
        .push_str("test.wit", "package t:t; world hole {}")
        .unwrap();
    let world = resolve.select_world(&[package], None).unwrap();
    Scope {
        hole: "hole".to_owned(),
        task: String::new(),
        resolve,
        world,
        imports,
        exports: Vec::new(),
        bindings: String::new(),
        surface: Surface::default(),
        names: BTreeMap::new(),
        hash: String::new(),
    }
}

pub(super) fn function(wit: &str, parameters: Vec<Named>, result: Option<Type>) -> ScopeFunction {
    ScopeFunction {
        wit: wit.to_owned(),
        rust: String::new(),
        signature: String::new(),
        absolute: String::new(),
        docs: String::new(),
        parameters,
        result,
    }
}

fn import(
    label: &str,
    name: &str,
    functions: Vec<ScopeFunction>,
    provider: Provider,
) -> ScopeImport {
    ScopeImport {
        label: label.to_owned(),
        import_name: name.to_owned(),
        interface: None,
        bare: false,
        module: None,
        functions,
        withheld: Vec::new(),
        implicit: false,
        provider,
        rules: Default::default(),
    }
}

pub(super) fn named(name: &str, ty: Type) -> Named {
    (name.to_owned(), ty)
}

pub(super) fn console() -> ScopeImport {
    import(
        "console",
        "lacuna:hole/console@0.1.0",
        vec![
            function("print", vec![named("line", Type::String)], None),
            function("panicked", vec![named("message", Type::String)], None),
        ],
        Provider::Console,
    )
}

/// A stubbed function of the world.
pub(super) fn bare(
    name: &str,
    parameters: Vec<Named>,
    result: Option<Type>,
    answers: serde_json::Value,
) -> ScopeImport {
    let mut made = stub(name, vec![function(name, parameters, result)], answers);
    made.bare = true;
    made
}

pub(super) fn stub(
    name: &str,
    functions: Vec<ScopeFunction>,
    answers: serde_json::Value,
) -> ScopeImport {
    let serde_json::Value::Object(answers) = answers else {
        panic!("answers are an object");
    };
    import(
        name,
        name,
        functions,
        Provider::Stub(StubGrant {
            file: "answers.json".into(),
            answers: Arc::new(answers),
        }),
    )
}

/// Some functions of `lacuna:fs/read` on a folder, under a label.
pub(super) fn folder(label: &str, root: &Path, functions: Vec<ScopeFunction>) -> ScopeImport {
    import(
        label,
        label,
        functions,
        Provider::Folder(FolderGrant {
            root: root.canonicalize().unwrap(),
            max_file: 16 * 1024 * 1024,
        }),
    )
}

/// Some functions of `lacuna:http`.
pub(super) fn http(grant: HttpGrant, functions: Vec<ScopeFunction>) -> ScopeImport {
    import(
        "http",
        "lacuna:http/http@0.1.0",
        functions,
        Provider::Http(grant),
    )
}

/// `float` of `lacuna:random`, for a hole named `hole`.
pub(super) fn random(seed: Option<u64>) -> ScopeImport {
    let name = "lacuna:random/random@0.1.0";
    let hole = "hole".to_owned();
    import(
        "random",
        name,
        vec![function("float", Vec::new(), Some(Type::F64))],
        Provider::Random(RandomGrant { seed, hole }),
    )
}

/// `result<string, error>` of `lacuna:fs`.
pub(super) fn text_or_error() -> Type {
    Type::Result {
        ok: Some(Box::new(Type::String)),
        err: Some(Box::new(file_error())),
    }
}

pub(super) fn file_error() -> Type {
    let cases = [
        "not-found",
        "denied",
        "exists",
        "not-a-folder",
        "not-a-file",
        "not-empty",
        "not-text",
        "too-large",
        "invalid",
        "other",
    ];
    Type::Variant {
        name: "error".to_owned(),
        cases: cases
            .map(|case| (case.to_owned(), Some(Type::String)))
            .to_vec(),
    }
}

/// Writes down every host call as a line.
#[derive(Default)]
pub(super) struct Recorder {
    calls: Mutex<Vec<String>>,
}

impl Recorder {
    pub(super) fn calls(&self) -> Vec<String> {
        self.calls.lock().unwrap().clone()
    }
}

impl Observer for Recorder {
    fn host_call(&self, event: HostCall<'_>) {
        let result = match event.result {
            Ok(None) => "null".to_owned(),
            Ok(Some(value)) => value.to_string(),
            Err(message) => format!("! {message}"),
        };
        self.calls.lock().unwrap().push(format!(
            "{}.{}({}) -> {result}",
            event.import,
            event.function,
            json!(event.arguments)
        ));
    }
}
