mod built;

use wasm_encoder::{
    CodeSection, CustomSection, EntityType, ExportKind, ExportSection, Function, FunctionSection,
    ImportSection, MemorySection, MemoryType, Module, StartSection, TypeSection,
};

use super::module::check;
use crate::compile::CoreNames;

fn names() -> CoreNames {
    CoreNames {
        imports: [("repo".to_owned(), "read-text".to_owned())].into(),
        required: ["run".to_owned()].into(),
        optional: ["memory".to_owned(), "cabi_realloc".to_owned()].into(),
        in_snippet: [].into(),
        export_names: vec!["run".to_owned()],
    }
}

/// What a test changes of a module that passes.
#[derive(Default)]
struct Change {
    import: Option<(&'static str, &'static str)>,
    import_memory: bool,
    export: Option<&'static str>,
    start: bool,
    custom: Option<&'static str>,
    memories: u32,
    memory64: bool,
    shared: bool,
    body: Option<fn(&mut Function)>,
}

fn module(change: &Change) -> Vec<u8> {
    let mut module = Module::new();
    let mut types = TypeSection::new();
    types.ty().function([], []);
    module.section(&types);
    let mut imports = ImportSection::new();
    imports.import("repo", "read-text", EntityType::Function(0));
    if let Some((of, name)) = change.import {
        imports.import(of, name, EntityType::Function(0));
    }
    let memory = MemoryType {
        minimum: 1,
        maximum: Some(1),
        memory64: change.memory64,
        shared: change.shared,
        page_size_log2: None,
    };
    if change.import_memory {
        imports.import("repo", "read-text", memory);
    }
    module.section(&imports);
    let defined = 1 + u32::from(change.import.is_some());
    let mut functions = FunctionSection::new();
    functions.function(0);
    module.section(&functions);
    if !change.import_memory {
        let mut memories = MemorySection::new();
        for _ in 0..=change.memories {
            memories.memory(memory);
        }
        module.section(&memories);
    }
    let mut exports = ExportSection::new();
    exports.export("run", ExportKind::Func, defined);
    if let Some(name) = change.export {
        exports.export(name, ExportKind::Func, defined);
    }
    module.section(&exports);
    if change.start {
        module.section(&StartSection {
            function_index: defined,
        });
    }
    let mut body = Function::new([]);
    if let Some(write) = change.body {
        write(&mut body);
    }
    body.instructions().end();
    let mut code = CodeSection::new();
    code.function(&body);
    module.section(&code);
    if let Some(name) = change.custom {
        module.section(&CustomSection {
            name: name.into(),
            data: (&b"x"[..]).into(),
        });
    }
    module.finish()
}

fn code_of(change: &Change) -> &'static str {
    match check(&module(change), &names()) {
        Ok(_) => "accepted",
        Err(refusal) => refusal.code,
    }
}

#[test]
fn a_module_that_keeps_to_its_world_passes_and_loses_its_custom_sections() {
    for custom in [
        None,
        Some("name"),
        Some("producers"),
        Some("component-type:forged"),
    ] {
        let change = Change {
            custom,
            ..Change::default()
        };
        let checked = check(&module(&change), &names()).unwrap();
        assert_eq!(checked.stripped, module(&Change::default()), "{custom:?}");
        assert_eq!(
            checked.imports,
            [("repo".to_owned(), "read-text".to_owned())]
        );
    }
}

#[test]
fn what_the_world_does_not_have_is_named() {
    let import = |of, name| {
        code_of(&Change {
            import: Some((of, name)),
            ..Change::default()
        })
    };
    assert_eq!(import("repo", "write"), "not-granted");
    assert_eq!(import("env", "memcpy"), "not-granted");
    assert_eq!(import("repo", "[resource-drop]dir"), "not-granted");
    assert_eq!(import("[export]repo", "read-text"), "not-granted");
    assert_eq!(
        import("wasi:cli/environment@0.2.0", "get-environment"),
        "not-granted"
    );
    assert_eq!(
        code_of(&Change {
            import_memory: true,
            ..Change::default()
        }),
        "not-granted"
    );
    for export in [
        "evil",
        "_initialize",
        "_start",
        "cabi_post_evil",
        "__wasm_call_ctors",
    ] {
        assert_eq!(
            code_of(&Change {
                export: Some(export),
                ..Change::default()
            }),
            "extra-export",
            "{export}"
        );
    }
    assert_eq!(
        code_of(&Change {
            start: true,
            ..Change::default()
        }),
        "start-function"
    );
    assert_eq!(
        code_of(&Change {
            custom: Some("evil"),
            ..Change::default()
        }),
        "custom-section"
    );
}

#[test]
fn features_that_the_engine_has_not_are_refused() {
    let bodies: [fn(&mut Function); 4] = [
        |body| {
            body.instructions().v128_const(0).drop();
        },
        |body| {
            body.instructions().return_call(0);
        },
        |body| {
            body.instructions()
                .v128_const(0)
                .v128_const(0)
                .i8x16_relaxed_swizzle()
                .drop();
        },
        |body| {
            body.instructions().atomic_fence();
        },
    ];
    for body in bodies {
        assert_eq!(
            code_of(&Change {
                body: Some(body),
                ..Change::default()
            }),
            "engine-feature"
        );
    }
    assert_eq!(
        code_of(&Change {
            memories: 1,
            ..Change::default()
        }),
        "engine-feature"
    );
    assert_eq!(
        code_of(&Change {
            memory64: true,
            ..Change::default()
        }),
        "engine-feature"
    );
    assert_eq!(
        code_of(&Change {
            shared: true,
            ..Change::default()
        }),
        "engine-feature"
    );
    assert_eq!(
        check(b"\0asm\x01\0\0\0\x01\xff", &names())
            .err()
            .map(|refusal| refusal.code),
        Some("engine-feature")
    );
}
