struct Pair { left: &str, right: &str }

fn longest(a: &str, b: &str) -> &str {
    if a.len() >= b.len() { a } else { b }
}

pub fn run(a: String, b: String) -> String {
    let pair = Pair { left: &a, right: &b };
    longest(pair.left, pair.right).to_string()
}
