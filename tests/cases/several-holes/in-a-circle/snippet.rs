n != 0 && even(n - 1)
