use std::cell::RefCell;
use std::collections::VecDeque;

pub struct Parser(RefCell<VecDeque<i64>>);

impl GuestParser for Parser {
    fn new(text: String) -> Result<Self, String> {
        let numbers = text.split_whitespace().map(|w| w.parse().map_err(|e| format!("{w}: {e}")));
        Ok(Parser(RefCell::new(numbers.collect::<Result<_, String>>()?)))
    }

    fn next(&self) -> Option<i64> {
        self.0.borrow_mut().pop_front()
    }

    fn rest(&self) -> u32 {
        self.0.borrow().len() as u32
    }

    fn same(&self, other: ParserBorrow<'_>) -> bool {
        *self.0.borrow() == *other.get::<Parser>().0.borrow()
    }

    fn fork(&self) -> Parser {
        Parser::new(Parser(RefCell::new(self.0.borrow().clone())))
    }

    fn join(a: Parser, b: ParserBorrow<'_>) -> Result<Parser, String> {
        let (a, b) = (a.get::<Parser>().0.borrow(), b.get::<Parser>().0.borrow());
        if a.is_empty() && b.is_empty() {
            return Err("nothing".into());
        }
        Ok(Parser::new(Parser(RefCell::new(a.iter().chain(b.iter()).copied().collect()))))
    }
}

pub fn demo(text: String) -> Vec<String> {
    let first = match <Parser as GuestParser>::new(text) {
        Ok(numbers) => Parser::new(numbers),
        Err(e) => return vec![e],
    };
    let one = first.get::<Parser>();
    let fork = one.fork();
    let head = one.next();
    let other = fork.get::<Parser>();
    vec![format!("{head:?}"), one.rest().to_string(), other.rest().to_string()]
}
