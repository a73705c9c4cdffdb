a * a
