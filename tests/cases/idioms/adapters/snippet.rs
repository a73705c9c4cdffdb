use std::iter;
pub fn run(text: String) -> String {
    let a: String = iter::repeat_n('-', 5).chain(iter::once('+')).collect();
    let b: Vec<i32> = iter::repeat(7).take(2).chain(iter::empty()).collect();
    let arr: [usize; 4] = std::array::from_fn(|i| i * i);
    let z: Vec<(char, usize)> = text.chars().zip(1..).collect();
    let s = text
        .chars()
        .scan(0u32, |acc, c| {
            *acc += c as u32;
            Some(*acc)
        })
        .last();
    let f = text
        .lines()
        .flat_map(|l| l.split(','))
        .filter_map(|x| x.parse::<i32>().ok())
        .fold((i32::MAX, i32::MIN), |(lo, hi), x| (lo.min(x), hi.max(x)));
    let r = text.split(' ').map(str::len).reduce(|a, b| a.max(b));
    let tf = text
        .split(' ')
        .try_fold(0i32, |acc, x| x.parse::<i32>().ok().and_then(|x| acc.checked_add(x)));
    let sk: Vec<_> = (1..=20)
        .rev()
        .step_by(3)
        .skip_while(|x| *x > 15)
        .map_while(|x| (x > 2).then_some(x))
        .collect();
    let cyc: Vec<_> = [1, 2, 3].iter().cycle().take(5).copied().collect();
    let mm = arr.iter().min_by(|a, b| a.cmp(b)).copied();
    let avg = arr.iter().sum::<usize>() as f64 / arr.len() as f64;
    let v: Option<Vec<u32>> = text.chars().map(|c| c.to_digit(10)).collect();
    let rs: Result<Vec<u32>, _> = text.split(',').map(|x| x.parse::<u32>()).collect();
    let eq = a.chars().cmp(text.chars());
    let ins = text.chars().inspect(|c| println!("{c}")).any(|c| c == 'x');
    let m: std::collections::HashMap<_, _> = z.iter().cloned().collect();
    let sorted = arr.is_sorted();
    let fl: Vec<i32> = vec![vec![1], vec![2, 3]].into_iter().flatten().collect();
    let fm = ["1", "x"].iter().find_map(|x| x.parse::<u8>().ok());
    let lastp = arr.iter().rposition(|&x| x == 1);
    format!(
        "{a}{b:?}{s:?}{f:?}{r:?}{tf:?}{sk:?}{cyc:?}{mm:?}{avg}{v:?}{rs:?}{eq:?}{ins}{}{sorted}{fl:?}{fm:?}{lastp:?}",
        m.len()
    )
}
