//! `--approve`: who is asked before a call that can't be undone.
#![expect(
    clippy::disallowed_methods,
    reason = "the answer comes from the terminal on standard input"
)]

use std::io::IsTerminal;
use std::sync::Arc;

use rustix::termios::{QueueSelector, tcflush};

use super::arguments::Approval;
use super::report::Terminal;
use crate::capability::approval::{Approve, BoxFuture, Decision, Request};

/// Most bytes of arguments that a question shows. Nobody approves what is not shown, so a call with more is refused.
const MOST_SHOWN: usize = 64 * 1024;

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
            Approval::Ask if size(&request) > MOST_SHOWN => Box::pin(refused(
                "--approve ask, and the arguments are too large to be shown",
            )),
            Approval::Ask => {
                let (terminal, asking) = (self.terminal.clone(), Arc::clone(&self.asking));
                Box::pin(async move {
                    let _turn = asking.lock().await;
                    question(&terminal, &request);
                    // What was typed before the question is no answer to it.
                    let _ = tcflush(std::io::stdin(), QueueSelector::IFlush);
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
        terminal.line(format_args!("  argument {}: {argument}", number + 1));
    }
    terminal.line(format_args!("  {}", request.hash()));
    terminal.line(format_args!(
        "  type `yes` to make this call; anything else refuses it"
    ));
}

fn size(request: &Request) -> usize {
    let arguments = request.arguments.iter();
    arguments.map(|argument| argument.to_string().len()).sum()
}

/// What the person typed. Only a whole word approves: a key pressed too early must not. A terminal gives one line to one
/// read, so that what follows it, typed or pasted, is not kept for the next question.
fn answer() -> bool {
    let mut line = [0; 256];
    match rustix::io::read(std::io::stdin(), &mut line) {
        Ok(count) => line[..count].trim_ascii() == b"yes",
        Err(_) => false,
    }
}
