static UNIT: &&() = &&();
fn translate<'a, 'b, T>(_: &'a &'b (), value: &'b mut T) -> &'a mut T { value }
fn expand<'a, 'b, T>(value: &'a mut T) -> &'b mut T {
    let f: for<'x> fn(_, &'x mut T) -> &'b mut T = translate;
    f(UNIT, value)
}
enum Either<A, B> { A(Option<Box<A>>), B(Option<Box<B>>) }
fn reinterpret<A, B>(value: A) -> B {
    let mut either = Either::<A, B>::B(None);
    let Either::B(slot) = &mut either else { unreachable!() };
    let slot = expand(slot);
    either = Either::A(Some(Box::new(value)));
    std::hint::black_box(&either);
    *slot.take().unwrap()
}
pub fn run() -> String {
    let _mine = repo::Dir::new();
    let forged: repo::Dir = reinterpret(7u32);
    forged.name()
}
