use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::sync::{atomic::{AtomicUsize, Ordering}, Arc, LazyLock, Mutex, RwLock};
static TABLE: LazyLock<Mutex<Vec<u32>>> = LazyLock::new(|| Mutex::new(vec![1]));
static CALLS: AtomicUsize = AtomicUsize::new(0);
const fn table() -> [u32; 4] { let mut t = [0; 4]; let mut at = 0; while at < 4 { t[at] = at as u32; at += 1; } t }
const SUM: u32 = { let t = table(); t[1] + t[2] + t[3] };
thread_local! { static LOG: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) } }
struct Loud(&'static str);
impl Drop for Loud { fn drop(&mut self) { LOG.with_borrow_mut(|log| log.push(self.0)); } }
let shared = Arc::new(RwLock::new(1));
{ let again = Arc::clone(&shared); *again.write().unwrap() += 2; }
TABLE.lock().unwrap().push(2);
let once = OnceCell::new();
let first = once.get_or_init(|| { CALLS.fetch_add(1, Ordering::SeqCst); 7 });
{ let _a = Loud("a"); let _b = Loud("b"); }
let mut own = Rc::new(vec![1]);
let other = Rc::clone(&own);
let strong = Rc::strong_count(&own);
Rc::make_mut(&mut own).push(9);
let cell = Cell::new(CALLS.load(Ordering::SeqCst));
assert_eq!(cell.replace(5), 1);
vec![
    shared.read().unwrap().to_string(),
    format!("{:?}", TABLE.lock().unwrap()),
    SUM.to_string(),
    format!("{:?}", once.set(8).map_err(|_| ()).or(Ok::<_, ()>(())).map(|()| first)),
    format!("{strong} strong"),
    LOG.take().join(" "),
    format!("own {own:?} shared {other:?}"),
]
