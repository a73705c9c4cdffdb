fs::open("x"); 1
