let mut xs = xs;
let sorted = xs.sort();
sorted
