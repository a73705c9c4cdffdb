pub fn run(text: String) -> String {
    let n = text.lines().len();
    let known = text.split(',').contains("a");
    format!("{n}{known}{}", text.chars().sort())
}
