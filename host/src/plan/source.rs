//! Reading and parsing a plan's files: built-in packages first, then `deps/`, then the plan's own.
#![expect(clippy::disallowed_methods, reason = "reads the plan's files")]

use std::collections::{BTreeMap, HashMap, HashSet};
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};

use wit_parser::{
    PackageId, PackageName, ParseErrorKind, Resolve, ResolveErrorKind, SourceMap, Span,
    UnresolvedPackage, UnresolvedPackageGroup, WorldItem, WorldKey,
};

use super::comments::without_plain_comments;
use super::{PlanError, builtin};
use crate::error::{Fault, Place};

/// Largest file of a plan, bytes: what people write is far below, and spans of the parser have 32 bits.
const MAX_FILE: u64 = 4 << 20;

/// Most files of a plan.
const MAX_FILES: usize = 1000;

/// One text file.
pub(super) struct File {
    /// The file.
    pub(super) path: PathBuf,
    /// Its name in messages.
    pub(super) name: String,
    /// Its text.
    pub(super) text: String,
}

/// All files of a plan.
pub(super) struct Files {
    /// The plan's own package.
    main: Vec<File>,
    /// One package each.
    deps: Vec<Vec<File>>,
    /// `lacuna.toml`.
    pub(super) manifest: Option<File>,
    /// Where paths of the manifest start.
    pub(super) folder: PathBuf,
}

/// A parsed and resolved plan.
pub(super) struct Parsed {
    pub(super) resolve: Resolve,
    pub(super) package: PackageId,
    pub(super) hash: String,
    texts: HashMap<String, String>,
    /// For each world of the plan, the imports that its author wrote, with their places.
    imports: HashMap<(PackageName, String), BTreeMap<String, Place>>,
}

impl Parsed {
    /// The place of a span; `None` where the parser kept none.
    pub(super) fn place(&self, span: Span) -> Option<Place> {
        place(&self.resolve.source_map, &self.texts, span)
    }

    /// The imports that the author of a world wrote, `include` followed: name of the import and its place.
    pub(super) fn written_imports(
        &self,
        package: &PackageName,
        world: &str,
    ) -> Option<&BTreeMap<String, Place>> {
        self.imports.get(&(package.clone(), world.to_owned()))
    }
}

/// Reads the files that belong to the plan at `path`.
pub(super) fn read(path: &Path) -> Result<Files, PlanError> {
    let kind = std::fs::metadata(path).map_err(|error| {
        PlanError::Read(
            Fault::new(format!(
                "cannot read the plan `{}`: {}",
                path.display(),
                reason(&error)
            ))
            .hint("give a .wit file or a folder that holds one"),
        )
    })?;
    let (main, folder) = if kind.is_dir() {
        (wit_files(path)?, path.to_owned())
    } else {
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        (vec![read_file(path)?], folder)
    };
    if main.is_empty() {
        return Err(PlanError::Read(
            Fault::new(format!(
                "the folder `{}` holds no .wit file",
                path.display()
            ))
            .hint("a plan is a .wit file, or a folder with .wit files of one package"),
        ));
    }
    let mut deps = Vec::new();
    let deps_folder = folder.join("deps");
    if deps_folder.is_dir() {
        for entry in entries(&deps_folder)? {
            if entry.is_dir() {
                let files = wit_files(&entry)?;
                if !files.is_empty() {
                    deps.push(files);
                }
            } else if is_wit(&entry) {
                deps.push(vec![read_file(&entry)?]);
            }
        }
    }
    let manifest = folder.join("lacuna.toml");
    let named = if kind.is_dir() { &main[..] } else { &[] };
    let files = deps.iter().flatten().chain(named).map(|file| &file.path);
    for path in files.chain([&manifest]) {
        stays_inside(path, &folder)?;
    }
    let manifest = match std::fs::symlink_metadata(&manifest) {
        Ok(_) => Some(read_file(&manifest)?),
        Err(_) => None,
    };
    // The folder of `plan.wit` is the current one, whose name in `std::path` is not the empty path.
    let folder = if folder.as_os_str().is_empty() {
        PathBuf::from(".")
    } else {
        folder
    };
    Ok(Files {
        main,
        deps,
        manifest,
        folder,
    })
}

fn is_wit(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "wit")
}

/// Sorted, so that messages and hashes do not depend on the file system.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, PlanError> {
    let unreadable = |error: std::io::Error| {
        PlanError::Read(Fault::new(format!(
            "cannot read `{}`: {}",
            folder.display(),
            reason(&error)
        )))
    };
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        paths.push(entry.map_err(unreadable)?.path());
        if paths.len() > MAX_FILES {
            return Err(PlanError::Read(Fault::new(format!(
                "the folder `{}` has more than {MAX_FILES} entries",
                folder.display()
            ))));
        }
    }
    paths.sort();
    Ok(paths)
}

/// Refuses links that lead out of the plan's folder: an error shows lines of these files, and whoever wrote the plan need
/// not be allowed to read what the link names. The plan itself is the file that the user named.
fn stays_inside(path: &Path, folder: &Path) -> Result<(), PlanError> {
    let here = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let (Ok(real), Ok(root)) = (path.canonicalize(), here.canonicalize()) else {
        return Ok(());
    };
    if real.starts_with(root) {
        return Ok(());
    }
    Err(PlanError::Read(
        Fault::new(format!(
            "`{}` is a link that leaves the plan's folder",
            path.display()
        ))
        .hint("copy what it names into the plan's folder"),
    ))
}

fn wit_files(folder: &Path) -> Result<Vec<File>, PlanError> {
    entries(folder)?
        .iter()
        .filter(|path| is_wit(path) && !path.is_dir())
        .map(|path| read_file(path))
        .collect()
}

fn read_file(path: &Path) -> Result<File, PlanError> {
    let fault = |reason: &str| {
        PlanError::Read(Fault::new(format!(
            "cannot read `{}`: {reason}",
            path.display()
        )))
    };
    let metadata = std::fs::metadata(path).map_err(|error| fault(&reason(&error)))?;
    if !metadata.is_file() {
        // A FIFO would block for ever.
        return Err(fault("it is no file"));
    }
    if metadata.len() > MAX_FILE {
        return Err(fault("it is larger than 4 MiB"));
    }
    let bytes = std::fs::read(path).map_err(|error| fault(&reason(&error)))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..valid]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count()
            + 1;
        fault(&format!("line {line} is no UTF-8 text"))
    })?;
    Ok(File {
        path: path.to_owned(),
        name: path.display().to_string(),
        text,
    })
}

/// The system's words without the number behind them.
pub(super) fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file or folder".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}

/// Parses and resolves the files.
pub(super) fn parse(files: &Files) -> Result<Parsed, PlanError> {
    // The parser asserts what it believes of its input; a plan that proves it wrong is an error, not a crash.
    std::panic::catch_unwind(AssertUnwindSafe(|| parse_unprotected(files)))
        .unwrap_or_else(|_| Err(Fault::new("the WIT parser failed on this plan")))
        .map_err(PlanError::Wit)
}

fn parse_unprotected(files: &Files) -> Result<Parsed, Fault> {
    let mut texts = HashMap::new();
    let mut hasher = blake3::Hasher::new();
    let mut resolve = Resolve::default();
    for (name, text) in builtin::packages() {
        texts.insert(name.to_owned(), text.to_owned());
        hasher.update(text.as_bytes());
        let mut map = SourceMap::new();
        map.push_str(&name, without_plain_comments(text));
        let group = parse_group(map, &texts)?;
        resolve.push_group(group).map_err(|error| {
            Fault::new(format!("the built-in package {name} is broken: {error}"))
        })?;
    }
    let mut groups = Vec::new();
    for package in files.deps.iter().chain([&files.main]) {
        let mut map = SourceMap::new();
        for file in package {
            hasher.update(file.text.as_bytes());
            map.push_str(&file.name, without_plain_comments(&file.text));
            texts.insert(file.name.clone(), file.text.clone());
        }
        groups.push(parse_group(map, &texts)?);
    }
    for group in &groups {
        for package in group.nested.iter().chain([&group.main]) {
            if resolve.package_names.contains_key(&package.name) {
                let file = group.source_map.source_names().next().unwrap_or_default();
                return Err(Fault::new(format!(
                    "`{file}` declares `{}`, which is built in",
                    package.name
                ))
                .hint("name the package; it needs no copy in `deps/`"));
            }
        }
    }
    let imports = written_imports(&groups, &texts);
    let main = groups
        .pop()
        .ok_or_else(|| Fault::new("the plan is empty"))?;
    let declared: Vec<String> = texts.values().flat_map(|text| declarations(text)).collect();
    match resolve.push_groups(main, groups) {
        Ok(package) => Ok(Parsed {
            resolve,
            package,
            hash: format!("blake3:{}", hasher.finalize().to_hex()),
            texts,
            imports,
        }),
        Err(error) => {
            let place = place(&resolve.source_map, &texts, error.kind().span());
            let fault = match error.kind() {
                ResolveErrorKind::PackageNotFound {
                    requested, known, ..
                } => {
                    let fault = Fault::new(format!("package `{requested}` not found"));
                    let known: Vec<String> = known.iter().map(ToString::to_string).collect();
                    let name = requested.to_string();
                    let fault = fault.did_you_mean(&name, known.iter().map(String::as_str));
                    match &fault.hint {
                        Some(_) => fault,
                        None => {
                            fault.hint("put its .wit file or folder into `deps/` beside the plan")
                        }
                    }
                }
                other => with_nearest(
                    Fault::new(first_line(&other.to_string())),
                    place.as_ref(),
                    &declared,
                ),
            };
            Err(with_built_in(fault, place.as_ref()).at(place))
        }
    }
}

/// Says which interfaces a built-in package has, when the place names one of them and nothing better is known.
fn with_built_in(fault: Fault, place: Option<&Place>) -> Fault {
    let package = place.and_then(|place| {
        let from = &place.text[place.text.find("lacuna:")?..];
        let name = from["lacuna:".len()..].split(|c: char| !(c.is_alphanumeric() || c == '-'));
        Some(format!("lacuna:{}/", name.into_iter().next()?))
    });
    let Some(package) = package.filter(|_| fault.hint.is_none()) else {
        return fault;
    };
    let known: Vec<String> = builtin::interfaces()
        .into_iter()
        .map(|interface| interface.id)
        .filter(|id| id.starts_with(&package))
        .collect();
    match known.is_empty() {
        true => fault,
        false => fault.hint(format!("there are: {}", known.join(", "))),
    }
}

fn parse_group(
    map: SourceMap,
    texts: &HashMap<String, String>,
) -> Result<UnresolvedPackageGroup, Fault> {
    map.parse().map_err(|(map, error)| {
        let span = error.kind().span();
        let fault = match error.kind() {
            ParseErrorKind::ItemNotFound { name, kind, .. } => {
                let declared: Vec<String> = map
                    .source_names()
                    .filter_map(|name| texts.get(name))
                    .flat_map(|text| declarations(text))
                    .collect();
                let fault = Fault::new(format!("{kind} `{name}` does not exist"));
                fault.did_you_mean(name, declared.iter().map(String::as_str))
            }
            other => {
                let fault = Fault::new(first_line(&other.to_string()));
                match keyword(&fault.message) {
                    Some(word) => {
                        let hint = format!("choose another name, or write `%{word}`");
                        fault.hint(hint)
                    }
                    None => fault,
                }
            }
        };
        fault.at(place(&map, texts, span))
    })
}

/// The word of WIT that stands where a name is expected.
fn keyword(message: &str) -> Option<&str> {
    if !message.starts_with("expected an identifier") {
        return None;
    }
    let (_, rest) = message.split_once("found keyword `")?;
    rest.split('`').next()
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

/// Adds the nearest declared name when the message, or the place it points at, names one that nobody declares.
fn with_nearest(mut fault: Fault, place: Option<&Place>, declared: &[String]) -> Fault {
    let quoted = fault
        .message
        .split(['`', '\''])
        .skip(1)
        .step_by(2)
        .find(|name| !declared.iter().any(|known| known == name))
        .map(str::to_owned);
    let name = quoted.or_else(|| {
        let place = place.filter(|_| fault.message.contains("not found"))?;
        let start = place.column.saturating_sub(1) as usize;
        let pointed: String = place
            .text
            .chars()
            .skip(start)
            .take(place.width as usize)
            .collect();
        fault.message = format!("`{pointed}`: {}", fault.message);
        Some(pointed)
    });
    match name {
        Some(name) => fault.did_you_mean(&name, declared.iter().map(String::as_str)),
        None => fault,
    }
}

/// Names that stand behind a word that declares something: only for advice, so comments do no harm.
fn declarations(text: &str) -> Vec<String> {
    let words: Vec<&str> = text
        .split(|character: char| {
            !(character.is_alphanumeric() || character == '-' || character == '%')
        })
        .filter(|word| !word.is_empty())
        .collect();
    words
        .windows(2)
        .filter(|pair| {
            matches!(
                pair[0],
                "interface"
                    | "world"
                    | "record"
                    | "variant"
                    | "enum"
                    | "flags"
                    | "resource"
                    | "type"
            )
        })
        .map(|pair| pair[1].trim_start_matches('%').to_owned())
        .collect()
}

fn place(map: &SourceMap, texts: &HashMap<String, String>, span: Span) -> Option<Place> {
    let location = map.resolve_span(span)?;
    let text = texts.get(location.path)?;
    Some(Place::of_bytes(
        location.path,
        text,
        location.range.start,
        location.range.end,
    ))
}

/// Resolving adds the interfaces that a `use` needs to a world's imports and drops the places, so what the author
/// wrote is taken from the packages as parsed.
fn written_imports(
    groups: &[UnresolvedPackageGroup],
    texts: &HashMap<String, String>,
) -> HashMap<(PackageName, String), BTreeMap<String, Place>> {
    let mut imports = HashMap::new();
    let mut includes: HashMap<(PackageName, String), Vec<(PackageName, String)>> = HashMap::new();
    for group in groups {
        for package in group.nested.iter().chain([&group.main]) {
            for (_, world) in package.worlds.iter() {
                // Worlds of other packages stand in the arena as place-holders without a package.
                let key = (package.name.clone(), world.name.clone());
                if foreign_name(package, |item| matches!(item, wit_parser::AstItem::World(id) if package.worlds[*id] == *world)).is_some() {
                    continue;
                }
                let mut written = BTreeMap::new();
                for (name, item) in &world.imports {
                    if matches!(item, WorldItem::Type { .. }) {
                        continue;
                    }
                    if let Some(place) = place(&group.source_map, texts, item.span()) {
                        written.insert(import_name(package, name), place);
                    }
                }
                let included = world
                    .includes
                    .iter()
                    .map(|include| {
                        let id = include.id;
                        foreign_name(package, |item| matches!(item, wit_parser::AstItem::World(world) if *world == id))
                            .unwrap_or_else(|| (package.name.clone(), package.worlds[id].name.clone()))
                    })
                    .collect();
                includes.insert(key.clone(), included);
                imports.insert(key, written);
            }
        }
    }
    let direct = imports.clone();
    for (world, written) in &mut imports {
        let mut seen = HashSet::new();
        let mut open = includes.get(world).cloned().unwrap_or_default();
        while let Some(next) = open.pop() {
            if !seen.insert(next.clone()) {
                continue;
            }
            for (name, place) in direct.get(&next).into_iter().flatten() {
                written.entry(name.clone()).or_insert_with(|| place.clone());
            }
            open.extend(includes.get(&next).into_iter().flatten().cloned());
        }
    }
    imports
}

fn import_name(package: &UnresolvedPackage, key: &WorldKey) -> String {
    match key {
        WorldKey::Name(name) => name.clone(),
        WorldKey::Interface(id) => {
            let id = *id;
            match foreign_name(
                package,
                |item| matches!(item, wit_parser::AstItem::Interface(interface) if *interface == id),
            ) {
                Some((package, interface)) => package.interface_id(&interface),
                None => package
                    .name
                    .interface_id(package.interfaces[id].name.as_deref().unwrap_or_default()),
            }
        }
    }
}

fn foreign_name(
    package: &UnresolvedPackage,
    is_it: impl Fn(&wit_parser::AstItem) -> bool,
) -> Option<(PackageName, String)> {
    package.foreign_deps.iter().find_map(|(name, items)| {
        let (item, _) = items.iter().find(|(_, (item, _))| is_it(item))?;
        Some((name.clone(), item.clone()))
    })
}
