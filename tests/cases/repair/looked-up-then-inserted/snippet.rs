fn slot<'a>(m: &'a mut HashMap<String, u32>, k: &str) -> &'a mut u32 {
    if let Some(v) = m.get_mut(k) {
        return v;
    }
    m.insert(k.to_string(), 0);
    m.get_mut(k).unwrap()
}

pub fn run(text: String) -> String {
    let mut m = HashMap::new();
    for w in text.split(',') {
        *slot(&mut m, w) += 1;
    }
    m.len().to_string()
}
