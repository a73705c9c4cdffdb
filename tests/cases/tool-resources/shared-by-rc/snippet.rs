use std::rc::Rc;
let row = Rc::new(Row::new("a")?);
let readers: Vec<Box<dyn Fn() -> String>> = (0..n).map(|i| {
    let row = Rc::clone(&row);
    Box::new(move || format!("{i}{}", row.text())) as Box<dyn Fn() -> String>
}).collect();
drop(row);
let out = readers.iter().map(|f| f()).collect::<Vec<_>>().join(",");
drop(readers);
db::all();
Ok(out)
