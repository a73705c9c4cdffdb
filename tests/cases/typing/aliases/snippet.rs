fn lengths(n: &Names) -> Span { (n[0].len() as Meters, n[1].len() as f64) }
let all: Spans = vec![a, lengths(&n)];
all
