if false {
    return legacy_total(n);
}
#[cfg(any())]
fn never_compiled() -> u32 { also_unknown() }
n
