use std::cell::RefCell;
use std::collections::VecDeque;

pub struct Numbers(RefCell<VecDeque<i64>>);

impl GuestParser for Numbers {
    fn new(text: String) -> Self {
        Numbers(RefCell::new(text.split_whitespace().filter_map(|w| w.parse().ok()).collect()))
    }

    fn next(&self) -> Option<i64> {
        self.0.borrow_mut().pop_front()
    }

    fn rest(&self) -> u32 {
        self.0.borrow().len() as u32
    }

    fn same(&self, other: ParserBorrow<'_>) -> bool {
        *self.0.borrow() == *other.get::<Numbers>().0.borrow()
    }

    fn fork(&self) -> Parser {
        Parser::new(Numbers(RefCell::new(self.0.borrow().clone())))
    }

    fn join(a: Parser, b: ParserBorrow<'_>) -> Result<Parser, String> {
        let (a, b) = (a.get::<Numbers>().0.borrow(), b.get::<Numbers>().0.borrow());
        if a.is_empty() && b.is_empty() {
            return Err("nothing".into());
        }
        Ok(Parser::new(Numbers(RefCell::new(a.iter().chain(b.iter()).copied().collect()))))
    }
}

pub fn demo(text: String) -> Vec<String> {
    let first = Parser::new(<Numbers as GuestParser>::new(text));
    let one = first.get::<Numbers>();
    let fork = one.fork();
    let head = one.next();
    let other = fork.get::<Numbers>();
    vec![format!("{head:?}"), one.rest().to_string(), other.rest().to_string()]
}
