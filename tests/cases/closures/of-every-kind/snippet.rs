fn once(f: impl FnOnce() -> Vec<i32>) -> i32 { f().len() as i32 }
fn each(f: &mut dyn FnMut(i32), xs: &[i32]) { for &x in xs { f(x) } }
fn compose<A, B, C>(f: impl Fn(A) -> B, g: impl Fn(B) -> C) -> impl Fn(A) -> C { move |x| g(f(x)) }
fn fix(f: &dyn Fn(&dyn Fn(i32) -> i32, i32) -> i32, n: i32) -> i32 { f(&|n| fix(f, n), n) }
let mut sum = 0;
each(&mut |x| sum += x, &xs);
let copy = xs.clone();
let table: [(&str, fn(i32, i32) -> i32); 3] = [("add", |a, b| a + b), ("max", i32::max), ("neg", |a, _| -a)];
let mut later: Vec<Box<dyn FnOnce(i32) -> i32>> = Vec::new();
for x in xs { later.push(Box::new(move |y| x * 10 * y)); }
let first = later.remove(0)(1);
let mut counter = { let mut n = 7; move || { n += 1; n } };
counter();
vec![sum, once(move || copy), fix(&|me, n| if n < 2 { 1 } else { n * me(n - 1) }, 5), table[0].1(3, 4), compose(|x: i32| x + 3, |x: i32| x * 2 - 1)(4), first, table[2].1(3, 0), counter()]
