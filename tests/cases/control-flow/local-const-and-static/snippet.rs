const K: u32 = 6; static S: u32 = 7; K * S
