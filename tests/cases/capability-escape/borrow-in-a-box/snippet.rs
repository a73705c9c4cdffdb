let b: Box<dyn Fn() -> u32 + 'static> = Box::new(move || { let kept = f; std::ptr::eq(kept, f) as u32 });
b()