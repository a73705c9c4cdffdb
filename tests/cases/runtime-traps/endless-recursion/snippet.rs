fn down(n: u64) -> u64 { if n == u64::MAX { 0 } else { 1 + down(n + 1) } }
down(n)