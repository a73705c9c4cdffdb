use std::path::{Path, PathBuf};
pub fn run(text: String) -> String {
    let p = Path::new(&text);
    let ext = p.extension().and_then(|e| e.to_str()).unwrap_or("");
    let stem = p.file_stem().map(|s| s.to_string_lossy().into_owned());
    let j: PathBuf = p.parent().unwrap_or(Path::new("")).join("x").with_extension("md");
    let n = p.components().count();
    let f = p.file_name().unwrap_or_default();
    format!("{ext} {stem:?} {} {n} {:?} {}", j.display(), f, p.is_absolute())
}
