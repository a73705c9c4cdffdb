//! Holding a call to the rules of its grant, before it is made.

use serde_json::Value as Json;

use super::approval::Decision;
use super::call::Site;
use super::host::Host;
use super::outcome::{Failure, FailureKind, LimitHit};
use crate::labels::Labels;

/// Whether the call may be made: its number, its arguments, and what the instance has been given.
pub(crate) fn hold(
    host: &mut Host,
    site: &Site,
    exact: impl FnOnce() -> Vec<Json>,
) -> Result<(), Failure> {
    let rules = &site.rules;
    if let Some(at) = rules.calls {
        let key = (site.import.clone(), site.function.clone());
        let used = host.counted.entry(key).or_insert(0);
        *used = used.saturating_add(1);
        if *used > at {
            let mut failure = Failure::from(LimitHit {
                name: "calls",
                at,
                used: *used,
            });
            failure.message = format!("{} of `{}`", failure.message, place(site));
            failure.rule = Some(format!("{}: calls", place(site)));
            return Err(failure);
        }
    }
    if rules.look_at_arguments()
        && let Err(broken) = rules.check(&exact(), &host.parameters)
    {
        return Err(Failure {
            kind: FailureKind::Rule,
            message: format!("`{}` was not called: {broken}", place(site)),
            rule: Some(format!("{}: {}", place(site), broken.rule)),
        });
    }
    // Only *private* must not get out; what is *untrusted* may go where it likes.
    let held = host.labels.without(Labels::UNTRUSTED);
    if rules.sends && !rules.clearance.covers(held) {
        let rule = format!("{}: sends", place(site));
        host.observer.flow(&rule, host.labels);
        return Err(Failure {
            kind: FailureKind::Rule,
            message: format!(
                "`{}` was not called: it sends its arguments out, and the hole has been given values that are {held}",
                place(site)
            ),
            rule: Some(rule),
        });
    }
    Ok(())
}

/// A call that was not approved.
pub(crate) fn refused(site: &Site, decision: &Decision) -> Failure {
    Failure {
        kind: FailureKind::Approval,
        message: format!(
            "`{}` was not called: it can't be undone, and it was not approved ({})",
            place(site),
            decision.by
        ),
        rule: Some(format!("{}: approval", place(site))),
    }
}

fn place(site: &Site) -> String {
    format!("{}.{}", site.import, crate::grant::written(&site.function))
}
