fn greeting(name: String) -> String {
    format!("hello {name}")
}

pub fn run() -> String {
    greeting("Ada")
}
