struct Own { a: u32 }
let o = Own { b: 1 }; o.a