//! What a host program gives to the engine: providers of its own, a say in calls that can't be undone, labels.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test writes its own plans"
)]

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use lacuna::capability::approval::{Approve, BoxFuture, Decision, Request};
use lacuna::capability::tool::{FunctionType, Functions, ImportType, Provider, Serve, ToolCall};
use lacuna::labels::Labels;
use lacuna::sandbox::{Failure, FailureKind};
use lacuna::value::Value;
use lacuna::{Builder, Called, Error, Lacuna};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

const SHOP: &str = r#"package demo:shop@0.1.0;

interface orders {
  record order { id: u32, item-name: string, price: option<f64> }
  variant fault { unknown(u32), closed(string) }
  resource cursor { constructor(first: u32); next: func() -> option<order>; }
  find: func(id: u32) -> result<order, fault>;
  count: func() -> u64;
  remember: func(line: string);
  slow: func(millis: u32) -> u32;
}

world hole {
  import orders;
  export run: func(n: u32) -> string;
}
"#;

const ID: &str = "demo:shop/orders";

struct Plan {
    folder: tempfile::TempDir,
}

impl Plan {
    fn new(wit: &str, manifest: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("plan.wit"), wit).unwrap();
        let manifest =
            format!("schema = 1\n[hole.hole.grant.orders]\nprovider = \"host\"\n{manifest}\n");
        std::fs::write(folder.path().join("lacuna.toml"), manifest).unwrap();
        Self { folder }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("plan.wit")
    }

    async fn run(&self, builder: Builder, snippet: &str, labels: Labels) -> Result<Called, Error> {
        let plan = builder.build()?.load(self.file())?;
        let plan = plan.with_trace(&self.folder.path().join("trace.jsonl"))?;
        let hole = plan.hole("hole")?;
        let fill = hole.fill_with(snippet).await?;
        fill.call_labelled(json!({ "n": 3 }), labels).await
    }

    fn trace(&self) -> Vec<Json> {
        let text = std::fs::read_to_string(self.folder.path().join("trace.jsonl")).unwrap();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Order {
    id: u32,
    item_name: String,
    price: Option<f64>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
enum Fault {
    Unknown(u32),
}

#[derive(Deserialize)]
struct Find {
    id: u32,
}

/// Orders, as a host program would serve them: typed, async and blocking, with a state.
fn orders(made: Arc<AtomicUsize>) -> Functions<Mutex<Vec<String>>> {
    let state = move || {
        made.fetch_add(1, Ordering::SeqCst);
        Mutex::new(Vec::new())
    };
    Functions::new(state)
        .on("find", |_, find: Find| async move {
            tokio::task::yield_now().await;
            Ok::<_, String>(match find.id {
                0 => Err(Fault::Unknown(0)),
                id => Ok(Order {
                    id,
                    item_name: format!("item {id}"),
                    price: None,
                }),
            })
        })
        .blocking("count", |lines: &Mutex<Vec<String>>, (): ()| {
            Ok::<_, String>(lines.lock().unwrap().len() as u64)
        })
        .blocking(
            "remember",
            |lines: &Mutex<Vec<String>>, (line,): (String,)| {
                lines.lock().unwrap().push(line);
                Ok::<_, String>(())
            },
        )
        .on("slow", |_, (millis,): (u32,)| async move {
            tokio::time::sleep(Duration::from_millis(millis.into())).await;
            Ok::<_, String>(millis)
        })
}

const FUNCTIONS: &str = "functions = [\"find\", \"count\", \"remember\", \"slow\"]\nsends = []\nlabels = { find = [], count = [], remember = [], slow = [] }";

fn serving(made: &Arc<AtomicUsize>) -> Builder {
    Lacuna::builder().provide(ID, orders(Arc::clone(made)))
}

fn failure(result: Result<Called, Error>) -> Failure {
    match result {
        Err(Error::Failed { failure, .. }) => failure,
        Err(error) => panic!("{error}"),
        Ok(called) => panic!("{}", called.wave()),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn closures_serve_an_interface_with_a_state_for_each_session() {
    let made = Arc::new(AtomicUsize::new(0));
    let plan = Plan::new(SHOP, FUNCTIONS);
    let snippet = r#"
        for at in 0..n { orders::remember(&format!("line {at}")); }
        let found = orders::find(7).map(|order| format!("{} {} {:?}", order.id, order.item_name, order.price));
        let missing = match orders::find(0) { Err(Fault::Unknown(id)) => format!("unknown {id}"), _ => "?".to_string() };
        format!("{} {} {missing}", orders::count(), found.unwrap_or_default())"#;
    let called = plan
        .run(serving(&made), snippet, Labels::NONE)
        .await
        .unwrap();
    assert_eq!(called.wave(), "\"3 7 item 7 None unknown 0\"");
    assert_eq!(made.load(Ordering::SeqCst), 1);
    let again = plan
        .run(serving(&made), snippet, Labels::NONE)
        .await
        .unwrap();
    assert_eq!(
        again.wave(),
        "\"3 7 item 7 None unknown 0\"",
        "another session has a state of its own"
    );
    assert_eq!(made.load(Ordering::SeqCst), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_is_asked_while_the_plan_is_loaded() {
    let open = |builder: Builder, manifest: &str| {
        let plan = Plan::new(SHOP, manifest);
        let session = builder.build().unwrap().load(plan.file()).unwrap();
        session
            .hole("hole")
            .map(drop)
            .map_err(|error| error.to_string())
    };
    let made = Arc::new(AtomicUsize::new(0));
    assert_eq!(
        open(Lacuna::builder(), FUNCTIONS).unwrap_err(),
        "`orders` is to be served by the host program, which has no provider for `demo:shop/orders@0.1.0`"
    );
    assert_eq!(
        open(serving(&made), "").unwrap_err(),
        "the tool `orders` cannot be used: the host program does not serve cursor.constructor, cursor.next"
    );
    open(serving(&made), FUNCTIONS).unwrap();
    let by_label = Lacuna::builder().provide("orders", orders(Arc::clone(&made)));
    open(by_label, FUNCTIONS).unwrap();
    assert_eq!(
        made.load(Ordering::SeqCst),
        0,
        "nothing is opened before it is needed"
    );
}

/// Answers whatever it is told to, whatever was asked.
struct Odd(Option<Value>);

impl Provider for Odd {
    fn open(&self, _import: &ImportType) -> Result<Arc<dyn Serve>, String> {
        Ok(Arc::new(Self(self.0.clone())))
    }
}

impl Serve for Odd {
    fn link(&self, function: &FunctionType) -> Result<(), String> {
        match function.name.as_str() {
            "slow" => Err("it is too slow".to_owned()),
            _ => Ok(()),
        }
    }

    fn call(&self, _call: ToolCall) -> BoxFuture<'static, Result<Option<Value>, Failure>> {
        Box::pin(std::future::ready(Ok(self.0.clone())))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_of_another_type_is_a_failed_call() {
    let plan = Plan::new(SHOP, "");
    for (answer, snippet, words) in [
        (
            Some(Value::String("x".into())),
            "orders::count().to_string()",
            "the tool `orders` answered `count` with a value that is no u64",
        ),
        (
            None,
            "orders::count().to_string()",
            "the tool `orders` answered `count` with no value",
        ),
        (
            Some(Value::U64(1)),
            "orders::remember(\"x\"); String::new()",
            "the tool `orders` answered `remember` with a value, and it has none",
        ),
        (
            Some(Value::String("c".into())),
            "let _ = Cursor::new(1); String::new()",
            "with a wrong handle",
        ),
        (
            None,
            "orders::slow(1).to_string()",
            "the tool `orders.slow` cannot be used: it is too slow",
        ),
    ] {
        let builder = Lacuna::builder().provide(ID, Odd(answer));
        let error = plan.run(builder, snippet, Labels::NONE).await.unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
    // A right handle is one.
    let builder = Lacuna::builder().provide(ID, Odd(Some(Value::String("@1".into()))));
    plan.run(
        builder,
        "let _ = Cursor::new(1); String::new()",
        Labels::NONE,
    )
    .await
    .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_is_slow_or_panics_ends_the_call_and_nothing_else() {
    let made = Arc::new(AtomicUsize::new(0));
    let plan = Plan::new(
        SHOP,
        &format!("{FUNCTIONS}\n[limits]\nhost-call-wall = \"200ms\""),
    );
    let failed = failure(
        plan.run(
            serving(&made),
            "orders::slow(5000).to_string()",
            Labels::NONE,
        )
        .await,
    );
    assert_eq!(failed.limit().unwrap().name, "host-call-wall");
    let panics = Functions::new(|| ())
        .blocking("count", |(): &(), (): ()| -> Result<u64, String> {
            panic!("no")
        });
    let plan = Plan::new(SHOP, "functions = [\"count\"]");
    let failed = failure(
        plan.run(
            Lacuna::builder().provide(ID, panics),
            "orders::count().to_string()",
            Labels::NONE,
        )
        .await,
    );
    assert_eq!(failed.message, "orders.count: it panicked");
}

/// Writes down what it is asked, and says the same to all.
#[derive(Clone)]
struct Clerk {
    approved: bool,
    takes: Duration,
    asked: Arc<Mutex<Vec<Arc<Request>>>>,
}

impl Approve for Clerk {
    fn approve(&self, request: Arc<Request>) -> BoxFuture<'static, Decision> {
        self.asked.lock().unwrap().push(request);
        let (approved, takes) = (self.approved, self.takes);
        Box::pin(async move {
            tokio::time::sleep(takes).await;
            Decision {
                approved,
                by: "the clerk".to_owned(),
            }
        })
    }
}

fn clerk(approved: bool, millis: u64) -> Clerk {
    Clerk {
        approved,
        takes: Duration::from_millis(millis),
        asked: Arc::default(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_that_cannot_be_undone_are_asked_for_one_by_one() {
    let made = Arc::new(AtomicUsize::new(0));
    // The clerk takes longer than the hole has: the time is not the hole's.
    let plan = Plan::new(
        SHOP,
        &format!(
            "{FUNCTIONS}\nirreversible = [\"remember\"]\n[limits]\nwall = \"600ms\"\nhost-call-wall = \"300ms\""
        ),
    );
    let snippet = "orders::remember(\"a\"); orders::remember(\"a\"); orders::count().to_string()";
    let slow = clerk(true, 700);
    let called = plan
        .run(serving(&made).approve(slow.clone()), snippet, Labels::NONE)
        .await
        .unwrap();
    assert_eq!(called.wave(), "\"2\"");
    let asked = slow.asked.lock().unwrap().clone();
    assert_eq!(asked.len(), 2);
    assert_eq!(
        (asked[0].function.as_str(), &asked[0].arguments),
        ("remember", &vec![json!("a")])
    );
    assert!(asked[0].component.starts_with("blake3:"));
    assert_eq!(
        asked[0].hash(),
        asked[1].hash(),
        "the same call of the same component"
    );
    let events = plan.trace();
    let approvals: Vec<_> = events
        .iter()
        .filter(|event| event["event"] == "approval")
        .collect();
    assert_eq!(approvals.len(), 2);
    assert_eq!(approvals[0]["hash"], asked[0].hash());
    assert_eq!(
        (&approvals[0]["answer"], &approvals[0]["by"]),
        (&json!(true), &json!("the clerk"))
    );
    // Another argument or another component is another thing to approve.
    let other = clerk(false, 0);
    let result = plan
        .run(
            serving(&made).approve(other.clone()),
            "orders::remember(\"b\"); String::new()",
            Labels::NONE,
        )
        .await;
    let error = result.unwrap_err();
    assert_eq!(error.exit_code(), 2);
    let failed = failure(Err(error));
    assert_eq!(failed.kind, FailureKind::Approval);
    assert_eq!(
        failed.message,
        "`orders.remember` was not called: it can't be undone, and it was not approved (the clerk)"
    );
    assert_ne!(other.asked.lock().unwrap()[0].hash(), asked[0].hash());
    // A function will do.
    let refuse = |_: &Request| false;
    let failed = failure(
        plan.run(serving(&made).approve(refuse), snippet, Labels::NONE)
            .await,
    );
    assert_eq!(failed.kind, FailureKind::Approval);
}

#[tokio::test(flavor = "multi_thread")]
async fn labels_of_arguments_hold_back_what_is_sent() {
    let made = Arc::new(AtomicUsize::new(0));
    // Says nothing but that the count is harmless: it sends and gives everything.
    let plan = Plan::new(
        SHOP,
        "functions = [\"count\", \"remember\"]\nlabels.count = []",
    );
    let snippet = "orders::remember(&n.to_string()); \"sent\".to_string()";
    let called = plan
        .run(serving(&made), snippet, Labels::NONE)
        .await
        .unwrap();
    assert_eq!(
        called.labels,
        Labels::ALL,
        "a tool that says nothing has all labels"
    );
    let called = plan
        .run(serving(&made), snippet, Labels::UNTRUSTED)
        .await
        .unwrap();
    assert!(called.labels.covers(Labels::UNTRUSTED));
    let failed = failure(plan.run(serving(&made), snippet, Labels::PRIVATE).await);
    assert_eq!(failed.rule.as_deref(), Some("orders.remember: sends"));
    let events = plan.trace();
    let flow = events
        .iter()
        .find(|event| event["event"] == "flow")
        .unwrap();
    assert_eq!(
        (&flow["rule"], &flow["labels"]),
        (&json!("orders.remember: sends"), &json!(["private"]))
    );
    // The arguments carried the label, so the trace has no value of them.
    let text = serde_json::to_string(&events).unwrap();
    let start = events
        .iter()
        .find(|event| event["event"] == "run-start")
        .unwrap();
    assert_eq!(start["arguments"][0]["masked"], true, "{text}");
    assert!(
        start["arguments"][0]["hash"]
            .as_str()
            .unwrap()
            .starts_with("blake3-keyed:")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_labelled_is_masked_in_the_trace_unless_it_is_asked_for() {
    let made = Arc::new(AtomicUsize::new(0));
    let plan = Plan::new(
        SHOP,
        "functions = [\"find\", \"remember\"]\nsends = []\nlabels.find = [\"private\"]\nlabels.remember = []",
    );
    let snippet = r#"
        let name = orders::find(41).map(|order| order.item_name).unwrap_or_default();
        println!("it is {name}");
        orders::remember(&name);
        if n == 3 { panic!("gone wrong with {name}") }
        name"#;
    let failed = failure(plan.run(serving(&made), snippet, Labels::NONE).await);
    assert!(
        failed.message.contains("item 41"),
        "whoever runs it is told: {failed}"
    );
    let text = std::fs::read_to_string(plan.folder.path().join("trace.jsonl")).unwrap();
    assert!(!text.contains("item 41"), "{text}");
    let events = plan.trace();
    let call = events
        .iter()
        .find(|event| event["event"] == "call" && event["function"] == "find")
        .unwrap();
    assert_eq!(
        call["arguments"][0],
        json!({ "value": 41, "labels": [] }),
        "nothing private had come in yet"
    );
    assert_eq!(
        (&call["result"]["masked"], &call["result"]["labels"]),
        (&json!(true), &json!(["private"]))
    );
    // The same, shown.
    let file = plan.folder.path().join("shown.jsonl");
    let session = serving(&made).build().unwrap().load(plan.file()).unwrap();
    let session = session.with_labelled_trace(&file, Labels::PRIVATE).unwrap();
    let fill = session
        .hole("hole")
        .unwrap()
        .fill_with(snippet)
        .await
        .unwrap();
    assert_eq!(
        fill.call(json!({ "n": 1 })).await.unwrap().wave(),
        "\"item 41\""
    );
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.contains("it is item 41"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn words_of_a_tool_that_fails_are_what_its_results_are() {
    let fails = Functions::new(|| ()).blocking("count", |(): &(), (): ()| {
        Err::<u64, _>("no row for card 4711")
    });
    let plan = Plan::new(SHOP, "functions = [\"count\"]");
    let builder = Lacuna::builder().provide(ID, fails);
    let failed = failure(
        plan.run(builder, "orders::count().to_string()", Labels::NONE)
            .await,
    );
    assert_eq!(failed.message, "orders.count: no row for card 4711");
    let text = std::fs::read_to_string(plan.folder.path().join("trace.jsonl")).unwrap();
    assert!(text.contains("run-end") && !text.contains("4711"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_outcome_lists_what_was_sent_and_not_more_of_it_than_can_be_kept() {
    let made = Arc::new(AtomicUsize::new(0));
    let plan = Plan::new(SHOP, &format!("{FUNCTIONS}\nirreversible = [\"remember\"]"));
    let snippet = r#"
        orders::remember("first");
        for _ in 0..3 { orders::remember(&"x".repeat(500_000)); }
        panic!("then it went wrong")"#;
    let error = plan
        .run(serving(&made), snippet, Labels::NONE)
        .await
        .unwrap_err();
    let Error::Failed { sent, .. } = error else {
        panic!("{error}");
    };
    assert_eq!(
        (sent[0].function.as_str(), &sent[0].arguments),
        ("remember", &vec![json!("first")])
    );
    let kept: Vec<bool> = sent.iter().map(|sent| !sent.cut).collect();
    assert_eq!(kept, [true, true, true, false], "a mebibyte in all");
}
