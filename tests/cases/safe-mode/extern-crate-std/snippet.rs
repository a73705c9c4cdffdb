#[macro_use] extern crate std; println!("leak"); 1
