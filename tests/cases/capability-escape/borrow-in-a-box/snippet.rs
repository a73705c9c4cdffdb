let b: Box<dyn Fn() -> u32 + 'static> = Box::new(move || { let _ = f; 1 });
b()