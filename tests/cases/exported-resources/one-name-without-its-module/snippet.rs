pub struct A(u32);
pub struct B(u32);

impl GuestItem for A {
    fn new(n: u32) -> Self { A(n) }
    fn get(&self) -> u32 { self.0 }
}

impl b::GuestItem for B {
    fn new(n: u32) -> Self { B(n) }
    fn get(&self) -> u32 { self.0 * 2 }
    fn twin(&self) -> b::Item { b::Item::new(B(self.0)) }
}

pub fn demo() -> u32 {
    use a::GuestItem;
    let item = a::Item::new(A(3));
    item.get::<A>().get()
}

pub fn show() -> u32 {
    use b::GuestItem;
    B(4).twin().get::<B>().get()
}
