let mut kept = xs.clone();
kept.retain(|x| x % 2 == 0);
let mut rest = xs.clone();
let gone: Vec<u32> = rest.extract_if(.., |x| *x % 2 == 1).collect();
let mut tens = xs.clone();
for (at, x) in tens.iter_mut().enumerate() { if at % 2 == 0 { *x *= 10; } }
let mut stack = xs.clone();
let mut popped = Vec::new();
while let Some(x) = stack.pop_if(|x| *x > 3) { popped.push(x); }
let mut parts = xs.chunk_by(|a, b| a / 3 == b / 3);
let (first, second) = (parts.next().unwrap().to_vec(), parts.next().unwrap().to_vec());
assert_eq!(rest, kept);
vec![kept, gone, tens, popped, first, second, stack.iter().flat_map(|x| std::iter::repeat_n(*x, 2)).collect()]
