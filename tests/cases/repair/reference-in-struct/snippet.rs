struct Section {
    title: &str,
    lines: u32,
}

pub fn run(text: String) -> u32 {
    let section = Section { title: text.lines().next().unwrap_or(""), lines: text.lines().count() as u32 };
    section.title.len() as u32 + section.lines
}
