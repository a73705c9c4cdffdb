//! What a server's JSON adds up to: one object, or a stream of pieces.

/// An answer as far as it has come.
#[derive(Debug, Default)]
pub(in crate::model) struct Reply {
    /// The text; what a model thought before it is not part of it.
    pub(in crate::model) text: String,
    /// The model's words of a refusal, where they have a field of their own.
    pub(in crate::model) refusal: String,
    /// What the provider says of a refusal; may be blank.
    pub(in crate::model) refused: Option<String>,
    /// How it ended; `None` while it has not.
    pub(in crate::model) end: Option<End>,
    /// Why it ended, in the provider's word.
    pub(in crate::model) stop_reason: Option<String>,
    /// Input tokens, cached ones included.
    pub(in crate::model) tokens_in: Option<u64>,
    /// Output tokens, those of thoughts included.
    pub(in crate::model) tokens_out: Option<u64>,
    /// Whether anything of an answer has come.
    pub(in crate::model) begun: bool,
    /// Whether nothing can follow.
    pub(in crate::model) last: bool,
}

/// How an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::model) enum End {
    /// The model had said all.
    Complete,
    /// At the limit of output tokens.
    Length,
    /// The model can hold no more.
    Window,
}

impl Reply {
    /// It has ended, for a reason.
    pub(in crate::model) fn ended(&mut self, end: End, reason: &str) {
        self.end = Some(end);
        self.stop_reason = Some(reason.to_owned());
    }

    /// It has ended because the model, or a filter before it, does not want to.
    pub(in crate::model) fn refused(&mut self, words: &str, reason: &str) {
        self.ended(End::Complete, reason);
        self.refused = Some(words.to_owned());
    }

    /// Why there is no answer, when someone did not want to: the provider's words and the model's, which may stand where
    /// answers do.
    pub(in crate::model) fn why_refused(&self) -> Option<String> {
        let refusal = self.refusal.trim();
        let provider = self.refused.as_deref().map(str::trim);
        let own = match refusal {
            "" => provider.map(|_| self.text.trim()),
            refusal => Some(refusal),
        };
        Some(match (provider.unwrap_or_default(), own?) {
            ("", "") => "it gives no reason".to_owned(),
            (words, "") | ("", words) => words.to_owned(),
            (words, own) => format!("{words}; it wrote: {own}"),
        })
    }
}
