s + s
