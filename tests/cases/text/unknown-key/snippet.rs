json::quote("a")
