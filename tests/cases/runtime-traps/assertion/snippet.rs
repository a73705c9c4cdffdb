println!("before {a}");
assert_eq!(a, 2, "a must be {}", 2);
a