macro_rules! close { () => { } } } pub fn other() { String::new()
