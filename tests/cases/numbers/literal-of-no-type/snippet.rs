let third = 2.0.powf(0.5);
let large = 3_000_000_000;
println!("{large}");
x * third
