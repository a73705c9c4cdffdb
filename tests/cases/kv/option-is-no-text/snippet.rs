let visits: u64 = store::get_text("user/ada/visits").unwrap().parse().unwrap_or(0);
visits + 1
