let a = Row::new("a")?;
let b = Row::new("b")?;
let c = a.merge(b);
let d = Row::join(&[&a, &c]);
Ok(format!("{}{}", d.text(), a.same(&c)))
