fn fib(n: u32, memo: &mut std::collections::HashMap<u32, u64>) -> u64 {
    if n < 2 { return n as u64; }
    if let Some(v) = memo.get(&n) { return *v; }
    let v = fib(n - 1, memo) + fib(n - 2, memo);
    memo.insert(n, v);
    v
}
fib(n, &mut Default::default())