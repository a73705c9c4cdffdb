//! Plans made by hand and bindings compiled by rustc, for the tests of this stage.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use wit_parser::{Resolve, WorldItem, WorldKey};

use crate::error::Place;
use crate::grant::{Grant, Granted, Provider};
use crate::plan::{Export, ExportedInterface, Hole, Manifest, Plan};
use crate::scope::{Scope, ScopeError, close};
use crate::toolchain::{self, Toolchain};

/// Grants of a test: everything, but for the named imports only these functions.
#[derive(Default)]
pub(super) struct Grants(BTreeMap<String, Vec<String>>);

impl Grants {
    pub(super) fn all() -> Self {
        Self::default()
    }

    pub(super) fn only(mut self, import: &str, functions: &[&str]) -> Self {
        self.0.insert(
            import.to_owned(),
            functions.iter().map(|name| (*name).to_owned()).collect(),
        );
        self
    }
}

pub(super) fn scope(wit: &str) -> Result<Scope, ScopeError> {
    scope_with(wit, Grants::all())
}

pub(super) fn scope_with(wit: &str, grants: Grants) -> Result<Scope, ScopeError> {
    scope_of(&[], wit, grants)
}

/// Closes the first world of `wit` that exports something; `deps` are parsed before it.
pub(super) fn scope_of(deps: &[&str], wit: &str, grants: Grants) -> Result<Scope, ScopeError> {
    let mut resolve = Resolve::default();
    resolve
        .push_source(
            "console.wit",
            include_str!("../../../../wit/hole/console.wit"),
        )
        .unwrap();
    resolve
        .push_source("fs.wit", include_str!("../../../../wit/fs/fs.wit"))
        .unwrap();
    for dep in deps {
        resolve.push_source("dep.wit", dep).unwrap();
    }
    let package = resolve
        .push_source("plan.wit", wit)
        .unwrap_or_else(|error| panic!("{error:#}"));
    let worlds = &resolve.packages[package].worlds;
    let world = *worlds
        .values()
        .find(|id| !resolve.worlds[**id].exports.is_empty())
        .unwrap();
    let place = Place::of_bytes("plan.wit", wit, 0, 1);
    let exports = resolve.worlds[world]
        .exports
        .iter()
        .filter_map(|(key, item)| match item {
            WorldItem::Interface { id, .. } => Some(Export {
                interface: Some(ExportedInterface {
                    key: key.clone(),
                    id: *id,
                    export_name: resolve.name_world_key(key),
                    name: resolve.interfaces[*id].name.clone().unwrap_or_default(),
                }),
                functions: Vec::new(),
            }),
            _ => None,
        })
        .collect();
    let hole = Hole {
        name: resolve.worlds[world].name.clone(),
        world,
        task: "the task".to_owned(),
        exports,
        imports: Vec::new(),
        place,
    };
    let grants = resolve.worlds[world]
        .imports
        .iter()
        .filter_map(|(key, item)| grant(&resolve, key, item, &grants))
        .collect();
    let granted = Granted {
        hole: hole.name.clone(),
        grants,
    };
    let plan = Plan {
        file: PathBuf::from("plan.wit"),
        folder: PathBuf::from("."),
        resolve,
        package,
        manifest: Manifest::default(),
        holes: vec![hole.clone()],
        hash: String::new(),
    };
    close(&plan, &hole, &granted, "sdk")
}

fn grant(resolve: &Resolve, key: &WorldKey, item: &WorldItem, grants: &Grants) -> Option<Grant> {
    let name = resolve.name_world_key(key);
    let (all, interface) = match item {
        WorldItem::Interface { id, .. } => (
            resolve.interfaces[*id].functions.keys().cloned().collect(),
            resolve.id_of(*id),
        ),
        WorldItem::Function(function) => (vec![function.name.clone()], None),
        WorldItem::Type { .. } => return None,
    };
    let functions = grants.0.get(&name).cloned().unwrap_or_else(|| all.clone());
    let label = name
        .rsplit('/')
        .next()
        .unwrap()
        .split('@')
        .next()
        .unwrap()
        .to_owned();
    Some(Grant {
        key: key.clone(),
        label,
        interface,
        withheld: all
            .into_iter()
            .filter(|name| !functions.contains(name))
            .collect(),
        functions,
        provider: Provider::Types,
        rules: Default::default(),
    })
}

/// A linked core module.
#[derive(Debug)]
pub(super) struct Built {
    /// `module#function`.
    pub(super) imports: Vec<String>,
    pub(super) exports: Vec<String>,
}

impl Built {
    pub(super) fn imports_beside_console(&self) -> Vec<String> {
        self.imports
            .iter()
            .filter(|name| !name.starts_with("lacuna:hole/console"))
            .cloned()
            .collect()
    }
}

/// The SDK, compiled once per machine.
fn toolchain() -> &'static Toolchain {
    static TOOLCHAIN: OnceLock<Toolchain> = OnceLock::new();
    TOOLCHAIN.get_or_init(|| {
        let cache = toolchain::cache_folder(None).unwrap();
        toolchain::prepare(&cache, &mut |_| {}).unwrap()
    })
}

fn rustc(
    flags: &[&str],
    externs: &[(&str, &Path)],
    source: &Path,
    out: &Path,
) -> Result<(), String> {
    let toolchain = toolchain();
    let mut command = Command::new(&toolchain.rustc);
    command
        .arg("--sysroot")
        .arg(&toolchain.sdk.sysroot)
        .arg("-L")
        .arg(format!(
            "dependency={}",
            toolchain.sdk.dependencies.display()
        ))
        .args([
            "--target",
            "wasm32-unknown-unknown",
            "-C",
            "panic=abort",
            "-C",
            "opt-level=0",
            "-C",
            "debug-assertions=no",
        ])
        .args(flags);
    for (name, path) in externs {
        command
            .arg("--extern")
            .arg(format!("{name}={}", path.display()));
    }
    let output = command.arg("-o").arg(out).arg(source).output().unwrap();
    if output.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// Compiles the bindings, then a snippet of whole items against them.
pub(super) fn compile(scope: &Scope, text: &str) -> Result<Built, String> {
    compile_with(scope, text, &[])
}

/// [`compile`] with the paths of the types that implement exported resources.
pub(super) fn compile_with(
    scope: &Scope,
    text: &str,
    resources: &[(&str, &str)],
) -> Result<Built, String> {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let sdk = &toolchain().sdk;
    std::fs::write(at("bindings.rs"), &scope.bindings).unwrap();
    let runtime = sdk.dependencies.join("liblacuna_rt.rlib");
    let bindings = at("libbindings.rlib");
    rustc(
        &[
            "--crate-type",
            "rlib",
            "--crate-name",
            "__lacuna_bindings",
            "--edition",
            "2021",
        ],
        &[("lacuna_rt", &runtime)],
        &at("bindings.rs"),
        &bindings,
    )
    .unwrap_or_else(|error| panic!("the bindings do not compile: {error}\n{}", scope.bindings));
    let resources = resources
        .iter()
        .map(|(name, path)| ((*name).to_owned(), (*path).to_owned()))
        .collect();
    std::fs::write(
        at("snippet.rs"),
        format!("{}{text}\n{}", scope.head(), scope.glue(&resources)),
    )
    .unwrap();
    std::fs::write(at("hole.rs"), "mod snippet;\n").unwrap();
    rustc(
        &[
            "--crate-type",
            "cdylib",
            "--crate-name",
            "hole",
            "--edition",
            "2024",
            "-F",
            "unsafe_code",
            "-A",
            "warnings",
        ],
        &[
            ("std", &sdk.std),
            ("core", &sdk.core),
            ("alloc", &sdk.alloc),
            ("__lacuna_bindings", &bindings),
        ],
        &at("hole.rs"),
        &at("hole.wasm"),
    )?;
    let wasm = crate::scope::exports::unmark(&std::fs::read(at("hole.wasm")).unwrap()).unwrap();
    encode(scope, &wasm);
    let (mut imports, mut exports) = (Vec::new(), Vec::new());
    for payload in wasmparser::Parser::new(0).parse_all(&wasm) {
        match payload.unwrap() {
            wasmparser::Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    let import = import.unwrap();
                    imports.push(format!("{}#{}", import.module, import.name));
                }
            }
            wasmparser::Payload::ExportSection(section) => {
                exports.extend(
                    section
                        .into_iter()
                        .map(|export| export.unwrap().name.to_owned()),
                );
            }
            _ => {}
        }
    }
    imports.sort();
    Ok(Built { imports, exports })
}

/// What the link stage does: the module must become a component that targets the cut world.
fn encode(scope: &Scope, wasm: &[u8]) {
    let mut wasm = wasm.to_vec();
    let utf8 = wit_component::StringEncoding::UTF8;
    wit_component::embed_component_metadata(&mut wasm, &scope.resolve, scope.world, utf8).unwrap();
    let component = wit_component::ComponentEncoder::default()
        .validate(true)
        .module(&wasm)
        .unwrap()
        .encode()
        .unwrap();
    let wit = scope.wit().unwrap();
    Resolve::default()
        .push_source("cut.wit", &wit)
        .unwrap_or_else(|error| panic!("{error:#}\n{wit}"));
    wit_component::targets(&scope.resolve, scope.world, &component)
        .unwrap_or_else(|error| panic!("{error:#}"));
}
