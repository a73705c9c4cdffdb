//! Calls that the command line cannot make, because their values hold resources: a host program holds the handles.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test reads its cases"
)]

mod support;

use std::fs;

use lacuna::plan::arguments::Invocation;
use lacuna::value::Value;
use lacuna::{Called, Error, Fill, Instance, Lacuna};

use support::{program, root};

/// The fill of a case.
async fn fill(case: &str) -> Result<Fill, Error> {
    let folder = root().join("tests/cases").join(case);
    let lacuna = Lacuna::builder().cache(program::cache()).build()?;
    let plan = lacuna.load(folder.join("plan.wit"))?;
    let code = fs::read_to_string(folder.join("snippet.rs")).unwrap();
    plan.hole("hole")?.fill_with(&code).await
}

/// A function of an exported interface.
async fn invoke(
    instance: &mut Instance,
    interface: &str,
    function: &str,
    arguments: Vec<Value>,
) -> Result<Called, Error> {
    let invocation = Invocation {
        interface: Some(interface.to_owned()),
        function: function.to_owned(),
        arguments,
        parameters: Vec::new(),
        result: None,
    };
    instance.invoke(&invocation).await
}

fn text(value: &str) -> Value {
    Value::String(value.to_owned())
}

#[tokio::test]
async fn a_function_value_is_a_resource_with_one_method() {
    let fill = fill("function-results/function-as-resource").await.unwrap();
    let mut instance = fill.instance().await.unwrap();
    let made = invoke(&mut instance, "t:h/fns", "[constructor]roman", vec![]).await;
    let roman = made.unwrap().value.unwrap();
    for (number, expected) in [(14, "XIV"), (9, "IX"), (0, "")] {
        let arguments = vec![roman.clone(), Value::U32(number)];
        let called = invoke(&mut instance, "t:h/fns", "[method]roman.call", arguments).await;
        assert_eq!(called.unwrap().value, Some(text(expected)));
    }
}

#[tokio::test]
async fn a_resource_keeps_its_state_and_its_instance_apart() {
    const COUNTERS: &str = "t:h/counters";
    let fill = fill("exported-interfaces/resource-with-state")
        .await
        .unwrap();
    let mut instance = fill.instance().await.unwrap();
    let start = vec![Value::U32(5)];
    let made = invoke(&mut instance, COUNTERS, "[constructor]counter", start).await;
    let five = made.unwrap().value.unwrap();
    let parsed = invoke(
        &mut instance,
        COUNTERS,
        "[static]counter.parse",
        vec![text("40")],
    )
    .await;
    let Some(Value::Result(Ok(Some(forty)))) = parsed.unwrap().value else {
        panic!("no counter was parsed");
    };
    for (counter, add, expected) in [(&five, 1, 6), (&*forty, 2, 42), (&five, 1, 7)] {
        let arguments = vec![counter.clone(), Value::U32(add)];
        let called = invoke(&mut instance, COUNTERS, "[method]counter.add", arguments).await;
        assert_eq!(called.unwrap().value, Some(Value::U32(expected)));
    }
    let total = invoke(&mut instance, COUNTERS, "total", vec![five.clone()]).await;
    assert_eq!(total.unwrap().value, Some(Value::U32(7)));

    // A static function that fails gives its error and no handle.
    let failed = invoke(
        &mut instance,
        COUNTERS,
        "[static]counter.parse",
        vec![text("x")],
    )
    .await;
    let error = failed.unwrap().value.unwrap();
    assert_eq!(
        error,
        Value::Result(Err(Some(Box::new(text("no number: x")))))
    );

    // The handle belongs to its instance: another one refuses it and is none the worse.
    let mut other = fill.instance().await.unwrap();
    let foreign = invoke(&mut other, COUNTERS, "total", vec![five]).await;
    assert!(foreign.is_err());
}

#[tokio::test]
async fn a_value_that_is_no_handle_is_refused_before_anything_runs() {
    let fill = fill("function-results/function-as-resource").await.unwrap();
    let mut instance = fill.instance().await.unwrap();
    let arguments = vec![Value::U32(1), Value::U32(14)];
    let error = invoke(&mut instance, "t:h/fns", "[method]roman.call", arguments).await;
    let error = error.unwrap_err();
    assert!(error.to_string().contains("another type"), "{error}");
}

#[tokio::test]
async fn what_a_borrow_could_escape_through_is_rejected() {
    for case in [
        "closure-capability/borrowed-handle-kept",
        "exported-interfaces/resource-without-method",
    ] {
        let error = fill(case).await.unwrap_err();
        assert!(matches!(error, Error::Rejected { .. }), "{case}: {error}");
    }
    assert!(fill("closure-capability/owned-handle-kept").await.is_ok());
}
