pub fn run(text: String) -> String {
    let (ok, bad): (Vec<_>, Vec<_>) = text.split(',').map(|x| x.parse::<i32>()).partition(|r| r.is_ok());
    let nums: Vec<i32> = ok.into_iter().map(Result::unwrap).collect();
    let errs: Vec<String> = bad.into_iter().filter_map(|r| r.err()).map(|e| e.to_string()).collect();
    let (a, b) = text
        .split(',')
        .fold((0, 0), |(a, b), x| if x.len() > 1 { (a + 1, b) } else { (a, b + 1) });
    format!("{nums:?}{errs:?}{a}{b}")
}
