fn numbers(up: bool, n: u32) -> impl Iterator<Item = u32> {
    if up { 0..n } else { (0..n).rev() }
}
numbers(up, n).collect()
