//! What a call of a granted function costs, from the guest's call to its result, beside the same done directly.
//!
//! A guest makes many calls in one of its own; what a call with none of them takes is subtracted.

use std::future::Future;
use std::path::Path;
use std::pin::Pin;
use std::time::Instant;

use lacuna::{Fill, Lacuna};
use serde_json::json;

use crate::kinds;
use crate::table::{Samples, Table, since};

/// Calls that are measured together.
const TIMES: u32 = 200;

/// Asks for what is done once, before anything is measured.
const FIRST: u32 = u32::MAX;

/// The same without a guest; gives a number that both must agree on.
pub(crate) type Direct = Box<dyn Fn() -> Pin<Box<dyn Future<Output = u64>>>>;

/// What a kind of call needs to be granted and made.
#[derive(Clone, Copy, Default)]
pub(crate) struct Kind<'a> {
    /// In the table.
    pub(crate) name: &'static str,
    /// Items of the package before its world.
    pub(crate) items: &'a str,
    /// Imports of the world.
    pub(crate) imports: &'a str,
    /// `[hole.calls.grant.…]`.
    pub(crate) grants: &'a str,
    /// Statements that make ready.
    pub(crate) first: &'a str,
    /// An expression of type `u64`.
    pub(crate) call: &'a str,
}

/// One kind of call.
pub(crate) struct Row {
    name: &'static str,
    fill: Fill,
    direct: Direct,
    expected: u64,
    through: Samples,
    alone: Samples,
}

/// All kinds.
pub(crate) struct Calls(Vec<Row>);

impl Calls {
    pub(crate) async fn new(lacuna: &Lacuna, work: &Path) -> Self {
        Self(kinds::all(lacuna, &work.join("calls")).await)
    }

    pub(crate) async fn round(&mut self) {
        for row in &mut self.0 {
            row.round().await;
        }
    }

    pub(crate) fn print(&self, table: &mut Table) {
        table.heading("One call of a granted function");
        for row in &self.0 {
            table.micros(&format!("{}, by the guest", row.name), &row.through);
            table.micros("… directly, without a guest", &row.alone);
            table.ratio("… ratio", &row.through.over(&row.alone));
        }
    }
}

impl Row {
    pub(crate) async fn new(
        lacuna: &Lacuna,
        folder: &Path,
        kind: Kind<'_>,
        direct: Direct,
    ) -> Self {
        let Kind {
            name,
            items,
            imports,
            grants,
            first,
            call,
        } = kind;
        std::fs::create_dir_all(folder).unwrap();
        let wit = format!(
            "package bench:calls@0.1.0;\n{items}\nworld calls {{\n  {imports}\n  export run: func(times: u32) -> u64;\n}}\n"
        );
        std::fs::write(folder.join("plan.wit"), wit).unwrap();
        std::fs::write(
            folder.join("lacuna.toml"),
            format!("schema = 1\n{grants}\n"),
        )
        .unwrap();
        let plan = lacuna.load(folder.join("plan.wit")).unwrap();
        let code = format!(
            "pub fn run(times: u32) -> u64 {{
                if times == {FIRST} {{ {first} return 0; }}
                (0..times).map(|_| -> u64 {{ {call} }}).sum()
            }}"
        );
        let fill = plan.entry(None).unwrap().fill_with(&code).await.unwrap();
        fill.call(json!({ "times": FIRST })).await.unwrap();
        let expected = direct().await;
        Self {
            name,
            fill,
            direct,
            expected,
            through: Samples::default(),
            alone: Samples::default(),
        }
    }

    async fn round(&mut self) {
        let started = Instant::now();
        for _ in 0..TIMES {
            assert_eq!((self.direct)().await, self.expected);
        }
        self.alone.push(since(started) / f64::from(TIMES));
        let none = self.call(0).await;
        let all = self.call(TIMES).await;
        self.through.push((all - none) / f64::from(TIMES));
    }

    /// Milliseconds of one call of the hole that makes so many.
    async fn call(&self, times: u32) -> f64 {
        let started = Instant::now();
        let called = self.fill.call(json!({ "times": times })).await.unwrap();
        let elapsed = since(started);
        assert_eq!(called.json(), json!(u64::from(times) * self.expected));
        elapsed
    }
}
