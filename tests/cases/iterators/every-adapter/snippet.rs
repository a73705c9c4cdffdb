let show = |v: Vec<i32>| format!("{v:?}");
let mut out = vec![
    show(xs.windows(2).map(|w| w[0] + w[1]).collect()),
    show(xs.iter().scan(0, |sum, x| { *sum += x; Some(*sum) }).collect()),
    format!("{:?}", xs.chunk_by(|a, b| a < b).collect::<Vec<_>>()),
    show(xs.iter().rev().step_by(2).copied().collect()),
    format!("{:?}", xs.iter().partition::<Vec<i32>, _>(|x| **x % 2 == 0)),
    format!("{:?}", xs.iter().enumerate().filter(|(at, _)| at % 3 == 0).map(|(at, x)| (at, *x)).take_while(|p| p.0 < 6).collect::<Vec<_>>()),
    format!("{:?}", xs.iter().enumerate().max_by_key(|(at, x)| (**x, std::cmp::Reverse(*at))).map(|(at, x)| (at, *x))),
];
let mut rest = xs.iter();
let head: Vec<i32> = rest.by_ref().take(3).copied().collect();
out.push(format!("{head:?}+{}", rest.skip_while(|x| **x < 5).map(|x| x + 1).sum::<i32>() + 1));
out.push(show(xs.iter().map_while(|x| (*x < 4).then_some(*x)).collect()));
out.push(format!("{:?}", xs.iter().try_fold(0i8, |a, x| a.checked_add(*x as i8 * 4)).or(xs.iter().position(|x| *x == 9).map(|p| p as i8))));
out
