fn add<T>(a: T, b: T) -> T { a + b } add(1u32, 2)
