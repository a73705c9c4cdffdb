let shared: Rc<u32> = Rc::new(7); *shared + 1
