encoding::sha256(&vec![0; 2_000_000])
