//! Samples, and the table they are printed as (Markdown, so that it can be quoted).

use std::time::Instant;

/// Milliseconds since `started`.
pub(crate) fn since(started: Instant) -> f64 {
    started.elapsed().as_secs_f64() * 1000.0
}

/// One number a round.
#[derive(Clone, Default)]
pub(crate) struct Samples(Vec<f64>);

impl Samples {
    pub(crate) fn push(&mut self, sample: f64) {
        self.0.push(sample);
    }

    /// Round by round.
    pub(crate) fn plus(&self, other: &Self) -> Self {
        self.with(other, |left, right| left + right)
    }

    pub(crate) fn minus(&self, other: &Self) -> Self {
        self.with(other, |left, right| left - right)
    }

    pub(crate) fn over(&self, other: &Self) -> Self {
        self.with(other, |left, right| left / right)
    }

    fn with(&self, other: &Self, combine: impl Fn(f64, f64) -> f64) -> Self {
        assert_eq!(self.0.len(), other.0.len());
        Self(
            self.0
                .iter()
                .zip(&other.0)
                .map(|(left, right)| combine(*left, *right))
                .collect(),
        )
    }

    fn at(&self, share: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        // The nearest rank: the smallest sample that `share` of all are not above.
        let rank = (share * sorted.len() as f64).ceil() as usize;
        sorted[rank.saturating_sub(1)]
    }
}

/// The middle one.
pub(crate) fn median(samples: &[f64]) -> f64 {
    Samples(samples.to_vec()).at(0.5)
}

pub(crate) struct Table {
    rounds: usize,
    lines: Vec<String>,
}

impl Table {
    pub(crate) fn new(rounds: usize) -> Self {
        Self {
            rounds,
            lines: Vec::new(),
        }
    }

    pub(crate) fn heading(&mut self, text: &str) {
        self.lines.push(format!("| **{text}** | | |"));
    }

    pub(crate) fn millis(&mut self, name: &str, samples: &Samples) {
        self.row(name, samples, |value| format!("{value:.1} ms"));
    }

    pub(crate) fn micros(&mut self, name: &str, samples: &Samples) {
        self.row(name, samples, |value| format!("{:.0} µs", value * 1000.0));
    }

    pub(crate) fn ratio(&mut self, name: &str, samples: &Samples) {
        self.row(name, samples, |value| format!("{value:.2}"));
    }

    pub(crate) fn kilobytes(&mut self, name: &str, samples: &Samples) {
        self.row(name, samples, |value| format!("{:.0} kB", value / 1e3));
    }

    pub(crate) fn text(&mut self, name: &str, value: &str) {
        self.lines.push(format!("| {name} | {value} | |"));
    }

    fn row(&mut self, name: &str, samples: &Samples, show: impl Fn(f64) -> String) {
        let (middle, high) = (show(samples.at(0.5)), show(samples.at(0.95)));
        self.lines.push(format!("| {name} | {middle} | {high} |"));
    }

    pub(crate) fn show(&self) {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        println!(
            "{} rounds, {cores} cores, {}, no cache hits\n\n| | median | p95 |\n|---|---|---|",
            self.rounds,
            std::env::consts::ARCH
        );
        self.lines.iter().for_each(|line| println!("{line}"));
    }
}
