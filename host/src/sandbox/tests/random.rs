//! `lacuna:random` over several instances of one program.

use std::sync::Arc;

use super::support::{guest, load, random};
use crate::budget::RunLimits;
use crate::capability::FailureKind;
use crate::sandbox::{Call, Program, Report, Sandbox};
use crate::value::Value;

/// A guest whose `run` gives one number of `float`.
fn drawing() -> String {
    guest(
        r#"(import "lacuna:random/random@0.1.0" (instance $random (export "float" (func (result f64)))))
        (core func $float-lowered (canon lower (func $random "float")))
        ;;IMPORTS;; (import "host" "float" (func $float (result f64)))
        ;;WITH;; (export "float" (func $float-lowered))
        "#,
        r#"(func (export "run") (result f64) (call $float))"#,
        &[("run", "(result f64)")],
    )
}

async fn draw(sandbox: &Sandbox, program: &Program, times: usize) -> Vec<Report> {
    let mut instance = sandbox.instance(program, Arc::new(())).await.unwrap();
    let mut reports = Vec::new();
    for _ in 0..times {
        let call = Call {
            interface: None,
            function: "run".to_owned(),
            arguments: Vec::new(),
            labels: Default::default(),
            named: Vec::new(),
        };
        reports.push(instance.call(&call).await);
    }
    reports
}

fn numbers(reports: Vec<Report>) -> Vec<f64> {
    let number = |report: Report| match report.result {
        Ok(Some(Value::Float64(number))) => number,
        other => panic!("{other:?}"),
    };
    reports.into_iter().map(number).collect()
}

/// The numbers are a Python program's, written after the documentation of `capability::random`.
#[tokio::test]
async fn each_instance_has_a_stream_of_its_own_and_each_load_begins_again() {
    for _ in 0..2 {
        let limits = RunLimits::default();
        let (sandbox, program) = load(&drawing(), vec![random(Some(11))], &limits).await;
        let first = numbers(draw(&sandbox, &program, 2).await);
        let second = numbers(draw(&sandbox, &program, 2).await);
        assert_eq!(first, [0.410_999_377_129_829_6, 0.311_922_434_270_373_47]);
        assert_eq!(second, [0.506_168_826_821_166, 0.622_900_919_459_372_2]);
    }
}

#[tokio::test]
async fn without_a_seed_no_two_instances_are_alike() {
    let (sandbox, program) = load(&drawing(), vec![random(None)], &RunLimits::default()).await;
    let first = numbers(draw(&sandbox, &program, 2).await);
    let second = numbers(draw(&sandbox, &program, 2).await);
    assert!(first[0] != first[1] && first != second);
}

#[tokio::test]
async fn a_call_without_time_is_none() {
    let limits = RunLimits {
        host_call_wall: std::time::Duration::ZERO,
        ..RunLimits::default()
    };
    let (sandbox, program) = load(&drawing(), vec![random(None)], &limits).await;
    let failure = draw(&sandbox, &program, 1)
        .await
        .remove(0)
        .result
        .unwrap_err();
    let name = "host-call-wall";
    assert_eq!(
        failure.kind,
        FailureKind::Limit {
            name,
            at: 0,
            used: 0
        }
    );
}
