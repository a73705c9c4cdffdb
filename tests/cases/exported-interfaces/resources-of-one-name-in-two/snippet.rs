pub mod stack {
    pub struct Number(u32);
    impl GuestCell for Number {
        fn new(n: u32) -> Self { Number(n) }
        fn get(&self) -> u32 { self.0 }
    }
    pub fn sum(a: Vec<CellBorrow<'_>>) -> u32 {
        a.iter().map(|cell| cell.get::<Number>().0).sum()
    }
}

pub mod queue {
    pub struct Text(String);
    impl GuestCell for Text {
        fn new(s: String) -> Self { Text(s) }
        fn get(&self) -> String { self.0.clone() }
    }
    pub fn sum(a: Vec<CellBorrow<'_>>) -> String {
        a.iter().map(|cell| cell.get::<Text>().0.as_str()).collect()
    }
}
