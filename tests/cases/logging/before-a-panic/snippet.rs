println!("first {n}");
print!("not ended");
panic!("after {} lines", n)