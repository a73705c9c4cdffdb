//! Figures of a run.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

use serde_json::json;

use crate::oracle::Fault;

/// A fault with the case that shows it.
#[derive(Clone, Debug)]
pub struct Found {
    /// The case's number; a batch's first one where no single case did it.
    pub case: u64,
    /// What is wrong.
    pub fault: Fault,
}

/// What a run has seen.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Cases that were judged.
    pub cases: u64,
    /// Of them accepted.
    pub accepted: u64,
    /// Rejected, by stage.
    pub rejected: BTreeMap<&'static str, u64>,
    /// Plans that were refused, by origin.
    pub refused: BTreeMap<&'static str, u64>,
    /// Plans that were filled, by origin.
    pub plans: BTreeMap<&'static str, u64>,
    /// By kind of snippet: cases and how many were accepted.
    pub kinds: BTreeMap<&'static str, (u64, u64)>,
    /// Calls of accepted snippets, by how they ended.
    pub calls: BTreeMap<String, u64>,
    /// Answers of models that were accepted after a repair.
    pub repaired: u64,
    /// Sets of imports that accepted components have.
    pub imports: BTreeSet<BTreeSet<String>>,
    /// Codes of diagnostics.
    pub codes: BTreeMap<String, u64>,
    /// Longest judgement and its case.
    pub slowest: (Duration, u64),
    /// Cases of the kind that was asked for which were rejected, with the reason.
    pub listed: Vec<(u64, String)>,
    /// Faults.
    pub faults: Vec<Found>,
    /// Time of the whole run.
    pub elapsed: Duration,
    /// Peak of resident memory of the process in KiB.
    pub memory: u64,
}

impl Report {
    /// Share of accepted cases, in percent.
    pub fn accepted_percent(&self) -> f64 {
        self.accepted as f64 * 100.0 / self.cases.max(1) as f64
    }

    /// Adds another worker's figures.
    pub fn add(&mut self, other: Self) {
        fn sum<K: Ord>(into: &mut BTreeMap<K, u64>, from: BTreeMap<K, u64>) {
            for (key, count) in from {
                *into.entry(key).or_default() += count;
            }
        }
        self.cases += other.cases;
        self.accepted += other.accepted;
        self.repaired += other.repaired;
        sum(&mut self.rejected, other.rejected);
        sum(&mut self.refused, other.refused);
        sum(&mut self.plans, other.plans);
        sum(&mut self.calls, other.calls);
        sum(&mut self.codes, other.codes);
        for (kind, (cases, accepted)) in other.kinds {
            let all = self.kinds.entry(kind).or_default();
            all.0 += cases;
            all.1 += accepted;
        }
        self.imports.extend(other.imports);
        self.slowest = self.slowest.max(other.slowest);
        self.listed.extend(other.listed);
        self.faults.extend(other.faults);
        self.elapsed = self.elapsed.max(other.elapsed);
        self.memory = self.memory.max(other.memory);
    }
}

impl Report {
    /// The figures that other programs read.
    pub fn json(&self) -> serde_json::Value {
        let faults: Vec<serde_json::Value> = self.faults.iter().map(|found| {
            json!({ "case": found.case, "oracle": found.fault.oracle, "message": found.fault.message })
        }).collect();
        json!({
            "cases": self.cases, "accepted": self.accepted, "rejected": self.rejected, "plans": self.plans, "refused": self.refused,
            "calls": self.calls, "repaired": self.repaired, "imports": self.imports.len(), "codes": self.codes,
            "slowest": { "millis": self.slowest.0.as_millis() as u64, "case": self.slowest.1 },
            "seconds": self.elapsed.as_secs_f64(), "memory": self.memory, "faults": faults,
        })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn list<K: fmt::Display>(counts: &BTreeMap<K, u64>) -> String {
            let parts: Vec<String> = counts
                .iter()
                .map(|(key, count)| format!("{key} {count}"))
                .collect();
            if parts.is_empty() {
                "none".to_owned()
            } else {
                parts.join(", ")
            }
        }
        let seconds = self.elapsed.as_secs_f64();
        for (case, reason) in &self.listed {
            writeln!(f, "case {case}: {reason}")?;
        }
        writeln!(
            f,
            "cases       {} in {seconds:.0} s, {:.1} a second",
            self.cases,
            self.cases as f64 / seconds.max(0.001)
        )?;
        writeln!(
            f,
            "accepted    {} ({:.1} %)",
            self.accepted,
            self.accepted_percent()
        )?;
        writeln!(f, "rejected    {}", list(&self.rejected))?;
        writeln!(
            f,
            "plans       {}; refused: {}",
            list(&self.plans),
            list(&self.refused)
        )?;
        let kinds = self
            .kinds
            .iter()
            .map(|(kind, (cases, accepted))| format!("{kind} {accepted}/{cases}"));
        writeln!(
            f,
            "kinds       {} (accepted/all)",
            kinds.collect::<Vec<_>>().join(", ")
        )?;
        writeln!(f, "calls       {}", list(&self.calls))?;
        writeln!(f, "repaired    {}", self.repaired)?;
        writeln!(f, "import sets {}", self.imports.len())?;
        writeln!(f, "codes       {}", self.codes.len())?;
        writeln!(
            f,
            "slowest     {} ms, case {}",
            self.slowest.0.as_millis(),
            self.slowest.1
        )?;
        writeln!(f, "memory      {} MiB at most", self.memory / 1024)?;
        writeln!(f, "faults      {}", self.faults.len())?;
        for found in &self.faults {
            writeln!(
                f,
                "  case {}: {}: {}",
                found.case, found.fault.oracle, found.fault.message
            )?;
        }
        Ok(())
    }
}
