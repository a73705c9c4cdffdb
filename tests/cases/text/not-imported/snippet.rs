json::get("{}", "/a")
