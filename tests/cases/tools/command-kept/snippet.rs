format!("{} {} {}", shop::count(), shop::count(), shop::count())
