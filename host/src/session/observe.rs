//! What a running hole does, passed on to trace and watch.

use serde_json::json;

use super::hole::Hole;
use super::progress::Progress;
use crate::capability::approval::{Decision, Request};
use crate::labels::Labels;
use crate::sandbox::{HostCall, Observer};

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
            "arguments": call.arguments.iter().cloned().map(|it| trace.value(it, call.labels)).collect::<Vec<_>>(),
        });
        match call.result {
            Ok(result) => {
                fields["result"] = result
                    .cloned()
                    .map_or(json!(null), |it| trace.value(it, call.result_labels));
            }
            // What ended the guest is told in our own words, or in a tool's, which is what the tool's results are.
            Err(error) => fields["error"] = trace.text(error, call.result_labels),
        }
        trace.emit("call", Some(self.hole.at(None)), fields);
    }

    fn approval(&self, request: &Request, decision: &Decision, labels: Labels) {
        let trace = self.hole.session().trace();
        if !trace.enabled() {
            return;
        }
        let arguments = request.arguments.iter().cloned();
        let arguments: Vec<_> = arguments.map(|it| trace.value(it, labels)).collect();
        trace.emit(
            "approval",
            Some(self.hole.at(None)),
            json!({
                "what": { "import": request.import, "function": request.function, "arguments": arguments,
                          "component": request.component },
                "hash": request.hash(), "answer": decision.approved, "by": decision.by,
            }),
        );
    }

    fn flow(&self, rule: &str, labels: Labels) {
        let fields = json!({ "rule": rule, "labels": labels });
        self.hole
            .session()
            .trace()
            .emit("flow", Some(self.hole.at(None)), fields);
    }

    fn log(&self, line: &str, labels: Labels) {
        let trace = self.hole.session().trace();
        if trace.enabled() {
            let fields = json!({ "text": trace.text(line, labels) });
            trace.emit("log", Some(self.hole.at(None)), fields);
        }
        self.hole.lacuna().watch().progress(&Progress::Log {
            path: self.hole.path(),
            line,
        });
    }
}
