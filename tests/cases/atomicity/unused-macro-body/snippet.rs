macro_rules! never { () => { net::post(1, 2, 3) } } log::emit("a"); 1
