pub struct R;

impl GuestRoman for R {
    fn new() -> Self {
        R
    }

    fn call(&self, n: u32) -> String {
        let mut n = n;
        let mut s = String::new();
        for (v, t) in [(10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")] {
            while n >= v {
                s.push_str(t);
                n -= v;
            }
        }
        s
    }
}
