let r; { let x = 5u32; r = &x; } *r
