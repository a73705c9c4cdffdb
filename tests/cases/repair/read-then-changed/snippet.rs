pub fn run(text: String) -> String {
    let mut m: HashMap<String, String> = HashMap::new();
    for w in text.split(',') {
        let old = m.get(w);
        m.insert(w.to_string(), "x".to_string());
        if let Some(o) = old {
            println!("{o}");
        }
    }
    m.len().to_string()
}
