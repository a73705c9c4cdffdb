struct Counter {
    hits: u32,
}

pub fn run(n: u32) -> String {
    format!("{:?}", Counter { hits: n })
}
