std::thread::spawn(|| 1); 1
