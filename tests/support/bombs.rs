//! Code that is dear to compile.

/// Code in a `run`.
pub(crate) fn run(statement: &str) -> String {
    format!("pub fn run() -> String {{ {statement} }}")
}

/// The same brackets around each other.
pub(crate) fn nested(open: &str, inner: &str, close: &str, depth: usize) -> String {
    format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
}

/// A limit of the compiler, whichever a machine meets first.
const LIMIT: &str = "limit: rustc-cpu|limit: rustc-wall|limit: rustc-memory|limit: rustc-files";

/// A function of that many parameters, called so many times in one body.
pub(crate) fn parameters(count: usize, calls: usize) -> String {
    let names: Vec<String> = (0..count).map(|n| format!("a{n}")).collect();
    let call = format!("n = f({});", "n,".repeat(count));
    format!(
        "fn f({}: u64) -> u64 {{ {} }}\n{}",
        names.join(": u64, "),
        names.join("^"),
        run(&format!(
            "let mut n = 5u64; {} n.to_string()",
            call.repeat(calls)
        ))
    )
}

/// What nests, grows or never ends in other ways than brackets; each with words of which the first diagnostic has one.
pub(crate) fn kinds() -> Vec<(&'static str, String, &'static str)> {
    let aliases: String = (1..1500)
        .map(|n| format!("type T{n} = Option<T{}>;\n", n - 1))
        .collect();
    let unknown: String = (0..2500)
        .map(|n| format!("let x{n}: u8 = a{n}; "))
        .collect();
    let chained = "let i = i.clone().chain(i.clone()).zip(i.clone()).map(|(a, b)| a + b); ";
    let paired: String = (1..26)
        .map(|n| format!("let a{n} = (a{0}.clone(), a{0}.clone()); ", n - 1))
        .collect();
    let chains = "chains more than";
    vec![
        (
            "bars of closures",
            run(&format!("let f = {}1; String::new()", "|| ".repeat(3000))),
            chains,
        ),
        (
            "else if",
            run(&format!(
                "let n = 3; {}{{}} String::new()",
                "if n == 1 {} else ".repeat(1500)
            )),
            chains,
        ),
        (
            "fields",
            run(&format!("let x = y{}; String::new()", ".a".repeat(3000))),
            chains,
        ),
        (
            "ranges",
            run(&format!("let x = {}1; String::new()", "..".repeat(900))),
            chains,
        ),
        (
            "binders",
            format!(
                "fn f(x: {}fn()) {{}}\n{}",
                "for<'a> ".repeat(900),
                run("String::new()")
            ),
            chains,
        ),
        (
            "generics",
            format!(
                "type T = {};\n{}",
                nested("Option<", "u8", ">", 400),
                run("String::new()")
            ),
            "nesting",
        ),
        (
            "aliases",
            format!(
                "type T0 = u8;\n{aliases}{}",
                run("size_of::<T1499>().to_string()")
            ),
            "depth limit|limit: nesting",
        ),
        (
            "arrays of arrays",
            format!(
                "type T = {};\n{}",
                nested("[", "u8", "; 2]", 60),
                run("size_of::<T>().to_string()")
            ),
            "too big",
        ),
        (
            "closures in closures",
            run(&format!(
                "let f = |x: u64| x; {} f(1).to_string()",
                "let f = move |x: u64| f(x) + f(x); ".repeat(120)
            )),
            "overflow evaluating",
        ),
        (
            "operators of a macro",
            format!(
                "macro_rules! m {{ (($($n:tt)*)) => {{ $($n)* true }}; (($($n:tt)*) $x:tt $($r:tt)*) => {{ m!(($($n)* $($n)*) $($r)*) }} }}\n{}",
                run(&format!(
                    "let x = m!((!) {}); String::new()",
                    "a ".repeat(14)
                ))
            ),
            "limit: nesting",
        ),
        (
            "a macro without end",
            format!(
                "macro_rules! m {{ ($e:expr) => {{ m!($e + 1) }} }}\n{}",
                run("m!(1).to_string()")
            ),
            "expands without end",
        ),
        (
            "text that doubles",
            format!(
                "macro_rules! d {{ (() $s:expr) => {{ $s }}; (($x:tt $($r:tt)*) $s:expr) => {{ d!(($($r)*) concat!($s, $s)) }} }}\n{}",
                run(&format!(
                    "d!(({}) \"abcdefgh\").to_string()",
                    "x ".repeat(40)
                ))
            ),
            LIMIT,
        ),
        (
            "recursion in a constant",
            format!(
                "const fn f(n: u64) -> u64 {{ if n == 0 {{ 0 }} else {{ 1 + f(n - 1) }} }}\nconst X: u64 = f(1_000_000);\n{}",
                run("X.to_string()")
            ),
            "stack frames",
        ),
        (
            "a constant that is dear",
            format!(
                "#[allow(long_running_const_eval)] const fn f(n: u64) -> u64 {{ if n < 2 {{ n }} else {{ f(n - 1) + f(n - 2) }} }}\nconst X: u64 = f(60);\n{}",
                run("X.to_string()")
            ),
            LIMIT,
        ),
        (
            "a length without end",
            run(
                "const fn f() -> usize { let mut n = 0; loop { n += 1; } } let a = [0; f()]; String::new()",
            ),
            "taking a long time|limit: rustc-cpu|limit: rustc-wall",
        ),
        (
            "instances without end",
            format!(
                "fn g<T>(x: T) -> usize {{ g((&x, 1)) }}\n{}",
                run("g(1).to_string()")
            ),
            "recursion limit",
        ),
        (
            "bounds without end",
            format!(
                "trait A {{}} impl<T> A for (T,) where (T, T): B {{}}\ntrait B {{}} impl<T, U> B for (T, U) where (T,): A, (U,): A, ((T, U), (U, T)): B {{}}\nfn f<T: A>() {{}}\n{}",
                run("f::<(u8,)>(); String::new()")
            ),
            "overflow evaluating|limit: rustc-cpu|limit: rustc-wall",
        ),
        (
            "iterators that double",
            run(&format!(
                "let i = 0..10; {} i.sum::<i32>().to_string()",
                chained.repeat(16)
            )),
            LIMIT,
        ),
        (
            "inferred pairs",
            run(&format!("let a0 = (1, 2); {paired} String::new()")),
            LIMIT,
        ),
        (
            "errors on one line",
            run(&format!("{unknown} String::new()")),
            "cannot find value `a0`|limit: rustc-cpu|limit: rustc-wall",
        ),
        (
            "hundreds of parameters",
            parameters(900, 1),
            "900 parameters",
        ),
    ]
}
