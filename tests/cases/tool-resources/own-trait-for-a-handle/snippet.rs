trait Lines {
    fn lines(&self) -> Vec<String>;
}
impl Lines for Row {
    fn lines(&self) -> Vec<String> {
        self.text().lines().map(str::to_owned).collect()
    }
}
impl<T: Lines> Lines for Option<T> {
    fn lines(&self) -> Vec<String> {
        self.iter().flat_map(|t| t.lines()).collect()
    }
}

pub fn run() -> String {
    let (first, second) = db::pair();
    format!("{:?} {second:?}", [first.lines(), second.lines()].concat())
}
