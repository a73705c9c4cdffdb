static KEPT: std::sync::Mutex<Option<&'static File>> = std::sync::Mutex::new(None);
let f = fs::open("a").unwrap();
*KEPT.lock().unwrap() = Some(&f);
String::new()