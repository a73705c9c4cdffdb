let mut gen = seed;
for _ in 0..3 {
    gen = gen.wrapping_mul(6364136223846793005).wrapping_add(1);
}
gen
