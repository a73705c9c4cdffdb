facts::age("a")
