//! What a running hole does, passed on to trace and watch.

use serde_json::json;

use super::hole::Hole;
use super::progress::Progress;
use crate::sandbox::{HostCall, Observer};
use crate::trace;

/// Observes the instances of one hole.
pub(super) struct Observed {
    hole: Hole,
}

impl Observed {
    pub(super) fn new(hole: Hole) -> Self {
        Self { hole }
    }
}

impl Observer for Observed {
    fn wants_calls(&self) -> bool {
        self.hole.session().trace().enabled()
    }

    fn host_call(&self, call: HostCall<'_>) {
        let trace = self.hole.session().trace();
        if !trace.enabled() {
            return;
        }
        let mut fields = json!({
            "import": call.import, "function": call.function, "millis": call.elapsed.as_millis() as u64,
            "irreversible": call.irreversible,
            "arguments": call.arguments.iter().cloned().map(trace::value).collect::<Vec<_>>(),
        });
        match call.result {
            Ok(result) => fields["result"] = result.cloned().map_or(json!(null), trace::value),
            Err(error) => fields["error"] = json!(error),
        }
        trace.emit("call", Some(self.hole.at(None)), fields);
    }

    fn log(&self, line: &str) {
        self.hole.session().trace().emit(
            "log",
            Some(self.hole.at(None)),
            json!({ "text": trace::text(line) }),
        );
        self.hole.lacuna().watch().progress(&Progress::Log {
            path: self.hole.path(),
            line,
        });
    }
}
