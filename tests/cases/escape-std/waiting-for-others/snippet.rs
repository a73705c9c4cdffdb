use std::sync::{Barrier, Condvar, mpsc};
pub fn run() -> String {
    let (sender, receiver) = mpsc::channel();
    sender.send(1).unwrap();
    std::thread::sleep(std::time::Duration::from_secs(1));
    receiver.recv().unwrap().to_string()
}
