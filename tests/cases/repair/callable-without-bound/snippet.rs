fn apply<F>(f: F, x: i32) -> i32 {
    f(x)
}

pub fn run(text: String) -> String {
    apply(|x| x + 1, text.len() as i32).to_string()
}
