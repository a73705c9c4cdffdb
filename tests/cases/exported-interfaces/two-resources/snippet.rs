use std::cell::RefCell;

#[derive(Default)]
pub struct Basket {
    items: RefCell<Vec<(String, u32)>>,
}

pub struct Paper(u32);

impl GuestCart for Basket {
    fn new() -> Self {
        Self::default()
    }

    fn add(&self, item: String, price: u32) -> u32 {
        self.items.borrow_mut().push((item, price));
        self.items.borrow().len() as u32
    }

    fn checkout(&self) -> Receipt {
        Receipt::new(Paper(self.items.take().iter().map(|(_, price)| price).sum()))
    }

    fn merge(&self, other: Cart) {
        let other: Basket = other.into_inner();
        self.items.borrow_mut().extend(other.items.into_inner());
    }
}

impl GuestReceipt for Paper {
    fn total(&self) -> u32 {
        self.0
    }

    fn same(a: ReceiptBorrow<'_>, b: ReceiptBorrow<'_>) -> bool {
        a.get::<Paper>().0 == b.get::<Paper>().0
    }
}
