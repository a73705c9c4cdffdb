out::set_text("../bo/name", "changed")?;
out::set_text("user/bo/name", "changed")?;
let mut keys = store::keys("")?;
keys.push(format!("{:?}", store::get_text("user/bo/name")?));
keys.push(format!("{:?}", store::get_text("note")?));
Ok(keys)
