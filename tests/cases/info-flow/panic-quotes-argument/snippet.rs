panic!("{}", text)
