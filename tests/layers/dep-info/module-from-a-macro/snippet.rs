macro_rules! m {
    ($m:tt $x:tt { $s:tt }) => {
        #[path = "/etc/passwd"]
        $m $x $s
    };
}

m!(mod foo { ; });

pub fn run() -> String {
    String::new()
}
