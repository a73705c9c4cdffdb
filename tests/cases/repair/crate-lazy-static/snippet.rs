use lazy_static::lazy_static;

lazy_static! {
    static ref TABLE: HashMap<&'static str, u32> = HashMap::from([("a", 1)]);
    static ref NAMES: Vec<String> = vec!["a".to_string()];
}

pub fn run(text: String) -> String {
    format!("{:?} {}", TABLE.get(text.as_str()), NAMES.len())
}
