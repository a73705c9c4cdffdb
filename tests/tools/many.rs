if size > 0 {
    shop::keep(&"x".repeat(size as usize));
}
(0..times).map(|_| shop::count()).sum()
