pub fn run() -> String {
    let dirs = [repo::Dir::new(), repo::Dir::new()];
    format!("{dirs:?} {:#?}", dirs[0])
}
