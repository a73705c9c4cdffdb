use std::iter;
let steps = iter::successors(Some(n as u64), |&n| match n { 1 => None, n if n % 2 == 0 => Some(n / 2), n => Some(3 * n + 1) }).count() - 1;
let mut state = (0, 1);
let fibonacci: Vec<u32> = iter::from_fn(|| { let n = state.0; state = (state.1, state.0 + state.1); Some(n) }).take_while(|n| *n < 10).collect();
struct Countdown { from: u32, to: u32 }
impl Iterator for Countdown {
    type Item = u32;
    fn next(&mut self) -> Option<u32> { if self.from <= self.to { None } else { self.from -= 2; Some(self.from + 2) } }
    fn size_hint(&self) -> (usize, Option<usize>) { (0, None) }
}
impl DoubleEndedIterator for Countdown { fn next_back(&mut self) -> Option<u32> { self.to += 2; Some(self.to) } }
struct Evens([u32; 7]);
impl<'a> IntoIterator for &'a Evens {
    type Item = &'a u32;
    type IntoIter = iter::StepBy<std::slice::Iter<'a, u32>>;
    fn into_iter(self) -> Self::IntoIter { self.0.iter().step_by(2) }
}
let mut evens = Vec::new();
for e in &Evens(std::array::from_fn(|at| at as u32)) { evens.push(*e); }
vec![
    steps.to_string(),
    format!("{fibonacci:?}"),
    format!("{:?}", Countdown { from: 9, to: 3 }.collect::<Vec<_>>()),
    ["a", "b"].iter().cycle().take(5).copied().collect::<Vec<_>>().join("-"),
    format!("{evens:?}"),
    format!("{:?}", iter::zip(1.., "xy".chars()).collect::<Vec<_>>()),
    iter::repeat_n('z', 3).chain(iter::empty()).collect(),
]
