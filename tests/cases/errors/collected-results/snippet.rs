let parse = |s: &String| s.parse::<i64>().map_err(|e| format!("{s}: {e}"));
let all: Result<Vec<i64>, String> = xs.iter().map(parse).collect();
let two: Result<i64, String> = xs[..2].iter().map(parse).sum();
let options: Option<Vec<char>> = xs.iter().map(|s| s.chars().nth(1)).collect();
let product: Result<i64, String> = xs.iter().take(2).map(parse).product();
let (good, bad): (Vec<_>, Vec<_>) = xs.iter().map(parse).partition(Result::is_ok);
vec![all.map(|v| v[0]), two, options.map(|_| 0).ok_or("none".into()), product, bad.first().cloned().and(Some(())).map_or(Ok(0), |()| Err(format!("{} of {}", good.len(), xs.len())))]
