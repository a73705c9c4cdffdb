use std::cell::RefCell;

pub struct P(RefCell<Option<Row>>);

impl GuestPage for P {
    fn new(r: Row) -> Self {
        P(RefCell::new(Some(r)))
    }
    fn text(&self) -> String {
        self.0.borrow().as_ref().map(|r| r.text()).unwrap_or_default()
    }
    fn into_row(p: Page) -> Row {
        p.into_inner::<P>().0.take().unwrap()
    }
}

pub fn first() -> String {
    let page = Page::new(P::new(db::take()));
    let text = page.text();
    let row = P::into_row(page);
    text + &row.text()
}
