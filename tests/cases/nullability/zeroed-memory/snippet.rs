let mut p: Person = std::mem::zeroed();
p.age = 3;
p
