let mut toggled = p;
toggled.toggle(Perms::WRITE | Perms::RUN);
let mut without = p;
without.remove(Perms::READ);
vec![!p, p & Perms::READ, without, Perms::all(), toggled, Perms::default()]
