#[derive(Clone, Copy, PartialEq, Debug)]
struct Matrix<const R: usize, const C: usize>([[i64; C]; R]);
impl<const R: usize, const C: usize> Default for Matrix<R, C> {
    fn default() -> Self {
        Matrix([[0; C]; R])
    }
}
impl<const R: usize, const K: usize, const C: usize> std::ops::Mul<Matrix<K, C>> for Matrix<R, K> {
    type Output = Matrix<R, C>;
    fn mul(self, o: Matrix<K, C>) -> Matrix<R, C> {
        let mut m = Matrix::default();
        for i in 0..R {
            for j in 0..C {
                for k in 0..K {
                    m.0[i][j] += self.0[i][k] * o.0[k][j];
                }
            }
        }
        m
    }
}
pub fn run(text: String) -> String {
    let a = Matrix([[1, 2], [3, 4]]);
    let b = a * a;
    format!("{:?} {text}", b)
}
