//! Numbers that a hole can drive, and what is left of them.
//!
//! One [`Budget`] serves a whole session. It only shrinks: a request to a model is reserved before it is sent, at the
//! most it can cost, and settled at what it did cost.

pub mod limits;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

pub use limits::{CompileLimits, ComponentLimits, Limits, ModelLimits, RunLimits};

/// What a session may spend (`[budget]` of the manifest).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Allowance {
    /// Requests to models.
    pub model_calls: u32,
    /// Tokens in and out.
    pub tokens: u64,
    /// US dollars; only models with a price are charged.
    pub usd: f64,
    /// Wall time of the session.
    pub wall: Duration,
}

/// What a session has spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Spent {
    /// Requests to models.
    pub model_calls: u32,
    /// Tokens in and out.
    pub tokens: u64,
    /// US dollars.
    pub usd: f64,
}

/// US dollars per million tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TokenPrice {
    /// Per million input tokens.
    pub input: f64,
    /// Per million output tokens.
    pub output: f64,
}

impl TokenPrice {
    /// The cost of `input` and `output` tokens in US dollars.
    pub fn usd(&self, input: u64, output: u64) -> f64 {
        (input as f64 * self.input + output as f64 * self.output) / 1e6
    }
}

/// A part of the budget is used up, or too small for the next request.
#[derive(Clone, Debug, PartialEq)]
pub struct BudgetError {
    /// The key of `[budget]`.
    pub name: &'static str,
    /// What the budget is, in the key's unit (milliseconds for `wall`).
    pub at: f64,
    /// What would have been used.
    pub used: f64,
    /// What of it the next request would have needed at least; `None` when all of `used` is used already.
    pub needed: Option<f64>,
}

impl std::error::Error for BudgetError {}

impl std::fmt::Display for BudgetError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            name,
            at,
            used,
            needed,
        } = self;
        let unit = unit(name);
        let at = amount(*at);
        let Some(needed) = needed else {
            let used = amount(*used);
            return write!(f, "the budget of `{name}` is used up: {used} of {at}{unit}");
        };
        let before = amount((used - needed).max(0.0));
        match *name {
            "model-calls" => write!(
                f,
                "the budget of `{name}` does not allow another request: {before} of {at} are used"
            ),
            _ => write!(
                f,
                "the budget of `{name}` does not suffice: the next request needs about {}{unit}, and {before} of {at}{unit} are used",
                amount(*needed)
            ),
        }
    }
}

/// A number without the digits that only adding up has brought; millionths of a dollar are exact enough.
fn amount(number: f64) -> String {
    let text = format!("{number:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// What the numbers count, where the key does not say it, with a leading blank.
fn unit(name: &str) -> &'static str {
    match name {
        "wall" => " ms",
        "usd" => " USD",
        _ => "",
    }
}

impl crate::error::Explain for BudgetError {
    fn hint(&self) -> Option<String> {
        Some(format!(
            "raise `budget.{}` in lacuna.toml if this is wanted",
            self.name
        ))
    }
}

/// The budget of one session.
#[derive(Debug)]
pub struct Budget {
    allowance: Allowance,
    started: Instant,
    spent: Mutex<Spent>,
}

/// What is set aside for one request. Dropped without [`Reservation::settle`], all of it counts as spent: a request
/// that was cut off may have cost everything.
#[derive(Debug)]
pub struct Reservation<'a> {
    budget: &'a Budget,
    tokens: u64,
    usd: f64,
    price: Option<TokenPrice>,
    /// The most tokens that the answer may have.
    pub output_tokens: u64,
}

impl Budget {
    /// A budget whose time starts now.
    pub fn new(allowance: Allowance) -> Self {
        Self {
            allowance,
            started: Instant::now(),
            spent: Mutex::default(),
        }
    }

    /// When the session's time ends.
    pub fn deadline(&self) -> Instant {
        self.started + self.allowance.wall
    }

    /// What has been spent or set aside so far.
    pub fn spent(&self) -> Spent {
        *self.lock()
    }

    /// Sets aside one request of about `input_tokens` whose answer has at most `output_tokens`. The answer's share
    /// shrinks to what is left, so that small budgets are used and never exceeded.
    ///
    /// # Errors
    /// Names the first part of the budget that does not suffice; nothing is set aside then.
    pub fn reserve(
        &self,
        input_tokens: u64,
        output_tokens: u64,
        price: Option<TokenPrice>,
    ) -> Result<Reservation<'_>, BudgetError> {
        self.check_wall()?;
        let mut spent = self.lock();
        let calls = spent.model_calls + 1;
        if calls > self.allowance.model_calls {
            return Err(exhausted("model-calls", self.allowance.model_calls, calls).needing(1.0));
        }
        let left = self.allowance.tokens.saturating_sub(spent.tokens);
        if left <= input_tokens {
            let used = spent.tokens.saturating_add(input_tokens);
            return Err(
                exhausted("tokens", self.allowance.tokens as f64, used as f64)
                    .needing(input_tokens as f64),
            );
        }
        let mut output = output_tokens.min(left - input_tokens);
        if let Some(price) = price {
            let left = self.allowance.usd - spent.usd - price.usd(input_tokens, 0);
            if price.output > 0.0 {
                output = output.min((left.max(0.0) * 1e6 / price.output) as u64);
            }
            if left < 0.0 || output == 0 {
                let needed = price.usd(input_tokens, 1);
                let used = spent.usd + needed;
                return Err(exhausted("usd", self.allowance.usd, used).needing(needed));
            }
        }
        let tokens = input_tokens + output;
        let usd = price.map_or(0.0, |price| price.usd(input_tokens, output));
        spent.model_calls = calls;
        spent.tokens += tokens;
        spent.usd += usd;
        Ok(Reservation {
            budget: self,
            tokens,
            usd,
            price,
            output_tokens: output,
        })
    }

    /// # Errors
    /// When the session's time is over.
    pub fn check_wall(&self) -> Result<(), BudgetError> {
        let elapsed = self.started.elapsed();
        if elapsed < self.allowance.wall {
            return Ok(());
        }
        let millis = |time: Duration| time.as_millis() as f64;
        Err(exhausted(
            "wall",
            millis(self.allowance.wall),
            millis(elapsed),
        ))
    }

    fn lock(&self) -> MutexGuard<'_, Spent> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reservation<'_> {
    /// Replaces what was set aside by what was used and returns its cost in US dollars.
    ///
    /// # Errors
    /// When more was used than was set aside and the budget does not cover it: a provider that does not keep to the
    /// bound it was given.
    pub fn settle(self, input_tokens: u64, output_tokens: u64) -> Result<f64, BudgetError> {
        let allowance = self.budget.allowance;
        let usd = self
            .price
            .map_or(0.0, |price| price.usd(input_tokens, output_tokens));
        let mut spent = self.budget.lock();
        spent.tokens =
            (spent.tokens - self.tokens).saturating_add(input_tokens.saturating_add(output_tokens));
        spent.usd = (spent.usd - self.usd).max(0.0) + usd;
        if spent.tokens > allowance.tokens {
            return Err(exhausted(
                "tokens",
                allowance.tokens as f64,
                spent.tokens as f64,
            ));
        }
        if spent.usd > allowance.usd && usd > 0.0 {
            return Err(exhausted("usd", allowance.usd, spent.usd));
        }
        Ok(usd)
    }
}

fn exhausted(name: &'static str, at: impl Into<f64>, used: impl Into<f64>) -> BudgetError {
    BudgetError {
        name,
        at: at.into(),
        used: used.into(),
        needed: None,
    }
}

impl BudgetError {
    fn needing(mut self, needed: f64) -> Self {
        self.needed = Some(needed);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowance() -> Allowance {
        Allowance {
            model_calls: 3,
            tokens: 1000,
            usd: 0.01,
            wall: Duration::from_secs(60),
        }
    }

    #[test]
    fn a_reservation_counts_until_it_is_settled() {
        let budget = Budget::new(allowance());
        let reservation = budget.reserve(100, 300, None).unwrap();
        assert_eq!(budget.spent().tokens, 400);
        reservation.settle(90, 10).unwrap();
        assert_eq!(budget.spent().tokens, 100);
        budget.reserve(100, 300, None).unwrap();
        assert_eq!(
            budget.spent().tokens,
            500,
            "a request that was cut off counts in full"
        );
    }

    #[test]
    fn the_answer_shrinks_to_what_is_left() {
        let budget = Budget::new(allowance());
        assert_eq!(budget.reserve(900, 8000, None).unwrap().output_tokens, 100);
        let price = TokenPrice {
            input: 10.0,
            output: 100.0,
        };
        let budget = Budget::new(allowance());
        let reservation = budget.reserve(100, 8000, Some(price)).unwrap();
        assert_eq!(
            reservation.output_tokens, 90,
            "0.009 dollars are left for the answer"
        );
    }

    #[test]
    fn each_part_is_named_when_it_is_used_up() {
        let budget = Budget::new(allowance());
        assert_eq!(budget.reserve(1000, 1, None).unwrap_err().name, "tokens");
        let price = TokenPrice {
            input: 200.0,
            output: 1.0,
        };
        assert_eq!(budget.reserve(100, 1, Some(price)).unwrap_err().name, "usd");
        for _ in 0..3 {
            budget.reserve(1, 1, None).unwrap().settle(1, 1).unwrap();
        }
        assert_eq!(budget.reserve(1, 1, None).unwrap_err().name, "model-calls");
        let budget = Budget::new(Allowance {
            wall: Duration::ZERO,
            ..allowance()
        });
        assert_eq!(budget.reserve(1, 1, None).unwrap_err().name, "wall");
    }

    /// A request that does not fit is no budget that is used up, and the message says both numbers.
    #[test]
    fn a_request_that_does_not_fit_is_told_with_what_is_used() {
        let budget = Budget::new(allowance());
        budget.reserve(1, 1, None).unwrap().settle(200, 90).unwrap();
        assert_eq!(
            budget.reserve(2000, 1, None).unwrap_err().to_string(),
            "the budget of `tokens` does not suffice: the next request needs about 2000, and 290 of 1000 are used"
        );
        let price = TokenPrice {
            input: 2.5,
            output: 10.0,
        };
        let small = Budget::new(Allowance {
            usd: 0.0123456,
            tokens: 100_000,
            ..allowance()
        });
        let first = small.reserve(100, 1000, Some(price)).unwrap();
        first.settle(100, 1000).unwrap();
        let error = small.reserve(2290, 1, Some(price)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the budget of `usd` does not suffice: the next request needs about 0.005735 USD, and 0.01025 of 0.012346 USD are used"
        );
        assert!(error.used > error.at);
        let none = Budget::new(Allowance {
            model_calls: 0,
            ..allowance()
        });
        assert_eq!(
            none.reserve(1, 1, None).unwrap_err().to_string(),
            "the budget of `model-calls` does not allow another request: 0 of 0 are used"
        );
    }

    #[test]
    fn an_answer_beyond_its_bound_is_an_error() {
        let budget = Budget::new(allowance());
        let reservation = budget.reserve(500, 500, None).unwrap();
        let error = reservation.settle(500, 501).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the budget of `tokens` is used up: 1001 of 1000"
        );
    }
}
