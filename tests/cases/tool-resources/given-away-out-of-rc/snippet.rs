use std::rc::Rc;
let row = Rc::new(Row::new("a")?);
let other = Rc::clone(&row);
Ok(format!("{}{}", db::store(db::Entry::One(*row)), other.text()))
