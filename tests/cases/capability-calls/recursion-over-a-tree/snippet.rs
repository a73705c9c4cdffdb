fn visit(path: &str, depth: usize, out: &mut Vec<String>) {
    out.push(format!("{}{path}", "-".repeat(depth)));
    for child in repo::children(path) {
        visit(&child, depth + 1, out);
    }
}

pub fn run(paths: Vec<String>) -> Result<Vec<String>, String> {
    let mut out = Vec::new();
    visit(&paths[0], 0, &mut out);
    Ok(out)
}
