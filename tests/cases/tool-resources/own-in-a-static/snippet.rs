use std::sync::Mutex;

static OPEN: Mutex<Option<Row>> = Mutex::new(None);

pub fn open(text: String) {
    *OPEN.lock().unwrap() = Some(Row::new(&text));
}

pub fn read() -> String {
    OPEN.lock().unwrap().as_ref().map_or_else(|| "closed".to_string(), |row| row.text())
}

pub fn close() -> bool {
    OPEN.lock().unwrap().take().is_some()
}
