encoding::sha256(&vec![97; 3_000_000])
