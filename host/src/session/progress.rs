//! What happens, told as it happens.

use std::time::Duration;

use crate::diagnostic::{Fix, Rejection};
use crate::model::Usage;

/// One thing that happened.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Progress<'a> {
    /// Something is set up that later runs will find ready.
    Preparing {
        /// What, one line.
        what: &'a str,
    },
    /// The bindings of a hole's scope are compiled, unless they are in the cache.
    Binding {
        /// Place in the tree.
        path: &'a str,
    },
    /// A model is asked.
    Asking {
        /// Place in the tree.
        path: &'a str,
        /// Attempt, from 1.
        attempt: u32,
        /// Attempts allowed.
        of: u32,
        /// The model.
        model: &'a str,
    },
    /// A part of an answer has come.
    Receiving {
        /// Place in the tree.
        path: &'a str,
        /// Attempt, from 1.
        attempt: u32,
        /// Bytes of the answer's text so far.
        bytes: u64,
    },
    /// A provider waits, tries again, or warns.
    Note {
        /// Place in the tree.
        path: &'a str,
        /// One line.
        text: &'a str,
    },
    /// A person is shown what they are asked.
    Text {
        /// Place in the tree.
        path: &'a str,
        /// Lines to be copied as they are: escape them before a terminal sees them.
        text: &'a str,
    },
    /// An answer has come.
    Answered {
        /// Place in the tree.
        path: &'a str,
        /// Attempt, from 1.
        attempt: u32,
        /// Tokens in and out.
        usage: Usage,
        /// US dollars, when the model has a price.
        usd: Option<f64>,
        /// From request to last byte.
        elapsed: Duration,
    },
    /// A request has got no answer; the error that ends the hole says why.
    Unanswered {
        /// Place in the tree.
        path: &'a str,
        /// Attempt, from 1.
        attempt: u32,
        /// Tokens that the budget is charged with: the most that the request can have used, 0 when it was never sent.
        charged: Usage,
        /// US dollars for them, when the model has a price.
        usd: Option<f64>,
        /// From request to failure, retries included.
        elapsed: Duration,
    },
    /// A snippet is judged: screened, compiled, linked.
    Judging {
        /// Place in the tree.
        path: &'a str,
        /// Attempt, from 1; 0 for code that was given and not asked for.
        attempt: u32,
    },
    /// A snippet was rejected; nothing of it has run.
    Rejected {
        /// Place in the tree.
        path: &'a str,
        /// Attempt, from 1; 0 for code that was given and not asked for.
        attempt: u32,
        /// The code that was found in the answer, which the diagnostics speak of.
        code: Option<&'a str>,
        /// Why.
        rejection: &'a Rejection,
    },
    /// A snippet was accepted.
    Accepted {
        /// Place in the tree.
        path: &'a str,
        /// Attempt, from 1; 0 for code that was given and not asked for.
        attempt: u32,
        /// The code, after the fixes.
        code: &'a str,
        /// Fixes of the compiler that were applied first.
        repaired: &'a [Fix],
        /// Time of the judgement.
        elapsed: Duration,
    },
    /// A fill is called.
    Calling {
        /// Place in the tree.
        path: &'a str,
        /// The function.
        function: &'a str,
    },
    /// A call has ended, with a value or without.
    Returned {
        /// Place in the tree.
        path: &'a str,
        /// The function.
        function: &'a str,
    },
    /// A hole has ended: nothing more comes from it.
    Ended {
        /// Place in the tree.
        path: &'a str,
    },
    /// A line was printed by the hole.
    Log {
        /// Place in the tree.
        path: &'a str,
        /// The line, as the hole wrote it: escape it before a terminal sees it.
        line: &'a str,
    },
}

/// Is told what happens. Called from any task; should return at once.
pub trait Watch: Send + Sync {
    /// Something happened.
    fn progress(&self, event: &Progress<'_>);
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Watch for Silent {
    fn progress(&self, _: &Progress<'_>) {}
}
