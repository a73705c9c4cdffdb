let mut s = String::new(); b"abc".as_slice().read_to_string(&mut s).unwrap(); s
