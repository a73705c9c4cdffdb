extern "C" fn ctor() {} #[link_section = ".init_array"] #[used] static C: extern "C" fn() = ctor; 1
