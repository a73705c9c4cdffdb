let inner = { let x = x + 10; x };
let matched = match Some(x + 1) { Some(x) => x, None => x };
let broken = 'x: { if let Some(x) = Some(5) { break 'x x } x };
vec![x, inner, matched, x, broken]
