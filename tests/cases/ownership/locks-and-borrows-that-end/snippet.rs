use std::{cell::RefCell, sync::Mutex};
fn tail() -> u32 { let c = RefCell::new(vec![1, 2]); c.borrow().len() as u32 }
let m = Mutex::new(Vec::from([1u32]));
let mut out = Vec::new();
for _ in 0..2 {
    if let Some(n) = m.lock().unwrap().pop() { out.push(n); } else { m.lock().unwrap().push(5); }
}
out.push(tail());
out.extend(m.into_inner().unwrap());
let total = Some(out.len() as u32);
if let Some(n) = total && n > 2 && let [first, ..] = out[..] && first == 1 { out.push(n); }
out
