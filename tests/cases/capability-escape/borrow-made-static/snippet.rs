fn keep<T: 'static>(t: T) -> u32 { core::mem::forget(t); 1 } keep(f)
