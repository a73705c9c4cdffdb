//! The clock of the epoch: one thread per process that advances every engine while a guest runs.
//!
//! A tick is what lets a guest in an endless loop be stopped by the wall time, and lets its thread do other work in
//! between. When no guest has run for a while the thread sleeps.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use wasmtime::{Engine, EngineWeak};

/// Between two ticks. It is how late a wall limit can be noticed inside guest code.
pub(super) const TICK: Duration = Duration::from_millis(5);

/// Ticks without a guest before the thread sleeps. To wake it costs as much as a short call, so calls in a row must not.
const LINGER: u32 = 20;

#[derive(Default)]
struct Ticker {
    engines: Mutex<Vec<EngineWeak>>,
    running: AtomicUsize,
    asleep: AtomicBool,
    idle: Mutex<()>,
    wake: Condvar,
}

fn ticker() -> &'static Ticker {
    static TICKER: OnceLock<Ticker> = OnceLock::new();
    TICKER.get_or_init(Ticker::default)
}

/// Has the engine ticked from now on, as long as it lives.
pub(super) fn tick(engine: &Engine) {
    static THREAD: OnceLock<bool> = OnceLock::new();
    let ticker = ticker();
    ticker
        .engines
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(engine.weak());
    // Without the thread guests would still be stopped by fuel, and by the timer wherever they call the host.
    THREAD.get_or_init(|| {
        thread::Builder::new()
            .name("lacuna-epoch".to_owned())
            .spawn(run)
            .is_ok()
    });
}

/// Keeps the ticker going as long as it lives.
pub(super) struct Active(());

/// A guest is about to run.
pub(super) fn active() -> Active {
    let ticker = ticker();
    ticker.running.fetch_add(1, Ordering::SeqCst);
    // In one order with the thread's own two steps: either this sees it asleep, or it sees the guest.
    if ticker.asleep.load(Ordering::SeqCst) {
        let _guard = ticker.idle.lock().unwrap_or_else(PoisonError::into_inner);
        ticker.wake.notify_one();
    }
    Active(())
}

impl Drop for Active {
    fn drop(&mut self) {
        ticker().running.fetch_sub(1, Ordering::SeqCst);
    }
}

fn run() {
    let ticker = ticker();
    let mut unused = 0;
    loop {
        unused = match ticker.running.load(Ordering::SeqCst) {
            0 => unused + 1,
            _ => 0,
        };
        if unused > LINGER {
            let mut guard = ticker.idle.lock().unwrap_or_else(PoisonError::into_inner);
            ticker.asleep.store(true, Ordering::SeqCst);
            while ticker.running.load(Ordering::SeqCst) == 0 {
                guard = ticker
                    .wake
                    .wait(guard)
                    .unwrap_or_else(PoisonError::into_inner);
            }
            ticker.asleep.store(false, Ordering::SeqCst);
            unused = 0;
        }
        thread::sleep(TICK);
        ticker
            .engines
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .retain(|engine| match engine.upgrade() {
                Some(engine) => {
                    engine.increment_epoch();
                    true
                }
                None => false,
            });
    }
}
