cfg!(debug_assertions)
