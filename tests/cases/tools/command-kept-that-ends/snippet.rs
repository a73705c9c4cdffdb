format!("{} {}", shop::count(), shop::count())
