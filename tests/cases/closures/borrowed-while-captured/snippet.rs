let mut total = 0u32;
let mut add = |n: u32| total += n;
add(1);
println!("{total}");
add(2);
total
