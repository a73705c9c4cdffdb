//! What a call of a granted function costs, from the guest's call to its result, beside the same done directly.
//!
//! A guest makes many calls in one of its own; what a call with none of them takes is subtracted.

use std::future::Future;
use std::path::Path;
use std::pin::Pin;
use std::time::Instant;

use lacuna::{Fill, Lacuna};
use serde_json::json;

use crate::table::{Samples, Table, since};

/// Calls that are measured together.
const TIMES: u32 = 200;

/// The same without a guest; gives a number that both must agree on.
type Direct = Box<dyn Fn() -> Pin<Box<dyn Future<Output = u64>>>>;

/// One kind of call.
struct Row {
    name: &'static str,
    fill: Fill,
    direct: Direct,
    expected: u64,
    through: Samples,
    alone: Samples,
}

/// All kinds.
pub(crate) struct Calls(Vec<Row>);

/// What a kind needs to be granted and called.
struct Kind<'a> {
    name: &'static str,
    /// Items of the package before its world.
    items: &'a str,
    /// What the world imports.
    import: &'a str,
    /// `[hole.calls.grant.…]`.
    grant: &'a str,
    /// An expression of type `u64`.
    call: &'a str,
}

impl Calls {
    pub(crate) async fn new(lacuna: &Lacuna, work: &Path) -> Self {
        let work = work.join("calls");
        std::fs::create_dir_all(&work).unwrap();
        Self(vec![read(lacuna, &work).await])
    }

    pub(crate) async fn round(&mut self) {
        for row in &mut self.0 {
            row.round().await;
        }
    }

    pub(crate) fn print(&self, table: &mut Table) {
        table.heading("A call of a granted function, beside the same done directly by the host");
        for row in &self.0 {
            table.micros(&format!("{}: directly", row.name), &row.alone);
            table.micros(&format!("{}: from the guest", row.name), &row.through);
            table.ratio("ratio", &row.through.over(&row.alone));
        }
    }
}

impl Row {
    async fn new(lacuna: &Lacuna, folder: &Path, kind: Kind<'_>, direct: Direct) -> Self {
        std::fs::create_dir_all(folder).unwrap();
        let Kind { items, import, .. } = kind;
        let wit = format!(
            "package bench:calls@0.1.0;\n{items}\nworld calls {{\n  import {import};\n  export run: func(times: u32) -> u64;\n}}\n"
        );
        let manifest = format!("schema = 1\n{}\n", kind.grant);
        std::fs::write(folder.join("plan.wit"), wit).unwrap();
        std::fs::write(folder.join("lacuna.toml"), manifest).unwrap();
        let plan = lacuna.load(folder.join("plan.wit")).unwrap();
        let code = format!("(0..times).map(|_| -> u64 {{ {} }}).sum()", kind.call);
        let fill = plan.entry(None).unwrap().fill_with(&code).await.unwrap();
        let expected = direct().await;
        Self {
            name: kind.name,
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

    /// Milliseconds of one call that makes so many.
    async fn call(&self, times: u32) -> f64 {
        let started = Instant::now();
        let called = self.fill.call(json!({ "times": times })).await.unwrap();
        let elapsed = since(started);
        assert_eq!(called.json(), json!(u64::from(times) * self.expected));
        elapsed
    }
}

async fn read(lacuna: &Lacuna, work: &Path) -> Row {
    let folder = work.join("read");
    std::fs::create_dir_all(folder.join("data")).unwrap();
    let file = folder.join("data/file");
    std::fs::write(&file, [b'x'; 1024]).unwrap();
    let kind = Kind {
        name: "fs `read` of 1 KB",
        items: "",
        import: "disk: lacuna:fs/read@0.1.0",
        grant: "[hole.calls.grant.disk]\npath = \"data\"",
        call: "disk::read(\"file\", 0, 1024).unwrap().len() as u64",
    };
    let direct: Direct = Box::new(move || {
        let length = std::fs::read(&file).unwrap().len() as u64;
        Box::pin(std::future::ready(length))
    });
    Row::new(lacuna, &folder, kind, direct).await
}
