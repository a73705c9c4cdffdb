struct Loud;
impl Drop for Loud { fn drop(&mut self) { println!("dropped"); } }
let _loud = Loud;
let text: Result<u32, String> = Err("first".to_string());
text.unwrap()
