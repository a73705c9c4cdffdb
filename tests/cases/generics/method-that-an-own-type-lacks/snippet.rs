struct Bag { items: Vec<u32> }

impl Bag {
    fn uniques(&self) -> Vec<u32> {
        let mut items = self.items.clone();
        items.sort_unstable();
        items.dedup();
        items
    }
}

pub fn run(xs: Vec<u32>) -> Vec<u32> {
    Bag { items: xs }.unique()
}
