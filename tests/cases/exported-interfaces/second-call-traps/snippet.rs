use std::sync::Mutex;

static OPEN: Mutex<Vec<Option<String>>> = Mutex::new(Vec::new());

pub fn open(name: String) -> u32 {
    let mut open = OPEN.lock().unwrap();
    open.push(Some(name));
    open.len() as u32 - 1
}

pub fn close(id: u32) -> String {
    let mut open = OPEN.lock().unwrap();
    open.get_mut(id as usize).and_then(Option::take).unwrap_or_else(|| panic!("no account {id}"))
}
