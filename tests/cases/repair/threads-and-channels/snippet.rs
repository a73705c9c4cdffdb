use std::sync::mpsc;

pub fn run(text: String) -> String {
    let (tx, rx) = mpsc::channel();
    tx.send(text).unwrap();
    rx.recv().unwrap()
}
