let shout = |s: String| s.to_uppercase();
let name = shout(p.name);
let Person { tags, .. } = &p;
println!("{name} {}", tags.len());
p
