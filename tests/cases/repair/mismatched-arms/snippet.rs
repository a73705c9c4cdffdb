pub fn run(n: u32) -> String {
    let text = match n {
        0 => String::from("none"),
        1 => "one",
        _ => format!("{n}"),
    };
    text
}
