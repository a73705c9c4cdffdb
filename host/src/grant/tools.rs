//! Grants of tools that are served outside: `json-http` and `command`.
#![expect(
    clippy::disallowed_methods,
    reason = "looks whether the program that a grant names is there, and where programs are"
)]

use std::ffi::OsString;
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use url::Url;

use crate::environment;
use crate::error::Fault;
use crate::plan::manifest::{GrantConfig, Spanned};
use crate::toolchain;

/// A server that serves tools (`json-http`).
#[derive(Clone, Debug)]
pub struct JsonHttpGrant {
    /// Its address, to whose path `call` is added: http or https, without user, query and fragment.
    pub url: Url,
}

/// A program that serves tools (`command`).
#[derive(Clone, Debug)]
pub struct CommandGrant {
    /// What messages call it: the first word of `argv`. Where the program lies is nobody's business.
    pub name: String,
    /// The program: an absolute path; it was executable when the grant was read.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Its working folder, where lacuna.toml stands: an absolute path.
    pub folder: PathBuf,
    /// Whether one process is asked all calls of a session.
    pub keep_alive: bool,
    /// `PATH` of its environment, the absolute folders of the user's.
    pub path: Option<OsString>,
}

/// The grant of a server.
pub(super) fn json_http(config: &GrantConfig) -> Result<JsonHttpGrant, Fault> {
    let Some(url) = &config.url else {
        return Err(Fault::new("the provider `json-http` needs `url`")
            .at(config.place.clone())
            .hint(
                "write `url = \"http://127.0.0.1:8000\"`; a call is a POST to `/call` below it",
            ));
    };
    address(&url.value)
        .map(|url| JsonHttpGrant { url })
        .map_err(|fault| fault.at(url.place.clone()))
}

/// The grant of a program; `folder` is that of lacuna.toml.
pub(super) fn command(folder: &Path, config: &GrantConfig) -> Result<CommandGrant, Fault> {
    const HINT: &str = "write `argv = [\"PROGRAM\", \"ARGUMENT\"]`; no shell is involved";
    let argv = config.argv.as_deref().unwrap_or_default();
    let Some((name, arguments)) = argv.split_first() else {
        let message = match config.argv {
            Some(_) => "`argv` is empty: it names no program",
            None => "the provider `command` needs `argv`",
        };
        return Err(Fault::new(message).at(config.place_of("argv")).hint(HINT));
    };
    if let Some(word) = argv.iter().find(|word| word.value.contains('\0')) {
        return Err(Fault::new(
            "a word of `argv` has a zero character, which no command line can hold",
        )
        .at(word.place.clone()));
    }
    let folder = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    let folder = std::path::absolute(folder).map_err(|error| {
        Fault::new(format!(
            "the folder of lacuna.toml cannot be found: {error}"
        ))
        .at(name.place.clone())
    })?;
    let program = program(&folder, name).map_err(|fault| fault.at(name.place.clone()))?;
    Ok(CommandGrant {
        name: name.value.clone(),
        program,
        arguments: arguments.iter().map(|word| word.value.clone()).collect(),
        folder,
        keep_alive: config.keep_alive.as_ref().is_some_and(|keep| keep.value),
        path: path(),
    })
}

/// Reads the address of a server.
fn address(text: &str) -> Result<Url, Fault> {
    const HINT: &str = "write `http://HOST:PORT/PATH` or `https://…`";
    let fault = |message: &str| Fault::new(format!("`url` {message}"));
    // A parser of URLs drops line ends and blanks, and so reads another address than stands there.
    if text.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Err(fault("has blanks or control characters in it").hint(HINT));
    }
    let url = match Url::parse(text) {
        Ok(url) => url,
        Err(error) => return Err(fault(&format!("is no address: {error}")).hint(HINT)),
    };
    if !matches!(url.scheme(), "http" | "https") {
        let message = format!("has the scheme `{}`, not http or https", url.scheme());
        return Err(fault(&message).hint(HINT));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(fault("has a user or a password in it")
            .hint("remove it: what stands in lacuna.toml is no secret"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(fault("has a query or a fragment")
            .hint("remove it: `/call` is added to the path, and the rest is the request's body"));
    }
    Ok(url)
}

/// The file of a program: a path below `folder` if there is a `/` in it, else the first of that name on PATH.
fn program(folder: &Path, name: &Spanned<String>) -> Result<PathBuf, Fault> {
    let name = &name.value;
    let fault = |reason: &str| Fault::new(format!("the program `{name}` {reason}"));
    if name.is_empty() {
        return Err(Fault::new(
            "the first word of `argv` is empty: it names no program",
        ));
    }
    if !name.contains('/') {
        return toolchain::program(name).ok_or_else(|| {
            fault("was not found on PATH").hint(
                "the first word of `argv` is looked up in PATH, unless there is a `/` in it: then it is a file, \
                 relative to the folder of lacuna.toml",
            )
        });
    }
    let file = folder.join(name);
    match std::fs::metadata(&file) {
        Ok(metadata) if !metadata.is_file() => Err(fault("is no file")),
        Ok(metadata) if metadata.permissions().mode() & 0o111 == 0 => {
            Err(fault("is not executable").hint(format!(
                "`chmod +x` it, or name what runs it first: `argv = [\"python3\", \"{name}\"]`"
            )))
        }
        Ok(_) => Ok(file),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(fault("does not exist").hint("paths are relative to the folder of lacuna.toml"))
        }
        Err(error) => Err(fault(&format!("cannot be looked at: {error}"))),
    }
}

/// PATH without its relative folders: in another working folder they would be others.
fn path() -> Option<OsString> {
    let path = std::env::var_os(environment::PATH)?;
    let absolute = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    std::env::join_paths(absolute).ok()
}
