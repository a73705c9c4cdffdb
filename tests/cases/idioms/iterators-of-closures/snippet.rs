pub fn run(text: String) -> String {
    let mut state = (0u64, 1u64);
    let fib = std::iter::from_fn(move || {
        let r = state.0;
        state = (state.1, state.0 + state.1);
        Some(r)
    });
    let pows = std::iter::successors(Some(1u32), |x| x.checked_mul(3));
    let v: Vec<String> = fib.take_while(|&x| x < 100).map(|x| x.to_string()).collect();
    format!("{} {} {}", v.join(","), pows.count(), text)
}
