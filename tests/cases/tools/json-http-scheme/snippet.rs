shop::count().to_string()
