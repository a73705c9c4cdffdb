//! Components by hand: what no compiler would write.

use wasm_encoder::{
    CanonicalFunctionSection, CodeSection, Component, ComponentAliasSection, ComponentExportKind,
    ComponentExportSection, ComponentTypeSection, ExportKind, ExportSection, Function,
    FunctionSection, InstanceSection, Module, ModuleArg, ModuleSection, PrimitiveValType,
    TypeSection, ValType,
};

/// A component that exports `f: func() -> s32`, whose one function has `depth` loops, `locals` variables and
/// `statements` that bind them all together.
///
/// Each loop may be entered again with any of the variables changed, so each variable has a value of its own in each
/// loop, and a compiler has the product of the two to keep apart. With 400 loops and 2000 variables that is minutes.
pub(super) fn component(locals: u32, depth: u32, statements: u32) -> Vec<u8> {
    let mut function = Function::new([(locals, ValType::I64)]);
    let mut body = function.instructions();
    for _ in 0..depth {
        body.loop_(wasm_encoder::BlockType::Empty);
    }
    for at in 0..statements {
        let (one, other, target) = (
            at * 7 % locals,
            (at * 13 + 5) % locals,
            (at * 29 + 11) % locals,
        );
        body.local_get(one)
            .local_get(other)
            .i64_add()
            .local_set(target);
        body.local_get(target).i32_wrap_i64().br_if(at % depth);
    }
    for _ in 0..depth {
        body.end();
    }
    body.local_get(0).i32_wrap_i64().end();
    wrapped(&function)
}

fn wrapped(function: &Function) -> Vec<u8> {
    let mut types = TypeSection::new();
    types.ty().function([], [ValType::I32]);
    let mut functions = FunctionSection::new();
    functions.function(0);
    let mut exports = ExportSection::new();
    exports.export("f", ExportKind::Func, 0);
    let mut code = CodeSection::new();
    code.function(function);
    let mut module = Module::new();
    module
        .section(&types)
        .section(&functions)
        .section(&exports)
        .section(&code);

    let mut instances = InstanceSection::new();
    instances.instantiate::<_, &str>(0, std::iter::empty::<(&str, ModuleArg)>());
    let mut aliases = ComponentAliasSection::new();
    aliases.alias(wasm_encoder::Alias::CoreInstanceExport {
        instance: 0,
        kind: ExportKind::Func,
        name: "f",
    });
    let mut component_types = ComponentTypeSection::new();
    component_types
        .function()
        .params(std::iter::empty::<(&str, PrimitiveValType)>())
        .result(Some(PrimitiveValType::S32.into()));
    let mut lifted = CanonicalFunctionSection::new();
    lifted.lift(0, 0, []);
    let mut component_exports = ComponentExportSection::new();
    component_exports.export("f", ComponentExportKind::Func, 0, None);
    let mut component = Component::new();
    component
        .section(&ModuleSection(&module))
        .section(&instances)
        .section(&aliases)
        .section(&component_types)
        .section(&lifted)
        .section(&component_exports);
    component.finish()
}
