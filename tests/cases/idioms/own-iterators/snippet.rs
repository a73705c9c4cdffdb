struct Fib {
    a: u64,
    b: u64,
}
impl Iterator for Fib {
    type Item = u64;
    fn next(&mut self) -> Option<Self::Item> {
        let r = self.a;
        self.a = self.b;
        self.b += r;
        Some(r)
    }
}
struct Grid {
    w: usize,
    cells: Vec<u8>,
}
impl<'a> IntoIterator for &'a Grid {
    type Item = &'a [u8];
    type IntoIter = std::slice::Chunks<'a, u8>;
    fn into_iter(self) -> Self::IntoIter {
        self.cells.chunks(self.w)
    }
}
impl FromIterator<u8> for Grid {
    fn from_iter<I: IntoIterator<Item = u8>>(it: I) -> Self {
        Grid {
            w: 2,
            cells: it.into_iter().collect(),
        }
    }
}
pub fn run(text: String) -> String {
    let g: Grid = text.bytes().collect();
    let mut n = 0;
    for row in &g {
        n += row.len();
    }
    format!(
        "{} {n}",
        Fib { a: 0, b: 1 }
            .skip(3)
            .step_by(2)
            .take(4)
            .map(|x| x.to_string())
            .collect::<String>()
    )
}
