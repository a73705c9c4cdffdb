type Result<T, E = Box<dyn std::error::Error>> = std::result::Result<T, E>;
type Grid = Vec<Vec<char>>;
fn parse(s: &str) -> Result<Grid> {
    let g: Grid = s.lines().map(|l| l.chars().collect()).collect();
    if g.is_empty() {
        return Err("empty".into());
    }
    let n: i32 = "12".parse()?;
    let f: f64 = "1.5".parse()?;
    if n as f64 > f {
        Ok(g)
    } else {
        Err(format!("small {n}"))?
    }
}
pub fn run(text: String) -> String {
    parse(&text)
        .map(|g| g.len().to_string())
        .unwrap_or_else(|e| e.to_string())
}
