random::bytes(8).unwrap()
