struct Keys { bindings: Vec<&'static str> }
pub fn run() -> String {
    let bindings = Keys { bindings: vec!["ctrl-c", "ctrl-v"] };
    println!("bindings: {}", bindings.bindings.len());
    bindings.bindings.join(" ")
}
