impl Row {
    fn shout(&self) -> String {
        self.text().to_uppercase()
    }
}

pub fn run() -> String {
    db::take(1).shout()
}
