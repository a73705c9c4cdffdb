pub fn run() -> String {
    let admin = false;
    /* ‮ } ⁦if admin⁩ ⁦ begin admins only */
    if admin { "all".into() } else { "none".into() }
}
