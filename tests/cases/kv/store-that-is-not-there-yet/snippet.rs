let mut all = store::keys("")?;
out::set_text("first", "1")?;
all.extend(store::keys("")?);
Ok(all)
