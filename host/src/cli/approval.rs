//! `--approve`: who is asked before a call that can't be undone.
#![expect(
    clippy::disallowed_methods,
    reason = "the answer comes from the terminal on standard input"
)]

use std::io::{BufRead, IsTerminal};
use std::sync::Arc;

use super::arguments::Approval;
use super::report::Terminal;
use crate::capability::approval::{Approve, BoxFuture, Decision, Request};

/// Most characters of an argument that a question shows; the hash stands for the rest.
const MOST_SHOWN: usize = 2000;

/// Decides as the flag says.
pub(super) struct Flag {
    approval: Approval,
    terminal: Terminal,
    /// One question at a time.
    asking: Arc<tokio::sync::Mutex<()>>,
}

impl Flag {
    pub(super) fn new(approval: Approval, terminal: &Terminal) -> Self {
        Self {
            approval,
            terminal: terminal.clone(),
            asking: Arc::default(),
        }
    }
}

impl Approve for Flag {
    fn approve(&self, request: Arc<Request>) -> BoxFuture<'static, Decision> {
        let refused = |by: &str| {
            let by = by.to_owned();
            std::future::ready(Decision {
                approved: false,
                by,
            })
        };
        match self.approval {
            Approval::Never => Box::pin(refused("--approve never")),
            Approval::Ask if !std::io::stdin().is_terminal() => {
                Box::pin(refused("--approve ask, and standard input is no terminal"))
            }
            Approval::Ask => {
                let (terminal, asking) = (self.terminal.clone(), Arc::clone(&self.asking));
                Box::pin(async move {
                    let _turn = asking.lock().await;
                    question(&terminal, &request);
                    let approved = tokio::task::spawn_blocking(answer).await.unwrap_or(false);
                    Decision {
                        approved,
                        by: "a person at the terminal".to_owned(),
                    }
                })
            }
        }
    }
}

fn question(terminal: &Terminal, request: &Request) {
    let function = crate::grant::written(&request.function);
    terminal.line(format_args!(
        "approve? `{}.{function}` of the hole `{}` can't be undone",
        request.import, request.hole
    ));
    for (number, argument) in request.arguments.iter().enumerate() {
        let text = argument.to_string();
        let shown: String = text.chars().take(MOST_SHOWN).collect();
        let more = match shown.len() < text.len() {
            true => format!(" … ({} bytes)", text.len()),
            false => String::new(),
        };
        terminal.line(format_args!("  argument {}: {shown}{more}", number + 1));
    }
    terminal.line(format_args!("  {}", request.hash()));
    terminal.line(format_args!(
        "  type `yes` to make this call; anything else refuses it"
    ));
}

/// What the person typed. Only a whole word approves: a key pressed too early must not.
fn answer() -> bool {
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line);
    read.is_ok() && line.trim() == "yes"
}
