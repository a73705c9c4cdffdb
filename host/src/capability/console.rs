//! `lacuna:hole/console`: a hole's printed lines and its panic message go to the log of the call.
//!
//! It carries no authority but the log, and the log has an end (`log`). Text is kept as the guest wrote it; whoever
//! shows it escapes control characters.

use std::ops::Range;
use std::sync::Arc;

use wasmtime::StoreContextMut;
use wasmtime::component::LinkerInstance;

use super::call::{Running, Site};
use super::handles::ResourceKinds;
use super::host::Host;
use super::outcome::LimitHit;
use super::{CapabilityError, Provide};
use crate::scope::ScopeFunction;
use crate::trace;

/// The console has no grant and no state but the call's log.
pub(crate) struct Console;

impl Provide for Console {
    fn define(
        &self,
        target: &mut LinkerInstance<'_, Host>,
        site: Arc<Site>,
        function: &ScopeFunction,
        _kinds: &Arc<ResourceKinds>,
    ) -> Result<(), CapabilityError> {
        let work = match function.wit.as_str() {
            "print" => print,
            "panicked" => panicked,
            _ => {
                return Err(CapabilityError::Unknown {
                    import: site.import.clone(),
                    function: function.wit.clone(),
                });
            }
        };
        target.func_wrap(
            &function.wit,
            move |mut store: StoreContextMut<'_, Host>, (mut line,): (String,)| {
                let host = store.data_mut();
                if site.function == "panicked" {
                    line = placed(line, &host.snippet_lines);
                }
                let running = Running::enter(
                    host,
                    &site,
                    line.len() as u64,
                    || vec![trace::text(&line)],
                    Vec::new,
                )?;
                work(host, running, line)
            },
        )?;
        Ok(())
    }
}

/// Appends a line. The line that does not fit any more is cut, kept, and ends the guest.
fn print(host: &mut Host, running: Running<'_>, mut line: String) -> wasmtime::Result<()> {
    let at = host.limits.log;
    // The line's end counts: otherwise empty lines would be free.
    let used = host.log_bytes.saturating_add(line.len() as u64 + 1);
    if used > at {
        let left = usize::try_from(at.saturating_sub(host.log_bytes)).unwrap_or(usize::MAX);
        line.truncate(line.floor_char_boundary(left.min(line.len())));
        if !line.is_empty() {
            host.observer.log(&line, host.labels);
            host.log.push(line);
        }
        host.log_bytes = at;
        return Err(running.fail(
            host,
            LimitHit {
                name: "log",
                at,
                used,
            },
        ));
    }
    host.log_bytes = used;
    host.observer.log(&line, host.labels);
    host.log.push(line);
    running.leave(host, 0, || None)
}

/// The panic text in the words of whoever wrote the snippet. The guest's runtime says `TEXT`, then `at LINE:COLUMN` of
/// the file that was compiled, on a line of its own; a place in what Lacuna put around the snippet is left out.
fn placed(message: String, lines: &Range<u32>) -> String {
    let Some((text, place)) = message.rsplit_once("\nat ") else {
        return message;
    };
    let Some((line, column)) = place.split_once(':') else {
        return message;
    };
    match (line.parse::<u32>(), column.parse::<u32>()) {
        (Ok(line), Ok(column)) if lines.contains(&line) => format!(
            "panicked at snippet:{}:{column}: {text}",
            line - lines.start + 1
        ),
        (Ok(_), Ok(_)) => text.to_owned(),
        _ => message,
    }
}

/// Keeps the panic text. It is cut at the log's size rather than counted against it: the guest is about to end anyway,
/// and what it says now is worth more than the limit's name.
fn panicked(host: &mut Host, running: Running<'_>, mut message: String) -> wasmtime::Result<()> {
    let most = usize::try_from(host.limits.log).unwrap_or(usize::MAX);
    message.truncate(message.floor_char_boundary(most.min(message.len())));
    host.panic = Some(message);
    running.leave(host, 0, || None)
}

#[cfg(test)]
mod tests {
    use super::placed;

    #[test]
    fn places_are_the_snippets_own() {
        let placed = |text: &str| placed(text.to_owned(), &(2..5));
        assert_eq!(placed("boom\nat 2:9"), "panicked at snippet:1:9: boom");
        assert_eq!(
            placed("a\nat b\nat 4:1"),
            "panicked at snippet:3:1: a\nat b"
        );
        assert_eq!(placed("boom\nat 1:9"), "boom");
        assert_eq!(placed("boom\nat 5:9"), "boom");
        assert_eq!(placed("look\nat it"), "look\nat it");
        assert_eq!(placed("boom"), "boom");
    }
}
