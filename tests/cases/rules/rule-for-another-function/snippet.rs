bank::balance().to_string()
