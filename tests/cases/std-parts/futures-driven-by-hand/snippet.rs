use std::{future::Future, pin::{pin, Pin}, task::{Context, Poll, Waker}};
struct Yield(bool);
impl Future for Yield {
    type Output = ();
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.0, true) { Poll::Ready(()) } else { cx.waker().wake_by_ref(); Poll::Pending }
    }
}
async fn double(n: u32) -> u32 { Yield(false).await; n * 2 }
let mut future = pin!(async move { double(n).await + n });
let mut cx = Context::from_waker(Waker::noop());
loop { if let Poll::Ready(n) = future.as_mut().poll(&mut cx) { break n } }
