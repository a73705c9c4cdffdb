//! What `for` goes through where a resource has a method `next`.

/// Calls `next` of a handle until it gives nothing.
pub struct Nexts<H, T> {
    handle: H,
    next: fn(&H) -> Option<T>,
    ended: bool,
}

impl<H, T> Nexts<H, T> {
    pub fn new(handle: H, next: fn(&H) -> Option<T>) -> Self {
        Self {
            handle,
            next,
            ended: false,
        }
    }
}

impl<H, T> Iterator for Nexts<H, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        if self.ended {
            return None;
        }
        let item = (self.next)(&self.handle);
        self.ended = item.is_none();
        item
    }
}

impl<H, T> std::iter::FusedIterator for Nexts<H, T> {}

impl<H, T> std::fmt::Debug for Nexts<H, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Nexts")
    }
}
