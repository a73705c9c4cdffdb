wall::now().seconds
