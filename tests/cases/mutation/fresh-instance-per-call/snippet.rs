static COUNT: core::sync::atomic::AtomicU32 = core::sync::atomic::AtomicU32::new(0); COUNT.fetch_add(1, core::sync::atomic::Ordering::Relaxed) + 1
