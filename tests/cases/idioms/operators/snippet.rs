use std::ops::{Add, AddAssign, Index, IndexMut, Mul, Neg, Sub};
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct V2 {
    x: f64,
    y: f64,
}
impl Add for V2 {
    type Output = V2;
    fn add(self, o: V2) -> V2 {
        V2 {
            x: self.x + o.x,
            y: self.y + o.y,
        }
    }
}
impl Sub for V2 {
    type Output = V2;
    fn sub(self, o: V2) -> V2 {
        V2 {
            x: self.x - o.x,
            y: self.y - o.y,
        }
    }
}
impl Mul<f64> for V2 {
    type Output = V2;
    fn mul(self, k: f64) -> V2 {
        V2 {
            x: self.x * k,
            y: self.y * k,
        }
    }
}
impl Mul<V2> for f64 {
    type Output = V2;
    fn mul(self, v: V2) -> V2 {
        v * self
    }
}
impl Neg for V2 {
    type Output = V2;
    fn neg(self) -> V2 {
        self * -1.0
    }
}
impl AddAssign for V2 {
    fn add_assign(&mut self, o: V2) {
        *self = *self + o;
    }
}
impl std::iter::Sum for V2 {
    fn sum<I: Iterator<Item = V2>>(it: I) -> V2 {
        it.fold(V2::default(), |a, b| a + b)
    }
}
struct M([[f64; 2]; 2]);
impl Index<(usize, usize)> for M {
    type Output = f64;
    fn index(&self, (r, c): (usize, usize)) -> &f64 {
        &self.0[r][c]
    }
}
impl IndexMut<(usize, usize)> for M {
    fn index_mut(&mut self, (r, c): (usize, usize)) -> &mut f64 {
        &mut self.0[r][c]
    }
}
pub fn run(text: String) -> String {
    let mut v: V2 = text.lines().map(|_| V2 { x: 1.0, y: 2.0 }).sum();
    v += 2.0 * -v;
    let mut m = M([[1.0, 0.0], [0.0, 1.0]]);
    m[(0, 1)] = v.x;
    format!("{v:?} {}", m[(0, 1)])
}
