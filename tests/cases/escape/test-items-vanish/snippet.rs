#[test] fn t() { panic!() } #[cfg(test)] compile_error!("x"); 1
