assert!(Many::C299 > Many::C0);
(Many::C257, m as u32)
