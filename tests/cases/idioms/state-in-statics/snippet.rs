use std::cell::{Cell, OnceCell, RefCell};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, RwLock};
static TABLE: LazyLock<HashMap<&'static str, u32>> = LazyLock::new(|| HashMap::from([("a", 1), ("b", 2)]));
static ONCE: OnceLock<Vec<u32>> = OnceLock::new();
static COUNT: AtomicUsize = AtomicUsize::new(0);
static LOG: Mutex<Vec<String>> = Mutex::new(Vec::new());
static CACHE: LazyLock<Mutex<HashMap<u64, u64>>> = LazyLock::new(Default::default);
thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static SEEN: RefCell<Vec<String>> = RefCell::new(Vec::new());
}
fn fib(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    if let Some(&v) = CACHE.lock().unwrap().get(&n) {
        return v;
    }
    let v = fib(n - 1) + fib(n - 2);
    CACHE.lock().unwrap().insert(n, v);
    v
}
pub fn run(text: String) -> String {
    COUNT.fetch_add(1, Ordering::SeqCst);
    LOG.lock().unwrap().push(text.clone());
    DEPTH.with(|d| d.set(d.get() + 1));
    SEEN.with(|s| s.borrow_mut().push(text.clone()));
    let shared = Arc::new(RwLock::new(0));
    {
        *shared.write().unwrap() += 1;
    }
    let c: OnceCell<u8> = OnceCell::new();
    format!(
        "{} {:?} {} {} {} {}",
        fib(20),
        TABLE.get(text.as_str()),
        ONCE.get_or_init(|| vec![1]).len(),
        c.get_or_init(|| 3),
        shared.read().unwrap(),
        Arc::strong_count(&shared)
    )
}
