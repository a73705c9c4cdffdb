age("a")
