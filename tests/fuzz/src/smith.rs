//! Plans of `wit-smith`: any WIT there is, most of which cannot be filled.

use anyhow::{Context as _, Result, bail};
use arbitrary::Unstructured;
use wit_component::{DecodedWasm, WitPrinter, decode};
use wit_parser::{PackageId, Resolve};

use crate::plans::{LIMITS, Origin, PlanFiles};
use crate::random::Random;

/// Bytes that a package is made from.
const FOOD: usize = 4096;

/// A plan, and whether it has a world `hole` of ours.
pub fn generate(random: &mut Random) -> Result<PlanFiles> {
    let config = wit_smith::Config {
        max_packages: random.between(1, 3),
        max_type_size: random.between(2, 40),
        max_interface_items: random.between(2, 8),
        max_pkg_items: random.between(1, 6),
        max_type_parts: random.between(1, 6),
        async_: random.chance(5),
        futures: random.chance(5),
        streams: random.chance(5),
        fixed_length_lists: random.chance(5),
        error_context: random.chance(5),
        world_include: random.chance(20),
        ..wit_smith::Config::default()
    };
    let bytes = random.bytes(FOOD);
    let wasm = wit_smith::smith(&config, &mut Unstructured::new(&bytes))
        .context("no package came of it")?;
    let DecodedWasm::WitPackage(resolve, main) = decode(&wasm)? else {
        bail!("not a package")
    };
    let mut files = Vec::new();
    let mut number = 0;
    for (package, _) in &resolve.packages {
        let text = print(&resolve, package)?;
        if package == main {
            let (world, manifest) = hole(&resolve, main, random);
            files.push(("plan.wit".to_owned(), format!("{text}\n{world}")));
            files.push((
                "lacuna.toml".to_owned(),
                format!("schema = 1\n{LIMITS}{manifest}"),
            ));
        } else {
            number += 1;
            files.push((format!("deps/dep{number}/package.wit"), text));
        }
    }
    Ok(PlanFiles {
        origin: Origin::Smith,
        files,
    })
}

fn print(resolve: &Resolve, package: PackageId) -> Result<String> {
    let mut printer = WitPrinter::default();
    printer.emit_docs(true);
    printer.print(resolve, package, &[])?;
    Ok(printer.output.to_string())
}

/// A world that imports some interfaces of the package, with grants for them.
fn hole(resolve: &Resolve, package: PackageId, random: &mut Random) -> (String, String) {
    let names: Vec<String> = resolve.packages[package]
        .interfaces
        .keys()
        .cloned()
        .collect();
    let (mut world, mut manifest) = (String::new(), String::new());
    for name in random.some(&names, 0) {
        let id = resolve.packages[package].interfaces[&name];
        world.push_str(&format!("  import %{name};\n"));
        if !resolve.interfaces[id].functions.is_empty() {
            let key = resolve.id_of(id).unwrap_or(name);
            manifest.push_str(&format!(
                "[hole.hole.grant.\"{key}\"]\nprovider = \"stub\"\nanswers = \"answers.json\"\n"
            ));
        }
    }
    let result = random.pick(&["u32", "string", "list<u8>", "result<string, u32>"]);
    (
        format!("world hole {{\n{world}  export run: func(n: u32) -> {result};\n}}\n"),
        manifest,
    )
}
