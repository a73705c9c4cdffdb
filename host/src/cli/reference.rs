//! The reference: commands and flags from the grammar, manifest keys and variables from their tables.

use clap::{Arg, Command, CommandFactory};

use super::arguments::Cli;
use crate::environment::VARIABLES;
use crate::labels::LABELS;
use crate::plan::manifest::keys::{Kind, ManifestKey, RULES, Table};
use crate::plan::{self, BuiltIn};

/// What each exit code means.
const EXIT_CODES: [(u8, &str); 6] = [
    (
        0,
        "a value was returned (`err(…)` too), the code was accepted, nothing was found",
    ),
    (
        1,
        "the code was rejected, the attempts are used up, or there are findings",
    ),
    (
        2,
        "the command line, the plan, the manifest, an argument or this machine is wrong; no model was asked",
    ),
    (
        3,
        "the model gave no answer: key, server, program, recording",
    ),
    (4, "a trap, a limit, the budget"),
    (130, "interrupted"),
];

/// The whole page, as Markdown.
pub(super) fn render() -> String {
    let mut text = "# Reference\n\n\
        Made from the program by `lacuna reference`; `BLESS=1 cargo test -p lacuna --test reference` writes it anew.\n"
        .to_owned();
    text.push_str("\n## Commands\n\nEvery command has `-q`, `-v` and `-h`.\n");
    let mut main = Cli::command().disable_help_subcommand(true);
    main.build();
    for command in commands(&main).into_iter().skip(1) {
        render_command(&mut text, command);
    }
    text.push_str("\n## Exit codes\n\n| code | meaning |\n|--:|---|\n");
    for (code, meaning) in EXIT_CODES {
        text.push_str(&format!("| {code} | {meaning} |\n"));
    }
    text.push_str(
        "\n## lacuna.toml\n\nAn unknown key is an error. Sizes are `\"64MiB\"` (B, KiB, MiB, GiB), times `\"30s\"` (ms, s, m, h); \
         `0` means none, an absent limit is its default. `lacuna schema` prints the same as a JSON schema (`lacuna.schema.json`).\n",
    );
    text.push_str(&built_in());
    for table in Table::ALL {
        text.push_str(&format!(
            "\n### {}\n\n| key | value | default | meaning |\n|---|---|---|---|\n",
            match table {
                Table::Top => "At the top".to_owned(),
                _ => format!("`{}`", table.heading()),
            }
        ));
        for key in table.keys() {
            text.push_str(&row(key));
        }
    }
    text.push_str("\n## Environment\n\n| variable | meaning |\n|---|---|\n");
    for variable in VARIABLES {
        let names: Vec<String> = variable
            .name
            .split(", ")
            .map(|name| format!("`{name}`"))
            .collect();
        text.push_str(&format!(
            "| {} | {} |\n",
            names.join(", "),
            variable.meaning
        ));
    }
    text
}

/// A command and everything below it that is not hidden.
pub(super) fn commands(command: &Command) -> Vec<&Command> {
    let mut all = vec![command];
    for inner in command
        .get_subcommands()
        .filter(|inner| !inner.is_hide_set())
    {
        all.extend(commands(inner));
    }
    all
}

fn render_command(text: &mut String, command: &Command) {
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name());
    let about = command
        .get_about()
        .map(ToString::to_string)
        .unwrap_or_default();
    text.push_str(&format!("\n### `{name}`\n\n{about}.\n"));
    let shown = |argument: &&Arg| {
        !argument.is_hide_set()
            && !["help", "version", "quiet", "verbose"].contains(&argument.get_id().as_str())
    };
    let mut arguments: Vec<&Arg> = command.get_arguments().filter(shown).collect();
    arguments.sort_by_key(|argument| argument.get_index().unwrap_or(usize::MAX));
    if arguments.is_empty() {
        return;
    }
    text.push_str("\n| | |\n|---|---|\n");
    for argument in arguments {
        text.push_str(&format!("| `{}` | {} |\n", usage(argument), help(argument)));
    }
}

/// `PLAN`, `-o, --output <FILE>`.
fn usage(argument: &Arg) -> String {
    let value = argument
        .get_value_names()
        .and_then(|names| names.first())
        .map(ToString::to_string)
        .filter(|_| argument.get_action().takes_values());
    let Some(long) = argument.get_long() else {
        let name = value.unwrap_or_else(|| argument.get_id().to_string());
        return match argument.is_required_set() {
            true => name,
            false => format!("[{name}]"),
        };
    };
    let short = argument.get_short().map(|short| format!("-{short}, "));
    let value = value.map(|value| format!(" {value}"));
    format!(
        "{}--{long}{}",
        short.unwrap_or_default(),
        value.unwrap_or_default()
    )
}

fn help(argument: &Arg) -> String {
    let mut help = argument
        .get_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    let values: Vec<String> = argument
        .get_possible_values()
        .iter()
        .map(|value| match value.get_help() {
            Some(what) => format!("`{}` ({what})", value.get_name()),
            None => format!("`{}`", value.get_name()),
        })
        .collect();
    if argument.get_action().takes_values() && !values.is_empty() {
        help.push_str(&format!(": {}", values.join(", ")));
    }
    let defaults: Vec<String> = argument
        .get_default_values()
        .iter()
        .map(|value| format!("`{}`", value.to_string_lossy()))
        .collect();
    if argument.get_action().takes_values() && !defaults.is_empty() {
        help.push_str(&format!("; default {}", defaults.join(", ")));
    }
    help.replace('|', "\\|")
}

/// What a plan can import without a file of its own.
fn built_in() -> String {
    let mut text = "\n### What can be imported\n\n\
        `import NAME: INTERFACE;` gives an import a name of its own. `lacuna show PLAN --what wit` prints what a hole gets of each, \
        `--what prompt` the Rust signatures. Interfaces of `lacuna:text` and `lacuna:clock/calendar` need no grant, all others do.\n\n\
        | interface | functions | |\n|---|---|---|\n"
        .to_owned();
    // Every hole has the console without importing it.
    let named = |interface: &BuiltIn| !interface.id.starts_with("lacuna:hole/");
    for interface in plan::built_in().into_iter().filter(named) {
        let functions: Vec<String> = interface
            .functions
            .iter()
            .map(|name| format!("`{name}`"))
            .collect();
        text.push_str(&format!(
            "| `{}` | {} | {} |\n",
            interface.id,
            functions.join(", "),
            interface.summary
        ));
    }
    text
}

fn row(key: &ManifestKey) -> String {
    let value = match key.kind {
        Kind::One => "`1`".to_owned(),
        Kind::Text => "text".to_owned(),
        Kind::SomeTexts => "list of texts".to_owned(),
        Kind::Of(known) => format!("list of {}", quoted(known)),
        Kind::Choice(known) => quoted(known),
        Kind::Count | Kind::SmallCount => "whole number".to_owned(),
        Kind::Positive => "whole number from 1".to_owned(),
        Kind::Amount => "number".to_owned(),
        Kind::Usd => "number, or `\"1.25 USD\"`".to_owned(),
        Kind::Size => "size".to_owned(),
        Kind::Time => "time".to_owned(),
        Kind::Inner(_) => "table".to_owned(),
        Kind::Named(_) => "tables by name".to_owned(),
        Kind::NamedTexts => "texts by name".to_owned(),
        Kind::Flag => "`true` or `false`".to_owned(),
        Kind::Texts => "list of texts".to_owned(),
        Kind::FlagOrTexts => "`true`, `false` or list of texts".to_owned(),
        Kind::NamedCounts => "whole numbers by function".to_owned(),
        Kind::NamedLabels => format!("lists of {} by function", quoted(LABELS)),
        Kind::Rules => {
            let names: Vec<&str> = RULES.iter().map(|(name, _)| *name).collect();
            format!("rules by function and parameter: {}", quoted(&names))
        }
        Kind::Headers => "`{ env = \"VARIABLE\" }` by header".to_owned(),
    };
    let default = match (key.default, key.required) {
        (Some(default), _) => format!("`{default}`"),
        (None, true) => "required".to_owned(),
        (None, false) => String::new(),
    };
    let owners = match key.providers.is_empty() {
        true => String::new(),
        false => format!(" (only {})", quoted(key.providers)),
    };
    format!(
        "| `{}` | {value} | {default} | {}{owners} |\n",
        key.name, key.meaning
    )
}

fn quoted(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}
