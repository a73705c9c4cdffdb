use std::cell::RefCell;
use std::collections::VecDeque;

pub struct Numbers(RefCell<VecDeque<i64>>);

impl GuestParser for Numbers {
    fn new(text: String) -> Result<Self, String> {
        let numbers = text.split_whitespace().map(|w| w.parse().map_err(|e| format!("{w}: {e}")));
        Ok(Numbers(RefCell::new(numbers.collect::<Result<_, String>>()?)))
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

    fn fork(&self) -> Self {
        Numbers(RefCell::new(self.0.borrow().clone()))
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
    let first = match <Numbers as GuestParser>::new(text) {
        Ok(numbers) => Parser::new(numbers),
        Err(e) => return vec![e],
    };
    let one = first.get::<Numbers>();
    let fork = one.fork();
    let head = one.next();
    let other = fork.get::<Numbers>();
    vec![format!("{head:?}"), one.rest().to_string(), other.rest().to_string()]
}
