use super::shop;
pub fn run(customer: String) -> String {
    let mut text = format!("{};", shop::count());
    let cart = shop::Cart::new("me");
    match shop::orders(&customer) {
        Ok(orders) => {
            for order in orders {
                let kept = cart.add(order.id);
                text += &format!(" {} {:?} {:?} {kept};", order.id, order.amount, order.note);
            }
        }
        Err(reason) => text += &format!(" {reason};"),
    }
    let other = shop::Cart::new("you");
    let both = shop::Cart::merge(cart, &other);
    shop::keep("done");
    format!("{text} {}", both.add(0))
}
