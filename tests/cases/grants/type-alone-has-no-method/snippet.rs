let dir = fs::home();
let sub = dir.open("x");
let root = Dir::root();
let made = Dir::new("/");
format!("{}{}{}", sub.names().len(), root.names().len(), made.names().len())
