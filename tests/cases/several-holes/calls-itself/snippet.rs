if n < 2 { 1 } else { n * fact(n - 1) }
