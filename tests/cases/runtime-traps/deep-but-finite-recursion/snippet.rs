fn sum(n: u64) -> u64 { if n == 0 { 0 } else { n + sum(n - 1) } }
sum(n)
