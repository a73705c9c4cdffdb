use std::pin::pin;
use std::task::{Context, Poll, Waker};
pub fn run() -> String {
    let mut work = pin!(async { std::future::ready(20).await + 22 });
    let mut context = Context::from_waker(Waker::noop());
    match work.as_mut().poll(&mut context) {
        Poll::Ready(n) => n.to_string(),
        Poll::Pending => "pending".to_string(),
    }
}
