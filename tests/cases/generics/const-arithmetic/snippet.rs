fn padded<const N: usize>(xs: [u8; N]) -> [u8; N + 1] {
    let mut out = [0; N + 1];
    out[..N].copy_from_slice(&xs);
    out
}
padded([1, 2]).to_vec()
