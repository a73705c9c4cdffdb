//! What an answer cost.

use crate::prompt::Prompt;

use super::Answer;

/// Bytes that stand for a token when the provider does not count: near the truth for English and for code, and the
/// budget must not stay at zero for a provider that is silent about it.
const BYTES_PER_TOKEN: u64 = 4;

/// Tokens of one request and its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// Input tokens.
    pub input: u64,
    /// Output tokens.
    pub output: u64,
    /// Whether one of the two is an estimate (a quarter of the bytes), because the provider did not count.
    pub estimated: bool,
}

impl Answer {
    /// The tokens of this answer to `prompt`: the provider's count, or else an estimate that is marked as one.
    pub fn usage(&self, prompt: &Prompt) -> Usage {
        Usage {
            input: self.tokens_in.unwrap_or_else(|| estimate(&prompt.text)),
            output: self.tokens_out.unwrap_or_else(|| estimate(&self.text)),
            estimated: self.tokens_in.is_none() || self.tokens_out.is_none(),
        }
    }
}

impl Usage {
    /// Input and output together, as `budget.tokens` counts them.
    pub fn total(&self) -> u64 {
        self.input.saturating_add(self.output)
    }
}

fn estimate(text: &str) -> u64 {
    (text.len() as u64).div_ceil(BYTES_PER_TOKEN)
}
