//! Ambient: what the real `std` reaches of the outside and a hole does not.

use crate::scope::Scope;

/// Modules of the real `std` that give authority a hole does not have.
const AMBIENT: [&str; 7] = ["fs", "env", "net", "process", "thread", "os", "time"];

/// Macros of the real `std` that read files or the environment when they are compiled, or hold machine code.
pub(super) const AMBIENT_MACROS: [&str; 7] = [
    "include",
    "include_str",
    "include_bytes",
    "env",
    "option_env",
    "asm",
    "global_asm",
];

/// What a name is called that would reach outside: `fs`, `thread::spawn`, `include_str!`. The module is written whole
/// (`std::thread`), or, where rustc leaves out where it stands, as `time`.
pub(super) fn ambient(container: Option<&str>, name: &str) -> Option<String> {
    let container = container?.trim_start_matches("::");
    let module = match container.split_once("::") {
        Some(("std" | "core" | "alloc", module)) => module,
        None => container,
        Some(_) => return None,
    };
    if AMBIENT.contains(&module) || (module, name) == ("io", "stdin") {
        Some(format!("{module}::{name}"))
    } else if !matches!(module, "std" | "core" | "alloc") {
        None
    } else if AMBIENT.contains(&name) {
        Some(name.to_owned())
    } else {
        AMBIENT_MACROS.contains(&name).then(|| format!("{name}!"))
    }
}

/// That there is nothing by these names, and where the outside is reached.
pub(super) fn no_ambient_authority(scope: &Scope, names: &[String]) -> String {
    let granted = modules(scope);
    let shown: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let input = if (names.iter()).any(|name| name.starts_with("env") || name == "io::stdin") {
        "; what the caller gives comes as parameters"
    } else {
        ""
    };
    format!(
        "a hole has no {} of std: the outside is reached only through what is granted, here {granted}{input}",
        shown.join(", ")
    )
}

/// The modules of granted functions, and functions of the world, in a sentence.
pub(super) fn modules(scope: &Scope) -> String {
    let granted: Vec<String> = scope
        .imports
        .iter()
        .filter(|import| !import.implicit)
        .filter_map(|import| {
            let function = import.functions.first()?;
            Some(match &import.module {
                Some(module) => format!("`{module}`"),
                None => format!("the function `{}`", function.rust),
            })
        })
        .collect();
    match granted.as_slice() {
        [] => "nothing".to_owned(),
        modules => modules.join(", "),
    }
}

/// Whether a method of paths would look at files.
pub(super) fn asks_the_file_system(method: &str, ty: &str) -> bool {
    const METHODS: [&str; 9] = [
        "canonicalize",
        "exists",
        "is_dir",
        "is_file",
        "is_symlink",
        "metadata",
        "read_dir",
        "read_link",
        "try_exists",
    ];
    let of_path = matches!(ty, "&Path" | "Path" | "PathBuf" | "&PathBuf");
    of_path && METHODS.contains(&method)
}
