pub fn run(text: String) -> String {
    let n: u32 = text.parse().unwrap();
    let table = [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    let mut n = n;
    let mut s = String::new();
    for (v, r) in table.iter() {
        while n >= *v {
            s += r;
            n -= v;
        }
    }
    s
}
