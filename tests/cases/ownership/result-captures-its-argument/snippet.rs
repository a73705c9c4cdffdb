fn indices(xs: &[u32]) -> impl Iterator<Item = usize> {
    let n = xs.len();
    (0..n).rev()
}
let mut xs = xs;
for at in indices(&xs) {
    xs.swap_remove(at);
}
xs
