pub fn run() -> String {
    let r#mod = 1;
    let r#extern = 2;
    let r#unsafe = 4;
    let external = 8;
    (r#mod + r#extern + r#unsafe + external).to_string()
}
