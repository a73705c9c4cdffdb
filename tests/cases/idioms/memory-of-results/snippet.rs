struct Cacher<T>
where
    T: Fn(u64) -> u64,
{
    calc: T,
    values: HashMap<u64, u64>,
}
impl<T> Cacher<T>
where
    T: Fn(u64) -> u64,
{
    fn new(calc: T) -> Cacher<T> {
        Cacher {
            calc,
            values: HashMap::new(),
        }
    }
    fn value(&mut self, arg: u64) -> u64 {
        match self.values.get(&arg) {
            Some(v) => *v,
            None => {
                let v = (self.calc)(arg);
                self.values.insert(arg, v);
                v
            }
        }
    }
}
fn memo(n: u64, cache: &mut HashMap<u64, u64>) -> u64 {
    if n <= 1 {
        return n;
    }
    if let Some(&v) = cache.get(&n) {
        return v;
    }
    let r = memo(n - 1, cache) + memo(n - 2, cache);
    cache.insert(n, r);
    r
}
pub fn run(text: String) -> String {
    let mut c = Cacher::new(|x| x * x);
    format!("{} {} {text}", c.value(4), memo(50, &mut HashMap::new()))
}
