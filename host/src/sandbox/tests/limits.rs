//! Every limit, at two values.

use std::time::{Duration, Instant};

use super::support::{self, bare, guest, guest_with_memory, run};
use crate::budget::RunLimits;
use crate::capability::FailureKind;
use crate::sandbox::Report;
use crate::value::{Type, Value};

const MIB: u64 = 1024 * 1024;

/// The limit that ended the call.
#[track_caller]
fn limit(report: &Report) -> (&'static str, u64, u64) {
    match &report.result {
        Err(failure) => match failure.kind {
            FailureKind::Limit { name, at, used } => {
                assert!(
                    failure.message.contains(&format!("limit `{name}`")),
                    "{failure}"
                );
                (name, at, used)
            }
            _ => panic!("{failure:?}"),
        },
        Ok(value) => panic!("{value:?}"),
    }
}

fn endless() -> String {
    guest(
        "",
        r#"(func (export "run") (loop $l (br $l)))"#,
        &[("run", "")],
    )
}

#[tokio::test]
async fn fuel() {
    for fuel in [10_000, 1_000_000] {
        let limits = RunLimits {
            fuel,
            ..RunLimits::default()
        };
        let report = run(&endless(), Vec::new(), &limits, "run", Vec::new()).await;
        assert_eq!(limit(&report), ("fuel", fuel, fuel));
        assert_eq!(report.fuel, fuel);
    }
}

#[tokio::test]
async fn wall_ends_guest_code() {
    for millis in [50, 200] {
        let limits = RunLimits {
            wall: Duration::from_millis(millis),
            fuel: u64::MAX,
            ..RunLimits::default()
        };
        let started = Instant::now();
        let report = run(&endless(), Vec::new(), &limits, "run", Vec::new()).await;
        let (name, at, used) = limit(&report);
        assert_eq!((name, at), ("wall", millis));
        assert!(used >= millis, "{used}");
        assert!(started.elapsed() < Duration::from_secs(2));
    }
}

#[tokio::test]
async fn a_dropped_call_ends_and_its_instance_is_gone() {
    let limits = RunLimits {
        fuel: u64::MAX,
        ..RunLimits::default()
    };
    let (sandbox, program) = support::load(&endless(), Vec::new(), &limits).await;
    let mut instance = sandbox
        .instance(&program, std::sync::Arc::new(()))
        .await
        .unwrap();
    let call = crate::sandbox::Call {
        interface: None,
        function: "run".to_owned(),
        arguments: Vec::new(),
        labels: Default::default(),
        named: Vec::new(),
    };
    let started = Instant::now();
    let ended = tokio::time::timeout(Duration::from_millis(50), instance.call(&call)).await;
    assert!(ended.is_err());
    assert!(started.elapsed() < Duration::from_secs(1));
    let failure = instance.call(&call).await.result.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Gone);
    assert!(failure.message.contains("cancelled"), "{failure}");
}

#[tokio::test]
async fn memory_in_steps() {
    // A page more each time; a guest that only looks at the result of `memory.grow` would never notice.
    let wat = guest(
        "",
        r#"(func (export "run") (loop $l (drop (memory.grow (i32.const 16))) (br $l)))"#,
        &[("run", "")],
    );
    // Past the reserved 64 MiB memories are moved, and are counted all the same.
    for memory in [4 * MIB, 100 * MIB] {
        let limits = RunLimits {
            memory,
            ..RunLimits::default()
        };
        let report = run(&wat, Vec::new(), &limits, "run", Vec::new()).await;
        let (name, at, used) = limit(&report);
        assert_eq!((name, at), ("memory", memory));
        assert!(used > memory && used <= memory + MIB, "{used}");
        assert!(report.memory <= memory && report.memory + MIB > memory);
    }
}

#[tokio::test]
async fn memory_of_the_start_counts() {
    let wat = guest_with_memory("", r#"(func (export "run"))"#, &[("run", "")], 32);
    for memory in [MIB, 2 * MIB - 1] {
        let limits = RunLimits {
            memory,
            ..RunLimits::default()
        };
        let (sandbox, program) = support::load(&wat, Vec::new(), &limits).await;
        let failure = sandbox
            .instance(&program, std::sync::Arc::new(()))
            .await
            .unwrap_err();
        assert_eq!(
            failure.kind,
            FailureKind::Limit {
                name: "memory",
                at: memory,
                used: 2 * MIB
            }
        );
    }
}

#[tokio::test]
async fn tables() {
    let wat = guest(
        "",
        r#"(table $t 1 funcref)
        (func (export "run") (loop $l (drop (table.grow $t (ref.null func) (i32.const 10))) (br $l)))"#,
        &[("run", "")],
    );
    for tables in [100, 5000] {
        let limits = RunLimits {
            tables,
            ..RunLimits::default()
        };
        let report = run(&wat, Vec::new(), &limits, "run", Vec::new()).await;
        let (name, at, used) = limit(&report);
        assert_eq!((name, at), ("tables", tables));
        assert!(used > tables && used <= tables + 10);
    }
}

#[tokio::test]
async fn stack_of_the_engine() {
    // Counts how deep it came in a global that a second, fresh instance can't see, so depth is told by fuel.
    let wat = guest(
        "",
        r#"(func $deep (param i32) (result i32) (i32.add (i32.const 1) (call $deep (local.get 0))))
        (func (export "run") (result i32) (call $deep (i32.const 1)))"#,
        &[("run", "(result u32)")],
    );
    let mut fuel = Vec::new();
    for stack in [64 * 1024, 1024 * 1024] {
        let limits = RunLimits {
            stack,
            ..RunLimits::default()
        };
        let report = run(&wat, Vec::new(), &limits, "run", Vec::new()).await;
        let (name, at, _) = limit(&report);
        assert_eq!((name, at), ("stack", stack));
        fuel.push(report.fuel);
    }
    assert!(fuel[1] > 10 * fuel[0], "{fuel:?}");
}

#[tokio::test]
async fn stack_in_linear_memory() {
    // What code does with an array that is larger than its stack: the pointer wraps below 0.
    let wat = guest(
        "",
        r#"(func (export "run") (i32.store (i32.sub (i32.const 4096) (i32.const 8192)) (i32.const 1)))"#,
        &[("run", "")],
    );
    for stack in [64 * 1024, 512 * 1024] {
        let limits = RunLimits {
            stack,
            ..RunLimits::default()
        };
        let report = run(&wat, Vec::new(), &limits, "run", Vec::new()).await;
        let (name, at, used) = limit(&report);
        assert_eq!((name, at), ("stack", stack));
        assert!(used > at);
    }
}

fn printing() -> String {
    guest(
        support::CONSOLE,
        r#"(func (export "run") (param i32) (loop $l (call $print (i32.const 0) (local.get 0)) (br $l)))"#,
        &[("run", "(param \"n\" u32)")],
    )
}

#[tokio::test]
async fn host_calls() {
    for host_calls in [0, 3, 500] {
        let limits = RunLimits {
            host_calls,
            ..RunLimits::default()
        };
        let report = run(
            &printing(),
            vec![support::console()],
            &limits,
            "run",
            vec![Value::U32(0)],
        )
        .await;
        assert_eq!(limit(&report), ("host-calls", host_calls, host_calls + 1));
        assert_eq!(report.log.len() as u64, host_calls);
    }
}

#[tokio::test]
async fn log() {
    for log in [5, 1000] {
        let limits = RunLimits {
            log,
            ..RunLimits::default()
        };
        let report = run(
            &printing(),
            vec![support::console()],
            &limits,
            "run",
            vec![Value::U32(9)],
        )
        .await;
        let (name, at, used) = limit(&report);
        assert_eq!((name, at), ("log", log));
        assert!(used > log && used <= log + 10);
        let kept: usize = report.log.iter().map(String::len).sum();
        assert!(kept as u64 <= log && !report.log.is_empty());
    }
}

#[tokio::test]
async fn crossing_of_arguments() {
    for (crossing, length) in [(1000, 1001), (40_000, 60_000)] {
        let limits = RunLimits {
            crossing,
            result: 10,
            log: MIB,
            ..RunLimits::default()
        };
        let report = run(
            &printing(),
            vec![support::console()],
            &limits,
            "run",
            vec![Value::U32(length)],
        )
        .await;
        let (name, at, used) = limit(&report);
        assert_eq!((name, at), ("crossing", crossing));
        assert!(used > crossing);
        assert!(report.log.is_empty());
    }
}

#[tokio::test]
async fn crossing_of_a_host_result() {
    let wat = guest(
        r#"(import "page" (func $page (result string)))
        (core func $page-lowered (canon lower (func $page) (memory (core memory $base "memory")) (realloc (core func $base "realloc"))))
        ;;IMPORTS;; (import "host" "page" (func $page (param i32)))
        ;;WITH;; (export "page" (func $page-lowered))"#,
        r#"(func (export "run") (call $page (i32.const 8)))"#,
        &[("run", "")],
    );
    let page = bare(
        "page",
        Vec::new(),
        Some(Type::String),
        serde_json::json!({ "page": "x".repeat(5000) }),
    );
    for (crossing, fits) in [(1000, false), (4000, false), (9000, true)] {
        let limits = RunLimits {
            crossing,
            ..RunLimits::default()
        };
        let report = run(&wat, vec![page.clone()], &limits, "run", Vec::new()).await;
        if fits {
            assert_eq!(report.result, Ok(None));
        } else {
            let (name, at, used) = limit(&report);
            assert_eq!((name, at), ("crossing", crossing));
            assert!(used >= 5000);
        }
    }
}

#[tokio::test]
async fn result() {
    // A list of n bytes.
    let wat = guest_with_memory(
        "",
        r#"(func (export "run") (param i32) (result i32)
          (i32.store (i32.const 8) (i32.const 64)) (i32.store (i32.const 12) (local.get 0)) (i32.const 8))"#,
        &[("run", "(param \"n\" u32) (result string)")],
        160,
    );
    for (result, length) in [
        (1000, 1001),
        (1000, 10 * MIB as u32 - 100),
        (100_000, 100_001),
    ] {
        let limits = RunLimits {
            result,
            ..RunLimits::default()
        };
        let report = run(&wat, Vec::new(), &limits, "run", vec![Value::U32(length)]).await;
        let (name, at, used) = limit(&report);
        assert_eq!((name, at), ("result", result));
        assert!(used > result, "{used}");
    }
}

#[tokio::test]
async fn stack_in_linear_memory_ends_at_the_limit() {
    // As rustc links: the pointer is the first global, frames of 1 KiB are taken below it. `run` counts its frames where
    // a second call of the same instance could not see them, so the depth is told by fuel.
    let wat = r#"(component
      (core module $M
        (memory (export "memory") 17)
        (global $sp (mut i32) (i32.const 1048576))
        (func $deep (local $frame i32)
          (local.set $frame (i32.sub (global.get $sp) (i32.const 1024)))
          (global.set $sp (local.get $frame))
          (i32.store (local.get $frame) (i32.const 1))
          (call $deep)
          (global.set $sp (i32.add (local.get $frame) (i32.const 1024))))
        (func (export "run") (call $deep)))
      (core instance $m (instantiate $M))
      (func (export "run") (canon lift (core func $m "run"))))"#;
    let mut fuel = Vec::new();
    for stack in [256 * 1024, 512 * 1024] {
        let limits = RunLimits {
            stack,
            ..RunLimits::default()
        };
        let report = run(wat, Vec::new(), &limits, "run", Vec::new()).await;
        let (name, at, _) = limit(&report);
        assert_eq!((name, at), ("stack", stack));
        let message = report.result.unwrap_err().message;
        assert!(message.contains("linear memory"), "{message}");
        fuel.push(report.fuel);
    }
    // Twice the frames, to the frame.
    assert!(fuel[1].abs_diff(2 * fuel[0]) < 50, "{fuel:?}");
}

#[tokio::test]
async fn host_call_wall() {
    use crate::capability::call::{self, Site};
    use crate::capability::host::Host;
    use std::sync::mpsc;
    use wasmtime::AsContextMut;

    for millis in [30, 150] {
        let limits = RunLimits {
            host_call_wall: Duration::from_millis(millis),
            ..RunLimits::default()
        };
        let host = Host::new(limits, std::sync::Arc::new(()));
        let mut store = wasmtime::Store::new(&wasmtime::Engine::default(), host);
        let site = Site {
            import: "repo".to_owned(),
            function: "walk".to_owned(),
            rules: Default::default(),
        };
        let (ended, end) = mpsc::channel();
        let started = Instant::now();
        let answer = call::blocking(
            store.as_context_mut(),
            &site,
            (String::new(),),
            move |_, bounds| {
                while !bounds.abandoned() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                ended.send(()).unwrap();
                Ok(())
            },
        )
        .await;
        assert!(answer.is_err());
        let failure = store.data_mut().take_failure().unwrap();
        let FailureKind::Limit { name, at, used } = failure.kind else {
            panic!("{failure}");
        };
        assert_eq!((name, at), ("host-call-wall", millis));
        assert!(used >= millis && started.elapsed() < Duration::from_secs(2));
        // The thread has learned that nobody waits.
        end.recv_timeout(Duration::from_secs(2)).unwrap();
    }
}
