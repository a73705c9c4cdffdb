use std::fmt::Display;
fn join<T, I>(items: I, sep: &str) -> String where I: IntoIterator<Item = T>, T: Display {
    items.into_iter().map(|i| i.to_string()).collect::<Vec<_>>().join(sep)
}
let objects: [&dyn Display; 2] = [&1, &"b"];
join(objects, "-") + &join([1.5, 2.0], "+")