//! One screen that says what a hole can reach.

use std::fmt::Write;

use crate::diagnostic::escape_controls;
use crate::grant::{
    self, ComponentImport, FunctionRules, Provider, Rules, WasiGrant, WasiInterface,
};
use crate::labels::Labels;
use crate::scope::ScopeImport;
use crate::session::{Error, Hole};

/// The page of one hole.
pub(super) fn render(hole: &Hole) -> Result<String, Error> {
    let scope = hole.described()?;
    let mut text = String::new();
    let _ = writeln!(text, "hole {}", hole.name());
    let paragraph = scope.task.split("\n\n").next().unwrap_or_default();
    let task = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    let task = match task.as_str() {
        "" => "none: the world has no doc comment, so the model is told nothing but the types",
        task => task,
    };
    let _ = writeln!(text, "  task     {}", escape_controls(task));
    for export in &scope.exports {
        for function in &export.functions {
            let place = export
                .interface
                .as_deref()
                .map(|interface| format!("{interface}: "))
                .unwrap_or_default();
            let _ = writeln!(text, "  writes   {place}{}", function.signature);
        }
        for resource in &export.resources {
            let _ = writeln!(text, "  writes   impl {} for …", resource.trait_name);
        }
    }
    let (implicit, granted): (Vec<_>, Vec<_>) =
        scope.imports.iter().partition(|import| import.implicit);
    if granted.iter().all(|import| import.functions.is_empty()) {
        let _ = writeln!(text, "  can call nothing but the log");
    }
    for import in granted.into_iter().chain(implicit) {
        reach(&mut text, import);
    }
    let manifest = &hole.session().parsed().manifest;
    if let Some((name, model)) = manifest.model_for(hole.name()) {
        let what = match (&model.command, &model.dir, &model.model) {
            (Some(command), ..) => format!("runs `{}` on this machine", words(command)),
            (_, Some(dir), _) => format!("recordings in {}", dir.display()),
            (_, _, Some(model)) => model.clone(),
            _ => "whoever sits here".to_owned(),
        };
        let provider = &model.provider.value;
        let _ = writeln!(
            text,
            "  asks     model {name} ({provider}): {}",
            one_line(&what)
        );
    } else {
        let _ = writeln!(text, "  asks     nobody: no model fills it; see `--model`");
    }
    if let Some(config) = manifest.holes.get(hole.name()) {
        for (name, value) in &config.args {
            let value: String = value.value.chars().take(80).collect();
            let _ = writeln!(text, "  given    {name} = {}", one_line(&value));
        }
    }
    let run = &hole.limits().run;
    let _ = writeln!(
        text,
        "  limits   fuel {:e}, wall {} s, memory {} MiB, host-calls {}, result {} KiB (per call)",
        run.fuel as f64,
        run.wall.as_secs_f64(),
        run.memory / (1024 * 1024),
        run.host_calls,
        run.result / 1024,
    );
    let budget = &manifest.budget;
    let _ = writeln!(
        text,
        "  budget   {} attempts, {} model calls, {} tokens, {} USD, {} s",
        budget.attempts,
        budget.model_calls,
        budget.tokens,
        budget.usd,
        budget.wall.as_secs_f64(),
    );
    Ok(text)
}

fn reach(text: &mut String, import: &ScopeImport) {
    if import.functions.is_empty() {
        return;
    }
    let functions: Vec<_> = import
        .functions
        .iter()
        .map(|function| function.wit.as_str())
        .collect();
    let interface = match &import.interface {
        Some(id) if *id != import.import_name => format!(" ({id})"),
        _ => String::new(),
    };
    let _ = writeln!(
        text,
        "  can call {}{interface}: {}",
        import.import_name,
        functions.join(", ")
    );
    let served = match &import.provider {
        Provider::Types => return,
        Provider::Console => "the capped log of the call; implicit, no other authority".to_owned(),
        Provider::Folder(folder) => {
            format!(
                "in the folder {}, files up to {} MiB",
                folder.root.display(),
                folder.max_file as f64 / (1024.0 * 1024.0)
            )
        }
        Provider::Wall(clock) => match clock.fixed {
            Some(time) => format!("always {time}"),
            None => "the clock of this machine".to_owned(),
        },
        Provider::Monotonic(clock) => match clock.fixed {
            Some(_) => "a millisecond later at each reading".to_owned(),
            None => "the clock of this machine".to_owned(),
        },
        Provider::Random(random) => match random.seed {
            Some(seed) => format!("the numbers of seed {seed}"),
            None => "the random numbers of this machine".to_owned(),
        },
        Provider::Calendar | Provider::Text(_) => "calculates only; no authority".to_owned(),
        Provider::Kv(kv) => {
            let below = match kv.prefix.as_str() {
                "" => String::new(),
                prefix => format!(", keys below \"{prefix}\""),
            };
            format!(
                "in {}{below}, at most {} keys and {} MiB",
                kv.file.display(),
                kv.max_keys,
                kv.max_bytes as f64 / (1024.0 * 1024.0)
            )
        }
        Provider::Sql(sql) => format!(
            "in {}, tables {}, at most {} rows{}",
            sql.file.display(),
            sql.tables.join(", "),
            sql.max_rows,
            if sql.write { " changed" } else { "" }
        ),
        Provider::Http(grant) => grant.to_string(),
        Provider::Stub(stub) => format!("answered from {}", stub.file.display()),
        Provider::Wasi(wasi) => wasi_text(wasi),
        Provider::Component(component) => {
            format!("served by the component {}", component.file.display())
        }
        Provider::JsonHttp(server) => format!("asked at {}", server.url),
        Provider::Command(command) => format!(
            "asked of the program {}{}",
            command.program.display(),
            match command.keep_alive {
                true => ", which is kept for the session",
                false => ", started for each call",
            }
        ),
        Provider::Host => "served by the program that embeds the plan".to_owned(),
    };
    let _ = writeln!(text, "           {}", one_line(&served));
    if !import.withheld.is_empty() {
        let _ = writeln!(
            text,
            "           not granted: {}",
            import.withheld.join(", ")
        );
    }
    write_rules(text, &import.rules);
    if let Provider::Component(component) = &import.provider {
        for inner in &component.imports {
            within(text, inner);
        }
    }
}

/// What a component that serves an import can reach itself, behind a mark for each level.
fn within(text: &mut String, import: &ComponentImport) {
    let mut inner = String::new();
    reach(&mut inner, &import.as_scope());
    for line in inner.lines() {
        let _ = writeln!(text, "           | {}", line.trim_start());
    }
}

/// What is allowed of the functions: a line for each that has rules, and a line for labels and the like.
fn write_rules(text: &mut String, rules: &FunctionRules) {
    for (function, rules) in rules {
        let sentences = rules.sentences();
        if !sentences.is_empty() {
            let line = format!("{}: {}", grant::written(function), sentences.join("; "));
            let _ = writeln!(text, "           {}", one_line(&line));
        }
    }
    let named = |of: &dyn Fn(&Rules) -> bool| -> Option<String> {
        let names: Vec<String> = rules
            .iter()
            .filter(|(_, rules)| of(rules))
            .map(|(name, _)| grant::written(name))
            .collect();
        match names.len() {
            0 => None,
            all if all == rules.len() => Some("all".to_owned()),
            _ => Some(names.join(", ")),
        }
    };
    let mut facts = Vec::new();
    for (words, names) in [
        (
            "gives private data",
            named(&|rules| rules.labels.covers(Labels::PRIVATE)),
        ),
        (
            "gives untrusted data",
            named(&|rules| rules.labels.covers(Labels::UNTRUSTED)),
        ),
        ("sends", named(&|rules| rules.sends)),
        ("can't be undone", named(&|rules| rules.irreversible)),
    ] {
        if let Some(names) = names {
            facts.push(format!("{words}: {names}"));
        }
    }
    // The same for every function of a grant.
    let clearance = rules.values().next().map(|rules| rules.clearance);
    if let Some(clearance) = clearance.filter(|clearance| !clearance.is_empty()) {
        facts.push(format!("may be sent although it is {clearance}"));
    }
    if !facts.is_empty() {
        let _ = writeln!(text, "           {}", one_line(&facts.join("; ")));
    }
}

/// What an interface of WASI reaches.
fn wasi_text(wasi: &WasiGrant) -> String {
    match (wasi.interface, &wasi.preopen) {
        (WasiInterface::Preopens, Some(root)) => {
            let how = if wasi.write {
                "read and written"
            } else {
                "only read"
            };
            format!("the folder {} as /, {how}", root.display())
        }
        (WasiInterface::Preopens, None) => "no folder".to_owned(),
        (WasiInterface::Types, _) => {
            "files of the folder that wasi:filesystem/preopens gives".to_owned()
        }
        (WasiInterface::WallClock | WasiInterface::MonotonicClock, _) => {
            "the clock of this machine".to_owned()
        }
        (WasiInterface::Random | WasiInterface::Insecure | WasiInterface::InsecureSeed, _) => {
            "the random numbers of this machine".to_owned()
        }
        (WasiInterface::Cli, _) => {
            "empty: no variables, no arguments, standard streams that are closed".to_owned()
        }
        (WasiInterface::Error | WasiInterface::Poll | WasiInterface::Streams, _) => {
            "what other interfaces of WASI give out; no other authority".to_owned()
        }
    }
}

/// The words of a command, each of which can be told from the next.
fn words(command: &[String]) -> String {
    let plain = |word: &String| {
        !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || "'\"\\`".contains(c))
    };
    let words: Vec<String> = command
        .iter()
        .map(|word| {
            if plain(word) {
                word.clone()
            } else {
                format!("{word:?}")
            }
        })
        .collect();
    words.join(" ")
}

/// A text of the manifest on one line: it must not look like lines of this page.
fn one_line(text: &str) -> String {
    escape_controls(text)
        .replace('\n', "\\n")
        .replace('\t', "\\t")
}
