//! The curated crates at run time: linked as `compile` links, run without any host but a log.

use wasmtime::{
    Caller, Config, Engine, Extern, Linker, Module, Store, StoreLimits, StoreLimitsBuilder,
};

use super::*;

/// Stands for a scope's bindings: the runtime's macros and the exports.
const BINDINGS: &str = r#"
    pub use ::lacuna_rt as rt;
    ::lacuna_rt::bitflags::bitflags! {
        #[doc = "Flags as the generator writes them."]
        #[derive(PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Clone, Copy)]
        pub struct Mode: u8 {
            #[doc = "Read."]
            const R = 1 << 0;
            const W = 1 << 1;
            const GEN = 1 << 2;
        }
    }
    #[macro_export]
    macro_rules! exports {
        ($($name:ident)*) => {$(
            #[unsafe(no_mangle)]
            pub extern "C" fn $name(n: u32) -> u32 {
                $crate::rt::run_ctors_once();
                let result = crate::snippet::$name(n);
                $crate::rt::flush();
                result
            }
        )*};
    }
"#;

const EXPORTS: &[&str] = &[
    "printing",
    "paths",
    "flags",
    "same_order",
    "checks",
    "overflow",
    "total",
    "power",
    "in_display",
    "capacity",
    "exhausting",
    "frames",
];

#[derive(Default)]
struct Heard {
    log: Vec<String>,
    panic: Option<String>,
    limits: StoreLimits,
}

fn module() -> Vec<u8> {
    let toolchain = toolchain();
    let folder = tempfile::tempdir().unwrap();
    let hole = format!(
        "bindings::exports! {{ {} }}\nmod snippet;",
        EXPORTS.join(" ")
    );
    fs::write(folder.path().join("bindings.rs"), BINDINGS).unwrap();
    fs::write(folder.path().join("hole.rs"), hole).unwrap();
    fs::write(
        folder.path().join("snippet.rs"),
        include_str!("probe.rs.txt"),
    )
    .unwrap();
    let runtime = toolchain.sdk.dependencies.join("liblacuna_rt.rlib");
    let output = Command::new(&toolchain.rustc)
        .env_clear()
        .current_dir(folder.path())
        .arg("--sysroot")
        .arg(&toolchain.sdk.sysroot)
        .args(BINDINGS_FLAGS)
        .arg("--extern")
        .arg(format!("lacuna_rt={}", runtime.display()))
        .args(["-o", "libbindings.rlib", "bindings.rs"])
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let output = rustc(toolchain, folder.path())
        .args([
            "--extern=bindings=libbindings.rlib",
            "--emit=dep-info=o.d,obj=o.o",
            "hole.rs",
        ])
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(
        fs::read_to_string(folder.path().join("o.d")).unwrap(),
        "o.d: hole.rs snippet.rs\n\no.o: hole.rs snippet.rs\n\nhole.rs:\nsnippet.rs:\n"
    );
    let output = Command::new(&toolchain.lld)
        .current_dir(folder.path())
        .args(LINK_FLAGS)
        .args(EXPORTS.iter().map(|name| format!("--export={name}")))
        .args(["o.o", "libbindings.rlib"])
        .arg(&toolchain.sdk.prelinked)
        .args(["-o", "hole.wasm"])
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    fs::read(folder.path().join("hole.wasm")).unwrap()
}

/// Calls an export on a new instance: what the log got, and the value or the panic's message with the trap.
fn call(
    engine: &Engine,
    module: &Module,
    name: &str,
) -> (Vec<String>, Result<u32, (Option<String>, String)>) {
    fn text(caller: &mut Caller<'_, Heard>, start: u32, length: u32) -> String {
        let Some(Extern::Memory(memory)) = caller.get_export("memory") else {
            panic!("no memory")
        };
        let bytes = &memory.data(&*caller)[start as usize..][..length as usize];
        String::from_utf8(bytes.to_vec()).unwrap()
    }
    const CONSOLE: &str = "lacuna:hole/console@0.1.0";
    let mut linker: Linker<Heard> = Linker::new(engine);
    linker
        .func_wrap(
            CONSOLE,
            "print",
            |mut caller: Caller<'_, Heard>, start: u32, length: u32| {
                let line = text(&mut caller, start, length);
                caller.data_mut().log.push(line);
            },
        )
        .unwrap();
    linker
        .func_wrap(
            CONSOLE,
            "panicked",
            |mut caller: Caller<'_, Heard>, start: u32, length: u32| {
                let message = text(&mut caller, start, length);
                caller.data_mut().panic = Some(message);
            },
        )
        .unwrap();
    let mut store = Store::new(engine, Heard::default());
    store.data_mut().limits = StoreLimitsBuilder::new().memory_size(64 << 20).build();
    store.limiter(|heard| &mut heard.limits);
    let instance = linker.instantiate(&mut store, module).unwrap();
    let function = instance
        .get_typed_func::<u32, u32>(&mut store, name)
        .unwrap();
    let result = function.call(&mut store, 0);
    let heard = store.into_data();
    (
        heard.log,
        result.map_err(|error| (heard.panic, format!("{:#}", error.root_cause()))),
    )
}

#[test]
fn the_curated_std_behaves_as_the_real_one_and_failures_are_told() {
    let mut config = Config::new();
    config.max_wasm_stack(1 << 20);
    let engine = Engine::new(&config).unwrap();
    let wasm = module();
    let module = Module::new(&engine, &wasm).unwrap();
    let imports: Vec<String> = module
        .imports()
        .map(|import| format!("{}#{}", import.module(), import.name()))
        .collect();
    assert_eq!(
        imports,
        [
            "lacuna:hole/console@0.1.0#print",
            "lacuna:hole/console@0.1.0#panicked"
        ]
    );
    let call = |name| call(&engine, &module, name);

    let (log, result) = call("printing");
    assert_eq!(result, Ok(0));
    let place = include_str!("probe.rs.txt")
        .lines()
        .position(|line| line.contains("dbg!"))
        .unwrap()
        + 1;
    assert_eq!(
        log,
        [
            "ab",
            "c",
            "inner",
            "outer",
            &format!("[snippet.rs:{place}:17] NUMBER.get() + 1 = 4"),
            "4 9 [7]",
            "io 1",
            "unfinished"
        ]
    );

    let (log, result) = call("paths");
    assert_eq!(result, Ok(0));
    assert_eq!(
        log,
        [
            r#"Some("c.tar") Some("gz") Some("/a/./b/..")"#,
            r#"[RootDir, Normal("a"), Normal("b"), ParentDir, Normal("c.tar.gz")]"#,
            r#"/a/./b/../c.tar.gz/x Ok("b/../c.tar.gz")"#,
            r#"["/a/./b/../c.tar.gz", "/a/./b/..", "/a/./b", "/a", "/"]"#,
            r#""x/y.rs" ["y.rs", "x"]"#,
        ]
    );

    let (log, result) = call("flags");
    assert_eq!(result, Ok(0));
    assert_eq!(
        log,
        [
            "Mode(R | W) Mode(0x0) Mode(W | GEN) 3 [Mode(R), Mode(W)]",
            "only w"
        ]
    );

    assert_eq!(
        call("same_order"),
        call("same_order"),
        "no randomness without a capability"
    );

    for (name, message, trap) in [
        ("checks", "n is 0\nat ", "unreachable"),
        ("total", "attempt to add with overflow", "unreachable"),
        ("power", "attempt to multiply with overflow", "unreachable"),
        (
            "overflow",
            "attempt to add with overflow\nat ",
            "unreachable",
        ),
        ("in_display", "in display\nat ", "unreachable"),
        ("capacity", "capacity overflow", "unreachable"),
        (
            "exhausting",
            "memory allocation of 1048576 bytes failed",
            "unreachable",
        ),
        ("frames", "", "out of bounds"),
    ] {
        let (_, result) = call(name);
        let (panic, cause) = result.unwrap_err();
        let panic = panic.unwrap_or_default();
        assert!(panic.starts_with(message), "{name}: {panic}");
        assert!(!panic.contains('/'), "{name}: {panic}");
        assert!(cause.contains(trap), "{name}: {cause}");
    }
}
