use std::sync::Mutex;

static ALL: Mutex<Vec<u32>> = Mutex::new(Vec::new());

pub fn push(n: u32) -> Result<u32, String> {
    let line = log::emit(&n.to_string())?;
    ALL.lock().unwrap().push(n);
    Ok(line)
}

pub fn boom() {
    let all = ALL.lock().unwrap();
    let _ = all[all.len()];
}

pub fn all() -> Vec<u32> {
    ALL.lock().unwrap().clone()
}
